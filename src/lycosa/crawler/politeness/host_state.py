"""The state of hosts and addresses: what waits for each of them, and what is in flight."""

from __future__ import annotations

from enum import StrEnum
from heapq import heappop, heappush
from math import inf
from typing import NamedTuple, TypeAlias

from lycosa.crawler.politeness.pace import HostPace, Pace

ROBOTS = -1
"""The number of a request for a robots.txt."""

Key: TypeAlias = tuple[float, int]
"""The order of requests, least first: the negated score, then the time of the offer."""


class DropReason(StrEnum):
    """Why a URL that was offered will never be handed out."""

    PAGES = "host-pages"
    QUARANTINE = "host-quarantine"


class DroppedUrl(NamedTuple):
    """A URL, by its number, that will not be handed out, its host, and the reason."""

    number: int
    host: str
    reason: DropReason


class HostWait(NamedTuple):
    """A host whose URLs wait, and the reason."""

    host: str
    why: str
    """The reason, in a word or two: "delay", "busy", "robots pending", "quarantine" …"""
    seconds: float | None
    """The time until the host is due; None if it is not known."""
    urls: int
    """The number of URLs that wait."""


class ScheduledRequest:
    """A request that the scheduler handed out, or that waits for a retry.

    `state` is the host to ask and `number` that of the URL in the crawl. `key` is
    its place in the queue. An
    `internal` request is made for the engine, not for the crawl, such as that
    for a robots.txt: it needs no robots.txt and is not a page. `failures` is
    how often it failed.
    """

    __slots__ = ("address", "counted", "failures", "internal", "key", "number", "started", "state")

    def __init__(
        self, state: Host, number: int, key: Key, *, internal: bool = False, failures: int = 0
    ) -> None:
        self.state = state
        self.number = number
        self.key = key
        self.internal = internal
        self.failures = failures
        self.counted = False
        """Whether it is counted among the pages of its host already."""
        self.address: Address | None = None
        """The address at which it is in flight, or about to be."""
        self.started: float | None = None
        """When it was started; None if it was not."""

    def __lt__(self, other: ScheduledRequest) -> bool:
        return self.key < other.key

    def __repr__(self) -> str:
        return f"<{'robots.txt' if self.is_robots else self.number} of {self.host}>"

    @property
    def host(self) -> str:
        """The name of the host to ask."""
        return self.state.name

    @property
    def is_robots(self) -> bool:
        """Whether it requests the host's robots.txt, not a URL."""
        return self.internal and self.number == ROBOTS


class UrlQueue:
    """A priority queue of URL numbers that wait for a host, the least key first.

    >>> queue = UrlQueue()
    >>> queue.add((-0.5, 1), 70)
    >>> queue.add((-0.9, 2), 71)
    >>> queue.first, queue.pop(), len(queue)
    ((-0.9, 2), ((-0.9, 2), 71), 1)
    """

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: list[tuple[Key, int]] = []

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def first(self) -> Key:
        """The least key."""
        return self._entries[0][0]

    def add(self, key: Key, number: int) -> None:
        """Add a URL."""
        heappush(self._entries, (key, number))

    def pop(self) -> tuple[Key, int]:
        """Remove and return the first entry."""
        return heappop(self._entries)

    def clear(self) -> list[int]:
        """Remove all entries; return their numbers in order."""
        entries, self._entries = self._entries, []
        return [number for _, number in sorted(entries)]


class Address:
    """An IP address: the requests in flight there, and the hosts that may be asked.

    `name` is the address, `max_in_flight` the number of requests allowed at a
    time and `serial` a number that orders addresses. A host whose address is
    not known yet has an unlimited one to itself.
    """

    __slots__ = ("_max_in_flight", "due", "hosts", "in_flight", "name", "queued_key", "serial")

    def __init__(self, name: str, max_in_flight: float, serial: int) -> None:
        self.name = name
        self.serial = serial
        self.in_flight = 0
        """Requests in flight, or about to be."""
        self.hosts: list[tuple[Key, int, Host]] = []
        """A heap of hosts by the key of their first request, with tickets."""
        self.queued_key: Key | None = None
        """The key of its entry in the heap of addresses; None if it has none."""
        self.due: float | None = None
        """When its delay after a request is over; None if it was, or has none."""
        self._max_in_flight = max_in_flight

    @property
    def has_room(self) -> bool:
        """Whether one more request may be in flight, and none was made just now."""
        return self.due is None and self.in_flight < self._max_in_flight

    def first(self) -> Key | None:
        """Remove stale entries; return the least key, None if no host may be asked."""
        hosts = self.hosts
        while hosts:
            key, ticket, host = hosts[0]
            if ticket == host.ticket:
                return key
            heappop(hosts)
        return None


class Host:
    """A host: its queue, its requests in flight, its pace and its robots.txt.

    `name` is its authority, `pace` has the settings of its delays, and `address` is its
    IP address, which other hosts may share.
    """

    __slots__ = (
        "address",
        "front",
        "in_flight",
        "name",
        "pace",
        "pages",
        "queue",
        "robots_expiry",
        "robots_pending",
        "starting",
        "ticket",
        "waiting",
    )

    def __init__(self, name: str, pace: Pace, address: Address) -> None:
        self.name = name
        self.address = address
        self.pace = HostPace(pace)
        self.queue = UrlQueue()
        self.front: list[ScheduledRequest] = []
        """A heap of requests that precede the queue: internal ones and those put back."""
        self.waiting = 0
        """The number of URLs in `queue` and `front`."""
        self.ticket = 0
        """The ticket of its valid entry in a heap; entries with older tickets are stale."""
        self.starting = False
        """Whether a request was handed out that has not been started."""
        self.in_flight = 0
        self.pages = 0
        """URLs requested so far; retries do not count."""
        self.robots_pending = False
        """Whether its robots.txt is being fetched: its URLs wait for that."""
        self.robots_expiry = -inf
        """Until when its robots.txt is valid."""

    @property
    def first(self) -> Key | None:
        """The key of its next request; None if there is none."""
        if self.front and (self.front[0].internal or not self.robots_pending):
            return self.front[0].key
        return self.queue.first if self.queue and not self.robots_pending else None
