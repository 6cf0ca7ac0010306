"""Column detection: the columns of a page in reading order.

Where a white gutter runs down a page, the text on its left is read before the
text on its right; a segment that crosses the gutter ends the columns above it.
Each column is searched for gutters again: this is the recursive X-Y cut (Nagy &
Seth, "Hierarchical representation of optically scanned documents", 1984) with
segments of text as atoms.

A page may have too little text to show its columns: the last one is short, or a
figure covers most of it. Then the gutters of the document's other pages serve.

>>> left = [Segment([], 60, 290, 700 - 12 * n, 10) for n in range(30)]
>>> right = [Segment([], 320, 550, 700 - 12 * n, 10) for n in range(30)]
>>> shared = shared_gutters([left + right, left + right[:1]])
>>> find_gutter(left + right[:1], []), find_gutter(left + right[:1], shared) == shared[0]
(None, True)
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

MAX_WORD_GAP = 0.9
"""The widest gap between two words of a run on one baseline, as a share of the font size."""

_BINS = 200  # of the histogram of covered positions across a page
_MAX_GUTTER_DRIFT = 10.0  # points by which a gutter may move from page to page
_MAX_SHARED_GUTTERS = 12  # a document with more has a table on its pages


class PositionedWord(NamedTuple):
    """A word from `x` to `end` on the baseline `y`, in points; y grows upwards.

    `size` is its font size in points; `bold` and `italic` are guessed from the name
    of its font.
    """

    text: str
    x: float
    end: float
    y: float
    size: float
    bold: bool
    italic: bool


class Segment(NamedTuple):
    """A run of words from `x` to `end` on the baseline `y`, in points; `size` is the font size."""

    words: list[PositionedWord]
    x: float
    end: float
    y: float
    size: float

    @property
    def is_wide(self) -> bool:
        """Whether it may be a line of a column, and not only a number or a mark."""
        return self.end - self.x > 5 * self.size


def group_rows(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Group segments by baseline, from top to bottom; each row runs from left to right."""
    found: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda s: -s.y):
        if found and found[-1][0].y - segment.y < 0.3 * max(found[-1][0].size, segment.size):
            found[-1].append(segment)
        else:
            found.append([segment])
    for row in found:
        row.sort(key=lambda s: s.x)
    return found


def split_columns(
    segments: list[Segment], cut: float | None, shared: Sequence[float]
) -> list[list[Segment]]:
    """Split segments at a gutter: columns in reading order, and the segments across it.

    `cut` is the position of the gutter, None for a single column, and `shared`
    has the gutters of the document's other pages.
    """
    if cut is None or not segments:
        return [segments] if segments else []
    low = min(s.x for s in segments)
    high = max((s.end for s in segments if s.end <= cut), default=low)
    lines = [s.end - s.x for s in segments if s.x >= cut and s.is_wide]
    margin = bool(lines) and high - low < 0.5 * median(lines)

    def sides(left: list[Segment], right: list[Segment]) -> list[list[Segment]]:
        # A narrow left column is notes in the margin, which are read after the text.
        pair = (right, left) if margin else (left, right)
        return [
            part for side in pair for part in split_columns(side, find_gutter(side, shared), shared)
        ]

    found: list[list[Segment]] = []
    left: list[Segment] = []
    right: list[Segment] = []
    across: list[Segment] = []
    for run in (run for row in group_rows(segments) for run in _runs(row)):
        if any(s.x < cut < s.end for s in run):
            if left or right:
                found += sides(left, right)
                left, right = [], []
            across += run
        else:
            if across:
                found.append(across)
                across = []
            left += [s for s in run if s.end <= cut]
            right += [s for s in run if s.end > cut]
    if across:
        found.append(across)
    return [*found, *sides(left, right)]


def _runs(row: Sequence[Segment]) -> list[list[Segment]]:
    """Group the segments of a row that only a space separates."""
    found = [[row[0]]]
    for a, b in pairwise(row):
        if b.x - a.end < MAX_WORD_GAP * max(a.size, b.size):
            found[-1].append(b)
        else:
            found.append([b])
    return found


def shared_gutters(pages: Sequence[Sequence[Segment]]) -> list[float]:
    """Return the gutters that a third of the pages have at about the same position.

    Those of the most pages come first.
    """
    found: dict[int, dict[int, float]] = defaultdict(dict)
    for page, segments in enumerate(pages):
        for cut in _all_gutters(segments):
            found[round(cut / _MAX_GUTTER_DRIFT)][page] = cut
    having = {k: len({p for j in (k - 1, k, k + 1) for p in found.get(j, ())}) for k in found}
    often = [k for k in found if 3 * having[k] >= len(pages)]
    often.sort(key=lambda k: -having[k])
    return [median(found[k].values()) for k in often[:_MAX_SHARED_GUTTERS]]


def _all_gutters(segments: Sequence[Segment]) -> list[float]:
    """Return the gutter of segments, and those within its columns."""
    cut = _white_gap(segments)
    if cut is None:
        return []
    left, right = [s for s in segments if s.end <= cut], [s for s in segments if s.x >= cut]
    return [cut, *_all_gutters(left), *_all_gutters(right)]


def find_gutter(segments: Sequence[Segment], shared: Sequence[float]) -> float | None:
    """Return the gutter of segments, else the shared one that the fewest of them cross.

    A shared gutter must have segments on both sides, and more there than across.
    """
    cut = _white_gap(segments)
    if cut is not None or not shared:
        return cut
    begins, ends = sorted(s.x for s in segments), sorted(s.end for s in segments)
    best, most = None, len(segments) // 2
    for known in shared:
        left, right = bisect_right(ends, known), len(begins) - bisect_right(begins, known)
        if left and right and left + right > most:
            best, most = known, left + right
    return best


def _white_gap(segments: Sequence[Segment]) -> float | None:
    """Return the position of a clear white gap between two columns of text, None if none."""
    wide = [s for s in segments if s.is_wide]
    if len(wide) < 12:
        return None
    low, high = min(s.x for s in wide), max(s.end for s in wide)
    scale = _BINS / max(high - low, 1.0)
    steps = [0] * (_BINS + 2)
    for s in wide:
        steps[int((s.x - low) * scale)] += 1
        steps[int((s.end - low) * scale) + 1] -= 1
    covered = []
    depth = 0
    for change in steps:
        depth += change
        covered.append(depth)
    middle = range(_BINS // 7, 6 * _BINS // 7)
    least = min(covered[b] for b in middle)
    emptiest = [b for b in middle if covered[b] == least]
    # The longest run of least covered bins is the gutter.
    runs: list[list[int]] = [[emptiest[0]]]
    for a, b in pairwise(emptiest):
        if b == a + 1:
            runs[-1].append(b)
        else:
            runs.append([b])
    run = max(runs, key=len)
    cut = low + (run[0] + run[-1] + 1) / 2 / scale
    left = sum(s.end <= cut for s in wide)
    right = sum(s.x >= cut for s in wide)
    crossing = len(wide) - left - right
    sides = min(left, right)
    if sides < 5 or crossing > 0.6 * sides or sides < 0.15 * len(wide):
        return None
    return cut
