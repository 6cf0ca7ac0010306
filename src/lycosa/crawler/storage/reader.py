"""The folder of a live crawl for those who only look: no lock, nothing is changed.

It may be read while a crawl is at work. Steps are never changed once they are
written, so a ledger tells of those there were when it was opened, and keeps the
database from nothing meanwhile.

>>> from datetime import UTC, datetime
>>> from tempfile import TemporaryDirectory
>>> from lycosa.crawler.http.response import Fetched
>>> from lycosa.crawler.storage.sqlite import Store
>>> page = Fetched("http://a.example/", datetime.now(UTC), 200, body=b"Hello")
>>> with TemporaryDirectory() as folder, Store.open(folder) as store:
...     store.add(1, "http://a.example/", page, reward=1.0)
...     store.commit()
...     with CrawlReader.open(folder) as ledger:
...         [entry] = ledger.entries()
...         entry.url, entry.reward, ledger.answer(entry).body, ledger.at_work
('http://a.example/', 1.0, b'Hello', True)
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from lycosa.archive.http_message import ArchivedResponse, response_of
from lycosa.archive.reader import read_member
from lycosa.closing import Closing
from lycosa.crawler.storage.error_advice import translate_errors
from lycosa.crawler.storage.journal import FORMAT
from lycosa.errors import UsageError

_AT_ONCE = 5000
_VISITS = 100  # to one URL that are looked at
_WHOLE = 64 * 2**20  # a record that is larger is not read to look at it


class LoggedStep(NamedTuple):
    """A row of the journal as it stands there, which is all that a million of them may cost.

    What the columns are is told in `docs/reference/formats.md`.
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
    time: str
    file: int | None
    offset: int | None
    length: int | None


_COLUMNS = ", ".join(f'"{name}"' for name in LoggedStep._fields)


class CrawlReader(Closing):
    """Opened by `CrawlReader.open`; the archive need not be whole, nor even be there."""

    def __init__(self, folder: Path, database: sqlite3.Connection) -> None:
        self.folder = folder
        self._database = database
        self.steps = int(self._one("SELECT ifnull(max(n), 0) FROM steps"))
        """How many steps it tells of."""
        self.bytes = int(self._one("SELECT ifnull(sum(length), 0) FROM files"))
        """What the archive holds."""

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Look into a folder that a live crawl made."""
        folder = Path(folder)
        path = folder / "crawl.db"
        if not path.is_file() or not path.stat().st_size:
            raise UsageError(f"There is no crawl in {folder}: it has no crawl.db.")
        with translate_errors(folder):
            database = _connected(path)
            try:
                _check(path, database)
                return cls(folder, database)
            except BaseException:
                database.close()
                raise

    @property
    def at_work(self) -> bool:
        """Whether a crawl has the folder now."""
        try:
            file = os.open(self.folder / "lock", os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(file)
        return False

    def entries(self) -> Iterator[LoggedStep]:
        """Every step in order."""
        # A query that stays open would keep the database from tidying up.
        query = f"SELECT {_COLUMNS} FROM steps WHERE n > ? AND n <= ? ORDER BY n LIMIT ?"  # noqa: S608
        last = 0
        with translate_errors(self.folder):
            while rows := self._database.execute(query, (last, self.steps, _AT_ONCE)).fetchall():
                yield from map(LoggedStep._make, rows)
                last = rows[-1][0]

    def step(self, n: int) -> LoggedStep | None:
        """One step; None if there is none of that number."""
        return next(iter(self._found("n = ?", n)), None)

    def visits(self, url: str) -> list[LoggedStep]:
        """The steps at which a canonical URL was asked for, or that a redirect led to it."""
        through = "SELECT substr(key, 9) + 0 FROM notes WHERE key GLOB 'between:*'"
        where = f"(url = ?1 OR final = ?1 OR n IN ({through} AND instr(value, ?2)))"
        return self._found(where, url, json.dumps(url))

    def between(self, n: int) -> list[str]:
        """The URLs that redirects went through at a step, without the first and the last."""
        found = self.note(f"between:{n}")
        return [url for url in found if isinstance(url, str)] if isinstance(found, list) else []

    def under_way(self, entry: LoggedStep) -> list[str]:
        """The URLs that were asked for before that step, and came back after it."""
        return [other.url for other in self._found("n > ? AND time < ?", entry.n, entry.time)]

    def _found(self, where: str, *values: Any) -> list[LoggedStep]:
        query = f"SELECT {_COLUMNS} FROM steps WHERE {where} AND n <= {self.steps} "  # noqa: S608
        with translate_errors(self.folder):
            rows = self._database.execute(f"{query} ORDER BY n LIMIT {_VISITS}", values).fetchall()
        return [LoggedStep._make(row) for row in rows]

    def times(self) -> tuple[str, str] | None:
        """The earliest and the latest time of a step."""
        query = "SELECT min(time), max(time) FROM steps WHERE n <= ?"
        with translate_errors(self.folder):
            first, last = self._database.execute(query, (self.steps,)).fetchone()
        return None if first is None else (first, last)

    def note(self, key: str) -> Any:
        """What the crawl noted under a key; None if nothing that can be read."""
        query = "SELECT value FROM notes WHERE key = ?"
        with translate_errors(self.folder):
            found = self._database.execute(query, (key,)).fetchone()
        with suppress(ValueError, TypeError, RecursionError):
            return None if found is None else json.loads(found[0])
        return None

    def answer(self, entry: LoggedStep) -> ArchivedResponse | None:
        """What was answered, from the archive; None if there is nothing, or it is damaged."""
        if entry.file is None or entry.offset is None or not 0 < (entry.length or 0) < _WHOLE:
            return None
        try:
            with (self.folder / "archive" / f"{entry.file:05}.warc.gz").open("rb") as file:
                file.seek(entry.offset)
                record = read_member(file.read(entry.length))
        except (OSError, ValueError, OverflowError):
            return None
        return response_of(record) if record else None

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def _one(self, query: str) -> Any:
        return self._database.execute(query).fetchone()[0]


def _connected(path: Path) -> sqlite3.Connection:
    """A connection that cannot write.

    SQLite may leave an empty `-wal` and a `-shm` beside the database, by which
    readers and writers keep out of each other's way. Where we may not make
    them, and nothing waits in them, there is no writer to keep out of.
    """
    address = f"{path.absolute().as_uri()}?mode=ro"
    database = sqlite3.connect(address, uri=True)
    try:
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        database.close()
        wal = path.with_name(f"{path.name}-wal")
        kept_out = error.sqlite_errorcode & 0xFF in (
            sqlite3.SQLITE_CANTOPEN,
            sqlite3.SQLITE_READONLY,
        )
        if not kept_out or (wal.exists() and wal.stat().st_size):
            raise
        return sqlite3.connect(f"{address}&immutable=1", uri=True)
    return database


def _check(path: Path, database: sqlite3.Connection) -> None:
    if not FORMAT.identify(path, database):
        raise UsageError(f"{path} is empty: choose another folder.")
    FORMAT.verify(path, database)
