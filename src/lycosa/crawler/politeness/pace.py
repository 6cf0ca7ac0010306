"""How often one host may be asked: its delay, its back-off, and when we give it up.

The wait after an answer grows with the time the answer took, as in Mercator
(Heydon & Najork 1999): a server that labours is asked less often, whatever we
were told to do. A host that fails is left alone for twice as long each time,
with some chance in it so that hosts that failed together do not come back
together, and after some failures in a row for a good while.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import inf, isfinite
from random import Random
from typing import Any, Protocol

from lycosa.crawler.http.faults import Fault
from lycosa.errors import UsageError

NOT_NOW = frozenset((429, 502, 503, 504))
"""Statuses by which a server says that it has too much to do."""
_TRANSIENT = frozenset(fault for fault in Fault if fault.transient)
# These will not pass, but they are the host's, and no other page of it fares better.
_HOSTS = frozenset((Fault.TLS, Fault.PRIVATE_ADDRESS, Fault.BAD_ANSWER))
_SMOOTH = 0.25  # the share of the newest answer in the smoothed response time
_DOUBLINGS = 64


class Outcome(Protocol):
    """What a request came to; a `Fetched` is one."""

    @property
    def status(self) -> int:
        """The answer's, or 0."""

    @property
    def fault(self) -> str | None:
        """The name of what went wrong."""

    @property
    def retry_after(self) -> float | None:
        """Seconds the server asks us to wait."""

    @property
    def seconds(self) -> float:
        """How long it took."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How polite a crawl is. All times are in seconds."""

    delay: float = 1.0
    """Least time between two requests to a host."""
    longest: float = 30.0
    """To what a Crawl-delay, or the slowness of a host, can raise the delay."""
    slowness: float = 2.0
    """How many times its smoothed response time a host is left alone."""
    per_host: int = 1
    """Requests under way at a host."""
    per_address: int = 1
    """Requests under way at an address, whichever hosts are there."""
    retries: int = 3
    """How often a URL is asked for again after a fault that may pass."""
    back_off: float = 5.0
    """The longest wait after a first failure; it doubles with each further one."""
    longest_back_off: float = 600.0
    """To what it can grow."""
    longest_retry_after: float = 3600.0
    """Most of a Retry-After that is honoured."""
    failures: int = 6
    """After so many in a row a host is given up for a while."""
    quarantine: float = 3600.0
    """That while."""
    pages: int | None = None
    """Most pages of a host."""
    queue: int = 8
    """URLs that may wait for a host before they count as taken ahead."""
    ahead: int = 4
    """So many times the number of hosts may wait beyond that, at all hosts together."""
    waiting: int = 20_000
    """URLs that may wait in all."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value, least = getattr(self, field.name), int(field.name != "retries")
            if field.type in ("int", "int | None"):
                good = value is None or value >= least
            else:
                good, least = isfinite(value) and value >= 0, 0
            if not good:
                raise UsageError(f"Pace.{field.name} is {value!r}: give {least} or more.")


def is_failure(outcome: Outcome) -> bool:
    """Whether it speaks against the host: no answer, or one that says "not now"."""
    return outcome.status in NOT_NOW or outcome.fault in _TRANSIENT or outcome.fault in _HOSTS


def may_pass(outcome: Outcome) -> bool:
    """Whether the same request may succeed later."""
    return outcome.status in NOT_NOW or outcome.fault in _TRANSIENT


class HostPace:
    """When one host may be asked next, from what it did before.

    >>> tempo = HostPace(Pace(delay=1.0))
    >>> tempo.began(100.0)
    >>> tempo.ended(100.5, 0.5)
    >>> tempo.due
    101.5
    >>> tempo.asked = 10.0
    >>> tempo.due
    110.5
    """

    __slots__ = (
        "_failed",
        "_pace",
        "_slow",
        "asked",
        "failures",
        "last",
        "quarantine",
        "until",
        "why",
    )

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._slow = 0.0
        self._failed = -inf
        self.asked = 0.0
        """Its Crawl-delay."""
        self.failures = 0
        """In a row."""
        self.last = -inf
        """From when the delay counts."""
        self.until = -inf
        """When the back-off ends."""
        self.why = ""
        """What the back-off is for: a status or a fault."""
        self.quarantine = -inf
        """When the quarantine ends."""

    @property
    def delay(self) -> float:
        """The present delay."""
        pace = self._pace
        wanted = max(self.asked, pace.slowness * self._slow)
        return max(pace.delay, min(wanted, pace.longest))

    @property
    def due(self) -> float:
        """When the host may be asked next."""
        return max(self.last + self.delay, self.until)

    def began(self, now: float) -> None:
        """A request goes out."""
        self.last = now

    def ended(self, now: float, seconds: float) -> None:
        """It is over, after so many seconds."""
        if self._pace.per_host == 1:
            self.last = now
        self._slow += (seconds - self._slow) * (_SMOOTH if self._slow else 1.0)

    def worked(self) -> None:
        """It came to something: the row of failures is over."""
        self.failures = 0

    def failed(self, now: float, started: float, outcome: Outcome, random: Random) -> None:
        """It came to nothing: back off, or give the host up.

        Requests that were under way together and fail together are one failure.
        A host that was given up has one chance after its quarantine.
        """
        pace = self._pace
        if started > self._failed:
            self.failures += 1
            if self.failures >= pace.failures:
                self.quarantine = now + pace.quarantine
        self._failed = now
        doubled = pace.back_off * 2.0 ** min(self.failures - 1, _DOUBLINGS)
        wait = min(doubled, pace.longest_back_off) * (1 + random.random()) / 2
        if outcome.status in NOT_NOW and outcome.retry_after is not None:
            wait = max(wait, min(outcome.retry_after, pace.longest_retry_after))
        if now + wait > self.until:
            self.until = now + wait
            self.why = outcome.fault or str(outcome.status)

    def state(self, now: float) -> dict[str, Any]:
        """All of it, with times as seconds before or after now."""
        return {
            "asked": self.asked,
            "slow": self._slow,
            "failures": self.failures,
            "since": None if self.last == -inf else now - self.last,
            "back-off": max(self.until - now, 0.0),
            "why": self.why,
            "quarantine": max(self.quarantine - now, 0.0),
        }

    def restore(self, state: dict[str, Any], now: float) -> None:
        """Take up again what `state` gave, as if it had been now."""
        self.asked = float(state["asked"])
        self._slow = float(state["slow"])
        self.failures = int(state["failures"])
        self.last = -inf if state["since"] is None else now - float(state["since"])
        self.until = now + float(state["back-off"])
        self.why = str(state["why"])
        self.quarantine = now + float(state["quarantine"])
