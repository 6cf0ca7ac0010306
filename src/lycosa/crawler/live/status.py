"""The status of a live crawl, for displays and programs."""

from __future__ import annotations

from dataclasses import dataclass

from lycosa.crawler.politeness.host_state import HostWait
from lycosa.crawler.recall import Estimate

__all__ = ["HostWait", "Status"]


@dataclass(frozen=True, slots=True)
class Status:
    """The status of a live crawl at one moment."""

    seconds: float
    """Since the start of this run."""
    pages: int
    """Responses and faults, those of earlier runs included."""
    targets: int
    """Of them, targets."""
    faults: int
    """Of them, faults."""
    requests: int
    """Requests of this run, those for robots.txt, redirects and retries included."""
    rate: float
    """Recent requests per second."""
    received: int
    """Bytes of bodies on the wire, in this run."""
    known: int
    """URLs known so far."""
    waiting: int
    """Of them, those that wait to be requested."""
    in_flight: int
    """Requests without a response yet."""
    estimate: Estimate
    """The estimated share of the targets that was found."""
    hosts: int
    """Hosts known to the scheduler."""
    waits: tuple[HostWait, ...]
    """Hosts at which URLs wait, those with most URLs first, at most ten."""
    curve: tuple[tuple[int, int], ...]
    """Pages and targets from the start to now, at most 64 points."""
    reason: str | None = None
    """Why it ended; None while it runs."""
