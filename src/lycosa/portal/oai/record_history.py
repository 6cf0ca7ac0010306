"""The records of a portal, those that are gone included, in the order in which they changed.

A list that is ordered by time of change can be resumed after any build: what has changed
since has moved to its end, where it is read again, and nothing is left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from lycosa.portal.api.feeds import rfc3339
from lycosa.portal.oai.arguments import Selection
from lycosa.portal.read_only import ReadOnlyDatabase

EPOCH: Final = "1970-01-01T00:00:00Z"
"""The datestamp of works of which nothing better is known."""
_KEPT = "SELECT work, changed, gone, topics FROM history"
# A portal that was built by a version without a history: all its works date from the build.
_BUILT = """
SELECT id AS work, ? AS changed, 0 AS gone,
  (SELECT ifnull(' ' || group_concat(topic, ' ') || ' ', ' ') FROM placed WHERE work = works.id)
  AS topics
FROM works WHERE document > ''
"""


class RecordHeader(NamedTuple):
    """A work as lists of identifiers have it."""

    work: str
    """Its id."""
    changed: str
    """When a build changed it last, in UTC to the second."""
    is_gone: bool
    """Whether the portal has it no longer."""
    topics: tuple[str, ...]
    """Its topics, by their ids; of a work that is gone those that it had."""


class RecordHistory:
    """Reads the history that builds keep; thread-safe.

    `path` is that of portal.db.
    """

    def __init__(self, path: Path) -> None:
        self._database = ReadOnlyDatabase(path)

    def header(self, work: str) -> RecordHeader | None:
        """Return the header of one record, or None."""
        found = self._select("work = ?", work)
        return found[0] if found else None

    def headers(self, selection: Selection, limit: int) -> list[RecordHeader]:
        """Return the headers that a selection begins with, by time of change and id."""
        where, values = ["(changed, work) > (?, ?)"], [selection.changed, selection.work]
        for bound, condition in ((selection.start, ">="), (selection.end, "<=")):
            if bound:
                where.append(f"changed {condition} ?")
                values.append(bound)
        if selection.set:
            topic = selection.set.replace(":", "/")
            where.append("(instr(topics, ?) OR instr(topics, ?))")
            values += [f" {topic} ", f" {topic}/"]
        order = f"{' AND '.join(where)} ORDER BY changed, work LIMIT {limit:d}"
        return self._select(order, *values)

    def earliest(self) -> str:
        """Return the earliest datestamp; it may be earlier than any of a record."""
        found = self._select("1 ORDER BY changed, work LIMIT 1")
        return found[0].changed if found else self._built()

    def _select(self, where: str, *values: str) -> list[RecordHeader]:
        source, known = (_KEPT, ()) if self._is_kept() else (_BUILT, (self._built(),))
        # The placeholder of the source comes before those of the condition.
        query = f"SELECT * FROM ({source}) WHERE {where}"  # noqa: S608
        return [
            RecordHeader(work, changed, bool(gone), tuple(topics.split()))
            for work, changed, gone, topics in self._database.all(query, *known, *values)
        ]

    def _is_kept(self) -> bool:
        database = self._database
        return database.has_table("history") and bool(database.one("SELECT 1 FROM history LIMIT 1"))

    def _built(self) -> str:
        found = self._database.one("SELECT value FROM meta WHERE key = 'built'")
        return rfc3339(found[0] if found else "") or EPOCH
