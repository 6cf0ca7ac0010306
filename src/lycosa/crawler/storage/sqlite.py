"""What a live crawl knows, on disk: it can be killed at any moment and goes on.

    archive/00001.warc.gz   what was answered, in the order of the steps
    crawl.db                one row for each step, and notes
    lock                    who is at work here

First the archive is written and synced, then the journal. So a step that is in
the journal has its record in the archive, whenever the process was killed; and
records that no step speaks of are at the end, where they can be cut off. The
frontier is not stored: the crawl reads its own archive again, see `replay`.

>>> from datetime import UTC, datetime
>>> from tempfile import TemporaryDirectory
>>> page = Response("http://a.example/", datetime.now(UTC), 200, body=b"Hello")
>>> with TemporaryDirectory() as folder:
...     with SqliteStore.open(folder) as store:
...         store.add(1, "http://a.example/", page, reward=1.0)
...         store.put("seeds", ["http://a.example/"])
...         store.commit()
...     with SqliteStore.open(folder) as store:
...         [(row, answer)] = store.replay()
...         row.n, row.reward, answer.body, store.get("seeds")
(1, 1.0, b'Hello', ['http://a.example/'])
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import Any, NamedTuple, Self

from lycosa.archive.http_message import ArchivedResponse, response_of
from lycosa.archive.reader import read_member
from lycosa.closing import Closing
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.error_advice import translate_errors
from lycosa.crawler.storage.journal import Counts, Journal, Row
from lycosa.crawler.storage.records import LEVEL, response_record
from lycosa.crawler.storage.volumes import (
    MAX_VOLUME_BYTES,
    OnStage,
    RecordLocation,
    Volumes,
    sync_folder,
)
from lycosa.errors import ContractError, StoreError, UsageError
from lycosa.files import FileLock

__all__ = ["STAGES", "ArchivedResponse", "Counts", "RecordLocation", "Row", "SqliteStore"]

STAGES = ("begun", "written", "synced", "inserted", "committed")
"""What a `watch` is told of during a commit: a new file of the archive was made,
records were written, the disk has them, rows were inserted, the disk has those too."""


class _Waiting(NamedTuple):
    """Something that is not on the disk yet: an answer, and the step it belongs to."""

    row: Row | None
    fetched: Response


class SqliteStore(Closing):
    """The folder of a live crawl, opened by `SqliteStore.open`; one process at a time.

    `add`, `keep` and `put` only remember; `commit` makes it all last. It may
    run in another thread while more is added. If it fails, everything still
    waits and it can be called again.
    """

    def __init__(
        self, folder: Path, lock: FileLock, journal: Journal, volumes: Volumes, level: int
    ) -> None:
        self.folder = folder
        self.steps = journal.last()
        """How many steps are committed."""
        self.lost = 0
        """How many records the last `replay` found damaged."""
        self._lock = lock
        self._journal = journal
        self._volumes = volumes
        self._level = level
        self._next = self.steps + 1
        self._waiting: list[_Waiting] = []
        self._written: list[tuple[RecordLocation, str] | None] = []  # of the first that wait, where
        self._notes: dict[str, str] = {}
        self._rewards: dict[int, float] = {}
        self._open = True
        self._memory = threading.Lock()
        self._committing = threading.Lock()

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        create: bool = True,
        limit: int = MAX_VOLUME_BYTES,
        level: int = LEVEL,
        watch: OnStage = lambda stage: None,
    ) -> Self:
        """Open a folder, and repair what a process that was killed left behind.

        `limit` is the size at which a new archive file is begun, `level` that
        of compression, and `watch` is told of the `STAGES` of every commit.
        """
        folder = Path(folder)
        database = folder / "crawl.db"
        with translate_errors(folder), ExitStack() as undo:
            # A database is never empty, unless it was being made.
            if not database.is_file() or not database.stat().st_size:
                if not create:
                    raise UsageError(f"There is no crawl in {folder}: it has no crawl.db.")
                if any((folder / "archive").glob("*.warc.gz")):
                    raise StoreError(
                        f"{folder} has an archive but no crawl.db: put it back, or begin a new "
                        "crawl in another folder."
                    )
                _make(folder)
            lock = FileLock(folder / "lock")
            undo.callback(lock.release)
            journal = Journal(database, watch)
            undo.callback(journal.close)
            volumes = Volumes(folder / "archive", journal.sizes(), limit=limit, on_stage=watch)
            sync_folder(folder)
            store = cls(folder, lock, journal, volumes, level)
            undo.pop_all()
            return store

    @property
    def waiting(self) -> int:
        """How many answers wait for the next commit."""
        return len(self._waiting)

    def add(
        self,
        n: int,
        url: str,
        fetched: Response,
        *,
        reward: float = 0.0,
        source: int = 0,
        score: float = math.inf,
    ) -> None:
        """Remember step `n`: what was asked for, what came back in the end, what it was worth.

        `source` is the step whose page had the link, 0 for a seed. What came
        back may be a fault: then there is a row and no record.
        """
        if math.isnan(reward) or math.isnan(score):
            raise ContractError(f"Step {n} has a reward or score that is no number.")
        row = Row(
            int(n), _text(url), _text(fetched.url), fetched.status, _text(fetched.type),
            None if fetched.fault is None else str(fetched.fault),
            float(reward), int(source), float(score), fetched.when.astimezone(UTC),
        )  # fmt: skip
        with self._memory:
            if n != self._next:
                raise ContractError(f"Step {n} was added where step {self._next} should be.")
            self._next += 1
            self._waiting.append(_Waiting(row, fetched))

    def amend(self, n: int, reward: float) -> None:
        """Remember that a step is worth something else than was thought."""
        with self._memory:
            self._rewards[n] = float(reward)

    def keep(self, fetched: Response) -> None:
        """Remember an answer that is no step, for the archive: robots.txt, a redirect."""
        if fetched.fault is None:
            with self._memory:
                self._waiting.append(_Waiting(None, fetched))

    def put(self, key: str, value: object) -> None:
        """Remember anything that JSON can say."""
        text = json.dumps(value)
        with self._memory:
            self._notes[key] = text

    def get(self, key: str, default: Any = None) -> Any:
        """What was last put under a key, committed or not."""
        with self._memory:
            text = self._notes.get(key)
        if text is None:
            with self._at_work():
                text = self._journal.note(key)
        return default if text is None else json.loads(text)

    def commit(self) -> None:
        """Make all that waits last: when this returns, a power failure cannot take it back."""
        with self._committing, self._at_work():
            with self._memory:
                batch, notes = list(self._waiting), dict(self._notes)
                rewards = dict(self._rewards)
            if not (batch or notes or rewards):
                return
            self._written += self._archived(batch[len(self._written) :])
            rows = [
                row if where is None else replace(row, place=where[0], digest=where[1])
                for (row, _), where in zip(batch, self._written, strict=True)
                if row is not None
            ]
            # From here on the journal may or may not have it, should it fail: the
            # records stay where they are, and the same rows are written again.
            self._journal.write(rows, self._volumes.sizes, notes, rewards)
            with self._memory:
                del self._waiting[: len(batch)]
                self._written.clear()
                for key, text in notes.items():
                    if self._notes[key] is text:
                        del self._notes[key]
                for n, reward in rewards.items():
                    if self._rewards[n] == reward:
                        del self._rewards[n]
            self.steps = rows[-1].n if rows else self.steps

    def _archived(self, batch: list[_Waiting]) -> list[tuple[RecordLocation, str] | None]:
        """Write the answers to the archive; where each is."""
        members = [
            response_record(fetched, self._level) if fetched.fault is None else None
            for _, fetched in batch
        ]
        places = iter(self._volumes.append([member[0] for member in members if member]))
        return [(next(places), member[1]) if member else None for member in members]

    def replay(self) -> Iterator[tuple[Row, ArchivedResponse | None]]:
        """Every committed step in order, with what was answered.

        There is no answer where there was a fault, or where the record is
        damaged: such are counted in `lost`.
        """
        self.lost = 0
        with self._at_work():
            for row in self._journal.rows():
                answer = None
                if row.place is not None:
                    record = read_member(self._volumes.read(row.place))
                    if record and record.headers.get("warc-payload-digest") == row.digest:
                        answer = response_of(record)
                    self.lost += answer is None
                yield row, answer

    def counts(self) -> Counts:
        """How far the crawl has come."""
        with self._at_work():
            return self._journal.counts()

    def close(self) -> None:
        """Commit, and let another process have the folder."""
        if not self._open:
            return
        try:
            self.commit()
        finally:
            self._open = False
            self._volumes.close()
            self._journal.close()
            self._lock.release()

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        if not self._open:
            raise UsageError(f"The crawl in {self.folder} was closed: open it again.")
        with translate_errors(self.folder):
            yield


def _make(folder: Path) -> None:
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for place in missing:
        sync_folder(place.parent)


def _text(text: str) -> str:
    """Without what a database cannot hold: halves of surrogate pairs."""
    return text.encode("utf-8", "replace").decode()
