"""The default policy against all others: trained, untrained, without each part, and its cost.

`python -m bench.house` measures and writes everything; with names of parts (warm, cold,
ablations, cost, pairs, taught-pairs) only those. `bench.house_pairs` measures
some of the pairs in minutes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from bench import house_pairs
from bench.compared import LOW, MAX_CRAWL_SECONDS, Comparison, Row, run_row
from bench.house_cost import UCI, cost
from bench.page import SHARED, table, write
from bench.pairs import find_pairs
from bench.seeds import DEPARTMENTS, WEBKB
from lycosa.lab.experiments import Train
from lycosa.sites import find_sites
from lycosa.spiders.default.named import PARTS
from lycosa.spiders.registry import published_names

HOUSE = "house"
ORGANISATIONS = SHARED / "sites" / "organisations"
GOALS = ("papers", "courses", "faculty", "projects")
LARGE, OFFICERS = "papers, uci-ics", "officers"
WANTED: Mapping[Train, Mapping[str, float]] = {
    "others": {"papers": 0.8, "courses": 0.78, "faculty": 0.78, "projects": 0.8, LARGE: 0.75},
    "none": {"papers": 0.65, "courses": 0.5, "faculty": 0.3, "projects": 0.4, LARGE: 0.7},
}
MAX_LINKS_RATIO = 0.5  # links before the first target, to those of the best seed method
MAX_LOSS = 0.02  # of the integral, against breadth-first

SEED_METHODS = "rl-immediate", "rl-future", "rl-distance", "yield(combined)", "keywords"
TRAINED = (
    "rl-immediate", "rl-future", "rl-distance", "rl(svm, related, immediate)",
    "rl(svm, placed, future)",
    "change-policy(rl(svm, related, immediate), rl(nb, related, future), at=auto)",
    "context-graph",
)  # fmt: skip
UNTRAINED = (
    "depth-first", "random", "keywords", "front-advancement", "minimal-distance",
    "sum-of-distances", "yield(partial)", "yield(generalised, ridge)", "yield(combined)",
    *(name for name in published_names() if name != "context-graph"),
)  # fmt: skip
LARGE_TRAINED = "rl-immediate", "rl-future", "rl-distance"
LARGE_UNTRAINED = "keywords", "yield(combined)", "best-first", "shark-search", "qmin", "opic"
"""The others on large sites, where the rest take hours to train or to run."""


def main(*names: str) -> None:
    """Measure the parts named, or all, and write each of them."""
    if not DEPARTMENTS.is_dir():
        sys.exit(f"These benchmarks read the recorded sites at {DEPARTMENTS}, which is not there.")
    unknown = set(names) - PARTS_OF_PAGE.keys()
    if unknown:
        sys.exit(f"There is no part {min(unknown)!r}; there are {', '.join(PARTS_OF_PAGE)}.")
    for name in names or PARTS_OF_PAGE:
        began = time.perf_counter()
        title, part = PARTS_OF_PAGE[name]
        write(f"house-{name}", f"The default policy: {title}", "\n\n".join(part()), "bench-house")
        print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)


def rows() -> list[Row]:
    """Return all rows, also those whose sites are missing here."""
    organisations = find_sites([ORGANISATIONS]) if ORGANISATIONS.is_dir() else []
    webkb = tuple(WEBKB)
    return [
        *(Row(goal, goal, webkb) for goal in GOALS),
        Row(LARGE, "papers", (UCI,), webkb),
        Row(OFFICERS, "officers", tuple(organisations)),
    ]


def warm() -> Iterator[str]:
    """Yield the results with training on other sites."""
    yield (
        "Trained on the other sites of the row: WebKB on WebKB, the organisations on the "
        "organisations, and uci-ics on the four WebKB sites. Gap closed between breadth-first and "
        "Optimal, with its 95 % interval by a bootstrap over sites (a single site has none), and "
        "the difference to the best of all others, which is chosen afterwards and so favours the "
        "others."
    )
    yield from _against("others")


def cold() -> Iterator[str]:
    """Yield the results without training."""
    yield "The same without training sites, against all spiders that need none."
    yield from _against("none")


def _against(train: Train) -> Iterator[str]:
    """Yield the comparison with all others, row by row."""
    others = (LOW, *UNTRAINED) if train == "none" else (LOW, *TRAINED, *UNTRAINED)
    every: list[Comparison] = []
    lines = []
    for row in rows():
        if not row.is_there:
            yield f"Left out: {row.title}, because its sites are not under {SHARED}."
            continue
        large = row.title in (LARGE, OFFICERS)
        groups: list[tuple[tuple[str, ...], Train]] = [
            ((HOUSE,), train),
            (LARGE_UNTRAINED if large else UNTRAINED, "none"),
        ]
        if train == "others":
            groups.append((LARGE_TRAINED if large else TRAINED, train))
        found = run_row(row, *groups)
        every.append(found)
        gap, best, wanted = found.gap(HOUSE), found.best(others), WANTED[train].get(row.title)
        ahead = found.ahead(HOUSE, best)
        line = [
            row.title,
            gap,
            f"{wanted:.2f}" if wanted else "-",
            "-" if wanted is None else "yes" if gap.value >= wanted else "no",
            f"`{best}`",
            found.gap(best),
            ahead,
            "no" if ahead.value <= 0 else "yes" if ahead.low > 0 else "yes, not significant",
        ]
        print(" | ".join(map(str, line)), flush=True)
        lines.append(line)
    head = ["", "house", "wanted", "reached", "best other", "closes", "house more by", "above"]
    yield table(head, lines)
    yield from _first_target(every, train)
    yield from _losses(every)
    slow = {name for found in every for name in found.slow}
    if slow:
        names = ", ".join(f"`{name}`" for name in sorted(slow))
        yield f"Left out on uci-ics, where they take more than {MAX_CRAWL_SECONDS:.0f} s: {names}."
    yield "Every spider, gap closed; where sites are large only some others were run:"
    yield table(
        ["spider", *(found.row.title for found in every)],
        [[f"`{name}`", *(_share(found, name) for found in every)] for name in (HOUSE, *others)],
    )


def _share(found: Comparison, name: str) -> str:
    return f"{found.gap(name).value:.3f}" if name in found.spiders else "-"


def _first_target(every: list[Comparison], train: Train) -> Iterator[str]:
    """Yield the links followed before the first page of officers; a site has one or two."""
    for found in every:
        if found.row.title == OFFICERS:
            names = [name for name in SEED_METHODS if name in found.spiders]
            followed = {name: float(found.followed(name).mean()) for name in (HOUSE, *names)}
            best = min(names, key=lambda name: followed[name])
            ratio = followed[HOUSE] / followed[best] if followed[best] else np.inf
            goal = f"at most {MAX_LINKS_RATIO:.2f} wanted" if train == "others" else "none wanted"
            yield (
                "Officers, share of the links followed before the first target, mean over "
                f"{len(found.sites)} organisations: the default policy follows "
                f"{100 * followed[HOUSE]:.2f} %, the best seed method, `{best}`, "
                f"{100 * followed[best]:.2f} %: {ratio:.2f} times as many ({goal})."
            )
            yield table(
                ["spider", *found.sites, "mean"],
                [
                    [f"`{name}`", *(f"{100 * x:.2f} %" for x in [*found.followed(name), mean])]
                    for name, mean in followed.items()
                ],
            )


def _losses(every: list[Comparison]) -> Iterator[str]:
    """Yield the sites on which breadth-first is better."""
    lines = []
    for found in every:
        low, house = found.integrals(LOW), found.integrals(HOUSE)
        for site, one, two in zip(found.sites, low.tolist(), house.tolist(), strict=True):
            lines.append(((one - two) / one, found.row.goal, site, one, two))
    lines.sort(reverse=True)
    broken = [line for line in lines if line[0] > MAX_LOSS]
    worst, goal, site, *_ = lines[0]
    yield (
        f"Against breadth-first, over {len(lines)} pairs of a site and a goal: the worst is {goal} "
        f"on {site}, where the integral of the default policy is {abs(100 * worst):.1f} % "
        f"{'less' if worst > 0 else 'more'} (never more than {100 * MAX_LOSS:.0f} % less wanted). "
        f"{len(broken)} exceed that{':' if broken else '.'}"
    )
    if broken:
        yield table(
            ["goal", "site", LOW, HOUSE, "points lost", "loss"],
            [
                [goal, site, f"{one:.3f}", f"{two:.3f}", f"{100 * (one - two):.1f}", f"{loss:.1%}"]
                for loss, goal, site, one, two in broken
            ],
        )


def ablations() -> Iterator[str]:
    """Yield the results without each part."""
    yield "The default policy without one of its parts on the WebKB sites."
    some = [row for row in rows() if row.title in GOALS]
    for train in ("others", "none"):
        names = [
            f"house(without={part})" for part in PARTS if train == "others" or part != "taught"
        ]
        every = [run_row(row, ((HOUSE, *names), train)) for row in some]
        lines = []
        for name in (HOUSE, *names):
            gaps = [found.gap(name).value for found in every]
            more = [str(found.ahead(name, HOUSE)) for found in every]
            figures = [f"{gap:.3f}" for gap in gaps] if name == HOUSE else more
            lines.append([f"`{name}`", *figures, f"{np.mean(gaps):.3f}"])
            print(" | ".join(lines[-1]), flush=True)
        how = "Trained" if train == "others" else "Untrained"
        yield f"{how}: the gap closed by the whole policy, then the difference without a part."
        yield table(["spider", *GOALS, "mean gap closed"], lines)


PARTS_OF_PAGE: dict[str, tuple[str, Callable[[], Iterator[str]]]] = {
    "warm": ("trained", warm),
    "cold": ("untrained", cold),
    "ablations": ("without its parts", ablations),
    "cost": ("cost", cost),
    "pairs": ("all sites and goals, untrained", lambda: house_pairs.cold(find_pairs())),
    "taught-pairs": ("all sites and goals, trained", lambda: house_pairs.taught(find_pairs())),
}

if __name__ == "__main__":
    main(*sys.argv[1:])
