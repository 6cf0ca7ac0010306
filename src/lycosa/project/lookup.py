"""A ledger in which single steps are looked up."""

from __future__ import annotations

import json
from typing import Any

from lycosa.crawl.live.ledger import Entry, Ledger
from lycosa.crawl.live.troubles import explained

MOST = 100
"""Visits to one URL that are looked at."""

_COLUMNS = ", ".join(f'"{name}"' for name in Entry._fields)


class Lookup(Ledger):
    """The folder of a live crawl for questions about one URL."""

    def step(self, n: int) -> Entry | None:
        """One step; None if there is none of that number."""
        return next(iter(self._found("n = ?", n)), None)

    def visits(self, url: str) -> list[Entry]:
        """The steps at which a canonical URL was asked for, or that a redirect led to it."""
        through = "SELECT substr(key, 9) + 0 FROM notes WHERE key GLOB 'between:*'"
        where = f"(url = ?1 OR final = ?1 OR n IN ({through} AND instr(value, ?2)))"
        return self._found(where, url, json.dumps(url))

    def between(self, n: int) -> list[str]:
        """The URLs that redirects went through at a step, without the first and the last."""
        found = self.note(f"between:{n}")
        return [url for url in found if isinstance(url, str)] if isinstance(found, list) else []

    def score(self, n: int) -> float:
        """What the spider had said of the link that was followed; infinite for a seed."""
        with explained(self.folder):
            query = "SELECT score FROM steps WHERE n = ?"
            return float(self._database.execute(query, (n,)).fetchone()[0])

    def under_way(self, entry: Entry) -> list[str]:
        """The URLs that were asked for before that step, and came back after it."""
        return [other.url for other in self._found("n > ? AND time < ?", entry.n, entry.time)]

    def _found(self, where: str, *values: Any) -> list[Entry]:
        query = f"SELECT {_COLUMNS} FROM steps WHERE {where} AND n <= {self.steps} "  # noqa: S608
        with explained(self.folder):
            rows = self._database.execute(f"{query} ORDER BY n LIMIT {MOST}", values).fetchall()
        return [Entry._make(row) for row in rows]
