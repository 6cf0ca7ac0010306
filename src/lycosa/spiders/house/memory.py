"""What the house spider remembers of every URL: the columns of its best link, and more.

About 150 bytes a URL: some 50 columns of two bytes, and a dozen numbers.
"""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Page
from lycosa.learn.link_words import Rows, gathered
from lycosa.learn.logistic import Floats, sigmoid
from lycosa.spiders.house.rates import rates

_ROOM = 1024
_LONGEST = 255  # columns of a link
_UNKNOWN, _WAITS, _FETCHED = 0, 1, 2


class Memory:
    """Arrays with a place for every URL number, and a log of columns."""

    def __init__(self) -> None:
        self._state = np.zeros(_ROOM, np.uint8)
        self._links = np.zeros(_ROOM, np.uint8)  # how many links to it were looked at
        self._depth = np.zeros(_ROOM, np.uint8)
        self._first = np.zeros(_ROOM, np.int64)  # where its columns begin in the log
        self._size = np.zeros(_ROOM, np.uint8)
        self._odds = np.zeros(_ROOM, np.float32)
        self._hints = np.zeros((_ROOM, 2), np.float32)
        self._worth = np.zeros(_ROOM, np.float32)  # of pages that were fetched
        self._reward = np.zeros(_ROOM, np.float32)
        self._log = np.empty(_ROOM, np.uint16)
        self._end = 0
        self._met = array("i")  # every URL in the order in which it was met,
        self._from = array("i")  # and the page where it was

    @property
    def nbytes(self) -> int:
        """The memory of all arrays."""
        arrays = [value for value in vars(self).values() if isinstance(value, np.ndarray)]
        return sum(value.nbytes for value in arrays) + 8 * len(self._met)

    def fetched(self, number: int, reward: float) -> bool:
        """A page came back; whether it was met as a link before."""
        self._grow(number + 1)
        known = self._state.item(number) == _WAITS
        self._state[number] = _FETCHED
        self._reward[number] = self._worth[number] = reward
        return known

    def unsettled(self, targets: Ints, few: int) -> NDArray[np.intp]:
        """The places of targets that are new, or wait and were seen a few times at most."""
        self._grow(int(targets.max()) + 1)
        state = self._state[targets]
        return np.flatnonzero((state != _FETCHED) & (self._links[targets] < few))

    def meet(
        self, page: Page, links: NDArray[np.intp], rows: Rows, hints: Floats, odds: Floats
    ) -> None:
        """Remember links that are new, or promise more than those before them."""
        numbers = page.targets[links]
        new = self._state[numbers] == _UNKNOWN
        self._links[numbers] += 1
        better = new | (odds > self._odds[numbers])
        fresh = numbers[new]
        self._state[fresh] = _WAITS
        self._depth[fresh] = min(self._depth.item(page.number) + 1, 255)
        self._met.extend(fresh.tolist())
        self._from.extend([page.number] * len(fresh))
        kept = np.flatnonzero(better)
        if len(kept):
            mine = numbers[kept]
            self._odds[mine] = odds[kept]
            self._hints[mine] = hints[kept]
            self._write(mine, rows if len(kept) == len(rows) else rows.take(kept))

    def judge(self, numbers: Ints, odds: Floats) -> None:
        """Links that wait have other odds now."""
        self._odds[numbers] = odds

    def rows(self, numbers: Ints) -> Rows:
        """The columns of URLs that were met."""
        return gathered(self._log, self._first[numbers], self._size[numbers].astype(np.int64))

    def hints(self, numbers: Ints) -> Floats:
        """What was said of them beforehand."""
        return self._hints[numbers].astype(np.float64)

    def odds(self, numbers: Ints) -> Floats:
        """The log-odds that were last found; 0 for what was never met."""
        self._grow(int(numbers.max(initial=-1)) + 1)
        return self._odds[numbers].astype(np.float64)

    def depths(self, numbers: Ints) -> Floats:
        """How many links they are from a seed, by the way they were met."""
        self._grow(int(numbers.max(initial=-1)) + 1)
        return self._depth[numbers].astype(np.float64)

    def depth(self, number: int) -> int:
        """The same of one page."""
        self._grow(number + 1)
        return self._depth.item(number)

    def waiting(self) -> Ints:
        """All URLs that wait, in the order in which they were met."""
        met: Ints = np.array(self._met, np.int32)
        return np.asarray(met[self._state[met] == _WAITS])

    def worths(self, plain: bool) -> NDArray[Any]:
        """What every fetched page turned out to be worth; `plain`: its reward alone.

        What its links are worth is known where they were followed, from the
        last time; of the others it is what is expected of them.
        """
        if plain:
            return self._reward
        met, sources = np.array(self._met, np.int32), np.array(self._from, np.int32)
        known = self._state[met] == _FETCHED
        expected = np.where(known, self._worth[met], sigmoid(self._odds[met]))
        self._worth = rates(self._reward, sources, expected).astype(np.float32)
        return self._worth

    def _write(self, numbers: Ints, rows: Rows) -> None:
        sizes = np.minimum(np.diff(rows.starts), _LONGEST)
        words = rows.words.astype(np.uint16)
        end = self._end + len(words)
        if end > len(self._log):
            room = np.empty(end - self._end + end // 4, np.uint16)
            self._log = np.concatenate((self._log[: self._end], room))
        self._log[self._end : end] = words
        self._first[numbers] = self._end + rows.starts[:-1]
        self._size[numbers] = sizes
        self._end = end

    def _grow(self, size: int) -> None:
        if size <= len(self._state):
            return
        more = size + size // 4 - len(self._state)
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray) and name != "_log":
                room = np.zeros((more, *value.shape[1:]), value.dtype)
                setattr(self, name, np.concatenate((value, room)))
