"""Results of an experiment: the runs, and a summary over sites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import stdev
from typing import Any

from lycosa.lab.measures import (
    PERCENTS,
    gap_closed,
    integral,
    interval,
    links_followed,
    requests_to,
)


@dataclass(frozen=True)
class Run:
    """One crawl of one site by one spider.

    * `pages`, `targets`: the URLs and targets that breadth-first reaches;
    * `hits`: the numbers of the requests that found targets, which is the whole recall curve;
    * `requests`: the number of requests, and `reason` why the run ended;
    * `seed`: None for breadth-first and Optimal, the ends of the scale; they run once;
    * `seconds`: the time the run took, which does not count in comparisons.
    """

    site: str
    goal: str
    spider: str
    seed: int | None
    pages: int
    targets: int
    hits: tuple[int, ...] = field(repr=False)
    requests: int
    reason: str
    seconds: float = field(compare=False)

    @cached_property
    def integral(self) -> float:
        """Area under the recall curve."""
        return integral(self.hits, self.targets, self.pages)

    @property
    def requests_to(self) -> dict[str, int | None]:
        """Requests to 25, 50, 75 and 90 % of the targets."""
        return {str(p): requests_to(p, self.hits, self.targets) for p in PERCENTS}

    @property
    def links_followed(self) -> float:
        """Share of the links that were followed before the first target."""
        return links_followed(self.hits, self.pages)


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures of one spider over all sites; a site with several seeds counts with their mean."""

    spider: str
    sites: int
    """The number of sites."""
    gap_closed: float | None
    """Share of the gap between breadth-first and Optimal; None if they do not differ."""
    interval: tuple[float, float] | None
    """The 95 % bootstrap interval of `gap_closed` over sites; None without a value."""
    spread: float | None
    """The standard deviation of `gap_closed` over seeds; None with a single seed."""
    integral: float
    """Mean area under the recall curve, from 0 to 1."""
    links_followed: float
    """Mean share of the links that were followed before the first target."""


class Results:
    """The runs of an experiment, in the order of sites and `spiders`.

    `runs` must include those of breadth-first and Optimal on every site; they are shown only
    if `spiders` names them.
    """

    def __init__(self, runs: Sequence[Run], spiders: Sequence[str]) -> None:
        self._reference = {(run.site, run.spider): run.integral for run in runs if run.seed is None}
        places = {spider: place for place, spider in enumerate(spiders)}
        self.spiders = tuple(spiders)
        self.sites = tuple(dict.fromkeys(run.site for run in runs))
        shown = [run for run in runs if run.spider in places]
        site_places = {site: place for place, site in enumerate(self.sites)}
        self.runs = sorted(shown, key=lambda run: (site_places[run.site], places[run.spider]))

    @property
    def several_seeds(self) -> bool:
        """Whether runs of one spider on one site differ by their seed."""
        return len({run.seed for run in self.runs} - {None}) > 1

    def gap_closed(self, run: Run) -> float | None:
        """Return the share of the gap between breadth-first and Optimal that a run closes."""
        return gap_closed(run.integral, *self._ends(run.site))

    def _ends(self, site: str) -> tuple[float, float]:
        return self._reference[site, "breadth-first"], self._reference[site, "optimal"]

    @cached_property
    def summary(self) -> list[Summary]:
        """Summary of every spider over all sites."""
        return [self._summary(spider) for spider in self.spiders]

    def _summary(self, spider: str) -> Summary:
        lows, highs = zip(*map(self._ends, self.sites), strict=True)
        values, shares = [], []
        for site in self.sites:
            runs = [run for run in self.runs if (run.site, run.spider) == (site, spider)]
            values.append(sum(run.integral for run in runs) / len(runs))
            shares.append(sum(run.links_followed for run in runs) / len(runs))
        return Summary(
            spider=spider,
            sites=len(values),
            gap_closed=gap_closed(values, lows, highs),
            interval=interval(values, lows, highs),
            spread=self._spread(spider),
            integral=sum(values) / len(values),
            links_followed=sum(shares) / len(shares),
        )

    def _spread(self, spider: str) -> float | None:
        """Return the standard deviation of the gap closed over seeds."""
        by_seed: dict[int | None, list[Run]] = {}
        for run in self.runs:
            if run.spider == spider:
                by_seed.setdefault(run.seed, []).append(run)
        found = []
        for runs in by_seed.values():
            lows, highs = zip(*(self._ends(run.site) for run in runs), strict=True)
            found.append(gap_closed([run.integral for run in runs], lows, highs))
        gaps = [gap for gap in found if gap is not None]
        return stdev(gaps) if len(gaps) > 1 else None

    def to_json(self) -> dict[str, Any]:
        """Return the object that `lycosa bench --json` writes."""
        return {
            "runs": [
                {
                    "site": run.site,
                    "goal": run.goal,
                    "spider": run.spider,
                    "seed": run.seed,
                    "pages": run.pages,
                    "targets": run.targets,
                    "requests_to": run.requests_to,
                    "integral": run.integral,
                    "gap_closed": self.gap_closed(run),
                    "links_followed": run.links_followed,
                    "requests": run.requests,
                    "reason": run.reason,
                    "seconds": round(run.seconds, 6),
                }
                for run in self.runs
            ],
            "summary": [
                {
                    "spider": row.spider,
                    "sites": row.sites,
                    "gap_closed": row.gap_closed,
                    "interval": list(row.interval or (None, None)),
                    "spread": row.spread,
                    "integral": row.integral,
                    "links_followed": row.links_followed,
                }
                for row in self.summary
            ],
        }
