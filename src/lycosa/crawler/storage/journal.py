"""The books of a live crawl: one row for each step, in an SQLite database.

A page has a hundred links, so a row for each link would cost more than the
page. The journal has a row for each step only; the links are in the archive.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from lycosa.crawler.storage.volumes import OnStage, RecordLocation
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
FORMAT = DatabaseFormat(
    "the journal of a crawl", 1, _SCHEMA, "choose another folder", " to read or continue this crawl"
)
"""Of crawl.db; a change of the schema needs a new version and a migration from this one."""

_COLUMNS = (
    'n, url, final, status, type, fault, reward, source, score, time, file, "offset", length, '
    "digest"
)
_ADD = f"INSERT OR REPLACE INTO steps ({_COLUMNS}) VALUES ({', '.join('?' * 14)})"  # noqa: S608
_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Row:
    """One step as it is remembered.

    `url` is what was asked for, `final` where redirects led, `type` the
    Content-Type as it came, `source` the step whose page had the link (0: a
    seed). Without an answer there is a `fault` and no `place` in the archive.
    """

    n: int
    url: str
    final: str
    status: int
    type: str
    fault: str | None
    reward: float
    source: int
    score: float
    when: datetime
    place: RecordLocation | None = None
    digest: str | None = None
    """Of the body, as in the record."""


class Counts(NamedTuple):
    """What was committed: steps, those with an answer, those that were targets, bytes."""

    steps: int
    answers: int
    targets: int
    bytes: int


class Journal:
    """The database, made if the file is not there or empty."""

    def __init__(self, path: Path, watch: OnStage) -> None:
        self._watch = watch
        # Commits may be made in another thread; the store sees that there is one at a time.
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            self._open(path)
        except BaseException:
            self._database.close()
            raise

    def _open(self, path: Path) -> None:
        version = FORMAT.identify(path, self._database)
        self._number("PRAGMA journal_mode=WAL")
        # In WAL mode only FULL waits for the disk at every commit; NORMAL would let
        # a power failure take back steps that were said to be done.
        self._database.execute("PRAGMA synchronous=FULL")
        if not version:
            with self._transaction():
                FORMAT.create(self._database)
        FORMAT.prepare(path, self._database)

    def write(
        self,
        rows: Iterable[Row],
        sizes: Mapping[int, int],
        notes: Mapping[str, str],
        rewards: Mapping[int, float],
    ) -> None:
        """Make it all true at once, and wait until the disk has it; all of it, or nothing."""
        with self._transaction():
            run = self._database.executemany
            # Whoever was interrupted may not know that it was done, and does it again.
            run(_ADD, map(_values, rows))
            run("INSERT OR REPLACE INTO files VALUES (?, ?)", sizes.items())
            run("INSERT OR REPLACE INTO notes VALUES (?, ?)", notes.items())
            run("UPDATE steps SET reward = ?2 WHERE n = ?1", rewards.items())

    def sizes(self) -> dict[int, int]:
        """How many bytes of each file of the archive count."""
        return dict(self._database.execute("SELECT file, length FROM files ORDER BY file"))

    def last(self) -> int:
        """The number of the last step; 0 if there is none."""
        return int(self._number("SELECT ifnull(max(n), 0) FROM steps"))

    def note(self, key: str) -> str | None:
        """What was noted under a key."""
        found = self._database.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
        return None if found is None else str(found[0])

    def counts(self) -> Counts:
        """How far the crawl has come; it takes a look at every row."""
        found = "count(DISTINCT CASE WHEN reward > 0 THEN url END)"
        query = f"SELECT count(*), count(file), {found} FROM steps"  # noqa: S608
        size = self._number("SELECT ifnull(sum(length), 0) FROM files")
        steps, answers, targets = self._database.execute(query).fetchone()
        return Counts(steps, answers, targets, size)

    def rows(self) -> Iterator[Row]:
        """Every step in order, also those that are written meanwhile."""
        # A query that stays open would keep the database from tidying up.
        query = f"SELECT {_COLUMNS} FROM steps WHERE n > ? ORDER BY n LIMIT ?"  # noqa: S608
        last = 0
        while values := self._database.execute(query, (last, _AT_ONCE)).fetchall():
            yield from map(_row, values)
            last = values[-1][0]

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def _number(self, query: str) -> Any:
        return self._database.execute(query).fetchone()[0]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._watch("inserted")
            self._database.execute("COMMIT")
        except BaseException:
            # After some errors the database has done it already.
            with suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            raise
        self._watch("committed")


def _values(row: Row) -> tuple[Any, ...]:
    place: tuple[int | None, ...] = row.place or (None, None, None)
    return (
        row.n, row.url, row.final, row.status, row.type, row.fault,
        row.reward, row.source, row.score, row.when.isoformat(), *place, row.digest,
    )  # fmt: skip


def _row(values: tuple[Any, ...]) -> Row:
    n, url, final, status, kind, fault, reward, source, score, when, *place, digest = values
    return Row(
        n, url, final, status, kind, fault, reward, source, score,
        datetime.fromisoformat(when), None if place[0] is None else RecordLocation(*place), digest,
    )  # fmt: skip
