"""Works by the time they were found, for pages, the API and feeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lycosa.portal.fields import Work
from lycosa.portal.read_only import ReadOnlyDatabase

_FOUND_SINCE: Final = (
    "FROM history JOIN works ON works.id = work WHERE found > ? AND NOT gone AND kind != 'cited'"
)


class FoundWorks:
    """The works of portal.db in the order in which they were found.

    `database` is portal.db, and `read` returns works by their ids. A portal without the table
    history, which a build adds, does not know when works were found; then there are none.
    """

    def __init__(
        self, database: ReadOnlyDatabase, read: Callable[[Sequence[str]], list[Work]]
    ) -> None:
        self._database = database
        self._read = read

    def since(self, time: str, limit: int = 10, offset: int = 0) -> list[Work]:
        """Return the works that were found after a time in UTC (ISO 8601), the latest first."""
        if not self._database.has_table("history"):
            return []
        query = f"SELECT work {_FOUND_SINCE} ORDER BY found DESC, work LIMIT ? OFFSET ?"
        return self._read([row[0] for row in self._database.all(query, time, limit, offset)])

    def count_since(self, time: str) -> int:
        """Return how many works were found after a time."""
        if not self._database.has_table("history"):
            return 0
        found = self._database.one(f"SELECT count(*) {_FOUND_SINCE}", time)
        return int(found[0]) if found else 0

    def latest_time(self) -> str:
        """Return when the latest work was found; empty if that is not known."""
        return next((work.found for work in self.since("", 1)), "")
