"""What a person sees of a live crawl: a view that is drawn again and again, or plain lines.

All of it goes to stderr. Titles and URLs come from the web, so nothing of them
reaches a terminal that is not printable.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self, TextIO

from rich.console import Console
from rich.live import Live

from lycosa.cli.interval import Clock, Interval
from lycosa.cli.screen import MAX_TARGETS, draw_screen, fit_width
from lycosa.cli.summary import progress, summary
from lycosa.closing import Closing
from lycosa.core import Budget, Page, Step
from lycosa.crawler.live.status import Status
from lycosa.logs import is_verbose
from lycosa.reporting.text import duration

_WIDE = 200  # columns of a plain line


class View(Protocol):
    """Shows a crawl, between `with` and its end."""

    every: float
    """Seconds after which it wants to be told the status again; sooner does nothing."""

    def step(self, step: Step, *, asked: str | None = None, final: str | None = None) -> None:
        """A page came back; what was asked for, if the page is another, and where it ended."""

    def tick(self, status: Status) -> None:
        """This is how far it has come."""

    def note(self, text: str) -> None:
        """Something to be known at once."""

    def end(self, status: Status) -> None:
        """It is over."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def view(
    json: bool = False,
    quiet: bool = False,
    folder: Path | None = None,
    budget: Budget | None = None,
) -> View:
    """The view for where stdout and stderr lead. Quiet: only notes and the summary."""
    if json:
        from lycosa.cli.events import JsonView

        return JsonView(folder)
    console = Console(stderr=True, highlight=False)
    # A log on the same terminal would tear a view that is drawn in place.
    able = console.is_terminal and not console.is_dumb_terminal and not is_verbose()
    if able and not quiet and console.encoding.startswith("utf"):
        return LiveView(folder, budget, console)
    return PlainView(folder, quiet=quiet)


class PlainView(Closing):
    """A line every ten seconds and for each target, as long as those are few."""

    every = 10.0
    most = 5
    """Targets that are told of between two lines."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        quiet: bool = False,
        out: TextIO | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._folder = folder
        self._quiet = quiet
        self._out = out if out is not None else sys.stderr
        self._due = Interval(self.every, clock, first=self.every)
        self._told = 0
        self._faults: Counter[str] = Counter()

    def step(self, step: Step, *, asked: str | None = None, final: str | None = None) -> None:
        """Count faults; tell of a target."""
        if step.page.error is not None:
            self._faults[step.page.error] += 1
        if step.reward > 0 and not self._quiet and self._told < self.most:
            self._told += 1
            self._print(f"found {step.page.url} {step.page.title}")

    def tick(self, status: Status) -> None:
        """One line, if it is time."""
        if not self._quiet and self._due():
            self._told = 0
            self._print(
                f"{duration(status.seconds)}: {progress(status)}, {status.rate:.1f} requests/s, "
                f"{status.waiting:,} waiting"
            )

    def note(self, text: str) -> None:
        """One line, now."""
        self._print(text)

    def end(self, status: Status) -> None:
        """The summary."""
        print(*summary(status, self._faults, self._folder), sep="\n", file=self._out, flush=True)

    def _print(self, line: str) -> None:
        print(fit_width(line, _WIDE), file=self._out, flush=True)

    def close(self) -> None:
        """There is nothing to let go of."""


class LiveView(Closing):
    """Drawn at most four times a second; gone in the end, when the summary is printed."""

    every = 0.25

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
        self._console = console if console is not None else Console(stderr=True, highlight=False)
        # Nothing is drawn behind the back of the crawl; and stdout is not ours.
        self._live = Live(
            console=self._console, auto_refresh=False, transient=True, redirect_stdout=False
        )
        self._due = Interval(self.every, clock)
        self._status: Status | None = None
        self._note = ""
        self._targets: deque[str] = deque(maxlen=MAX_TARGETS)
        self._faults: Counter[str] = Counter()

    def step(self, step: Step, *, asked: str | None = None, final: str | None = None) -> None:
        """Remember a fault, or a target."""
        if step.page.error is not None:
            self._faults[step.page.error] += 1
        if step.reward > 0:
            self._targets.appendleft(_name(step.page))

    def tick(self, status: Status) -> None:
        """Draw it, if it is time."""
        self._status = status
        if self._due():
            self._draw(status)

    def note(self, text: str) -> None:
        """Show it from now on."""
        self._note = text
        if self._status is not None:
            self._draw(self._status)

    def end(self, status: Status) -> None:
        """Clear the view and print the summary."""
        self._live.stop()
        lines = summary(status, self._faults, self._folder)
        print(*lines, sep="\n", file=self._console.file, flush=True)

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
    """What to call a page: its title, or where it is. No longer than anybody reads."""
    return (page.title or page.url)[:1000]
