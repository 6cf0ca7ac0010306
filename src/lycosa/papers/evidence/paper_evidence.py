"""Collector of the evidence for year, venue, identifiers and licence of a paper.

Places are, the strongest first: notices around the text of the first pages (`notices`),
the stamp of an archive, the header's own date, the year in a DOI, and, weak, the file's
information and its name.

>>> from lycosa.documents.layout import TextLine
>>> lines = [TextLine("Spiders that learn"), TextLine("Ann Lee"),
...          TextLine("Journal of Webs 12 (1999) 1-9")]
>>> source = EvidenceSource(Header(), lines, lines, name="lee2001.pdf")
>>> [(one.field, one.value, one.source) for one in collect_evidence(source)]
[('year', '1999', 'masthead'), ('venue', 'Journal of Webs', 'masthead'), ('year', '2001', 'file')]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from lycosa.documents.layout import TextLine
from lycosa.papers.evidence.evidence import Evidence
from lycosa.papers.evidence.identifiers import (
    find_identifiers,
    find_issns,
    find_licence,
    find_orcids,
)
from lycosa.papers.evidence.notices import find_notices
from lycosa.papers.extraction.fields import Header

MAX_LINES = 400
"""Lines of the first pages that are searched."""
CITATION_LINES = 6
"""Lines of a notice that says how to cite the paper."""
_CITATION = re.compile(
    r"^(?:citation|(?:how to |to |please )?cite(?: this (?:article|paper|work)| as)?)\b.{0,30}:",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
_STAMP = re.compile(r"\barxiv:\S{5,30}\s.{0,20}?\d{1,2}\s[a-z]{3}\s(\d{4})", re.IGNORECASE)
_RECEIPT = re.compile(r"receiv|revis|accept|submi", re.IGNORECASE)
_CREATED = re.compile(r"D:(\d{4})")
_SHORT_NAME_YEAR = re.compile(r"(?<![a-z])[a-z]{3,12}[-_']?(\d\d)(?![a-z\d])", re.IGNORECASE)
_JOURNAL = re.compile(
    r"(?:[\w&.,:'-]+ ){0,8}(?:Journal|Transactions|Letters|Annals|Review|Bulletin|Archives?)"
    r"(?: (?:of|on|in|for|&|and|[A-Z(][\w&()-]*)){0,12}"
)
_SMALL = 0.96  # of the usual size; smaller lines are notes, captions and abstracts
_EDGE_BASELINES = 3  # at the top and the bottom of a page, where mastheads and notices are
_WRAPPED = ("/", "-", "_", "doi:", "DOI:", "doi.org")  # ends of a line on which a DOI goes on

# The probability that a place is right; see `notices` for those of notices.
_CITATION_YEAR = 0.85
_ARXIV_YEAR, _STAMP_YEAR = 0.7, 0.65  # of the first version, of this version
_HEADER_DATE = 0.7  # times the confidence of its words
_DOI_YEAR = 0.5
_SUBJECT = 0.5
_JOURNAL_LINE = 0.6
_FILE_NAME, _CREATION_DATE = 0.3, 0.2  # a file may be made again at any time
_NOTED, _MENTIONED, _INFORMED = 0.95, 0.35, 0.85  # an identifier in a notice, in prose, in the file


@dataclass(frozen=True, slots=True)
class EvidenceSource:
    """What evidence is collected from.

    Parameters
    ----------
    header
        The fields of the header.
    lines
        All lines of the document, in reading order.
    front
        Those of the header, in the order in which the fields of the header number them.
    margin
        Lines of the first pages outside the text: running heads and stamps.
    information
        What the file says about itself (`pdf.INFORMATION`).
    name
        The name of the file, or the last part of its URL.
    """

    header: Header
    lines: Sequence[TextLine]
    front: Sequence[TextLine] = ()
    margin: Sequence[TextLine] = ()
    information: Mapping[str, str] = field(default_factory=dict)
    name: str = ""


def collect_evidence(source: EvidenceSource) -> list[Evidence]:
    """Return all evidence, in the order of the places above."""
    return [
        *_printed(source),
        *_header_date(source.header),
        *_information(source.information),
        *_file_name(source.name),
    ]


def _printed(source: EvidenceSource) -> Iterator[Evidence]:
    """Yield what the first pages print; a year in a DOI comes once for each DOI."""
    opening = source.lines[:MAX_LINES]
    pages = {0, *(line.page for line in source.front)}
    numbers = _line_numbers(opening)
    front = _is_front(opening, source)
    prose = _prose(source)
    around = [
        (one or place) and line not in prose
        for one, place, line in zip(front, _off_text(opening), opening, strict=True)
    ]
    for k, line in enumerate(opening):
        if line.page not in pages:
            break
        text = line.text
        following = opening[k + 1].text if k + 1 < len(opening) else ""
        if around[k]:
            yield from _located(_notices(text, following), line.page, numbers[k], text)
            if _CITATION.match(text):
                cited = " ".join(one.text for one in opening[k : k + CITATION_LINES])
                yield from _located(_citation(cited), line.page, numbers[k], text)
            if front[k] and _JOURNAL.fullmatch(text.strip(" .")):
                journal = Evidence("venue", text.strip(" ."), "journal line", _JOURNAL_LINE)
                yield from _located([journal], line.page, numbers[k], text)
            before = opening[k - 1].text if k else ""
            yield from _located(_volume_below(before, text), line.page, numbers[k], text)
        confidence = _NOTED if around[k] else _MENTIONED
        wrapped = text + following if text.endswith(_WRAPPED) else text
        yield from _located(_identifiers(wrapped, confidence), line.page, numbers[k], text)
    for line in source.margin:
        found = [*_notices(line.text, "", in_margin=True), *_identifiers(line.text, _NOTED)]
        yield from _located(found, line.page, None, line.text)


def _is_front(lines: Sequence[TextLine], source: EvidenceSource) -> list[bool]:
    """Return which lines are of the header, or of a cover before it."""
    front = set(source.front)
    first = next((k for k, line in enumerate(lines) if line in front), 0)
    return [k < first or line in front for k, line in enumerate(lines)]


def _prose(source: EvidenceSource) -> set[TextLine]:
    """Return the lines of the abstract."""
    spans = source.header.fields.get("abstract", ())
    return {line for span in spans for line in source.front[span.line : span.last_line + 1]}


def _located(
    found: Sequence[Evidence] | Iterator[Evidence], page: int, line: int | None, text: str
) -> Iterator[Evidence]:
    for one in found:
        yield one._replace(page=page, line=line, text=text)


def _line_numbers(lines: Sequence[TextLine]) -> list[int]:
    """Return the number of each line on its page."""
    seen: Counter[int] = Counter()
    found = []
    for line in lines:
        found.append(seen[line.page])
        seen[line.page] += 1
    return found


def _off_text(lines: Sequence[TextLine]) -> list[bool]:
    """Return which lines are in small print or at the edges of their page."""
    usual = median(line.size for line in lines) if lines else 1.0
    heights: dict[int, list[float]] = {}
    for line in lines:
        heights.setdefault(line.page, []).append(line.y)
    edges = {}
    for page, some in heights.items():
        levels = sorted(set(some))
        edge = min(_EDGE_BASELINES, len(levels)) - 1
        edges[page] = levels[edge], levels[-1 - edge]
    return [
        line.size < _SMALL * usual or not edges[line.page][0] < line.y < edges[line.page][1]
        for line in lines
    ]


def _notices(text: str, following: str, *, in_margin: bool = False) -> Iterator[Evidence]:
    """Yield the notices of a line; one that ends in words goes on in the next line."""
    found = find_notices(text, in_margin=in_margin)
    if following and any(one.venue and one.year is None for one in found):
        found = find_notices(f"{text} {following}")
    for notice in found:
        if notice.year is not None:
            yield Evidence("year", str(notice.year), notice.kind, notice.year_confidence)
        if notice.venue:
            yield Evidence("venue", notice.venue, notice.kind, notice.venue_confidence)


def _volume_below(journal: str, text: str) -> Iterator[Evidence]:
    """Yield the line above one that has only volume, year and pages."""
    below = any(one.kind == "masthead" and not one.venue for one in find_notices(text))
    if below and journal and not any(c.isdigit() for c in journal):
        yield Evidence("venue", journal.strip(" ,."), "masthead", 0.8)


def _citation(text: str) -> Iterator[Evidence]:
    if years := _YEAR.findall(text):
        yield Evidence("year", years[0], "citation", _CITATION_YEAR)


def _identifiers(text: str, confidence: float) -> Iterator[Evidence]:
    for identifier in find_identifiers(text):
        kind, _, value = identifier.partition(":")
        if value.endswith(("-", "/", "_")):  # the rest of it was lost with its line
            continue
        yield Evidence(kind, value, "identifier", confidence)
        if confidence == _MENTIONED:
            continue
        if kind == "arxiv":
            digits = value.rpartition("/")[2][:2]
            century = "19" if int(digits) > 90 else "20"
            yield Evidence("year", century + digits, "arXiv", _ARXIV_YEAR)
            if stamp := _STAMP.search(text):
                yield Evidence("year", stamp[1], "arXiv stamp", _STAMP_YEAR)
        elif year := _YEAR.search(value):
            yield Evidence("year", year[1], "DOI", _DOI_YEAR)
    for orcid in find_orcids(text):
        yield Evidence("orcid", orcid, "identifier", confidence)
    if confidence != _MENTIONED:
        for issn in find_issns(text):
            yield Evidence("issn", issn, "identifier", confidence)
        if licence := find_licence(text):
            yield Evidence("licence", licence, "notice", confidence)


def _header_date(header: Header) -> Iterator[Evidence]:
    """Yield the date that stands in the header, unless it is one of receipt."""
    if header.year is not None and not _RECEIPT.search(header.text("date")):
        confidence = _HEADER_DATE * header.confidence("date")
        yield Evidence("year", str(header.year), "header", confidence, text=header.text("date"))


def _information(information: Mapping[str, str]) -> Iterator[Evidence]:
    subject = information.get("Subject", "")
    if len(subject) < 200:  # longer ones are abstracts
        for one in _notices(subject, "", in_margin=True):
            yield one._replace(source="PDF subject", confidence=_SUBJECT, text=subject)
    for name in ("Title", "Subject", "Keywords"):
        for one in _identifiers(information.get(name, ""), _INFORMED):
            yield one._replace(source=f"PDF {name.lower()}", text=information[name])
    if created := _CREATED.match(information.get("CreationDate", "")):
        yield Evidence(
            "year", created[1], "creation date", _CREATION_DATE, text=information["CreationDate"]
        )


def _file_name(name: str) -> Iterator[Evidence]:
    stem = name.rpartition("/")[2]
    if year := _YEAR.search(stem):
        yield Evidence("year", year[1], "file", _FILE_NAME, text=name)
    elif short := _SHORT_NAME_YEAR.search(stem):
        century = "19" if int(short[1]) > 40 else "20"
        yield Evidence("year", century + short[1], "file", _FILE_NAME, text=name)
