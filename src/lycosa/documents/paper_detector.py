r"""Paper detector: tells research papers from other documents.

Cora took a document for a research paper if it had an abstract or introduction
and a reference section (McCallum, Nigam, Rennie & Seymore, "Building
Domain-Specific Search Engines with Machine Learning Techniques", 1999). Here
that rule is a handful of features with a weight each, so that a paper may lack
one of them, and a thesis, a form or a list of publications is recognised by
what it has instead. The weights were learned by logistic regression from
annotated papers and from sketches of other documents made of their text
(`bench/papers_detector.py`).

The detector sees the words of a document and nothing else, so that a crawl, which
has the words of a page, and the build of a portal decide alike.

>>> words = ["abstract", *["we", "hunt", "spiders"] * 400, "references", *["lee", "1997"] * 40]
>>> detect_paper(np.array([word_kind(word) for word in words], np.uint8)).is_paper
True
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.web.words import words

REFERENCE_HEADINGS = frozenset(
    "references bibliography literatur literaturverzeichnis références bibliographie referencias "
    "bibliografía bibliografia riferimenti referências referenties referenser литература".split()
)
"""Headings of the list of references."""

MAX_ABSTRACT_POSITION = 500
"""Words from the beginning within which a paper has the heading of its abstract."""
MAX_INTRODUCTION_POSITION = 800
"""Words from the beginning within which a paper has the heading of its introduction."""
MIN_BODY_WORDS = 500
"""Words before its references that even a short paper has."""
REFERENCE_WORDS = 300
"""Words of the references that are searched for what references have."""
MIN_REFERENCE_YEARS = 2
"""Years that the references name at least."""

WEIGHTS = {
    "abstract": 0.88,
    "introduction": 0.6,
    "density": 2.94,
    "references": 1.15,
    "opening": 0.69,
    "opening and references": 0.49,
    "body": 2.85,
    "length": 1.44,
    "argument": 0.36,
    "very long": -4.62,
    "words of others": -1.52,
    "dates": -0.88,
}
"""The weight of each feature, a number from 0 to 1, in the score."""

BIAS = -6.59
"""The score of a document whose features are all 0."""

_OTHER, _ABSTRACT, _INTRODUCTION, _REFERENCES, _YEAR, _CITED, _FOREIGN, _ARGUMENT, _INITIAL = range(
    9
)
# Small capitals often come with the first letter apart: "R EFERENCES".
_KINDS = {
    _ABSTRACT: "abstract bstract summary zusammenfassung résumé resumen sommario resumo "
    "samenvatting sammanfattning аннотация",
    _INTRODUCTION: "introduction ntroduction background einleitung introducción introduzione "
    "introdução inleiding inledning введение",
    _REFERENCES: " ".join(sorted(REFERENCE_HEADINGS)) + " eferences ibliography cited",
    _CITED: "proc proceedings conference conf trans transactions journal vol volume pp press "
    "springer verlag ieee acm elsevier wiley et al eds ed preprint arxiv doi symposium lett rev "
    "phys sci",
    # words of forms, letters, theses, courses, and calls and programmes of meetings
    _FOREIGN: "hereby undersigned applicant signature sincerely dear thesis dissertation "
    "fulfillment fulfilment chapter syllabus homework homeworks instructor midterm deadline "
    "deadlines committee attendees organizers keynote invited",
    _ARGUMENT: "we our section figure fig theorem lemma proof algorithm equation results method "
    "methods show table analysis",
}
_KIND_OF_WORD = {word: kind for kind, listed in _KINDS.items() for word in listed.split()}
_YEAR_WORD = re.compile(r"(?:19|20)\d\d[a-z]?")
_WINDOW_STEP = 25  # words between two windows that are searched for references
_LONG_WORDS = 20_000  # from which on a document is rather a thesis or a book


class PaperVerdict(NamedTuple):
    """The probability that a document is a paper, and its explanation."""

    probability: float
    contributions: dict[str, float]
    """What each feature adds to the score."""

    @property
    def is_paper(self) -> bool:
        """Whether the document is more likely a paper than not."""
        return self.probability > 0.5


def word_kind(word: str) -> int:
    """Return which kind of word of a paper, or of other documents, a word is; 0 for most."""
    kind = _KIND_OF_WORD.get(word)
    if kind is not None:
        return kind
    if len(word) == 1 and word.isalpha() and word not in "ai":
        return _INITIAL
    return _YEAR if _YEAR_WORD.fullmatch(word) else _OTHER


def word_kinds(text: str) -> NDArray[np.uint8]:
    """Return the kind of each word of a text."""
    every = words(text)
    kinds = {word: word_kind(word) for word in set(every)}
    return np.array([kinds[word] for word in every], np.uint8)


def has_reference_heading(kinds: NDArray[np.uint8]) -> bool:
    """Return whether a word can be the heading of a list of references."""
    return bool((kinds == _REFERENCES).any())


def detect_paper(kinds: NDArray[np.uint8]) -> PaperVerdict:
    """Return how probable it is that a document is a research paper, given its `word_kinds`."""
    values = paper_features(kinds)
    contributions = {name: WEIGHTS[name] * value for name, value in values.items()}
    score = BIAS + sum(contributions.values())
    return PaperVerdict(1 / (1 + math.exp(-max(min(score, 50.0), -50.0))), contributions)


def paper_features(kinds: NDArray[np.uint8]) -> dict[str, float]:
    """Return the features of a document, each a number from 0 to 1."""
    count = len(kinds)
    years = _sums(kinds == _YEAR)
    cited, end = _listed_years(kinds, years)
    before = float(years[end]) / max(end, 1)
    body = kinds[:end]
    abstract = float((kinds[:MAX_ABSTRACT_POSITION] == _ABSTRACT).any())
    introduction = float((kinds[:MAX_INTRODUCTION_POSITION] == _INTRODUCTION).any())
    references = min(cited / REFERENCE_WORDS / (4 * before), 1.0) if before else float(cited > 0)
    return {
        "abstract": abstract,
        "introduction": introduction,
        "density": _density(kinds),
        "references": references,
        "opening": abstract * introduction,
        "opening and references": max(abstract, introduction) * references,
        "body": min(end / MIN_BODY_WORDS, 1.0),
        "length": min(math.log1p(count) / math.log1p(4000), 1.0),
        "argument": min(15 * int((body == _ARGUMENT).sum()) / max(end, 1), 1.0),
        "very long": min(max(count - _LONG_WORDS, 0) / (2 * _LONG_WORDS), 1.0),
        "words of others": min(200 * int((body == _FOREIGN).sum()) / (end + 500), 1.0),
        "dates": min(30 * before, 1.0),
    }


def _sums(flags: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how many flags are set before each position, and in all."""
    return np.append([0], np.cumsum(flags, dtype=np.int64))


