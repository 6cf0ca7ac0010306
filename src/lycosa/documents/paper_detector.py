r"""Paper detector: tells research papers from other documents.

Cora took a document for a research paper if it had an abstract or introduction
and a reference section (McCallum, Nigam, Rennie & Seymore, "Building
Domain-Specific Search Engines with Machine Learning Techniques", 1999). The
rule is here in two forms, which share the headings of papers in many languages:

`detect_paper`
    for a document whose lines and parts are known, as in the build of a portal.
    The rule is a handful of features with a weight each, so that a paper may
    lack one of them, and a thesis, a form or the slides of a talk is recognised
    by what it has instead. The weights were learned by logistic regression from
    papers, handouts and forms of the generated web and from sketches of other
    documents (`bench/papers_detector.py`).
`is_paper_by_words`
    for a page of which only the sequence of words is known, as a goal sees it
    during a crawl: the headings, and years in the references.

>>> words = ["abstract", *["spider"] * 400, "references", *["1997", "1998", "1999"]]
>>> is_paper_by_words(np.array([word_kind(word) for word in words], np.uint8))
True
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lycosa.documents.layout import TextLine

OPENING_HEADINGS = frozenset(
    "abstract introduction zusammenfassung einleitung résumé resume resumen introducción "
    "sommario introduzione resumo introdução samenvatting inleiding sammanfattning inledning "
    "аннотация введение".split()
)
"""Headings of the abstract or the introduction."""

REFERENCE_HEADINGS = frozenset(
    "references bibliography literatur literaturverzeichnis références bibliographie referencias "
    "bibliografía bibliografia riferimenti referências referenties referenser литература".split()
)
"""Headings of the list of references."""

MAX_OPENING_POSITION = 500
"""Words from the beginning within which a paper has an opening heading."""
MIN_BODY_WORDS = 400
"""Words that a paper has at least between its opening and its references."""
MAX_REFERENCE_WORDS = 400
"""Words of the references that are searched for years."""
MIN_REFERENCE_YEARS = 3
"""Years that the references name at least."""
MIN_YEAR_CONTRAST = 4
"""How many times denser years are in the references than in the body."""

_YEAR = re.compile(r"(?:19|20)\d\d[a-z]?")
_OPENING, _REFERENCES, _IS_YEAR = 1, 2, 3


def word_kind(word: str) -> int:
    """Return whether a word may be an opening heading, that of the references, a year, or none."""
    if word in OPENING_HEADINGS:
        return _OPENING
    if word in REFERENCE_HEADINGS:
        return _REFERENCES
    return _IS_YEAR if _YEAR.fullmatch(word) else 0


def is_paper_by_words(kinds: NDArray[np.uint8]) -> bool:
    """Return whether a text is built like a paper, given the `word_kind` of each word.

    It opens with an abstract or an introduction, goes on for a while, and ends
    with references that name years; and it names years much more often there
    than before, which a mere list of publications does not.
    """
    openings = np.flatnonzero(kinds[:MAX_OPENING_POSITION] == _OPENING)
    if not len(openings):
        return False
    begin = int(openings[0])
    (headings,) = (kinds == _REFERENCES).nonzero()
    years = np.concatenate(([0], np.cumsum(kinds == _IS_YEAR)))
    for end in headings[headings >= begin + MIN_BODY_WORDS].tolist():
        stop = min(end + MAX_REFERENCE_WORDS, len(kinds))
        cited = int(years[stop] - years[end])
        before = int(years[end] - years[begin]) / (end - begin)
        if cited >= MIN_REFERENCE_YEARS and cited / (stop - end) >= MIN_YEAR_CONTRAST * before:
            return True
    return False


WEIGHTS = {
    "abstract": 1.38,
    "introduction": 1.22,
    "references": 1.41,
    "cited": 0.31,
    "length": 0.53,
    "density": 1.05,
    "title block": 0.90,
    "landscape": -0.23,
    "blanks": -0.04,
    "mere list": -0.18,
    "signs of others": -1.58,
    "many pages": -1.14,
}
"""The weight of each feature, a number from 0 to 1, in the score."""

BIAS = -3.87
"""The score of a document whose features are all 0."""

_OTHER_PHRASES = re.compile(
    # forms and contracts; a signature alone may be that of a type, a message or a metric
    r"\b(?:hereby|undersigned|please (?:print|sign|return|fill|complete)|"
    r"signatures? ?(?:[:_]|\.\.|and date|of (?:the )?(?:applicant|author|employee|student))|"
    # letters
    r"dear (?:sir|madam|colleague|prof|dr|mr|ms|editor)|sincerely|best regards|"
    # theses and books
    r"partial fulfil\w*|(?:thesis|dissertation) (?:submitted|presented)|table of contents|"
    r"doctor of philosophy|"
    # courses
    r"homeworks?|problem sets?|office hours|due date|syllabus|"
    # calls, programmes and proposals of meetings
    r"call for papers|program(?:me)? committee|invited speakers|important dates|"
    r"submission deadline|we propose (?:a|this) workshop)(?!\w)",
    re.IGNORECASE,
)
_BLANK = re.compile(r"\.{6,}|_{4,}|(?:\. ){6,}")
_MIN_ABSTRACT_WORDS = 30
_MAX_HEADER_LINES = 90


class ReferenceText(Protocol):
    """An entry of a list of references."""

    @property
    def text(self) -> str:
        """The entry as it is printed."""


class PaperParts(Protocol):
    """The parts of a document, as `lycosa.papers.extraction.sections` finds them."""

    @property
    def header(self) -> Sequence[TextLine]:
        """The lines before the introduction."""

    @property
    def abstract(self) -> str:
        """The abstract, "" if there is none."""

    @property
    def has_introduction(self) -> bool:
        """Whether the introduction has a heading."""

    @property
    def references(self) -> Sequence[ReferenceText]:
        """The entries of the list of references."""

    @property
    def contexts(self) -> Sequence[Sequence[str]]:
        """For each reference, the texts around its citations."""


class PaperVerdict(NamedTuple):
    """The probability that a document is a paper, and its explanation."""

    probability: float
    contributions: dict[str, float]
    """What each feature adds to the score."""

    @property
    def is_paper(self) -> bool:
        """Whether the document is more likely a paper than not."""
        return self.probability > 0.5


def detect_paper(lines: Sequence[TextLine], parts: PaperParts) -> PaperVerdict:
    """Return how probable it is that a document is a research paper."""
    values = paper_features(lines, parts)
    contributions = {name: WEIGHTS[name] * value for name, value in values.items()}
    score = BIAS + sum(contributions.values())
    return PaperVerdict(1 / (1 + math.exp(-max(min(score, 50.0), -50.0))), contributions)


def paper_features(lines: Sequence[TextLine], parts: PaperParts) -> dict[str, float]:
    """Return the features of a document, each a number from 0 to 1."""
    words = sum(line.text.count(" ") + 1 for line in lines)
    pages = len({line.page for line in lines})
    listed = sum(entry.text.count(" ") + 1 for entry in parts.references)
    cited = sum(map(bool, parts.contexts))
    signs = sum(len(_OTHER_PHRASES.findall(line.text)) for line in lines)
    blanks = sum(bool(_BLANK.search(line.text)) for line in lines)
    opened = bool(parts.abstract) or parts.has_introduction
    first = lines[0].page if lines else 0
    late = any(line.page > first + 2 for line in parts.header)
    return {
        "abstract": float(parts.abstract.count(" ") + 1 >= _MIN_ABSTRACT_WORDS),
        "introduction": float(parts.has_introduction),
        "references": len(parts.references) / (len(parts.references) + 5),
        "cited": cited / max(len(parts.references), 1),
        "length": min(math.log1p(words) / math.log1p(4000), 1.0),
        "density": min(words / max(pages, 1) / 400, 1.0),
        "title block": float(opened and 2 <= len(parts.header) <= _MAX_HEADER_LINES and not late),
        "landscape": float(_is_landscape(lines)),
        "blanks": min(5 * blanks / max(len(lines), 1), 1.0),
        "mere list": max(2 * listed / max(words, 1) - 1, 0.0),
        "signs of others": signs / (signs + 3),
        "many pages": min(max(pages - 50, 0) / 100, 1.0),
    }


def _is_landscape(lines: Sequence[TextLine]) -> bool:
    """Return whether the text of most pages is wider than high, as on slides."""
    boxes: dict[int, list[float]] = defaultdict(lambda: [math.inf, -math.inf, math.inf, -math.inf])
    for line in lines:
        if line.size > 1.0:
            box = boxes[line.page]
            box[:] = (
                min(box[0], line.x),
                max(box[1], line.end),
                min(box[2], line.y),
                max(box[3], line.y),
            )
    wide = sum(right - left > 1.15 * (top - bottom) for left, right, bottom, top in boxes.values())
    return len(boxes) > 2 and 2 * wide > len(boxes)
