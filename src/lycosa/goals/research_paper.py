"""Research papers, told from other documents by how they are built.

After McCallum, Nigam, Rennie & Seymore, "Building Domain-Specific Search
Engines with Machine Learning Techniques" (1999): Cora took a document for a
research paper if it had an abstract or introduction and a reference section.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Page
from lycosa.goals.combined import Combinable, failed
from lycosa.goals.lexicon import Lexicon
from lycosa.goals.profiles import PROFILES

OPENINGS = frozenset(
    "abstract introduction zusammenfassung einleitung résumé resume resumen introducción "
    "sommario introduzione resumo introdução samenvatting inleiding sammanfattning inledning "
    "аннотация введение".split()
)
"""Words that stand near the beginning of a paper."""

CLOSINGS = frozenset(
    "references bibliography literatur literaturverzeichnis références bibliographie referencias "
    "bibliografía bibliografia riferimenti referências referenties referenser литература".split()
)
"""Words above the list of what a paper cites."""

EARLY = 500
"""Words from the beginning within which a paper opens."""
BODY = 400
"""Words that a paper has at least between its opening and its references."""
LIST = 400
"""Words of the references that are looked at."""
CITED = 3
"""Years that they name at least."""
CONTRAST = 4
"""How many times denser years are among the references than in the body."""

_YEAR = re.compile(r"(?:19|20)\d\d[a-z]?")
_OPENING, _CLOSING, _IS_YEAR = 1, 2, 3


def _kind(word: str) -> int:
    if word in OPENINGS:
        return _OPENING
    if word in CLOSINGS:
        return _CLOSING
    return _IS_YEAR if _YEAR.fullmatch(word) else 0


class ResearchPaper(Combinable):
    """Reward 1 for every page or document that is built like a research paper.

    It opens with an abstract or an introduction, goes on for a while, and ends
    with references that name years; and it names years much more often there
    than before, which a mere list of publications does not. The type of the
    page does not matter, its words do: those of a PDF are there if somebody
    read them (`lycosa.documents.plain_text`), which a live crawl does.

    >>> from lycosa.web.reader import Reader
    >>> body = "The spider hunts. " * 300
    >>> cited = "[1] J. Rennie and A. McCallum. 1999. " * 3
    >>> paper = f"<h1>Spiders</h1> Abstract {body} References {cited}"
    >>> goal = ResearchPaper()
    >>> goal(Reader().page("http://a.edu/", paper.encode()))
    1.0
    >>> goal(Reader().page("http://a.edu/", f"Abstract {cited * 300} References {cited}".encode()))
    0.0
    """

    name = "research-paper"
    words = PROFILES["papers"].words

    def __init__(self) -> None:
        self._kinds = Lexicon(_kind, np.uint8)

    def __repr__(self) -> str:
        return "ResearchPaper()"

    def __call__(self, page: Page) -> float:
        """1 for a research paper, else 0."""
        return 1.0 if not failed(page) and _is_paper(self._kinds.values(page)) else 0.0


def _is_paper(kinds: NDArray[np.uint8]) -> bool:
    openings = np.flatnonzero(kinds[:EARLY] == _OPENING)
    if not len(openings):
        return False
    begin = int(openings[0])
    (closings,) = (kinds == _CLOSING).nonzero()
    years = np.concatenate(([0], np.cumsum(kinds == _IS_YEAR)))
    for end in closings[closings >= begin + BODY].tolist():
        stop = min(end + LIST, len(kinds))
        cited = int(years[stop] - years[end])
        before = int(years[end] - years[begin]) / (end - begin)
        if cited >= CITED and cited / (stop - end) >= CONTRAST * before:
            return True
    return False
