"""Hashed words of links, kept for every discovered URL.

A policy that learns during the crawl rescores waiting links and trains on followed ones, so it
needs the words of both. `LinkWords` keeps at most eight words of each of four kinds (anchor,
URL, near, headings) from the first page with a link to the URL, hashed to 16 bits: about
50 bytes a URL (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Content, Ints
from lycosa.core import Page
from lycosa.learn.row_sums import sums_of_rows

COLUMNS = 2**16
"""Number of hashed features."""

MAX_WORDS_PER_KIND = 8
NEAR_WORDS = 5
"""Words before and after an anchor that count as near."""

_KINDS = 4
_ANCHORS_PER_SEARCH = 40  # that a loop passes in the time of a search for one link's in an array
_INITIAL_CAPACITY = 1024


class Rows:
    """Sparse binary features of links: link i has the columns `words[starts[i]:starts[i + 1]]`."""

    __slots__ = ("starts", "words")

    def __init__(self, starts: NDArray[np.int64], words: Ints) -> None:
        self.starts = starts
        self.words = words

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def owners(self) -> NDArray[np.int64]:
        """Link that each word belongs to."""
        return np.repeat(np.arange(len(self)), self.starts[1:] - self.starts[:-1])

    def sums(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each link the sum of the weights of its columns."""
        return sums_of_rows(self.starts, self.words, weights)

    def take(self, links: NDArray[np.int64]) -> Rows:
        """Return the rows of some links, in that order."""
        return gather_rows(self.words, self.starts[links], np.diff(self.starts)[links])

    def compact(self) -> tuple[NDArray[np.int64], Rows]:
        """Return the columns that occur, sorted, and the rows renumbered by their positions.

        >>> columns, rows = Rows(np.array([0, 2, 3]), np.array([7, 900, 7], np.int32)).compact()
        >>> columns.tolist(), rows.words.tolist()
        ([7, 900], [0, 1, 0])
        """
        occurs = np.zeros(self.words.max(initial=-1) + 1, np.bool_)
        occurs[self.words] = True
        columns = occurs.nonzero()[0]
        place = np.empty(len(occurs), np.int32)  # of the columns that occur
        place[columns] = np.arange(len(columns), dtype=np.int32)
        return columns, Rows(self.starts, place.take(self.words))


def gather_rows(words: NDArray[Any], first: NDArray[Any], size: NDArray[Any]) -> Rows:
    """Return slices of an array as rows, given the start and the length of each."""
    starts = np.zeros(len(size) + 1, np.int64)
    size.cumsum(dtype=np.int64, out=starts[1:])
    return Rows(starts, words.take(range_indices(first, size, starts[:-1])).astype(np.int32))


