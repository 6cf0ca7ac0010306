"""The plan of a generated site, and its number space: consecutive sections of pages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from lycosa.errors import UsageError

Part: TypeAlias = tuple[str, Sequence[int]]
"""One part of a page: the role of its links, and the numbers of their targets."""

MIN_PAGES = 100
"""The pages of the smallest site: with fewer it would lack sections."""
MAX_PAGES = 10_000_000
"""The pages of the largest site."""

ENTRIES_PER_PAGE = 30
"""The number of entries on one page of a list."""

BRANCHING = 6
"""The number of further pages that one page of a list, or of a manual, links to."""


class Layout:
    """Named sections of the numbers 0..size-1; `sizes` has their sizes in order.

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
        """Return the section of a number, and its index in the section."""
        if not 0 <= number < len(self):
            raise UsageError(f"There is no page {number}: this site has {len(self):,} pages.")
        section = bisect_right(self._starts, number) - 1
        return self._names[section], number - self._starts[section]

    def number(self, name: str, index: int) -> int:
        """Return the number of the `index`-th page of a section."""
        return self.starts[name] + index

    def range(self, name: str) -> range:
        """Return all numbers of a section."""
        start = self.starts[name]
        return range(start, start + self.sizes[name])


class UnnumberedPage(NamedTuple):
    """A page without a number: one of the endless pages of a trap."""

    like: int
    """The number of the page that it imitates."""
    title: str
    """Its title and heading."""
    previous: str
    """The path of the page before it."""
    next: str
    """The path of the page after it."""


class Plan(Protocol):
    """The structure of a site of some family, without any wording."""

    family: str
    """The name of the family: "departments" or "organisations"."""
    goals: tuple[str, ...]
    """The names of the goals whose targets the site has."""
    layout: Layout
    """The sections of the page numbers."""
    seed: int
    """The seed of all random choices of the site."""

    def path(self, number: int) -> str:
        """Return the path of a page's URL, with its query."""

    def locate(self, path: str) -> int | None:
        """Return the page of a path, directly or through a redirect; None if there is none."""

    def alias(self, number: int) -> str | None:
        """Return a path that redirects to the page, or None."""

    def outline(self, number: int) -> list[Part]:
        """Return the parts of a page between its menus, in reading order."""

    def style(self, number: int) -> int:
        """Return the template of a page."""

    def menu(self, number: int) -> Sequence[int]:
        """Return the pages that the menu of a page links to."""

    def kind(self, number: int) -> str:
        """Return the kind of a page."""

    def type(self, number: int) -> str:
        """Return the media type of a page."""

    def wanted(self, goal: str) -> range:
        """Return the pages that a goal rewards."""

    def next_unnumbered_path(self, number: int) -> str | None:
        """Return the path after the last numbered page of an endless sequence, or None."""

    def unnumbered_page(self, path: str) -> UnnumberedPage | None:
        """Return the page of an endless sequence that a path names, if it has no number."""


class PagedList:
    """A list over several pages, which link to each other as a tree, so that none is deep.

    `start` is the number of the list's first page, `first` the number of the
    first entry and `items` the number of entries.
    """

    __slots__ = ("first", "items", "pages", "start")

    def __init__(self, start: int, first: int, items: int) -> None:
        self.start = start
        self.first = first
        self.items = items
        self.pages = pages_of(items)

    def entries(self, index: int) -> range:
        """Return the numbers of the entries on one page of the list."""
        begin = index * ENTRIES_PER_PAGE
        return range(self.first + begin, self.first + min(begin + ENTRIES_PER_PAGE, self.items))

    def more(self, index: int) -> list[int]:
        """Return the other pages of the list that one page links to."""
        begin = index * BRANCHING + 1
        others = list(range(self.start + begin, self.start + min(begin + BRANCHING, self.pages)))
        if index + 1 < self.pages:
            others.append(self.start + index + 1)
        if index:
            others.append(self.start + index - 1)
        return others


def pages_of(items: int) -> int:
    """Return the number of pages of a list."""
    return max(1, -(-items // ENTRIES_PER_PAGE))


def children(index: int, size: int, fan: int, roots: int = 1) -> range:
    """Return the children of a node in a tree that is numbered level by level."""
    begin = index * fan + roots
    return range(min(begin, size), min(begin + fan, size))


def check_size(pages: int) -> None:
    """Refuse a site that is too small to have every section, or too large."""
    if not MIN_PAGES <= pages <= MAX_PAGES:
        raise UsageError(f"A generated site has {MIN_PAGES} to {MAX_PAGES:,} pages, not {pages:,}.")


def style_of(styles: Sequence[int], code: int) -> int:
    """Return a random style of those that a site uses."""
    return styles[(code >> 17) % len(styles)]


Outliner: TypeAlias = Callable[[int], list[Part]]
"""Returns the outline of the `index`-th page of a section."""
