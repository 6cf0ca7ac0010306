r"""A language of the portal: its texts, and how it writes numbers, dates and sizes.

>>> german = LANGUAGES["de"]
>>> german.number(41_200), german.percent(0.97), german.day("2026-01-02T03:04:05Z")
('41.200', '97\xa0%', '2. Januar 2026')
>>> german.show(Message("%(count)s result", "%(count)s results", count=1200))
'1.200 Ergebnisse'
>>> ENGLISH.size(45_300_000), german.size(45_300_000)
('45.3 MB', '45,3 MB')
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from gettext import NullTranslations
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from lycosa.portal.languages.po_file import read_po, translations
from lycosa.portal.message import Message, fill_in
from lycosa.reporting.text import size

MONTHS: Final = (
    Message("January"),
    Message("February"),
    Message("March"),
    Message("April"),
    Message("May"),
    Message("June"),
    Message("July"),
    Message("August"),
    Message("September"),
    Message("October"),
    Message("November"),
    Message("December"),
)


class Language:
    """A language that pages are shown in.

    Parameters
    ----------
    code
        ISO 639-1; the texts are in the PO file of this name, except those in English, which the
        code has.
    name
        In the language itself.
    group, point
        What separates thousands, and decimals.
    byte
        The symbol of a byte in MB.
    first_day
        The first day of a month in a date.
    """

    def __init__(
        self,
        code: str,
        name: str,
        *,
        group: str,
        point: str,
        byte: str = "B",
        first_day: str = "1",
    ) -> None:
        self.code = code
        self.name = name
        self._group = group
        self._point = point
        self._byte = byte
        self._first_day = first_day

    def show(self, value: Any) -> str:
        """Return a message, a whole number or a sequence of them in this language.

        A text that is no message is returned as it is: it is a name, or has no translation.
        """
        match value:
            case Message():
                text = self.translate(value.text, value.plural, value.values.get("count"))
                return fill_in(text, value.values, self.show)
            case str():
                return value
            case int():
                return self.number(value)
        return ", ".join(map(self.show, value))

    def translate(self, text: str, plural: str = "", count: int | None = None) -> str:
        """Return a text in this language, with its placeholders; in English if there is none."""
        if plural and count is not None:
            return self._texts.ngettext(text, plural, count)
        # The translation of an empty text would be the header of the catalogue.
        return self._texts.gettext(text) if text else text

    def number(self, value: int) -> str:
        """Write a whole number."""
        return f"{value:,}".replace(",", self._group)

    def percent(self, share: float) -> str:
        r"""Write a share as a percentage.

        >>> [ENGLISH.percent(share) for share in (0.973, 0.999, 1.0)]
        ['97\xa0%', '>\xa099\xa0%', '100\xa0%']
        """
        return ">\u00a099\u00a0%" if 0.995 <= share < 1 else f"{100 * share:.0f}\u00a0%"

    def day(self, time: str) -> str:
        """Write the day of a time in ISO 8601; what is not such a time is returned as it is."""
        year, _, rest = time[:10].partition("-")
        month, _, day = rest.partition("-")
        if not (month.isdecimal() and day.isdecimal() and 1 <= int(month) <= len(MONTHS)):
            return time[:10]
        shown = self._first_day if int(day) == 1 else str(int(day))
        name = MONTHS[int(month) - 1]
        return self.show(Message("%(day)s %(month)s %(year)s", day=shown, month=name, year=year))

    def size(self, number: float) -> str:
        """Write a number of bytes."""
        if number < 1000:
            return self.show(Message("%(count)s byte", "%(count)s bytes", count=round(number)))
        written = size(number).replace(",", "\0").replace(".", self._point)
        return written.replace("\0", self._group).removesuffix("B") + self._byte

    @cached_property
    def _texts(self) -> NullTranslations:
        file = files("lycosa.portal.languages").joinpath(f"{self.code}.po")
        # English has no file: its texts are those in the code.
        return (
            translations(read_po(file.read_text(encoding="utf-8")))
            if self.code != "en"
            else NullTranslations()
        )


ENGLISH: Final = Language("en", "English", group=",", point=".")
LANGUAGES: Final[Mapping[str, Language]] = MappingProxyType(
    {
        each.code: each
        for each in (
            ENGLISH,
            Language("de", "Deutsch", group=".", point=","),
            Language("fr", "Français", group="\u202f", point=",", byte="o", first_day="1er"),
        )
    }
)
"""The languages of pages by their codes, in the order in which they are offered."""
