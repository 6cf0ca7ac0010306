"""Progress bars for work that goes through stages."""

from __future__ import annotations

from rich.progress import Progress, TaskID

from lycosa.portal.build import BuildProgress


class StageBars(BuildProgress):
    """A bar for each stage, gone when the next one begins."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None

    def begin(self, stage: str, total: int | None = None) -> None:
        """Another stage, of so many parts if that is known."""
        if self._task is not None:
            self._progress.remove_task(self._task)
        self._task = self._progress.add_task(stage, total=total)

    def advance(self, parts: int = 1) -> None:
        """So many more parts are done."""
        if self._task is not None:
            self._progress.advance(self._task, parts)
