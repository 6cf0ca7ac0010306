"""Completion of the layout of annotated headers: sizes that agree with what is known.

The corpus says whether a line is larger or smaller than the line above, not by how
much, while the lines of a PDF have sizes. So that a labeller learns from both, sizes
are drawn for the lines of annotated headers: each from what is usual for its label,
larger or smaller than the line above where the corpus says so. Gaps are drawn for the
lines that begin a block.

>>> lines = [HeaderLine("Web", size_change=1, new_block=True), HeaderLine("Lee", size_change=-1)]
>>> web, lee = complete_layout(lines, ["title", "author"], random.Random(1))
>>> web.size > lee.size, web.gap > lee.gap
(True, True)
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from lycosa.papers.extraction.labeller import HeaderLine

MIN_CHANGE = 0.06
"""The least difference of two sizes that count as different."""

_TRIES = 8
_MIN_SIZE, _MAX_SIZE = 0.5, 4.0


def complete_layout(
    lines: Sequence[HeaderLine], labels: Sequence[str], rng: random.Random
) -> list[HeaderLine]:
    """Return the lines with sizes and gaps; `labels` has the label of each line."""
    completed: list[HeaderLine] = []
    title = rng.uniform(1.2, 1.9)
    author = rng.choice((1.0, 1.0, 1.1, 1.2, 1.3))
    small = rng.choice((0.8, 0.9, 1.0))
    abstract = rng.choice((0.9, 1.0, 1.0))
    above = 0.0
    for line, label in zip(lines, labels, strict=True):
        usual = {
            "title": (title, title, title, 1.0),
            "author": (author, author, author, 1.0),
            "abstract": (abstract,),
            "keyword": (abstract, small),
            "note": (small, small, 1.0, 1.0, author, rng.uniform(1.2, 3.0)),
        }.get(label, (small, small, 1.0))
        size = _draw(usual, above, line.size_change, rng)
        gap = rng.uniform(1.4, 3.5) if line.new_block else rng.choice((0.9, 1.0, 1.0, 1.1))
        completed.append(line._replace(size=round(size, 2), gap=round(gap, 2)))
        above = size
    return completed


def _draw(usual: Sequence[float], above: float, change: int | None, rng: random.Random) -> float:
    """Draw a size that differs from the size above as the layout says."""
    if not change and above:
        return above
    for _ in range(_TRIES):
        size = rng.choice(usual)
        if not change or (size - above) * change >= MIN_CHANGE:
            return size
    factor = rng.uniform(1.1, 1.4)
    size = above * factor if change == 1 else above / factor
    return min(max(size, _MIN_SIZE), _MAX_SIZE)
