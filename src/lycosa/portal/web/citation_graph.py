"""Layout of a citation graph: time runs from left to right, citations point to the left.

Each year has a column. The order within columns follows the barycentre method
of Sugiyama, Tagawa & Toda (1981), which places works near those they are
linked to. The layout is deterministic.

>>> from lycosa.portal.records import Work
>>> old, new = Work("w1", "paper", "Old", year=1990), Work("w2", "paper", "New", year=1997)
>>> graph = layout_graph("w2", [new, old], [("w2", "w1")])
>>> [(node.label, node.x) for node in graph.nodes], graph.columns
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

COLUMN_WIDTH, ROW_HEIGHT, TOP_MARGIN = 144, 58, 44
MAX_COLUMNS = 8
"""More would not fit on a screen: neighbouring years then share a column."""
ROUNDS = 12
"""Sweeps of the barycentre method."""
COLUMN_SHIFTS = (0.0, 0.9, -0.8, 1.5, -1.4, 0.5)
"""Vertical shift of a column in rows, by its distance from the column of the centre."""
MIN_RADIUS, MAX_RADIUS = 6.0, 18.0
MAX_NAME_LENGTH = 14
"""Characters of a family name in a label."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A work in the graph, drawn as a circle around (x, y)."""

    work: Work
    x: int
    y: int
    radius: float
    """Grows with the root of the number of citations, in pixels."""
    label: str
    """First author and year."""
    centre: bool
    """Whether the graph was drawn around this work."""


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A citation: a line from the citing work to the cited one."""

    citing: str
    cited: str
    path: str
    """The line as path data of SVG."""


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """The nodes, edges and columns to draw, and the width and height of the image in pixels."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    columns: list[tuple[int, str]]
    """The x position and the label of each column."""
    width: int
    height: int


def layout_graph(
    centre: str, works: Sequence[Work], edges: Sequence[tuple[str, str]]
) -> GraphLayout:
    """Lay out works around a central one, with the citations among them as (citing, cited)."""
    names = {work.id for work in works}
    edges = [(citing, cited) for citing, cited in edges if {citing, cited} <= names]
    neighbours = _neighbours(works, edges)
    years = _years(works, neighbours)
    columns = _columns(works, years)
    order = _order(centre, works, columns, neighbours)
    positions, height = _positions(centre, order)
    most = max((work.cited_by for work in works), default=0) or 1
    nodes = []
    for work in works:
        radius = MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * sqrt(work.cited_by / most)
        label, is_centre = _label(work), work.id == centre
        nodes.append(GraphNode(work, *positions[work.id], round(radius, 1), label, is_centre))
    radii = {node.work.id: node.radius for node in nodes}
    return GraphLayout(
        nodes,
        [GraphEdge(a, b, _path(positions[a], positions[b], radii[b])) for a, b in edges],
        [
            (column * COLUMN_WIDTH + COLUMN_WIDTH // 2, _span({years[one] for one in ids}))
            for column, ids in enumerate(order)
        ],
        max(len(order), 1) * COLUMN_WIDTH,
        height,
    )


def _neighbours(works: Sequence[Work], edges: Sequence[tuple[str, str]]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {work.id: [] for work in works}
    for citing, cited in edges:
        found[citing].append(cited)
        found[cited].append(citing)
    return found


def _years(works: Sequence[Work], neighbours: Mapping[str, list[str]]) -> dict[str, int]:
    """Return the year of each work; if unknown, the median of its neighbours' years."""
    known = {work.id: work.year for work in works if work.year is not None}
    default = median_low(known.values()) if known else 0
    return {
        work.id: known[work.id]
        if work.id in known
        else median_low([known[one] for one in neighbours[work.id] if one in known] or [default])
        for work in works
    }


def _columns(works: Sequence[Work], years: Mapping[str, int]) -> list[list[str]]:
    """Group works by year; of too many years, merge the neighbours with the fewest works."""
    by_year: dict[int, list[str]] = defaultdict(list)
    for work in works:
        by_year[years[work.id]].append(work.id)
    found = [by_year[year] for year in sorted(by_year)]
    while len(found) > MAX_COLUMNS:
        sizes = [len(a) + len(b) for a, b in pairwise(found)]
        least = sizes.index(min(sizes))
        found[least : least + 2] = [found[least] + found[least + 1]]
    return found


def _order(
    centre: str,
    works: Sequence[Work],
    columns: Sequence[Sequence[str]],
    neighbours: Mapping[str, list[str]],
) -> list[list[str]]:
    """Order each column so that linked works are at similar heights and lines stay short."""
    cited_by = {work.id: work.cited_by for work in works}
    order = [sorted(column, key=lambda one: (-cited_by[one], one)) for column in columns]
    for _ in range(ROUNDS):
        height = {
            one: row - (len(column) - 1) / 2 for column in order for row, one in enumerate(column)
        }

        def pull(one: str, height: Mapping[str, float] = height) -> tuple[float, str]:
            heights = [height[other] for other in neighbours[one] if other != centre]
            return (mean(heights) if heights else height[one], one)

        order = [sorted(column, key=pull) for column in order]
    for column in order:
        if centre in column:  # in the middle, where readers look first
            column.remove(centre)
            column.insert((len(column) + 1) // 2, centre)
    return order


def _positions(
    centre: str, order: Sequence[Sequence[str]]
) -> tuple[dict[str, tuple[int, int]], int]:
    """Return the position of each work and the height; shifts let lines pass between works."""
    middle = next((k for k, column in enumerate(order) if centre in column), 0)
    shifts = [COLUMN_SHIFTS[abs(k - middle) % len(COLUMN_SHIFTS)] for k in range(len(order))]
    heights = {
        one: round((row - len(column) / 2 + 0.5 + shift) * ROW_HEIGHT)
        for column, shift in zip(order, shifts, strict=True)
        for row, one in enumerate(column)
    }
    least, most = min(heights.values(), default=0), max(heights.values(), default=0)
    positions = {
        one: (
            k * COLUMN_WIDTH + COLUMN_WIDTH // 2,
            TOP_MARGIN + ROW_HEIGHT // 3 + heights[one] - least,
        )
        for k, column in enumerate(order)
        for one in column
    }
    return positions, TOP_MARGIN + ROW_HEIGHT + most - least


def _label(work: Work) -> str:
    """Return a short label: the family name of the first author, and the year."""
    family = work.byline.partition(",")[0].rpartition(" ")[2]
    name = family if len(family) <= MAX_NAME_LENGTH else f"{family[: MAX_NAME_LENGTH - 1]}…"
    year = str(work.year) if work.year is not None else ""
    return f"{name} {year}".strip() or work.title[:16] or "untitled"


def _span(years: set[int]) -> str:
    first, last = min(years), max(years)
    if not last:
        return "no year"
    return str(first) if first == last else f"{first}-{last}"


def _path(start: tuple[int, int], end: tuple[int, int], radius: float) -> str:
    """Return a curve that avoids the works in between and ends at the edge of a circle."""
    (ax, ay), (bx, by) = start, end
    if ax == bx:  # in one column: around the works in between
        side = ax - COLUMN_WIDTH // 3
        return f"M{ax} {ay}C{side} {ay} {side} {by} {bx - radius - 3:.0f} {by}"
    turn = 1 if bx < ax else -1
    middle = (ax + bx) // 2
    return f"M{ax} {ay}C{middle} {ay} {middle} {by} {bx + turn * (radius + 3):.0f} {by}"
