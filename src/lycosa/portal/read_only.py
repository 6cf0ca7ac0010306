"""Read-only connections to an SQLite file, one for each thread."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

MAPPED_BYTES: Final = 1 << 40
"""More than any file has: all of it is read through memory mapping."""


class _ClosedAtEnd(sqlite3.Connection):
    """A connection that is closed when nothing refers to it; Python 3.13 warns of others."""

    def __del__(self) -> None:
        self.close()


class ReadOnlyDatabase:
    """An SQLite file for queries, safe to share among threads.

    `path` is that of the file. A connection is closed when its thread ends.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection of this thread."""
        if not hasattr(self._local, "connection"):
            address = f"{self._path.absolute().as_uri()}?mode=ro"
            # The database itself, and so what its threads have, may be collected in another thread.
            connection = self._local.connection = sqlite3.connect(
                address, uri=True, factory=_ClosedAtEnd, check_same_thread=False
            )
            connection.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")
        found: sqlite3.Connection = self._local.connection
        return found

    def all(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        return self.connection.execute(query, values).fetchall()

    def one(self, query: str, *values: Any) -> Any:
        """Return the first row of a query, or None."""
        return self.connection.execute(query, values).fetchone()

    def has_table(self, name: str) -> bool:
        """Return whether there is a table of this name: older portals lack some."""
        query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        return self.one(query, name) is not None

    def rows_as_json(self, query: str, columns: int, *values: Any) -> list[list[Any]]:
        """Return the rows of a query, fetched as one.

        Between two rows Python may switch to another thread, and come back late.
        """
        names = ", ".join(f"c{k}" for k in range(columns))
        packed = f"SELECT json_group_array(json_array({names})) FROM found"  # noqa: S608
        text = self.one(f"WITH found ({names}) AS ({query}) {packed}", *values)[0]
        return [*json.loads(text)]


def placeholders(values: Iterable[object]) -> str:
    """Return one placeholder for each value.

    >>> placeholders([3, 4])
    '?, ?'
    """
    return ", ".join("?" for _ in values)
