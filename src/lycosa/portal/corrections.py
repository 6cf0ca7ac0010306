"""What people have corrected: evidence that is kept beside the portal and never lost.

`corrections.db` is an SQLite database of its own, because portal.db can be made
again and this cannot. Nothing in it is ever changed but for the time at which a
correction was taken back. The next build respects those that stand: they win
over all that was read.

A work is named by its id, or by that of one of its documents. An id is that of
a document or reference which the work has in it, so a correction stays with
what it was made about when works join and part.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, Corrections.open(folder) as corrections:
...     wrong = corrections.add("year", "w1", "1979")
...     _ = corrections.add("authors", "w1", "Ann Lee; Bob  Roe;")
...     _ = corrections.add("same", "w1", "w2")
...     corrections.undo(wrong)
...     [(one.kind, one.work, one.value) for one in corrections.all()]
True
[('authors', 'w1', 'Ann Lee; Bob Roe'), ('same', 'w1', 'w2')]
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Self

from lycosa.closing import Closing
from lycosa.errors import StoreError, UnknownName, UsageError

FILE = "corrections.db"
VERSION = 1
"""Of the format, in `PRAGMA user_version`."""

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "title": "the title",
        "authors": "all authors in order, with semicolons between them; or nothing",
        "year": "the year, or nothing if it has none",
        "venue": "the journal, meeting or publisher, or nothing",
        "topic": "the id of the topic it belongs to",
        "same": "the id of a work that is the same",
        "different": "the id of a work, or of a document, that is another one",
    }
)
"""What can be corrected, and what the value is then."""

PAIRS = ("same", "different")
"""The kinds that are about two works."""

LONGEST = 2000
"""Characters of a value."""

_OURS = 0x4C79636F
_OPTIONAL = ("authors", "year", "venue")
_SCHEMA = """
CREATE TABLE corrections (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  kind   TEXT NOT NULL,
  work   TEXT NOT NULL,   -- the id of a work or of one of its documents
  value  TEXT NOT NULL,
  time   TEXT NOT NULL,   -- ISO 8601, UTC
  undone TEXT             -- when it was taken back
);
"""
_EMPTY = "SELECT count(*) = 0 FROM sqlite_master"
_SET_VERSION = f"PRAGMA user_version = {VERSION}"
_COLUMNS = "id, kind, work, value, time, ifnull(undone, '')"


@dataclass(frozen=True, slots=True)
class Correction:
    """What somebody said about a work."""

    id: int
    kind: str
    work: str
    value: str
    time: str
    undone: str = ""
    """When it was taken back; empty while it stands."""


class Corrections(Closing):
    """Opened by `Corrections.open`; it may be used by several threads and processes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        # Reading must not make a file: a folder that cannot be written has no corrections.
        self._kept = path.exists()
        self._database = _opened(path, path if self._kept else ":memory:")

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """The corrections of the portal in a folder; the file is made with the first of them."""
        path = Path(folder) / FILE
        with _explained(path):
            return cls(path)

    def add(self, kind: str, work: str, value: str) -> int:
        """Add a correction: its number. What it says is checked, not whether the work is there."""
        work, value = work.strip(), checked(kind, value)
        _check_id(work)
        if kind in PAIRS and work == value:
            raise UsageError(f"A work cannot be {kind} as itself; give the id of another one.")
        row = (kind, work, value, _now())
        with self._lock, _explained(self._path):
            self._look(make=True)
            added = self._database.execute(
                "INSERT INTO corrections (kind, work, value, time) VALUES (?, ?, ?, ?)", row
            )
            return int(added.lastrowid or 0)

    def undo(self, number: int) -> bool:
        """Take a correction back; False if there is none of that number that stands."""
        query = "UPDATE corrections SET undone = ? WHERE id = ? AND undone IS NULL"
        if not 0 < number < 2**63:
            return False
        with self._lock, _explained(self._path):
            return self._database.execute(query, (_now(), number)).rowcount > 0

    def all(self) -> list[Correction]:
        """Those that stand, in the order in which they were made."""
        return [one for one in self.history() if not one.undone]

    def history(self) -> list[Correction]:
        """All there ever were, in the order in which they were made."""
        with self._lock, _explained(self._path):
            self._look(make=False)
            query = f"SELECT {_COLUMNS} FROM corrections ORDER BY id"  # noqa: S608
            return [Correction(*row) for row in self._database.execute(query)]

    def digest(self) -> str:
        """A hash of those that stand: another one as soon as a build would respect others."""
        facts = [(one.id, one.kind, one.work, one.value) for one in self.all()]
        return hashlib.sha256(repr(facts).encode("utf-8", "replace")).hexdigest()[:32]

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def _look(self, *, make: bool) -> None:
        """Go from nothing at all to the file, if there is one by now or one is to be made."""
        if not self._kept and (make or self._path.exists()):
            database = _opened(self._path, self._path)
            self._database.close()
            self._database, self._kept = database, True


def checked(kind: str, value: str) -> str:
    """A value as it is kept, or a `UsageError` that says what is wrong with it.

    >>> checked("title", "  Spiders   that learn ")
    'Spiders that learn'
    """
    if kind not in KINDS:
        raise UnknownName("kind of correction", kind, KINDS)
    value = " ".join("".join(c if c.isprintable() else " " for c in value).split())
    if kind == "authors":
        value = "; ".join(name for name in map(str.strip, value.split(";")) if name)
    if len(value) > LONGEST:
        raise UsageError(f"A correction has at most {LONGEST:,} characters; shorten it.")
    if not value and kind not in _OPTIONAL:
        raise UsageError(f"The correction says nothing; give {KINDS[kind]}.")
    if kind == "year" and value and not (value.isdecimal() and 1000 <= int(value) <= 2999):
        raise UsageError(f"A year has four digits, as 1999 has; {value[:20]!r} has not.")
    if kind in PAIRS:
        _check_id(value)
    return value


def _check_id(text: str) -> None:
    if not text or len(text) > 100 or not (text.isascii() and text.isalnum()):
        raise UsageError(f"{text[:40]!r} is no id of a work; it is the last part of its address.")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _opened(path: Path, name: Path | str) -> sqlite3.Connection:
    # The lock of `Corrections` sees that one thread at a time uses it.
    database = sqlite3.connect(name, timeout=30.0, isolation_level=None, check_same_thread=False)
    try:
        _check(path, database)
    except BaseException:
        database.close()
        raise
    return database


def _check(path: Path, database: sqlite3.Connection) -> None:
    """Make the table if there is nothing yet, and refuse what is not ours."""
    database.execute("BEGIN IMMEDIATE" if database.execute(_EMPTY).fetchone()[0] else "BEGIN")
    try:
        if database.execute(_EMPTY).fetchone()[0]:
            for statement in (_SCHEMA, f"PRAGMA application_id = {_OURS}", _SET_VERSION):
                database.execute(statement)
        version = database.execute("PRAGMA user_version").fetchone()[0]
        ours = database.execute("PRAGMA application_id").fetchone()[0] == _OURS
        there = database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'corrections'")
        if not ours or not there.fetchone()[0]:
            raise UsageError(f"{path} holds no corrections of ours: move it elsewhere.")
        if version > VERSION:
            raise UsageError(
                f"{path} was written by a newer Lycosa (format {version}, this one knows "
                f"{VERSION}): update Lycosa."
            )
        database.execute("COMMIT")
    except BaseException:
        database.execute("ROLLBACK")
        raise


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) is None:
            raise
        raise StoreError(
            f"{path} cannot be used ({error}): see to the disk and who may write there; "
            "corrections made before are unharmed."
        ) from error
