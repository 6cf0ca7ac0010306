"""Training examples: the links of sites with their bags of words, and a value for each."""

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
    """The links of pages that share their tables.

    `targets` has the number of the URL each link leads to, `bags[k]` the bags of channel k;
    `tables` are those of the pages, which their numbers refer to.
    """

    tables: Tables
    targets: NDArray[np.int32]
    bags: tuple[tuple[Bag, ...], ...]

    @classmethod
    def of(cls, pages: Sequence[Page], tables: Tables, neighbourhood: Neighbourhood) -> LinkBags:
        """Return all links of the pages, with the bags that a neighbourhood reads."""
        linking = [page for page in pages if len(page.targets)]
        targets = np.concatenate([np.empty(0, np.int32), *(page.targets for page in linking)])
        return cls(
            tables,
            targets,
            tuple(
                tuple(
                    Bag.joined(page.bag(bag, channel.near) for page in linking)
                    for bag in channel.bags
                )
                for channel in neighbourhood.channels
            ),
        )

    def __len__(self) -> int:
        return len(self.targets)

    def table(self, channel: Channel) -> Strings:
        """Return the table that the numbers of a channel refer to."""
        return self.tables.paths if channel.reads_paths else self.tables.words


@dataclass(frozen=True, slots=True, eq=False)
class TrainingLinks:
    """Links of several sites with a value for each, and the vocabularies of the channels.

    `values[s]` are the values of the links of `sites[s]`, `vocabularies[k]` is that of channel k
    of the `neighbourhood`.
    """

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
        """Return training links whose vocabularies are their own words.

        A vocabulary holds words that occur at least `least` times, and of these the `most`
        frequent ones if a limit is given.
        """
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
        """Values of all links, site by site."""
        return np.concatenate(self.values)

    def counts(self, marks: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Return for each channel a matrix: words by columns of `marks`, summed over links.

        `marks` has a row for each link.
        """
        totals = []
        for k, (channel, vocabulary) in enumerate(
            zip(self.neighbourhood.channels, self.vocabularies, strict=True)
        ):
            total = np.zeros((len(vocabulary) + 1, marks.shape[1]))
            begin = 0
            for links in self.sites:
                site_marks = marks[begin : begin + len(links)]
                begin += len(links)
                table = links.table(channel)
                numbers = vocabulary.numbers(table)
                for bag in links.bags[k]:
                    np.add.at(total, numbers, bag.counts(site_marks, len(table)))
            totals.append(total[:-1])
        return totals
