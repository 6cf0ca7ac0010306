"""The number space of a site: sections side by side, each a run of numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from lycosa.errors import UsageError

Part: TypeAlias = tuple[str, Sequence[int]]
"""One part of a page: the role of its links and the numbers they lead to."""

SMALLEST = 100
LARGEST = 10_000_000

ENTRIES = 30
"""How many things one page of a long list shows."""

FAN = 6
"""How many further pages of a long list, or of a manual, one page leads to."""


class Layout:
    """Named sections of the numbers 0..size-1.

    >>> layout = Layout({"front": 1, "people": 5, "papers": 10})
    >>> layout.where(3), layout.number("papers", 2), len(layout)
    (('people', 2), 8, 16)
    """

    __slots__ = ("_names", "_starts", "sizes", "starts")

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = dict(sizes)
        self.starts: dict[str, int] = {}
        total = 0
        for name, size in sizes.items():
            self.starts[name] = total
            total += size
        self.starts["end"] = total
        filled = [(self.starts[name], name) for name, size in sizes.items() if size]
        self._starts = [start for start, _ in filled]
        self._names = [name for _, name in filled]

    def __len__(self) -> int:
        return self.starts["end"]

    def where(self, number: int) -> tuple[str, int]:
        """The section of a number and its place there."""
        if not 0 <= number < len(self):
            raise UsageError(f"There is no page {number}: this site has {len(self):,} pages.")
        place = bisect_right(self._starts, number) - 1
        return self._names[place], number - self._starts[place]

    def number(self, name: str, index: int) -> int:
        """The number of the `index`-th page of a section."""
        return self.starts[name] + index

    def range(self, name: str) -> range:
        """All numbers of a section."""
        start = self.starts[name]
        return range(start, start + self.sizes[name])


class Beyond(NamedTuple):
    """A page without a number: one of those that a trap has no end of."""

    like: int
    """The page with a number that it looks like."""
    title: str
    previous: str
    next: str


class Plan(Protocol):
    """What a site of some family is made of, before any word is written."""

    family: str
    goals: tuple[str, ...]
    layout: Layout
    seed: int

    def path(self, number: int) -> str:
        """The path of a page's URL, with its query."""

    def locate(self, path: str) -> int | None:
        """The page that a path leads to, if need be through a redirect."""

    def alias(self, number: int) -> str | None:
        """Another path, which redirects to the page."""

    def outline(self, number: int) -> list[Part]:
        """The parts of a page between its menus, in reading order."""

    def style(self, number: int) -> int:
        """The template of a page."""

    def menu(self, number: int) -> Sequence[int]:
        """The pages that the menu of a page leads to."""

    def kind(self, number: int) -> str:
        """What kind of page it is."""

    def type(self, number: int) -> str:
        """The media type of a page."""

    def wanted(self, goal: str) -> range:
        """The pages that a goal rewards."""

    def after(self, number: int) -> str | None:
        """The path of the page that follows the last numbered one of an endless row."""

    def beyond(self, path: str) -> Beyond | None:
        """A page of an endless row that has no number any more."""


class Listing:
    """A list too long for one page: its pages form a tree, so none is far away."""

    __slots__ = ("first", "items", "pages", "start")

    def __init__(self, start: int, first: int, items: int) -> None:
        self.start = start
        self.first = first
        self.items = items
        self.pages = pages_of(items)

    def entries(self, index: int) -> range:
        """The numbers of the things that one page of the list shows."""
        begin = index * ENTRIES
        return range(self.first + begin, self.first + min(begin + ENTRIES, self.items))

    def more(self, index: int) -> list[int]:
        """The other pages of the list that one page leads to."""
        begin = index * FAN + 1
        others = list(range(self.start + begin, self.start + min(begin + FAN, self.pages)))
        if index + 1 < self.pages:
            others.append(self.start + index + 1)
        if index:
            others.append(self.start + index - 1)
        return others


def pages_of(items: int) -> int:
    """How many pages a list needs."""
    return max(1, -(-items // ENTRIES))


def children(index: int, size: int, fan: int, roots: int = 1) -> range:
    """The places below a place in a tree laid out level by level."""
    begin = index * fan + roots
    return range(min(begin, size), min(begin + fan, size))


def check_size(pages: int) -> None:
    """Refuse a site that is too small to have everything, or too large."""
    if not SMALLEST <= pages <= LARGEST:
        raise UsageError(
            f"A generated site has {SMALLEST} to {LARGEST:,} pages; {pages:,} cannot be made."
        )


def style_of(styles: Sequence[int], code: int) -> int:
    """A style by chance from the ones a site uses."""
    return styles[(code >> 17) % len(styles)]


Outliner: TypeAlias = Callable[[int], list[Part]]
