"""Salvage of a step log: all rows of a `crawl.db` that can still be read, healthy or not.

SQLite stores rows in pages and has no checksums: a damaged page fails to be read, or
gives wrong values. Rows of a damaged file therefore only fill in what the archive,
which has checksums, does not know.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from lycosa.closing import Closing
from lycosa.crawler.storage.journal import COLUMNS, FORMAT, StepRow, row_of_values
from lycosa.errors import UsageError

_log = logging.getLogger("lycosa.crawler")

_ROWS_PER_QUERY = 1000


class SalvagedJournal(Closing):
    """What can be read of a step log; `path` is that of `crawl.db`, which may be missing.

    `state` is `healthy`, `damaged` or `lost`. A file of a newer Lycosa is refused.
    """

    def __init__(self, path: Path) -> None:
        self.state = "lost"
        self._database: sqlite3.Connection | None = None
        if path.is_file() and path.stat().st_size:
            self.state = "damaged"
            with suppress(sqlite3.Error):
                self._database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
                self._database.text_factory = lambda text: text.decode("utf-8", "replace")
                self.state = _health(path, self._database)

    def rows(self) -> Iterator[StepRow]:
        """Yield the steps that can be read."""
        if self._database is None:
            return
        last = 0
        while found := self._query("n > ? ORDER BY n", last):
            yield from _valid(found)
            last = found[-1][0]
        if found == []:
            return
        # A page is damaged: read from the other end, then what is between.
        end: list[tuple[Any, ...]] = []
        first = None
        while found := self._query("n < ? ORDER BY n DESC", 2**62 if first is None else first):
            end += found
            first = found[-1][0]
            if first <= last + 1:
                break
        if first is not None:
            yield from _valid(self._between(last + 1, first - 1))
        yield from _valid([row for row in reversed(end) if row[0] > last])

    def _between(self, low: int, high: int) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a range, halved until each half can be read or is one row."""
        ranges = [(low, high)]
        while ranges:
            low, high = ranges.pop()
            if low > high:
                continue
            found = None
            if high - low < _ROWS_PER_QUERY:
                found = self._query("n BETWEEN ? AND ? ORDER BY n", low, high)
            if found is not None:
                yield from found
            elif low < high:
                middle = (low + high) // 2
                ranges += [(middle + 1, high), (low, middle)]

    def _query(self, where: str, *values: int) -> list[tuple[Any, ...]] | None:
        """Return some rows; None if they cannot be read."""
        query = f"SELECT {COLUMNS} FROM steps WHERE {where} LIMIT {_ROWS_PER_QUERY}"  # noqa: S608
        found: list[tuple[Any, ...]] | None = self._read(
            lambda database: database.execute(query, values).fetchall()
        )
        return found

    def notes(self) -> dict[str, Any]:
        """Return the notes that can be read, up to the first damage."""
        found = {}
        for key, text in self._pairs("SELECT key, value FROM notes"):
            with suppress(ValueError, TypeError, RecursionError):
                found[str(key)] = json.loads(text)
        return found

    def conversions(self) -> Iterator[tuple[str, bytes]]:
        """Yield the conversions of documents that can be read, up to the first damage."""
        for key, value in self._pairs("SELECT key, value FROM conversions"):
            if isinstance(key, str) and isinstance(value, bytes):
                yield key, value

    def sizes(self) -> dict[int, int]:
        """Return the committed length of each archive file; empty unless the file is healthy."""
        if self.state != "healthy" or self._database is None:
            return {}
        return dict(self._database.execute("SELECT file, length FROM files"))

    def close(self) -> None:
        """Close the database."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _pairs(self, query: str) -> Iterator[tuple[Any, Any]]:
        cursor = self._read(lambda database: database.execute(query))
        while cursor is not None:
            row = self._read(lambda _: cursor.fetchone())
            if row is None:
                return
            yield row

    def _read(self, ask: Callable[[sqlite3.Connection], Any]) -> Any:
        try:
            return None if self._database is None else ask(self._database)
        except (sqlite3.Error, OverflowError, ValueError):
            _log.debug("Some rows of a step log cannot be read", exc_info=True)
            return None


def _health(path: Path, database: sqlite3.Connection) -> str:
    try:
        whole = database.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if whole and version > FORMAT.version:
            FORMAT.identify(path, database)
        FORMAT.identify(path, database)
        FORMAT.verify(path, database)
    except sqlite3.Error:
        _log.debug("%s is damaged", path, exc_info=True)
        return "damaged"
    except UsageError:
        if whole and version > FORMAT.version:
            raise
        _log.debug("%s is not a step log", path, exc_info=True)
        return "damaged"
    return "healthy" if whole else "damaged"


def _valid(rows: Iterator[tuple[Any, ...]] | list[tuple[Any, ...]]) -> Iterator[StepRow]:
    """Yield the rows whose values have the types that they must have."""
    for values in rows:
        try:
            row = row_of_values(values)
        except (ValueError, TypeError):
            _log.debug("A row of a step log has invalid values", exc_info=True)
            continue
        numbers = isinstance(row.n, int) and isinstance(row.source, int)
        texts = isinstance(row.url, str) and isinstance(row.final, str)
        times = isinstance(row.when, datetime) and row.when.tzinfo is not None
        reals = all(isinstance(value, int | float) for value in (row.reward, row.score))
        if numbers and texts and times and reals and row.n > 0:
            yield row
