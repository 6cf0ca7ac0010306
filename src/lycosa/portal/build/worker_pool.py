"""Several processes that read documents, each of which may die of one.

A document that kills its process is given another chance, alone; if it kills
that one too it is damaged, and the others have lost nothing.

>>> with Crew(jobs=1) as crew:
...     crew.submit(b"Spiders hunt.", "text/plain").result().text
'Spiders hunt.'
"""

from __future__ import annotations

from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from types import TracebackType
from typing import Self

from lycosa.portal.build.reading import DocumentReader, Read
from lycosa.processes import fresh_pool, uninterrupted

BROKEN = Read("none", "damaged")
"""What becomes of a document that nobody survives."""


class Reading:
    """A document that is being read."""

    def __init__(self, crew: Crew, body: bytes, type: str) -> None:
        self._crew = crew
        self._given = (body, type)
        self._future = crew._start(body, type)
        self._read: Read | None = None

    def result(self) -> Read:
        """What it is; waits until that is known."""
        if self._read is None:
            try:
                self._read = self._future.result()
            except BrokenProcessPool:
                self._read = self._crew._again(*self._given)
            self._given = (b"", "")
        return self._read


class Crew:
    """Processes to read with; with one job all is done in this one."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool: ProcessPoolExecutor | None = None
        self._alone: ProcessPoolExecutor | None = None

    def submit(self, body: bytes, type: str) -> Reading:
        """Have a document read."""
        return Reading(self, body, type)

    def _start(self, body: bytes, type: str) -> Future[Read]:
        if self.jobs == 1:
            done: Future[Read] = Future()
            done.set_result(_read(body, type))
            return done
        try:
            return self._submitted(body, type)
        except BrokenProcessPool:
            self._pool = None
            return self._submitted(body, type)

    def _submitted(self, body: bytes, type: str) -> Future[Read]:
        with uninterrupted():
            if self._pool is None:
                self._pool = fresh_pool(self.jobs)
            return self._pool.submit(_read, body, type)

    def _again(self, body: bytes, type: str) -> Read:
        with uninterrupted():
            if self._alone is None:
                self._alone = fresh_pool(1)
            reading = self._alone.submit(_read, body, type)
        try:
            return reading.result()
        except BrokenProcessPool:
            self._alone = None
            return BROKEN

    def close(self) -> None:
        """End the processes; what was not read by now is not read."""
        self._end(wait=True)

    def _end(self, *, wait: bool) -> None:
        pools, self._pool, self._alone = (self._pool, self._alone), None, None
        for pool in pools:
            if pool is not None:
                pool.shutdown(wait=wait, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end(wait=kind is None)
        if self.jobs == 1:
            _reader().close()


def _read(body: bytes, type: str) -> Read:
    try:
        return _reader().read(body, type)
    except Exception:
        # A fault of ours at one of many documents must not cost the others.
        return BROKEN


@cache
def _reader() -> DocumentReader:
    """The reader that a process keeps; its worker ends when the process does."""
    return DocumentReader()
