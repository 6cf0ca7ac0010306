"""What waits for its turn, and where: URLs at hosts, hosts at addresses."""

from __future__ import annotations

from array import array
from heapq import heappop
from math import inf

from lycosa.crawl.live.pace import Pace, Tempo

ROBOTS = -1
"""The number of a request for a robots.txt."""
_SLACK = 128  # a line this much too long is not worth moving


class Item:
    """One request that may go now, or that waits to go once more."""

    __slots__ = ("address", "counted", "errand", "number", "order", "place", "started", "tries")

    def __init__(
        self, place: Host, number: int, order: int, *, errand: bool = False, tries: int = 0
    ) -> None:
        self.place = place
        self.number = number
        self.order = order
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
        return self.order < other.order

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
    """URLs first in, first out: an order and a number, sixteen bytes together.

    >>> line = Line()
    >>> line.append(1, 70)
    >>> line.append(2, 71)
    >>> line.first, line.pop(), len(line)
    (1, (1, 70), 1)
    """

    __slots__ = ("_at", "_entries")

    def __init__(self) -> None:
        self._entries = array("q")
        self._at = 0

    def __len__(self) -> int:
        return (len(self._entries) - self._at) >> 1

    @property
    def first(self) -> int:
        """The order of the first."""
        return self._entries[self._at]

    def append(self, order: int, number: int) -> None:
        """Add one at the end."""
        self._entries.append(order)
        self._entries.append(number)

    def pop(self) -> tuple[int, int]:
        """Take the first."""
        entries, at = self._entries, self._at
        found = entries[at], entries[at + 1]
        self._at = at = at + 2
        if at > _SLACK and 2 * at > len(entries):
            del entries[:at]
            self._at = 0
        return found

    def clear(self) -> list[tuple[int, int]]:
        """Take all."""
        found = self.all()
        self._entries, self._at = array("q"), 0
        return found

    def all(self) -> list[tuple[int, int]]:
        """All, in their order."""
        entries, at = self._entries, self._at
        return list(zip(entries[at::2], entries[at + 1 :: 2], strict=True))


class Address:
    """An address with the hosts that may be asked there, the one that waited longest first.

    A host whose address is not known yet has one to itself, where there is
    always room.
    """

    __slots__ = ("_room", "hosts", "listed", "name", "serial", "taken")

    def __init__(self, name: str, room: float, serial: int) -> None:
        self.name = name
        self.serial = serial
        self.taken = 0
        """Requests under way, or about to be."""
        self.hosts: list[tuple[int, int, Host]] = []
        """A heap by the order of what is to be asked first, with tickets."""
        self.listed: int | None = None
        """The order by which it stands in the heap of addresses."""
        self._room = room

    @property
    def has_room(self) -> bool:
        """Whether one more request may be under way."""
        return self.taken < self._room

    def first(self) -> int | None:
        """The order of what is to be asked first, once tickets that ran out are thrown away."""
        hosts = self.hosts
        while hosts:
            order, ticket, host = hosts[0]
            if ticket == host.ticket:
                return order
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
        self.tempo = Tempo(pace)
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
    def first(self) -> int | None:
        """The order of what is to be asked first; None if nothing may."""
        if self.front and (self.front[0].errand or not self.robots_pending):
            return self.front[0].order
        return self.line.first if self.line and not self.robots_pending else None
