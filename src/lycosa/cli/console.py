"""What commands print: results to stdout, all else to stderr, bars only on a terminal."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

WIDE = 200  # into a file or a pipe nothing is wrapped


def output() -> Console:
    """Where results go."""
    return Console(width=None if sys.stdout.isatty() else WIDE, highlight=False)


def bars() -> Progress:
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
