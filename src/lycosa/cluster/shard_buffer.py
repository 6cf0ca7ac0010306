"""The buffer of a shard's store: what one transaction writes.

A step and what it caused, such as links for other shards, enter the buffer together, so that
no transaction has one without the other.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.store import StoredStep
from lycosa.errors import ContractError


class ShardState(NamedTuple):
    """How far a shard is, for its workers and for people."""

    waiting: int = 0
    in_flight: int = 0
    requested: int = 0
    targets: int = 0
    best: float | None = None
    """The score of its best waiting link."""
    idle: bool = True
    """Whether nothing waits, nothing is in flight and nothing was left unread."""


class SentLink(NamedTuple):
    """A link for another shard; `source` is the step whose page has it.

    `features` is what the policy knows of it.
    """

    sequence: int
    receiver: int
    url: str
    score: float
    source: int
    features: bytes = b""


class SentExamples(NamedTuple):
    """Labelled examples for all other shards."""

    sequence: int
    size: int
    """The number of examples."""
    data: bytes


class ShardEvent(NamedTuple):
    """Something that a shard learnt from outside, and after which of its steps."""

    position: int
    """The number of the event, from 1."""
    after_step: int
    kind: str
    """`host`, `links` or `examples`."""
    detail: str
    """JSON."""


class Mark(NamedTuple):
    """How far a shard has read what another one sends: the last sequence number."""

    kind: str
    sender: int
    sequence: int


class Fetched(NamedTuple):
    """A response, and the step it belongs to, if any."""

    step: StoredStep | None
    response: Response


@dataclass(slots=True)
class Batch:
    """What one transaction writes."""

    fetched: list[Fetched] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    rewards: dict[int, float] = field(default_factory=dict)
    conversions: dict[str, bytes] = field(default_factory=dict)
    events: list[ShardEvent] = field(default_factory=list)
    links: list[SentLink] = field(default_factory=list)
    examples: list[SentExamples] = field(default_factory=list)
    marks: dict[tuple[str, int], int] = field(default_factory=dict)
    state: ShardState | None = None

    def __bool__(self) -> bool:
        parts = self.fetched, self.notes, self.rewards, self.conversions, self.events
        return any(parts) or self.state is not None

    @property
    def last_step(self) -> int | None:
        """The number of its last step; None if it has none."""
        steps = (entry.step.n for entry in reversed(self.fetched) if entry.step is not None)
        return next(steps, None)


class ShardBuffer:
    """Takes in what a shard is to write, from any thread; `take` returns it.

    `first_step` is the number of the first step that is to come.
    """

    def __init__(self, first_step: int) -> None:
        self._lock = threading.Lock()
        self._next = first_step
        self._batch = Batch()
        self._taken = Batch()
        self._links: list[SentLink] = []
        self._examples: list[SentExamples] = []

    def add_step(self, step: StoredStep, response: Response) -> None:
        """Add a step, with the links and examples that were staged since the last one."""
        with self._lock:
            if step.n != self._next:
                raise ContractError(f"Step {step.n} was added, but the next step is {self._next}.")
            self._next += 1
            self._batch.fetched.append(Fetched(step, response))
            self._add_staged()

    def add_event(self, event: ShardEvent, marks: Sequence[Mark] = ()) -> None:
        """Add an event, with the links that were staged because of it."""
        with self._lock:
            self._batch.events.append(event)
            for kind, sender, sequence in marks:
                self._batch.marks[kind, sender] = sequence
            self._add_staged()

    @property
    def has_events(self) -> bool:
        """Whether there are events that are not written."""
        with self._lock:
            return bool(self._batch.events or self._taken.events)

    def stage(self, links: Sequence[SentLink] = (), examples: Sequence[SentExamples] = ()) -> None:
        """Hold links and examples back until the step or event is added that they belong to."""
        with self._lock:
            self._links += links
            self._examples += examples

    def _add_staged(self) -> None:
        batch = self._batch
        batch.links += self._links
        batch.examples += self._examples
        self._links, self._examples = [], []
        if batch.state is not None and batch.state.idle:
            # It was idle before this; the next one says what it is now.
            batch.state = batch.state._replace(idle=False)

    def keep(self, response: Response) -> None:
        """Add a response that is not a step."""
        with self._lock:
            self._batch.fetched.append(Fetched(None, response))

    def put(self, key: str, text: str) -> None:
        """Add a note."""
        with self._lock:
            self._batch.notes[key] = text

    def note(self, key: str) -> str | None:
        """Return a note that is not written yet."""
        with self._lock:
            found = self._batch.notes.get(key)
            return self._taken.notes.get(key) if found is None else found

    def amend(self, n: int, reward: float) -> None:
        """Add a new reward of a step."""
        with self._lock:
            self._batch.rewards[n] = reward

    def keep_conversion(self, key: str, value: bytes) -> None:
        """Add a conversion of a document."""
        with self._lock:
            self._batch.conversions[key] = value

    def conversion(self, key: str) -> bytes | None:
        """Return a conversion that is not written yet."""
        with self._lock:
            found = self._batch.conversions.get(key)
            return self._taken.conversions.get(key) if found is None else found

    def publish(self, state: ShardState) -> None:
        """Set the state of the shard that the next batch writes."""
        with self._lock:
            self._batch.state = state

    @property
    def has_taken(self) -> bool:
        """Whether there is a batch that was taken and could not be written."""
        with self._lock:
            return bool(self._taken)

    def take(self) -> Batch:
        """Return everything in the buffer; while it was not `written`, it is returned again."""
        with self._lock:
            if not self._taken:
                self._taken, self._batch = self._batch, Batch()
            return self._taken

    def written(self) -> None:
        """Remove the batch that was taken."""
        with self._lock:
            self._taken = Batch()
