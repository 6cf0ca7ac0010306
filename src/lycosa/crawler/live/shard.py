"""The interface between a live crawl and the cluster that it is a shard of.

A shard is a crawl of some hosts. Links to the hosts of other shards are handed over instead of
followed, links of others come in, and requests are allowed while the shard is leased to this
process. What comes from outside is an event: it is journalled with the steps, so that a replay
gets it again at the same place. `WholeCrawl` is the implementation for a crawl without others.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from lycosa.crawler.crawl import Crawl, LinkRouter
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.politeness.scheduler import Scheduler
from lycosa.snapshots import StateReader, StateWriter


class ShardLink(Protocol):
    """What a live crawl needs of its cluster.

    All but `clock` and `check_permission` is called between two steps.
    """

    @property
    def router(self) -> LinkRouter | None:
        """Keeps the links to hosts of other shards from the frontier; None if there are none."""

    @property
    def may_request(self) -> bool:
        """Whether requests may be made now."""

    @property
    def is_takeover(self) -> bool:
        """Whether another process may have made requests just before this one."""

    @property
    def is_dirty(self) -> bool:
        """Whether there is something to commit beside steps."""

    def attach(
        self,
        crawl: Crawl,
        page_reader: PageReader,
        scheduler: Scheduler,
        wake: Callable[[], None],
    ) -> None:
        """Take in the crawl; `wake` is called when there is an event, or room for a request."""

    def request_started(self) -> None:
        """Count a request that is in flight from now on."""

    def request_ended(self) -> None:
        """Count a request that is no longer in flight."""

    def clock(self) -> float:
        """Return seconds since the epoch, by a clock that all processes of the crawl share."""

    def end_reason(self, reason: str | None) -> str | None:
        """Return why the crawl ends, given why it has no next request; None if it waits."""

    def leads_elsewhere(self, url: str) -> bool:
        """Return whether a redirect leads to the host of another shard."""

    async def permission(self) -> None:
        """Wait until requests may be made."""

    def check_permission(self) -> None:
        """Raise a `StoreError` if requests may no longer be made; called before one is written."""

    def take_in(self) -> None:
        """Apply the events that have arrived."""

    def replay_events(self, before: int) -> None:
        """Apply the journalled events that came before a step."""

    def replayed(self) -> None:
        """Record that the replay has ended."""

    def publish(self) -> None:
        """Put the state of the crawl into the buffer of the store."""

    def save(self, state: StateWriter) -> None:
        """Save what a checkpoint needs."""

    def restore(self, state: StateReader) -> None:
        """Take over a saved state."""


class WholeCrawl:
    """A crawl that is not divided: every link is its own, and nothing comes from outside."""

    router: LinkRouter | None = None
    may_request = True
    is_takeover = False
    is_dirty = False

    def attach(
        self,
        crawl: Crawl,
        page_reader: PageReader,
        scheduler: Scheduler,
        wake: Callable[[], None],
    ) -> None:
        """Do nothing."""

    def request_started(self) -> None:
        """Do nothing."""

    def request_ended(self) -> None:
        """Do nothing."""

    def clock(self) -> float:
        """Return the time of this machine."""
        return time.time()

    def end_reason(self, reason: str | None) -> str | None:
        """Return the reason: without a next request the crawl ends."""
        return reason

    def leads_elsewhere(self, url: str) -> bool:
        """Return False: all redirects are followed."""
        return False

    async def permission(self) -> None:
        """Do not wait."""

    def check_permission(self) -> None:
        """Do nothing."""

    def take_in(self) -> None:
        """Do nothing."""

    def replay_events(self, before: int) -> None:
        """Do nothing."""

    def replayed(self) -> None:
        """Do nothing."""

    def publish(self) -> None:
        """Do nothing."""

    def save(self, state: StateWriter) -> None:
        """Save nothing."""

    def restore(self, state: StateReader) -> None:
        """Restore nothing."""
