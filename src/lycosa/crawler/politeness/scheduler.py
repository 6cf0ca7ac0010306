"""The scheduler: which of the URLs that the crawl gave out may be requested now.

A state machine that reads the time from a clock and does no input or output.
Of the URLs that are allowed now, the one with the best score goes first, of
equal ones the one that was offered first; the others wait in the queue of their
host. A request costs a few heap operations, however many URLs wait.

>>> now = 0.0
>>> scheduler = Scheduler(lambda: now, Pace(delay=2.0))
>>> scheduler.offer(7, "a.example")
>>> robots = scheduler.ready()  # precedes all URLs of a host
>>> robots, scheduler.start(robots, "192.0.2.1"), scheduler.ready()
(<robots.txt of a.example>, True, None)
>>> from lycosa.crawler.http.response import Response
>>> from datetime import UTC, datetime
>>> response = Response("http://a.example/robots.txt", datetime.now(UTC), 404, seconds=0.1)
>>> scheduler.finish(robots, response)
False
>>> scheduler.set_robots("a.example")
>>> scheduler.ready(), scheduler.seconds_until_ready()
(None, 2.0)
>>> list(scheduler.waits())
[HostWait(host='a.example', why='delay', seconds=2.0, urls=1)]
>>> now = 2.0
>>> scheduler.ready()
<7 of a.example>
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf
from random import Random
from typing import Any

from lycosa.crawler.politeness.host_queue import HostQueue
from lycosa.crawler.politeness.host_state import (
    ROBOTS,
    Address,
    DroppedUrl,
    DropReason,
    Host,
    HostWait,
    Key,
    ScheduledRequest,
)
from lycosa.crawler.politeness.pace import Outcome, Pace, is_failure, is_transient
from lycosa.errors import ContractError, UsageError
from lycosa.web.robots import MAX_LIFETIME_SECONDS

__all__ = [
    "ROBOTS",
    "DropReason",
    "DroppedUrl",
    "HostWait",
    "Outcome",
    "Pace",
    "ScheduledRequest",
    "Scheduler",
]

_log = logging.getLogger("lycosa.crawler")

_INTERNAL_ORDER = -(1 << 62)  # added to the order of internal requests: they precede all URLs


class Scheduler:
    """Schedules the requests to all hosts of a crawl.

    `docs/explanation/politeness.md` has the rules. A request that `ready`
    returns must be followed by `start`, just before it is sent, and by
    `finish`; by `finish` alone if it is not sent after all.

    `clock` returns seconds, `pace` configures the politeness, and `seed` that
    of the jitter in back-offs.
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
        self._queue = HostQueue(pace.per_host, pace.address_delay)
        self._serials = count()
        self._order = 0
        self._out: set[ScheduledRequest] = set()
        self._dropped: list[DroppedUrl] = []
        self._waiting = 0
        self._prefetched = 0

    def __len__(self) -> int:
        return len(self._hosts)

    @property
    def waiting(self) -> int:
        """The number of URLs that wait."""
        return self._waiting

    @property
    def in_flight(self) -> int:
        """The number of requests that were handed out and have not finished."""
        return len(self._out)

    def offer(self, number: int, host: str, score: float = 0.0, *, internal: bool = False) -> None:
        """Add a URL that the crawl gave out, with its score.

        An `internal` request, such as the next hop of a robots.txt, precedes all
        URLs, needs no robots.txt and is not counted as a page.
        """
        state = self._host(host)
        now = self._clock()
        reason = self._closed(state, now)
        if reason is DropReason.QUARANTINE or (reason is not None and not internal):
            self._dropped.append(DroppedUrl(number, host, reason))
        elif internal:
            request = ScheduledRequest(state, number, self._internal_key(), internal=True)
            heappush(state.front, request)
            self._queue.update(state, now)
        else:
            state.queue.add((-score, self._next_order()), number)
            self._count(state, 1)
            if state.queue.first[1] == self._order:  # it is the first now
                self._queue.update(state, now)

    def wants(self, score: float = -inf) -> bool:
        """Return whether to take another URL of this score from the crawl.

        It does not if too many wait already, nor if one as good may go now.
        """
        pace = self.pace
        max_prefetched = pace.ahead * max(len(self._hosts), 1)
        if self._waiting >= pace.waiting or self._prefetched >= max_prefetched:
            return False
        address = self._queue.best_address(self._clock())
        first = address.first() if address is not None else None
        return first is None or -first[0] < score

    def withdraw(self) -> list[int]:
        """Remove and return all URLs that wait and were never handed out."""
        found: list[int] = []
        for host in self._hosts.values():
            if host.queue:
                self._count(host, -len(host.queue))
                found += host.queue.clear()
                self._queue.update(host, self._clock())
        return found

    def ready(self) -> ScheduledRequest | None:
        """Return the next request that is allowed now; None if there is none."""
        now = self._clock()
        address = self._queue.best_address(now)
        if address is None:
            return None
        host = self._queue.pop(address)
        request = self._take(host, now)
        host.starting = True
        request.address = address
        self._out.add(request)
        return request

    def seconds_until_ready(self) -> float | None:
        """Return the seconds until a request is allowed if none finishes; None if none will be.

        0 if one is ready. A host that is due then may still find no room at its
        address.
        """
        now = self._clock()
        if self._queue.best_address(now) is not None:
            return 0.0
        due = self._queue.next_due()
        return None if due is None else due - now

    def start(self, request: ScheduledRequest, address: str = "") -> bool:
        """Record that a request is sent now, to this address; empty if it is unknown.

        If the result is False, the request must not be sent: the address has no
        room, or the host got a longer wait meanwhile. The request waits again.
        """
        if request not in self._out or request.started is not None:
            raise ContractError(f"Request {request!r} cannot start: start what ready() gave, once.")
        host, now = request.state, self._clock()
        host.starting = False
        self._queue.end_delays(now)
        if address and address != host.address.name:
            self._release(request)
            host.address = self._address(address)
            if host.address.has_room:
                host.address.in_flight += 1
                request.address = host.address
        if request.address is None or now < host.pace.due or host.address.due is not None:
            self._out.remove(request)
            self._release(request)
            self._put_back(request, now)
            self._queue.update(host, now)
            return False
        host.in_flight += 1
        host.pace.request_started(now)
        self._queue.delay(host.address, now)
        request.started = now
        if not request.internal and not request.counted:
            request.counted = True
            host.pages += 1
            self._drop_if_closed(host, now)
        self._queue.update(host, now)
        return True

    def finish(self, request: ScheduledRequest, outcome: Outcome) -> bool:
        """Record the outcome of a request. True if it will be retried: ignore the outcome then."""
        if request not in self._out:
            raise ContractError(
                f"Request {request!r} cannot finish: finish what ready() gave, once."
            )
        self._out.remove(request)
        host, now = request.state, self._clock()
        pace, started = host.pace, request.started
        self._release(request)
        if started is None:
            host.starting = False
        else:
            request.started = None
            host.in_flight -= 1
            pace.request_ended(now, outcome.seconds)
        if is_failure(outcome):
            pace.failed(now, now if started is None else started, outcome, self._random)
            wait = max(pace.back_off_until, pace.quarantine_until) - now
            _log.info("%s failed: %s; it waits %.1f s", host.name, pace.back_off_reason, wait)
            self._drop_if_closed(host, now)
        elif started is not None:
            pace.succeeded()
        may_retry = request.failures < self.pace.retries and not now < pace.quarantine_until
        retry = is_transient(outcome) and may_retry
        if retry:
            request.failures += 1
            self._put_back(request, now)
        self._queue.update(host, now)
        return retry

    def set_robots(
        self, host: str, delay: float | None = None, lifetime: float = MAX_LIFETIME_SECONDS
    ) -> None:
        """Record that a host's robots.txt is known for `lifetime` seconds, and its Crawl-delay."""
        state, now = self._host(host), self._clock()
        state.robots_pending = False
        state.robots_expiry = now + lifetime
        state.pace.crawl_delay = delay or 0.0
        self._queue.update(state, now)

    def take_dropped(self) -> list[DroppedUrl]:
        """Remove and return the URLs that were dropped since the last call."""
        dropped, self._dropped = self._dropped, []
        return dropped

    def waits(self) -> Iterator[HostWait]:
        """Yield the hosts at which URLs wait, or that are quarantined."""
        now = self._clock()
        self._queue.end_delays(now)
        for host in self._hosts.values():
            if host.waiting or now < host.pace.quarantine_until:
                why, until = self._reason(host, now)
                yield HostWait(host.name, why, None if until is None else until - now, host.waiting)

    def snapshot(self) -> dict[str, Any]:
        """Return the state that must survive a restart, for JSON.

        Of the URLs that wait it has only the number: the crawl knows them. Which
        robots.txt files are known is left to their cache.
        """
        now = self._clock()
        hosts = {}
        for host in self._hosts.values():
            pace = host.pace.snapshot(now)
            if host.in_flight:
                pace["since"] = 0.0
            hosts[host.name] = {
                "tempo": pace,
                "pages": host.pages,
                "address": host.address.name,
                "waiting": host.waiting,
            }
        return hosts

    def restore(self, state: dict[str, Any], away: float = 0.0) -> None:
        """Take over a state that `snapshot` returned `away` seconds ago."""
        if self._hosts:
            raise UsageError("This scheduler is in use: restore a state into a new Scheduler.")
        now = self._clock()
        try:
            for name, saved in state.items():
                host = self._host(name)
                host.pace.restore(saved["tempo"], now - max(away, 0.0))
                host.pages = int(saved["pages"])
                if saved["address"]:
                    host.address = self._address(saved["address"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UsageError(
                "This is not the state of a scheduler: give what snapshot() returned."
            ) from error

    def _next_order(self) -> int:
        self._order += 1
        return self._order

    def _internal_key(self) -> Key:
        return -inf, self._next_order() + _INTERNAL_ORDER

    def _host(self, name: str) -> Host:
        host = self._hosts.get(name)
        if host is None:
            unknown = Address("", inf, next(self._serials))
            host = self._hosts[name] = Host(name, self.pace, unknown)
        return host

    def _address(self, name: str) -> Address:
        address = self._addresses.get(name)
        if address is None:
            serial = next(self._serials)
            address = self._addresses[name] = Address(name, self.pace.per_address, serial)
        return address

    def _take(self, host: Host, now: float) -> ScheduledRequest:
        """Remove and return the first request of a host; its robots.txt if that has expired."""
        if host.front and host.front[0].internal:
            return heappop(host.front)
        if host.robots_expiry <= now:
            host.robots_pending = True
            return ScheduledRequest(host, ROBOTS, self._internal_key(), internal=True)
        self._count(host, -1)
        if host.front:
            return heappop(host.front)
        key, number = host.queue.pop()
        return ScheduledRequest(host, number, key)

    def _release(self, request: ScheduledRequest) -> None:
        address, request.address = request.address, None
        if address is not None:
            self._queue.release(address)

    def _put_back(self, request: ScheduledRequest, now: float) -> None:
        host = request.state
        heappush(host.front, request)
        if not request.internal:
            self._count(host, 1)
        self._drop_if_closed(host, now)

    def _closed(self, host: Host, now: float) -> DropReason | None:
        if now < host.pace.quarantine_until:
            return DropReason.QUARANTINE
        max_pages = self.pace.pages
        return DropReason.PAGES if max_pages is not None and host.pages >= max_pages else None

    def _drop_if_closed(self, host: Host, now: float) -> None:
        """Drop the URLs of a closed host, except retries of pages that are counted already."""
        reason = self._closed(host, now)
        if reason is None:
            return
        dropped: list[ScheduledRequest] = []
        spared: list[ScheduledRequest] = []
        for request in host.front:
            spare = reason is DropReason.PAGES and (request.internal or request.counted)
            (spared if spare else dropped).append(request)
        host.front = spared
        heapify(spared)
        if any(request.is_robots for request in dropped):
            host.robots_pending = False
        numbers = [request.number for request in sorted(dropped) if not request.is_robots]
        numbers += host.queue.clear()
        self._dropped += (DroppedUrl(number, host.name, reason) for number in numbers)
        self._count(host, sum(not request.internal for request in spared) - host.waiting)

    def _count(self, host: Host, change: int) -> None:
        before, queue = host.waiting, self.pace.queue
        host.waiting = after = before + change
        self._waiting += change
        self._prefetched += max(after - queue, 0) - max(before - queue, 0)

    def _reason(self, host: Host, now: float) -> tuple[str, float | None]:
        """Return why a host waits, and until when if that is known."""
        pace = host.pace
        if now < pace.quarantine_until:
            return "quarantine", pace.quarantine_until
        if now < pace.back_off_until:
            return f"back-off after {pace.back_off_reason}", pace.due
        if host.robots_pending:
            return "robots pending", None
        if host.starting or host.in_flight >= self.pace.per_host:
            return "busy", None
        if now < pace.due:
            return "delay", pace.due
        return ("ready" if host.address.has_room else "same address"), host.address.due
