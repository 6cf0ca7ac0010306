"""portal.db as a build writes it: documents as they come, all else in one transaction.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, Database.open(folder) as database:
...     with database.replacing() as replace:
...         _ = replace("meta", [("title", "Spiders")])
...     database.meta("title")
'Spiders'
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, TypeAlias

from lycosa.closing import Closing
from lycosa.errors import ContractError, UsageError
from lycosa.files import FileLock
from lycosa.portal.build.error_advice import translate_errors
from lycosa.portal.build.reading import Listed, Read
from lycosa.portal.schema import SCHEMA, VERSION

FILE = "portal.db"
LOCK = "portal.lock"

KEYS: Mapping[str, int] = MappingProxyType(
    {
        "meta": 1, "works": 1, "copies": 1, "cited": 2, "citations": 2, "authors": 1,
        "authorship": 2, "topics": 1, "placed": 2, "seminal": 2, "moved": 1, "indexed": 1,
    }
)  # fmt: skip
"""The tables that are made of others, and how many of their first columns are their key."""

_AT_ONCE = 1000
_CACHE = 200_000  # kilobytes, so that what one transaction changes need not be written twice
_WAIT = 60.0  # seconds for somebody who writes, which nobody else should

Row: TypeAlias = tuple[Any, ...]
Replace: TypeAlias = Callable[[str, Iterable[Row]], int]
"""Makes a table hold these rows, sorted by key, and no others: how many were changed."""


class Database(Closing):
    """Opened by `Database.open`, by one build at a time; readers see what was committed."""

    def __init__(self, folder: Path, lock: FileLock, database: sqlite3.Connection) -> None:
        self.folder = folder
        self._lock = lock
        self._database = database

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """The database of a folder, made if it is not there."""
        folder = Path(folder)
        with translate_errors(folder):
            lock = _locked(folder)
            try:
                return cls(folder, lock, _connected(folder / FILE))
            except BaseException:
                lock.release()
                raise

    # Documents

    def steps(self) -> dict[str, int]:
        """The step that each document is of."""
        return dict(self.rows("SELECT id, step FROM documents"))

    def twin(self, digest: str, type: str) -> Read | None:
        """What became of a document with the same body and type."""
        facts = "id, kind, outcome, sure, title, abstract, date, language, text, fields"
        query = f"SELECT {facts} FROM documents WHERE digest = ? AND type = ? LIMIT 1"  # noqa: S608
        if (found := self.one(query, digest, type)) is None:
            return None
        query = (
            "SELECT number, text, page, line, fields, contexts FROM references_ "
            "WHERE document = ? ORDER BY number"
        )
        listed = tuple(map(Listed._make, self.rows(query, found[0])))
        return replace(Read(*found[1:]), references=listed)

    def add(self, id: str, place: Row, read: Read) -> None:
        """Add a document, or put it in place of an earlier one; `place` is step to reward."""
        facts = (
            read.kind, read.outcome, read.sure, read.title, read.abstract, read.date,
            read.language, read.text, read.fields,
        )  # fmt: skip
        with translate_errors(self.folder):
            self._begin()
            self._insert("documents", [(id, *place, *facts)])
            self._execute("DELETE FROM references_ WHERE document = ?", id)
            self._insert("references_", [(id, *reference) for reference in read.references])

    def commit(self) -> None:
        """What was added is there for good."""
        with translate_errors(self.folder):
            if self._database.in_transaction:
                self._execute("COMMIT")

    # What is made of documents

    @contextmanager
    def replacing(self) -> Iterator[Replace]:
        """Replace tables, all or none."""
        with translate_errors(self.folder):
            self._begin()
            try:
                yield self._replace
                self._execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._execute("ROLLBACK")
                raise
            # The old state and the new one are both on the disk until this.
            self._execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _replace(self, table: str, rows: Iterable[Row]) -> int:
        """Rows that are as they were, most of them in most builds, are not written again."""
        key = KEYS[table]
        old = self._ordered(table, key)
        had = next(old, None)
        last: Row = ()
        new: list[Row] = []
        gone: list[Row] = []
        changed = 0
        for row in rows:
            mine = row[:key]
            if mine <= last:
                raise ContractError(f"The rows of {table} must be sorted, each key once.")
            last = mine
            while had is not None and had[:key] < mine:
                gone.append(had[:key])
                had = next(old, None)
            if had is None or had[:key] != mine:
                new.append(row)
            else:
                if had != row:
                    new.append(row)
                had = next(old, None)
            if len(new) >= _AT_ONCE:
                self._insert(table, new)
                changed += len(new)
                new = []
        while had is not None:
            gone.append(had[:key])
            had = next(old, None)
        self._insert(table, new)
        names, marks = ", ".join(self._columns(table)[:key]), ", ".join("?" * key)
        drop = f"DELETE FROM {table} WHERE ({names}) = ({marks})"  # noqa: S608
        self._database.executemany(drop, gone)
        return changed + len(new) + len(gone)

    def _ordered(self, table: str, key: int) -> Iterator[Row]:
        """The rows in order of their keys, not held by a query that writing would disturb."""
        names, marks = ", ".join(self._columns(table)[:key]), ", ".join("?" * key)
        first = f"SELECT * FROM {table} ORDER BY {names} LIMIT {_AT_ONCE}"  # noqa: S608
        after = first.replace(" ORDER", f" WHERE ({names}) > ({marks}) ORDER")
        some = self._execute(first).fetchall()
        while some:
            yield from some
            some = self._execute(after, *some[-1][:key]).fetchall()

    def _columns(self, table: str) -> list[str]:
        return [row[1] for row in self._execute(f"PRAGMA table_info({table})")]

    # Questions

    def meta(self, key: str) -> str:
        """A fact about the portal; empty if there is none."""
        found = self.one("SELECT value FROM meta WHERE key = ?", key)
        return found[0] if found else ""

    def one(self, query: str, *values: Any) -> Any:
        """The first row."""
        with translate_errors(self.folder):
            return self._execute(query, *values).fetchone()

    def rows(self, query: str, *values: Any) -> Iterator[Row]:
        """All rows, as they come."""
        with translate_errors(self.folder):
            yield from self._execute(query, *values)

    def close(self) -> None:
        """Let go; what was not committed never was."""
        self._database.close()
        self._lock.release()

    def _begin(self) -> None:
        if not self._database.in_transaction:
            self._execute("BEGIN IMMEDIATE")

    def _execute(self, query: str, *values: Any) -> sqlite3.Cursor:
        return self._database.execute(query, values)

    def _insert(self, table: str, rows: list[Row]) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            query = f"INSERT OR REPLACE INTO {table} VALUES ({marks})"  # noqa: S608
            self._database.executemany(query, rows)


def _locked(folder: Path) -> FileLock:
    try:
        return FileLock(folder / LOCK)
    except UsageError:
        raise UsageError(
            f"Another build of {folder} is at work: wait until it is done, or stop it."
        ) from None


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
    try:
        _check(path, database)
        database.execute("PRAGMA journal_mode = WAL").fetchone()
        database.execute(f"PRAGMA cache_size = -{_CACHE}")
        # All or nothing, or a build that is killed now would leave what looks like another's.
        database.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    except BaseException:
        database.close()
        raise
    return database


def _check(path: Path, database: sqlite3.Connection) -> None:
    version = database.execute("PRAGMA user_version").fetchone()[0]
    tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    if not tables:
        return
    if not {"documents", "works", *KEYS} <= tables or version < 1:
        raise UsageError(f"{path} is no portal of ours: move it elsewhere, then build again.")
    if version > VERSION:
        raise UsageError(
            f"{path} was written by a newer Lycosa (format {version}, this one knows "
            f"{VERSION}): update Lycosa, or delete the file and build again."
        )
