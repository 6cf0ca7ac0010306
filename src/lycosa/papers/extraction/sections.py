r"""Segmentation of a paper into header, abstract, body and single references.

A model labels the lines (`extraction.segmentation`); headings, which stand alone on a line
or, as those of abstracts do, at the beginning of one, say where exactly a section begins.

>>> from lycosa.documents.plain_text import plain_lines
>>> paper = find_sections(plain_lines("Spiders\nAnn Lee\nAbstract. They hunt.\n1 Introduction\n"
...     "Many do [1].\nReferences\n[1] B. Roe. Webs. 1998."))
>>> [line.text for line in paper.header], paper.abstract, paper.references[0].text
(['Spiders', 'Ann Lee', 'Abstract. They hunt.'], 'They hunt.', 'B. Roe. Webs. 1998.')
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from lycosa.documents.layout import TextLine, join_lines, line_vocabulary
from lycosa.documents.paper_detector import REFERENCE_HEADINGS
from lycosa.papers.extraction.contexts import citation_contexts
from lycosa.papers.extraction.labeller import HeaderLine
from lycosa.papers.extraction.reference_list import ReferenceEntry, split_references
from lycosa.papers.extraction.segmentation import FURNITURE, RUNNING, Segmenter
from lycosa.papers.extraction.title_block import order_title_block

_NUMBERING = re.compile(r"^\W*(?:(?:\d{1,2}|[ivx]{1,4})(?:[.:)]|\s)\s*)?", re.IGNORECASE)
_SPACED = re.compile(r"(?:\w ){4,}\w")
_ABSTRACT = re.compile(
    r"^(abstract|a b s t r a c t|summary|zusammenfassung|r\xe9sum\xe9|resumen|sommario|"
    r"samenvatting|\u0430\u043d\u043d\u043e\u0442\u0430\u0446\u0438\u044f)\b[\s.:\u2014\u2013-]*",
    re.IGNORECASE,
)
_INTRODUCTION = frozenset(
    "introduction motivation overview background einleitung introducci\xf3n introduzione "
    "introdu\xe7\xe3o inleiding inledning \u0432\u0432\u0435\u0434\u0435\u043d\u0438\u0435".split()
)
_AFTER_ABSTRACT = re.compile(
    r"^(key\s?-?words|key words|index terms|general terms|categories and subject|"
    r"(?:19|20)\d\d mathematics|mathematics subject|msc\b|jel\b|ccs concepts|acm classification)",
    re.IGNORECASE,
)
_FIRST = re.compile(r"^(?:1|I)(?:[.:]|\s)\s*[^\W\d_]")
_CITED = re.compile(
    r"^(references?|bibliography|literature|works?)\s+(cited|and notes|and links|list)$", re.I
)
_AFTER_REFERENCES = re.compile(
    r"^(appendi(x|ces)|supplementa|about the authors?|biograph|author biograph|disclaimer)", re.I
)
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d")
_MAX_HEADING_CHARACTERS = 60
_SIZE_TOLERANCE = 0.05  # of the usual size; sizes that differ by less are equal
_MAX_LEADING = 1.5  # from line to line within a block, as a multiple of the larger size
_MAX_ABSTRACT_LINES = 80
_MAX_LINES_BEFORE_ABSTRACT = 150
_MAX_LIST_GAP = 3  # lines of another section inside a list of references
_MIN_LIST_LINES = 2  # of a list of references
_HEADING_SEARCH_LINES = 6  # around the beginning of a list, within which its heading is
_BODY_START_LINES = 9  # most of which are body where the body begins
_YEAR_SEARCH_LINES = 40  # lines below a heading in which years are counted


@dataclass(frozen=True, slots=True)
class Sections:
    """The sections of a paper; each may be empty."""

    header: tuple[TextLine, ...]
    """The lines before the introduction, the abstract included, without cover and running heads."""
    abstract: str
    """Its text without the heading, the lines joined."""
    body: tuple[TextLine, ...]
    """All other lines but running heads and page numbers: also those after the references."""
    references: tuple[ReferenceEntry, ...]
    """The entries of the lists of references, in order."""
    contexts: tuple[tuple[str, ...], ...]
    """For each reference the texts around its citations."""
    has_introduction: bool
    """Whether a heading of the introduction was found."""

    @property
    def ordered_header(self) -> Sequence[TextLine]:
        """The header in the order of `header_lines`, which a labeller numbers."""
        return order_title_block(self.header, _abstract(self.header))

    @property
    def header_lines(self) -> list[HeaderLine]:
        """The header as input for a labeller: sizes and gaps relative to the usual ones."""
        return relative_lines(self.ordered_header, self.header + self.body)


def find_sections(
    lines: Sequence[TextLine],
    segmenter: Segmenter | None = None,
    vocabulary: frozenset[str] | None = None,
) -> Sections:
    """Segment a paper, given its lines in reading order; by default by the shipped model.

    `vocabulary` is the `line_vocabulary` of the lines, if it is known already.
    """
    known = line_vocabulary(lines) if vocabulary is None else vocabulary
    labels = (segmenter or Segmenter.shipped()).label(lines)
    lists = _reference_lists(lines, labels)
    begin = lists[0].heading if lists else len(lines)
    start = _cover_end(labels[:begin])
    introduction = _introduction(lines, start, begin)
    front = _front_end(labels, start, begin)
    text = [n for n in range(start, begin) if labels[n] not in RUNNING]
    limit = introduction or front or begin
    text_before = [n for n in text if n < limit]
    opening = _abstract([lines[n] for n in text_before])
    abstract: list[TextLine] = []
    header_end = limit
    if opening is not None:
        inside = text_before[opening:]
        stop = _abstract_end([lines[n] for n in inside])
        abstract = _of_one_size([lines[n] for n in inside[:stop]])
        abstract[0] = abstract[0]._replace(text=_ABSTRACT.sub("", _close_spacing(abstract[0].text)))
        if limit == begin:
            header_end = inside[stop - 1] + 1
    elif limit == begin:
        header_end = _page_end(lines, start, begin)
    listed: list[ReferenceEntry] = []
    cited: set[int] = set()
    for one in lists:
        entries = _entries(lines, labels, one, known)
        if entries:  # a licence can follow the last reference
            cited.update(range(one.heading, entries[-1].stop))
            listed += entries
    header = [n for n in text if n < header_end and labels[n] != "footnote"]
    header += _late_front(lines, labels, header, range(header_end, begin))
    used = {*header, *cited}
    body = [
        lines[n] for n in range(start, len(lines)) if n not in used and labels[n] not in RUNNING
    ]
    return Sections(
        tuple(lines[n] for n in header),
        join_lines(abstract, known),
        tuple(body),
        tuple(listed),
        tuple(citation_contexts(join_lines(body, known), listed)),
        introduction is not None,
    )


class _ReferenceList(NamedTuple):
    """Where a list of references is: its heading, its first line, and the line after its end."""

    heading: int
    begin: int
    end: int


def _reference_lists(lines: Sequence[TextLine], labels: Sequence[str]) -> list[_ReferenceList]:
    """Return the lists of references in a document.

    A heading decides where a list begins if there is one; a document that is too short
    for the model can have a heading only.
    """
    found: list[_ReferenceList] = []
    text = [n for n, label in enumerate(labels) if label not in FURNITURE]
    gap = _MAX_LIST_GAP + 1
    for n in text:
        gap += 1
        if labels[n] == "references":
            if gap > _MAX_LIST_GAP:
                found.append(_ReferenceList(n, n, n + 1))
            else:
                found[-1] = found[-1]._replace(end=n + 1)
            gap = 0
    found = [one for one in found if one.end - one.begin >= _MIN_LIST_LINES]
    if not found:
        heading, end = _headed_list(lines)
        return [_ReferenceList(heading, heading + 1, end)] if heading < len(lines) else []
    lists: list[_ReferenceList] = []
    for one in found:
        lowest = max(one.begin - _HEADING_SEARCH_LINES, lists[-1].end if lists else 0)
        near = range(lowest, min(one.begin + _HEADING_SEARCH_LINES, one.end))
        headings = [n for n in near if _is_reference_heading(lines[n].text)]
        lists.append(_ReferenceList(headings[-1], headings[-1] + 1, one.end) if headings else one)
    return lists


def _entries(
    lines: Sequence[TextLine], labels: Sequence[str], one: _ReferenceList, known: frozenset[str]
) -> list[ReferenceEntry]:
    """Return the entries of a list of references; running heads between them are left out."""
    kept = [n for n in range(one.begin, one.end) if labels[n] not in RUNNING]
    return [
        entry._replace(line=kept[entry.line], stop=kept[entry.stop - 1] + 1)
        for entry in split_references([lines[n] for n in kept], known)
    ]


def _cover_end(labels: Sequence[str]) -> int:
    """Return the line after the cover page; 0 if there is none, or nothing but a cover."""
    end = max((n + 1 for n, label in enumerate(labels) if label == "cover"), default=0)
    return end if "front" in labels[end:] else 0


def _front_end(labels: Sequence[str], start: int, stop: int) -> int | None:
    """Return the first line of the body after the front; None if there is no front."""
    text = [n for n in range(start, stop) if labels[n] not in FURNITURE]
    front = False
    for k, n in enumerate(text):
        front = front or labels[n] == "front"
        if front and labels[n] == "body":
            ahead = [labels[m] for m in text[k : k + _BODY_START_LINES]]
            if 2 * ahead.count("body") > len(ahead):
                return n
    return None


def _late_front(
    lines: Sequence[TextLine], labels: Sequence[str], header: Sequence[int], after: range
) -> list[int]:
    """Return the lines of the front that stand after the beginning of the body on its page.

    They are below the first column: addresses, dates, a licence.
    """
    if not header or lines[0].page == lines[-1].page:
        return []
    page = lines[header[-1]].page
    return [n for n in after if labels[n] == "front" and lines[n].page == page]


def heading_text(text: str) -> str:
    """Return a line as a heading, without number and case; "" if it is too long for one.

    >>> lines = ("3. REFERENCES", "R E F E R E N C E S:", "IV Results and more")
    >>> [heading_text(line) for line in lines]
    ['references', 'references', 'results and more']
    """
    if len(text) > _MAX_HEADING_CHARACTERS:
        return ""
    return _NUMBERING.sub("", _close_spacing(text)).strip(" .:*\u2014-").lower()


def _close_spacing(text: str) -> str:
    """Remove the spaces between the letters of a spaced-out heading."""
    text = text.strip()
    return _SPACED.sub(lambda m: m[0].replace(" ", ""), text) if _SPACED.match(text) else text


def _is_reference_heading(text: str) -> bool:
    name = heading_text(text)
    return bool(name) and (name in REFERENCE_HEADINGS or _CITED.match(name) is not None)


def _headed_list(lines: Sequence[TextLine]) -> tuple[int, int]:
    """Return the line of the heading of the references and the line after their end.

    Both are the number of lines if there are no references.
    """
    best, max_years = len(lines), 0
    for k, line in enumerate(lines):
        if _is_reference_heading(line.text):
            years = sum(
                bool(_YEAR.search(x.text)) for x in lines[k + 1 : k + 1 + _YEAR_SEARCH_LINES]
            )
            if years >= max_years and (years or max_years == 0):
                best, max_years = k, years
    if best == len(lines):
        return best, best
    mark = lines[best]
    for k in range(best + 1, len(lines)):
        line = lines[k]
        if _AFTER_REFERENCES.match(heading_text(line.text)):
            return best, k
        same = abs(line.size - mark.size) < 0.2 and line.bold == mark.bold
        apart = mark.size > 1.1 * _median_size(lines[best + 1 : k]) if k > best + 3 else False
        if same and apart and len(line.text) < _MAX_HEADING_CHARACTERS and k > best + 3:
            return best, k
    return best, len(lines)


def _median_size(lines: Sequence[TextLine]) -> float:
    """Return the median letter size of the first lines."""
    return median(line.size for line in lines[:60]) if lines else 1.0


def _introduction(lines: Sequence[TextLine], start: int, stop: int) -> int | None:
    for k in range(start + 1, min(stop, start + 2 * _MAX_LINES_BEFORE_ABSTRACT)):
        line = lines[k]
        words = heading_text(line.text).split()
        if words and words[0].rstrip(",:") in _INTRODUCTION:
            titled = line.bold or not line.text[0].isalpha()
            if len(words) == 1 or (titled and line.text.lstrip("0123456789. ")[:1].isupper()):
                return k
    return None


def _abstract(lines: Sequence[TextLine]) -> int | None:
    for k, line in enumerate(lines[:_MAX_LINES_BEFORE_ABSTRACT]):
        text = _close_spacing(line.text)
        if (match := _ABSTRACT.match(text)) and (
            len(match[0]) > len(match[1]) or len(text) == len(match[1])
        ):
            rest = text[match.end() :]
            if not rest or rest[0].isupper() or not rest[0].isalpha():
                return k
    return None


def _abstract_end(lines: Sequence[TextLine]) -> int:
    """Return how many lines an abstract has: it ends at key words, a section, or with its page."""
    first = lines[0]
    for k, line in enumerate(lines[1:_MAX_ABSTRACT_LINES], 1):
        if _AFTER_ABSTRACT.match(line.text) or line.page > first.page + 1:
            return k
        if k > 1 and _FIRST.match(line.text) and (line.bold or line.size > first.size):
            return k
        larger = line.size > 1.15 * lines[1].size
        if k > 2 and larger and len(line.text) < _MAX_HEADING_CHARACTERS:
            return k
    return min(len(lines), _MAX_ABSTRACT_LINES)


def _of_one_size(lines: Sequence[TextLine]) -> list[TextLine]:
    """Drop lines of another size from an abstract, such as the footnotes of its page."""
    usual = median(line.size for line in lines)
    return [x for k, x in enumerate(lines) if not k or abs(x.size - usual) < 0.08 * usual]


def _page_end(lines: Sequence[TextLine], start: int, stop: int) -> int:
    first = lines[start].page if start < stop else 0
    return next((k for k in range(start, stop) if lines[k].page != first), stop)


def relative_lines(lines: Sequence[TextLine], whole: Sequence[TextLine]) -> list[HeaderLine]:
    """Return lines with size, centring and gap relative to the whole document."""
    sizes = Counter[float]()
    for line in whole:
        sizes[line.size] += len(line.text)
    usual = sizes.most_common(1)[0][0] if sizes else 1.0
    flat = all(line.size == 1.0 for line in whole)
    left = min((line.x for line in lines), default=0.0)
    right = max((line.end for line in lines), default=0.0)
    found = []
    for k, line in enumerate(lines):
        if flat:
            found.append(HeaderLine(line.text))
            continue
        above = lines[k - 1] if k else None
        gap = None
        if above and above.page == line.page and above.y > line.y:
            gap = (above.y - line.y) / (1.2 * usual)
        off = abs(line.x - left - (right - line.end))
        centred = off < 0.05 * (right - left) and line.x > left + 2 * line.size
        size_above = above.size if above else 0.0
        change = 0
        if abs(line.size - size_above) > _SIZE_TOLERANCE * usual:
            change = 1 if line.size > size_above else -1
        near = gap is not None and gap * 1.2 * usual < _MAX_LEADING * max(line.size, size_above)
        found.append(
            HeaderLine(
                line.text,
                line.size / usual,
                line.bold,
                centred,
                gap,
                line.italic,
                change,
                not near or change != 0,
            )
        )
    return found
