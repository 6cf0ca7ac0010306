"""Table of all forms of every block, from which the first forms of a block are read.

`blocking.BlockingIndex` keeps the first forms of each block only, which is enough as long as
forms are appended. Where a form is removed, another one takes its place among the first, so
this table has them all: one sorted pair of arrays, twelve bytes an entry, which can be a
memory-mapped file.

>>> table = BlockTable.of_keys(np.array([[7, 1], [8, 2], [7, 2]], np.uint64))
>>> [part.tolist() for part in table.first(np.array([2, 7], np.uint64), 1)]
[[0, 1], [1, 0]]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.blocking import sorted_entries
from lycosa.papers.matching.sorted_runs import SortedRuns, expand_ranges, key_range
from lycosa.scratch import Scratch

ROWS_AT_ONCE = 50_000
"""Forms whose keys are sorted at once."""

Keys = NDArray[np.uint64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class BlockTable:
    """Entries of blocks, sorted by key and, within a block, by form.

    Parameters
    ----------
    keys
        The key of each entry.
    forms
        The form of each entry.
    """

    keys: Keys
    forms: NDArray[Any]

    @classmethod
    def empty(cls) -> BlockTable:
        """Return a table without entries."""
        return cls(np.empty(0, np.uint64), np.empty(0, np.int32))

    @classmethod
    def of_keys(cls, keys: Keys, scratch: Scratch | None = None) -> BlockTable:
        """Return the table of forms that have these rows of keys, 0 for no key.

        They are sorted in parts, in arrays that `scratch` makes.
        """
        runs = SortedRuns(scratch)
        for start in range(0, len(keys), ROWS_AT_ONCE):
            wanted, forms = sorted_entries(start, keys[start : start + ROWS_AT_ONCE])
            runs.add(wanted, forms.astype(np.int32))
        return cls(*runs.merged())

    @classmethod
    def of_entries(cls, keys: Keys, forms: NDArray[Any]) -> BlockTable:
        """Return the table of entries in any order; an entry that is repeated counts once."""
        order = np.lexsort((forms, keys))
        keys, forms = keys[order], forms[order].astype(np.int32)
        new = np.ones(len(keys), bool)
        new[1:] = (keys[1:] != keys[:-1]) | (forms[1:] != forms[:-1])
        return cls(keys[new], forms[new])

    def __len__(self) -> int:
        return len(self.keys)

    def ranges(self, wanted: Keys) -> tuple[Numbers, Numbers]:
        """Return where the entries of keys begin and end."""
        return key_range(self.keys, wanted)

    def first(self, wanted: Keys, limit: int | Numbers) -> tuple[Numbers, NDArray[Any]]:
        """Return the first forms of blocks: the position of the key in `wanted`, and the form.

        `limit` is how many forms of a block are returned, one number or one for each key.
        """
        low, high = self.ranges(wanted)
        which, places = expand_ranges(low, np.minimum(high, low + limit))
        return which, self.forms[places]

    def changed(self, number: Numbers, added: BlockTable) -> BlockTable:
        """Return a table with renumbered forms, without those that are now below 0, and more.

        `number` must keep the order of the forms that stay.
        """
        forms = number[self.forms]
        stays = forms >= 0
        keys, forms = (self.keys, forms) if stays.all() else (self.keys[stays], forms[stays])
        places = _insertion_places(keys, forms, added)
        return BlockTable(
            np.insert(keys, places, added.keys),
            np.insert(forms.astype(np.int32), places, added.forms),
        )


def _insertion_places(keys: Keys, forms: Numbers, added: BlockTable) -> Numbers:
    """Return before which entries of a sorted table further ones, also sorted, stand."""
    low, high = key_range(keys, added.keys)
    # Mostly the new form is later than the whole block.
    within = np.flatnonzero(high > low)
    within = within[forms[high[within] - 1] > added.forms[within]]
    high[within] = [
        start + int(np.searchsorted(forms[start:end], form))
        for start, end, form in zip(
            low[within].tolist(), high[within].tolist(), added.forms[within].tolist(), strict=True
        )
    ]
    return high


def entries_of(forms: Numbers, keys: Keys) -> tuple[Keys, Numbers]:
    """Return the keys of forms, a row for each, as pairs of a key and a form, without 0."""
    flat = keys.ravel()
    used = flat > 0
    return flat[used], np.repeat(forms, keys.shape[1])[used]
