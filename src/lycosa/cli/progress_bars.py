"""Progress bars that are redrawn in place: a line for each task, in a terminal of any width."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.progress import Progress, Task
from rich.text import Text

from lycosa.cli.fitting import fit_width

MAX_BAR_COLUMNS = 40
MIN_BAR_COLUMNS = 8
MIN_NAME_COLUMNS = 12
"""The figures of a bar are left out rather than that less of its name is shown."""


class ProgressBars(Progress):
    """Progress bars that are removed at the end."""

    def __init__(self, console: Console) -> None:
        super().__init__(console=console, transient=True)

    def get_renderables(self) -> Iterable[RenderableType]:
        """Yield the lines of the visible tasks."""
        for task in self.tasks:
            if task.visible:
                blocks = self.console.encoding.startswith("utf")
                # Some terminals wrap a line that is full.
                yield bar_line(task, self.console.width - 1, blocks=blocks)


def bar_line(task: Task, width: int, *, blocks: bool = True) -> Text:
    """Return the line of a task in at most `width` columns.

    In a narrow terminal it lacks the bar, then what was counted, then the time so far;
    a number is there as a whole or not at all. Without `blocks` the line is in ASCII.
    """
    figures = list(_figures(task))
    name = task.description
    while figures and min(len(name), MIN_NAME_COLUMNS) + 1 + len(_join(figures)) > width:
        figures.pop(0)
    tail = _join(figures)
    name = fit_width(name, max(width - len(tail) - 1, 0) if tail else width)
    room = min(width - len(name) - len(tail) - 2, MAX_BAR_COLUMNS)
    line = Text(name, no_wrap=True, overflow="crop")
    if task.total and room >= MIN_BAR_COLUMNS:
        full = min(int(room * task.completed / task.total), room)
        line.append(" ")
        line.append(("━" if blocks else "#") * full, "green")
        line.append(("─" if blocks else "-") * (room - full), "dim")
    if tail:
        line.append(f" {tail}")
    return line


def _figures(task: Task) -> Iterable[str]:
    """Yield the figures of a task, the least important first."""
    done = int(task.completed)
    if not task.fields.get("counted", True):
        pass
    elif task.total is not None:
        yield f"{done:,}/{int(task.total):,}"
    elif done:
        yield f"{done:,}"
    yield clock(task.elapsed or 0.0)
    if task.total:
        yield f"{100 * min(task.completed / task.total, 1.0):.0f} %"
        if not task.finished and task.time_remaining is not None:
            yield f"{clock(task.time_remaining)} left"


def _join(figures: Iterable[str]) -> str:
    return ", ".join(figures)


def clock(seconds: float) -> str:
    """Format a time as a clock does.

    >>> clock(7), clock(754), clock(7507)
    ('0:07', '12:34', '2:05:07')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
