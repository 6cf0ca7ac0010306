"""The link table of the default policy: for every URL the features of its best link.

A URL takes some 100 bytes: 45 columns (`row_store`), and eight numbers. A fetched page takes
twelve more, and has no columns any more when it is no example of a fit.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from math import exp, log1p
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Page
from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import Floats, sigmoid
from lycosa.snapshots import StateReader, StateWriter
from lycosa.spiders.default.rates import rates
from lycosa.spiders.default.row_store import RowStore, StoredRows

Inputs: TypeAlias = tuple[float, float, float, float]
"""The dense inputs of a link: the trained model, the keywords, and two folder features."""

_INITIAL_URLS = 1024
_INPUTS = 4
_LOGS = ("_found", "_found_on", "_found_there")  # the arrays that only grow
_COUNTS = ("_fetched", "_rewards", "_rates")  # the arrays with an element for each fetched page
_DEPTHS = 256  # that are told apart
_FETCHED = 255  # in place of the number of links to a URL
_NOWHERE = -1  # in place of the page with a link that another crawl has found


class _Penalties(NamedTuple):
    """What each depth subtracts: numpy and `math` round logarithms in different ways."""

    array: Floats
    each: list[float]

    @classmethod
    def of(cls, factor: float) -> Self:
        array = factor * np.log1p(np.arange(_DEPTHS, dtype=np.uint8), dtype=np.float64)
        return cls(array, [factor * log1p(depth) for depth in range(_DEPTHS)])


class LinkTable:
    """Arrays with an element for every URL number, and the columns of links.

    Parameters
    ----------
    depth_penalty
        Times log(1 + depth), it is subtracted from the log-odds of a link.
    is_trained
        Whether there is a trained model; without one its input is 0 and is not stored.
    """

    def __init__(self, depth_penalty: float = 0.0, *, is_trained: bool = True) -> None:
        self._penalties = _Penalties.of(depth_penalty)
        self._links = np.zeros(_INITIAL_URLS, np.uint8)  # links to the URL that were scored
        self._depth = np.zeros(_INITIAL_URLS, np.uint8)
        self._log_odds = np.zeros(_INITIAL_URLS, np.float32)
        self._inputs = np.zeros((_INITIAL_URLS, _INPUTS - (not is_trained)), np.float32)
        self._score = np.zeros(_INITIAL_URLS)
        self._rows = RowStore()
        self._found = array("i")  # every URL in the order of discovery,
        self._found_on = array("i")  # the pages that they were found on,
        self._found_there = array("i")  # and how many on each of these
        self._fetched = array("i")  # pages in the order of their requests
        self._rewards = array("f")
        self._rates = array("f")

    @property
    def nbytes(self) -> int:
        """The size of all arrays in bytes."""
        every = vars(self).values()
        sizes = (value.nbytes for value in every if isinstance(value, np.ndarray))
        logs = (value.itemsize * len(value) for value in every if isinstance(value, array))
        return sum(sizes) + sum(logs) + self._rows.nbytes

    def save(self, state: StateWriter) -> None:
        """Save all arrays and logs."""
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                state.array(name, value)
        for name in _COUNTS:
            state.array(name, getattr(self, name))
        for name in _LOGS:
            state.log(name, getattr(self, name))
        self._rows.save(state.part("rows"))

    def restore(self, state: StateReader) -> None:
        """Take over saved arrays and logs."""
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                setattr(self, name, state.array(name, value))
        for name in _COUNTS:
            state.fill(name, getattr(self, name))
        for name in _LOGS:
            state.fill_log(name, getattr(self, name))
        self._rows.restore(state.part("rows"))

    def mark_fetched(self, number: int, reward: float) -> bool:
        """Store the reward of a fetched page; return whether a link to it is known."""
        if number >= len(self._links):
            self._grow(number + 1)
        known = 0 < self._links.item(number) < _FETCHED
        self._links[number] = _FETCHED
        self._fetched.append(number)
        self._rewards.append(reward)
        self._rates.append(reward)
        return known

    def free(self, numbers: Ints) -> None:
        """Remove the columns of fetched pages, which are no examples any more."""
        self._rows.remove(numbers)

    def unsettled(self, targets: Ints, max_links: int) -> NDArray[np.intp]:
        """Return the indices of waiting targets of which fewer links were scored."""
        try:
            links = self._links.take(targets)
        except IndexError:
            self._grow(int(targets.max()) + 1)
            links = self._links.take(targets)
        return np.asarray((links < max_links).nonzero()[0])

    def add_links(
        self,
        page: Page,
        links: NDArray[np.intp],
        rows: Iterable[Sequence[int]],
        inputs: Iterable[Inputs],
        log_odds: Iterable[float],
    ) -> None:
        """Store links that are new, or have higher log-odds than the stored link to their URL."""
        deeper = min(self._depth.item(page.number) + 1, 255)
        numbers, before = page.targets[links].tolist(), len(self._found)
        self._rows.tidy()
        for number, row, values, odds in zip(numbers, rows, inputs, log_odds, strict=True):
            times = self._links.item(number)
            self._links[number] = times + 1
            if not times:
                self._depth[number] = deeper
                self._found.append(number)
            elif odds <= self._log_odds.item(number):
                continue
            self._set(number, values, odds)
            self._rows.set(number, row)
        self._add_found(page.number, before)

    def add_rows(
        self, page: Page, links: NDArray[np.intp], rows: Rows, inputs: Floats, log_odds: Floats
    ) -> None:
        """Store links as `add_links` does, which are many and have different targets."""
        deeper = min(self._depth.item(page.number) + 1, 255)
        numbers, before = page.targets[links], len(self._found)
        times = self._links[numbers]
        self._links[numbers] = times + np.uint8(1)
        is_new = times == 0
        new = numbers[is_new]
        self._depth[new] = deeper
        self._found.extend(new.tolist())
        self._add_found(page.number, before)
        better = (is_new | (log_odds > self._log_odds[numbers])).nonzero()[0]
        if not len(better):
            return
        numbers = numbers[better]
        self._log_odds[numbers] = log_odds[better]
        self._inputs[numbers] = inputs[better][:, -self._inputs.shape[1] :]
        # As in `add_links`: numpy rounds exponentials in another way.
        depths, odds = self._depth[numbers].tolist(), self._log_odds[numbers].tolist()
        self._score[numbers] = [
            1 / (1 + exp(min(self.penalty(depth) - each, 500.0)))
            for depth, each in zip(depths, odds, strict=True)
        ]
        self._rows.tidy()
        self._rows.set_many(numbers, rows if len(better) == len(rows) else rows.take(better))

    def adopt(
        self,
        number: int,
        depth: int,
        row: NDArray[np.uint16],
        inputs: NDArray[np.float32],
        log_odds: float,
    ) -> None:
        """Store a link that another crawl has found, unless one is known."""
        self._grow(number + 1)
        if self._links.item(number):
            return
        self._links[number] = 1
        self._depth[number] = min(depth, 255)
        self._found.append(number)
        self._add_found(_NOWHERE, len(self._found) - 1)
        self._set(number, inputs, log_odds)
        self._rows.set(number, row.tolist())

    def _set(self, number: int, inputs: Inputs | NDArray[np.float32], log_odds: float) -> None:
        """Store the inputs and the log-odds of a link."""
        self._log_odds[number] = log_odds
        stored = self._inputs
        for k in range(-stored.shape[1], 0):  # faster than an assignment of a tuple
            stored[number, k] = inputs[k]
        penalty = self.penalty(self._depth.item(number))
        self._score[number] = 1 / (1 + exp(min(penalty - self._log_odds.item(number), 500.0)))

    def _add_found(self, page: int, before: int) -> None:
        """Store the page that the URLs were found on that are found since there were so many."""
        if len(self._found) > before:
            self._found_on.append(page)
            self._found_there.append(len(self._found) - before)

    def is_known(self, numbers: Ints) -> NDArray[np.bool_]:
        """Return for each URL whether a link to it is stored."""
        self._grow(int(numbers.max(initial=-1)) + 1)
        links = self._links[numbers]
        return np.asarray((links > 0) & (links != _FETCHED))

    def depths(self, numbers: Ints) -> NDArray[np.uint8]:
        """Return the depth of each URL."""
        return np.asarray(self._depth[numbers])

    def rescore(self, numbers: Ints, log_odds: Floats) -> Floats:
        """Set the log-odds of waiting links; return their scores."""
        rounded = log_odds.astype(np.float32)  # as they are stored
        self._log_odds[numbers] = rounded
        scores = sigmoid(rounded - self._penalties.array.take(self._depth.take(numbers)))
        self._score[numbers] = scores
        return scores

    def rows(self, numbers: Ints) -> Rows:
        """Return the columns of known URLs."""
        return self._rows.rows(numbers)

    def stored_rows(self, numbers: Ints) -> StoredRows:
        """Return the columns of known URLs for sums over them, valid until a link is stored."""
        return self._rows.stored(numbers)

    def inputs(self, numbers: Ints) -> Floats:
        """Return the dense inputs of known URLs."""
        stored = self._inputs.take(numbers, axis=0)
        if stored.shape[1] == _INPUTS:
            return stored.astype(np.float64)
        found = np.zeros((len(numbers), _INPUTS))
        found[:, 1:] = stored
        return found

    def set_folders(self, numbers: Ints, features: Floats) -> None:
        """Set the folder features of known URLs."""
        self._inputs[numbers, -2:] = features

    def set_folder(self, number: int, features: tuple[float, float]) -> None:
        """Set the folder features of a known URL."""
        # One by one, which takes a tenth of the time of an assignment of a tuple.
        self._inputs[number, -2], self._inputs[number, -1] = features

    def log_odds(self, number: int) -> float:
        """Return the latest log-odds of a URL, 0 if it is unknown."""
        self._grow(number + 1)
        return self._log_odds.item(number)

    def scores(self, numbers: Ints) -> Floats:
        """Return the scores: probabilities after the depth penalty, 0 for unknown URLs."""
        try:
            return self._score.take(numbers)
        except IndexError:
            self._grow(int(numbers.max()) + 1)
            return self._score.take(numbers)

    def depth(self, number: int) -> int:
        """Return the number of links from a seed to a page by the path it was found on."""
        self._grow(number + 1)
        return self._depth.item(number)

    def penalty(self, depth: int) -> float:
        """Return what a depth subtracts from the log-odds."""
        return self._penalties.each[depth]

    def waiting(self, among: Ints | None = None) -> Ints:
        """Return all waiting URLs, or those among some, in the order of discovery."""
        urls: Ints = np.array(self._found, np.int32) if among is None else among
        return np.asarray(urls[self._links.take(urls) != _FETCHED])

    def rates(self, rewards_only: bool) -> NDArray[Any]:
        """Return the rate of every fetched page, or its reward if `rewards_only`.

        The rates of followed links are those of the last call; of waiting links
        they are the present estimates.
        """
        rewards = self._dense(self._rewards)
        if rewards_only:
            return rewards
        urls = np.array(self._found, np.int32)
        sources = np.repeat(np.array(self._found_on, np.int32), self._found_there)
        if len(sources) and sources.min() == _NOWHERE:
            urls, sources = urls[sources != _NOWHERE], sources[sources != _NOWHERE]
        known = self._links[urls] == _FETCHED
        expected = np.where(known, self._dense(self._rates)[urls], sigmoid(self._log_odds[urls]))
        found = rates(rewards, sources, expected).astype(np.float32)
        self._rates = array("f", found[np.array(self._fetched, np.int32)].tobytes())
        return found

    def known_rates(self, numbers: Ints) -> NDArray[np.float32]:
        """Return the rates of fetched pages as they were computed last."""
        return np.asarray(self._dense(self._rates)[numbers])

    def _dense(self, values: array[float]) -> NDArray[np.float32]:
        """Return an element for every URL: the value of a fetched page, 0 for others."""
        found = np.zeros(len(self._links), np.float32)
        found[np.array(self._fetched, np.int32)] = values
        return found

    def _grow(self, size: int) -> None:
        if size <= len(self._links):
            return
        added = size + size // 16 + _INITIAL_URLS - len(self._links)
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                zeros = np.zeros((added, *value.shape[1:]), value.dtype)
                setattr(self, name, np.concatenate((value, zeros)))
        self._rows.grow(len(self._links))
