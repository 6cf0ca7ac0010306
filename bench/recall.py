"""Evaluation of the recall estimator: the intervals of `lycosa.crawler.recall`.

Every site is judged by coefficients learned on all the others. The last table
has those learned on all sites, which is what the package ships.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

import numpy as np
from sklearn.linear_model import QuantileRegressor

from bench import page
from lycosa.core import Budget, Site, Step
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.recall import (
    COEFFICIENTS,
    QUANTILES,
    Coefficients,
    Recall,
    RecallEvidence,
    estimate,
)
from lycosa.goals import Listed
from lycosa.sites import open_site
from lycosa.sites.generated import World
from lycosa.spiders import Setup, spider

FAMILIES = ("departments", "organisations")
SPIDERS = ("breadth-first", "random", "depth-first", "rl-future")
PERCENT = range(5, 100, 5)
LEARNED_FROM = 10  # per cent of the crawl: before that, no two crawls are alike
SHOWN = (20, 50, 80)
LARGE = 10_000  # URLs; larger sites teach no spider here, to save time
WORLD = World(seed=11, departments=6, organisations=6, pages=1500)
MISS = 2 / 0.1  # the price of a miss in the interval score of a 90 % interval


class Rivals:
    """Alternative evidence of missing targets, not used by the estimator."""

    def __init__(self, size: int) -> None:
        self._links = np.zeros(size, np.int64)
        self._hits: list[int] = []
        self._turns: list[int] = []
        self._n = 0

    def observe(self, step: Step) -> None:
        """Count links to targets, and when they were found."""
        self._n += 1
        self._links[step.page.targets] += 1
        if step.reward > 0:
            self._hits.append(step.page.number)
            self._turns.append(self._n)

    def rows(self, evidence: RecallEvidence) -> dict[str, float]:
        """Return the estimates of missing targets, as the log of missing to found."""
        found, n = len(self._hits), self._n
        links = self._links[self._hits]
        once, twice = int((links <= 1).sum()), int((links == 2).sum())
        turns = np.array(self._turns)
        recent = float(((turns / n) ** 3).sum() / ((np.arange(1, n + 1) / n) ** 3).sum())
        end = n + evidence.waiting / (1 - min(evidence.growth, 0.8))
        missing = {
            "Chao1": once * (once - 1) / (2 * (twice + 1)),
            "rate": recent * evidence.waiting,
            "curve": _hyperbola(n, found, int((turns <= n / 2).sum()), end),
        }
        return {k: float(np.log((m + 0.5) / (found + 0.5))) for k, m in missing.items()}


def _hyperbola(n: int, found: int, half: int, end: float) -> float:
    """Extrapolate n / found, linear in n, to the remaining pages."""
    now, then = n / max(found, 0.5), n / 2 / max(half, 0.5)
    slope = max((now - then) / (n / 2), 1e-9)
    return max(end / (max(now - slope * n, 0.0) + slope * end) - found, 0.0)


@dataclass(frozen=True)
class Case:
    """One crawl at one moment, with the true recall."""

    site: str
    family: str
    goal: str
    spider: str
    percent: int
    targets: int
    evidence: RecallEvidence
    rivals: dict[str, float]

    @property
    def recall(self) -> float:
        """Share of the targets that was found."""
        return self.evidence.found / self.targets

    @property
    def odds(self) -> float:
        """The quantity to be estimated: the log of missing to found."""
        found = self.evidence.found
        return float(np.log((self.targets - found + 0.5) / (found + 0.5)))


Row: TypeAlias = Callable[[Case], Sequence[float]]
Interval: TypeAlias = tuple[float, float, float]


def _whole(case: Case) -> Sequence[float]:
    return case.evidence.row()


def _part(*columns: int) -> Row:
    return lambda case: [case.evidence.row()[k] for k in (0, *columns)]


def _rival(name: str) -> Row:
    return lambda case: [1.0, case.rivals[name]]


METHODS: dict[str, Row] = {
    "Chao1 on links to targets": _rival("Chao1"),
    "two captures": _part(3),
    "hyperbola through the discovery curve": _rival("curve"),
    "recent hit rate times links that wait": _rival("rate"),
    "frontier by page and kind": _part(1),
    "frontier and growth": _part(1, 2),
    "frontier, growth and two captures": _whole,
}


def crawl(job: tuple[tuple[Path, ...], int]) -> tuple[list[Case], float, int]:
    """Run all spiders and goals on one site; return also seconds of `observe` and pages."""
    folders, k = job
    sites = [open_site(folder) for folder in folders]
    site = sites.pop(k)
    cases: list[Case] = []
    seconds, pages = 0.0, 0
    for goal in site.goals:
        training = [other for other in sites if goal in other.goals and len(other) < LARGE]
        for name in SPIDERS:
            steps, waiting = _steps(site, goal, name, training)
            began = time.perf_counter()
            recall = Recall()
            for step, left in zip(steps, waiting, strict=True):
                recall.observe(step, left)
            seconds += time.perf_counter() - began
            pages += len(steps)
            cases += _cases(site, goal, name, steps, waiting)
    return cases, seconds, pages


def _steps(
    site: Site, goal: str, name: str, training: Sequence[Site]
) -> tuple[list[Step], list[int]]:
    policy = spider(name)(Setup(site, goal, training=training))
    run = Crawl(policy, Listed.of(site, goal), Budget(), site.seeds)
    steps, waiting = [], []
    while (number := run.next()) is not None:
        steps.append(run.tell(site.page(number)))
        waiting.append(run.waiting)
    return steps, waiting


def _cases(
    site: Site, goal: str, name: str, steps: Sequence[Step], waiting: Sequence[int]
) -> Iterable[Case]:
    targets = sum(step.reward > 0 for step in steps)
    stops = {len(steps) * percent // 100: percent for percent in PERCENT}
    recall, rivals = Recall(), Rivals(len(site))
    for n, (step, left) in enumerate(zip(steps, waiting, strict=True), 1):
        recall.observe(step, left)
        rivals.observe(step)
        if n in stops:
            seen = recall.evidence()
            others = rivals.rows(seen)
            yield Case(site.name, site.family, goal, name, stops[n], targets, seen, others)


def learn(cases: Sequence[Case], row: Row = _whole) -> Coefficients:
    """Return the fitted coefficients of each quantile."""
    use = [c for c in cases if c.evidence.found and c.evidence.waiting]
    use = [c for c in use if c.percent >= LEARNED_FROM]
    rows = np.array([row(c) for c in use])
    odds = np.array([c.odds for c in use])
    lines = []
    for quantile in QUANTILES:
        model = QuantileRegressor(quantile=quantile, alpha=0, fit_intercept=False, solver="highs")
        lines.append(tuple(model.fit(rows, odds).coef_.tolist()))
    return tuple(lines)


def left_out(
    cases: Sequence[Case], row: Row = _whole, by: Callable[[Case], str] = lambda c: c.site
) -> list[Interval]:
    """Return low, share and high of every case, by coefficients of other sites (or `by`)."""
    lines = {g: learn([c for c in cases if by(c) != g], row) for g in {by(c) for c in cases}}
    return [_interval(case, row(case), lines[by(case)]) for case in cases]


def _interval(case: Case, row: Sequence[float], lines: Coefficients) -> Interval:
    evidence = case.evidence
    if evidence.found and evidence.waiting:
        guess = estimate(evidence.found, row, lines)
    else:
        guess = evidence.estimate(COEFFICIENTS)
    return guess.low, guess.share, guess.high


def judge(cases: Sequence[Case], intervals: Sequence[Interval]) -> list[str]:
    """Return cases, coverage, mean width, interval score, mean error of the share."""
    low, share, high = np.array(intervals).T
    truth = np.array([c.recall for c in cases])
    inside = (truth >= low - 1e-9) & (truth <= high + 1e-9)
    outside = np.maximum(low - truth, 0) + np.maximum(truth - high, 0)
    score = high - low + MISS * outside
    figures = (high - low, score, np.abs(share - truth))
    return [str(len(cases)), f"{inside.mean():.0%}", *(f"{x.mean():.2f}" for x in figures)]


HEAD = ("cases", "covered", "width", "score", "error")


def rows_by(
    cases: Sequence[Case], intervals: Sequence[Interval], by: Callable[[Case], str]
) -> list[list[str]]:
    """Return for each group the cases, and coverage and width at the shown moments."""
    rows = []
    for group in sorted({by(c) for c in cases}):
        cells: list[str] = []
        count = 0
        for percent in SHOWN:
            some = [k for k, c in enumerate(cases) if by(c) == group and c.percent == percent]
            count += len(some)
            found = judge([cases[k] for k in some], [intervals[k] for k in some]) if some else None
            cells.append(f"{found[1]} / {found[2]}" if found else "-")
        rows.append([group, str(count), *cells])
    return rows


def stops(
    cases: Sequence[Case], intervals: Sequence[Interval], wanted: float, bound: int
) -> list[str]:
    """Evaluate stopping each crawl as soon as a bound reaches the wanted recall."""
    crawls: dict[tuple[str, ...], list[tuple[int, bool, float]]] = {}
    for case, interval in zip(cases, intervals, strict=True):
        key = (case.site, case.goal, case.spider)
        enough = interval[bound] >= wanted
        crawls.setdefault(key, []).append((case.percent, enough, case.recall))
    firsts = [next((m for m in sorted(each) if m[1]), None) for each in crawls.values()]
    early = [first for first in firsts if first]
    kept = np.array([recall for *_, recall in early])
    return [
        f"{len(early)} of {len(crawls)}",
        f"{np.median([percent for percent, *_ in early]):.0f} %",
        f"{kept.mean():.0%}",
        f"{np.percentile(kept, 10):.0%}",
        f"{np.mean(kept >= wanted):.0%}",
    ]


def main() -> None:
    """Crawl, fit, evaluate and write the page."""
    families = [sorted((page.SHARED / "sites" / f).iterdir()) for f in FAMILIES]
    jobs = [(tuple(family), k) for family in families for k in range(len(family))]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        done = list(pool.map(crawl, jobs))
    cases = [case for found, _, _ in done for case in found]
    cost = sum(seconds for _, seconds, _ in done) / sum(pages for *_, pages in done)
    page.write("recall", "Estimated recall", "\n\n".join([*body(cases, cost), *elsewhere()]))


def elsewhere() -> Iterable[str]:
    """Evaluate the shipped coefficients on sites outside the training set."""
    cases: list[Case] = []
    for site in WORLD.sites:
        for goal in site.goals:
            for name in SPIDERS[:3]:
                cases += _cases(site, goal, name, *_steps(site, goal, name, ()))
    cases = [c for c in cases if c.percent in SHOWN and c.evidence.found]
    guesses = [case.evidence.estimate(COEFFICIENTS) for case in cases]
    intervals = [(guess.low, guess.share, guess.high) for guess in guesses]
    covered, width = judge(cases, intervals)[1:3]
    yield (
        f"The shipped coefficients on {len(WORLD.sites)} generated sites of {WORLD.pages} pages, "
        f"of which they know nothing: covered {covered}, width {width}. Covered / width by goal:"
    )
    columns = [f"{percent} %" for percent in SHOWN]
    yield page.table(("goal", "cases", *columns), rows_by(cases, intervals, _attribute("goal")))


def body(cases: Sequence[Case], cost: float) -> Iterable[str]:
    """Return the parts of the page."""
    unknown = sum(c.percent in SHOWN and not c.evidence.found for c in cases)
    cases = [c for c in cases if c.evidence.found]
    mine = left_out(cases)
    shown = [k for k, c in enumerate(cases) if c.percent in SHOWN]
    some, found = [cases[k] for k in shown], [mine[k] for k in shown]
    departments = [k for k, c in enumerate(cases) if c.family == "departments"]
    yield (
        f"{len({(c.site, c.goal) for c in cases})} pairs of site and goal, spiders "
        f"{', '.join(SPIDERS)}, at {', '.join(map(str, SHOWN))} % of the pages within reach. Every "
        f"site is judged by coefficients learned on the other sites. {unknown} cases where nothing "
        "had been found, and the interval is 0 to 1, are left out. Covered: the true share lies in "
        "the interval, which is meant to happen in 90 % of the cases. Width and error are shares, "
        "too. Score: width plus 20 times the distance of the truth from the interval (Gneiting and "
        f"Raftery 2007), the lower the better. `observe` took {1e6 * cost:.0f} microseconds a page."
    )
    rows = []
    for family in FAMILIES:
        for percent in SHOWN:
            group = [k for k, c in enumerate(some) if (c.family, c.percent) == (family, percent)]
            figures = judge([some[k] for k in group], [found[k] for k in group])
            rows.append([family, f"{percent} %", *figures])
    rows.append(["all", "all", *judge(some, found)])
    yield page.table(("family", "pages", *HEAD), rows)
    columns = [f"{percent} %" for percent in SHOWN]
    yield "Covered / width, by spider, goal and site:"
    for name in ("spider", "goal", "site"):
        table = rows_by(some, found, _attribute(name))
        yield page.table((name, "cases", *columns), table)
    yield "What each kind of evidence is worth alone, departments only, learned in the same way:"
    rows = []
    for name, row in METHODS.items():
        intervals = mine if row is _whole else left_out(cases, row)
        use = [k for k in departments if cases[k].percent in SHOWN]
        rows.append([name, *judge([cases[k] for k in use], [intervals[k] for k in use])])
    yield page.table(("evidence", *HEAD), rows)
    yield (
        "How far it carries: the same with a whole goal, or a spider, left out of learning "
        "(covered / width):"
    )
    for name in ("goal", "spider"):
        by = _attribute(name)
        intervals = left_out(cases, by=by)
        table = rows_by(some, [intervals[k] for k in shown], by)
        yield page.table((f"{name} left out", "cases", *columns), table)
    yield (
        "As a rule to stop, departments, looked at every 5 % of the pages: how many crawls stop "
        "before 100 %; of these the median of the pages fetched, the mean recall, the recall that "
        "nine of ten exceed, and how many have what was wanted:"
    )
    rows = []
    for wanted in (0.5, 0.8, 0.9):
        for bound, name in ((0, "low"), (1, "share")):
            figures = stops(
                [cases[k] for k in departments], [mine[k] for k in departments], wanted, bound
            )
            rows.append([f"{name} >= {wanted:g}", *figures])
    head = ("stop when", "stop early", "pages", "mean recall", "9 of 10 above", "enough")
    yield page.table(head, rows)
    lines = learn(cases)
    apart = np.abs(np.array(lines) - np.array(COEFFICIENTS)).max()
    yield (
        "Coefficients learned on all sites; those in `lycosa.crawler.recall` differ by at most "
        f"{apart:.3f}:"
    )
    rows = [
        [f"{q:.0%}", *(f"{c:.3f}" for c in line)] for q, line in zip(QUANTILES, lines, strict=True)
    ]
    yield page.table(("quantile", "constant", "frontier", "growth", "two captures"), rows)


def _attribute(name: str) -> Callable[[Case], str]:
    return lambda case: str(getattr(case, name))


if __name__ == "__main__":
    main()
