"""The outbox: which works were told of, in notify.db; each work is in one digest.

A digest is stored before it is sent and marked afterwards. If the process is killed in
between, it is sent again under the same id, by which receivers recognise it; no work is in
two digests, and none is forgotten. What a portal has when it is first asked is not new.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self
from uuid import uuid4

from lycosa.closing import Closing
from lycosa.errors import StoreError, UsageError
from lycosa.files import FileLock

FILE = "notify.db"
CHANNELS = ("mail", "webhook")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS told (             -- works, with the digest that has them
  work TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pending (          -- digests that a channel has not got yet
  digest TEXT NOT NULL, channel TEXT NOT NULL, made TEXT NOT NULL,
  PRIMARY KEY (digest, channel)) WITHOUT ROWID;
"""
_NEW = """
SELECT work, found FROM portal.history WHERE gone = 0
AND work NOT IN (SELECT work FROM told)
AND NOT EXISTS (SELECT 1 FROM portal.moved JOIN told ON told.work = old WHERE new = history.work)
ORDER BY found, work
"""
BASELINE = "baseline"
"""The digest of works that were there before any was sent."""


class Pending(NamedTuple):
    """A digest that is to be sent over a channel."""

    digest: str
    channel: str
    works: tuple[str, ...]
    """Their ids."""


class Outbox(Closing):
    """What a portal has told of, and what it is about to; opened by `Outbox.open`."""

    def __init__(self, database: sqlite3.Connection, lock: FileLock) -> None:
        self._database = database
        self._lock = lock

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the outbox of a project; one process at a time may."""
        portal = folder / "portal.db"
        if not portal.is_file():
            raise UsageError(f"{folder} has no portal yet: run lycosa build {folder} first.")
        lock = FileLock(folder / "notify.lock")
        try:
            database = sqlite3.connect(folder / FILE, isolation_level=None, uri=True)
            database.execute("PRAGMA synchronous=FULL")
            database.executescript(_SCHEMA)
            database.execute("ATTACH ? AS portal", (f"{portal.absolute().as_uri()}?mode=ro",))
        except sqlite3.Error as error:
            lock.release()
            raise StoreError(f"{folder / FILE} cannot be used: {error}.") from error
        return cls(database, lock)

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever told of."""
        return self._database.execute("SELECT 1 FROM told LIMIT 1").fetchone() is None

    def new_works(self) -> list[str]:
        """Return the works that were never told of, in the order in which they were found."""
        return [work for work, _ in self._database.execute(_NEW)]

    def set_baseline(self) -> None:
        """Take all works for known."""
        with self._transaction():
            rows = [(work, BASELINE) for work in self.new_works()] or [("", BASELINE)]
            self._database.executemany("INSERT INTO told VALUES (?, ?)", rows)

    def add(
        self, works: Collection[str], channels: Collection[str], passed: Collection[str] = ()
    ) -> None:
        """Make a digest of works, for these channels; `passed` are left out for good."""
        digest = uuid4().hex
        with self._transaction():
            run = self._database.executemany
            run("INSERT INTO told VALUES (?, ?)", [(work, digest) for work in works])
            run("INSERT INTO told VALUES (?, ?)", [(work, BASELINE) for work in passed])
            # With milliseconds: digests of two builds in a second are sent in their order.
            query = "INSERT INTO pending VALUES (?, ?, strftime('%Y-%m-%d %H:%M:%f', 'now'))"
            run(query, [(digest, channel) for channel in channels if works])

    def pending(self) -> list[Pending]:
        """Return the digests that are to be sent, the oldest first."""
        rows = self._database.execute("SELECT digest, channel FROM pending ORDER BY made, 1, 2")
        found = []
        for digest, channel in rows.fetchall():
            query = "SELECT work FROM told WHERE digest = ? ORDER BY work"
            works = tuple(work for (work,) in self._database.execute(query, (digest,)))
            found.append(Pending(digest, channel, works))
        return found

    def sent(self, pending: Pending) -> None:
        """Note that a digest was sent."""
        query = "DELETE FROM pending WHERE digest = ? AND channel = ?"
        self._database.execute(query, pending[:2])

    def close(self) -> None:
        """Close the file and release the lock."""
        self._database.close()
        self._lock.release()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
