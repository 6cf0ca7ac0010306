"""The citations around a work as a picture: time goes from left to right, citations to the left.

Each year has a column; within a column works stand near those they are joined
to, by the barycentres of Sugiyama, Tagawa & Toda 1981. Nothing is left to
chance, so the same works make the same picture.

>>> from lycosa.portal.records import Work
>>> old, new = Work("w1", "paper", "Old", year=1990), Work("w2", "paper", "New", year=1997)
>>> picture = layout_graph("w2", [new, old], [("w2", "w1")])
>>> [(node.label, node.x) for node in picture.nodes], picture.columns
([('1997', 216), ('1990', 72)], [(72, '1990'), (216, '1997')])
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from statistics import mean, median_low

from lycosa.portal.records import Work

COLUMN, ROW, TOP = 144, 58, 44
_COLUMNS = 8  # more would not fit on a screen: neighbouring years share one then
_ROUNDS = 12
_SHIFTS = (0.0, 0.9, -0.8, 1.5, -1.4, 0.5)  # in rows, by how far from the column of the centre
_SMALL, _LARGE = 6.0, 18.0


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A work in the picture."""

    work: Work
    x: int
    y: int
    radius: float
    label: str
    centre: bool


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A citation: a line from the work that cites to the one that is cited."""

    citing: str
    cited: str
    path: str


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """All that is drawn, and how large it is."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    columns: list[tuple[int, str]]
    width: int
    height: int


def layout_graph(
    centre: str, works: Sequence[Work], edges: Sequence[tuple[str, str]]
) -> GraphLayout:
    """Lay out works and the citations among them."""
    names = {work.id for work in works}
    edges = [(citing, cited) for citing, cited in edges if {citing, cited} <= names]
    joined = _joined(works, edges)
    years = _years(works, joined)
    columns = _columns(works, years)
    order = _ordered(centre, works, columns, joined)
    places, height = _places(centre, order)
    most = max((work.cited_by for work in works), default=0) or 1
    nodes = []
    for work in works:
        radius = _SMALL + (_LARGE - _SMALL) * sqrt(work.cited_by / most)
        label, is_centre = _label(work), work.id == centre
        nodes.append(GraphNode(work, *places[work.id], round(radius, 1), label, is_centre))
    radii = {node.work.id: node.radius for node in nodes}
    return GraphLayout(
        nodes,
        [GraphEdge(a, b, _path(places[a], places[b], radii[b])) for a, b in edges],
        [
            (column * COLUMN + COLUMN // 2, _span({years[one] for one in ids}))
            for column, ids in enumerate(order)
        ],
        max(len(order), 1) * COLUMN,
        height,
    )


def _joined(works: Sequence[Work], edges: Sequence[tuple[str, str]]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {work.id: [] for work in works}
    for citing, cited in edges:
        found[citing].append(cited)
        found[cited].append(citing)
    return found


def _years(works: Sequence[Work], joined: Mapping[str, list[str]]) -> dict[str, int]:
    """The year of each work; where it is not known, that of those it is joined to."""
    known = {work.id: work.year for work in works if work.year is not None}
    usual = median_low(known.values()) if known else 0
    return {
        work.id: known[work.id]
        if work.id in known
        else median_low([known[one] for one in joined[work.id] if one in known] or [usual])
        for work in works
    }


def _columns(works: Sequence[Work], years: Mapping[str, int]) -> list[list[str]]:
    """Works by year; if there are too many years, the emptiest neighbours are put together."""
    by_year: dict[int, list[str]] = defaultdict(list)
    for work in works:
        by_year[years[work.id]].append(work.id)
    found = [by_year[year] for year in sorted(by_year)]
    while len(found) > _COLUMNS:
        sizes = [len(a) + len(b) for a, b in pairwise(found)]
        least = sizes.index(min(sizes))
        found[least : least + 2] = [found[least] + found[least + 1]]
    return found


def _ordered(
    centre: str,
    works: Sequence[Work],
    columns: Sequence[Sequence[str]],
    joined: Mapping[str, list[str]],
) -> list[list[str]]:
    """Each column in an order that keeps lines short: what is joined is at one height."""
    cited_by = {work.id: work.cited_by for work in works}
    order = [sorted(column, key=lambda one: (-cited_by[one], one)) for column in columns]
    for _ in range(_ROUNDS):
        height = {
            one: row - (len(column) - 1) / 2 for column in order for row, one in enumerate(column)
        }

        def pull(one: str, height: Mapping[str, float] = height) -> tuple[float, str]:
            near = [height[other] for other in joined[one] if other != centre]
            return (mean(near) if near else height[one], one)

        order = [sorted(column, key=pull) for column in order]
    for column in order:
        if centre in column:  # in the middle, where a reader looks first
            column.remove(centre)
            column.insert((len(column) + 1) // 2, centre)
    return order


def _places(centre: str, order: Sequence[Sequence[str]]) -> tuple[dict[str, tuple[int, int]], int]:
    """Where each work stands; columns are shifted in turn, so that lines pass between works."""
    middle = next((k for k, column in enumerate(order) if centre in column), 0)
    shifts = [_SHIFTS[abs(k - middle) % len(_SHIFTS)] for k in range(len(order))]
    heights = {
        one: round((row - len(column) / 2 + 0.5 + shift) * ROW)
        for column, shift in zip(order, shifts, strict=True)
        for row, one in enumerate(column)
    }
    least, most = min(heights.values(), default=0), max(heights.values(), default=0)
    places = {
        one: (k * COLUMN + COLUMN // 2, TOP + ROW // 3 + heights[one] - least)
        for k, column in enumerate(order)
        for one in column
    }
    return places, TOP + ROW + most - least


def _label(work: Work) -> str:
    """What a work is called in few letters: the family name of who is first, and the year."""
    family = work.byline.partition(",")[0].rpartition(" ")[2]
    name = family if len(family) <= 14 else f"{family[:13]}…"
    year = str(work.year) if work.year is not None else ""
    return f"{name} {year}".strip() or work.title[:16] or "untitled"


def _span(years: set[int]) -> str:
    first, last = min(years), max(years)
    if not last:
        return "no year"
    return str(first) if first == last else f"{first}-{last}"


def _path(start: tuple[int, int], end: tuple[int, int], radius: float) -> str:
    """A line that bends, so that it does not run through works between; it ends at a circle."""
    (ax, ay), (bx, by) = start, end
    if ax == bx:  # of one year: around what stands between them
        side = ax - COLUMN // 3
        return f"M{ax} {ay}C{side} {ay} {side} {by} {bx - radius - 3:.0f} {by}"
    turn = 1 if bx < ax else -1
    middle = (ax + bx) // 2
    return f"M{ax} {ay}C{middle} {ay} {middle} {by} {bx + turn * (radius + 3):.0f} {by}"
