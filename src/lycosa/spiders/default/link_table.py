"""The link table of the default policy: for every URL the features of its best link.

About 150 bytes per URL: some 50 columns of two bytes, and a dozen numbers.
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
from lycosa.learn.link_words import Rows, gather_rows, range_indices
from lycosa.learn.logistic import Floats, sigmoid
from lycosa.snapshots import StateReader, StateWriter
from lycosa.spiders.default.rates import rates

Inputs: TypeAlias = tuple[float, float, float, float]
"""The dense inputs of a link: the trained model, the keywords, and two folder features."""

_INITIAL_URLS = 1024
_MAX_COLUMNS = 255  # of a link: the number is stored in a byte
_LOGS = ("_log", "_found", "_found_on")  # the arrays that only grow
_FETCHED = 255  # in place of the number of links to a URL
_NOWHERE = -1  # in place of the page with a link that another crawl has found


class LinkTable:
    """Arrays with an element for every URL number, and a log of columns.

    `depth_penalty` times log(1 + depth) is subtracted from the log-odds of a link.
    """

    def __init__(self, depth_penalty: float = 0.0) -> None:
        self._depth_penalty = depth_penalty
        self._links = np.zeros(_INITIAL_URLS, np.uint8)  # links to the URL that were scored
        self._depth = np.zeros(_INITIAL_URLS, np.uint8)
        self._first = np.zeros(_INITIAL_URLS, np.int64)  # where the columns begin in the log
        self._size = np.zeros(_INITIAL_URLS, np.uint8)
        self._log_odds = np.zeros(_INITIAL_URLS, np.float32)
        self._inputs = np.zeros((_INITIAL_URLS, 4), np.float32)
        self._score = np.zeros(_INITIAL_URLS)
        self._rate = np.zeros(_INITIAL_URLS, np.float32)  # of fetched pages
        self._reward = np.zeros(_INITIAL_URLS, np.float32)
        self._log = array("H")
        self._found = array("i")  # every URL in the order of discovery,
        self._found_on = array("i")  # and the page it was found on

    @property
    def nbytes(self) -> int:
        """The size of all arrays in bytes."""
        arrays = [value for value in vars(self).values() if isinstance(value, np.ndarray)]
        logs = 2 * len(self._log) + 8 * len(self._found)
        return sum(value.nbytes for value in arrays) + logs

    def save(self, state: StateWriter) -> None:
        """Save all arrays and logs."""
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                state.array(name, value)
        for name in _LOGS:
            state.log(name, getattr(self, name))

    def restore(self, state: StateReader) -> None:
        """Take over saved arrays and logs."""
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                setattr(self, name, state.array(name, value))
        for name in _LOGS:
            state.fill_log(name, getattr(self, name))

    def mark_fetched(self, number: int, reward: float) -> bool:
        """Store the reward of a fetched page; return whether a link to it is known."""
        self._grow(number + 1)
        known = 0 < self._links.item(number) < _FETCHED
        self._links[number] = _FETCHED
        self._reward[number] = self._rate[number] = reward
        return known

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
        rows: Iterable[Collection[int]],
        inputs: Iterable[Inputs],
        log_odds: Iterable[float],
    ) -> None:
        """Store links that are new, or have higher log-odds than the stored link to their URL."""
        deeper = min(self._depth.item(page.number) + 1, 255)
        numbers = page.targets[links].tolist()
        for number, row, values, odds in zip(numbers, rows, inputs, log_odds, strict=True):
            times = self._links.item(number)
            self._links[number] = times + 1
            if not times:
                self._depth[number] = deeper
                self._found.append(number)
                self._found_on.append(page.number)
            elif odds <= self._log_odds.item(number):
                continue
            self._log_odds[number] = odds
            self._inputs[number] = values
            penalty = self.penalty(self._depth.item(number))
            self._score[number] = 1 / (1 + exp(min(penalty - self._log_odds.item(number), 500.0)))
            self._first[number] = len(self._log)
            self._size[number] = min(len(row), _MAX_COLUMNS)
            self._log.extend(row if len(row) <= _MAX_COLUMNS else sorted(row)[:_MAX_COLUMNS])

    def add_rows(
        self, page: Page, links: NDArray[np.intp], rows: Rows, inputs: Floats, log_odds: Floats
    ) -> None:
        """Store links as `add_links` does, which are many and have different targets."""
        deeper = min(self._depth.item(page.number) + 1, 255)
        numbers = page.targets[links]
        times = self._links[numbers]
        self._links[numbers] = times + np.uint8(1)
        is_new = times == 0
        new = numbers[is_new]
        self._depth[new] = deeper
        self._found.extend(new.tolist())
        self._found_on.extend([page.number] * len(new))
        better = (is_new | (log_odds > self._log_odds[numbers])).nonzero()[0]
        if not len(better):
            return
        numbers = numbers[better]
        self._log_odds[numbers] = log_odds[better]
        self._inputs[numbers] = inputs[better]
        # As in `add_links`: numpy rounds exponentials in another way.
        depths, odds = self._depth[numbers].tolist(), self._log_odds[numbers].tolist()
        self._score[numbers] = [
            1 / (1 + exp(min(self.penalty(depth) - each, 500.0)))
            for depth, each in zip(depths, odds, strict=True)
        ]
        sizes = np.minimum(np.diff(rows.starts)[better], _MAX_COLUMNS)
        starts = sizes.cumsum() - sizes
        kept = rows.words[range_indices(rows.starts[better], sizes, starts)]
        self._first[numbers] = len(self._log) + starts
        self._size[numbers] = sizes
        self._log.frombytes(kept.astype(np.uint16).tobytes())

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
        self._found_on.append(_NOWHERE)
        self._log_odds[number] = log_odds
        self._inputs[number] = inputs
        penalty = self.penalty(self._depth.item(number))
        self._score[number] = 1 / (1 + exp(min(penalty - self._log_odds.item(number), 500.0)))
        self._first[number] = len(self._log)
        self._size[number] = min(len(row), _MAX_COLUMNS)
        self._log.extend(row[:_MAX_COLUMNS].tolist())

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
        penalties = self._depth_penalty * np.log1p(self._depth.take(numbers), dtype=np.float64)
        scores = self._score[numbers] = sigmoid(rounded - penalties)
        return scores

    def rows(self, numbers: Ints) -> Rows:
        """Return the columns of known URLs."""
        log = np.frombuffer(self._log, np.uint16)
        return gather_rows(log, self._first.take(numbers), self._size.take(numbers))

    def inputs(self, numbers: Ints) -> Floats:
        """Return the dense inputs of known URLs."""
        return self._inputs[numbers].astype(np.float64)

    def set_folders(self, numbers: Ints | int, features: Floats | tuple[float, float]) -> None:
        """Set the folder features of known URLs."""
        self._inputs[numbers, 2:] = features

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
        return self._depth_penalty * log1p(depth)

    def waiting(self, among: Ints | None = None) -> Ints:
        """Return all waiting URLs, or those among some, in the order of discovery."""
        urls: Ints = np.array(self._found, np.int32) if among is None else among
        return np.asarray(urls[self._links.take(urls) != _FETCHED])

    def rates(self, rewards_only: bool) -> NDArray[Any]:
        """Return the rate of every fetched page, or its reward if `rewards_only`.

        The rates of followed links are those of the last call; of waiting links
        they are the present estimates.
        """
        if rewards_only:
            return self._reward
        urls, sources = np.array(self._found, np.int32), np.array(self._found_on, np.int32)
        if len(sources) and sources.min() == _NOWHERE:
            urls, sources = urls[sources != _NOWHERE], sources[sources != _NOWHERE]
        known = self._links[urls] == _FETCHED
        expected = np.where(known, self._rate[urls], sigmoid(self._log_odds[urls]))
        self._rate = rates(self._reward, sources, expected).astype(np.float32)
        return self._rate

    def known_rates(self, numbers: Ints) -> NDArray[np.float32]:
        """Return the rates of fetched pages as they were computed last."""
        return np.asarray(self._rate[numbers])

    def _grow(self, size: int) -> None:
        if size <= len(self._links):
            return
        added = size + size // 4 - len(self._links)
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                zeros = np.zeros((added, *value.shape[1:]), value.dtype)
                setattr(self, name, np.concatenate((value, zeros)))
