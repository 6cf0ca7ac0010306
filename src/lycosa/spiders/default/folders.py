"""Folder statistics: the pages fetched from each folder, and the targets among them.

The folder of a URL is all of it before the last slash. The home page of another
person lies in a folder without fetched pages and may open much; the tenth page of
a known folder opens little, unless there were targets in it.
"""

from __future__ import annotations

from array import array
from math import log1p

import numpy as np

from lycosa.content import NO_INTS, Ints, Strings
from lycosa.learn.logistic import Floats
from lycosa.snapshots import StateReader, StateWriter

_NO_FOLDER = -1


class Folders:
    """The folder of every known URL, and two counts for each folder.

    The features of a URL are the logarithms of 1 + the fetched pages of its
    folder, and of 1 + the targets among them.

    >>> urls = ["http://a.edu/~ann/", "http://a.edu/~bob/", "http://a.edu/~ann/cv"]
    >>> folders = Folders()
    >>> [folders.features(number, urls) for number in range(3)]
    [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]
    >>> folders.add(0, urls, reward=0.0).tolist()
    [0, 2]
    >>> folders.features_of(np.array([1, 2]), urls).round(2).tolist()
    [[0.0, 0.0], [0.69, 0.0]]
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._folder = array("i")  # of each URL
        self._fetched = array("i")
        self._found = array("i")
        self._urls: list[array[int]] = []
        self._order = array("i")  # all URLs in the order in which they were added

    @property
    def nbytes(self) -> int:
        """The size of all arrays in bytes."""
        return 4 * (3 * len(self._folder) + 2 * len(self._fetched))

    def save(self, state: StateWriter) -> None:
        """Save the folder of every URL, and the counts."""
        state.keys("names", self._numbers)
        state.log("order", self._order)
        state.array("folder", self._folder)
        state.array("fetched", self._fetched)
        state.array("found", self._found)

    def restore(self, state: StateReader) -> None:
        """Take over saved folders."""
        names = state.strings("names")
        self._numbers = dict(zip(names, range(len(names)), strict=True))
        state.fill_log("order", self._order)
        state.fill("folder", self._folder)
        state.fill("fetched", self._fetched)
        state.fill("found", self._found)
        self._urls = self._grouped()

    def _grouped(self) -> list[array[int]]:
        """Return the URLs of each folder in the order in which they were added."""
        order = np.array(self._order, np.intc)
        folders = np.frombuffer(self._folder, np.intc).take(order) if len(order) else order
        data = order[folders.argsort(kind="stable")].tobytes()
        ends = np.bincount(folders, minlength=len(self._numbers)).cumsum() * order.itemsize
        groups, start = [], 0
        for end in ends.tolist():
            groups.append(array("i", data[start:end]))
            start = end
        return groups

    def features(self, url: int, urls: Strings) -> tuple[float, float]:
        """Return the two features of a URL, which is added to its folder if it is new."""
        folder = self._of(url, urls)
        return log1p(self._fetched[folder]), log1p(self._found[folder])

    def features_of(self, numbers: Ints, urls: Strings) -> Floats:
        """Return the features of many URLs; those that are new are added to their folders."""
        last = int(numbers.max())
        if last >= len(self._folder):
            self._of(last, urls)
        folders = np.frombuffer(self._folder, np.intc).take(numbers)
        if folders.min() == _NO_FOLDER:  # links of another crawl, of which no page was read here
            for number in numbers[folders == _NO_FOLDER].tolist():
                self._of(number, urls)
            folders = np.frombuffer(self._folder, np.intc).take(numbers)
        counts = [np.frombuffer(part, np.intc).take(folders) for part in self._counts]
        return np.log1p(np.stack(counts, axis=1), dtype=np.float64)

    def features_of_folder(self, url: int) -> Floats:
        """Return the features that all URLs of the folder of a known URL have."""
        folder = self._folder[url]
        return np.log1p(np.array([part[folder] for part in self._counts], np.float64))

    def add(self, url: int, urls: Strings, reward: float) -> Ints:
        """Count a fetched page; return the URLs of its folder if they are to be rescored.

        They are when a count has doubled, so that none is rescored often.
        """
        folder, target = self._of(url, urls), reward > 0
        for part in self._counts[: 1 + target]:
            part[folder] += 1
        count = self._counts[target][folder]
        return NO_INTS if count & (count - 1) else np.array(self._urls[folder], np.int32)

    @property
    def _counts(self) -> tuple[array[int], array[int]]:
        return self._fetched, self._found

    def _of(self, url: int, urls: Strings) -> int:
        if url >= len(self._folder):
            added = url + url // 4 + 1 - len(self._folder)
            self._folder.extend([_NO_FOLDER] * added)
        folder = self._folder[url]
        if folder == _NO_FOLDER:
            name = urls[url].partition("?")[0].rpartition("/")[0]
            folder = self._folder[url] = self._numbers.setdefault(name, len(self._numbers))
            if folder == len(self._urls):
                self._urls.append(array("i"))
                for part in self._counts:
                    part.append(0)
            self._urls[folder].append(url)
            self._order.append(url)
        return folder
