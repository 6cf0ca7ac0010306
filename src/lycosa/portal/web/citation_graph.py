"""Layout of a citation graph: a timeline with a row for each work.

Time runs from left to right on a linear axis; works whose year is not known are in
a lane of their own below. A row has one work, so labels never overlap. The work in
the centre is in the middle row, and the others are the farther above or below
the nearer they are in time, so that its citations fan out at different angles.
Horizontal positions are percentages: the drawing fits a phone as well as a screen
without a script. The layout is deterministic.

>>> from lycosa.portal.records import Work
>>> old, new = Work("w1", "paper", "Old", year=1990), Work("w2", "paper", "New", year=1997)
>>> graph = layout_graph("w2", [new, old, Work("w3", "cited", "Undated")], [("w2", "w1")])
>>> [(node.label, node.x, node.y) for node in graph.nodes]
[('1997', 94.0, 85), ('1990', 6.0, 55), ('Undated', 6.0, 145)]
>>> graph.ticks[0], graph.lane
((6.0, '1990'), 100)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import median_low

from lycosa.portal.message import Message
from lycosa.portal.records import Work

ROW_HEIGHT, TOP_MARGIN = 30, 40
"""In pixels at the scale 1; the axis is in the margin."""
FIRST_X, LAST_X = 6.0, 94.0
"""Where the axis begins and ends, in percent of the width."""
MAX_TICKS = 6
"""Years on the axis; more would not fit on a phone."""
TICK_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
RADII = (5, 7, 9, 11, 13)
"""Of circles, in pixels: the more a work is cited, the larger."""
MAX_NAME_LENGTH = 14
"""Characters of a family name in a label."""
SCALES = (1, 2, 3, 4)
"""By which the drawing can be enlarged."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A work in the graph, drawn as a circle around (x, y), with a label beside it."""

    work: Work
    x: float
    """In percent of the width."""
    y: int
    """In pixels."""
    size: int
    """The position of its radius in `RADII`."""
    label: str
    """First author and year."""
    centre: bool
    """Whether the graph was drawn around this work."""

    @property
    def radius(self) -> int:
        """Of its circle, in pixels."""
        return RADII[self.size]

    @property
    def is_left(self) -> bool:
        """Whether it is in the left half, so that the label has more room to its right."""
        return self.x < 50


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A citation: a line from the citing node to the cited one."""

    citing: GraphNode
    cited: GraphNode


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """The nodes and edges to draw, the axis, and the height of the image in pixels."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    ticks: list[tuple[float, str]]
    """Position and label of the years on the axis."""
    lane: int
    """Where the lane of works without a year begins, in pixels; the height if there is none."""
    height: int


def layout_graph(
    centre: str, works: Sequence[Work], edges: Sequence[tuple[str, str]], scale: int = 1
) -> GraphLayout:
    """Lay out works around a central one, with the citations among them as (citing, cited)."""
    dated = _order(centre, works)
    undated = sorted(
        (work for work in works if work.year is None), key=lambda work: (-work.cited_by, work.id)
    )
    row = ROW_HEIGHT * scale
    lane = TOP_MARGIN + row * len(dated)
    # One row more, for the title of the lane.
    rows = {work.id: number for number, work in enumerate(dated)}
    rows |= {work.id: len(dated) + 1 + number for number, work in enumerate(undated)}
    years = [work.year for work in dated if work.year is not None]
    first, last = (min(years), max(years)) if years else (0, 0)
    most = max((work.cited_by for work in works), default=0) or 1
    nodes = {
        work.id: GraphNode(
            work,
            FIRST_X if work.year is None else _place(work.year, first, last),
            TOP_MARGIN + row * rows[work.id] + row // 2,
            round((len(RADII) - 1) * sqrt(work.cited_by / most)),
            _label(work),
            work.id == centre,
        )
        for work in works
    }
    return GraphLayout(
        list(nodes.values()),
        [GraphEdge(nodes[a], nodes[b]) for a, b in edges if a in nodes and b in nodes],
        [(_place(year, first, last), str(year)) for year in _ticks(first, last)] if years else [],
        lane,
        lane + (row * (len(undated) + 1) if undated else 0),
    )


def _order(centre: str, works: Sequence[Work]) -> list[Work]:
    """Return the works with a year from top to bottom."""
    years = {work.id: work.year for work in works if work.year is not None}
    if not years:
        return []
    middle = years.get(centre) or median_low(years.values())
    others = sorted(
        (work for work in works if work.id in years and work.id != centre),
        key=lambda work: (
            abs(years[work.id] - middle),
            years[work.id],
            -work.cited_by,
            work.id,
        ),
    )
    inside = [work for work in works if work.id == centre and centre in years]
    # Works of one year are on both sides of the middle.
    return [*others[0::2], *inside, *others[1::2][::-1]]


def _place(year: int, first: int, last: int) -> float:
    """Return the position of a year on the axis; a single year is in the middle."""
    share = (year - first) / (last - first) if last > first else 0.5
    return round(FIRST_X + share * (LAST_X - FIRST_X), 2)


def _ticks(first: int, last: int) -> list[int]:
    """Return a few round years of a range.

    >>> _ticks(1990, 1993), _ticks(1988, 2009)
    ([1990, 1991, 1992, 1993], [1990, 1995, 2000, 2005])
    """
    step = next(each for each in TICK_STEPS if (last - first) // each < MAX_TICKS)
    return list(range(ceil(first / step) * step, last + 1, step))


def _label(work: Work) -> str:
    """Return a short label: the family name of the first author, and the year."""
    family = work.byline.partition(",")[0].rpartition(" ")[2]
    name = family if len(family) <= MAX_NAME_LENGTH else f"{family[: MAX_NAME_LENGTH - 1]}…"
    year = str(work.year) if work.year is not None else ""
    return f"{name} {year}".strip() or work.title[:16] or Message("untitled")
