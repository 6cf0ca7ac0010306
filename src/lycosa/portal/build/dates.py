"""Dates as far as they are known: 1999, 1999-05 or 1999-05-02."""

from __future__ import annotations

import re

from lycosa.papers.extraction.fields import parse_year

_DATE = re.compile(
    r"\s*((?:1[5-9]|20)\d\d)(?:[-/](0?[1-9]|1[0-2])(?!\d)(?:[-/](0?[1-9]|[12]\d|3[01])(?!\d))?)?"
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})[a-z]*\b", re.IGNORECASE)


def iso_date(text: str) -> str:
    """The date that a text begins with, as machines write it.

    >>> iso_date("1999/5/2 10:00"), iso_date("2001-13"), iso_date("May 1999")
    ('1999-05-02', '2001', '')
    """
    found = _DATE.match(text)
    return "-".join(part.zfill(2) for part in found.groups() if part) if found else ""


def printed_date(text: str) -> str:
    """The year and the month in a date, as papers print it.

    >>> printed_date("May 14, 1999"), printed_date("(1999)"), printed_date("to appear")
    ('1999-05', '1999', '')
    """
    year = parse_year(text)
    if year is None:
        return ""
    months = {found[:3].lower() for found in _MONTH.findall(text)}
    return f"{year}-{_MONTHS.index(months.pop()) + 1:02}" if len(months) == 1 else str(year)
