"""Consoles of the commands: results on stdout, progress bars on stderr if it is a terminal."""

from __future__ import annotations

import sys
from typing import Literal

from rich import box
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table

PIPE_COLUMNS = 200  # wide, so that output to a file or pipe is not wrapped


def output() -> Console:
    """Return the console that prints results to stdout."""
    return Console(
        width=None if sys.stdout.isatty() else PIPE_COLUMNS, highlight=False, emoji=False
    )


def table(**columns: Literal["left", "right"]) -> Table:
    """Return an empty table; `columns` maps the name of each column to its alignment."""
    result = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), show_edge=False)
    for name, side in columns.items():
        result.add_column(name, justify=side, overflow="fold")
    return result


def progress_bars() -> Progress:
    """Return progress bars that are removed at the end, and hidden without a terminal."""
    console = Console(stderr=True)
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )
