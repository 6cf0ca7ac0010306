"""Discrete-event simulation of a cluster that crawls a web of aggregates.

Events are deaths and returns of workers and the ends of leases: at each of them shards are
assigned anew by `lycosa.cluster.shards.assign`. Between two events everything flows: an address
gives one page in its delay, a worker at most what its CPU allows, shared by the addresses that
want something, and all workers together at most what PostgreSQL takes. The flow is advanced in
intervals in which little changes.

What limits the crawl is recorded with every interval:

- `politeness`: all addresses that are known are asked as often as they may be;
- `workers`: some worker has more to do than it can, and PostgreSQL has time;
- `postgresql`: PostgreSQL is busy.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.cluster.shards import assign, shard_of_slot
from lycosa.cluster.simulation.costs import ClusterCosts
from lycosa.cluster.simulation.web import SimulatedWeb

MAX_INTERVAL: Final = 120.0
MIN_INTERVAL: Final = 1.0
INTERVAL_GROWTH: Final = 0.01
"""An interval is at most this share of the time that has passed: the beginning is fast."""
ENOUGH: Final = 0.99
"""Share of the URLs that can be fetched at which the simulation ends."""

Limit = Literal["politeness", "workers", "postgresql"]
_LIMITED_SHARE = 0.95  # of what would be possible; above it nothing is limited


class Interval(NamedTuple):
    """What happened in one interval."""

    start: float
    seconds: float
    pages: float
    """Fetched in all, at its end."""
    rate: float
    """Pages a second."""
    busy_workers: float
    """Workers' CPU that was used, as a share."""
    postgres: float
    """Cores that PostgreSQL used."""
    limit: Limit


@dataclass
class SimulationResult:
    """The intervals of a simulation, and its sums."""

    workers: int
    shards: int
    reachable: int
    """URLs at addresses that answer."""
    intervals: list[Interval] = field(default_factory=list)
    deaths: int = 0
    moves: int = 0
    """Shards that went to another worker."""
    largest_shard: float = 1.0
    """URLs of the largest shard, of the mean of all."""
    idle_workers: int = 0
    """Workers without a shard."""

    def seconds_to(self, share: float) -> float | None:
        """Return when that share of the reachable URLs was fetched; None if never."""
        for each in self.intervals:
            if each.pages >= share * self.reachable:
                return each.start + each.seconds
        return None

    def rate_to(self, share: float) -> float:
        """Return the mean pages a second until that share was fetched."""
        seconds = self.seconds_to(share)
        return 0.0 if seconds is None else share * self.reachable / seconds

    @property
    def peak(self) -> float:
        """The most pages a second."""
        return max((each.rate for each in self.intervals), default=0.0)

    @property
    def postgres_peak(self) -> float:
        """The most cores that PostgreSQL used."""
        return max((each.postgres for each in self.intervals), default=0.0)

    def limits(self, share: float = ENOUGH) -> dict[str, float]:
        """Return the share of the pages that were fetched under each limit, up to a share."""
        found: Counter[str] = Counter()
        for each in self.intervals:
            found[each.limit] += each.rate * each.seconds  # type: ignore[assignment]
            if each.pages >= share * self.reachable:
                break
        total = sum(found.values()) or 1
        return {limit: amount / total for limit, amount in found.most_common()}


