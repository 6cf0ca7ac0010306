"""Politeness: which of the URLs that the crawl gave out may be requested now.

A state machine that is told the time by a clock and does no input or output.
Of the URLs that may go now, the one with the best score goes first, of equal
ones the one that was offered first; the others wait in the line of their host.
A request costs a few heap operations, however many URLs wait.

>>> now = 0.0
>>> hosts = Scheduler(lambda: now, Pace(delay=2.0))
>>> hosts.offer(7, "a.example")
>>> robots = hosts.ready()  # comes before all URLs of a host
>>> robots, hosts.began(robots, "192.0.2.1"), hosts.ready()
(<robots.txt of a.example>, True, None)
>>> from lycosa.crawler.http.response import Fetched
>>> from datetime import UTC, datetime
>>> answer = Fetched("http://a.example/robots.txt", datetime.now(UTC), 404, seconds=0.1)
>>> hosts.ended(robots, answer)
False
>>> hosts.known("a.example")
>>> hosts.ready(), hosts.wake()
(None, 2.0)
>>> list(hosts.waits())
[Wait(host='a.example', why='delay', seconds=2.0, urls=1)]
>>> now = 2.0
>>> hosts.ready()
<7 of a.example>
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf
from random import Random
from typing import Any, NamedTuple

from lycosa.crawler.live.status import Wait
from lycosa.crawler.politeness.host_queue import HostQueue
from lycosa.crawler.politeness.host_state import ROBOTS, Address, Host, Item, Key
from lycosa.crawler.politeness.pace import Outcome, Pace, is_failure, may_pass
from lycosa.errors import ContractError, UsageError
from lycosa.web.robots import MAX_LIFETIME_SECONDS

__all__ = ["ROBOTS", "Drop", "Dropped", "Item", "Outcome", "Pace", "Scheduler", "Wait"]

_ERRANDS = -(1 << 62)  # added to when they were offered, it puts them before all URLs


class Drop(StrEnum):
    """Why a URL that was offered will never be handed out."""

    PAGES = "host-pages"
    QUARANTINE = "host-quarantine"


class Dropped(NamedTuple):
    """A URL that will not be handed out, and why."""

    number: int
    host: str
    reason: Drop


class Scheduler:
    """All hosts of a crawl. See `docs/explanation/politeness.md` for the rules.

    What `ready` gives must be followed by `began`, just before the request goes
    out, and by `ended`; by `ended` alone if there is no request after all.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        pace: Pace = Pace(),  # noqa: B008 - frozen
        *,
        seed: int = 0,
    ) -> None:
        self.pace = pace
        self._clock = clock
        self._random = Random(seed)
        self._hosts: dict[str, Host] = {}
        self._addresses: dict[str, Address] = {}
        self._turns = HostQueue(pace.per_host)
        self._serials = count()
        self._order = 0
        self._out: set[Item] = set()
        self._dropped: list[Dropped] = []
        self._waiting = 0
        self._ahead = 0

    def __len__(self) -> int:
        return len(self._hosts)

    @property
    def waiting(self) -> int:
        """How many URLs wait."""
        return self._waiting

    @property
    def under_way(self) -> int:
        """How many items were handed out and have not ended."""
        return len(self._out)

    def offer(self, number: int, host: str, score: float = 0.0, *, errand: bool = False) -> None:
        """Take in a URL that the crawl gave out, and what it thinks of it.

        An errand is the engine's own, such as the next hop of a robots.txt. It
        goes before all URLs, needs no robots.txt and is nobody's page.
        """
        place = self._host(host)
        now = self._clock()
        reason = self._closed(place, now)
        if reason is Drop.QUARANTINE or (reason is not None and not errand):
            self._dropped.append(Dropped(number, host, reason))
        elif errand:
            heappush(place.front, Item(place, number, self._errand(), errand=True))
            self._turns.arrange(place, now)
        else:
            place.line.add((-score, self._next()), number)
            self._count(place, 1)
            if place.line.first[1] == self._order:  # it is the first now
                self._turns.arrange(place, now)

    def wants(self, score: float = -inf) -> bool:
        """Whether to take another URL from the crawl, one of this score.

        Not if too many wait already, nor if one that is as good may go now.
        """
        pace = self.pace
        ahead = pace.ahead * max(len(self._hosts), 1)
        if self._waiting >= pace.waiting or self._ahead >= ahead:
            return False
        address = self._turns.best(self._clock())
        first = address.first() if address is not None else None
        return first is None or -first[0] < score

    def take_back(self) -> list[int]:
        """All URLs that wait and were never handed out; they wait here no longer."""
        found: list[int] = []
        for host in self._hosts.values():
            if host.line:
                self._count(host, -len(host.line))
                found += host.line.clear()
                self._turns.arrange(host, self._clock())
        return found

    def ready(self) -> Item | None:
        """The next that may go now."""
        now = self._clock()
        address = self._turns.best(now)
        if address is None:
            return None
        host = self._turns.take(address)
        item = self._take(host, now)
        host.starting = True
        item.address = address
        self._out.add(item)
        return item

    def wake(self) -> float | None:
        """Seconds until something may go before anything ends; None if nothing will.

        0 if something is ready. A host that is due then may still find no room
        at its address.
        """
        now = self._clock()
        if self._turns.best(now) is not None:
            return 0.0
        due = self._turns.next_time()
        return None if due is None else due - now

    def began(self, item: Item, address: str = "") -> bool:
        """The request goes out now, to this address; empty if nobody knows it.

        If not True it must not go: the address has enough to do already, or the
        host has asked for a longer wait meanwhile. The item is back in its place.
        """
        if item not in self._out or item.started is not None:
            raise ContractError(f"Item {item!r} cannot begin: begin what ready() gave, once.")
        host, now = item.place, self._clock()
        host.starting = False
        if address and address != host.address.name:
            self._release(item)
            host.address = self._address(address)
            if host.address.has_room:
                host.address.taken += 1
                item.address = host.address
        if item.address is None or now < host.tempo.due:
            self._out.remove(item)
            self._release(item)
            self._put_back(item, now)
            self._turns.arrange(host, now)
            return False
        host.running += 1
        host.tempo.began(now)
        item.started = now
        if not item.errand and not item.counted:
            item.counted = True
            host.pages += 1
            self._drop_if_closed(host, now)
        self._turns.arrange(host, now)
        return True

    def ended(self, item: Item, outcome: Outcome) -> bool:
        """The request is over. True if it will be made again: then this is not its last word."""
        if item not in self._out:
            raise ContractError(f"Item {item!r} cannot end: end what ready() gave, once.")
        self._out.remove(item)
        host, now = item.place, self._clock()
        tempo, started = host.tempo, item.started
        self._release(item)
        if started is None:
            host.starting = False
        else:
            item.started = None
            host.running -= 1
            tempo.ended(now, outcome.seconds)
        if is_failure(outcome):
            tempo.failed(now, now if started is None else started, outcome, self._random)
            self._drop_if_closed(host, now)
        elif started is not None:
            tempo.worked()
        again = may_pass(outcome) and item.tries < self.pace.retries and not now < tempo.quarantine
        if again:
            item.tries += 1
            self._put_back(item, now)
        self._turns.arrange(host, now)
        return again

    def known(
        self, host: str, delay: float | None = None, lifetime: float = MAX_LIFETIME_SECONDS
    ) -> None:
        """A host's robots.txt is known for so long, and asks for this delay."""
        place, now = self._host(host), self._clock()
        place.robots_pending = False
        place.robots_until = now + lifetime
        place.tempo.asked = delay or 0.0
        self._turns.arrange(place, now)

    def dropped(self) -> list[Dropped]:
        """What will never be handed out, since this was last asked."""
        found, self._dropped = self._dropped, []
        return found

    def waits(self) -> Iterator[Wait]:
        """The hosts at which something waits, or that are in quarantine, for people to look at."""
        now = self._clock()
        for host in self._hosts.values():
            if host.waiting or now < host.tempo.quarantine:
                why, until = self._why(host, now)
                yield Wait(host.name, why, None if until is None else until - now, host.waiting)

    def state(self) -> dict[str, Any]:
        """What must survive a restart, as JSON can hold it.

        Of what waits it says only how much, because the crawl knows, and nobody's
        robots.txt is known afterwards.
        """
        now = self._clock()
        hosts = {}
        for host in self._hosts.values():
            tempo = host.tempo.state(now)
            if host.running:
                tempo["since"] = 0.0
            hosts[host.name] = {
                "tempo": tempo,
                "pages": host.pages,
                "address": host.address.name,
                "waiting": host.waiting,
            }
        return hosts

    def restore(self, state: dict[str, Any], away: float = 0.0) -> None:
        """Go on from a state that was taken so many seconds ago."""
        if self._hosts:
            raise UsageError("These hosts are in use: restore a state into new Scheduler.")
        now = self._clock()
        try:
            for name, saved in state.items():
                host = self._host(name)
                host.tempo.restore(saved["tempo"], now - max(away, 0.0))
                host.pages = int(saved["pages"])
                if saved["address"]:
                    host.address = self._address(saved["address"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UsageError("This is no state of hosts: give what state() gave.") from error

    def _next(self) -> int:
        self._order += 1
        return self._order

    def _errand(self) -> Key:
        return -inf, self._next() + _ERRANDS

    def _host(self, name: str) -> Host:
        host = self._hosts.get(name)
        if host is None:
            own = Address("", inf, next(self._serials))
            host = self._hosts[name] = Host(name, self.pace, own)
        return host

    def _address(self, name: str) -> Address:
        address = self._addresses.get(name)
        if address is None:
            address = Address(name, self.pace.per_address, next(self._serials))
            self._addresses[name] = address
        return address

    def _take(self, host: Host, now: float) -> Item:
        """What a host is to be asked first."""
        if host.front and host.front[0].errand:
            return heappop(host.front)
        if host.robots_until <= now:
            host.robots_pending = True
            return Item(host, ROBOTS, self._errand(), errand=True)
        self._count(host, -1)
        if host.front:
            return heappop(host.front)
        key, number = host.line.pop()
        return Item(host, number, key)

    def _release(self, item: Item) -> None:
        address, item.address = item.address, None
        if address is not None:
            self._turns.leave(address)

    def _put_back(self, item: Item, now: float) -> None:
        host = item.place
        heappush(host.front, item)
        if not item.errand:
            self._count(host, 1)
        self._drop_if_closed(host, now)

    def _closed(self, host: Host, now: float) -> Drop | None:
        if now < host.tempo.quarantine:
            return Drop.QUARANTINE
        most = self.pace.pages
        return Drop.PAGES if most is not None and host.pages >= most else None

    def _drop_if_closed(self, host: Host, now: float) -> None:
        """Report what waits for a host in vain; a page that counts already may be tried again."""
        reason = self._closed(host, now)
        if reason is None:
            return
        gone: list[Item] = []
        spared: list[Item] = []
        for item in host.front:
            spare = reason is Drop.PAGES and (item.errand or item.counted)
            (spared if spare else gone).append(item)
        host.front = spared
        heapify(spared)
        if any(item.is_robots for item in gone):
            host.robots_pending = False
        numbers = [item.number for item in sorted(gone) if not item.is_robots]
        numbers += host.line.clear()
        self._dropped += (Dropped(number, host.name, reason) for number in numbers)
        self._count(host, sum(not item.errand for item in spared) - host.waiting)

    def _count(self, host: Host, change: int) -> None:
        before, queue = host.waiting, self.pace.queue
        host.waiting = after = before + change
        self._waiting += change
        self._ahead += max(after - queue, 0) - max(before - queue, 0)

    def _why(self, host: Host, now: float) -> tuple[str, float | None]:
        tempo = host.tempo
        if now < tempo.quarantine:
            return "quarantine", tempo.quarantine
        if now < tempo.until:
            return f"back-off after {tempo.why}", tempo.due
        if host.robots_pending:
            return "robots pending", None
        if host.starting or host.running >= self.pace.per_host:
            return "busy", None
        if now < tempo.due:
            return "delay", tempo.due
        return ("ready" if host.address.has_room else "same address"), None
