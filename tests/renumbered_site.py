"""A site with permuted numbers of words, URLs and tag paths, otherwise unchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lycosa.content import Ints, Strings, Table, Tables
from lycosa.core import Page, Site


class RenumberedSite:
    """A copy of `site` with all numbers permuted; `seed` determines the permutation."""

    def __init__(self, site: Site, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        for number in range(len(site)):  # the tables of a generated site grow as it is read
            _ = site.page(number).content
        self._site = site
        self._words, words = _shuffled(site.tables.words, rng)
        self._urls, urls = _shuffled(site.tables.urls, rng)
        self._paths, paths = _shuffled(site.tables.paths, rng)
        self._back = np.argsort(self._urls)
        self.name = f"{site.name} renumbered"
        self.family = site.family
        self.goals = site.goals
        self.tables = Tables(words, urls, paths)
        self.seeds = self._urls[site.seeds]

    def __len__(self) -> int:
        return len(self._site)

    def number(self, number: int) -> int:
        """Return the number in this site of a URL of the original site."""
        return int(self._urls[number])

    def page(self, number: int) -> Page:
        page = self._site.page(int(self._back[number]))
        content = page.content
        renumbered = replace(
            content,
            tokens=self._words[content.tokens],
            url_tokens=self._words[content.url_tokens],
            paths=self._paths[content.paths],
        )
        return Page(number, self.tables, self._urls[page.targets], renumbered)

    def wanted(self, goal: str) -> Ints:
        return self._urls[self._site.wanted(goal)]


def _shuffled(table: Strings, rng: np.random.Generator) -> tuple[Ints, Table]:
    """Return the new number of each string, and their table."""
    order = rng.permutation(len(table))
    numbers = np.empty(len(table), np.int32)
    numbers[order] = np.arange(len(table), dtype=np.int32)
    return numbers, Table(table[int(n)] for n in order)
