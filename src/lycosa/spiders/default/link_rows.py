"""The columns of links in their bags, read from a page, and their distinct columns as rows.

Few links are read to lists: most pages have one or two new links, for which arrays are slower.
Many are read to arrays. `link_rows.pyx` is the same in C, and gives the same numbers to the last
digit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.core import Page
from lycosa.learn.hashed_model import HashedModel
from lycosa.spiders.default.bags import Bags, log_odds_of
from lycosa.spiders.default.words import WordColumns

BAGS = 9
"""The number of bags of a link."""

_COLUMN_BITS = 16


def read_few(
    words: WordColumns,
    page: Page,
    links: Sequence[int],
    others: Iterable[Bags],
    model: HashedModel | None,
) -> tuple[Sequence[Sequence[int]], list[float]]:
    """Return the distinct columns of each link, sorted, and its log-odds by a model, else 0.

    `others` are the bags of each link that have no words.
    """
    every = [(*own, *more) for own, more in zip(words.columns(page, links), others, strict=True)]
    trained = [0.0 if model is None else log_odds_of(model, bags) for bags in every]
    return [sorted(set().union(*bags)) for bags in every], trained


def read_many(
    words: WordColumns, page: Page, links: Sequence[int], others: Iterable[Bags]
) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
    """Return the columns of many links: how many each bag has, and all of them by link and bag."""
    bags, every = words.batch(page, np.array(links, np.intp)), np.arange(len(links))
    for columns in zip(*others, strict=True):
        found = [np.array(one, np.uint16) for one in columns]
        bags.append((np.repeat(every, list(map(len, found))), np.concatenate(found)))
    bag = np.repeat(np.arange(BAGS), [len(owner) for owner, _ in bags])
    owner, column = (np.concatenate(part) for part in zip(*bags, strict=True))
    sizes = np.bincount(owner * BAGS + bag, minlength=len(links) * BAGS)
    order = owner.argsort(kind="stable")
    return sizes.reshape(-1, BAGS).astype(np.int32), column[order]


def distinct_rows(
    sizes: NDArray[Any], columns: NDArray[np.uint16]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return where the row of each link starts, and the distinct columns of all, sorted."""
    owner = np.repeat(np.arange(len(sizes)), sizes.sum(axis=1))
    keys = (owner << _COLUMN_BITS) | columns
    keys.sort()
    distinct = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=distinct[1:])
    keys = keys[distinct]
    starts = keys.searchsorted(np.arange(len(sizes) + 1) << _COLUMN_BITS)
    return starts, (keys & (2**_COLUMN_BITS - 1)).astype(np.int32)


def bag_sums(
    sizes: NDArray[Any], columns: NDArray[np.uint16], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each bag of each link the sum of the weights of its columns."""
    bag = np.repeat(np.arange(sizes.size), sizes.ravel())
    sums = np.bincount(bag, weights.take(columns), sizes.size).astype(np.float64, copy=False)
    return sums.reshape(sizes.shape)
