"""The gain of `wary` on a site with traps, and its cost on sites without."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import page
from bench.trapped import Trapped
from lycosa.core import Budget, Policy, Site
from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.lab.measures import gap_closed, integral, requests_to
from lycosa.sites import open_site
from lycosa.sites.generated import World
from lycosa.spiders import Setup, spider
from lycosa.spiders.traps import Duplicates, Wary

GOAL = "papers"
SPIDERS = ("breadth-first", "depth-first", "keywords", "yield(combined)")
PAGES = 2000
BUDGET = 8000
LARGE = "uci-ics"


@dataclass(frozen=True)
class Result:
    """One crawl."""

    hits: Sequence[int]
    pages: int
    seconds: float


def crawl(site: Site, policy: Policy, pages: int | None = None, targets: int = -1) -> Result:
    """Run a policy until it has found all targets, or for so many pages."""
    hits: list[int] = []
    n = 0
    began = time.perf_counter()
    for step in simulate(site, policy, Listed.of(site, GOAL), Budget(pages=pages)):
        n = step.n
        if step.reward > 0:
            hits.append(n)
            if len(hits) == targets:
                break
    return Result(hits, n, time.perf_counter() - began)


def plain(site: Site, name: str) -> Policy:
    """Return the policy without trap detection."""
    return spider(name)(Setup(site, GOAL))


def trapped() -> Iterable[str]:
    """Yield the results with and without trap detection on an endless site."""
    department = World(seed=11, departments=1, pages=PAGES).department(0)
    rows = []
    shapes = ""
    for name in SPIDERS:
        for wary in (False, True):
            site = Trapped(department)
            policy = plain(site, name)
            guarded = Wary(policy)
            done = crawl(site, guarded if wary else policy, BUDGET)
            targets = len(site.wanted(GOAL))
            firsts = [requests_to(percent, done.hits, targets) for percent in (50, 90)]
            rows.append(
                [
                    guarded.name if wary else name,
                    *(first or "-" for first in firsts),
                    f"{len(done.hits) / targets:.0%}",
                ]
            )
            if wary:
                shapes = "\n".join(map(str, list(guarded.deferred_shapes())[:12]))
    yield (
        f"A generated department of {PAGES:,} pages with {targets} papers, and an endless "
        "calendar, paths that grow, a wiki that answers 200 to every request, a mirror, and a "
        f"quarter of all links with a session id. {BUDGET:,} requests; the requests to 50 and 90 % "
        "of the papers, and the share found in the end:"
    )
    yield page.table(("spider", "50 %", "90 %", "found"), rows)
    yield f"Shapes deferred by `wary({name})`, most links first:\n\n```text\n{shapes}\n```"


def recorded() -> Iterable[str]:
    """Yield the results with and without trap detection on sites with few traps."""
    rows = []
    cost = ""
    for folder in sorted((page.SHARED / "sites" / "departments").iterdir()):
        site = open_site(folder)
        low = crawl(site, plain(site, "breadth-first"))
        targets = len(low.hits)
        high = crawl(site, plain(site, "optimal"), targets=targets)
        bounds = [integral(run.hits, targets, low.pages) for run in (low, high)]
        for name in SPIDERS:
            guarded = Wary(plain(site, name))
            runs = [crawl(site, p, targets=targets) for p in (plain(site, name), guarded)]
            gaps = [gap_closed(integral(r.hits, targets, low.pages), *bounds) for r in runs]
            deferred = sum(1 for _ in guarded.deferred_shapes())
            rows.append([site.name, name, *(f"{gap:.3f}" for gap in gaps), deferred])
        if site.name == LARGE:
            cost = _cost(site, folder)
    yield "Gap closed for papers on the recorded departments, and the number of deferred shapes:"
    yield page.table(("site", "spider", "without", "with", "deferred"), rows)
    yield cost


def _cost(site: Site, folder: Path) -> str:
    """Return time per page and memory, breadth-first, with the files cached."""
    before = crawl(site, plain(site, "breadth-first"))
    guarded = Wary(plain(site, "breadth-first"))
    after = crawl(site, guarded)
    copies, targets = _copies(site)
    return (
        f"On {folder.name}, {after.pages:,} pages of {len(site):,} URLs, breadth-first takes "
        f"{1e6 * before.seconds / before.pages:.0f} microseconds a page, and with `wary` "
        f"{1e6 * after.seconds / after.pages:.0f}, the reading of the words included. Its arrays "
        f"take {guarded.nbytes / len(site):.0f} bytes a URL. Of the pages with words {copies:,} "
        f"repeat another; {targets} of them are papers."
    )


def _copies(site: Site) -> tuple[int, int]:
    """Return the number of pages classified as duplicates, and of targets among them."""
    seen = Duplicates()
    pages = (site.page(number) for number in range(len(site)))
    found = [p.number for p in pages if p.status < 400 and seen.add(p) is not None]
    return len(found), len(set(found).intersection(site.wanted(GOAL).tolist()))


def main() -> None:
    """Run all crawls and write the results."""
    page.write("traps", "Traps", "\n\n".join([*trapped(), *recorded()]))


if __name__ == "__main__":
    main()
