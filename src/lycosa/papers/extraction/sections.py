r"""Segmentation of a paper into header, abstract, body and single references.

Sections are found by their headings, which stand alone on a line or, as those of
abstracts do, at the beginning of one.

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

from lycosa.documents.layout import TextLine, join_lines, line_vocabulary
from lycosa.documents.paper_detector import REFERENCE_HEADINGS
from lycosa.papers.extraction.contexts import citation_contexts
from lycosa.papers.extraction.labeller import HeaderLine
from lycosa.papers.extraction.reference_list import ReferenceEntry, split_references
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
_YEAR_SEARCH_LINES = 40  # lines below a heading in which years are counted


@dataclass(frozen=True, slots=True)
class Sections:
    """The sections of a paper; each may be empty."""

    header: tuple[TextLine, ...]
    """All lines before the introduction, the abstract included."""
    abstract: str
    """Its text without the heading, the lines joined."""
    body: tuple[TextLine, ...]
    """All lines between header and references, and those after the references."""
    references: tuple[ReferenceEntry, ...]
    """The entries of the list of references, in order."""
    contexts: tuple[tuple[str, ...], ...]
    """For each reference the texts around its citations."""
    has_introduction: bool
    """Whether a heading of the introduction was found."""

    @property
    def header_lines(self) -> list[HeaderLine]:
        """The header as input for a labeller: sizes and gaps relative to the usual ones."""
        ordered = order_title_block(self.header, _abstract(self.header))
        return relative_lines(ordered, self.header + self.body)


def find_sections(lines: Sequence[TextLine]) -> Sections:
    """Segment a paper, given its lines in reading order."""
    known = line_vocabulary(lines)
    begin, end = _references(lines)
    introduction = _introduction(lines[:begin])
    opening = _abstract(lines[: introduction or begin])
    abstract: list[TextLine] = []
    if opening is not None:
        stop = _abstract_end(lines, opening, introduction or begin)
        abstract = _of_one_size(lines[opening:stop])
        abstract[0] = abstract[0]._replace(text=_ABSTRACT.sub("", _close_spacing(abstract[0].text)))
        header_end = introduction if introduction is not None else stop
    else:
        header_end = introduction if introduction is not None else _page_end(lines, begin)
    listed = split_references(lines[begin + 1 : end], known, begin + 1)
    after = listed[-1].stop if listed else end  # a licence can follow the last reference
    body = tuple(lines[header_end:begin]) + tuple(lines[after:])
    return Sections(
        tuple(lines[:header_end]),
        join_lines(abstract, known),
        body,
        tuple(listed),
        tuple(citation_contexts(join_lines(body, known), listed)),
        introduction is not None,
    )


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


def _references(lines: Sequence[TextLine]) -> tuple[int, int]:
    """Return the line of the heading of the references and the line after their end.

    Both are the number of lines if there are no references.
    """
    best, max_years = len(lines), 0
    for k, line in enumerate(lines):
        name = heading_text(line.text)
        if name and (name in REFERENCE_HEADINGS or _CITED.match(name)):
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


def _introduction(lines: Sequence[TextLine]) -> int | None:
    for k, line in enumerate(lines[: 2 * _MAX_LINES_BEFORE_ABSTRACT]):
        words = heading_text(line.text).split()
        if k and words and words[0].rstrip(",:") in _INTRODUCTION:
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


def _abstract_end(lines: Sequence[TextLine], opening: int, limit: int) -> int:
    """Return where an abstract ends: at key words, at a first section, or with its page."""
    first = lines[opening]
    for k in range(opening + 1, min(limit, opening + _MAX_ABSTRACT_LINES)):
        line = lines[k]
        if _AFTER_ABSTRACT.match(line.text) or line.page > first.page + 1:
            return k
        if k > opening + 1 and _FIRST.match(line.text) and (line.bold or line.size > first.size):
            return k
        larger = line.size > 1.15 * lines[opening + 1].size
        if k > opening + 2 and larger and len(line.text) < _MAX_HEADING_CHARACTERS:
            return k
    return min(limit, opening + _MAX_ABSTRACT_LINES)


def _of_one_size(lines: Sequence[TextLine]) -> list[TextLine]:
    """Drop lines of another size from an abstract, such as the footnotes of its page."""
    usual = median(line.size for line in lines)
    return [x for k, x in enumerate(lines) if not k or abs(x.size - usual) < 0.08 * usual]


def _page_end(lines: Sequence[TextLine], limit: int) -> int:
    first = lines[0].page if lines else 0
    return next((k for k, line in enumerate(lines[:limit]) if line.page != first), limit)


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
