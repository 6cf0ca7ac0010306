"""Structure of the generated web beside that of the recorded sites, and the spiders on both.

`python -m bench.generated_web` measures the recorded departments and generated ones with the
same code and writes one table. `python -m bench.generated_web measure` prints the figures of
the generated departments as JSON: that is how those of the generated web before were obtained.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.page import SHARED, table, write
from bench.pairs import is_small
from lycosa import Site, World, open_site
from lycosa.lab.experiments import experiment
from lycosa.sites.graph import Graph

RECORDED = SHARED / "sites" / "departments"
GOAL = "papers"
SEED = 97
# About as many pages as the recorded sites have. The median of three departments differs from
# seed to seed by more than some of the distances that the table is to show.
DEPARTMENTS, PAGES = 24, 1_500
SPIDERS = ("depth-first", "keywords", "house")
MAX_PARSED = 300  # pages of a site whose anchors are read; of larger sites every k-th
MENU_SHARE = 0.03  # of the pages with links: what so many link to is in a menu
DOCUMENT_WORDS = frozenset("pdf ps postscript gz z dvi paper papers tr download".split())

Properties = dict[str, float]

BEFORE: Properties = {
    "links on a page, mean": 6.502,
    "links on a page, median": 5.0,
    "depth of all pages, mean": 4.759,
    "depth of papers, mean": 4.446,
    "papers, % of all URLs": 13.6,
    "pages that link to papers, %": 16.38,
    "papers on such a page, mean": 3.479,
    "paper links on the largest tenth of such pages, %": 39.288,
    "pages that link to one paper, mean": 2.979,
    "links that lead into menus, %": 41.011,
    "such words that lead to papers, %": 57.871,
    "anchors of papers of one or two words, %": 76.76,
    "integral of breadth-first": 0.549,
    "integral of optimal": 0.9096,
    "gap closed by depth-first": 0.595,
    "gap closed by keywords": 0.881,
    "gap closed by house": 0.891,
}
"""The medians of the generated web before: the commit bec0def, measured by this program."""


def properties(site: Site) -> Properties:
    """Return the measured properties of a site."""
    graph = Graph.of(site)
    wanted = np.zeros(len(graph), bool)
    wanted[site.wanted(GOAL)] = True
    degrees = np.diff(graph.offsets)
    linking = np.flatnonzero(degrees)
    depths = graph.distances(site.seeds)
    reached = depths >= 0
    sources = np.repeat(np.arange(len(graph)), degrees)
    to_papers = wanted[graph.targets]
    papers_on = np.bincount(sources[to_papers], minlength=len(graph))
    hubs = papers_on[papers_on > 0]
    incoming = np.bincount(graph.targets, minlength=len(graph))
    menu = incoming >= MENU_SHARE * len(linking)
    largest = np.sort(hubs)[::-1]
    ranked = np.cumsum(largest[: max(1, len(largest) // 10)])[-1]
    return {
        "links on a page, mean": float(degrees[linking].mean()),
        "links on a page, median": float(np.median(degrees[linking])),
        "depth of all pages, mean": float(depths[reached].mean()),
        "depth of papers, mean": float(depths[reached & wanted].mean()),
        "papers, % of all URLs": 100 * float(wanted[reached].mean()),
        "pages that link to papers, %": 100 * len(hubs) / len(linking),
        "papers on such a page, mean": float(hubs.mean()),
        "paper links on the largest tenth of such pages, %": 100 * float(ranked / hubs.sum()),
        "pages that link to one paper, mean": float(incoming[wanted & reached].mean()),
        "links that lead into menus, %": 100 * float(menu[graph.targets].mean()),
        **_anchors(site, linking, wanted),
    }


def _anchors(site: Site, linking: NDArray[Any], wanted: NDArray[Any]) -> Properties:
    """Return how well a word list recognises links to papers by their anchor and URL."""
    step = -(-len(linking) // MAX_PARSED)
    counts = {(paper, named): 0 for paper in (False, True) for named in (False, True)}
    short = 0
    for number in linking[::step].tolist():
        page = site.page(number)
        for place, target in enumerate(page.targets.tolist()):
            bags = page.link(place).bags
            words = {word for text in (*bags["anchor"], *bags["url"]) for word in text.split()}
            counts[bool(wanted[target]), bool(words & DOCUMENT_WORDS)] += 1
            short += bool(wanted[target]) and len(bags["anchor"]) <= 2
    papers = counts[True, True] + counts[True, False]
    named = counts[True, True] + counts[False, True]
    return {
        "such words that lead to papers, %": 100 * counts[True, True] / max(1, named),
        "anchors of papers of one or two words, %": 100 * short / papers,
    }


def gaps(sites: Sequence[Site], spiders: Sequence[str] = SPIDERS) -> dict[str, list[float]]:
    """Return the share of the gap that each policy closes on each site, without training."""
    runs = experiment(list(sites), GOAL, ["breadth-first", *spiders, "optimal"], train="none").runs
    found: dict[str, dict[str, float]] = {}
    for run in runs:
        found.setdefault(run.site, {})[run.spider] = run.integral
    ends = {name: [each[name] for each in found.values()] for name in ("breadth-first", "optimal")}
    result = {f"integral of {name}": values for name, values in ends.items()}
    for name in spiders:
        rows = zip((each[name] for each in found.values()), *ends.values(), strict=True)
        result[f"gap closed by {name}"] = [(own - low) / (high - low) for own, low, high in rows]
    return result


def generated() -> dict[str, list[float]]:
    """Return the properties of each generated department, and the gaps on it."""
    sites = World(SEED, departments=DEPARTMENTS, pages=PAGES).sites
    rows = [properties(site) for site in sites]
    return {name: [row[name] for row in rows] for name in rows[0]} | gaps(sites)


def recorded() -> dict[str, list[float]]:
    """Return the properties of each small recorded department, and the gap of depth-first."""
    sites = [open_site(path) for path in sorted(filter(is_small, RECORDED.iterdir()))]
    rows = [properties(site) for site in sites]
    return {name: [row[name] for row in rows] for name in rows[0]} | gaps(sites, ["depth-first"])


def report(real: dict[str, list[float]], now: dict[str, list[float]]) -> str:
    """Return the table of all properties, and a sentence about it."""
    rows = []
    for name, values in now.items():
        before, after = BEFORE[name], statistics.median(values)
        there = real.get(name)
        if there is None:
            rows.append([name, "-", "-", f"{before:.2f}", f"{after:.2f}", "-"])
            continue
        middle = statistics.median(there)
        closer = "yes" if abs(after - middle) < abs(before - middle) else "no"
        extent = f"{min(there):.2f} to {max(there):.2f}"
        rows.append([name, f"{middle:.2f}", extent, f"{before:.2f}", f"{after:.2f}", closer])
    text = (
        f"Medians of the small recorded departments and of {DEPARTMENTS} generated ones of "
        f"{PAGES:,} pages, seed {SEED}, which no parameter was chosen with. Before: sentences of "
        "random words, whole menus on every page, every paper on several lists. A menu is what "
        "3 % of the pages link to; a word that names a paper is one of "
        f"{', '.join(sorted(DOCUMENT_WORDS))} in the anchor or the URL. All policies start "
        "without training."
    )
    head = ["", "recorded", "from, to", "before", "generated", "closer"]
    return f"{text}\n\n{table(head, rows)}"


def main() -> None:
    """Measure, and write the part of the page."""
    if not RECORDED.is_dir():
        sys.exit(f"This benchmark reads the recorded sites at {RECORDED}, which is not there.")
    write("generated-web", "The generated web", report(recorded(), generated()))


if __name__ == "__main__":
    if sys.argv[1:] == ["measure"]:
        print(json.dumps(generated(), indent=1))
    else:
        main()
