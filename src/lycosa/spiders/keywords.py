"""Keywords: a heuristic made by hand, from the words of the goal and words that mark hubs.

Davidov & Markovitch 2002, "Applying our framework to the WWW domain". A link
is judged by its anchor, its URL, the words near it and the headings above it;
a page by its text, which speaks for all of its links.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.content import prefix_sums
from lycosa.core import Budget, Page, Step
from lycosa.goals.profiles import HUBS, Profile
from lycosa.learn.vocabularies import Lens, Vocabulary

_TEXTS = (("anchor", 1.0), ("near", 0.3), ("heads", 0.3))  # a URL weighs 1, too
_PAGE = 0.2
_WAY = 0.3  # what a word of the way is worth beside a word of the goal
_TEXT, _URL = 0, 1  # the columns of the weights


class Keywords:
    """The value of a link is how many words of the goal are about it.

    In each place the second word of the goal says less than the first: s words
    are worth s / (1 + s), so that one place full of words does not outweigh
    two places that agree.
    """

    def __init__(self, profile: Profile, name: str = "keywords") -> None:
        self.name = name
        goal = dict.fromkeys(profile.words, 1.0)
        ways = dict.fromkeys(profile.ways, _WAY)
        text = dict.fromkeys(HUBS, _WAY) | ways | goal
        url = ways | goal
        self._vocabulary = Vocabulary(text)
        self._weights = np.array([[text[word], url.get(word, 0.0)] for word in text])
        self._lens: Lens | None = None

    def start(self, budget: Budget) -> None:
        """Forget the tables of the last crawl."""
        self._lens = None

    def observe(self, step: Step) -> None:
        """Nothing is learned."""

    def score(self, page: Page) -> NDArray[np.float64]:
        """How much the words about each link speak for it."""
        if self._lens is None:
            self._lens = Lens(self._vocabulary, self._weights, page.tables.words)
        lens, content = self._lens, page.content
        prefix = prefix_sums(lens.rows(content.tokens)[:, _TEXT])
        about_page = prefix[-1] / max(1, len(content.tokens)) ** 0.5
        total = np.full(len(page.targets), _PAGE * float(_saturated(about_page)))
        for name, weight in _TEXTS:
            total += weight * _saturated(content.bag(name).sums_of(prefix))
        in_url = content.bag("url").sums_by(lambda tokens: lens.rows(tokens)[:, _URL])
        return total + _saturated(in_url)


def _saturated(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return sums / (1 + sums)
