"""Notices of publication: what a line around the text says about year and venue.

Each kind of notice is a pattern with the probability that its year is the year of
publication, and that its words are the venue. The probabilities were set by hand from what
the notices mean: a masthead names the issue, a copyright is often registered the year
before, and papers are received a year or more before they are published.

>>> for line in ("Theoretical Computer Science 246 (2000) 53-72", "Received: 26 October 2016",
...              "EMSOFT'08, October 19-24, 2008, Atlanta, Georgia, USA.", "(c) 2004 IEEE"):
...     print([(one.kind, one.year, one.venue) for one in find_notices(line)])
[('masthead', 2000, 'Theoretical Computer Science')]
[('received', 2016, '')]
[('meeting', 2008, "EMSOFT'08")]
[('copyright', 2004, '')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_NOTICE_CHARACTERS = 400
"""Of a line, or of lines joined, that are searched; a longer line is no notice."""

_YEAR = r"(?P<year>1[89]\d\d|20\d\d)(?!\d)"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_PLAIN_YEAR = rf"{_YEAR}(?![-\u2010-\u2015\u2212])"  # no first page of a range
_CAPITAL = r"(?-i:[^\W\d_a-z])"
_DASH = "[-\u2010-\u2015\u2212]"
_VENUE_WORD = re.compile(
    r"\b(?:acta|advances|annals|archiv|archives|bulletin|colloquium|communications|conf|"
    r"conference|congress|international|journal|j|letters|magazine|meeting|notes|proc|"
    r"proceedings|quarterly|reports?|review|reviews|science|sciences|symp|symposium|"
    r"trans|transactions|workshop|zeitschrift)\b|(?-i:[A-Z]{3})",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"[A-Z][A-Za-z]*[A-Z]{2}[A-Za-z]*")
_NO_VENUE = re.compile(
    rf"^(?:received|revised|accepted|published|available|submitted|copyright|printed|date|"
    rf"version|draft|abstract|keywords?|tel|e-?mail|figure|fig|table|section|page|article in|"
    rf"preprint|to appear|appears|vol|volume|tomus|tome|band)\b|{_MONTH}$",
    re.IGNORECASE,
)
_MAX_ABBREVIATION = 8  # letters of a last word that lost its full stop with the others: Mech.
_EDGES = " \t.,;:\u00b7|/()[]-\u2013\u2014"


class NoticeKind(NamedTuple):
    """A kind of notice: a pattern with a group `year`, `short` (two digits) or `venue`."""

    name: str
    pattern: re.Pattern[str]
    year_confidence: float
    venue_confidence: float = 0.0
    needs_venue_word: bool = False
    """Whether the words must look like those of a venue; else they may be anything."""
    in_margin_only: bool = False
    """Whether the pattern is too weak for any line but a running head."""


class Notice(NamedTuple):
    """A notice in a line; no `venue` is "", no `year` is None."""

    kind: str
    year: int | None
    year_confidence: float
    venue: str = ""
    venue_confidence: float = 0.0


def _compile(pattern: str, *, cased: bool = False) -> re.Pattern[str]:
    return re.compile(pattern, 0 if cased else re.IGNORECASE)


# A venue up to its year or the end of a sentence, and the year if one follows.
_PLACE = (
    r"(?P<venue>\S.{2,160}?)(?=,?\s\(?(?:1[89]|20)\d\d\b|[.,;]\s|[.;]?$)"
    rf"(?:.{{0,80}}?(?<!\d){_YEAR})?"
)
# Page numbers, or authors before a slash.
_LEAD = rf"^(?:[a-z]?\d{{1,5}}(?:{_DASH}[a-z]?\d{{1,5}})?\s+)?(?:[^/]{{1,100}}\s/\s)?"
KINDS = (
    # Volume 58 (2022), 329-338, or Vol. 25, No. 3, 2010, below the name of the journal
    NoticeKind("masthead", _compile(
        rf"^(?:vol(?:ume|\.)?|tomus|tome|band|bd\.?)\s*[\divxlc]{{1,8}}\b.{{0,40}}?"
        rf"(?<![-\u2010-\u2015\u2212\d:.]){_PLAIN_YEAR}",
    ), 0.95),
    # J. Webs 2010;63:210-219; Webs. 2012 February 1; 5(1): 100-112
    NoticeKind("masthead", _compile(
        _LEAD + rf"(?P<venue>{_CAPITAL}[^\d/;]{{2,90}}?)[.,]?\s+(?:\d\d/)?{_YEAR}"
        rf"(?:\s{_MONTH}(?:\s\d{{1,2}})?)?;\s?(?:vol\.?\s?)?\d{{1,4}}[a-z]?\s?[(:]",
    ), 0.95, 0.9),
    # Theoretical Computer Science 246 (2000) 53-72; J. Spiders 12(3), 1-9 (1999)
    NoticeKind("masthead", _compile(
        _LEAD + rf"(?P<venue>{_CAPITAL}[^\d/;]{{2,90}}?),?\s+(?:vol(?:ume|\.)?\s*)?\d{{1,4}}\s?"
        rf"(?:[(,:]\s?(?:no\.?|issue|nr\.?)?\s?\d{{1,3}}\)?,?\s?)?\s?\((?:{_MONTH}\s)?{_YEAR}\)",
    ), 0.95, 0.9),
    # J. Fluid Mech. (1998), vol. 362, pp. 1-25
    NoticeKind("masthead", _compile(
        _LEAD + rf"(?P<venue>{_CAPITAL}[^\d/;]{{2,90}}?),?\s+\({_YEAR}\),?\s+"
        rf"(?:vol(?:ume|\.)?\s*)?\d{{1,4}}\s?[,:(]",
    ), 0.95, 0.9),
    # Machine Spiders, 12, 101-120 (1999); Spider Rev. E 66, 046105 (4 June 2002)
    NoticeKind("masthead", _compile(
        _LEAD + rf"(?P<venue>{_CAPITAL}[^\d/;]{{2,90}}?),?\s+\d{{1,4}}[a-z]?"
        rf"(?:\s?\(\d{{1,3}}\))?,\s?(?:pp?\.\s?)?[a-z]?\d{{1,7}}(?:\s?{_DASH}+\s?\d{{1,6}})?,?\s"
        rf"\((?:(?:\d{{1,2}}\s)?{_MONTH}\s)?{_YEAR}\)",
    ), 0.95, 0.9),
    # Machine Spiders 12:101-120, 1999
    NoticeKind("masthead", _compile(
        _LEAD + rf"(?P<venue>{_CAPITAL}[^\d/;]{{2,90}}?),?\s+\d{{1,4}}(?:\s?\(\d{{1,3}}\))?"
        rf"\s?[:,]\s?\d{{1,6}}\s?{_DASH}+\s?\d{{1,6}},\s{_YEAR}",
    ), 0.95, 0.9),
    # Web Research, 2010, Vol. 38; WEB LETTERS, pp. 429-432, 1987
    NoticeKind("masthead", _compile(
        _LEAD + rf"(?P<venue>{_CAPITAL}[^\d/;]{{2,90}}?),\s(?:{_YEAR},\svol(?:ume|\.)?\s?\d|"
        rf"pp?\.\s?\d{{1,6}}\s?{_DASH}+\s?\d{{1,6}},\s(?P<late>1[89]\d\d|20\d\d)(?!\d))",
    ), 0.95, 0.9),
    # J. WEB SOC., 1989
    NoticeKind("masthead", _compile(
        rf"^(?P<venue>(?:J\.|{_CAPITAL}[^\d/;]{{0,60}}?\b(?:journal|letters|transactions|bulletin|"
        rf"annals)\b)[^\d/;]{{0,60}}?),\s{_YEAR}\.?$",
    ), 0.8, 0.7),
    # March 2013 | Volume 8 | Issue 3
    NoticeKind("masthead", _compile(rf"^(?:{_MONTH}\s)?{_YEAR}\s\|\s(?:vol|issue)"), 0.9),
    # IEEE TRANSACTIONS ON SPIDERS, VOL. 12, NO. 3, MARCH 1999
    NoticeKind("masthead", _compile(
        _LEAD + rf"(?P<venue>{_CAPITAL}[^\d/;]{{2,100}}?),?\s+vol(?:ume|\.)?\s*[\divxlc]{{1,8}}\b"
        rf".{{0,60}}?(?<!\d){_YEAR}",
    ), 0.95, 0.9),
    # Entropy 2017, 19, 7
    NoticeKind("masthead", _compile(
        rf"^(?P<venue>{_CAPITAL}[^\d,;:()]{{1,60}}?)\s"
        rf"{_YEAR},\s\d{{1,4}}(?:\s?\(\d{{1,3}}\))?(?:,\s[a-z]?\d+|[.;]|$)",
    ), 0.95, 0.9),
    # A. Lee et al. (Eds.): WEB 2004, LNCS 3045, pp. 147-157, 2004.
    NoticeKind("proceedings", _compile(
        rf"\(eds?\.?\)\s?:?,?\s(?P<venue>[^,]{{2,80}}(?:,\s[a-z]{{3,6}}\s\d{{1,5}})?),.{{0,60}}?"
        rf"\bpp?\.\s?\d+{_DASH}+\d+,?\s\(?{_YEAR}",
    ), 0.95, 0.9),
    # 2010 International Conference on Spiders
    NoticeKind("meeting", _compile(
        rf"^{_YEAR}\s(?P<venue>.{{0,80}}\b(?:conference|symposium|workshop|congress|colloquium)"
        r"\b.{0,80})$",
    ), 0.9, 0.9),
    # The cover of a repository: Article in Spider Letters · June 2017
    NoticeKind("cover", _compile(
        r"^(?:article|conference paper|chapter|preprint|book|thesis)\s+in\s+"
        rf"(?P<venue>.{{3,150}}?)\s+\u00b7\s+(?:{_MONTH}\s)?{_YEAR}",
    ), 0.85, 0.85),
    # To appear in Proceedings of the Workshop on Spiders, Bled, 1999
    NoticeKind("meeting", _compile(
        r"\b(?:to appear|to be (?:published|presented)|appears?|appeared|presented|"
        r"accepted(?: for publication| for presentation)?)\s(?:in|at|by):?\s(?:the\s)?" + _PLACE,
    ), 0.8, 0.75, needs_venue_word=True),
    NoticeKind("submission", _compile(
        r"\bsubmitted (?:for publication )?to\s(?:the\s)?" + _PLACE,
    ), 0.5, 0.5, needs_venue_word=True),
    # WEB'08, October 19-24, 2008, Atlanta
    NoticeKind("meeting", _compile(
        rf"^(?P<venue>{_CAPITAL}[^,]{{1,100}}(?:,[^,\d]{{1,40}}){{0,2}}?),?\s(?:{_MONTH}\s\d{{1,2}}"
        rf"(?:\s?{_DASH}\s?(?:{_MONTH}\s)?\d{{1,2}})?,?|\d{{1,2}}(?:\s?{_DASH}\s?\d{{1,2}})?\s"
        rf"{_MONTH},?|{_MONTH})\s{_YEAR}",
    ), 0.9, 0.85, needs_venue_word=True),
    # Proceedings of the 12th Conference on Spiders, pages 1-9, 1999
    NoticeKind("proceedings", _compile(
        r"^(?:(?:appears |published )?in:?\s)?(?P<venue>(?:proceedings|proc\.)\s.{3,120}?)"
        rf"(?:,?\s(?:pp?\.|pages)\s?\d+(?:{_DASH}+\d+)?)?(?:[,.(\s]{{1,3}}(?:{_MONTH}\s?\d{{0,2}},?\s)?"
        rf"{_YEAR}|[.;]?$)",
    ), 0.85, 0.85),
    NoticeKind("meeting", _compile(
        rf"^(?P<venue>{_ACRONYM.pattern})\s?(?:['\u2019\u00b4`]\s?|{_DASH})(?P<short>\d\d)$",
        cased=True,
    ), 0.85, 0.7, in_margin_only=True),
    NoticeKind("meeting", _compile(
        rf"^(?P<venue>{_ACRONYM.pattern})\s{_YEAR}$", cased=True
    ), 0.85, 0.7, in_margin_only=True),
    # The sign is lost: 2014 The Authors.
    NoticeKind("copyright", _compile(rf"^\S?\s?{_YEAR}\s(?:by\s)?the authors?\b"), 0.8),
    NoticeKind("copyright", _compile(
        rf"(?:\u00a9|\(c\)|\bcopyright\b)[\s:]*(?:\u00a9|\(c\))?[^\d]{{0,90}}?(?<!\d){_YEAR}",
    ), 0.8),
    # The circle around the c is often lost.
    NoticeKind("copyright", _compile(
        rf"(?:^|[.\s])c\s{_YEAR}\s[A-Z]|^c\s[A-Z][^\d]{{3,90}}?\s(?P<late>1[89]\d\d|20\d\d)$",
        cased=True,
    ), 0.75),
)  # fmt: skip
"""All kinds of notices but dates of receipt; of each name the first that matches counts."""

_DATES = re.compile(
    r"\b(?P<name>first published|published(?: online)?|available online|accepted|"
    r"(?:last |in )?revised(?: form)?|received|submitted(?: on)?)\b",
    re.IGNORECASE,
)
_DATE_YEAR = re.compile(rf"(?<!\d){_YEAR}")
_DATE_KINDS = {
    "published": 0.8, "available": 0.7, "accepted": 0.55, "revised": 0.45, "submitted": 0.4,
    "received": 0.4,
}  # fmt: skip
_MAX_DATE_CHARACTERS = 60  # from the word to the year


def find_notices(text: str, *, in_margin: bool = False) -> list[Notice]:
    """Return the notices in a line of text, at most one of each kind.

    Running heads and stamps are `in_margin`; there short names of meetings are notices.

    >>> find_notices("IJCAI-07"), find_notices("IJCAI-07", in_margin=True)[0].year
    ([], 2007)
    """
    text = " ".join(text[:MAX_NOTICE_CHARACTERS].split())
    found: dict[str, Notice] = {}
    for kind in KINDS:
        if kind.name in found or (kind.in_margin_only and not in_margin):
            continue
        if (match := kind.pattern.search(text)) and (notice := _notice(kind, match)):
            found[kind.name] = notice
    for notice in _dates(text):
        found.setdefault(notice.kind, notice)
    return [*found.values()]


def _notice(kind: NoticeKind, match: re.Match[str]) -> Notice | None:
    groups = match.groupdict()
    venue = _clean_venue(groups.get("venue") or "")
    if "venue" in groups and (
        _NO_VENUE.search(venue) or (kind.needs_venue_word and not _VENUE_WORD.search(venue))
    ):
        return None
    year = groups.get("year") or groups.get("late")
    if short := groups.get("short"):
        year = f"{'19' if int(short) > 40 else '20'}{short}"
    if not year and not venue:
        return None
    return Notice(
        kind.name, int(year) if year else None, kind.year_confidence, venue, kind.venue_confidence
    )


def _clean_venue(text: str) -> str:
    """Return a venue without outer punctuation, and without a bracket that is not closed."""
    if text.count("(") > text.count(")"):
        text = text.rpartition("(")[0]
    text = text.strip(_EDGES)
    abbreviated = "." in text and not text.endswith(".")
    return f"{text}." if abbreviated and len(text.rpartition(" ")[2]) < _MAX_ABBREVIATION else text


def _dates(text: str) -> Iterator[Notice]:
    """Yield dates of receipt, acceptance and publication; a line may have several."""
    words = list(_DATES.finditer(text))
    for n, word in enumerate(words):
        stop = words[n + 1].start() if n + 1 < len(words) else len(text)
        part = text[word.end() : min(stop, word.end() + _MAX_DATE_CHARACTERS)]
        if year := _DATE_YEAR.search(part):
            name = next(kind for kind in _DATE_KINDS if kind in word["name"].lower())
            yield Notice(name, int(year["year"]), _DATE_KINDS[name])