def _listed_years(kinds: NDArray[np.uint8], years: NDArray[np.int64]) -> tuple[int, int]:
    """Return how many years the best list of references begins with, and where its heading is.

    Without such a list these are 0 and the number of words.
    """
    headings = np.flatnonzero(kinds == _REFERENCES)
    if len(headings):
        found = years[np.minimum(headings + REFERENCE_WORDS, len(kinds))] - years[headings]
        best = len(found) - 1 - int(np.argmax(found[::-1]))
        if found[best] >= MIN_REFERENCE_YEARS:
            return int(found[best]), int(headings[best])
    return 0, len(kinds)


def _density(kinds: NDArray[np.uint8]) -> float:
    """Return how much some part of the last two thirds reads like references, heading or not.

    What the first third has of that is subtracted, as a list of publications is like that
    everywhere. Single letters are initials only beside years and words of references;
    formulas have others.
    """
    count = len(kinds)
    signs = _sums((kinds == _YEAR) | (kinds == _CITED))
    letters = _sums(kinds == _INITIAL)
    third = count // 3
    starts = np.append(
        [0], np.arange(third, max(count - REFERENCE_WORDS // 3, third + 1), _WINDOW_STEP)
    )
    stops = np.minimum(starts + REFERENCE_WORDS, count)
    stops[0] = third
    found = signs[stops] - signs[starts]
    found = found + np.minimum(letters[stops] - letters[starts], found)
    early, *late = found / np.maximum(stops - starts, REFERENCE_WORDS // 6)
    return min(max(5 * (float(max(late)) - float(early)), 0.0), 1.0)
