"""Small sites in memory for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lycosa.content import Content, Ints, Table, Tables
from lycosa.core import Page


class DictSite:
    """A site given as a dict: URL -> the URLs that it links to.

    The first URL is the seed, unless `seeds` are given.
    """

    def __init__(
        self,
        links: Mapping[str, Sequence[str]],
        goals: Mapping[str, Sequence[str]] | None = None,
        *,
        seeds: Sequence[str] | None = None,
        name: str = "tiny",
        family: str = "tiny",
        damage: str | None = None,
    ) -> None:
        urls = Table()
        for url, targets in links.items():
            urls.number(url)
            urls.numbers(targets)
        self.name = name
        self.family = family
        self.damage = damage
        self.tables = Tables(Table(["word"]), urls, Table(["html/a"]))
        self.seeds = _ints(urls, list(links)[:1] if seeds is None else seeds)
        self._goals = {goal: _ints(urls, wanted) for goal, wanted in (goals or {}).items()}
        self.goals = tuple(self._goals)
        self._targets = {urls.number(url): _ints(urls, row) for url, row in links.items()}

    def __len__(self) -> int:
        return len(self.tables.urls)

    def page(self, number: int) -> Page:
        targets = self._targets.get(number, np.empty(0, np.int32))
        zeros = np.zeros(len(targets), np.int32)
        every = np.arange(len(targets), dtype=np.int32)
        content = Content(
            tokens=zeros[:1],
            paths=zeros,
            url_tokens=zeros,
            url_start=every,
            url_stop=every + 1,
            owner=every,
            start=zeros,
            stop=zeros + 1,
            heading=zeros - 1,
        )
        return Page(number, self.tables, targets, content)

    def wanted(self, goal: str) -> Ints:
        return self._goals[goal]


class GraphSite:
    """A site given by its link graph, without words."""

    def __init__(self, offsets, targets, wanted=(), seeds=(0,), name="arrays"):
        from lycosa.sites.graph import Graph

        self.name = name
        self.family = "arrays"
        self.graph = Graph(np.asarray(offsets, np.int64), np.asarray(targets, np.int32))
        self.tables = Tables(Table(), Table(map(str, range(len(self)))), Table())
        self.seeds = np.asarray(seeds, np.int32)
        self.goals = ("papers",)
        self._wanted = np.asarray(wanted, np.int32)
        self._offsets = self.graph.offsets.tolist()

    def __len__(self) -> int:
        return len(self.graph)

    def page(self, number: int) -> Page:
        start, stop = self._offsets[number : number + 2]
        return Page(number, self.tables, self.graph.targets[start:stop])

    def wanted(self, goal: str) -> Ints:
        return self._wanted


def random_graph_site(seed: int, size: int, links: int, wanted: int) -> GraphSite:
    """Return a random site in which the first pages have the most links to them."""
    rng = np.random.default_rng(seed)
    heads = (size * rng.random(links) ** 2).astype(int)
    pairs = np.unique(np.stack((rng.integers(0, size, links), heads)), axis=1)
    offsets = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(pairs[0], minlength=size), out=offsets[1:])
    targets = rng.choice(size, wanted, replace=False)
    return GraphSite(offsets, pairs[1], targets)


def _ints(urls: Table, names: Sequence[str]) -> Ints:
    return np.array(urls.numbers(names), np.int32)
