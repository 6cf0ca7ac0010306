"""Evaluation of the recall estimator: the intervals of `lycosa.crawler.recall`.

Every family of sites is judged by coefficients learned on the other families, and once
more every site by those learned on all other sites. The last table has the coefficients
learned on all sites, which is what the package ships.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from bench import page
from bench.recall_cases import (
    BLIND,
    FAMILIES,
    GENERATED,
    HOUSE,
    OTHERS,
    Case,
    SiteCases,
    crawl_site,
    jobs,
)
from bench.recall_fit import Columns, Floats, Group, intervals, learn_shifted, left_out
from lycosa.crawler.recall import COEFFICIENTS, MAX_KNOWN_WIDTH, QUANTILES

SPIDERS = (HOUSE, *BLIND, *OTHERS)
SHOWN = (20, 50, 80)
STOPS = (0.5, 0.8, 0.9)
MISS = 2 / 0.1  # the price of a miss in the interval score of a 90 % interval
NAMES = ("constant", "frontier", "growth", "two captures", "untried share", "skill", "untried")
METHODS: dict[str, Columns] = {
    "two captures": (0, 3),
    "frontier": (0, 1),
    "frontier, growth and two captures": (0, 1, 2, 3),
    "with untried links": (0, 1, 2, 3, 4, 6),
    "with the skill of the order": (0, 1, 2, 3, 5),
    "all": None,
}


def judge(cases: Sequence[Case], found: Floats) -> list[str]:
    """Return cases, coverage, misses below, mean width, interval score, error of the share."""
    low, share, high = found.T
    truth = np.array([case.recall for case in cases])
    under, over = truth < low - 1e-9, truth > high + 1e-9
    outside = np.maximum(low - truth, 0) + np.maximum(truth - high, 0)
    figures = (high - low, high - low + MISS * outside, np.abs(share - truth))
    shares = (1 - (under | over).mean(), under.mean())
    return [
        str(len(cases)),
        *(f"{x:.0%}" for x in shares),
        *(f"{x.mean():.2f}" for x in figures),
    ]


HEAD = ("cases", "covered", "truth below", "width", "score", "error")


def rows_by(cases: Sequence[Case], found: Floats, by: Group) -> list[list[str]]:
    """Return for each group the crawls, and coverage and width at the shown moments."""
    rows = []
    for group in sorted({by(case) for case in cases}):
        cells: list[str] = []
        crawls = {_crawl(case) for case in cases if by(case) == group}
        for percent in SHOWN:
            some = [k for k, c in enumerate(cases) if by(c) == group and c.percent == percent]
            figures = judge([cases[k] for k in some], found[some]) if some else None
            cells.append(f"{figures[1]} / {figures[3]}" if figures else "-")
        rows.append([group, str(len(crawls)), *cells])
    return rows


def stops(cases: Sequence[Case], found: Floats, wanted: float, bound: int) -> list[str]:
    """Evaluate stopping each crawl as soon as a bound reaches the wanted recall."""
    firsts: dict[tuple[str, ...], tuple[int, float]] = {}
    order = sorted(range(len(cases)), key=lambda k: cases[k].percent)
    for k in order:
        if found[k, bound] >= wanted:
            firsts.setdefault(_crawl(cases[k]), (cases[k].percent, cases[k].recall))
    crawls = len({_crawl(case) for case in cases})
    if not firsts:
        return [f"0 of {crawls}", "-", "-", "-"]
    percent, kept = np.array(list(firsts.values())).T
    return [
        f"{len(firsts)} of {crawls}",
        f"{np.median(percent):.0f} %",
        f"{kept.mean():.0%}",
        f"{np.mean(kept >= wanted):.0%}",
    ]


def _crawl(case: Case) -> tuple[str, ...]:
    return case.site, case.goal, case.spider


def _group(name: str) -> Group:
    return lambda case: str(getattr(case, name))


def main() -> None:
    """Crawl, fit, evaluate and write the page."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        done = list(pool.map(crawl_site, jobs()))
    page.write("recall", "Estimated recall", "\n\n".join(body(done)))


