"""CPU time of the default policy on uci-ics, by link, page and part, beside older versions.

    python -m bench.house_cost                      untrained and trained, beside two commits
    python -m bench.house_cost cold --rounds 1 --pages 8000
    python -m bench.house_cost --alone              the present version only

All versions crawl the whole site in turns, each in a process of its own, and the least CPU
time of the rounds counts: other processes only add to it. All read the arrays of the sites that
the present version has compiled. The CPU time of each part is that of a crawl with timers around
its methods.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import chain
from pathlib import Path
from typing import Any

from bench.history import ROOT, Run, source_at, worker
from bench.page import table
from bench.seeds import DEPARTMENTS, WEBKB
from lycosa.sites.compiler import compile_site
from lycosa.sites.recording import Recording

UCI = DEPARTMENTS / "uci-ics"
BEFORE = {
    "before": "5bbc6df135233359ec7c2715e3fbbcc156ee90f4",
    "before, with word forms and mixture": "fc41968a68c50bfb2bedab66753712eec12957c3",
}
"""The commits whose versions are beside the present one."""
NOW = "now"
ROUNDS = 3
TRAINING: Mapping[str, Sequence[Path]] = {"cold": (), "warm": WEBKB}
MAX_COSTS = 15.0, 1.0, 400.0  # us a link, ms a page, bytes a URL
MAX_RATIO = 0.6  # of the time a link, to that of a version before

Figures = dict[str, Any]


def cost(
    titles: Sequence[str] = tuple(TRAINING),
    rounds: int = ROUNDS,
    pages: int = 0,
    *,
    alone: bool = False,
) -> Iterator[str]:
    """Yield time and memory on the largest recorded site, or on that many of its pages."""
    if not UCI.is_dir():
        yield f"Left out: {UCI} is not there."
        return
    sources = {} if alone else {name: source_at(commit) for name, commit in BEFORE.items()}
    versions = {name: source for name, source in sources.items() if source} | {NOW: ROOT}
    lines: list[list[str]] = []
    parts: dict[str, dict[str, float]] = {}
    now: Figures = {}
    for title in titles:
        with ExitStack() as stack:
            run = {
                name: stack.enter_context(_crawler(source, title, pages))
                for name, source in versions.items()
            }
            every = _least(run, rounds)
            seconds = run[NOW]("parts")
        now = every[NOW]
        parts[title] = {part: 1e6 * each / now["links"] for part, each in seconds.items()}
        for name, one in every.items():
            ratio = "" if name == NOW else f"{_a_link(now) / _a_link(one):.2f}"
            lines.append([title, name, *_line(one), ratio])
            print(" | ".join(lines[-1]), flush=True)
    link, page, memory = MAX_COSTS
    wanted = [f"{link:.0f} us", f"{page:.0f} ms", f"{memory:.0f}", "", f"{MAX_RATIO:.2f}"]
    yield (
        f"uci-ics, {now['pages']:,} pages with {now['links']:,} links to {now['urls']:,} "
        f"URLs. CPU time beyond that of breadth-first ({now['low']:.1f} s), words included, the "
        f"least of {rounds} rounds in turns; bytes are those of the policy's arrays per known URL; "
        "the ratio is the time a link now to that of an older version "
        f"({', '.join(f'{name}: commit {commit[:7]}' for name, commit in BEFORE.items())})."
    )
    head = ["", "version", "more than breadth-first", "a link", "a page", "bytes a URL"]
    yield table([*head, "training", "ratio"], [*lines, ["wanted", "", "", *wanted]])
    yield (
        "One more crawl of the present version with timers around the methods of each part, which "
        "add a little; CPU time a link, without that of other parts:"
    )
    names = sorted(seconds, key=lambda part: -seconds[part])
    rows = [[part, *(f"{some.get(part, 0.0):.2f} us" for some in parts.values())] for part in names]
    rows.append(["all", *(f"{sum(some.values()):.2f} us" for some in parts.values())])
    yield table(["part", *parts], rows)


def _crawler(source: Path, title: str, pages: int) -> AbstractContextManager[Run]:
    """Return the worker of a version."""
    sites = [
        (site, compile_site(Recording.open(site), None, 1)) for site in (UCI, *TRAINING[title])
    ]
    return worker(source, "house_worker.py", str(pages), *map(str, chain.from_iterable(sites)))


def _least(run: Mapping[str, Run], rounds: int) -> dict[str, Figures]:
    """Return for each version the crawl with the least CPU time, and that of breadth-first."""
    found: dict[str, list[Figures]] = {name: [] for name in run}
    for k in range(rounds):
        for name in list(run)[:: -1 if k % 2 else 1]:
            low = run[name]("low")["seconds"]
            found[name].append(run[name]("whole") | {"low": low})
    return {
        name: min(some, key=lambda one: float(one["seconds"]))
        | {"low": min(one["low"] for one in some)}
        for name, some in found.items()
    }


def _a_link(one: Figures) -> float:
    """Return microseconds a link beyond those of breadth-first."""
    return 1e6 * (float(one["seconds"]) - float(one["low"])) / int(one["links"])


def _line(one: Figures) -> list[str]:
    more = one["seconds"] - one["low"]
    return [
        f"{more:.1f} s",
        f"{_a_link(one):.1f} us",
        f"{1e3 * more / one['pages']:.2f} ms",
        f"{one['bytes'] / one['urls']:.0f}",
        f"{one['training']:.1f} s",
    ]


def main() -> None:
    """Print the cost of what is named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.house_cost")
    parser.add_argument("titles", nargs="*", metavar="TITLE", help=f"of {', '.join(TRAINING)}")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--pages", type=int, default=0, help="of each crawl, instead of all")
    parser.add_argument("--alone", action="store_true", help="leave out the versions before")
    given = parser.parse_args()
    if unknown := set(given.titles) - TRAINING.keys():
        parser.error(f"there is no {min(unknown)!r}")
    titles = given.titles or tuple(TRAINING)
    for paragraph in cost(titles, given.rounds, given.pages, alone=given.alone):
        print(paragraph + "\n", flush=True)


if __name__ == "__main__":
    main()
