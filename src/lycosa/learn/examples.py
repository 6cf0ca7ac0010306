"""Examples to learn from: links of sites with their bags, and a value for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Bag, Strings, Tables
from lycosa.core import Page
from lycosa.learn.neighbourhoods import Channel, Neighbourhood
from lycosa.learn.vocabularies import Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class LinkBags:
    """The links of some pages that share their tables: targets, and bags for each channel."""

    tables: Tables
    targets: NDArray[np.int32]
    bags: tuple[tuple[Bag, ...], ...]

    @classmethod
    def of(cls, pages: Sequence[Page], tables: Tables, neighbourhood: Neighbourhood) -> LinkBags:
        """All links of the pages, as a neighbourhood reads them."""
        leading = [page for page in pages if len(page.targets)]
        targets = np.concatenate([np.empty(0, np.int32), *(page.targets for page in leading)])
        return cls(
            tables,
            targets,
            tuple(
                tuple(
                    Bag.joined(page.bag(bag, channel.near) for page in leading)
                    for bag in channel.bags
                )
                for channel in neighbourhood.channels
            ),
        )

    def __len__(self) -> int:
        return len(self.targets)

    def table(self, channel: Channel) -> Strings:
        """The table that the numbers of a channel refer to."""
        return self.tables.paths if channel.reads_paths else self.tables.words


@dataclass(frozen=True, slots=True, eq=False)
class TrainingLinks:
    """Links of several sites with the value of each, and the vocabularies to read them with."""

    neighbourhood: Neighbourhood
    sites: tuple[LinkBags, ...]
    values: tuple[NDArray[np.float64], ...]
    vocabularies: tuple[Vocabulary, ...]

    @classmethod
    def of(
        cls,
        neighbourhood: Neighbourhood,
        sites: Sequence[LinkBags],
        values: Sequence[NDArray[np.float64]],
        *,
        least: int = 2,
        most: int | None = None,
    ) -> TrainingLinks:
        """Examples whose vocabularies are made of their own words, rare ones left out."""
        vocabularies = []
        for k, channel in enumerate(neighbourhood.channels):
            counts = []
            for links in sites:
                table = links.table(channel)
                once = np.ones(len(links))
                parts = [bag.counts(once, len(table)) for bag in links.bags[k]]
                counts.append((table, np.sum(parts, axis=0)))
            vocabularies.append(Vocabulary.of(counts, least, most))
        return cls(neighbourhood, tuple(sites), tuple(values), tuple(vocabularies))

    def __len__(self) -> int:
        return sum(len(links) for links in self.sites)

    @property
    def all_values(self) -> NDArray[np.float64]:
        """The values of all links, site by site."""
        return np.concatenate(self.values)

    def counts(self, marks: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """For each channel: word by column of `marks`, how often; a row of marks for each link."""
        totals = []
        for k, (channel, vocabulary) in enumerate(
            zip(self.neighbourhood.channels, self.vocabularies, strict=True)
        ):
            total = np.zeros((len(vocabulary) + 1, marks.shape[1]))
            begin = 0
            for links in self.sites:
                mine = marks[begin : begin + len(links)]
                begin += len(links)
                table = links.table(channel)
                numbers = vocabulary.numbers(table)
                for bag in links.bags[k]:
                    np.add.at(total, numbers, bag.counts(mine, len(table)))
            totals.append(total[:-1])
        return totals