def body(done: Sequence[SiteCases]) -> Iterator[str]:
    """Yield the parts of the page."""
    every = [case for found in done for case in found.cases]
    cost = sum(found.seconds for found in done) / sum(found.pages for found in done)
    cases = [c for c in every if c.evidence.found and c.evidence.waiting]
    unknown = sum(c.percent in SHOWN and not c.evidence.found for c in every)
    spiders = [name for name in SPIDERS if any(case.spider == name for case in cases)]
    yield (
        f"{len({(c.site, c.goal) for c in cases})} pairs of site and goal on "
        f"{len({c.site for c in cases})} sites, of which "
        f"{len({(c.site, c.goal) for c in cases if c.is_recorded})} pairs are recorded goals and "
        "the others pages with a certain word; "
        f"{len({_crawl(c) for c in cases})} crawls by {', '.join(f'`{s}`' for s in spiders)}. "
        f"{unknown} cases where nothing had been found are left out. Covered: the true share lies "
        "in the interval, which is meant to happen in 90 % of the cases. Width and error are "
        "shares, too. Score: width plus 20 times the distance of the truth from the interval "
        "(Gneiting and Raftery 2007), the lower the better. "
        f"`observe` with an estimate at every 5 % took {1e6 * cost:.0f} microseconds a page."
    )
    found = intervals(cases, left_out(cases, _group("family")))
    yield "### Families left out"
    yield "Every family of sites is judged by coefficients learned on the other families."
    yield from _accuracy(cases, found)
    yield from _stopping(cases, found)
    yield "### Sites left out"
    yield "Every site is judged by coefficients learned on all other sites (covered / width):"
    alone = intervals(cases, left_out(cases, _group("site")))
    columns = [f"{percent} %" for percent in SHOWN]
    for name in ("spider", "site"):
        yield page.table((name, "crawls", *columns), rows_by(cases, alone, _group(name)))
    yield "### Kinds of evidence"
    yield "Families left out, at the shown moments, with some of the evidence only:"
    shown = [k for k, c in enumerate(cases) if c.percent in SHOWN]
    some = [cases[k] for k in shown]
    rows = []
    for name, chosen in METHODS.items():
        lines = left_out(cases, _group("family"), columns=chosen)
        part = intervals(cases, lines, chosen)[shown]
        rows.append([name, *judge(some, part)])
    yield page.table(("evidence", *HEAD), rows)
    yield "A whole spider left out (covered / width):"
    others = intervals(cases, left_out(cases, _group("spider")))
    yield page.table(("spider", "crawls", *columns), rows_by(cases, others, _group("spider")))
    lines = learn_shifted(cases)
    apart = np.abs(np.array(lines) - np.array(COEFFICIENTS)).max()
    yield (
        "Coefficients learned on all sites; those in `lycosa.crawler.recall` differ by at most "
        f"{apart:.3f}:"
    )
    table = [
        [f"{q:.0%}", *(f"{c:.3f}" for c in line)] for q, line in zip(QUANTILES, lines, strict=True)
    ]
    yield page.table(("quantile", *NAMES), table)


def _accuracy(cases: Sequence[Case], found: Floats) -> Iterator[str]:
    """Yield coverage and width by spider and family."""
    rows = []
    for recorded in (True, False):
        for name in SPIDERS:
            for percent in SHOWN:
                some = [
                    k
                    for k, c in enumerate(cases)
                    if (c.spider, c.percent) == (name, percent) and (c.is_recorded or not recorded)
                ]
                if some and not (recorded and name not in (HOUSE, BLIND[0])):
                    goals = "recorded" if recorded else "all"
                    figures = judge([cases[k] for k in some], found[some])
                    rows.append([f"`{name}`", goals, f"{percent} %", *figures])
    yield page.table(("spider", "goals", "pages", *HEAD), rows)
    wide = (found[:, 2] - found[:, 0] > MAX_KNOWN_WIDTH)[[c.percent in SHOWN for c in cases]]
    yield (
        f"In {wide.mean():.0%} of the cases at these moments the interval is wider than "
        f"{MAX_KNOWN_WIDTH:g}, and the share is printed as not known. By family left out, "
        f"`{HOUSE}` and `{BLIND[0]}` (covered / width):"
    )
    columns = [f"{percent} %" for percent in SHOWN]
    for name in (HOUSE, BLIND[0]):
        use = [k for k, c in enumerate(cases) if c.spider == name]
        table = rows_by([cases[k] for k in use], found[use], _group("family"))
        order = {family: k for k, family in enumerate((*FAMILIES, GENERATED))}
        table.sort(key=lambda row: order[row[0]])
        yield page.table((f"`{name}`", "crawls", *columns), table)


def _stopping(cases: Sequence[Case], found: Floats) -> Iterator[str]:
    """Yield the stop rules."""
    yield (
        "As a rule to stop, looked at every 5 % of the pages: how many crawls stop before "
        "100 %; of these the median of the pages fetched, the mean recall, and how many have what "
        "was wanted:"
    )
    rows = []
    for name in SPIDERS:
        use = [k for k, c in enumerate(cases) if c.spider == name]
        if not use:
            continue
        for wanted in STOPS:
            figures = stops([cases[k] for k in use], found[use], wanted, 0)
            rows.append([f"`{name}`", f"low >= {wanted:g}", *figures])
        rows.append(
            [
                f"`{name}`",
                f"likely >= {STOPS[-1]:g}",
                *stops([cases[k] for k in use], found[use], STOPS[-1], 1),
            ]
        )
    yield page.table(("spider", "stop when", "stop early", "pages", "mean recall", "enough"), rows)


if __name__ == "__main__":
    main()