def range_indices(
    first: NDArray[Any], size: NDArray[Any], before: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the indices of slices, one after the other.

    `first` and `size` are the start and length of each slice, `before` the total length of
    those before it.
    """
    index = np.repeat(first - before, size)
    index += np.arange(len(index))
    return index


def anchors_of(content: Content, links: Sequence[int]) -> list[Sequence[int]]:
    """Return the numbers of the anchors of each link."""
    if len(content.owner) == len(content.paths):  # one each, in the order of the links
        return [(link,) for link in links]
    if _ANCHORS_PER_SEARCH * len(links) < len(content.owner):
        return [(content.owner == link).nonzero()[0].tolist() for link in links]
    found: dict[int, list[int]] = {link: [] for link in links}
    for anchor, link in enumerate(content.owner.tolist()):
        if link in found:
            found[link].append(anchor)
    return [found[link] for link in links]


def headings_above(content: Content, heading: int) -> Iterator[tuple[int, int]]:
    """Yield where the words of a heading start and stop, then those of the headings above it."""
    while heading >= 0:
        yield content.head_start.item(heading), content.head_stop.item(heading)
        heading = content.head_above.item(heading)


def read_words(content: Content, links: Sequence[int], near: int) -> list[tuple[list[int], ...]]:
    """Return the words of each link: of its anchors, its URL, near it and above it.

    `near` is the number of words on either side of an anchor.
    """
    tokens, urls, title = content.tokens, content.url_tokens, content.title_size
    start_of, stop_of, heading_of = content.start.item, content.stop.item, content.heading.item
    url_start, url_stop = content.url_start.item, content.url_stop.item
    heads = {-1: tokens[:title].tolist()}
    found: list[tuple[list[int], ...]] = []
    for link, anchors in zip(links, anchors_of(content, links), strict=True):
        anchor: list[int] = []
        beside: list[int] = []
        above: list[int] = []
        for place in anchors:
            start, stop, heading = start_of(place), stop_of(place), heading_of(place)
            before = max(start - near, min(title, start))
            around = tokens[before : stop + near].tolist()
            first, last = start - before, stop - before
            anchor += around[first:last]
            beside += around[:first]
            beside += around[last:]
            if heading not in heads:
                words = heads[heading] = heads[-1].copy()
                for begin, end in headings_above(content, heading):
                    words += tokens[begin:end].tolist()
            above = above + heads[heading] if above else heads[heading]
        found.append((anchor, urls[url_start(link) : url_stop(link)].tolist(), beside, above))
    return found


class LinkWords:
    """Store of the hashed words of links, by the number of the URL they lead to."""

    def __init__(self) -> None:
        self._first = np.full(
            _INITIAL_CAPACITY, -1, np.int32
        )  # where its words begin in the log; -1: unknown
        self._size = np.zeros(_INITIAL_CAPACITY, np.uint8)
        self._log = np.empty(_INITIAL_CAPACITY, np.uint16)
        self._end = 0

    @property
    def nbytes(self) -> int:
        """Memory of the arrays."""
        return self._first.nbytes + self._size.nbytes + self._log.nbytes

    def knows(self, number: int) -> bool:
        """Return whether a link to the URL was added; seeds have none."""
        return number < len(self._first) and self._first.item(number) >= 0

    def add(self, page: Page, links: NDArray[np.intp]) -> Ints:
        """Add those links of a page whose URL is new; return the numbers of these URLs."""
        targets = page.targets[links]
        try:
            unknown = self._first[targets] < 0
        except IndexError:
            self._grow(int(targets.max()) + 1)
            unknown = self._first[targets] < 0
        new, numbers = links[unknown], targets[unknown]
        if len(new):
            # One by one, because most pages have few new links among many known ones.
            lists = _keys(page.content, new)
            sizes = np.array([len(keys) for keys in lists])
            keys = np.array(list(chain.from_iterable(lists)), np.uint64)
            # Fibonacci hashing (Knuth, volume 3, 6.4): the high bits of a product are well mixed.
            mixed = keys * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(48)
            self._write(numbers, sizes, mixed.astype(np.uint16))
        return numbers

    def _write(self, numbers: Ints, sizes: NDArray[np.int64], words: NDArray[np.uint16]) -> None:
        end = self._end + len(words)
        if end > len(self._log):
            room = np.empty(end - self._end + end // 4, np.uint16)
            self._log = np.concatenate((self._log[: self._end], room))
        self._log[self._end : end] = words
        self._first[numbers] = self._end + np.cumsum(sizes) - sizes
        self._size[numbers] = sizes
        self._end = end

    def _grow(self, size: int) -> None:
        more = size + size // 4 - len(self._first)
        self._first = np.concatenate((self._first, np.full(more, -1, np.int32)))
        self._size = np.concatenate((self._size, np.zeros(more, np.uint8)))

    def rows(self, numbers: Ints) -> Rows:
        """Return the words of known URLs."""
        return gather_rows(self._log, self._first[numbers], self._size[numbers].astype(np.int64))


def _keys(content: Content, links: NDArray[np.intp]) -> list[list[int]]:
    """Return for each link the words of its first anchor as keys of word and kind."""
    tokens, urls, title_size = content.tokens, content.url_tokens, content.title_size
    at = links
    if len(content.owner) > len(content.paths):  # some link has several anchors
        first = np.empty(len(content.paths), np.intp)
        first[content.owner[::-1]] = np.arange(len(content.owner) - 1, -1, -1)
        at = first[links]
    ranges = zip(
        content.start[at].tolist(),
        content.stop[at].tolist(),
        content.heading[at].tolist(),
        content.url_start[links].tolist(),
        content.url_stop[links].tolist(),
        strict=True,
    )
    title = [_KINDS * word + 4 for word in tokens[: min(title_size, MAX_WORDS_PER_KIND)].tolist()]
    heads: dict[int, list[int]] = {-1: title}
    lists = []
    for start, stop, heading, url_start, url_stop in ranges:
        if heading not in heads:
            head_start, head_stop = content.head_start[heading], content.head_stop[heading]
            own = tokens[head_start : min(head_stop, head_start + MAX_WORDS_PER_KIND)].tolist()
            heads[heading] = ([_KINDS * word + 4 for word in own] + title)[:MAX_WORDS_PER_KIND]
        anchor = tokens[start : min(stop, start + MAX_WORDS_PER_KIND)].tolist()
        url = urls[max(url_start, url_stop - MAX_WORDS_PER_KIND) : url_stop].tolist()
        before = tokens[max(start - NEAR_WORDS, title_size) : start].tolist()
        near = (before + tokens[stop : stop + NEAR_WORDS].tolist())[:MAX_WORDS_PER_KIND]
        keys = [_KINDS * word + 1 for word in anchor]
        keys += [_KINDS * word + 2 for word in url]
        keys += [_KINDS * word + 3 for word in near]
        keys += heads[heading]
        lists.append(list(dict.fromkeys(keys)))  # a word counts once
    return lists
