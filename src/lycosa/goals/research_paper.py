"""Goal: research papers."""

from __future__ import annotations

import numpy as np

from lycosa.core import Page
from lycosa.documents.paper_detector import detect_paper, word_kind
from lycosa.goals.combined import Combinable, failed
from lycosa.goals.lexicon import Lexicon
from lycosa.goals.profiles import PROFILES


class ResearchPaper(Combinable):
    """Reward 1 for every page or document that is a research paper.

    The words of the page decide, by `lycosa.documents.paper_detector`, as in the build of a
    portal; a live crawl converts a PDF to words when a goal needs them.

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
    needs_text = True
    words = PROFILES["papers"].words

    def __init__(self) -> None:
        self._kinds = Lexicon(word_kind, np.uint8)

    def __repr__(self) -> str:
        return "ResearchPaper()"

    def __call__(self, page: Page) -> float:
        """Return 1 for a research paper, else 0."""
        return float(not failed(page) and detect_paper(self._kinds.values(page)).is_paper)
