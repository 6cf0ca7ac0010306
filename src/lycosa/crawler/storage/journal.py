"""The step log of a live crawl: one row for each step, in an SQLite database.

The log has no rows for links: a page has about a hundred of them, and their
rows would cost more than the page. Links are in the archived pages.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from lycosa.crawler.storage.records import Original, RecordLocation
from lycosa.crawler.storage.store import StoredStep
from lycosa.crawler.storage.volumes import OnStage
from lycosa.databases import DatabaseFormat

_SCHEMA = """
CREATE TABLE steps (
    n INTEGER PRIMARY KEY, url TEXT NOT NULL, final TEXT NOT NULL,
    status INTEGER NOT NULL, type TEXT NOT NULL, fault TEXT,
    reward REAL NOT NULL, source INTEGER NOT NULL, score REAL NOT NULL, time TEXT NOT NULL,
    file INTEGER, "offset" INTEGER, length INTEGER, digest TEXT);
CREATE TABLE files (file INTEGER PRIMARY KEY, length INTEGER NOT NULL);
CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
# Created with the first conversion, so that a database without any has the tables it always had.
CREATE_CONVERSIONS = (
    "CREATE TABLE IF NOT EXISTS conversions (key TEXT PRIMARY KEY, value BLOB NOT NULL)"
)
# Created by the first run that requests pages again: no other run looks for a URL.
INDEX_BY_FINAL = "CREATE INDEX IF NOT EXISTS steps_by_final ON steps (final)"
FORMAT = DatabaseFormat(
    "the step log of a crawl", 1, _SCHEMA, "choose another folder", " to read or resume this crawl"
)
"""The format of crawl.db; a change of the schema needs a new version and a migration."""

COLUMNS = (
    'n, url, final, status, type, fault, reward, source, score, time, file, "offset", length, '
    "digest"
)
_ROW = f"({', '.join('?' * 14)})"
INSERT_STEP = f"INSERT OR REPLACE INTO steps ({COLUMNS}) VALUES {_ROW}"  # noqa: S608
_ROWS_PER_INSERT = 128  # SQLite has limits to the parameters of a statement
_ROWS_PER_QUERY = 1000
DROPPED = "dropped-volumes"
"""The key of the note with the files that a compaction has emptied and may not have deleted."""


@dataclass(frozen=True, slots=True)
class StepRow(StoredStep):
    """A row of the step log: a step, and where its response is archived."""

    location: RecordLocation | None = None
    """The record in the archive; None if the step has a fault, or a compaction has dropped it."""
    digest: str | None = None
    """The digest of the body, as in the record."""


class StoreCounts(NamedTuple):
    """Totals of what is committed."""

    steps: int
    """Steps of all runs of the crawl."""
    answers: int
    """Steps with a response, of any status."""
    targets: int
    """Distinct URLs of targets."""
    bytes: int
    """The size of the archive."""


