"""What commands print: results to stdout, all else to stderr, bars only on a terminal."""

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

PIPE_COLUMNS = 200  # into a file or a pipe nothing is wrapped


def output() -> Console:
    """Where results go."""
    return Console(
        width=None if sys.stdout.isatty() else PIPE_COLUMNS, highlight=False, emoji=False
    )


def table(**columns: Literal["left", "right"]) -> Table:
    """A table of these columns, each on its side."""
    made = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), show_edge=False)
    for name, side in columns.items():
        made.add_column(name, justify=side, overflow="fold")
    return made


def progress_bars() -> Progress:
    """Progress bars for work that takes long, gone when it is done."""
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
