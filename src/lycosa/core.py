"""The nouns of Lycosa. Read this file first.

A crawl asks a `Policy` how much each link of a page is worth, follows the best
one, and is told by a `Goal` what the page that came back was worth. Everything
else in the package makes these objects or consumes them.

Two ideas keep it fast:

* **Everything is numbered.** Words, URLs and tag paths are strings in a
  `Table`; pages and links hold their numbers in arrays.
* **A bag of words is a set of ranges.** The words of a page are one array of
  word numbers in reading order. The anchor of a link, the words near it and
  the headings above it are ranges of that array, so no bag is ever copied, and
  a linear model scores all links of a page by one prefix sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float32]

BAGS = ("anchor", "url", "near", "heads", "page")
"""The bags every link carries; `near` takes a width."""

NEAR = 10
"""How many words before and after a link are `near` unless the caller says."""

NO_INTS: Ints = np.empty(0, np.int32)
NO_INTS.setflags(write=False)


def _no_ints() -> Ints:
    return NO_INTS


class Strings(Protocol):
    """Strings with numbers: what `Table` and its stored twin have in common."""

    def __len__(self) -> int: ...
    def __getitem__(self, number: int, /) -> str: ...
    def find(self, text: str, /) -> int | None: ...


class Table:
    """A growing list of distinct strings, each known by its number.

    >>> words = Table()
    >>> words.number("spider"), words.number("web"), words.number("spider")
    (0, 1, 0)
    >>> words[1], words.find("fly")
    ('web', None)
    """

    __slots__ = ("_numbers", "_strings")

    def __init__(self, strings: Iterable[str] = ()) -> None:
        self._strings: list[str] = list(strings)
        self._numbers: dict[str, int] = {s: n for n, s in enumerate(self._strings)}

    def __len__(self) -> int:
        return len(self._strings)

    def __getitem__(self, number: int, /) -> str:
        return self._strings[number]

    def __iter__(self) -> Iterator[str]:
        return iter(self._strings)

    def find(self, text: str, /) -> int | None:
        """The number of a string, or None if it has none yet."""
        return self._numbers.get(text)

    def number(self, text: str, /) -> int:
        """The number of a string, given now if it had none."""
        number = self._numbers.setdefault(text, len(self._strings))
        if number == len(self._strings):
            self._strings.append(text)
        return number

    def numbers(self, texts: Iterable[str], /) -> list[int]:
        """The numbers of many strings at once."""
        known = self._numbers
        strings = self._strings
        result = []
        for text in texts:
            number = known.get(text)
            if number is None:
                number = known[text] = len(strings)
                strings.append(text)
            result.append(number)
        return result


class Tables(NamedTuple):
    """The three tables that the numbers in a page refer to."""

    words: Strings
    urls: Strings
    paths: Strings


@dataclass(frozen=True, slots=True, eq=False)
class Bag:
    """One bag of words for each of a batch of links, as ranges of an array.

    Range k, `tokens[start[k]:stop[k]]`, belongs to link `owner[k]`; a link may
    own several ranges or none. `size` is the number of links.
    """

    tokens: Ints
    owner: Ints
    start: Ints
    stop: Ints
    size: int

    def sums(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """For each link the sum of its words' weights: all a linear model needs.

        >>> bag = Bag(np.array([3, 1, 4, 1], np.int32), *np.array([[0, 2], [0, 1], [2, 4]], np.int32), 3)
        >>> bag.sums(np.array([0.0, 10.0, 0.0, 1.0, 5.0]))
        array([11.,  0., 25.])
        """
        if int((self.stop - self.start).sum()) < len(self.tokens):
            offsets, tokens = self.rows()
            prefix = np.zeros(len(tokens) + 1)
            np.cumsum(weights[tokens], out=prefix[1:])
            return prefix[offsets[1:]] - prefix[offsets[:-1]]
        prefix = np.zeros(len(self.tokens) + 1)
        np.cumsum(weights[self.tokens], out=prefix[1:])
        parts = prefix[self.stop] - prefix[self.start]
        return np.bincount(self.owner, weights=parts, minlength=self.size)

    def rows(self) -> tuple[NDArray[np.int64], Ints]:
        """The same bags written out: link i has `tokens[offsets[i]:offsets[i + 1]]`."""
        order = np.argsort(self.owner, kind="stable")
        lengths = (self.stop - self.start)[order].astype(np.int64)
        ends = np.cumsum(lengths)
        index = np.repeat(self.start[order] - (ends - lengths), lengths)
        index += np.arange(len(index))
        offsets = np.zeros(self.size + 1, np.int64)
        last = np.searchsorted(self.owner[order], np.arange(self.size), side="right")
        offsets[1:] = np.concatenate(([0], ends))[last]
        return offsets, self.tokens[index]


@dataclass(frozen=True, slots=True)
class Link:
    """One link as a person wants to see it: strings instead of numbers."""

    source: str
    target: str
    path: str
    bags: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Headings:
    """The headings of a page in order: a range of its words and the one above.

    `above[k]` is the heading of a higher level that heading k stands under, or
    -1, so that the headings above a link are a chain.
    """

    start: Ints = field(default_factory=_no_ints)
    stop: Ints = field(default_factory=_no_ints)
    above: Ints = field(default_factory=_no_ints)


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """All links of one page, one per target, in the order of first occurrence.

    `targets` are URL numbers, `paths` the numbers of the DOM tag paths. Several
    anchors may lead to one target: occurrence k belongs to link `owner[k]`, its
    anchor is the words `start[k]:stop[k]` of the page, and it stands under
    heading `heading[k]` (-1: none). The words of the target URLs are the ranges
    `url_start:url_stop` of `url_tokens`.
    """

    targets: Ints = field(default_factory=_no_ints)
    paths: Ints = field(default_factory=_no_ints)
    owner: Ints = field(default_factory=_no_ints)
    start: Ints = field(default_factory=_no_ints)
    stop: Ints = field(default_factory=_no_ints)
    heading: Ints = field(default_factory=_no_ints)
    url_tokens: Ints = field(default_factory=_no_ints)
    url_start: NDArray[Any] = field(default_factory=_no_ints)
    url_stop: NDArray[Any] = field(default_factory=_no_ints)

    def __len__(self) -> int:
        return len(self.targets)


NO_LINKS = Links()
NO_HEADINGS = Headings()


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """What came back for one URL, as the policies and goals see it.

    `tokens` are the numbers of its words in reading order, the title's
    `title_size` words first. A failed fetch is a page with an `error`, the
    fault's name, and no words.
    """

    url: str
    number: int
    tables: Tables
    status: int = 200
    type: str = "text/html"
    error: str | None = None
    tokens: Ints = field(default_factory=_no_ints)
    title_size: int = 0
    headings: Headings = NO_HEADINGS
    links: Links = NO_LINKS

    @property
    def title(self) -> str:
        """The words of the title, in lower case."""
        return self._words(self.tokens[: self.title_size])

    @property
    def text(self) -> str:
        """All words of the page, title first, in lower case."""
        return self._words(self.tokens)

    def _words(self, tokens: Ints) -> str:
        words = self.tables.words
        return " ".join([words[n] for n in tokens.tolist()])

    def bag(self, name: str, near: int = NEAR) -> Bag:
        """One bag of words of every link; `near` is the width of that bag."""
        links = self.links
        size = len(links)
        every = np.arange(size, dtype=np.int32)
        match name:
            case "anchor":
                return Bag(self.tokens, links.owner, links.start, links.stop, size)
            case "url":
                return Bag(links.url_tokens, every, links.url_start, links.url_stop, size)
            case "near":
                # The title's words come first in the array but stand near nothing.
                first, last = self.title_size, len(self.tokens)
                before = np.maximum(links.start - near, np.minimum(first, links.start))
                after = np.minimum(links.stop + near, last)
                return Bag(
                    self.tokens,
                    np.concatenate((links.owner, links.owner)),
                    np.concatenate((before, links.stop)),
                    np.concatenate((links.start, after)),
                    size,
                )
            case "heads":
                return self._heads(every)
            case "page":
                zeros = np.zeros(size, np.int32)
                return Bag(self.tokens, every, zeros, zeros + np.int32(len(self.tokens)), size)
        raise ValueError(f"a link has no bag {name!r}; it has {', '.join(BAGS)}")

    def _heads(self, every: Ints) -> Bag:
        size, heads = len(every), self.headings
        owner = [every]
        start = [np.zeros(size, np.int32)]
        stop = [np.full(size, self.title_size, np.int32)]
        # Two anchors of one link under one heading see it once.
        pairs = np.unique(np.stack((self.links.owner, self.links.heading)), axis=1)
        while True:
            pairs = pairs[:, pairs[1] >= 0]
            if not pairs.shape[1]:
                break
            owner.append(pairs[0])
            start.append(heads.start[pairs[1]])
            stop.append(heads.stop[pairs[1]])
            pairs = np.unique(np.stack((pairs[0], heads.above[pairs[1]])), axis=1)
        return Bag(self.tokens, np.concatenate(owner), np.concatenate(start), np.concatenate(stop), size)

    def link(self, index: int, near: int = NEAR) -> Link:
        """Link number `index` of the page with its bags as words."""
        words = self.tables.words
        bags = {}
        for name in BAGS:
            offsets, tokens = self.bag(name, near).rows()
            bags[name] = tuple(words[n] for n in tokens[offsets[index] : offsets[index + 1]].tolist())
        return Link(
            self.url,
            self.tables.urls[int(self.links.targets[index])],
            self.tables.paths[int(self.links.paths[index])],
            bags,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One request of a crawl: the n-th, what came back, and what it was worth.

    `source` is the number of the page whose link was followed (-1: a seed) and
    `score` what the policy had said of it.
    """

    n: int
    page: Page
    reward: float
    source: int = -1
    score: float = float("inf")


@dataclass(frozen=True, slots=True)
class Budget:
    """When to stop; None is no limit."""

    pages: int | None = None
    targets: int | None = None
    seconds: float | None = None


class Scores(NamedTuple):
    """New scores for links that wait: URL numbers and what they are worth now."""

    numbers: NDArray[Any]
    values: NDArray[Any]


@runtime_checkable
class Goal(Protocol):
    """What is wanted: a page's reward, 0 for a page that is not a target."""

    @property
    def name(self) -> str: ...
    def __call__(self, page: Page, /) -> float: ...


@runtime_checkable
class Policy(Protocol):
    """Which link to follow next, said as a score for every link.

    The crawl calls `start` once, then for every page first `observe` and, if it
    has links, `score`. Scores are compared across the whole crawl, higher
    first; a link that waits keeps the best score it was ever given, unless
    `observe` returns new `Scores`, which replace the old.
    """

    @property
    def name(self) -> str: ...
    def start(self, budget: Budget, /) -> None: ...
    def observe(self, step: Step, /) -> Scores | None: ...
    def score(self, page: Page, /) -> NDArray[Any]: ...


@runtime_checkable
class Site(Protocol):
    """A recorded or computed web site: every URL has a number and a page."""

    @property
    def name(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def seeds(self) -> Ints: ...
    @property
    def goals(self) -> Sequence[str]: ...
    @property
    def tables(self) -> Tables: ...
    def __len__(self) -> int: ...
    def page(self, number: int, /) -> Page: ...
    def targets_of(self, number: int, /) -> Ints: ...
    def wanted(self, goal: str, /) -> Ints: ...
