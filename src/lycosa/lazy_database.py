"""Lazy database: an SQLite file that the first write creates, shared among threads and processes.

A folder on a read-only disk can be read though it lacks the file: it then reads as empty.

>>> from tempfile import TemporaryDirectory
>>> books = DatabaseFormat("a library", 1, "CREATE TABLE books (title TEXT);", "move it elsewhere")
>>> with TemporaryDirectory() as folder, LazyDatabase(Path(folder) / "books.db", books) as database:
...     before = database.rows("SELECT * FROM books"), database.path.exists()
...     with database.transaction() as connection:
...         _ = connection.execute("INSERT INTO books VALUES ('Spiders')")
...     before, database.rows("SELECT * FROM books")
(([], False), [('Spiders',)])
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from lycosa.closing import Closing
from lycosa.databases import DatabaseFormat
from lycosa.errors import StoreError

LOCK_TIMEOUT_SECONDS: Final = 30.0

_log = logging.getLogger("lycosa.databases")


class LazyDatabase(Closing):
    """A database of some format; what is deleted from it is overwritten in the file.

    Parameters
    ----------
    path
        The file; it is created by the first transaction.
    format
        Its format.
    unharmed
        Ends the message of a write that failed.
    """

    def __init__(self, path: Path, format: DatabaseFormat, unharmed: str = "") -> None:
        self.path = path
        self._format = format
        self._unharmed = unharmed
        self._lock = threading.RLock()
        with self._translate_errors():
            self._on_disk = path.exists()
            self._database = self._connect(path if self._on_disk else ":memory:")

    def rows(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""
        with self._lock, self._translate_errors():
            self._attach(create=False)
            return self._database.execute(query, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Change the database, all or nothing."""
        with self._lock, self._translate_errors():
            self._attach(create=True)
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def vacuum(self) -> None:
        """Write the file anew, without what was deleted."""
        with self._lock, self._translate_errors():
            self._attach(create=False)
            if self._on_disk:
                self._database.execute("VACUUM")

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _attach(self, *, create: bool) -> None:
        """Switch from memory to the file, if it exists by now or is to be created."""
        if not self._on_disk and (create or self.path.exists()):
            database = self._connect(self.path)
            self._database.close()
            self._database, self._on_disk = database, True

    def _connect(self, name: Path | str) -> sqlite3.Connection:
        # The lock lets one thread at a time use the connection.
        database = sqlite3.connect(
            name, timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            database.execute("PRAGMA secure_delete = ON").fetchone()
            self._format.prepare(self.path, database)
        except BaseException:
            database.close()
            raise
        return database

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) is None:
                raise
            _log.debug("%s cannot be used", self.path, exc_info=error)
            raise StoreError(
                f"{self.path} cannot be used ({error}): check the disk and the permissions"
                f"{self._unharmed}."
            ) from error


def timestamp() -> str:
    """Return the time now as a row has it: ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