class ClusterSimulation:
    """A cluster that crawls a web.

    Parameters
    ----------
    web
        The addresses.
    workers
        How many workers there are, when all live.
    costs
        What everything costs.
    seed
        Determines when workers die.
    shards
        Shards of the crawl; by default one for each slot of the web.
    """

    def __init__(
        self,
        web: SimulatedWeb,
        workers: int,
        costs: ClusterCosts,
        *,
        seed: int = 0,
        shards: int | None = None,
    ) -> None:
        self._web = web
        self._costs = costs
        self._chance = np.random.default_rng(seed)
        self.shards = shards or web.slot_count
        table = [shard_of_slot(slot, self.shards, web.slot_count) for slot in range(web.slot_count)]
        self._shard_of = np.array(table)[web.slots]
        self._left = np.where(np.isinf(web.delays), 0.0, web.sizes.astype(np.float64))
        self.fetched = np.zeros(len(web))
        """Pages that were fetched of each address."""
        self._names = {number: f"worker-{number}" for number in range(workers)}
        self._born = workers
        self._dead: dict[int, list[str]] = {}  # whose leases are not over
        self._owners: dict[int, str | None] = {}
        self._ready = np.zeros(self.shards)  # when a shard works at its owner
        self._now = 0.0
        self._events: list[tuple[float, int, str, int]] = []
        self._order = 0
        sizes = np.bincount(self._shard_of, web.sizes, self.shards)
        self.result = SimulationResult(
            workers,
            self.shards,
            int(self._left.sum()),
            largest_shard=float(sizes.max() / sizes.mean()),
            idle_workers=max(workers - self.shards, 0),
        )

    def run(self, max_seconds: float = 365 * 86_400.0) -> SimulationResult:
        """Simulate until almost everything is fetched."""
        self._assign(first=True)
        for number in self._names:
            self._schedule_death(number)
        done = 0.0
        while done < ENOUGH * self.result.reachable and self._now < max_seconds:
            longest = max(MIN_INTERVAL, min(MAX_INTERVAL, INTERVAL_GROWTH * self._now))
            until = self._now + longest
            if self._events and self._events[0][0] <= until:
                until = self._events[0][0]
            done = self._flow(max(until - self._now, 0.0), done)
            self._now = until
            while self._events and self._events[0][0] <= self._now:
                self._handle(*heapq.heappop(self._events)[2:])
        return self.result

    # Events

    def _schedule(self, seconds: float, kind: str, number: int) -> None:
        self._order += 1  # events of one moment keep their order
        heapq.heappush(self._events, (self._now + seconds, self._order, kind, number))

    def _schedule_death(self, number: int) -> None:
        self._schedule(float(self._chance.exponential(self._costs.mean_life)), "death", number)

    def _handle(self, kind: str, number: int) -> None:
        match kind:
            case "death":
                self.result.deaths += 1
                name = self._names.pop(number)
                self._dead.setdefault(number, []).append(name)
                # Nobody knows yet: its shards stand still until their leases are over.
                for shard, owner in self._owners.items():
                    if owner == name:
                        self._ready[shard] = np.inf
                self._schedule(self._costs.lease, "lease", number)
                self._schedule(self._costs.restart, "return", number)
            case "return":
                self._names[number] = f"worker-{self._born}"  # an actor that is new to all
                self._born += 1
                self._schedule_death(number)
            case "lease":
                self._dead[number].pop(0)
                self._assign()

    def _assign(self, *, first: bool = False) -> None:
        """Give every shard its owner, as the workers of a real cluster would."""
        unknown = [name for names in self._dead.values() for name in names]
        wanted = assign(self.shards, [*self._names.values(), *unknown], self._owners)
        for shard, owner in wanted.items():
            if self._owners.get(shard) != owner:
                # What a dead worker would get stands still until its lease is over, too.
                begins = np.inf if owner in unknown else self._now + self._costs.takeover
                self._ready[shard] = 0.0 if first else begins
                self.result.moves += not first
        self._owners = dict(wanted)

    # Flow

    def _flow(self, seconds: float, done: float) -> float:
        """Fetch for some seconds; return the pages of all."""
        if not seconds:
            return done
        known = int(np.searchsorted(self._web.found_after, done, side="right"))
        shard_of, left = self._shard_of[:known], self._left[:known]
        # What the addresses would give: a page a delay, as long as they have pages.
        wanted = np.minimum(seconds / self._web.delays[:known], left)
        wanted *= (self._ready <= self._now)[shard_of]
        workers, members = self._workers()
        demand = np.bincount(shard_of, wanted, self.shards)
        per_worker = np.bincount(members, demand, workers)
        capacity = self._costs.worker_rate * seconds
        share = np.minimum(1.0, capacity / np.maximum(per_worker, 1e-12))
        allowed = float((per_worker * share).sum())
        living = len(self._names)  # those without shards look for some
        accepted = min(1.0, self._costs.postgres_rate(living) * seconds / max(allowed, 1e-12))
        got = wanted * (share * accepted)[members][shard_of]
        left -= got
        self.fetched[:known] += got
        pages = float(got.sum())
        self.result.intervals.append(
            Interval(
                self._now,
                seconds,
                done + pages,
                pages / seconds,
                pages / max(capacity * living, 1e-12),
                self._costs.postgres_load(pages / seconds, living),
                _limit(float(per_worker.sum()), allowed, accepted),
            )
        )
        return done + pages

    def _workers(self) -> tuple[int, NDArray[np.int64]]:
        """Return the number of workers with shards, and the worker of each shard."""
        numbers: dict[str | None, int] = {}
        members = [
            numbers.setdefault(self._owners.get(shard), len(numbers))
            for shard in range(self.shards)
        ]
        return len(numbers), np.array(members)


def _limit(wanted: float, allowed: float, accepted: float) -> Limit:
    if accepted < _LIMITED_SHARE:
        return "postgresql"
    return "workers" if allowed < _LIMITED_SHARE * wanted else "politeness"
