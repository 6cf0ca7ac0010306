"""Who wants to know how a build goes on."""

from __future__ import annotations


class Watcher:
    """Told of stages as they begin and go on; this one does not listen."""

    def begin(self, stage: str, total: int | None = None) -> None:
        """A stage begins; it has so many parts, if that is known."""

    def advance(self, parts: int = 1) -> None:
        """So many more parts are done."""
