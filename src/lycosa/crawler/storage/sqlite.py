"""The store of a live crawl in a folder; the process can be killed at any moment.

    archive/00001.warc.gz   the responses, in the order of the steps
    crawl.db                the step log and notes, in SQLite
    checkpoints/            the state of the crawl after some step (`checkpoints.py`)
    lock                    locked by the process that crawls

A commit writes and syncs the archive first, the step log second. A step in the
log therefore has its record in the archive whenever the process was killed, and
records without a step are at the end of the archive, where they are cut off.

>>> from datetime import UTC, datetime
>>> from tempfile import TemporaryDirectory
>>> page = Response("http://a.example/", datetime.now(UTC), 200, body=b"Hello")
>>> with TemporaryDirectory() as folder:
...     with SqliteStore.open(folder) as store:
...         store.add(1, "http://a.example/", page, reward=1.0)
...         store.put("seeds", ["http://a.example/"])
...         store.commit()
...     with SqliteStore.open(folder) as store:
...         [(step, response)] = store.replay()
...         step.n, step.reward, response.body, store.get("seeds")
(1, 1.0, b'Hello', ['http://a.example/'])
"""

from __future__ import annotations

import json
import logging
import math
import sqlite3
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from lycosa.archive.http_message import ArchivedResponse
from lycosa.closing import Closing
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.checkpoints import CheckpointFolder
from lycosa.crawler.storage.compaction import Compaction, CompactionReport, OnVolume
from lycosa.crawler.storage.error_advice import translate_errors
from lycosa.crawler.storage.journal import Journal, StepRow, StoreCounts, values_of_step
from lycosa.crawler.storage.records import (
    COMPRESSION_LEVEL,
    Original,
    RecordLocation,
    ResponseRecords,
    read_response,
    response_records,
)
from lycosa.crawler.storage.volumes import MAX_VOLUME_BYTES, OnStage, Volumes
from lycosa.errors import ContractError, StoreError, UsageError
from lycosa.files import FileLock, sync_folder

_log = logging.getLogger("lycosa.crawler")

__all__ = ["STAGES", "ArchivedResponse", "RecordLocation", "SqliteStore", "StepRow", "StoreCounts"]

STAGES = ("begun", "written", "synced", "inserted", "committed")
"""The stages of a commit that `on_stage` is called with: a new archive file was created,
records were written, records were synced, rows were inserted, rows were synced."""


MAX_SMALL_BODY = 2**15
"""Bytes of a body that is compressed by the caller, not by the thread that commits."""

# A record that a compaction has dropped: the page is known, its links and words are not.
_DROPPED = ArchivedResponse(0, {}, b"")


class _Pending(NamedTuple):
    """A response that is not committed, and the step it belongs to, if any."""

    row: StepRow | None
    content: Response | ResponseRecords
    """The records of a small response are made at once, those of others by the commit."""


