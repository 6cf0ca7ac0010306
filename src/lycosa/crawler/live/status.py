"""The status of a live crawl, for displays and programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from lycosa.crawler.crawl import Crawl
from lycosa.crawler.live.progress import Notice, Progress, RunTotals
from lycosa.crawler.live.seed_failures import SeedFailure
from lycosa.crawler.live.seed_outcomes import SeedOutcomes
from lycosa.crawler.politeness.host_state import HostWait
from lycosa.crawler.politeness.scheduler import Scheduler
from lycosa.crawler.recall import Estimate, Recall

__all__ = ["HostWait", "Notice", "RunTotals", "SeedFailure", "Status"]

MAX_WAITS = 10
"""Hosts that wait, of which a status has the details."""


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
    fault_names: Mapping[str, int] = field(default_factory=dict)
    """The number of each fault, those of earlier runs included, the most frequent first."""
    totals: RunTotals = field(default_factory=RunTotals)
    """Runs, seconds, requests and bytes of all runs, this one included."""
    stored: int = 0
    """Steps of earlier runs that are read again before the first request."""
    replayed: int = 0
    """Of them, those that were read already."""
    notices: tuple[Notice, ...] = ()
    """What a person should know of the crawl."""
    failures: tuple[SeedFailure, ...] = ()
    """The start pages that gave nothing so far, with the cause of each."""
    gave_nothing: bool = False
    """Whether start pages failed, none gave a page, and no link was followed."""

    @classmethod
    def of(
        cls,
        crawl: Crawl,
        progress: Progress,
        recall: Recall,
        scheduler: Scheduler,
        seeds: SeedOutcomes,
        *,
        known: int,
        in_flight: int,
        seconds: float,
        reason: str | None,
    ) -> Self:
        """Return the status of a crawl that consists of these parts.

        `known` is the number of URLs it knows, `in_flight` that of its requests, and
        `seconds` how long it runs.
        """
        return cls(
            seconds=seconds,
            pages=crawl.pages,
            targets=crawl.found,
            faults=progress.faults,
            requests=progress.requests,
            rate=progress.rate.value,
            received=progress.received,
            known=known,
            waiting=crawl.waiting + scheduler.waiting,
            in_flight=in_flight,
            estimate=recall.estimate(),
            hosts=len(scheduler),
            waits=tuple(sorted(scheduler.waits(), key=lambda wait: -wait.urls)[:MAX_WAITS]),
            curve=progress.curve.points,
            reason=reason,
            fault_names=dict(progress.fault_names.most_common()),
            totals=progress.totals(seconds),
            stored=progress.stored,
            replayed=progress.replayed,
            notices=tuple(progress.notices.values()),
            failures=seeds.failures,
            gave_nothing=seeds.gave_nothing,
        )
