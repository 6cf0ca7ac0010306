"""Reading order of a title block: the lines above the abstract of a first page.

Authors often stand side by side, each above an affiliation, in one or more rows. A row
of such cells is read cell by cell, and rows are read from top to bottom. Lines that a
reader of columns took for the margin or for the next column are put back.

>>> lines = [TextLine("Web", 0, 90, 700, 20, 12), TextLine("Lee", 0, 40, 670, 20, 10),
...     TextLine("MIT", 0, 40, 658, 20, 10), TextLine("Roe", 0, 140, 670, 20, 10),
...     TextLine("ETH", 0, 140, 658, 20, 10), TextLine("Abstract", 0, 40, 620, 40, 10)]
>>> by_rows = [lines[n] for n in (0, 1, 3, 2, 4, 5)]
>>> [line.text for line in order_title_block(by_rows, 5)]
['Web', 'Lee', 'MIT', 'Roe', 'ETH', 'Abstract']
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lycosa.documents.layout import TextLine

# Distances are shares of the font size.
_MAX_ROW_DRIFT = 0.35  # of the baselines of a row
_MIN_BAND_GAP = 1.5  # of the baselines of two rows of cells
_MIN_CLEARANCE = 1.0  # of the block above the abstract


def order_title_block(lines: Sequence[TextLine], opening: int | None) -> list[TextLine]:
    """Return the lines of a header in reading order; `opening` is that of the abstract."""
    if opening is None or all(line.size == 1.0 for line in lines):
        return list(lines)
    abstract = lines[opening]
    above = [
        line.page == abstract.page and line.y - abstract.y > _MIN_CLEARANCE * line.size
        for line in lines
    ]
    block = [line for line, is_above in zip(lines, above, strict=True) if is_above]
    rest = [line for line, is_above in zip(lines, above, strict=True) if not is_above]
    before = [line for line in rest if line.page < abstract.page]
    after = [line for line in rest if line.page >= abstract.page]
    return [*before, *(line for band in _bands(block) for line in _cells(band)), *after]


def _rows(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda line: -line.y):
        if rows and rows[-1][0].y - line.y < _MAX_ROW_DRIFT * max(rows[-1][0].size, line.size):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.x) for row in rows]


def _bands(lines: Sequence[TextLine]) -> list[list[list[TextLine]]]:
    """Group rows that no white space separates; a row of one line is a band of its own."""
    bands: list[list[list[TextLine]]] = []
    for above, row in pairwise([[], *_rows(lines)]):
        near = bool(above) and above[0].y - row[0].y < _MIN_BAND_GAP * max(
            line.size for line in (*above, *row)
        )
        if near and len(row) > 1 and len(above) > 1:
            bands[-1].append(row)
        else:
            bands.append([row])
    return bands


def _cells(rows: Sequence[Sequence[TextLine]]) -> list[TextLine]:
    """Return the lines of a band column by column; columns do not overlap."""
    columns: list[tuple[float, list[TextLine]]] = []  # the right end, and the lines
    for line in sorted((line for row in rows for line in row), key=lambda line: line.x):
        if columns and line.x < columns[-1][0]:
            end, members = columns.pop()
            columns.append((max(end, line.end), [*members, line]))
        else:
            columns.append((line.end, [line]))
    return [line for _, members in columns for line in sorted(members, key=lambda x: -x.y)]
