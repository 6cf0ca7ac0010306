"""Progress in whole lines, which a screen reader can follow and a log can keep."""

from __future__ import annotations

import threading
import time

from rich.console import Console
from rich.progress import Progress, Task, TaskID

from lycosa.cli.fitting import print_lines
from lycosa.cli.interval import Clock
from lycosa.reporting.text import duration, printable

MIN_SECONDS = 10.0
"""Between two lines."""
MIN_SHARE = 0.1
"""Of a task, between two lines about it."""
MAX_SECONDS = 60.0
"""After which there is a line about a task whatever its share."""
POLL_SECONDS = 1.0


class ProgressLines(Progress):
    """Prints that a task begins, and now and then how far it is; nothing is redrawn.

    Between two lines are at least ten seconds, and a tenth of the task or a minute.
    `now` is another clock for tests, where `say_progress` is called by hand.
    """

    def __init__(self, console: Console, now: Clock = time.monotonic) -> None:
        super().__init__(console=console, get_time=now, auto_refresh=False)
        self._now = now
        self._named: set[TaskID] = set()
        self._printed = now()
        self._share = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="progress", daemon=True)

    def start(self) -> None:
        """Begin to print lines."""
        self._thread.start()

    def stop(self) -> None:
        """Print no more lines."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def refresh(self) -> None:
        """Print the names of tasks that have begun."""
        with self._lock:
            for task in self.tasks:
                if task.visible and task.id not in self._named:
                    self._named.add(task.id)
                    self._print(task.description, 0.0)

    def say_progress(self) -> None:
        """Print how far the newest task is, if it is time for a line."""
        self.refresh()
        with self._lock:
            shown = [task for task in self.tasks if task.visible and not task.finished]
            if not shown:
                return
            task, silent = shown[-1], self._now() - self._printed
            share = task.completed / task.total if task.total else 0.0
            if silent >= MAX_SECONDS or (
                silent >= MIN_SECONDS and share >= self._share + MIN_SHARE
            ):
                self._print(progress_line(task), share)

    def _watch(self) -> None:
        while not self._ended.wait(POLL_SECONDS):
            self.say_progress()

    def _print(self, line: str, share: float) -> None:
        self._printed, self._share = self._now(), share
        print_lines([printable(line)], self.console.file)


def progress_line(task: Task) -> str:
    """Return how far a task is, in words."""
    parts = []
    done = int(task.completed)
    if task.total:
        parts.append(f"{100 * min(task.completed / task.total, 1.0):.0f} %")
        if task.fields.get("counted", True):
            parts.append(f"{done:,} of {int(task.total):,}")
    elif done:
        parts.append(f"{done:,}")
    parts.append(f"{_about(task.elapsed or 0.0)} so far")
    if task.total and task.time_remaining is not None:
        parts.append(f"about {_about(task.time_remaining)} left")
    return f"{task.description}: {', '.join(parts)}"


def _about(seconds: float) -> str:
    """Format a time that is not exact.

    >>> _about(4.2), _about(130.7)
    ('4 s', '2 min 11 s')
    """
    return f"{seconds:.0f} s" if seconds < 59.5 else duration(seconds)
