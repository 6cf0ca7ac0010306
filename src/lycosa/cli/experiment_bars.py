"""Progress bars for experiments."""

from __future__ import annotations

from rich.progress import Progress

from lycosa.core import Site
from lycosa.lab import ExperimentProgress


class ExperimentBars(ExperimentProgress):
    """Shows progress bars for opening sites, compiling and simulated crawls.

    `sites` is the number of sites to open. `damages` collects the messages about
    damaged sites.
    """

    def __init__(self, progress: Progress, sites: int) -> None:
        self.damages: list[str] = []
        self._progress = progress
        self._opening = progress.add_task("opening sites", total=sites)
        self._reading = progress.add_task("compiling, MB", total=None, visible=False)
        self._crawling = progress.add_task("crawling", total=None, visible=False)

    def reading(self, done: int, total: int) -> None:
        """Show how much of an archive has been read, in megabytes."""
        megabytes = -(-total // 10**6)
        self._progress.update(
            self._reading, completed=done // 10**6, total=megabytes, visible=done < total
        )

    def opened(self, site: Site) -> None:
        """Count a site as open; keep the message about its damage."""
        self._progress.update(self._reading, visible=False)
        self._progress.advance(self._opening)
        if damage := getattr(site, "damage", None):
            self.damages.append(damage)

    def crawled(self, done: int, total: int) -> None:
        """Show how many of all runs are done."""
        self._progress.update(self._opening, visible=False)
        self._progress.update(self._crawling, completed=done, total=total, visible=True)
