"""Progress bars for the stages of a build."""

from __future__ import annotations

from rich.progress import Progress, TaskID

from lycosa.portal.build import BuildProgress


class StageBars(BuildProgress):
    """Shows a progress bar for the current stage of a build."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None

    def begin(self, stage: str, total: int | None = None) -> None:
        """Start the bar of a stage; `total` is its number of parts, None if unknown."""
        if self._task is not None:
            self._progress.remove_task(self._task)
        self._task = self._progress.add_task(stage, total=total)

    def advance(self, parts: int = 1) -> None:
        """Advance the bar by some parts."""
        if self._task is not None:
            self._progress.advance(self._task, parts)
