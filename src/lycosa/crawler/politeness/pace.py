"""The pace of requests to one host: delay, back-off and quarantine.

The delay after a response grows with the time the response took, as in Mercator
(Heydon & Najork 1999): a slow server gets fewer requests, whatever the
configured delay. After a failure the host is left alone for a back-off that
doubles each time, with jitter so that hosts that failed together do not return
together. After several failures in a row it is quarantined.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import inf, isfinite
from random import Random
from typing import Any, Protocol

from lycosa.crawler.http.faults import Fault
from lycosa.errors import UsageError

OVERLOADED = frozenset((429, 502, 503, 504))
"""Statuses by which a server says that it is overloaded."""
_TRANSIENT = frozenset(fault for fault in Fault if fault.transient)
# Permanent, but of the host, not of the page: every other page of the host would fail, too.
_HOST_FAULTS = frozenset((Fault.TLS, Fault.PRIVATE_ADDRESS, Fault.BAD_ANSWER))
_SMOOTHING = 0.25  # weight of the newest response in the smoothed response time
_MAX_DOUBLINGS = 64


class Outcome(Protocol):
    """The outcome of a request; a `Response` is one."""

    @property
    def status(self) -> int:
        """The status of the response, or 0."""

    @property
    def fault(self) -> str | None:
        """The fault, if there is no response."""

    @property
    def retry_after(self) -> float | None:
        """Seconds the server asks the client to wait."""

    @property
    def seconds(self) -> float:
        """The duration of the request."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The politeness of a crawl. All times are in seconds."""

    delay: float = 1.0
    """Minimum time between two requests to a host."""
    max_delay: float = 30.0
    """Maximum to which a Crawl-delay, or slow responses, can raise the delay."""
    slowness: float = 2.0
    """The delay is at least this many times the smoothed response time."""
    per_host: int = 1
    """Maximum requests in flight at a host."""
    per_address: int = 1
    """Maximum requests in flight at an address, whichever hosts are there."""
    address_delay: float = 0.0
    """Minimum time between two requests to an address, whichever hosts are there."""
    retries: int = 3
    """Maximum retries of a URL after transient faults."""
    back_off: float = 5.0
    """Maximum back-off after a first failure; it doubles with each further one."""
    max_back_off: float = 600.0
    """Maximum back-off after any number of failures."""
    max_retry_after: float = 3600.0
    """Maximum Retry-After that is honoured."""
    failures: int = 6
    """Failures in a row after which a host is quarantined."""
    quarantine: float = 3600.0
    """Duration of a quarantine."""
    pages: int | None = None
    """Maximum pages of a host; None: no limit."""
    queue: int = 8
    """URLs that may wait for a host before they count as prefetched."""
    ahead: int = 4
    """Maximum prefetched URLs at all hosts together, as a multiple of the number of hosts."""
    waiting: int = 20_000
    """Maximum URLs that wait, at all hosts together."""

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
    """Return whether an outcome counts against the host: no response, or one of overload."""
    return (
        outcome.status in OVERLOADED or outcome.fault in _TRANSIENT or outcome.fault in _HOST_FAULTS
    )


def is_transient(outcome: Outcome) -> bool:
    """Return whether the same request may succeed later."""
    return outcome.status in OVERLOADED or outcome.fault in _TRANSIENT