class SqliteStore(Closing):
    """The store of a live crawl in a folder, opened by `SqliteStore.open`.

    One process at a time can open a folder. See `Store` for the contract.

    Parameters
    ----------
    folder
        The folder of the crawl.
    lock
        The lock on the folder; the store releases it when it is closed.
    journal
        The database of the steps.
    volumes
        The archive files.
    level
        The compression level of new records.
    checkpoints
        The checkpoints of the crawl.
    """

    def __init__(
        self,
        folder: Path,
        lock: FileLock,
        journal: Journal,
        volumes: Volumes,
        level: int,
        checkpoints: CheckpointFolder,
    ) -> None:
        self.folder = folder
        self.checkpoints = checkpoints
        """The checkpoints of the crawl."""
        self.steps = journal.last()
        """The number of the last step that is committed."""
        self.lost = 0
        """The number of damaged records that the last `replay` found."""
        self._lock = lock
        self._journal = journal
        self._volumes = volumes
        self._level = level
        self._revisits = False
        self._next = self.steps + 1
        self._pending: list[_Pending] = []
        self._written: list[tuple[RecordLocation, str] | None] = []  # of the first pending
        self._notes: dict[str, str] = {}
        self._conversions: dict[str, bytes] = {}
        self._rewards: dict[int, float] = {}
        self._open = True
        self._buffer_lock = threading.Lock()
        self._commit_lock = threading.Lock()

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        create: bool = True,
        limit: int = MAX_VOLUME_BYTES,
        level: int = COMPRESSION_LEVEL,
        on_stage: OnStage = lambda stage: None,
    ) -> Self:
        """Open a folder, and repair what a killed process left behind.

        `create` makes a folder without a crawl a new crawl. `limit` is the size
        at which a new archive file begins, `level` the level of compression, and
        `on_stage` is called with each of the `STAGES` of every commit and checkpoint.
        """
        folder = Path(folder)
        database = folder / "crawl.db"
        with translate_errors(folder), ExitStack() as undo:
            # A database file is empty only if its creation was interrupted.
            if not database.is_file() or not database.stat().st_size:
                if not create:
                    raise UsageError(f"There is no crawl in {folder}: it has no crawl.db.")
                if any((folder / "archive").glob("*.warc.gz")):
                    raise StoreError(
                        f"{folder} has an archive but no crawl.db: restore crawl.db, or run "
                        f"lycosa repair {folder}, which rebuilds it from the archive."
                    )
                _make_folder(folder)
            lock = FileLock(folder / "lock")
            undo.callback(lock.release)
            journal = Journal(database, on_stage)
            undo.callback(journal.close)
            volumes = Volumes(
                folder / "archive",
                journal.sizes(),
                limit=limit,
                on_stage=on_stage,
                dropped=(dropped := journal.dropped()),
            )
            if dropped:  # their numbers may be used again
                journal.forget_dropped()
            sync_folder(folder)
            checkpoints = CheckpointFolder(folder / "checkpoints", on_stage)
            store = cls(folder, lock, journal, volumes, level, checkpoints)
            undo.pop_all()
            return store

    def describe(self, facts: Mapping[str, str], *, revisits: bool = False) -> None:
        """Write these facts into the archive; expect pages of earlier runs again, or not."""
        with self._commit_lock, self._translate_errors():
            self._volumes.describe(facts)
            self._revisits = revisits
            if revisits:
                self._journal.index_urls()

    @property
    def waiting(self) -> int:
        """The number of responses in the buffer."""
        return len(self._pending)

    def add(
        self,
        n: int,
        url: str,
        response: Response,
        *,
        reward: float = 0.0,
        source: int = 0,
        score: float = math.inf,
    ) -> None:
        """Buffer step `n`, one more than the last; a fault gets a row and no record."""
        row = StepRow.of(n, url, response, reward=reward, source=source, score=score)
        content = self._prepared(response, row)
        with self._buffer_lock:
            if n != self._next:
                raise ContractError(f"Step {n} was added, but the next step is {self._next}.")
            self._next += 1
            self._pending.append(_Pending(row, content))

    def amend(self, n: int, reward: float) -> None:
        """Buffer a new reward of a step."""
        with self._buffer_lock:
            self._rewards[n] = float(reward)

    def keep(self, response: Response) -> None:
        """Buffer a response that is not a step, such as a robots.txt or a redirect."""
        if response.fault is None:
            content = self._prepared(response, None)
            with self._buffer_lock:
                self._pending.append(_Pending(None, content))

    def put(self, key: str, value: object) -> None:
        """Buffer a note: any value that JSON can express."""
        text = json.dumps(value)
        with self._buffer_lock:
            self._notes[key] = text

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value last put under a key, committed or not."""
        with self._buffer_lock:
            text = self._notes.get(key)
        if text is None:
            with self._translate_errors():
                text = self._journal.note(key)
        return default if text is None else json.loads(text)

    def keep_conversion(self, key: str, value: bytes) -> None:
        """Buffer a conversion of a document."""
        with self._buffer_lock:
            self._conversions[key] = value

    def conversion(self, key: str) -> bytes | None:
        """Return the conversion kept under a key, committed or not."""
        with self._buffer_lock:
            value = self._conversions.get(key)
        if value is None:
            with self._translate_errors():
                value = self._journal.conversion(key)
        return value

    def commit(self) -> None:
        """Make the buffer durable: after this returns, a power failure cannot undo it."""
        with self._commit_lock, self._translate_errors():
            with self._buffer_lock:
                batch, notes = list(self._pending), dict(self._notes)
                rewards, conversions = dict(self._rewards), dict(self._conversions)
            if not (batch or notes or rewards or conversions):
                return
            self._written += self._archive(batch[len(self._written) :])
            rows = [
                values_of_step(row, *(where or (None, None)))
                for (row, _), where in zip(batch, self._written, strict=True)
                if row is not None
            ]
            # If this fails, the rows may or may not be in the log: the records stay where
            # they are, and the next commit writes the same rows again.
            try:
                self._journal.write(rows, self._volumes.sizes, notes, rewards, conversions)
            except BaseException:
                with suppress(sqlite3.Error):
                    self.steps = self._journal.last()
                raise
            with self._buffer_lock:
                del self._pending[: len(batch)]
                self._written.clear()
                for key, text in notes.items():
                    if self._notes[key] is text:
                        del self._notes[key]
                for n, reward in rewards.items():
                    if self._rewards[n] == reward:
                        del self._rewards[n]
                for key in conversions:
                    del self._conversions[key]
            self.steps = rows[-1][0] if rows else self.steps

    def _archive(self, batch: list[_Pending]) -> list[tuple[RecordLocation, str] | None]:
        """Write responses to the archive; return the location and digest of each."""
        records = [
            content
            if isinstance(content, ResponseRecords)
            else response_records(content, row, self._original(content), self._level)
            for row, content in batch
        ]
        written: list[tuple[RecordLocation, str] | None] = []
        groups = self._volumes.append([found.members for found in records])
        for found, locations in zip(records, groups, strict=True):
            location = found.location if found.main is None else locations[found.main]
            written.append((location, found.digest) if location and found.digest else None)
        return written

    def _prepared(self, fetched: Response, row: StepRow | None) -> Response | ResponseRecords:
        """Return the records of a response if it is small, else the response.

        The thread of a commit would wait for the interpreter lock, which a busy loop holds,
        longer than it computes: only large bodies are worth it.
        """
        size = len(fetched.body) + len(fetched.rendered or b"")
        if self._revisits or size > MAX_SMALL_BODY:
            return fetched
        return response_records(fetched, row, None, self._level)

    def _original(self, fetched: Response) -> Original | None:
        if not self._revisits or fetched.status not in (200, 304):
            return None
        return self._journal.original(fetched.url)

    def replay(self, after: int = 0) -> Iterator[tuple[StepRow, ArchivedResponse | None]]:
        """Yield every committed step after step `after` in order, with its response.

        The response is None if there was a fault, or if the record is damaged;
        `lost` counts the damaged ones.
        """
        self.lost = 0
        with self._translate_errors():
            for row in self._journal.rows(after):
                answer = None
                if row.location is not None:
                    answer = read_response(self._volumes.read(row.location), row.digest)
                    if answer is None:
                        self.lost += 1
                        _log.debug("The record of step %d is damaged", row.n)
                elif row.fault is None:
                    answer = _DROPPED
                yield row, answer

    def latest(self, url: str) -> ArchivedResponse | None:
        """Return the last committed response of a final URL with status 200, if it is sound."""
        with self._commit_lock, self._translate_errors():
            found = self._journal.original(url)
            if found is None:
                return None
            return read_response(self._volumes.read(found.location), found.digest)

    def compact(
        self, needed: Collection[int], on_volume: OnVolume = lambda done, total: None
    ) -> CompactionReport:
        """Keep of the archive the latest response of each URL, and those of the steps `needed`."""
        self.commit()
        with self._commit_lock, self._translate_errors():
            return Compaction(self._journal, self._volumes, needed).run(on_volume)

    def counts(self) -> StoreCounts:
        """Return the totals of what is committed."""
        with self._translate_errors():
            return self._journal.counts()

    def close(self, *, commit: bool = True) -> None:
        """Commit the buffer, or discard it, and unlock the folder."""
        if not self._open:
            return
        try:
            if commit:
                self.commit()
        finally:
            self._open = False
            self._volumes.close()
            self._journal.close()
            self._lock.release()

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        if not self._open:
            raise UsageError(f"The crawl in {self.folder} is closed: open it again.")
        with translate_errors(self.folder):
            yield


def _make_folder(folder: Path) -> None:
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for place in missing:
        sync_folder(place.parent)
