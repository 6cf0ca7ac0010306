"""Folder statistics: the pages fetched from each folder, and the targets among them.

The folder of a URL is all of it before the last slash. The home page of another
person lies in a folder without fetched pages and may open much; the tenth page of
a known folder opens little, unless there were targets in it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import repeat
from math import log1p

import numpy as np
from xxhash import xxh3_64_hexdigest

from lycosa.content import NO_INTS, Ints, Strings
from lycosa.learn.logistic import Floats
from lycosa.snapshots import StateReader, StateWriter
from lycosa.web.compact_table import CompactTable

_NONE = -1  # no folder, or no URL
_INITIAL_URLS = 1024
_RECENT_NAMES = 10_000
_ARRAYS = ("_folder", "_before", "_last", "_fetched", "_found")


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
        self._names = CompactTable()
        self._recent: dict[str, int] = {}  # the numbers of folders by name, of some
        self._folder = array("i")  # of each URL
        self._before = array("i")  # the URL that was added to its folder before it
        self._last = array("i")  # the latest URL of each folder
        self._fetched = array("i")
        self._found = array("i")

    @property
    def nbytes(self) -> int:
        """The size of all arrays in bytes."""
        return 4 * (2 * len(self._folder) + 3 * len(self._last)) + self._names.nbytes

    def save(self, state: StateWriter) -> None:
        """Save the folder of every URL, and the counts."""
        state.strings("names", self._names.strings)
        for name in _ARRAYS:
            state.array(name, getattr(self, name))

    def restore(self, state: StateReader) -> None:
        """Take over saved folders."""
        self._names.restore(state.strings("names"))
        self._recent.clear()
        for name in _ARRAYS:
            state.fill(name, getattr(self, name))

    def features(self, url: int, urls: Strings) -> tuple[float, float]:
        """Return the two features of a URL, which is added to its folder if it is new."""
        folder = self._of(url, urls)
        return log1p(self._fetched[folder]), log1p(self._found[folder])

    def visit(self, url: int, urls: Strings, reward: float) -> tuple[tuple[float, float], Ints]:
        """Return the features of a page and what `add` returns, which counts it after that."""
        folder = self._of(url, urls)
        features = log1p(self._fetched[folder]), log1p(self._found[folder])
        return features, self._add(folder, reward)

    def features_of_links(
        self, numbers: Sequence[int], urls: Sequence[str]
    ) -> list[tuple[float, float]]:
        """Return the features of the URLs with these numbers, as `features` does."""
        if max(numbers, default=0) >= len(self._folder):
            self._grow(max(numbers))
        folders, fetched, targets = self._folder, self._fetched, self._found
        found = []
        for number, url in zip(numbers, urls, strict=True):
            folder = folders[number]
            if folder == _NONE:
                folder = self._put(number, url)
            found.append((log1p(fetched[folder]), log1p(targets[folder])))
        return found

    def features_of(self, numbers: Ints, urls: Strings) -> Floats:
        """Return the features of many URLs; those that are new are added to their folders."""
        last = int(numbers.max())
        if last >= len(self._folder):
            self._of(last, urls)
        folders = np.frombuffer(self._folder, np.intc).take(numbers)
        if folders.min() == _NONE:  # links of another crawl, of which no page was read here
            for number in numbers[folders == _NONE].tolist():
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
        return self._add(self._of(url, urls), reward)

    def _add(self, folder: int, reward: float) -> Ints:
        self._fetched[folder] += 1
        if reward > 0:
            self._found[folder] += 1
        count = self._found[folder] if reward > 0 else self._fetched[folder]
        return NO_INTS if count & (count - 1) else self._urls(folder)

    def _urls(self, folder: int) -> Ints:
        """Return the URLs of a folder in the order in which they were added."""
        found, before = array("i"), self._before
        url = self._last[folder]
        while url != _NONE:
            found.append(url)
            url = before[url]
        found.reverse()
        return np.frombuffer(found, np.int32)

    @property
    def _counts(self) -> tuple[array[int], array[int]]:
        return self._fetched, self._found

    def _of(self, url: int, urls: Strings) -> int:
        if url >= len(self._folder):
            self._grow(url)
        folder = self._folder[url]
        return self._put(url, urls[url]) if folder == _NONE else folder

    def _put(self, number: int, url: str) -> int:
        """Add a URL to its folder, which is returned."""
        name = url.partition("?")[0].rpartition("/")[0]
        folder = self._recent.get(name)
        if folder is None:
            if len(self._recent) >= _RECENT_NAMES:
                self._recent.clear()
            folder = self._recent[name] = self._numbered(name)
        self._folder[number] = folder
        self._before[number] = self._last[folder]
        self._last[folder] = number
        return folder

    def _numbered(self, name: str) -> int:
        """Return the number of a folder, a new one if it has none."""
        # 64 bits of a hash are shorter than the name, and as good as different.
        digest = xxh3_64_hexdigest(name.encode("utf-8", "surrogatepass"))
        folder = self._names.number_of_bytes(digest.encode("ascii"))
        if folder == len(self._last):
            self._last.append(_NONE)
            for part in self._counts:
                part.append(0)
        return folder

    def _grow(self, url: int) -> None:
        """Make room for the numbers of URLs up to one."""
        added = url + url // 16 + _INITIAL_URLS - len(self._folder)
        for part in (self._folder, self._before):
            part.extend(repeat(_NONE, added))
