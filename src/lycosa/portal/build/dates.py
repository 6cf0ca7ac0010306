"""Parsing of dates, as precise as they are known: 1999, 1999-05 or 1999-05-02."""

from __future__ import annotations

import re

from lycosa.papers.extraction.fields import parse_year

_DATE = re.compile(
    r"\s*((?:1[5-9]|20)\d\d)(?:[-/](0?[1-9]|1[0-2])(?!\d)(?:[-/](0?[1-9]|[12]\d|3[01])(?!\d))?)?"
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})[a-z]*\b", re.IGNORECASE)


def parse_iso_date(text: str) -> str:
    """Return the date that a text begins with, as machines write it.

    >>> [parse_iso_date(text) for text in ("1999/5/2 10:00", "2001-13", "May 1999")]
    ['1999-05-02', '2001', '']
    """
    found = _DATE.match(text)
    return "-".join(part.zfill(2) for part in found.groups() if part) if found else ""


def parse_printed_date(text: str) -> str:
    """Return year and month of a date, as papers print it.

    >>> [parse_printed_date(text) for text in ("May 14, 1999", "(1999)", "to appear")]
    ['1999-05', '1999', '']
    """
    year = parse_year(text)
    if year is None:
        return ""
    months = {found[:3].lower() for found in _MONTH.findall(text)}
    return f"{year}-{_MONTHS.index(months.pop()) + 1:02}" if len(months) == 1 else str(year)
