"""History of works: when each was first found, last changed, and gone; kept from build to build.

Harvesters ask for what has changed since their last visit. A work has changed if the hash
of what they are told about it has; its number of citations, for instance, does not count.
A work that is gone keeps its row, so that harvesters learn of it; one that comes back
keeps the time when it was first found.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from lycosa.portal.build.database import Database, Row
from lycosa.web.digests import digest

WORKS_PER_QUERY: Final = 1000
"""Works compared at a time: as many are in memory."""
EXPOSED: Final = (
    "title", "date", "venue", "volume", "pages", "doi", "arxiv", "licence", "abstract",
    "language",
)  # fmt: skip
"""The columns of a work that harvesters are told, beside its authors, topics and best copy."""

_FOUND = """
SELECT works.id, {columns}, documents.url, documents.type,
  (SELECT json_group_array(name) FROM
    (SELECT name FROM authorship WHERE work = works.id ORDER BY position)),
  (SELECT ifnull(' ' || group_concat(topic, ' ') || ' ', ' ') FROM
    (SELECT topic FROM placed WHERE work = works.id ORDER BY topic)) AS topics,
  (SELECT min(time) FROM copies JOIN documents AS d ON d.id = document WHERE work = works.id),
  history.digest, history.found, history.gone
FROM {source} JOIN documents ON documents.id = works.document
LEFT JOIN history ON history.work = works.id
WHERE {id} > ? ORDER BY {id} LIMIT ?
"""
_GONE = """
SELECT history.work, digest, topics, found FROM {source}
WHERE gone = 0 AND {id} > ?
AND NOT EXISTS (SELECT 1 FROM works WHERE works.id = history.work AND document > '')
ORDER BY {id} LIMIT ?
"""
# Where each query looks, and the column that orders it: at all works, or at some of them.
_ALL = ("works", "works.id"), ("history", "history.work")
_SOME = (
    ("reindex CROSS JOIN works ON works.id = reindex.work", "reindex.work"),
    ("reindex CROSS JOIN history ON history.work = reindex.work", "reindex.work"),
)


def update_history(
    database: Database, *, only_reindex: bool = False, now: datetime | None = None
) -> int:
    """Bring the table history up to date, in a transaction; return how many works changed.

    With `only_reindex` only the works in the table reindex can have changed. Times never
    go back, not even with the clock: what has changed is later than what any reader has
    seen. So this is called as late as possible in the transaction.
    """
    time = (now or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    latest = database.one("SELECT max(changed) FROM history")[0]
    time = max(time, latest or "")
    changed = 0
    # A portal of a version without a history has it filled by its next build.
    (works, work_id), (history, history_id) = _SOME if only_reindex and latest else _ALL
    columns = ", ".join(f"works.{name}" for name in EXPOSED)
    for some in _batches(database, _FOUND.format(columns=columns, source=works, id=work_id)):
        rows = []
        for work, *exposed, topics, fetched, before, found, gone in some:
            stamp = digest(repr(exposed), topics)
            if stamp != before or gone:
                rows.append((work, stamp, topics, found or fetched, time, 0))
        database.put("history", rows)
        changed += len(rows)
    for some in _batches(database, _GONE.format(source=history, id=history_id)):
        database.put("history", [(*row, time, 1) for row in some])
        changed += len(some)
    return changed


def _batches(database: Database, query: str) -> Iterator[list[Row]]:
    """Yield the rows of a query in portions, each after the id that ends the one before."""
    last = ""
    while some := list(database.rows(query, last, WORKS_PER_QUERY)):
        yield some
        last = some[-1][0]
