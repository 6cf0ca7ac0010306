"""Consoles of the commands: results on stdout, progress on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from rich import box
from rich.console import Console, Group
from rich.progress import Progress, TaskID
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from lycosa.cli.fitting import break_line
from lycosa.cli.listing import fits, listing
from lycosa.cli.progress_bars import ProgressBars
from lycosa.cli.progress_lines import ProgressLines
from lycosa.cli.terminal import is_coloured, is_plain, is_quiet, wants_lines
from lycosa.logs import is_verbose
from lycosa.reporting.progress import watched

PIPE_COLUMNS = 200  # wide, so that output to a file or pipe is not wrapped


class ResultConsole(Console):
    """Prints results; tables and trees as lines where those are wanted, or a table does not fit."""

    def __init__(self) -> None:
        super().__init__(
            width=None if sys.stdout.isatty() else PIPE_COLUMNS,
            color_system="auto" if is_coloured() else None,
            highlight=False,
            emoji=False,
        )

    def print(self, *objects: Any, **options: Any) -> None:
        """Print each object, as rich does or as lines."""
        super().print(*(self._readable(shown) for shown in objects), **options)

    def _readable(self, shown: Any) -> Any:
        if isinstance(shown, Group):
            return Group(*map(self._readable, shown.renderables))
        if (is_plain() and isinstance(shown, Table | Tree)) or (
            isinstance(shown, Table) and not fits(shown, self.width)
        ):
            lines = [part for line in listing(shown) for part in break_line(line, self.width)]
            return Text("\n".join(lines), overflow="fold")
        return shown


def output() -> Console:
    """Return the console that prints results to stdout."""
    return ResultConsole()


def table(**columns: Literal["left", "right"]) -> Table:
    """Return an empty table; `columns` maps the name of each column to its alignment."""
    result = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), show_edge=False)
    for name, side in columns.items():
        result.add_column(name, justify=side, overflow="fold", no_wrap=side == "right")
    return result


def error_console() -> Console:
    """Return the console of stderr."""
    return Console(stderr=True, highlight=False, color_system="auto" if is_coloured() else None)


def can_redraw(console: Console) -> bool:
    """Return whether something can be drawn again in the same place."""
    # Log lines on the same terminal would break what is redrawn.
    return (
        console.is_terminal
        and not is_plain()
        and not console.is_dumb_terminal
        and not is_verbose()
        and not is_quiet()
    )


def progress_bars() -> Progress:
    """Return the progress of a command: bars in a terminal, lines, or nothing.

    Without a terminal there are lines only if they were asked for. Everything is
    removed at the end that can be removed.
    """
    console = error_console()
    if can_redraw(console):
        return ProgressBars(console)
    if not is_quiet() and (wants_lines() or (console.is_terminal and is_plain())):
        return ProgressLines(console)
    return Progress(console=console, disable=True)


@contextmanager
def show_reports(progress: Progress, task: TaskID) -> Iterator[None]:
    """Show what a computation within the block reports (`lycosa.reporting.progress`).

    Only the share is shown: what a computation counts means nothing to those who wait.
    """

    def show(done: float, total: float) -> None:
        progress.update(task, completed=done, total=total, counted=False)

    with watched(show):
        yield
