"""Tables and trees as plain lines, for screen readers and for terminals that are too narrow."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

MIN_TEXT_COLUMNS = 12
"""A column of text may be made so narrow, and no narrower; numbers stay whole."""


def fits(table: Table, width: int) -> bool:
    """Return whether a table can be drawn in so many columns with whole numbers."""
    needed = 0
    for column in table.columns:
        widest = max(map(cell_len, _lines([column.header, *column.cells])), default=0)
        needed += widest if column.justify == "right" else min(widest, MIN_TEXT_COLUMNS)
        needed += table.padding[1] + table.padding[3] + (table.box is not None)
    return needed <= width


def listing(shown: RenderableType) -> Iterator[str]:
    """Yield the lines of a table, a tree or a group of them; others as they are.

    A row of a table is its first cell, then a line `name: value` for each other one.
    """
    if isinstance(shown, Group):
        for part in shown.renderables:
            yield from listing(part)
    elif isinstance(shown, Table):
        yield from _table_lines(shown)
    elif isinstance(shown, Tree):
        yield from _tree_lines(shown, 0)
    else:
        yield str(shown)


def _table_lines(table: Table) -> Iterator[str]:
    if table.title:
        yield str(table.title)
    names = [str(column.header) for column in table.columns]
    for first, *others in zip(*(_lines(column.cells) for column in table.columns), strict=True):
        yield first or "(empty)"
        for name, value in zip(names[1:], others, strict=True):
            if value:
                yield f"  {name}: {value}" if name else f"  {value}"


def _tree_lines(tree: Tree, depth: int) -> Iterator[str]:
    yield "  " * depth + str(tree.label)
    for child in tree.children:
        yield from _tree_lines(child, depth + 1)


def _lines(cells: object) -> list[str]:
    assert hasattr(cells, "__iter__")  # noqa: S101 - cells of a column
    return [cell.plain if isinstance(cell, Text) else str(cell) for cell in cells]
