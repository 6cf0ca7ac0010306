"""Checkpoints of a live crawl: when one is written, what is in it, and how one is restored.

A snapshot is taken between two pages, in the loop: arrays are copied, and of tables
what is new. It is written in a thread while the crawl goes on. The next one is due
when the crawl has used `COST_FACTOR` times the CPU time that the last one cost, so
that checkpoints cost a fixed small share, however large the crawl is; what is
replayed after a kill is what was crawled in that time.

A checkpoint is used if the version of Lycosa, the goal, the policy and the settings
by which pages are read are those it was written with; else the crawl is replayed.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import xxhash

from lycosa.core import Goal, SnapshottingPolicy, can_save
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.live.progress import Progress
from lycosa.crawler.live.shard import ShardLink, WholeCrawl
from lycosa.crawler.live.step_index import StepIndex
from lycosa.crawler.recall import Recall
from lycosa.crawler.storage.store import CheckpointStore, RevisitStore
from lycosa.goals.combined import is_observing, simple_goals, words_of
from lycosa.snapshots import StateReader, StateWriter

if TYPE_CHECKING:
    from lycosa.crawler.storage.checkpoints import Checkpoint

_log = logging.getLogger("lycosa.crawler")

COST_FACTOR = 50.0
"""CPU time of the crawl between two checkpoints, as a multiple of the cost of the last."""
MIN_INTERVAL_SECONDS = 10.0
"""Seconds between two checkpoints, at least."""
MIN_STEPS = 100
"""Steps between two checkpoints, at least: fewer are replayed in a moment."""

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
# Fields of a job that change neither pages nor links; a new field counts until it is named here.
_IRRELEVANT = frozenset(
    "seeds client budget recall pace limits addresses refresh revisits".split()
) | {"max_in_flight", "redirects"}


@dataclass(frozen=True, slots=True)
class CrawlParts:
    """The parts of a live crawl that a checkpoint contains, beside the policy."""

    crawl: Crawl
    recall: Recall
    page_reader: PageReader
    progress: Progress
    index: StepIndex
    shard: ShardLink = field(default_factory=WholeCrawl)

    def save(self, state: StateWriter) -> None:
        """Save all parts."""
        for part in fields(self):
            getattr(self, part.name).save(state.part(part.name))

    def restore(self, state: StateReader) -> Iterator[None]:
        """Take over the state of all parts; yield after each of them."""
        self.page_reader.restore(state.part("page_reader"))
        yield
        self.index.restore(state.part("index"))
        self.crawl.restore(state.part("crawl"), self.index.told())
        yield
        self.recall.restore(state.part("recall"), self.page_reader.urls)
        self.progress.restore(state.part("progress"))
        self.shard.restore(state.part("shard"))
        yield


class Snapshot(NamedTuple):
    """The state of a crawl in memory."""

    steps: int
    """The number of the last step."""
    facts: Mapping[str, Any]
    """What the state depends on."""
    state: StateWriter
    cost: float
    """The CPU time of copying it."""


class Checkpointer:
    """Writes checkpoints of a crawl and restores the last one.

    `parts` are the parts of the crawl, `job` has its settings, and `store` keeps the
    checkpoints. Without such a store, or with a policy or a goal whose state cannot
    be saved, it does nothing.
    """

    def __init__(self, parts: CrawlParts, job: Job, store: object) -> None:
        self._parts = parts
        self._job = job
        self._store = store if isinstance(store, CheckpointStore) else None
        policy = parts.crawl.policy
        can = can_save(policy) and not is_observing(parts.crawl.goal)
        self._policy = policy if can and isinstance(policy, SnapshottingPolicy) else None
        self._task: asyncio.Task[None] | None = None
        self._steps = 0  # in the last checkpoint
        self._cost = 0.0  # of the last checkpoint: CPU time
        self._restart_interval()

    def restore(self) -> Iterator[None]:
        """Restore the last valid checkpoint, if there is one; yield now and then."""
        store, policy = self._store, self._policy
        if store is None:
            return
        found = None if policy is None or self._reads_all(store) else self._usable(store)
        if found is not None and policy is not None:
            yield
            started = time.perf_counter()
            fresh = StateWriter()
            self._parts.save(fresh)
            try:
                policy.restore(found.state.part("policy"))
                yield
                yield from self._parts.restore(found.state)
            except (ValueError, LookupError, TypeError) as error:
                _log.info("The checkpoint of step %d is not used: %s", found.steps, error)
                _log.debug("A part of the crawl cannot be restored", exc_info=True)
                policy.start(self._job.budget)
                yield from self._parts.restore(StateReader.of(fresh))
                found = None
            else:
                numbers = [self._parts.page_reader.number(seed) for seed in self._job.seeds]
                self._parts.crawl.add(np.array(numbers, np.int32))
                self._steps = found.steps
                seconds = time.perf_counter() - started
                _log.info("Restored the checkpoint of step %d in %.1f s", found.steps, seconds)
        if found is None:
            store.checkpoints.clear()
        self._restart_interval()

    def _reads_all(self, store: CheckpointStore) -> bool:
        """Return whether the archived pages are needed: those to request again are in it."""
        some = self._job.revisits is not None and isinstance(store, RevisitStore)
        return self._job.refresh and not some

    @property
    def steps(self) -> int:
        """The steps in the last checkpoint that was restored or written; 0 if there is none."""
        return self._steps

    def _usable(self, store: CheckpointStore) -> Checkpoint | None:
        """Return the last checkpoint, if it belongs to this crawl."""
        found = store.checkpoints.latest(store.steps)
        if found is None:
            return None
        facts = self._facts()
        other = [name for name, value in facts.items() if found.facts.get(name) != value]
        step, _ = next(store.replay(found.steps - 1))
        if found.facts.get("last") != [step.url, step.when.isoformat()]:
            other.append("step log")
        if not other:
            return found
        _log.info("The checkpoint of step %d has another %s", found.steps, ", ".join(other))
        return None

    def _facts(self) -> dict[str, Any]:
        """Return what pages, links, rewards and scores depend on."""
        relevant = (part.name for part in fields(self._job) if part.name not in _IRRELEVANT)
        settings = [f"{name}={getattr(self._job, name)!r}" for name in relevant]
        return {
            "version of Lycosa": version("lycosa"),
            "goal": [_goal_fact(goal) for goal in simple_goals(self._parts.crawl.goal)],
            "spider": _type_name(self._parts.crawl.policy) + " " + self._parts.crawl.policy.name,
            "scope or setting": _digest(*settings),
        }

    def take_if_due(self, *, final: bool = False) -> Snapshot | None:
        """Return a snapshot of the crawl if a checkpoint is due; a `final` one does not wait."""
        if self._policy is None or self._store is None or self._task is not None:
            return None
        steps = self._parts.crawl.pages
        if steps - self._steps < MIN_STEPS:
            return None
        if not final:
            if time.monotonic() - self._written < MIN_INTERVAL_SECONDS:
                return None
            if time.process_time() - self._used < COST_FACTOR * self._cost:
                return None
        started = time.thread_time()
        state = StateWriter(self._store.checkpoints.lengths)
        self._policy.save(state.part("policy"))
        self._parts.save(state)
        facts = self._facts() | {"last": self._parts.index.last}
        return Snapshot(steps, facts, state, time.thread_time() - started)

    def start_writing(self, snapshot: Snapshot) -> None:
        """Write a snapshot in a thread; the store must have its steps."""
        self._task = asyncio.create_task(self._write(snapshot))

    async def finish(self, *, final: bool) -> None:
        """Wait until the last snapshot was written; write a `final` one if it is worth it."""
        if self._task is not None:
            await self._task
        if final and (snapshot := self.take_if_due(final=True)) is not None:
            await self._write(snapshot)

    async def _write(self, snapshot: Snapshot) -> None:
        try:
            cost = await asyncio.to_thread(self._write_in_thread, snapshot)
        except OSError:
            _log.warning("A checkpoint cannot be written: the crawl goes on without", exc_info=True)
            self._policy = None
        else:
            _log.debug("Checkpoint of step %d: %.3f s of CPU time", snapshot.steps, cost)
            self._steps, self._cost = snapshot.steps, cost
        self._task = None
        self._restart_interval()

    def _write_in_thread(self, snapshot: Snapshot) -> float:
        """Write a snapshot; return the CPU time that it cost altogether."""
        started = time.thread_time()
        if self._store is not None:
            self._store.checkpoints.write(snapshot.steps, snapshot.facts, snapshot.state)
        return snapshot.cost + time.thread_time() - started

    def _restart_interval(self) -> None:
        self._written = time.monotonic()
        self._used = time.process_time()


def _goal_fact(goal: Goal) -> str:
    """Return a text that changes if the goal does, as far as can be seen from outside."""
    code = []
    for function in (getattr(goal, "function", None), type(goal).__call__):
        found = getattr(function, "__code__", None)
        if found is not None:
            code += [found.co_code, repr(found.co_consts)]
    return f"{goal.name} {_digest(_type_name(goal), repr(goal), words_of(goal), code)}"


def _type_name(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _digest(*values: object) -> str:
    """Return a hash of the printed values, without the addresses of objects."""
    text = "\n".join(_ADDRESS.sub("", str(value)) for value in values)
    return xxhash.xxh3_64_hexdigest(text.encode("utf-8", "surrogatepass"))
