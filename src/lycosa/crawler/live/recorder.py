"""What a live crawl remembers: every step, first in its objects and then on the disk.

A step is `committed` when the disk has it; without a store that is at once. A
crawl that goes on reads its own archive and tells itself again what it was
told, so that nothing but answers has to be stored.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from math import inf
from typing import Any

from lycosa.core import Page, Step
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.live.page_reader import LOST, PageReader
from lycosa.crawler.live.progress import Progress
from lycosa.crawler.politeness.pace import HostPace
from lycosa.crawler.politeness.robots_cache import authority
from lycosa.crawler.politeness.scheduler import Scheduler
from lycosa.crawler.recall import Recall
from lycosa.crawler.storage.sqlite import ArchivedResponse, Row, SqliteStore

_EVERY = 0.25  # seconds between commits
_MANY = 128  # steps that are committed before that time is over
_MOST = 512  # steps that wait; until they are on the disk nothing more is asked for
_HOSTS = 100  # states of more hosts are saved less often
_SELDOM = 10.0  # seconds
_SLICE = 0.05  # seconds of a replay between two breaths


class StepRecorder:
    """Takes in the steps of a crawl, and goes through those of earlier runs."""

    def __init__(
        self,
        crawl: Crawl,
        recall: Recall,
        reading: PageReader,
        hosts: Scheduler,
        progress: Progress,
        store: SqliteStore | None,
        *,
        refresh: bool,
        about: Callable[[], Mapping[str, Any]],
    ) -> None:
        self.validators: dict[int, tuple[str, str]] = {}
        """By number the ETag and Last-Modified of pages that are asked for again."""
        self.was_killed = False
        """Whether the last run had no end, so that nobody knows what it did last."""
        self._crawl = crawl
        self._recall = recall
        self._reading = reading
        self._hosts = hosts
        self._progress = progress
        self._store = store
        self._refresh = refresh
        self._step_of: dict[int, int] = {}  # by the number of a page, its step
        self._targets: set[int] = set()
        self._replayed = False
        self._new: list[Step] = []
        self._writing: list[Step] = []
        self._done: deque[Step] = deque()
        self._task: asyncio.Task[None] | None = None
        self._last = time.monotonic()
        self._saved = -inf
        self._about = about

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

    def keep(self, fetched: Response) -> None:
        """Archive an answer that is no step."""
        if self._store is not None:
            self._store.keep(fetched)

    def add(self, page: Page, asked: int, fetched: Response, between: Sequence[str] = ()) -> Step:
        """Tell the crawl what came back, after redirects `between`, and remember it."""
        step = self._tell(page, asked)
        source = self._step_of.get(step.source, 0)
        if self._store is None:
            self._done.append(step)
        else:
            url = self._reading.urls[asked]
            self._store.add(
                step.n, url, fetched, reward=step.reward, source=source, score=step.score
            )
            if between:
                self._store.put(f"between:{step.n}", between)
            self._new.append(step)
        return step

    def _tell(self, page: Page, asked: int, reward: float | None = None) -> Step:
        crawl = self._crawl
        if page.number in self._step_of:
            # A target counts once, however often it is asked for.
            if page.status == 304 or page.number in self._targets:
                reward = 0.0
            step = crawl.tell_again(page, asked, reward)
            crawl.found += step.reward > 0
        else:
            step = crawl.tell(page, asked, reward)
            self._step_of[asked] = self._step_of[page.number] = step.n
            self._recall.observe(step, crawl.waiting + crawl.under_way)
        if step.reward > 0:
            self._targets.add(page.number)
        self._progress.faults += page.error is not None
        self._progress.curve.add(crawl.pages, crawl.found)
        return step

    def replay(self) -> Iterator[None]:
        """Go through what earlier runs have seen, with a pause now and then."""
        store = self._store
        if store is None:
            return
        same_goal = (store.get("run") or {}).get("goal") == self._crawl.goal.name
        asked: Counter[str] = Counter()
        began = time.perf_counter()
        for row, answer in store.replay():
            self._recover(store, row, answer, same_goal)
            asked[authority(row.url)] += 1
            if row.final != row.url and row.fault != Fault.ROBOTS:
                asked[authority(row.final)] += 1
            if time.perf_counter() - began > _SLICE:
                yield
                began = time.perf_counter()
        for number in self.validators:
            self._crawl.again(number)
        self._restore(store, asked)
        self._replayed = True

    def _recover(
        self, store: SqliteStore, row: Row, answer: ArchivedResponse | None, same_goal: bool
    ) -> None:
        reading, crawl = self._reading, self._crawl
        asked = reading.number(row.url)
        if asked in self._step_of:
            crawl.again(asked)
        crawl.take(asked)
        if row.final != row.url:
            for place in (*store.get(f"between:{row.n}", ()), row.final):
                crawl.claim(reading.number(place))
        page = reading.again(row, None if answer is None else answer.body)
        if answer is not None and page.status != 304:
            self._note_validators(page, asked, answer)
        # The words of documents are dear: they are not read again for the same goal.
        # Nor can a page be read whose record is damaged.
        known = same_goal and not len(page.targets) and page.error in (None, LOST)
        step = self._tell(page, asked, row.reward if known else None)
        if step.reward != row.reward:
            store.amend(row.n, step.reward)

    def _note_validators(self, page: Page, asked: int, answer: ArchivedResponse) -> None:
        if self._refresh and 200 <= page.status < 300:
            if page.number != asked:  # it has moved since it was last asked for
                self.validators.pop(asked, None)
            headers = answer.headers
            tags = headers.get("etag", ""), headers.get("last-modified", "")
            self.validators[page.number] = tags

    def _restore(self, store: SqliteStore, asked: Counter[str]) -> None:
        """Take up the delays and back-offs of hosts."""
        saved = store.get("hosts-saved")
        if saved is None:
            return
        state = store.get("hosts")
        away = max(time.time() - saved["at"], 0.0)
        self.was_killed = not saved["exact"]
        if self.was_killed:
            # Each may have been asked just now; what is not in the journal was not counted.
            unknown = {"tempo": HostPace(self._hosts.pace).state(0.0), "address": ""}
            for host in state.keys() | asked.keys():
                entry = state[host] = deepcopy(state.get(host, unknown))
                entry["tempo"]["since"] = -away
                entry["pages"] = asked[host]
        self._hosts.restore(state, away)

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

    def _note(self, store: SqliteStore, *, exact: bool = False) -> None:
        """Note how far it has come; `exact` if nothing more will be asked for."""
        now = time.monotonic()
        estimate = self._recall.estimate()
        store.put(
            "run",
            {
                **self._about(),
                "requests": self._progress.requests,
                "estimate": [estimate.found, estimate.total, estimate.low, estimate.high],
                "known": len(self._reading.urls),
                "waiting": self._crawl.waiting + self._hosts.waiting,
                "skipped": dict(self._progress.skipped),
            },
        )
        if exact or len(self._hosts) <= _HOSTS or now - self._saved > _SELDOM:
            self._saved = now
            store.put("hosts", self._hosts.state())
            store.put("hosts-saved", {"at": time.time(), "exact": exact})

    async def close(self) -> None:
        """Write what can be written, and let go of the folder."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        if self._store is not None:
            if self._replayed:  # else we know less than the store does
                self._note(self._store, exact=True)
            await asyncio.to_thread(self._store.close)
