"""portal.db as a build writes it: documents one by one, derived tables in one transaction.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, Database.open(folder) as database:
...     with database.replacing() as replace:
...         _ = replace("meta", [("title", "Spiders")])
...     database.meta("title")
'Spiders'
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, TypeAlias

from lycosa.closing import Closing
from lycosa.errors import ContractError, UsageError
from lycosa.files import FileLock
from lycosa.portal.build.error_advice import translate_errors
from lycosa.portal.build.reading import ReadDocument, StoredReference
from lycosa.portal.extraction_log import FIELDS as EXTRACTED
from lycosa.portal.migrations import PORTAL, prepare_portal
from lycosa.portal.schema import BUILD_SCHEMA
from lycosa.processes import in_batches

_log = logging.getLogger("lycosa.portal")

FILE = "portal.db"
LOCK = "portal.lock"

KEYS: Mapping[str, int] = MappingProxyType(
    {
        "meta": 1, "works": 1, "copies": 1, "cited": 2, "citations": 2, "authors": 1,
        "authorship": 2, "topics": 1, "placed": 2, "seminal": 2, "moved": 1, "indexed": 1,
        "reindex": 1, "classified": 1, "history": 1,
        "tombstones": 1,
    }
)  # fmt: skip
"""The derived tables, and how many of their first columns are their key."""

_BUILD_COLUMNS = {
    "reindex": ("work",),
    "classified": ("work", "digest"),
    "history": ("work", "digest", "topics", "found", "changed", "gone"),
    "tombstones": ("document", "since"),
}

ROWS_PER_STATEMENT = 1000
CACHE_KILOBYTES = 200_000
"""So large that what one transaction changes need not be written twice."""
EXPUNGE_SECONDS = 20.0
"""How long a file that was written anew waits for readers of the old state."""
EXPUNGE_RETRY_SECONDS = 0.05
LOCK_TIMEOUT_SECONDS = 60.0
"""Only one build writes, so another writer is not expected."""

Row: TypeAlias = tuple[Any, ...]
Replace: TypeAlias = Callable[[str, Iterable[Row]], int]
"""Makes a table hold exactly these rows, sorted by key; returns how many were changed."""


class Database(Closing):
    """The database of one build, which holds the lock of the folder until it is closed.

    Readers see what was committed last. Open it with `Database.open`; `folder` is
    that of the project, `lock` is held by this build, `database` is in autocommit mode.
    """

    def __init__(self, folder: Path, lock: FileLock, database: sqlite3.Connection) -> None:
        self.folder = folder
        self._lock = lock
        self._database = database
        self._columns = {**PORTAL.tables(), **_BUILD_COLUMNS}

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Open the database of a folder; create or migrate it if necessary."""
        folder = Path(folder)
        with translate_errors(folder):
            lock = _lock(folder)
            try:
                return cls(folder, lock, _connect(folder / FILE))
            except BaseException:
                lock.release()
                raise

    # Documents

    def steps(self) -> dict[str, int]:
        """Return the step of the crawl that each document was read at."""
        return dict(self.rows("SELECT id, step FROM documents"))

    def duplicate(self, digest: str, type: str) -> ReadDocument | None:
        """Return what was read from a document with the same body and type, if there is one."""
        facts = "id, kind, outcome, sure, title, abstract, date, language, text, fields"
        query = f"SELECT {facts} FROM documents WHERE digest = ? AND type = ? "  # noqa: S608
        query += "AND outcome != 'noindex' "  # what a server says of one URL alone
        query += "AND id NOT IN (SELECT document FROM withheld) LIMIT 1"
        if (found := self.one(query, digest, type)) is None:
            return None
        query = (
            "SELECT number, text, page, line, fields, contexts FROM references_ "
            "WHERE document = ? ORDER BY number"
        )
        references = tuple(map(StoredReference._make, self.rows(query, found[0])))
        return replace(ReadDocument(*found[1:]), references=references)

    def add(self, id: str, place: Row, read: ReadDocument) -> None:
        """Add a document or replace its earlier version; `place` has its columns step to reward."""
        facts = (
            read.kind, read.outcome, read.confidence, read.title, read.abstract, read.date,
            read.language, read.text, read.fields,
        )  # fmt: skip
        with translate_errors(self.folder):
            self._begin()
            self._insert("documents", [(id, *place, *facts)])
            self._execute("DELETE FROM references_ WHERE document = ?", id)
            self._insert("references_", [(id, *reference) for reference in read.references])

    def set_tombstones(self, rows: Iterable[Row]) -> None:
        """Set which documents are gone, and since when, of those that are shown."""
        with translate_errors(self.folder):
            self._begin()
            self._replace("tombstones", sorted(rows))

    def count_extraction(self, rows: Iterable[Row]) -> None:
        """Add counts of host and day to the extraction log."""
        columns = ("read", *EXTRACTED)
        added = ", ".join(f'"{name}" = "{name}" + excluded."{name}"' for name in columns)
        marks = ", ".join("?" * (2 + len(columns)))
        query = f"INSERT INTO extraction VALUES ({marks}) ON CONFLICT DO UPDATE SET {added}"  # noqa: S608
        with translate_errors(self.folder):
            self._begin()
            self._database.executemany(query, rows)

    def delete_documents(self, ids: Iterable[str]) -> None:
        """Delete documents with their references; they are read again if the crawl has them."""
        with translate_errors(self.folder):
            self._begin()
            for document in ids:
                self._execute("DELETE FROM documents WHERE id = ?", document)
                self._execute("DELETE FROM references_ WHERE document = ?", document)
                self._execute("DELETE FROM withheld WHERE document = ?", document)

    def replace_references(self, id: str, text: str, references: Sequence[StoredReference]) -> None:
        """Change the text and the references of a document."""
        with translate_errors(self.folder):
            self._begin()
            self._execute("UPDATE documents SET text = ? WHERE id = ?", text, id)
            self._execute("DELETE FROM references_ WHERE document = ?", id)
            self._insert("references_", [(id, *reference) for reference in references])

    def note_withheld(self, id: str, exclusions: Iterable[int]) -> None:
        """Note for which exclusions references of a document are left out."""
        with translate_errors(self.folder):
            self._begin()
            for number in exclusions:
                self._execute("INSERT OR IGNORE INTO withheld VALUES (?, ?)", id, number)

    def withheld_by_others(self, exclusions: Container[int]) -> list[str]:
        """Return the documents that lack references for none of these exclusions."""
        rows = self.rows("SELECT document, exclusion FROM withheld ORDER BY document")
        return [document for document, number in rows if number not in exclusions]

    def expunge(self) -> bool:
        """Write the file anew, without what was deleted; return False if readers prevent it."""
        with translate_errors(self.folder):
            self._execute("VACUUM")
            until = time.monotonic() + EXPUNGE_SECONDS
            while True:
                busy = self._execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
                if not busy or time.monotonic() > until:
                    return not busy
                time.sleep(EXPUNGE_RETRY_SECONDS)

    def commit(self) -> None:
        """Commit the documents that were added."""
        with translate_errors(self.folder):
            if self._database.in_transaction:
                self._execute("COMMIT")

    # Derived tables

    @contextmanager
    def replacing(self, *, checkpoint: bool = True) -> Iterator[Replace]:
        """Replace derived tables, all of them or none.

        Without a `checkpoint`, what was written stays in the log until the next one: for
        rows that are soon written again.
        """
        with translate_errors(self.folder):
            self._begin()
            try:
                yield self._replace
                self._execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._execute("ROLLBACK")
                raise
            # Until the checkpoint both the old state and the new one take room on the disk.
            if checkpoint:
                self._execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _replace(self, table: str, rows: Iterable[Row]) -> int:
        """Write only rows that differ: in most builds few of them do."""
        key = KEYS[table]
        old = self._ordered(table, key)
        before = next(old, None)
        last: Row = ()
        new: list[Row] = []
        removed: list[Row] = []
        changed = 0
        for row in rows:
            current = row[:key]
            if current <= last:
                raise ContractError(f"The rows of {table} must be sorted, each key once.")
            last = current
            while before is not None and before[:key] < current:
                removed.append(before[:key])
                before = next(old, None)
            if before is None or before[:key] != current:
                new.append(row)
            else:
                if before != row:
                    new.append(row)
                before = next(old, None)
            if len(new) >= ROWS_PER_STATEMENT:
                self._insert(table, new)
                changed += len(new)
                new = []
        while before is not None:
            removed.append(before[:key])
            before = next(old, None)
        self._insert(table, new)
        names, marks = ", ".join(self._columns[table][:key]), ", ".join("?" * key)
        delete = f"DELETE FROM {table} WHERE ({names}) = ({marks})"  # noqa: S608
        self._database.executemany(delete, removed)
        return changed + len(new) + len(removed)

    def put(self, table: str, rows: Iterable[Row]) -> None:
        """Insert rows of a derived table, or replace those with their keys, in a transaction."""
        for some in in_batches(rows, ROWS_PER_STATEMENT):
            self._insert(table, some)

    def delete(self, table: str, column: str, values: Iterable[str]) -> None:
        """Delete the rows of a derived table that have one of these values, in a transaction."""
        query = f"DELETE FROM {table} WHERE {column} = ?"  # noqa: S608
        self._database.executemany(query, ((value,) for value in values))

    def begin_collecting(self, table: str) -> None:
        """Make room, outside memory, for rows of a derived table that is replaced later."""
        self.end_collecting(table)
        names = ", ".join(self._columns[table])
        self._execute(f"CREATE TEMP TABLE new_{table} ({names})")

    def collect(self, table: str, rows: Iterable[Row]) -> None:
        """Add rows, in the order of the table."""
        marks = ", ".join("?" * len(self._columns[table]))
        self._database.executemany(f"INSERT INTO new_{table} VALUES ({marks})", rows)  # noqa: S608

    def collected(self, table: str) -> Iterator[Row]:
        """Yield the rows that were added."""
        return self.rows(f"SELECT * FROM new_{table} ORDER BY rowid")  # noqa: S608

    def end_collecting(self, table: str) -> None:
        """Remove the rows that were added."""
        self._execute(f"DROP TABLE IF EXISTS temp.new_{table}")

    def name_ids(self, ids: Iterable[str]) -> None:
        """Fill the temporary table `named`, which queries join, with these ids."""
        self._execute("CREATE TEMP TABLE IF NOT EXISTS named (id TEXT PRIMARY KEY) WITHOUT ROWID")
        self._execute("DELETE FROM named")
        query = "INSERT OR IGNORE INTO named VALUES (?)"
        self._database.executemany(query, ((each,) for each in ids))

    def delete_citations(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Delete citations, given as ids of the citing and the cited work."""
        query = "DELETE FROM citations WHERE citing = ? AND cited = ?"
        self._database.executemany(query, pairs)

    def set_counts(self, rows: Iterable[Row]) -> None:
        """Set the columns cited_by, cites and rank of works; each row ends in the id."""
        query = "UPDATE works SET cited_by = ?, cites = ?, rank = ? WHERE id = ?"
        self._database.executemany(query, rows)

    def set_ranks(self, rows: Iterable[Row]) -> None:
        """Set the column rank of works, which no index has; each row ends in the id."""
        self._database.executemany("UPDATE works SET rank = ? WHERE id = ?", rows)

    def _ordered(self, table: str, key: int) -> Iterator[Row]:
        """Yield rows by key, in portions: a query that stays open would see what is written."""
        names, marks = ", ".join(self._columns[table][:key]), ", ".join("?" * key)
        every = ", ".join(self._columns[table])
        first = f"SELECT {every} FROM {table} ORDER BY {names} LIMIT {ROWS_PER_STATEMENT}"  # noqa: S608
        after = first.replace(" ORDER", f" WHERE ({names}) > ({marks}) ORDER")
        some = self._execute(first).fetchall()
        while some:
            yield from some
            some = self._execute(after, *some[-1][:key]).fetchall()

    # Queries

    def meta(self, key: str) -> str:
        """Return a value of the table meta, or an empty text."""
        found = self.one("SELECT value FROM meta WHERE key = ?", key)
        return found[0] if found else ""

    def one(self, query: str, *values: Any) -> Any:
        """Return the first row of a query, or None."""
        with translate_errors(self.folder):
            return self._execute(query, *values).fetchone()

    def rows(self, query: str, *values: Any) -> Iterator[Row]:
        """Yield the rows of a query."""
        with translate_errors(self.folder):
            yield from self._execute(query, *values)

    def close(self) -> None:
        """Discard what was not committed, close the file and release the lock."""
        self._database.close()
        self._lock.release()

    def _begin(self) -> None:
        if not self._database.in_transaction:
            self._execute("BEGIN IMMEDIATE")

    def _execute(self, query: str, *values: Any) -> sqlite3.Cursor:
        return self._database.execute(query, values)

    def _insert(self, table: str, rows: list[Row]) -> None:
        if rows:
            columns = self._columns[table]
            marks = ", ".join("?" * len(rows[0]))
            query = f"INTO {table} ({', '.join(columns)}) VALUES ({marks})"
            if table in KEYS:
                # A row that is replaced stays where it is, and so do its entries in indexes
                # whose columns have not changed.
                key, others = columns[: KEYS[table]], columns[KEYS[table] :]
                changes = ", ".join(f"{name} = excluded.{name}" for name in others)
                action = f"UPDATE SET {changes}" if changes else "NOTHING"
                query = f"INSERT {query} ON CONFLICT ({', '.join(key)}) DO {action}"
            else:
                query = f"INSERT OR REPLACE {query}"
            self._database.executemany(query, rows)


def _lock(folder: Path) -> FileLock:
    try:
        return FileLock(folder / LOCK)
    except UsageError as error:
        _log.debug("%s is locked", folder, exc_info=error)
        raise UsageError(
            f"Another build of {folder} is running: wait until it has ended, or stop it."
        ) from None


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None)
    try:
        PORTAL.identify(path, database)  # before anything is written to it
        database.execute("PRAGMA journal_mode = WAL").fetchone()
        database.execute(f"PRAGMA cache_size = -{CACHE_KILOBYTES}")
        # What is deleted is overwritten: it may be a takedown.
        database.execute("PRAGMA secure_delete = FAST").fetchone()
        prepare_portal(path, database)
        database.executescript(BUILD_SCHEMA)
    except BaseException:
        database.close()
        raise
    return database