class Journal:
    """The database; it is created if the file is missing or empty.

    `path` is the file and `on_stage` is called with the name of each stage of a
    commit that was reached.
    """

    def __init__(self, path: Path, on_stage: OnStage) -> None:
        self._on_stage = on_stage
        # Commits run in another thread; the store allows one at a time.
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            self._open(path)
        except BaseException:
            self._database.close()
            raise

    def _open(self, path: Path) -> None:
        version = FORMAT.identify(path, self._database)
        self._number("PRAGMA journal_mode=WAL")
        # In WAL mode only FULL syncs at every commit; with NORMAL a power failure could
        # undo steps that were reported as committed.
        self._database.execute("PRAGMA synchronous=FULL")
        if not version:
            with self._transaction():
                FORMAT.create(self._database)
        FORMAT.prepare(path, self._database)

    def write(
        self,
        rows: Sequence[tuple[Any, ...]],
        sizes: Mapping[int, int],
        notes: Mapping[str, str],
        rewards: Mapping[int, float],
        conversions: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        """Write everything in one transaction and sync it; `rows` have the `COLUMNS` of steps."""
        with self._transaction():
            run = self._database.executemany
            # A commit that was interrupted may have succeeded: repeating it must be harmless.
            self._insert(rows)
            run("INSERT OR REPLACE INTO files VALUES (?, ?)", sizes.items())
            run("INSERT OR REPLACE INTO notes VALUES (?, ?)", notes.items())
            run("UPDATE steps SET reward = ?2 WHERE n = ?1", rewards.items())
            if conversions:
                self._database.execute(CREATE_CONVERSIONS)
                run("INSERT OR REPLACE INTO conversions VALUES (?, ?)", conversions.items())

    def _insert(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Insert steps, many by one statement.

        SQLite gives the interpreter lock away for each statement, and a busy loop gives it
        back only after 5 ms.
        """
        for first in range(0, len(rows), _ROWS_PER_INSERT):
            part = rows[first : first + _ROWS_PER_INSERT]
            values = [value for row in part for value in row]
            self._database.execute(INSERT_STEP + f", {_ROW}" * (len(part) - 1), values)

    def sizes(self) -> dict[int, int]:
        """Return the committed length of each file of the archive."""
        return dict(self._database.execute("SELECT file, length FROM files ORDER BY file"))

    def last(self) -> int:
        """Return the number of the last step; 0 if there is none."""
        return int(self._number("SELECT ifnull(max(n), 0) FROM steps"))

    def note(self, key: str) -> str | None:
        """Return the note under a key."""
        found = self._database.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
        return None if found is None else str(found[0])

    def index_urls(self) -> None:
        """Make `original` fast; this reads every row once in the life of a crawl."""
        self._database.execute(INDEX_BY_FINAL)

    def original(self, final: str) -> Original | None:
        """Return the last response of a URL that has a body, if its status was 200."""
        query = (
            'SELECT time, digest, file, "offset", length FROM steps WHERE final = ? '
            "AND status = 200 AND file IS NOT NULL ORDER BY n DESC LIMIT 1"
        )
        found = self._database.execute(query, (final,)).fetchone()
        if found is None or found[1] is None:
            return None
        return Original(datetime.fromisoformat(found[0]), found[1], RecordLocation(*found[2:]))

    def conversion(self, key: str) -> bytes | None:
        """Return the conversion of a document under a key."""
        return find_conversion(self._database, key)

    # Compaction

    def latest_steps(self) -> set[int]:
        """Return the steps with the latest response of each URL: with status 200, and with any."""
        query = "SELECT max(n) FROM steps WHERE file IS NOT NULL AND {} GROUP BY final"
        found: set[int] = set()
        for condition in ("status = 200", "status != 304"):
            found.update(n for (n,) in self._database.execute(query.format(condition)))
        return found

    def steps_in(self, file: int) -> Iterator[tuple[int, int, int]]:
        """Yield number, offset and length of the steps whose record is in a file."""
        query = 'SELECT n, "offset", length FROM steps WHERE file = ?'
        yield from self._database.execute(query, (file,))

    def move(self, places: Iterable[tuple[int, RecordLocation]], sizes: Mapping[int, int]) -> None:
        """Change where the records of some steps are."""
        rows = [(*location, n) for n, location in places]
        with self._transaction():
            run = self._database.executemany
            run('UPDATE steps SET file = ?, "offset" = ?, length = ? WHERE n = ?', rows)
            run("INSERT OR REPLACE INTO files VALUES (?, ?)", sizes.items())

    def drop_volume(self, file: int, conversions: Iterable[str]) -> None:
        """Remove a file from the log, with what is still in it, and note that it is to be deleted.

        `conversions` are the keys of the conversions that are removed with it.
        """
        keys = [(key,) for key in conversions]
        with self._transaction():
            run = self._database.execute
            run('UPDATE steps SET file = NULL, "offset" = NULL, length = NULL WHERE file = ?',
                (file,))  # fmt: skip
            run("DELETE FROM files WHERE file = ?", (file,))
            run("INSERT OR REPLACE INTO notes VALUES (?, ?)", (DROPPED, json.dumps([file])))
            if keys:
                self._database.executemany("DELETE FROM conversions WHERE key = ?", keys)

    def dropped(self) -> list[int]:
        """Return the files that are to be deleted."""
        return [int(file) for file in json.loads(self.note(DROPPED) or "[]")]

    def forget_dropped(self) -> None:
        """Note that they are deleted."""
        with self._transaction():
            self._database.execute("DELETE FROM notes WHERE key = ?", (DROPPED,))

    def has_conversions(self) -> bool:
        """Return whether conversions of documents are kept."""
        return _has_conversions(self._database)

    def counts(self) -> StoreCounts:
        """Return the totals; this scans every row."""
        found = "count(DISTINCT CASE WHEN reward > 0 THEN url END)"
        query = f"SELECT count(*), count(file), {found} FROM steps"  # noqa: S608
        size = self._number("SELECT ifnull(sum(length), 0) FROM files")
        steps, answers, targets = self._database.execute(query).fetchone()
        return StoreCounts(steps, answers, targets, size)

    def rows(self, after: int = 0) -> Iterator[StepRow]:
        """Yield every step after step `after`, those written during the iteration included."""
        # An open query would block the checkpoints of the WAL.
        query = f"SELECT {COLUMNS} FROM steps WHERE n > ? ORDER BY n LIMIT ?"  # noqa: S608
        last = after
        while values := self._database.execute(query, (last, _ROWS_PER_QUERY)).fetchall():
            yield from map(row_of_values, values)
            last = values[-1][0]

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _number(self, query: str) -> Any:
        return self._database.execute(query).fetchone()[0]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._on_stage("inserted")
            self._database.execute("COMMIT")
        except BaseException:
            # After some errors SQLite has rolled back already.
            with suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            raise
        self._on_stage("committed")


def find_conversion(database: sqlite3.Connection, key: str) -> bytes | None:
    """Return the conversion under a key; None if there is none, or no table of them."""
    if not _has_conversions(database):
        return None
    query = "SELECT value FROM conversions WHERE key = ?"
    found = database.execute(query, (key,)).fetchone()
    return None if found is None else bytes(found[0])


def _has_conversions(database: sqlite3.Connection) -> bool:
    table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'conversions'"
    return database.execute(table).fetchone() is not None


def values_of_row(row: StepRow) -> tuple[Any, ...]:
    """Return the values of the `COLUMNS` of a step."""
    return values_of_step(row, row.location, row.digest)


def values_of_step(
    step: StoredStep, location: RecordLocation | None, digest: str | None
) -> tuple[Any, ...]:
    """Return the values of the `COLUMNS` of a step whose response is archived there."""
    place: tuple[int | None, ...] = location or (None, None, None)
    return (
        step.n, step.url, step.final, step.status, step.type, step.fault,
        step.reward, step.source, step.score, step.when.isoformat(), *place, digest,
    )  # fmt: skip


def row_of_values(values: tuple[Any, ...]) -> StepRow:
    """Return the step of the values of its `COLUMNS`."""
    n, url, final, status, kind, fault, reward, source, score, when, *location, digest = values
    record = None if location[0] is None else RecordLocation(*location)
    return StepRow(
        n, url, final, status, kind, fault, reward, source, score,
        datetime.fromisoformat(when), record, digest,
    )  # fmt: skip
