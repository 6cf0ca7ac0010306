"""Fields of a header and of references, and the parsers of their values.

>>> field = FieldSpan("Web spiders.", confidence=0.9, start=2, stop=4, line=0, last_line=0)
>>> reference = Reference({"title": (field,)})
>>> reference.title, reference.year
('Web spiders', None)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lycosa.papers.extraction.names import FOOTNOTES, PersonName, parse_names

_YEAR = re.compile(r"(?<!\d)(1[6-9]\d\d|20\d\d)(?!\d)")
_SPACED_YEAR = re.compile(r"(?<!\d)(1\s?[6-9]\s?\d\s?\d|2\s?0\s?\d\s?\d)(?!\d)")
# "'97", "7/17/97", and "Nov 94" or "94-Nov-17", but not "June 12".
_SHORT_YEAR = re.compile(
    r"(?:['\u2019`/]|(?<=[a-z])[. -]{1,2}(?=[4-9]))(\d\d)\b|(?<!\d)(?=[4-9])(\d\d)(?=-[A-Za-z]{3})"
)
_PAGES = re.compile(r"(\d{1,6})\s*[-\u2010-\u2015\u2212]+\s*(\d{1,6})")
_VOLUME_NUMBER = re.compile(r"[A-Z]?\d+[A-Z]?(?:[-\u2010-\u2015/]\d+)*")
_ISSUE_ALONE = re.compile(r"\W*(?:no|nr|number|issue|heft|h|n)\b|\W*n\u00b0", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,6}")
_CUT = re.compile(r"(?<=[a-z])-\s+(?=[a-z])")
_OUTER = f" \t.,;:\"'`\u201c\u201d\u201e\u00ab\u00bb{FOOTNOTES}"
_IN = re.compile(r"^(?:[Ii]n|[Dd]ans|[Ii]m|[Nn]ell?[ao]?)\b:?\s+")
_HEADING = re.compile(
    r"^(?:\d[\d.]*\s+)?(?:abstract|a b s t r a c t|summary|r\xe9sum\xe9|resumen|resumo|riassunto"
    r"|zusammenfassung|kurzfassung|samenvatting)\b\W*\s*",
    re.IGNORECASE,
)
_KEYWORDS = re.compile(
    r"^(?:additional\s+)?(?:key\s*-?words?(?:\s+and\s+phrases)?|index terms|general terms"
    r"|mots[ -]cl\xe9s|palabras[ -]clave|palavras[ -]chave|parole[ -]chiave|schl\xfcsselw\w+)\W*",
    re.IGNORECASE,
)
_EMAIL = re.compile(r"(?:\{([^{}@]+)\}|\(([^()@]+)\)|([\w.+%-]+))@([\w.-]+\w)")


class FieldSpan(NamedTuple):
    """A run of words with one label; words and lines of the item are numbered from 0."""

    text: str
    """Its words as printed, separated by spaces."""
    confidence: float
    """The mean confidence of its words."""
    start: int
    """The first word."""
    stop: int
    """The word after the last."""
    line: int
    """The line of its first word."""
    last_line: int
    """The line of its last word."""


@dataclass(frozen=True)
class ExtractedFields:
    """The fields of a header or a reference.

    `fields` has the spans of each label of tagged text, in reading order; a label without words
    is missing.
    """

    fields: Mapping[str, tuple[FieldSpan, ...]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __contains__(self, label: object) -> bool:
        return label in self.fields

    def text(self, label: str) -> str:
        """Return all words with a label, without outer punctuation; "" if there are none."""
        parts = self.fields.get(label)
        if not parts:
            return ""
        return join_broken_words(" ".join([part.text for part in parts])).strip(_OUTER)

    def confidence(self, label: str) -> float:
        """Return the mean confidence of the words with a label; 0 if there are none."""
        words, total = 0, 0.0
        for part in self.fields.get(label, ()):
            words += part.stop - part.start
            total += part.confidence * (part.stop - part.start)
        return total / words if words else 0.0

    def _names(self, label: str) -> tuple[PersonName, ...]:
        return tuple(n for part in self.fields.get(label, ()) for n in parse_names(part.text))

    @property
    def title(self) -> str:
        """The title."""
        return self.text("title")

    @property
    def authors(self) -> tuple[PersonName, ...]:
        """The authors."""
        return self._names("author")

    @property
    def year(self) -> int | None:
        """The year of its date."""
        return parse_year(self.text("date"))


@dataclass(frozen=True)
class Header(ExtractedFields):
    """The header of a paper.

    Its labels are title, author, affiliation, address, email, date, abstract,
    keyword, note, phone, web, degree, pubnum, intro and page.
    """

    people: tuple[PersonName, ...] | None = None
    """The authors, if they were read already; else they are parsed from the author fields."""

    @property
    def authors(self) -> tuple[PersonName, ...]:
        """The authors; where they are parsed, the end of a line always ends a name."""
        if self.people is not None:
            return self.people
        lines = [line for part in self.fields.get("author", ()) for line in part.text.split("\n")]
        return tuple(name for line in lines for name in parse_names(line))

    @property
    def abstract(self) -> str:
        """The abstract without its heading."""
        return _HEADING.sub(
            "", join_broken_words(" ".join(p.text for p in self.fields.get("abstract", ())))
        )

    @property
    def keywords(self) -> tuple[str, ...]:
        """The keywords, one by one."""
        words = _KEYWORDS.sub("", self.text("keyword"))
        return tuple(w for w in (part.strip(_OUTER) for part in re.split(r"[,;]", words)) if w)

    @property
    def emails(self) -> tuple[str, ...]:
        """The e-mail addresses of its authors; `{ann,bob}@x.edu` are two."""
        found = []
        for braces, brackets, plain, host in _EMAIL.findall(self.text("email")):
            users = (braces or brackets or plain).split(",")
            found += [f"{user.strip()}@{host}" for user in users]
        return tuple(found)


@dataclass(frozen=True)
class Reference(ExtractedFields):
    """A reference.

    Its labels are author, title, journal, booktitle, date, volume, pages,
    publisher, editor, institution, location, note, tech, web and identifier. The
    volume has the issue with it, as in `12(3)`.
    """

    @property
    def editors(self) -> tuple[PersonName, ...]:
        """The editors of its book."""
        return self._names("editor")

    @property
    def pages(self) -> tuple[int, int] | None:
        """The first and the last page."""
        return parse_pages(self.text("pages"))

    @property
    def volume(self) -> str:
        """The volume without the issue."""
        return parse_volume(self.text("volume"))[0]

    @property
    def issue(self) -> str:
        """The issue of its volume."""
        return parse_volume(self.text("volume"))[1]

    @property
    def venue(self) -> str:
        """The place of publication: a journal, a meeting or book, or an institution."""
        for label in ("journal", "booktitle", "tech", "institution", "publisher"):
            if label in self.fields and (text := without_in(self.text(label))):
                return text
        return ""

    def record(self) -> dict[str, str]:
        """Return the fields for matching, as text."""
        pages = self.pages
        return {
            "authors": " and ".join(map(str, self.authors)),
            "title": self.title,
            "venue": self.venue,
            "year": str(self.year or ""),
            "pages": f"{pages[0]}-{pages[1]}" if pages else "",
            "volume": self.text("volume"),
        }


def parse_year(text: str) -> int | None:
    """Return the year in a date, or None.

    >>> parse_year("(May 1993b)."), parse_year("07/17/97"), parse_year("to appear")
    (1993, 1997, None)
    """
    if found := _YEAR.search(text) or _SPACED_YEAR.search(text):
        return int("".join(found[1].split()))
    if short := [int(one or other) for one, other in _SHORT_YEAR.findall(text)]:
        return 1900 + short[-1] if short[-1] > 40 else 2000 + short[-1]
    return None


def parse_pages(text: str) -> tuple[int, int] | None:
    """Return the first and the last page, an abbreviated last page expanded.

    >>> parse_pages("pp. 127-36"), parse_pages("pages 7--12,"), parse_pages("p. 5")
    ((127, 136), (7, 12), (5, 5))
    """
    if found := _PAGES.search(text):
        return page_range(found[1], found[2])
    if found := _NUMBER.search(text):
        return int(found[0]), int(found[0])
    return None


def parse_volume(text: str) -> tuple[str, str]:
    """Return the volume and the issue, each "" if it is missing.

    >>> parse_volume("Vol. 23, No. 7"), parse_volume("B12(3-4)"), parse_volume("no. 5")
    (('23', '7'), ('B12', '3-4'), ('', '5'))
    """
    found = _VOLUME_NUMBER.findall(text)
    if len(found) == 1 and _ISSUE_ALONE.match(text):
        return "", found[0]
    return (found[0] if found else ""), (found[1] if len(found) > 1 else "")


def without_in(text: str) -> str:
    """Return the name of a journal or book without the word that announces it.

    >>> without_in("In: Zeitschrift"), without_in("in Proc. Webs"), without_in("Infants")
    ('Zeitschrift', 'Proc. Webs', 'Infants')
    """
    return _IN.sub("", text)


def page_range(first: str, last: str) -> tuple[int, int]:
    """Return two page numbers, an abbreviated last one expanded.

    >>> page_range("433", "44")
    (433, 444)
    """
    return int(first), int(first[: max(len(first) - len(last), 0)] + last)


def join_broken_words(text: str) -> str:
    r"""Return a text on one line, its hyphenated words joined.

    >>> join_broken_words("natural lan-\nguage from  examples")
    'natural language from examples'
    """
    text = " ".join(text.split())
    return _CUT.sub("", text) if "- " in text else text
