"""Formats of SQLite files: recognise a file, check its version and tables, migrate it.

A file carries its version in `PRAGMA user_version`. A file of an older version
is migrated step by step, each step in a transaction of its own; a file of a
newer version, of another program or with missing tables is refused in one
sentence that says what the file is, what this program reads, and what to do.

>>> import sqlite3
>>> def add_language(database):
...     _ = database.execute("ALTER TABLE books ADD COLUMN language TEXT")
>>> first = DatabaseFormat("a library", 1, "CREATE TABLE books (title TEXT);", "move it elsewhere")
>>> second = DatabaseFormat(
...     "a library", 2, "CREATE TABLE books (title TEXT, language TEXT);", "move it elsewhere",
...     migrations={1: add_language},
... )
>>> database = sqlite3.connect(":memory:", isolation_level=None)
>>> first.prepare("library.db", database)
1
>>> second.prepare("library.db", database)
2
>>> first.prepare("library.db", database)
Traceback (most recent call last):
    ...
lycosa.errors.UsageError: library.db was written by a newer Lycosa (format 2, this one knows 1): \
update Lycosa.
>>> database.close()
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from lycosa.errors import UsageError

APPLICATION_ID: Final = 0x4C79636F
"""`PRAGMA application_id` of every database that Lycosa writes: "Lyco"."""

Migration: TypeAlias = Callable[[sqlite3.Connection], None]
"""Brings a database from one version to the next, inside a transaction."""

_log = logging.getLogger("lycosa.databases")


@dataclass(frozen=True, slots=True)
class DatabaseFormat:
    """The current version of one kind of database file, and how older ones become it.

    `kind` names the file in messages ("the journal of a crawl"), `schema` is the
    script that creates an empty one, `advice` says what to do with a file that
    cannot be used ("choose another folder"), `update` what a newer Lycosa is
    needed for, and `repair` what to do with a file that lacks tables, if not
    `advice`. `migrations` has one function for each older version, which brings a
    database of that version to the next. `application_ids` are those that a file
    of this kind may carry.
    """

    kind: str
    version: int
    schema: str
    advice: str
    update: str = ""
    repair: str = ""
    migrations: Mapping[int, Migration] = field(default_factory=dict)
    application_ids: tuple[int, ...] = (APPLICATION_ID,)

    def prepare(self, path: Path | str, database: sqlite3.Connection) -> int:
        """Create or migrate a database and check it; return its version.

        The connection must be in autocommit mode (`isolation_level=None`).
        """
        version = self.identify(path, database)
        if version < self.version:
            version = self.upgrade(path, database)
        self.verify(path, database)
        return version

    def upgrade(self, path: Path | str, database: sqlite3.Connection) -> int:
        """Bring an empty or older database to the current version, one step a transaction."""
        while True:
            database.execute("BEGIN IMMEDIATE")
            try:
                # Another process may have done it while this one waited for the lock.
                version = self.identify(path, database)
                if version == self.version:
                    database.execute("COMMIT")
                    return version
                if version:
                    _log.info("migrating %s from format %d to %d", path, version, version + 1)
                    self.migrations[version](database)
                    _sign(database, version + 1)
                else:
                    self.create(database)
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise

    def create(self, database: sqlite3.Connection) -> None:
        """Create the tables of an empty database, inside the caller's transaction."""
        for statement in _statements(self.schema):
            database.execute(statement)
        _sign(database, self.version)

    def identify(self, path: Path | str, database: sqlite3.Connection) -> int:
        """Return the version of a database, 0 for an empty one; refuse what cannot be read."""
        # One snapshot: another process may create the tables between two of these reads.
        with _snapshot(database):
            version: int = database.execute("PRAGMA user_version").fetchone()[0]
            application: int = database.execute("PRAGMA application_id").fetchone()[0]
            tables = _tables(database)
        if not tables and not version:
            return 0
        if application not in self.application_ids or version < 1:
            raise UsageError(f"{path} is not {self.kind}: {self.advice}.")
        if version > self.version:
            raise UsageError(
                f"{path} was written by a newer Lycosa (format {version}, this one knows "
                f"{self.version}): update Lycosa{self.update}."
            )
        if not tables & self.tables().keys():
            raise UsageError(f"{path} is not {self.kind}: {self.advice}.")
        return version

    def verify(self, path: Path | str, database: sqlite3.Connection) -> None:
        """Refuse a database that lacks a table or column, or demands one that is unknown."""
        self.verify_readable(path, database)
        if unknown := self.unknown_required(database):
            raise UsageError(
                f"{path} has a column {unknown[0]} that this Lycosa cannot fill; "
                f"another program has changed the file: {self.repair or self.advice}."
            )

    def verify_readable(
        self, path: Path | str, database: sqlite3.Connection, optional: str = ""
    ) -> None:
        """Refuse a database that lacks a table or column; those of one table may be missing."""
        for missing in self.missing(database):
            table, _, column = missing.partition(".")
            if table != optional or not column:
                what = f"column {missing}" if column else f"table {table}"
                raise UsageError(f"{path} lacks the {what}: {self.repair or self.advice}.")

    def missing(self, database: sqlite3.Connection) -> list[str]:
        """Return the tables, and columns as `table.column`, that a database lacks."""
        found = _tables(database)
        missing = []
        for table, columns in self.tables().items():
            if table not in found:
                missing.append(table)
                continue
            there = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
            missing += [f"{table}.{name}" for name in columns if name not in there]
        return missing

    def unknown_required(self, database: sqlite3.Connection) -> list[str]:
        """Return the unknown columns, as `table.column`, that a new row must fill."""
        return [
            f"{table}.{name}"
            for table, columns in self.tables().items()
            for _, name, _, required, default, key in database.execute(
                f"PRAGMA table_info({table})"
            )
            if name not in columns and required and default is None and not key
        ]

    def tables(self) -> dict[str, tuple[str, ...]]:
        """Return the columns of every table of the current version."""
        empty = sqlite3.connect(":memory:")
        try:
            empty.executescript(self.schema)
            return {
                table: tuple(row[1] for row in empty.execute(f"PRAGMA table_info({table})"))
                for table in sorted(_tables(empty))
            }
        finally:
            empty.close()


@contextmanager
def _snapshot(database: sqlite3.Connection) -> Iterator[None]:
    """Read one state of a database, in the transaction that is open or in one of its own."""
    if database.in_transaction:
        yield
        return
    database.execute("BEGIN")
    try:
        yield
    finally:
        database.rollback()


def _tables(database: sqlite3.Connection) -> set[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    return {row[0] for row in database.execute(query)}


def _sign(database: sqlite3.Connection, version: int) -> None:
    database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    database.execute(f"PRAGMA user_version = {version}")


def _statements(script: str) -> list[str]:
    """Split a script; `executescript` would commit the open transaction first."""
    found, statement = [], ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            found.append(statement)
            statement = ""
    return found
