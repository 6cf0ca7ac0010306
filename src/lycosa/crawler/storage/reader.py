"""Read-only view of the state of a live crawl: it takes no lock and changes nothing.

A folder can be read while a crawl writes to it. Steps are immutable once they
are written, so a reader shows those that existed when it was opened, and holds
no transaction open in between.

>>> from datetime import UTC, datetime
>>> from tempfile import TemporaryDirectory
>>> from lycosa.crawler.http.response import Response
>>> from lycosa.crawler.storage.sqlite import SqliteStore
>>> page = Response("http://a.example/", datetime.now(UTC), 200, body=b"Hello")
>>> with TemporaryDirectory() as folder, SqliteStore.open(folder) as store:
...     store.add(1, "http://a.example/", page, reward=1.0)
...     store.commit()
...     with CrawlReader.open(folder) as reader:
...         [step] = reader.entries()
...         step.url, step.reward, reader.answer(step).body, reader.at_work
('http://a.example/', 1.0, b'Hello', True)
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

from lycosa.archive.http_message import ArchivedResponse
from lycosa.closing import Closing
from lycosa.crawler.storage.error_advice import translate_errors
from lycosa.crawler.storage.journal import FORMAT, find_conversion
from lycosa.crawler.storage.records import read_response
from lycosa.crawler.storage.store import MOVED
from lycosa.errors import UsageError

_log = logging.getLogger("lycosa.crawler")

_ROWS_PER_QUERY = 5000
_MAX_VISITS = 100  # steps of one URL that are returned
_MAX_RECORD_BYTES = 64 * 2**20  # a larger record is not read


class LoggedStep(NamedTuple):
    """A row of the step log, unconverted, because a reader may go through millions.

    `docs/reference/formats.md` describes the columns. `n` is the number of the step,
    from 1; `final` is `url` after redirects. With a `fault`, `status` is 0 and there is
    no record; otherwise the record is `length` bytes at `offset` of archive `file`, and
    `digest` is that of the body.
    `source` is the step whose page had the link, 0 for a seed; `score` is the link's,
    and `time` is in ISO 8601, UTC.
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
    digest: str | None = None


_COLUMNS = ", ".join(f'"{name}"' for name in LoggedStep._fields)