class HostPace:
    """Computes when one host is due, from the outcomes of earlier requests.

    `pace` has the settings, which all hosts of a crawl share.

    >>> host = HostPace(Pace(delay=1.0))
    >>> host.request_started(100.0)
    >>> host.request_ended(100.5, 0.5)
    >>> host.due
    101.5
    >>> host.crawl_delay = 10.0
    >>> host.due
    110.5
    """

    __slots__ = (
        "_last_failure",
        "_pace",
        "_response_time",
        "back_off_reason",
        "back_off_until",
        "crawl_delay",
        "failures",
        "last_request",
        "quarantine_until",
        "retry_after_until",
    )

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._response_time = 0.0  # smoothed
        self._last_failure = -inf
        self.crawl_delay = 0.0
        """The Crawl-delay of its robots.txt."""
        self.failures = 0
        """Failures in a row."""
        self.last_request = -inf
        """The time from which the delay counts."""
        self.back_off_until = -inf
        self.back_off_reason = ""
        """The status or fault that caused the back-off."""
        self.quarantine_until = -inf
        self.retry_after_until = -inf
        """Until when the host itself has asked to be left alone."""

    @property
    def delay(self) -> float:
        """The present delay."""
        pace = self._pace
        wanted = max(self.crawl_delay, pace.slowness * self._response_time)
        return max(pace.delay, min(wanted, pace.max_delay))

    @property
    def due(self) -> float:
        """When the host may be asked next."""
        return max(self.last_request + self.delay, self.back_off_until)

    def request_started(self, now: float) -> None:
        """Record the start of a request."""
        self.last_request = now

    def request_ended(self, now: float, seconds: float) -> None:
        """Record the end of a request and its duration."""
        if self._pace.per_host == 1:
            self.last_request = now
        weight = _SMOOTHING if self._response_time else 1.0
        self._response_time += (seconds - self._response_time) * weight

    def succeeded(self) -> None:
        """Record a success: it ends the row of failures."""
        self.failures = 0

    def failed(self, now: float, started: float, outcome: Outcome, random: Random) -> None:
        """Record a failure: back off, or quarantine the host.

        Requests that were in flight together and fail together are one failure.
        After a quarantine one more failure is enough for the next.
        """
        pace = self._pace
        if started > self._last_failure:
            self.failures += 1
            if self.failures >= pace.failures:
                self.quarantine_until = now + pace.quarantine
        self._last_failure = now
        if outcome.fault == Fault.PRIVATE_ADDRESS:
            return  # no request was sent, so there is nobody to spare
        doubled = pace.back_off * 2.0 ** min(self.failures - 1, _MAX_DOUBLINGS)
        wait = min(doubled, pace.max_back_off) * (1 + random.random()) / 2
        if outcome.status in OVERLOADED and outcome.retry_after is not None:
            asked = min(outcome.retry_after, pace.max_retry_after)
            self.retry_after_until = max(self.retry_after_until, now + asked)
            wait = max(wait, asked)
        if now + wait > self.back_off_until:
            self.back_off_until = now + wait
            self.back_off_reason = outcome.fault or str(outcome.status)

    def snapshot(self, now: float) -> dict[str, Any]:
        """Return the state for JSON, with times relative to now."""
        return {
            "asked": self.crawl_delay,
            "slow": self._response_time,
            "failures": self.failures,
            "since": None if self.last_request == -inf else now - self.last_request,
            "back-off": max(self.back_off_until - now, 0.0),
            "why": self.back_off_reason,
            "quarantine": max(self.quarantine_until - now, 0.0),
            "retry-after": max(self.retry_after_until - now, 0.0),
        }

    def restore(self, state: dict[str, Any], now: float) -> None:
        """Take over a state that `snapshot` returned, as if it had been taken now."""
        self.crawl_delay = float(state["asked"])
        self._response_time = float(state["slow"])
        self.failures = int(state["failures"])
        self.last_request = -inf if state["since"] is None else now - float(state["since"])
        self.back_off_until = now + float(state["back-off"])
        self.back_off_reason = str(state["why"])
        self.quarantine_until = now + float(state["quarantine"])
        self.retry_after_until = now + float(state.get("retry-after", 0.0))


def without_failures(state: dict[str, Any]) -> dict[str, Any]:
    """Return a snapshot of a pace without its failures; a Retry-After of the host stays.

    >>> state = HostPace(Pace()).snapshot(0.0) | {"failures": 6, "quarantine": 3600.0}
    >>> without_failures(state)["quarantine"]
    0.0
    """
    back_off = min(state["back-off"], state.get("retry-after", 0.0))
    return state | {"failures": 0, "quarantine": 0.0, "back-off": back_off}
