"""How far a live crawl has come, for people and programs to look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lycosa.crawler.recall import Estimate


class Wait(NamedTuple):
    """A host that waits, why, for how long if that is known, and with how many URLs."""

    host: str
    why: str
    seconds: float | None
    urls: int


@dataclass(frozen=True, slots=True)
class Status:
    """A live crawl at one moment."""

    seconds: float
    """Since this run began."""
    pages: int
    """Answers and failures, those of earlier runs included."""
    targets: int
    """Of them, those that were wanted."""
    faults: int
    """Of them, those without an answer."""
    requests: int
    """Made in this run: also for robots.txt, after redirects, and again after failures."""
    rate: float
    """Requests a second, of late."""
    received: int
    """Bytes of bodies as they came over the wire, in this run."""
    known: int
    """URLs seen so far."""
    waiting: int
    """Of them, those that may still be asked for."""
    under_way: int
    """Requests that have no answer yet."""
    estimate: Estimate
    """The share of the targets that was found."""
    hosts: int
    """Hosts asked so far."""
    waits: tuple[Wait, ...]
    """Hosts at which something waits, those with most URLs first, at most ten."""
    curve: tuple[tuple[int, int], ...]
    """Pages and targets from the beginning to now, at most 64 points."""
    reason: str | None = None
    """Why it stopped; None while it runs."""
