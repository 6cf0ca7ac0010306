"""Distance heuristics on the web: a profile of words for each wanted page or group.

Davidov & Markovitch 2002, "Using front advancement in the WWW domain": for a
hundred people whose home pages were wanted they had a hundred distance
heuristics, made from what a table on the site says about each. Here the
distance of a link to a profile is the share of the profile's words that are
missing from its anchor, its URL and the words near it; a word of several profiles
counts less for each.

The heuristic over these distances (the nearest, their sum, front advancement) is
one of `lycosa.search`; this module presents the web as one of its graphs. When a
profile changes, only the waiting links that mention it are rescored.
Approximation: the distance of a fetched page is that of the links to it, whatever
its own text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Page, Scores, Step
from lycosa.goals.profiles import Profile
from lycosa.learn.vocabularies import Vocabulary, WeightLookup
from lycosa.search.heuristic import DistanceHeuristic

Row: TypeAlias = NDArray[np.float64]
HeuristicFactory: TypeAlias = Callable[
    [Callable[[int], Row], Callable[[int], int | None]], DistanceHeuristic[int]
]
"""Makes a heuristic from the distances of a page and the profile that a target belongs to."""

_BAGS = (("anchor", 0), ("url", 0), ("near", 5))
_MAX_OWN_DISTANCE = 0.5  # a target farther than this from every profile belongs to none
_TIE_WEIGHT = 1e-3
_UNRELATED = -1  # stands for all links that mention no profile


class ByDistances:
    """A policy that scores a link by a heuristic over its distances to profiles.

    Parameters
    ----------
    profiles
        The kinds of pages to find, each with its words.
    make
        Returns the heuristic, given the distances of a page and the profile of a target.
    name
        The name in reports and results.
    """

    def __init__(self, profiles: Sequence[Profile], make: HeuristicFactory, name: str) -> None:
        self.name = name
        self._make = make
        words = dict.fromkeys(word for profile in profiles for word in profile.words)
        owned = np.array([[word in profile.words for profile in profiles] for word in words])
        says = owned / owned.sum(axis=1, keepdims=True)
        self._shares = says / says.sum(axis=0)
        self._vocabulary = Vocabulary(words)
        self._far = np.ones(len(profiles))

    def start(self, budget: Budget) -> None:
        """Reset."""
        self._rows: dict[int, Row] = {}  # the distances of URLs whose links mention a profile
        self._mentions: list[list[int]] = [[] for _ in self._far]  # by profile: those that wait
        self._fetched: set[int] = set()
        self._lens: WeightLookup | None = None
        self._heuristic = self._make(self._row, self._profile_of)
        self._unrelated = self._value(_UNRELATED)

    def observe(self, step: Step) -> Scores | None:
        """Advance the front, fade the profile of a target, and read the page's links."""
        page = step.page
        self._fetched.add(page.number)
        risen = self._heuristic.expanded(page.number, ())
        if step.reward:
            risen |= self._heuristic.found(page.number, step.reward)
        self._unrelated = self._value(_UNRELATED)
        if len(page.targets):
            self._read(page)
        near = range(len(self._far)) if risen else (self._row(page.number) < 1).nonzero()[0]
        numbers = self._waiting(near)
        if not numbers:
            return None
        return Scores(np.array(numbers), np.array([self._value(n) for n in numbers]))

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the heuristic value of each link."""
        rows = self._rows
        return np.array(
            [self._value(n) if n in rows else self._unrelated for n in page.targets.tolist()]
        )

    def _row(self, number: int) -> Row:
        return self._rows.get(number, self._far)

    def _profile_of(self, number: int) -> int | None:
        row = self._row(number)
        nearest = int(row.argmin())
        return nearest if row[nearest] < _MAX_OWN_DISTANCE else None

    def _value(self, number: int) -> float:
        value = self._heuristic.value(number) + _TIE_WEIGHT * self._heuristic.tie(number)
        return max(value, -2.0 * len(self._far))  # all profiles found: the distance is infinite

    def _waiting(self, profiles: Iterable[int]) -> list[int]:
        """Return the waiting links that mention one of these profiles, in order of discovery."""
        numbers: dict[int, None] = {}
        for k in profiles:
            self._mentions[k] = [n for n in self._mentions[k] if n not in self._fetched]
            numbers.update(dict.fromkeys(self._mentions[k]))
        return list(numbers)

    def _read(self, page: Page) -> None:
        """Store the distances of the links of a page that mention a profile."""
        if self._lens is None:
            # In place of weights: 1 + the number of the word, 0 for words of no profile.
            numbers = np.arange(1.0, len(self._vocabulary) + 1)[:, None]
            self._lens = WeightLookup(self._vocabulary, numbers, page.tables.words)
        content = page.content
        if not (self._lens.rows(content.tokens).any() or self._lens.rows(content.url_tokens).any()):
            return
        pairs = [_links_and_words(page, name, near, self._lens) for name, near in _BAGS]
        links, words = np.unique(np.concatenate(pairs, axis=1), axis=1)
        for link in np.unique(links).tolist():
            number = int(page.targets[link])
            if number not in self._fetched:
                self._store(number, 1 - self._shares[words[links == link]].sum(axis=0))

    def _store(self, number: int, row: Row) -> None:
        known = self._row(number)
        for k in ((row < 1) & (known == 1)).nonzero()[0].tolist():
            self._mentions[k].append(number)
        self._rows[number] = np.minimum(row, known)


def _links_and_words(page: Page, name: str, near: int, lens: WeightLookup) -> Ints:
    """Return which link has which word of a profile in one of its bags, as two rows."""
    offsets, tokens = page.bag(name, near).rows()
    words = lens.rows(tokens)[:, 0].astype(np.int32)
    links = np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
    return np.stack((links, words - 1))[:, words > 0]
