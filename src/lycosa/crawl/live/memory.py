"""What a live crawl remembers: every step, first in its objects and then on the disk.

A step is `committed` when the disk has it; without a store that is at once. A
crawl that goes on reads its own archive and tells itself again what it was
told, so that nothing but answers has to be stored.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from lycosa.core import Page, Step
from lycosa.crawl.crawl import Crawl
from lycosa.crawl.live.fetched import Fetched
from lycosa.crawl.live.hosts import Hosts
from lycosa.crawl.live.progress import Progress
from lycosa.crawl.live.reading import Reading
from lycosa.crawl.live.store import Answer, Row, Store
from lycosa.crawl.recall import Recall

_EVERY = 0.25  # seconds between commits
_MANY = 64  # steps that are committed before that time is over
_MOST = 512  # steps that wait; until they are on the disk nothing more is asked for
_HOSTS = 100  # states of more hosts are saved less often
_SELDOM = 10.0  # seconds
_SLICE = 0.05  # seconds of a replay between two breaths
LOST = "lost"
"""The fault of a page whose record in the archive is damaged."""


class Memory:
    """Takes in the steps of a crawl, and goes through those of earlier runs."""

    def __init__(
        self,
        crawl: Crawl,
        recall: Recall,
        reading: Reading,
        hosts: Hosts,
        progress: Progress,
        store: Store | None,
        *,
        refresh: bool,
    ) -> None:
        self.validators: dict[int, tuple[str, str]] = {}
        """By number the ETag and Last-Modified of pages that are asked for again."""
        self._crawl = crawl
        self._recall = recall
        self._reading = reading
        self._hosts = hosts
        self._progress = progress
        self._store = store
        self._refresh = refresh
        self._step_of: dict[int, int] = {}  # by the number of a page, its step
        self._new: list[Step] = []
        self._writing: list[Step] = []
        self._done: deque[Step] = deque()
        self._task: asyncio.Task[None] | None = None
        self._last = time.monotonic()
        self._saved = -inf
        self._about: dict[str, Any] = {}

    @property
    def pending(self) -> int:
        """How many steps are not on the disk yet."""
        return len(self._new) + len(self._writing)

    @property
    def has_room(self) -> bool:
        """Whether the disk keeps up."""
        return self.pending < _MOST

    @property
    def due(self) -> float:
        """Seconds until a commit is due; infinite if there is nothing to commit."""
        if not self._new or self._task is not None:
            return inf
        return max(self._last + _EVERY - time.monotonic(), 0.0)

    def committed(self) -> Iterator[Step]:
        """The steps that the disk has, each once."""
        while self._done:
            yield self._done.popleft()

    def keep(self, fetched: Fetched) -> None:
        """Archive an answer that is no step."""
        if self._store is not None:
            self._store.keep(fetched)

    def add(self, page: Page, asked: int, fetched: Fetched) -> Step:
        """Tell the crawl what came back, and remember it."""
        step = self._tell(page, asked)
        source = self._step_of.get(step.source, 0)
        if self._store is None:
            self._done.append(step)
        else:
            url = self._reading.urls[asked]
            self._store.add(
                step.n, url, fetched, reward=step.reward, source=source, score=step.score
            )
            self._new.append(step)
        return step

    def _tell(self, page: Page, asked: int, reward: float | None = None) -> Step:
        crawl = self._crawl
        if asked in self._step_of:
            unchanged = 0.0 if page.status == 304 else reward
            step = crawl.tell_again(page, asked, unchanged)
        else:
            step = crawl.tell(page, asked, reward)
            self._step_of[asked] = self._step_of[page.number] = step.n
            self._recall.observe(step, crawl.waiting + crawl.under_way)
        self._progress.faults += page.error is not None
        self._progress.curve.add(crawl.pages, crawl.found)
        return step

    def replay(self) -> Iterator[None]:
        """Go through what earlier runs have seen, with a pause now and then."""
        if self._store is None:
            return
        state = self._store.get("hosts")
        if state:
            for host in state.values():
                # Nobody knows what was asked for after this was written.
                host["tempo"]["since"] = 0.0
            away = time.time() - self._store.get("hosts-saved", time.time())
            self._hosts.restore(state, away)
        about = self._store.get("run") or {}
        same_goal = about.get("goal") == self._crawl.goal.name
        began = time.perf_counter()
        for row, answer in self._store.replay():
            self._recover(row, answer, same_goal)
            if time.perf_counter() - began > _SLICE:
                yield
                began = time.perf_counter()
        for number in self.validators:
            self._crawl.again(number)

    def _recover(self, row: Row, answer: Answer | None, same_goal: bool) -> None:
        reading, crawl = self._reading, self._crawl
        asked, final = reading.number(row.url), reading.number(row.final)
        crawl.take(asked)
        if final != asked:
            crawl.claim(final)
        if row.fault is not None or answer is None:
            page = reading.failed(asked, row.fault or LOST)
        elif row.status == 304:
            page = reading.unchanged(asked)
        else:
            page = reading.page(row.final, row.status, row.type, answer.body)
            if self._refresh and 200 <= row.status < 300:
                headers = answer.headers
                self.validators[page.number] = (
                    headers.get("etag", ""),
                    headers.get("last-modified", ""),
                )
        # The words of documents are dear: they are not read again for the same goal.
        known = same_goal and not len(page.targets) and page.error is None
        step = self._tell(page, asked, row.reward if known else None)
        if step.reward != row.reward and self._store is not None:
            self._store.amend(row.n, step.reward)

    def describe(self, **about: Any) -> None:
        """What is said of this run in the note `run`."""
        self._about.update(about)

    def commit_if_due(self, done: Callable[[], object]) -> None:
        """Begin to write what is new, if it is time; `done` is called when the disk has it."""
        if self._task is not None:
            if not self._task.done():
                return
            self._task.result()
            self._task = None
        if self._new and (self.due <= 0 or len(self._new) >= _MANY):
            self._task = asyncio.create_task(self._write())
            self._task.add_done_callback(lambda _: done())

    async def commit(self) -> None:
        """Write all that is new, and wait for it."""
        if self._task is not None:
            await self._task
            self._task = None
        await self._write()

    async def _write(self) -> None:
        store = self._store
        if store is None:
            return
        self._writing, self._new = self._new, []
        self._note(store)
        await asyncio.to_thread(store.commit)
        self._done += self._writing
        self._writing = []
        self._last = time.monotonic()

    def _note(self, store: Store) -> None:
        now = time.monotonic()
        estimate = self._recall.estimate()
        store.put(
            "run",
            {
                **self._about,
                "requests": self._progress.requests,
                "estimate": [estimate.found, estimate.total, estimate.low, estimate.high],
                "known": len(self._reading.urls),
                "waiting": self._crawl.waiting + self._hosts.waiting,
                "skipped": dict(self._progress.skipped),
            },
        )
        ended = self._about.get("reason") is not None
        if ended or len(self._hosts) <= _HOSTS or now - self._saved > _SELDOM:
            self._saved = now
            store.put("hosts", self._hosts.state())
            store.put("hosts-saved", time.time())

    async def close(self) -> None:
        """Write what can be written, and let go of the folder."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        if self._store is not None:
            await asyncio.to_thread(self._store.close)
