"""What the house spider remembers of every URL: the columns of its best link, and more.

About 150 bytes a URL: some 50 columns of two bytes, and a dozen numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable
from math import exp, log1p
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Page
from lycosa.learn.link_words import Rows, gather_rows
from lycosa.learn.logistic import Floats, sigmoid
from lycosa.spiders.default.rates import rates

Inputs: TypeAlias = tuple[float, float, float, float]
"""Of a link: what the teaching and the keywords say, and what is known of its folder."""

_ROOM = 1024
_LONGEST = 255  # columns of a link
_FETCHED = 255  # instead of the number of links to it


class LinkTable:
    """Arrays with a place for every URL number, and a log of columns.

    `deep` is what each doubling or so of the depth takes from the log-odds.
    """

    def __init__(self, deep: float = 0.0) -> None:
        self._deep = deep
        self._links = np.zeros(_ROOM, np.uint8)  # how many links to it were looked at
        self._depth = np.zeros(_ROOM, np.uint8)
        self._first = np.zeros(_ROOM, np.int64)  # where its columns begin in the log
        self._size = np.zeros(_ROOM, np.uint8)
        self._odds = np.zeros(_ROOM, np.float32)
        self._hints = np.zeros((_ROOM, 4), np.float32)
        self._score = np.zeros(_ROOM)
        self._worth = np.zeros(_ROOM, np.float32)  # of pages that were fetched
        self._reward = np.zeros(_ROOM, np.float32)
        self._log = array("H")
        self._met = array("i")  # every URL in the order in which it was met,
        self._from = array("i")  # and the page where it was

    @property
    def nbytes(self) -> int:
        """The memory of all arrays."""
        arrays = [value for value in vars(self).values() if isinstance(value, np.ndarray)]
        logs = 2 * len(self._log) + 8 * len(self._met)
        return sum(value.nbytes for value in arrays) + logs

    def fetched(self, number: int, reward: float) -> bool:
        """A page came back; whether it was met as a link before."""
        self._grow(number + 1)
        known = 0 < self._links.item(number) < _FETCHED
        self._links[number] = _FETCHED
        self._reward[number] = self._worth[number] = reward
        return known

    def unsettled(self, targets: Ints, few: int) -> NDArray[np.intp]:
        """The places of targets that are new, or wait and were seen a few times at most."""
        try:
            links = self._links.take(targets)
        except IndexError:
            self._grow(int(targets.max()) + 1)
            links = self._links.take(targets)
        return np.asarray((links < few).nonzero()[0])

    def meet(
        self,
        page: Page,
        links: NDArray[np.intp],
        rows: Iterable[Collection[int]],
        hints: Iterable[Inputs],
        odds: Iterable[float],
    ) -> None:
        """Remember links that are new, or promise more than those before them."""
        deeper = min(self._depth.item(page.number) + 1, 255)
        numbers = page.targets[links].tolist()
        for number, row, hint, said in zip(numbers, rows, hints, odds, strict=True):
            times = self._links.item(number)
            self._links[number] = times + 1
            if not times:
                self._depth[number] = deeper
                self._met.append(number)
                self._from.append(page.number)
            elif said <= self._odds.item(number):
                continue
            self._odds[number] = said
            self._hints[number] = hint
            penalty = self.penalty(self._depth.item(number))
            self._score[number] = 1 / (1 + exp(min(penalty - self._odds.item(number), 500.0)))
            self._first[number] = len(self._log)
            self._size[number] = min(len(row), _LONGEST)
            self._log.extend(row if len(row) <= _LONGEST else sorted(row)[:_LONGEST])

    def judge(self, numbers: Ints, odds: Floats) -> None:
        """Links that wait have other odds now."""
        self._odds[numbers] = odds
        penalties = self._deep * np.log1p(self._depth[numbers], dtype=np.float64)
        self._score[numbers] = sigmoid(self._odds[numbers] - penalties)

    def rows(self, numbers: Ints) -> Rows:
        """The columns of URLs that were met."""
        log = np.frombuffer(self._log, np.uint16)
        return gather_rows(log, self._first[numbers], self._size[numbers].astype(np.int64))

    def hints(self, numbers: Ints) -> Floats:
        """What is said of them besides their columns."""
        return self._hints[numbers].astype(np.float64)

    def tell(self, numbers: Ints | int, known: Floats | tuple[float, float]) -> None:
        """More is known of their folders."""
        self._hints[numbers, 2:] = known

    def odds(self, number: int) -> float:
        """The log-odds that were last found; 0 for what was never met."""
        self._grow(number + 1)
        return self._odds.item(number)

    def scores(self, numbers: Ints) -> Floats:
        """The probabilities of the odds, less what depth takes; 0 for what was never met."""
        try:
            return self._score.take(numbers)
        except IndexError:
            self._grow(int(numbers.max()) + 1)
            return self._score.take(numbers)

    def depth(self, number: int) -> int:
        """How many links a page is from a seed, by the way it was met."""
        self._grow(number + 1)
        return self._depth.item(number)

    def penalty(self, depth: int) -> float:
        """What depth takes from the log-odds."""
        return self._deep * log1p(depth)

    def waiting(self, among: Ints | None = None) -> Ints:
        """All URLs that wait, or those among some, in the order in which they were met."""
        met: Ints = np.array(self._met, np.int32) if among is None else among
        return np.asarray(met[self._links[met] != _FETCHED])

    def worths(self, plain: bool) -> NDArray[Any]:
        """What every fetched page turned out to be worth; `plain`: its reward alone.

        What its links are worth is known where they were followed, from the
        last time; of the others it is what is expected of them.
        """
        if plain:
            return self._reward
        met, sources = np.array(self._met, np.int32), np.array(self._from, np.int32)
        known = self._links[met] == _FETCHED
        expected = np.where(known, self._worth[met], sigmoid(self._odds[met]))
        self._worth = rates(self._reward, sources, expected).astype(np.float32)
        return self._worth

    def _grow(self, size: int) -> None:
        if size <= len(self._links):
            return
        more = size + size // 4 - len(self._links)
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                room = np.zeros((more, *value.shape[1:]), value.dtype)
                setattr(self, name, np.concatenate((value, room)))