class CrawlReader(Closing):
    """Reads the folder of a live crawl, opened by `CrawlReader.open`.

    The archive may be incomplete or missing. `database` is a read-only connection to
    the folder's `crawl.db`, which the reader closes.
    """

    def __init__(self, folder: Path, database: sqlite3.Connection) -> None:
        self.folder = folder
        self._database = database
        self.steps = int(self._one("SELECT ifnull(max(n), 0) FROM steps"))
        """The number of steps it shows."""
        self.bytes = int(self._one("SELECT ifnull(sum(length), 0) FROM files"))
        """The size of the archive."""

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Open the folder of a live crawl for reading."""
        folder = Path(folder)
        path = folder / "crawl.db"
        if not path.is_file() or not path.stat().st_size:
            raise UsageError(f"There is no crawl in {folder}: it has no crawl.db.")
        with translate_errors(folder):
            database = _connect(path)
            try:
                _check(path, database)
                return cls(folder, database)
            except BaseException:
                database.close()
                raise

    @property
    def at_work(self) -> bool:
        """Whether a crawl holds the lock of the folder now."""
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

    def entries(self, after: int = 0) -> Iterator[LoggedStep]:
        """Yield every step after step `after` in order."""
        # An open query would block the checkpoints of the WAL.
        query = f"SELECT {_COLUMNS} FROM steps WHERE n > ? AND n <= ? ORDER BY n LIMIT ?"  # noqa: S608
        last = after
        with translate_errors(self.folder):
            while rows := self._database.execute(
                query, (last, self.steps, _ROWS_PER_QUERY)
            ).fetchall():
                yield from map(LoggedStep._make, rows)
                last = rows[-1][0]

    def step(self, n: int) -> LoggedStep | None:
        """Return a step by its number; None if there is none."""
        return next(iter(self._found("n = ?", n)), None)

    def visits(self, url: str) -> list[LoggedStep]:
        """Return the steps that requested a canonical URL, or that a redirect led to it."""
        through = "SELECT substr(key, 9) + 0 FROM notes WHERE key GLOB 'between:*'"
        where = f"(url = ?1 OR final = ?1 OR n IN ({through} AND instr(value, ?2)))"
        return self._found(where, url, json.dumps(url))

    def between(self, n: int) -> list[str]:
        """Return the URLs that redirects went through at a step, without the first and the last."""
        found = self.note(f"between:{n}")
        return [url for url in found if isinstance(url, str)] if isinstance(found, list) else []

    def has_moved(self, entry: LoggedStep) -> bool:
        """Return whether a page that had been fetched before was found to have moved for good."""
        return self.note(f"{MOVED}:{entry.n}") is True

    def in_flight(self, entry: LoggedStep) -> list[str]:
        """Return the URLs that were requested before that step and answered after it."""
        return [other.url for other in self._found("n > ? AND time < ?", entry.n, entry.time)]

    def _found(self, where: str, *values: Any) -> list[LoggedStep]:
        query = f"SELECT {_COLUMNS} FROM steps WHERE {where} AND n <= {self.steps} "  # noqa: S608
        with translate_errors(self.folder):
            rows = self._database.execute(
                f"{query} ORDER BY n LIMIT {_MAX_VISITS}", values
            ).fetchall()
        return [LoggedStep._make(row) for row in rows]

    def times(self) -> tuple[str, str] | None:
        """Return the earliest and the latest time of a step."""
        query = "SELECT min(time), max(time) FROM steps WHERE n <= ?"
        with translate_errors(self.folder):
            first, last = self._database.execute(query, (self.steps,)).fetchone()
        return None if first is None else (first, last)

    def note(self, key: str) -> Any:
        """Return the note under a key; None if it is missing or not JSON."""
        query = "SELECT value FROM notes WHERE key = ?"
        with translate_errors(self.folder):
            found = self._database.execute(query, (key,)).fetchone()
        try:
            return None if found is None else json.loads(found[0])
        except (ValueError, TypeError, RecursionError):
            _log.debug("The note %s is not JSON", key, exc_info=True)
            return None

    def answer(self, entry: LoggedStep) -> ArchivedResponse | None:
        """Return the response of a step from the archive; None if it is missing or damaged."""
        found = self._archived(entry)
        if found is None and entry.file is not None:
            now = self.step(entry.n)  # a compaction may have moved the record meanwhile
            if now is not None and (now.file, now.offset) != (entry.file, entry.offset):
                return self._archived(now)
        return found

    def _archived(self, entry: LoggedStep) -> ArchivedResponse | None:
        if (
            entry.file is None
            or entry.offset is None
            or not 0 < (entry.length or 0) < _MAX_RECORD_BYTES
        ):
            return None
        try:
            with (self.folder / "archive" / f"{entry.file:05}.warc.gz").open("rb") as file:
                file.seek(entry.offset)
                return read_response(file.read(entry.length))
        except (OSError, ValueError, OverflowError):
            _log.debug("The record of step %d cannot be read", entry.n, exc_info=True)
            return None

    def volumes(self) -> list[tuple[Path, int]]:
        """Return the files of the archive that exist, each with its committed length."""
        with translate_errors(self.folder):
            sizes = self._database.execute(
                "SELECT file, length FROM files ORDER BY file"
            ).fetchall()
            files = [(self.folder / "archive" / f"{n:05}.warc.gz", size) for n, size in sizes]
            return [
                (path, min(size, path.stat().st_size)) for path, size in files if path.is_file()
            ]

    def conversion(self, key: str) -> bytes | None:
        """Return the conversion of a document that the crawl has kept under a key."""
        with translate_errors(self.folder):
            return find_conversion(self._database, key)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _one(self, query: str) -> Any:
        return self._database.execute(query).fetchone()[0]


def _connect(path: Path) -> sqlite3.Connection:
    """Return a connection that cannot write.

    SQLite creates an empty `-wal` and a `-shm` file beside the database to
    coordinate readers and writers. Where the folder is not writable and the WAL
    has no content, there is no writer, and the file can be read as immutable.
    """
    address = f"{path.absolute().as_uri()}?mode=ro"
    database = sqlite3.connect(address, uri=True)
    try:
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        database.close()
        wal = path.with_name(f"{path.name}-wal")
        not_writable = error.sqlite_errorcode & 0xFF in (
            sqlite3.SQLITE_CANTOPEN,
            sqlite3.SQLITE_READONLY,
        )
        if not not_writable or (wal.exists() and wal.stat().st_size):
            raise
        return sqlite3.connect(f"{address}&immutable=1", uri=True)
    return database


def _check(path: Path, database: sqlite3.Connection) -> None:
    if not FORMAT.identify(path, database):
        raise UsageError(f"{path} is empty: choose another folder.")
    FORMAT.verify(path, database)
