"""What waits for its turn, and where: URLs at hosts, hosts at addresses."""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf
from typing import TypeAlias

from lycosa.crawler.politeness.pace import HostPace, Pace

ROBOTS = -1
"""The number of a request for a robots.txt."""

Key: TypeAlias = tuple[float, int]
"""What goes first has the least: the score turned round, and when it was offered."""


class Item:
    """One request that may go now, or that waits to go once more."""

    __slots__ = ("address", "counted", "errand", "key", "number", "place", "started", "tries")

    def __init__(
        self, place: Host, number: int, key: Key, *, errand: bool = False, tries: int = 0
    ) -> None:
        self.place = place
        self.number = number
        self.key = key
        self.errand = errand
        """Whether it is an errand of the engine's own: it needs no robots.txt."""
        self.tries = tries
        """How often it failed."""
        self.counted = False
        """Whether it is one of its host's pages already."""
        self.address: Address | None = None
        """Where it takes up room."""
        self.started: float | None = None

    def __lt__(self, other: Item) -> bool:
        return self.key < other.key

    def __repr__(self) -> str:
        return f"<{'robots.txt' if self.is_robots else self.number} of {self.host}>"

    @property
    def host(self) -> str:
        """The name of the host to ask."""
        return self.place.name

    @property
    def is_robots(self) -> bool:
        """Whether the host's robots.txt is to be fetched, not a URL."""
        return self.errand and self.number == ROBOTS


class Line:
    """URLs that wait for a host, the least key first.

    >>> line = Line()
    >>> line.add((-0.5, 1), 70)
    >>> line.add((-0.9, 2), 71)
    >>> line.first, line.pop(), len(line)
    ((-0.9, 2), ((-0.9, 2), 71), 1)
    """

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: list[tuple[Key, int]] = []

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def first(self) -> Key:
        """The key of the first."""
        return self._entries[0][0]

    def add(self, key: Key, number: int) -> None:
        """Add one."""
        heappush(self._entries, (key, number))

    def pop(self) -> tuple[Key, int]:
        """Take the first."""
        return heappop(self._entries)

    def clear(self) -> list[int]:
        """Take all, in their order."""
        found, self._entries = self._entries, []
        return [number for _, number in sorted(found)]


class Address:
    """An address with the hosts that may be asked there, the one with the best URL first.

    A host whose address is not known yet has one to itself, where there is
    always room.
    """

    __slots__ = ("_room", "hosts", "listed", "name", "serial", "taken")

    def __init__(self, name: str, room: float, serial: int) -> None:
        self.name = name
        self.serial = serial
        self.taken = 0
        """Requests under way, or about to be."""
        self.hosts: list[tuple[Key, int, Host]] = []
        """A heap by the key of what is to be asked first, with tickets."""
        self.listed: Key | None = None
        """The key by which it stands in the heap of addresses."""
        self._room = room

    @property
    def has_room(self) -> bool:
        """Whether one more request may be under way."""
        return self.taken < self._room

    def first(self) -> Key | None:
        """The key of what is to be asked first, once tickets that ran out are thrown away."""
        hosts = self.hosts
        while hosts:
            key, ticket, host = hosts[0]
            if ticket == host.ticket:
                return key
            heappop(hosts)
        return None


class Host:
    """A host: what waits for it, what is under way, and its robots.txt."""

    __slots__ = (
        "address",
        "front",
        "line",
        "name",
        "pages",
        "robots_pending",
        "robots_until",
        "running",
        "starting",
        "tempo",
        "ticket",
        "waiting",
    )

    def __init__(self, name: str, pace: Pace, address: Address) -> None:
        self.name = name
        self.address = address
        self.tempo = HostPace(pace)
        self.line = Line()
        self.front: list[Item] = []
        """What goes before the line: errands, and what was already first once."""
        self.waiting = 0
        """URLs in both."""
        self.ticket = 0
        """Of its entry in a heap; older ones are void."""
        self.starting = False
        """Whether something was handed out that has not begun."""
        self.running = 0
        self.pages = 0
        self.robots_pending = False
        self.robots_until = -inf
        """Until when its robots.txt is known."""

    @property
    def first(self) -> Key | None:
        """The key of what is to be asked first; None if nothing may."""
        if self.front and (self.front[0].errand or not self.robots_pending):
            return self.front[0].key
        return self.line.first if self.line and not self.robots_pending else None
