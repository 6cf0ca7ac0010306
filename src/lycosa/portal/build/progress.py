"""Progress of a build, for callers that show it."""

from __future__ import annotations


class BuildProgress:
    """Receives the stages of a build and ignores them; subclasses show them."""

    def begin(self, stage: str, total: int | None = None) -> None:
        """Begin a stage, which has `total` parts if that is known."""

    def advance(self, parts: int = 1) -> None:
        """Note that further parts of the stage are done."""
