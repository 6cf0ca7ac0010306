"""The dense side of the index: the vectors of all works and what gives a text its vector.

It is a file beside the index, `meaning.npz`, replaced as a whole with every
commit. New works are folded into the space that was learned before; when their
number has grown by half, the space is learned again. The file may be one commit
behind the index, which is harmless: a work without a vector is found by its
words.
"""

from __future__ import annotations

import logging
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from lycosa.files import replace_file
from lycosa.portal.search.latent_semantics import MAX_SAMPLE, Bag, LatentSpace
from lycosa.portal.search.vectors import Array, Numbers, VectorTable

FILE: Final = "meaning.npz"
GROWTH: Final = 1.5
"""The space is learned again when there are so many times more works than it was learned from."""
_FOLDED_AT_ONCE = 10_000

_log = logging.getLogger("lycosa.portal")


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """A space and the vectors of the works in it."""

    space: LatentSpace
    table: VectorTable

    @classmethod
    def empty(cls) -> Meaning:
        """Return what an index without works has."""
        return cls._of(LatentSpace.fit([]), {})

    @classmethod
    def load(cls, folder: Path) -> Meaning:
        """Load the file beside an index; without a usable one, no work has a vector."""
        try:
            with np.load(folder / FILE, allow_pickle=False) as file:
                space = LatentSpace(
                    file["words"],
                    file["weights"],
                    file["directions"].astype(np.float32),
                    float(file["mean_length"]),
                    int(file["works"]),
                )
                table = VectorTable(
                    *(file[name] for name in ("numbers", "rows", "order", "centres", "starts"))
                )
            return cls(space, table)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            _log.debug("there are no vectors in %s", folder, exc_info=True)
            return cls.empty()

    def save(self, folder: Path) -> None:
        """Save the file beside an index, atomically."""
        space, table = self.space, self.table
        with replace_file(folder / FILE) as part, part.open("wb") as file:
            np.savez(
                file,
                words=space.words,
                weights=space.weights,
                directions=space.directions.astype(np.float16),
                mean_length=np.float64(space.mean_length),
                works=np.int64(space.works),
                numbers=table.numbers,
                rows=table.rows,
                order=table.order,
                centres=table.centres,
                starts=table.starts,
            )

    def updated(
        self,
        added: Mapping[int, Bag],
        removed: Numbers,
        works: int,
        every_bag: Callable[[], Iterator[tuple[int, Bag]]],
    ) -> Meaning:
        """Return the state after a commit.

        `added` are new and changed works by their numbers, `removed` numbers of
        others, and `works` how many there are now; `every_bag` yields all of them,
        and is called only if the space is learned again.
        """
        known = max(self.space.works, 1)
        if works > GROWTH * known or known > GROWTH * works or not self.space.dimensions:
            return self._of_all(dict(every_bag()))
        numbers = np.fromiter(added, np.uint64, len(added))
        rows = self.space.fold([*added.values()])
        return Meaning(self.space, self.table.changed(removed, numbers, rows))

    @classmethod
    def _of_all(cls, bags: Mapping[int, Bag]) -> Meaning:
        # By number, which is a hash: a sample that does not depend on the order of indexing.
        sample = [bags[number] for number in sorted(bags)[:MAX_SAMPLE]]
        return cls._of(LatentSpace.fit(sample, len(bags)), bags)

    @classmethod
    def _of(cls, space: LatentSpace, bags: Mapping[int, Bag]) -> Meaning:
        numbers = np.fromiter(bags, np.uint64, len(bags))
        every = [*bags.values()]
        starts = range(0, max(len(every), 1), _FOLDED_AT_ONCE)
        rows = [space.fold(every[start : start + _FOLDED_AT_ONCE]) for start in starts]
        return cls(space, VectorTable.of(numbers, np.concatenate(rows)))

    def __bool__(self) -> bool:
        return bool(self.space.dimensions) and len(self.table) > 0

    def vector(self, terms: Mapping[str, int]) -> Array:
        """Return the vector of a query, given as its terms and how often each was typed."""
        return self.space.direction(Bag.of_counts(terms))
