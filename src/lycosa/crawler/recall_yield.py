"""The expected number of targets among the links that wait.

Links of one page are alike: those of a list of papers are papers. So are links
of one kind, which is the ending of the URL: `.ps` is a document, `.html` is not.
The probability of a link that waits is therefore the hit rate of the links of
its kind first seen on the same page, shrunk towards the rate of its kind, which
is shrunk towards the rate of the whole crawl. Each prior has the weight of one
page fetched now.

A page is weighted by the cube of its step number, so that the last fifth of the
crawl has 59 % of the weight: a spider follows the best links first, and what it
finds late is typical of the rest.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lycosa.content import Strings
from lycosa.snapshots import StateReader, StateWriter

_INITIAL_URLS = 1024
MAX_KINDS = 256  # a hostile site may invent endings: the rest share one kind


class UntriedLinks(NamedTuple):
    """The links that wait in groups (of one kind, first seen on one page) never tried."""

    share: float
    """Their share of all links that wait."""
    chance: float
    """The probability that such a group has a target: that of the groups that were tried."""


class GroupCounts:
    """Counters of a growing number of groups: weighted pages and hits, and links that wait."""

    __slots__ = ("fetched", "hits", "waiting")

    def __init__(self) -> None:
        self.fetched = array("d")
        self.hits = array("d")
        self.waiting = array("i")

    def __len__(self) -> int:
        return len(self.fetched)

    def save(self, state: StateWriter) -> None:
        """Save the counters."""
        for name in self.__slots__:
            state.array(name, getattr(self, name))

    def restore(self, state: StateReader) -> None:
        """Take over saved counters."""
        for name in self.__slots__:
            state.fill(name, getattr(self, name))

    def add(self) -> int:
        """Add a group; return its number."""
        self.fetched.append(0.0)
        self.hits.append(0.0)
        self.waiting.append(0)
        return len(self.fetched) - 1


class FrontierYield:
    """Computes the expected number of targets among the links that wait.

    `urls` are the URLs by number. In this example a list of papers has three links;
    one was fetched and is a paper.

    >>> from lycosa.content import Table
    >>> urls = Table(["http://a.example/", "http://a.example/1.ps", "http://a.example/2.ps",
    ...               "http://a.example/3.ps"])
    >>> links = FrontierYield(urls)
    >>> links.fetch(0, hit=False)
    >>> links.discover([1, 2, 3])
    >>> links.fetch(1, hit=True)
    >>> links.waiting, round(links.expected(), 2)
    (2, 1.94)
    """

    __slots__ = ("_fetched", "_group", "_groups", "_hits", "_kind_of", "_kinds", "_n", "_names",
                 "_urls", "waiting")  # fmt: skip

    def __init__(self, urls: Strings) -> None:
        self.waiting = 0
        self._urls = urls
        self._n = 0
        self._fetched = 0.0
        self._hits = 0.0
        self._group = array("i")  # by URL number: its group plus one, 0 if it is unknown
        self._groups = GroupCounts()  # links of one kind first seen on one page
        self._kind_of = array("i")  # by group
        self._kinds = GroupCounts()
        self._names = {"": self._kinds.add()}

    def discover(self, numbers: Sequence[int]) -> None:
        """Record the new links of one page."""
        if not numbers:
            return
        self._grow(max(numbers))
        group_of_kind: dict[int, int] = {}
        for number in numbers:
            kind = self._kind(number)
            group = group_of_kind.get(kind)
            if group is None:
                group = group_of_kind[kind] = self._groups.add()
                self._kind_of.append(kind)
            self._group[number] = group + 1
            self._groups.waiting[group] += 1
        self.waiting += len(numbers)

    def fetch(self, number: int, *, hit: bool) -> None:
        """Record that a link was followed, or a seed, which no page linked to."""
        self._n += 1
        weight = float(self._n) ** 3
        worth = weight if hit else 0.0
        self._fetched += weight
        self._hits += worth
        group = self._group[number] - 1 if number < len(self._group) else -1
        kind = self._kind(number) if group < 0 else self._kind_of[group]
        self._kinds.fetched[kind] += weight
        self._kinds.hits[kind] += worth
        if group >= 0:
            self._groups.fetched[group] += weight
            self._groups.hits[group] += worth
            self._groups.waiting[group] -= 1
            self.waiting -= 1

    def save(self, state: StateWriter) -> None:
        """Save the counters of all groups."""
        state.value("totals", [self.waiting, self._n, self._fetched, self._hits])
        state.value("names", dict(self._names))
        state.array("group", self._group)
        state.log("kind_of", self._kind_of)
        self._groups.save(state.part("groups"))
        self._kinds.save(state.part("kinds"))

    def restore(self, state: StateReader) -> None:
        """Take over saved counters."""
        self.waiting, self._n, self._fetched, self._hits = state.value("totals")
        self._names = state.value("names")
        state.fill("group", self._group)
        state.fill_log("kind_of", self._kind_of)
        self._groups.restore(state.part("groups"))
        self._kinds.restore(state.part("kinds"))

    @property
    def rate(self) -> float:
        """The recent hit rate of the crawl."""
        return self._hits / self._fetched if self._n else 0.0

    def expected(self) -> float:
        """Return the expected number of targets among the links that wait."""
        if not self.waiting:
            return 0.0
        one = max(float(self._n) ** 3, 1.0)
        kinds, groups = self._kinds, self._groups
        of_kind = (np.array(kinds.hits) + one * self.rate) / (np.array(kinds.fetched) + one)
        prior = one * of_kind[np.array(self._kind_of)]
        chance = (np.array(groups.hits) + prior) / (np.array(groups.fetched) + one)
        return float(np.array(groups.waiting) @ chance)

    def untried(self) -> UntriedLinks:
        """Return the links that wait in groups of which none was followed."""
        fetched, hits = np.array(self._groups.fetched), np.array(self._groups.hits)
        waiting = np.array(self._groups.waiting)
        tried = fetched > 0
        chance = (np.count_nonzero(hits) + 0.5) / (np.count_nonzero(tried) + 1)
        share = float(waiting[~tried].sum()) / self.waiting if self.waiting else 1.0
        return UntriedLinks(share, chance)

    def _kind(self, number: int) -> int:
        name = ending(self._urls[number])
        kind = self._names.get(name)
        if kind is None:
            if len(self._kinds) == MAX_KINDS:
                return self._names[""]
            kind = self._names[name] = self._kinds.add()
        return kind

    def _grow(self, number: int) -> None:
        missing = number + 1 - len(self._group)
        if missing > 0:
            self._group.frombytes(bytes(4 * (missing + len(self._group) // 16 + _INITIAL_URLS)))


def ending(url: str) -> str:
    """Return the ending of a URL's path: an extension, "/" for a folder, or nothing.

    >>> ending("http://a.example/x/paper.ps.Z?v=1"), ending("http://a.example/~ann/")
    ('ps', '/')
    >>> ending("http://a.example/readme"), ending("http://a.example/vol.supplement")
    ('', '')
    """
    name = url.partition("?")[0].rpartition("/")[2]
    if not name:
        return "/"
    stem, dot, end = name.lower().rpartition(".")
    if end in ("gz", "z"):
        _, dot, end = stem.rpartition(".")
    return end if dot and len(end) <= 5 and end.isalnum() else ""
