"""Text in memory: numbered strings, and bags of words as ranges.

* **Everything is numbered.** Words, URLs and tag paths are strings in a
  `Table`; pages and links hold their numbers in arrays.
* **A bag of words is a set of ranges.** The words of a page are one array of
  word numbers in reading order. The anchor of a link, the words near it and
  the headings above it are ranges of that array, so no bag is ever copied, and
  a linear model scores all links of a page by one prefix sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int32]

BAGS = ("anchor", "url", "near", "heads", "page")
"""The names of the bags of words of a link; `near` takes a width."""

NEAR = 10
"""The default width of the bag `near`: words before and after an anchor."""

NO_INTS: Ints = np.empty(0, np.int32)
NO_INTS.setflags(write=False)


def _no_ints() -> Ints:
    return NO_INTS


class Strings(Protocol):
    """Numbered strings: the interface of `Table` and of tables on disk."""

    def __len__(self) -> int: ...
    def __getitem__(self, number: int, /) -> str: ...
    def find(self, text: str, /) -> int | None:
        """Return the number of a string, or None if it has none."""


class _Numbers(dict[str, int]):
    """A dict that numbers a string on first use; a known string costs one look-up in C."""

    __slots__ = ("strings",)

    def __init__(self) -> None:
        self.strings: list[str] = []

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self.strings)
        self.strings.append(text)
        return number


class Table:
    """A growing list of distinct strings, each with a number.

    `strings` are the first ones, numbered from 0 in their order.

    >>> words = Table()
    >>> words.number("spider"), words.numbers(["web", "spider"])
    (0, [1, 0])
    >>> words[1], words.find("fly")
    ('web', None)
    """

    __slots__ = ("_numbers", "_strings", "number")

    number: Callable[[str], int]
    """Return the number of a string, a new one if it has none."""

    def __init__(self, strings: Iterable[str] = ()) -> None:
        self._numbers = _Numbers()
        self._strings = self._numbers.strings
        self.number = self._numbers.__getitem__
        self.numbers(strings)

    def __len__(self) -> int:
        return len(self._strings)

    def __getitem__(self, number: int, /) -> str:
        return self._strings[number]

    def __iter__(self) -> Iterator[str]:
        return iter(self._strings)

    @property
    def strings(self) -> Sequence[str]:
        """All strings in the order of their numbers; the list grows with the table."""
        return self._strings

    def find(self, text: str, /) -> int | None:
        """Return the number of a string, or None if it has none."""
        return self._numbers.get(text)

    def numbers(self, texts: Iterable[str], /) -> list[int]:
        """Return the numbers of many strings, new ones where they have none."""
        return list(map(self._numbers.__getitem__, texts))

    def restore(self, strings: Iterable[str], /) -> None:
        """Replace all strings by these distinct ones, numbered from 0 in their order."""
        self._strings[:] = strings
        self._numbers.clear()
        self._numbers.update(zip(self._strings, range(len(self._strings)), strict=True))


class Tables(NamedTuple):
    """The three tables that the numbers in a page refer to."""

    words: Strings
    """Words of texts, anchors and URLs, in lower case."""
    urls: Strings
    """Canonical URLs of pages and link targets."""
    paths: Strings
    """Tag paths of anchors."""


@dataclass(frozen=True, slots=True, eq=False)
class Bag:
    """One bag of words for each of a batch of links, as ranges of an array.

    Range k, `tokens[start[k]:stop[k]]`, belongs to link `owner[k]`; a link may
    own several ranges or none. `size` is the number of links. If the ranges come
    in rounds of one for each link, in order, `rounds` is their number (else 0):
    then sums need not be grouped by owner.
    """

    tokens: Ints
    owner: Ints
    start: NDArray[Any]
    stop: NDArray[Any]
    size: int
    rounds: int = 0

    @property
    def lengths(self) -> NDArray[np.float64]:
        """The number of words of each link."""
        return self._by_owner((self.stop - self.start).astype(np.float64))

    def sums(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Return for each link the sum of its words' weights: all a linear model needs.

        `weights` has a row for every word number, of one value or of several.

        >>> owner, start, stop = np.array([[0, 2], [0, 1], [2, 4]], np.int32)
        >>> bag = Bag(np.array([3, 1, 4, 1], np.int32), owner, start, stop, size=3)
        >>> bag.sums(np.array([0.0, 10.0, 0.0, 1.0, 5.0]))
        array([11.,  0., 25.])
        """
        return self.sums_by(lambda tokens: weights.take(tokens, axis=0))

    def sums_by(self, look_up: Callable[[Ints], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the sums of weights that `look_up` returns, a row for each word number."""
        lengths = self.stop - self.start
        total = int(lengths.sum())
        if 2 * total >= len(self.tokens):
            return self.sums_of(prefix_sums(look_up(self.tokens)))
        ends = lengths.cumsum()
        index = np.repeat(self.start - (ends - lengths), lengths)
        index += np.arange(total)
        # `take` is three times as fast as indexing.
        prefix = prefix_sums(look_up(self.tokens.take(index)))
        return self._by_owner(prefix.take(ends, axis=0) - prefix.take(ends - lengths, axis=0))

    def sums_of(self, prefix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums, given the `prefix_sums` of the weights of all `tokens`."""
        return self._by_owner(prefix.take(self.stop, axis=0) - prefix.take(self.start, axis=0))

    def _by_owner(self, parts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the values of the ranges of each link."""
        if self.rounds == 1:
            return parts
        if self.rounds:
            return np.asarray(parts.reshape(self.rounds, self.size, *parts.shape[1:]).sum(axis=0))
        columns = parts.reshape(len(parts), prod(parts.shape[1:])).T
        sums = np.empty((self.size, len(columns)))
        for k, column in enumerate(columns):
            sums[:, k] = np.bincount(self.owner, column, self.size)
        return sums.reshape(self.size, *parts.shape[1:])

    def counts(self, values: NDArray[Any], words: int) -> NDArray[np.float64]:
        """Return for each of `words` word numbers the sum of the values of the links that have it.

        The transpose of `sums`: with values that are 0 or 1 it counts words by
        class, whatever the width of the bags, in one pass over the words.

        >>> owner, start, stop = np.array([[0, 2], [0, 1], [2, 4]], np.int32)
        >>> bag = Bag(np.array([3, 1, 4, 1], np.int32), owner, start, stop, size=3)
        >>> bag.counts(np.array([1.0, 0.0, 1.0]), words=5)
        array([0., 3., 0., 1., 1.])
        """
        columns = []
        for column in values.reshape(self.size, prod(values.shape[1:])).T:
            size, owned = len(self.tokens) + 1, column[self.owner]
            steps = np.bincount(self.start, owned, size) - np.bincount(self.stop, owned, size)
            columns.append(np.bincount(self.tokens, np.cumsum(steps)[:-1], words))
        return np.stack(columns, axis=-1).astype(np.float64).reshape(words, *values.shape[1:])

    def _is_sparse(self) -> bool:
        """Return whether all ranges together are shorter than `tokens`."""
        return int((self.stop - self.start).sum()) < len(self.tokens)

    def _compact(self) -> Bag:
        if not self._is_sparse():
            return self
        offsets, tokens = self.rows()
        every = np.arange(self.size, dtype=np.int32)
        return Bag(tokens, every, offsets[:-1], offsets[1:], self.size, 1)

    @classmethod
    def joined(cls, bags: Iterable[Bag]) -> Bag:
        """Return the bags of several pages as one: their links follow each other."""
        parts = [bag._compact() for bag in bags]
        words = np.cumsum([0, *(len(bag.tokens) for bag in parts)])
        links = np.cumsum([0, *(bag.size for bag in parts)])
        return cls(
            _concatenate([bag.tokens for bag in parts]),
            _concatenate([bag.owner + n for bag, n in zip(parts, links, strict=False)]),
            _concatenate([bag.start + n for bag, n in zip(parts, words, strict=False)]),
            _concatenate([bag.stop + n for bag, n in zip(parts, words, strict=False)]),
            int(links[-1]),
        )

    def rows(self) -> tuple[NDArray[np.int64], Ints]:
        """Return `offsets` and `tokens` with link i at `tokens[offsets[i]:offsets[i + 1]]`."""
        order = np.argsort(self.owner, kind="stable")
        lengths = (self.stop - self.start)[order].astype(np.int64)
        ends = np.cumsum(lengths)
        index = np.repeat(self.start[order] - (ends - lengths), lengths)
        index += np.arange(len(index))
        offsets = np.zeros(self.size + 1, np.int64)
        last = np.searchsorted(self.owner[order], np.arange(self.size), side="right")
        offsets[1:] = np.concatenate(([0], ends))[last]
        return offsets, self.tokens[index]


def prefix_sums(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the sums of the first 0, 1, 2, … rows."""
    sums = np.zeros((len(values) + 1, *values.shape[1:]))
    np.cumsum(values, axis=0, out=sums[1:])
    return sums


def _concatenate(parts: list[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else NO_INTS


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """The words of a page and the positions of its links among them.

    `tokens` are the numbers of the page's words in reading order, the
    `title_size` words of the title first. `title` is the title as it stands, for
    people; empty where only its words are known.

    Heading h is the words `head_start[h]:head_stop[h]`; `head_above[h]` is the
    heading of a higher level above it, or -1, so that the headings above a link
    form a chain.

    Links are numbered as in `Page.targets`; link i has the DOM tag path
    `paths[i]`, and the words of its URL are `url_start[i]:url_stop[i]` of
    `url_tokens`. Several anchors may lead to one target: occurrence k belongs
    to link `owner[k]`, its anchor is the words `start[k]:stop[k]`, and it is
    under heading `heading[k]` (-1: none).
    """

    tokens: Ints = field(default_factory=_no_ints)
    title_size: int = 0
    title: str = ""
    head_start: Ints = field(default_factory=_no_ints)
    head_stop: Ints = field(default_factory=_no_ints)
    head_above: Ints = field(default_factory=_no_ints)
    paths: Ints = field(default_factory=_no_ints)
    url_tokens: Ints = field(default_factory=_no_ints)
    url_start: NDArray[Any] = field(default_factory=_no_ints)
    url_stop: NDArray[Any] = field(default_factory=_no_ints)
    owner: Ints = field(default_factory=_no_ints)
    start: Ints = field(default_factory=_no_ints)
    stop: Ints = field(default_factory=_no_ints)
    heading: Ints = field(default_factory=_no_ints)

    def bag(self, name: str, near: int = NEAR) -> Bag:
        """Return one bag of every link; `near` is the width of the bag of that name.

        The bag `path` holds the number of the link's tag path in `Tables.paths`.
        """
        size = len(self.paths)
        match name:
            case "anchor":
                return Bag(self.tokens, self.owner, self.start, self.stop, size, self._rounds)
            case "near":
                return self._near(near)
        every = np.arange(size, dtype=np.int32)
        match name:
            case "url":
                return Bag(self.url_tokens, every, self.url_start, self.url_stop, size, 1)
            case "heads":
                return self._heads(every)
            case "path":
                return Bag(self.paths, every, every, every + np.int32(1), size, 1)
            case "page":
                zeros = np.zeros(size, np.int32)
                return Bag(self.tokens, every, zeros, zeros + np.int32(len(self.tokens)), size, 1)
        raise ValueError(f"a link has no bag {name!r}; it has path, {', '.join(BAGS)}")

    @property
    def _rounds(self) -> int:
        """1 if no link has a second anchor, else 0: links are numbered by their first anchors."""
        return int(len(self.owner) == len(self.paths))

    def _near(self, width: int) -> Bag:
        # The title's words come first in the array but are near no link.
        before = np.maximum(self.start - width, np.minimum(self.title_size, self.start))
        after = np.minimum(self.stop + width, len(self.tokens))
        return Bag(
            self.tokens,
            np.concatenate((self.owner, self.owner)),
            np.concatenate((before, self.stop)).astype(np.int32),
            np.concatenate((self.start, after)).astype(np.int32),
            len(self.paths),
            2 * self._rounds,
        )

    def _heads(self, every: Ints) -> Bag:
        size, count = len(every), len(self.head_start)
        if not count:
            zeros = np.zeros(size, np.int32)
            return Bag(self.tokens, every, zeros, zeros + np.int32(self.title_size), size, 1)
        owners: list[Ints] = []
        heads_above: list[Ints] = []
        links, heads = self.owner, self.heading
        while len(heads):
            under = heads >= 0
            if not under.all():
                links, heads = links[under], heads[under]
            owners.append(links)
            heads_above.append(heads)
            heads = self.head_above.take(heads)
        owner, heads = _concatenate(owners), _concatenate(heads_above)
        if len(self.owner) > size:
            # Two anchors of one link under one heading count it once.
            key = owner.astype(np.int64) * count + heads
            key.sort()
            is_new = np.ones(len(key), np.bool_)
            np.not_equal(key[1:], key[:-1], out=is_new[1:])
            key = key[is_new]
            owner = key // count
            heads = key - owner * count
        every_owner, start, stop = np.empty((3, size + len(heads)), np.int32)
        every_owner[:size], start[:size], stop[:size] = every, 0, self.title_size
        every_owner[size:] = owner
        start[size:], stop[size:] = self.head_start.take(heads), self.head_stop.take(heads)
        return Bag(self.tokens, every_owner, start, stop, size)


NOTHING = Content()
"""The content of a page without any."""
