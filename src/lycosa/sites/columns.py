"""The column format of a compiled site, and of a batch of parsed pages.

Every URL of the site has a number, pages first, then documents whose bodies
were not kept. Column `x` of URL n is `x[x_offsets[n]:x_offsets[n + 1]]`; `GROUPS`
says which offsets belong to which columns. Positions in columns are relative to
their page, so that a page is a set of slices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Content, Ints

GROUPS: dict[str, tuple[str, ...]] = {
    "words": ("tokens",),
    "heads": ("head_start", "head_stop", "head_above"),
    "links": ("targets", "paths"),
    "places": ("owner", "start", "stop", "heading"),
}
"""The groups of offsets, each with the columns that it divides; names are those of `Content`."""

COLUMNS = tuple(column for group in GROUPS.values() for column in group)


@dataclass(slots=True)
class Columns:
    """The columns of some consecutive pages, end to end, and the sizes of each page."""

    sizes: dict[str, Ints]
    """For each group the number of rows of every page."""
    title_sizes: Ints
    """For every page the number of words in its title."""
    values: dict[str, Ints]
    """The columns by name."""

    @classmethod
    def of(cls, pages: Sequence[tuple[Ints, Content]]) -> Columns:
        """Return the columns of pages, given as targets and content."""
        values = {
            column: _concatenate(
                [t if column == "targets" else getattr(c, column) for t, c in pages]
            )
            for column in COLUMNS
        }
        sizes = {
            "words": [len(c.tokens) for _, c in pages],
            "heads": [len(c.head_start) for _, c in pages],
            "links": [len(t) for t, _ in pages],
            "places": [len(c.owner) for _, c in pages],
        }
        return cls(
            {group: np.array(size, np.int32) for group, size in sizes.items()},
            np.array([c.title_size for _, c in pages], np.int32),
            values,
        )

    @classmethod
    def concatenate(cls, parts: Sequence[Columns]) -> Columns:
        """Return the columns of several batches as one."""
        return cls(
            {group: _concatenate([p.sizes[group] for p in parts]) for group in GROUPS},
            _concatenate([p.title_sizes for p in parts]),
            {column: _concatenate([p.values[column] for p in parts]) for column in COLUMNS},
        )

    def relink(self, numbers: NDArray[np.int32]) -> None:
        """Renumber the targets; drop links without a number and links of a page to itself.

        `numbers[t]` is the new number of target t, or -1; pages are numbered
        from 0 in their order. Links that now have the same target are merged.
        """
        links, places = self.sizes["links"].astype(np.int64), self.sizes["places"]
        count = len(links)
        page = np.repeat(np.arange(count), links)
        target = numbers[self.values["targets"]]
        kept = np.flatnonzero((target >= 0) & (target != page))
        # The first of several links from one page to one target is kept.
        key = page[kept] * (int(numbers.max(initial=0)) + 1) + target[kept]
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        chosen = kept[first[order]]
        new_links = np.bincount(page[chosen], minlength=count)
        renumbered = np.full(len(target), -1, np.int64)
        renumbered[kept] = rank[inverse]
        # Owners are positions in their page: make them global, renumber, make them local.
        place_page = np.repeat(np.arange(count), places)
        old_base = np.cumsum(links) - links
        owner = renumbered[self.values["owner"] + old_base[place_page]]
        stay = owner >= 0
        new_base = np.cumsum(new_links) - new_links
        self.values["owner"] = (owner[stay] - new_base[place_page[stay]]).astype(np.int32)
        for column in ("start", "stop", "heading"):
            self.values[column] = self.values[column][stay]
        self.values["targets"] = target[chosen].astype(np.int32)
        self.values["paths"] = self.values["paths"][chosen]
        self.sizes["links"] = new_links.astype(np.int32)
        self.sizes["places"] = np.bincount(place_page[stay], minlength=count).astype(np.int32)


def offsets(sizes: Ints, length: int) -> NDArray[np.int64]:
    """Return where each of `length` URLs begins; those beyond the pages are empty."""
    result = np.zeros(length + 1, np.int64)
    np.cumsum(sizes, out=result[1 : len(sizes) + 1])
    result[len(sizes) + 1 :] = result[len(sizes)]
    return result


def _concatenate(parts: Sequence[Ints]) -> Ints:
    return np.concatenate(parts).astype(np.int32, copy=False) if parts else np.empty(0, np.int32)
