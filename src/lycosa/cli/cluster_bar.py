"""The progress bar of a cluster crawl: pages of the budget, with an estimate of the time left."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console

from lycosa.cli.progress_bars import ProgressBars
from lycosa.reporting.text import plural

if TYPE_CHECKING:
    from lycosa.cluster.cluster_crawl import CrawlProgress


class ClusterBar:
    """A bar that is redrawn while a cluster crawls.

    `max_pages` is the budget of the crawl, None without one; what earlier runs have requested
    is done from the start, and does not make the estimate faster.
    """

    def __init__(self, console: Console, max_pages: int | None) -> None:
        self._bars = ProgressBars(console)
        self._task = self._bars.add_task("starting workers", total=max_pages, start=False)
        self._started = False

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()

    def show(self, progress: CrawlProgress) -> None:
        """Show how far the crawl is."""
        words = (
            f"{plural(progress.targets, 'target')}, {progress.waiting:,} waiting, "
            f"{plural(progress.workers, 'worker')}"
        )
        self._bars.update(self._task, completed=progress.pages, description=words)
        if not self._started:
            # The estimate begins here: the step to what earlier runs have done is no speed.
            self._started = True
            self._bars.start_task(self._task)
