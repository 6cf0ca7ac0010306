"""Views of a live crawl: a screen that is redrawn in place, or plain lines.

Both write to stderr. Titles and URLs come from the web, so only their printable
characters reach the terminal.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self

from rich.console import Console
from rich.live import Live

from lycosa.cli.activity import activity
from lycosa.cli.console import can_redraw, error_console
from lycosa.cli.fitting import fit_width, print_lines
from lycosa.cli.interval import Clock, Interval
from lycosa.cli.screen import MAX_TARGETS, budget_used, draw_screen
from lycosa.cli.summary import progress, summary
from lycosa.cli.terminal import is_plain, is_quiet
from lycosa.closing import Closing
from lycosa.core import Budget, Page, Step
from lycosa.crawler.live.status import SeedFailure, Status
from lycosa.reporting.text import duration

_MAX_LINE_COLUMNS = 300
_MAX_NAME_CHARACTERS = 1000


class View(Protocol):
    """Shows the progress of a crawl; a context manager around the crawl."""

    interval_seconds: float
    """Seconds between two calls of `tick` that have an effect."""

    def step(self, step: Step, *, asked: str | None = None, final: str | None = None) -> None:
        """Show a step; `asked` is the requested URL, `final` the last one, if they differ."""

    def failure(self, failure: SeedFailure) -> None:
        """Show that a start page failed, or that an attempt did."""

    def tick(self, status: Status) -> None:
        """Show the current status."""

    def note(self, text: str) -> None:
        """Show a message at once."""

    def end(self, status: Status) -> None:
        """Show the summary at the end."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def view(
    json: bool = False,
    folder: Path | None = None,
    budget: Budget | None = None,
) -> View:
    """Return the view that suits the terminal.

    With `json`, events go to stdout; with `--quiet`, only notes and the summary are printed.
    """
    if json:
        from lycosa.cli.events import JsonView

        return JsonView(folder)
    console = error_console()
    if can_redraw(console) and console.encoding.startswith("utf"):
        return LiveView(folder, budget, console)
    return PlainView(folder, budget, quiet=is_quiet(), show_targets=not is_plain())


class PlainView(Closing):
    """Prints a status line every ten seconds, and a line for each of the first few targets.

    `folder` is that of the project, for the summary, and `budget` is shown; `quiet` prints
    the summary and notes only; without `show_targets` there are no lines of targets; `out`
    and `clock` are others than stderr and the real clock, for tests.
    """

    interval_seconds = 10.0
    max_targets = 5
    """Targets, and failures, that are printed between two status lines."""
    first_seconds = 3.0
    """Seconds after which it says what the crawl waits for, if it waits."""

    def __init__(
        self,
        folder: Path | None = None,
        budget: Budget | None = None,
        *,
        quiet: bool = False,
        show_targets: bool = True,
        out: IO[str] | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._folder = folder
        self._budget = budget
        self._quiet = quiet
        self._show_targets = show_targets and not quiet
        self._out = out if out is not None else sys.stderr
        self._due = Interval(self.interval_seconds, clock, first=self.interval_seconds)
        self._targets_printed = 0
        self._failures_printed = 0
        self._failures: set[str] = set()
        self._final: list[SeedFailure] = []
        self._silent = True

    def step(self, step: Step, *, asked: str | None = None, final: str | None = None) -> None:
        """Print a target."""
        few = self._targets_printed < self.max_targets
        if step.reward > 0 and self._show_targets and few:
            self._targets_printed += 1
            self._print(f"found {step.page.url} {step.page.title}")

    def failure(self, failure: SeedFailure) -> None:
        """Print a failure that is tried again; one that is final, unless the crawl ends now."""
        if failure.retrying:
            self._print_failure(failure)
        else:
            self._final.append(failure)  # the summary has it, too

    def _print_failure(self, failure: SeedFailure) -> None:
        few = self._failures_printed < self.max_targets
        if not self._quiet and few and failure.url not in self._failures:
            self._failures.add(failure.url)
            self._failures_printed += 1
            self._silent = False
            self._print(f"{failure}{' It is tried again.' if failure.retrying else ''}")

    def tick(self, status: Status) -> None:
        """Print a status line if the interval has passed, or early if the crawl waits."""
        for failure in self._final:
            self._print_failure(failure)
        self._final.clear()
        doing = activity(status)
        early = self._silent and doing is not None and status.seconds >= self.first_seconds
        if not self._quiet and (self._due() or early):
            self._targets_printed = self._failures_printed = 0
            self._silent = False
            self._print(
                f"{duration(status.seconds)}: {progress(status)}, {status.rate:.1f} requests/s, "
                f"{status.waiting:,} waiting{'' if doing is None else f'; {doing}'}"
                f"{'' if (used := budget_used(status, self._budget)) is None else f'; {used[1]}'}"
            )

    def note(self, text: str) -> None:
        """Print a line."""
        self._print(text)

    def end(self, status: Status) -> None:
        """Print the summary."""
        print_lines(summary(status, self._folder), self._out)

    def _print(self, line: str) -> None:
        print_lines([fit_width(line, _MAX_LINE_COLUMNS)], self._out)

    def close(self) -> None:
        """Do nothing: the stream stays open."""


class LiveView(Closing):
    """A screen that is redrawn at most four times a second and removed at the end.

    `folder` and `budget` are shown; `console` and `clock` are others for tests.
    """

    interval_seconds = 0.25

    def __init__(
        self,
        folder: Path | None = None,
        budget: Budget | None = None,
        console: Console | None = None,
        *,
        clock: Clock = time.monotonic,
    ) -> None:
        self._folder = folder
        self._budget = budget
        self._console = console if console is not None else error_console()
        # No refresh thread, which would compete with the crawl; and stdout stays as it is.
        self._live = Live(
            console=self._console, auto_refresh=False, transient=True, redirect_stdout=False
        )
        self._due = Interval(self.interval_seconds, clock)
        self._status: Status | None = None
        self._note = ""
        self._targets: deque[str] = deque(maxlen=MAX_TARGETS)

    def step(self, step: Step, *, asked: str | None = None, final: str | None = None) -> None:
        """Add a target to the list."""
        if step.reward > 0:
            self._targets.appendleft(_name(step.page))

    def failure(self, failure: SeedFailure) -> None:
        """Do nothing: the status has the failures."""

    def tick(self, status: Status) -> None:
        """Redraw the screen if the interval has passed."""
        self._status = status
        if self._due():
            self._draw(status)

    def note(self, text: str) -> None:
        """Show a message from now on."""
        self._note = text
        if self._status is not None:
            self._draw(self._status)

    def end(self, status: Status) -> None:
        """Clear the view and print the summary."""
        self._live.stop()
        print_lines(summary(status, self._folder), self._console.file)

    def _draw(self, status: Status) -> None:
        width, height = self._console.size
        shown = draw_screen(
            status,
            width,
            height,
            folder=self._folder,
            budget=self._budget,
            targets=self._targets,
            note=self._note,
        )
        self._live.update(shown, refresh=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def close(self) -> None:
        """Clear the view."""
        self._live.stop()


def _name(page: Page) -> str:
    """Return the title of a page, or else its URL, at a bounded length."""
    return (page.title or page.url)[:_MAX_NAME_CHARACTERS]
