"""The exchange of a shard with the others: links out and in, exactly once.

Links for other shards enter the buffer of the store with the step that brought them, numbered
in sequence. Links of others are read in the order of their numbers; a batch that is taken in is
an event of the step log, with the number of the step after which it came, and is committed
with the new high-water mark. So is the shard of a host that was decided. A replay takes the
events in again between the same two steps, and sends nothing.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from lycosa.cluster.arrivals import (
    Arrival,
    ExampleArrival,
    HostDecision,
    LinkArrival,
    ReceivedLink,
    pack,
    read_examples,
    read_links,
    unpack,
)
from lycosa.cluster.budget import SLOW_SECONDS
from lycosa.cluster.database import Connection, Database
from lycosa.cluster.leases import Lease, LeaseLost
from lycosa.cluster.postgres_store import PostgresStore
from lycosa.cluster.request_slots import RequestSlots
from lycosa.cluster.routing import RoutedLink, Router
from lycosa.cluster.shard_buffer import Mark, SentExamples, SentLink, ShardEvent, ShardState
from lycosa.cluster.sharing_policy import SharingPolicy, sharing_policy
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.politeness.scheduler import Scheduler
from lycosa.snapshots import StateReader, StateWriter

SEEDS = -1
"""The sender of the links to start pages."""
_POLL_SECONDS = 0.05  # between two looks whether the lease is valid again


class Exchange:
    """Joins the live crawl of one shard to the others; a `ShardLink`.

    Parameters
    ----------
    store
        The store of the shard.
    database
        The connections to PostgreSQL.
    lease
        The lease of the shard.
    slots
        The requests that the worker may have in flight, shared by its shards.
    on_need
        Called when the shard waits for its worker: for a slice of the budget, or for the
        shards of hosts.
    """

    def __init__(
        self,
        store: PostgresStore,
        database: Database,
        lease: Lease,
        slots: RequestSlots | None = None,
        on_need: Callable[[], None] = lambda: None,
    ) -> None:
        self.router = Router(lease.shard, self._stage)
        self.is_takeover = lease.epoch > 1
        self._store = store
        self._database = database
        self._lease = lease
        self._arrivals: deque[Arrival] = deque()
        self._sharing: SharingPolicy | None = None
        self._replaying = True
        self._position = 0
        self._published: tuple[bool, ...] | None = None  # `_rest` when it was published last
        self._slots = RequestSlots() if slots is None else slots
        self._on_need = on_need
        self._spent: int | None = None  # the grant of which it was said that it is spent
        self._crawl: Crawl
        self._page_reader: PageReader
        self._scheduler: Scheduler
        self._wake: Callable[[], None] = lambda: None
        self._events = deque(ShardEvent(*event) for event in store.events)
        sent = "SELECT coalesce(max(sequence), 0) FROM links WHERE sender = $1"
        read = "SELECT kind, sender, sequence FROM marks WHERE receiver = $1"
        batches = "SELECT coalesce(max(sequence), 0) FROM examples WHERE sender = $1"

        async def load(connection: Connection) -> None:
            self._sequence: int = await connection.fetchval(sent, lease.shard)
            self._batches: int = await connection.fetchval(batches, lease.shard)
            rows = await connection.fetch(read, lease.shard)
            self._marks = {(kind, sender): sequence for kind, sender, sequence in rows}
            now = await connection.fetchval("SELECT extract(epoch FROM clock_timestamp())")
            self._clock_offset = float(now) - time.monotonic()

        database.run(load)

    def attach(
        self,
        crawl: Crawl,
        page_reader: PageReader,
        scheduler: Scheduler,
        wake: Callable[[], None],
    ) -> None:
        """Take in the crawl; `wake` is called when something has arrived."""
        self._crawl, self._page_reader, self._wake = crawl, page_reader, wake
        self._scheduler = scheduler
        self.router.attach(crawl, page_reader.urls)
        self._sharing = sharing_policy(crawl.policy)

    @property
    def may_request(self) -> bool:
        """Whether the lease is valid, and the worker may have one more request in flight."""
        return self._lease.is_valid and self._slots.has_room(self._wake)

    def request_started(self) -> None:
        """Take a slot of the worker."""
        self._slots.take()

    def request_ended(self) -> None:
        """Give the slot back."""
        self._slots.give_back()

    async def permission(self) -> None:
        """Wait until the lease is valid."""
        while not self._lease.is_valid:
            await asyncio.sleep(_POLL_SECONDS)

    def check_permission(self) -> None:
        """Raise `LeaseLost` if the lease has ended.

        A process that was suspended after `may_request` was read learns it here, when it has
        nothing left to do but to write the request.
        """
        if not self._lease.is_valid:
            raise LeaseLost(f"The lease of shard {self._lease.shard} ended before a request left.")

    def clock(self) -> float:
        """Return the time by the clock of PostgreSQL, as it was when the shard was opened."""
        return self._clock_offset + time.monotonic()

    def end_reason(self, reason: str | None) -> str | None:
        """Return None: links, or a slice of the budget, may still come. The worker stops it."""
        is_spent = self.has_spent and self.granted != self._spent
        if is_spent:
            self._spent = self.granted
        if is_spent or self.router.has_new_hosts:
            self._on_need()
        return None

    def leads_elsewhere(self, url: str) -> bool:
        """Return whether a URL is in scope, and its host is not known to be of this shard."""
        return self._page_reader.allows(url) and self.router.home(url) != self._lease.shard

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits, is in flight, or has arrived."""
        crawl = self._crawl
        nothing_waits = crawl.best is None or crawl.reason == "budget: score"
        busy = crawl.in_flight or self._arrivals or self.router.undecided
        return nothing_waits and not busy and not self._replaying

    @property
    def is_dirty(self) -> bool:
        """Whether there are events to commit, or the end of the crawl depends on it."""
        return self._store.buffer.has_events or self._rest != self._published

    @property
    def _rest(self) -> tuple[bool, ...]:
        """Whether the shard is idle, has requests in flight, has spent its budget, and is held up.

        The end of the crawl and the turns of others depend on it. What was published may differ
        from what is committed with it: a step may have been added in between.
        """
        spent, in_flight = self.has_spent, self._crawl.in_flight > self._crawl.held
        return self.is_idle, in_flight, spent, spent and self.is_held_up

    @property
    def is_replaying(self) -> bool:
        """Whether the steps of earlier runs are replayed."""
        return self._replaying

    @property
    def is_held_up(self) -> bool:
        """Whether no host may be asked for some time, so that others should have its slice.

        Hosts are in back-off, or are asked slowly; all links that the scheduler takes wait there.
        """
        crawl, scheduler = self._crawl, self._scheduler
        best, least = crawl.best, crawl.budget.score
        if scheduler.in_flight or (
            best is not None and (least is None or best >= least) and scheduler.wants(best)
        ):
            return False
        seconds = scheduler.seconds_until_ready()
        return seconds is not None and seconds > SLOW_SECONDS

    @property
    def best(self) -> float | None:
        """The score of the best link to spend a slice on; None if there is none."""
        crawl = self._crawl
        if self.is_held_up:
            return None
        return crawl.best_in_flight if crawl.best is None and crawl.held else crawl.best

    def deliver(self, arrival: Arrival) -> None:
        """Take in something from outside, before the next step; what is known is ignored."""
        # What was delivered is not delivered again, though it is committed later.
        if isinstance(arrival, LinkArrival):
            key = "links", arrival.sender
            links = [link for link in arrival.links if link.sequence > self._marks[key]]
            if not links:
                return
            self._marks[key] = links[-1].sequence
            arrival = LinkArrival(arrival.sender, links)
        elif isinstance(arrival, ExampleArrival):
            key = "examples", arrival.sender
            if self._sharing is None or arrival.sequence <= self._marks.get(key, arrival.sequence):
                return
            self._marks[key] = arrival.sequence
        self._arrivals.append(arrival)
        self._wake()

    def grant(self, pages: int | None) -> None:
        """Set the number of pages that the shard may request altogether."""
        if pages != self.granted:
            self._crawl.budget = replace(self._crawl.budget, pages=pages)
            self._wake()

    @property
    def requested(self) -> int:
        """The number of pages that were requested, of all that were granted."""
        return self._crawl.requested - self._crawl.held

    @property
    def granted(self) -> int | None:
        """The number of pages that it may request altogether; None is no limit."""
        return self._crawl.budget.pages

    @property
    def has_spent(self) -> bool:
        """Whether all that was granted is requested."""
        return self.granted is not None and self.requested >= self.granted

    def take_in(self) -> None:
        """Apply and journal what has arrived."""
        while self._arrivals:
            arrival = self._arrivals.popleft()
            marks = []
            detail: list[str | int]
            if isinstance(arrival, HostDecision):
                kind, detail = "host", list(arrival)
                self.router.decide(*arrival)
            elif isinstance(arrival, LinkArrival):
                first, last = arrival.links[0].sequence, arrival.links[-1].sequence
                kind, detail = "links", [arrival.sender, first, last]
                marks = [Mark("links", arrival.sender, last)]
                self._follow(arrival.links)
            else:
                sender, sequence, data = arrival
                kind, detail = "examples", [sender, sequence]
                marks = [Mark("examples", sender, sequence)]
                self._learn(data)
            self._position += 1
            self._published = None
            event = ShardEvent(self._position, self._crawl.pages, kind, json.dumps(detail))
            self._store.buffer.add_event(event, marks)

    def replay_events(self, before: int) -> None:
        """Apply the journalled events that came before a step."""
        while self._events and self._events[0].after_step < before:
            event = self._events.popleft()
            if event.position <= self._position:  # the checkpoint has it
                continue
            detail = json.loads(event.detail)
            if event.kind == "host":
                self.router.decide(*detail)
            elif event.kind == "examples":
                batch = partial(read_examples, sender=detail[0], sequence=detail[1])
                self._learn(self._database.run(batch))
            else:
                select = partial(
                    read_links, receiver=self._lease.shard, sender=detail[0],
                    first=detail[1], last=detail[2],
                )  # fmt: skip
                self._follow(self._database.run(select))
            self._position = event.position

    def replayed(self) -> None:
        """Begin to send, and to take in."""
        self._replaying = False
        self.router.ask_again()
        if self._sharing is not None:
            self._sharing.take_examples()  # an earlier run has sent them

    def publish(self) -> None:
        """Buffer the state of the shard."""
        crawl, self._published = self._crawl, self._rest
        in_flight = crawl.in_flight - crawl.held
        state = ShardState(
            crawl.waiting, in_flight, self.requested, crawl.found, self.best, self.is_idle
        )
        self._store.publish(state)
        if self._sharing is not None and (examples := self._sharing.take_examples()):
            self._batches += 1
            sent = SentExamples(self._batches, len(examples), pack(examples))
            self._store.buffer.stage(examples=[sent])

    def save(self, state: StateWriter) -> None:
        """Save how far the events are in the crawl, and the routing."""
        state.value("position", self._position)
        self.router.save(state.part("router"))

    def restore(self, state: StateReader) -> None:
        """Take over a saved state."""
        self._position = state.value("position")
        self.router.restore(state.part("router"))

    def _follow(self, links: list[ReceivedLink]) -> None:
        """Add links of others to the frontier."""
        for link in links:
            self.router.own(link.url)
        numbers = np.array([self._page_reader.number(link.url) for link in links], np.int32)
        if self._sharing is not None:
            self._sharing.adopt_links(numbers, [link.features for link in links])
        self._crawl.link(numbers, np.array([link.score for link in links]))

    def _stage(self, links: list[RoutedLink]) -> None:
        """Buffer links for other shards, with the step or event that is being added."""
        if self._replaying:  # they were sent by an earlier run
            return
        features: Sequence[bytes] = [b""] * len(links)
        if self._sharing is not None:
            features = self._sharing.describe_links(np.array([link.number for link in links]))
        first = self._sequence + 1
        self._sequence += len(links)
        sent = zip(range(first, first + len(links)), links, features, strict=True)
        self._store.buffer.stage([SentLink(n, *link[1:], known) for n, link, known in sent])

    def _learn(self, data: bytes) -> None:
        if self._sharing is not None:
            self._sharing.learn_examples(unpack(data))
