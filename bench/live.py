"""The live crawl: beside Scrapy and crawlee, its memory, and politeness at many hosts.

`python -m bench.live small` tries everything on little and writes nothing; names of parts of
the page, such as `live-modern`, measure these alone.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.live_speed import SITES, compare
from bench.loopback import serving
from bench.measure import run
from bench.page import table, write
from lycosa.project.sections import DEFAULT_SPIDER


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    pages: int = 4_000
    modern: int = 300
    runs: int = 3
    urls: Sequence[int] = (1_000_000, 10_000_000)
    hosts: int = 500
    """Of each family."""
    window: float = 30.0
    warm_up: float = 10.0


LINKS_OF_A_PAGE = 100
"""New ones, of a page of the crawls whose memory is measured."""
MAX_BYTES = 200
MIN_SHOWN_BYTES = 0.5
SMALL = Sizes(pages=500, modern=30, runs=1, urls=(50_000,), hosts=20, window=5.0, warm_up=4.0)


def main(sizes: Sizes, names: Sequence[str], *, keep: bool) -> None:
    """Measure the parts of these names, or all; write each into the page when it is done."""
    department, modern = SITES
    parts: dict[str, tuple[str, Callable[[], str]]] = {
        "live": (
            "The live crawl, Scrapy and crawlee",
            lambda: "\n\n".join(compare(department, sizes.pages, sizes.runs)),
        ),
        "live-modern": (
            "The live crawl on large pages",
            lambda: "\n\n".join(compare(modern, sizes.modern, sizes.runs)),
        ),
        "live-memory": ("Memory of a live crawl", lambda: _memory(sizes)),
        "live-politeness": ("Politeness at many hosts", lambda: _politeness(sizes)),
    }
    for name in names or parts:
        title, measure = parts[name]
        if keep:
            write(name, title, measure(), "bench-live")
        else:
            print(f"## {title}\n\n{measure()}\n", flush=True)


def _memory(sizes: Sizes) -> str:
    rows = []
    for urls in sizes.urls:
        strings = run("bench.live_crawls", "strings", json.dumps({"urls": urls})).result
        alone = strings["bytes"] / strings["urls"]
        for spider in ("breadth-first", DEFAULT_SPIDER):
            arguments = {"urls": urls, "spider": spider, "new": LINKS_OF_A_PAGE}
            crawl = run("bench.live_crawls", "memory", json.dumps(arguments)).result
            each, peak = (crawl[name] / crawl["urls"] for name in ("bytes", "peak"))
            rows.append(
                [f"{crawl['urls']:,}", f"{crawl['pages']:,}", f"`{spider}`"]
                + [f"{figure:.0f}" for figure in (each, alone, peak)]
                + [f"**{each - alone:.0f}**"]
            )
    parts = sorted(crawl["parts"].items(), key=lambda part: -part[1])
    shown = [[name, f"{size / crawl['urls']:.1f}"] for name, size in parts]
    shown = [row for row in shown if float(row[1]) >= MIN_SHOWN_BYTES]
    text = (
        "Made-up pages told to the objects of a live crawl, without a network and without a "
        f"store; every page has {LINKS_OF_A_PAGE} new links and 20 to URLs that are known, one "
        "page in fifty is a target. What the process grew by, and at the peak, while all waiting "
        "links are rescored, in bytes for each known URL. Wanted: at most "
        f"{MAX_BYTES} bytes beyond the URLs in a list, with the default spider at 10 million; "
        "caches, and what fits leave to the allocator, count less the more URLs there are."
    )
    head = ["known URLs", "pages", "spider", "bytes a URL", "URLs in a list", "peak", "beyond"]
    about = (
        f"What the objects of the last line hold, in bytes a URL by class, if {MIN_SHOWN_BYTES} at "
        "least; `CompactTable` has the URLs themselves, the words and the names of folders:"
    )
    return "\n\n".join((text, table(head, rows), about, table(["class", "bytes a URL"], shown)))


def _politeness(sizes: Sizes) -> str:
    delay = 1.0
    with tempfile.TemporaryDirectory() as name, serving("hosts", sizes.hosts, 100) as server:
        seeds = Path(name) / "seeds.txt"
        seeds.write_text("\n".join(server.seeds), encoding="utf-8")
        arguments = {
            "seeds": str(seeds),
            "proxy": server.root,
            "seconds": sizes.warm_up + sizes.window + 2,
            "delay": delay,
        }
        result = run("bench.live_crawls", "polite", json.dumps(arguments)).result
        times: dict[str, list[float]] = server.ask("times")
        cpu = server.ask("cpu")
    return _judged(times, result, sizes, delay, len(server.seeds), cpu)


def _judged(
    times: Mapping[str, list[float]],
    result: Mapping[str, Any],
    sizes: Sizes,
    delay: float,
    hosts: int,
    cpu: float,
) -> str:
    begin = min(each[0] for each in times.values()) + sizes.warm_up
    end = begin + sizes.window
    made = sum(begin <= t < end for each in times.values() for t in each)
    possible = hosts * sizes.window / delay
    gaps = sorted(b - a for each in times.values() for a, b in pairwise(each))
    close = sum(gap < delay for gap in gaps)
    rows = [
        ["requests in the window", f"{made:,}", ""],
        ["of those possible", f"{made / possible:.1%}", "90 %"],
        ["shortest time between two requests to a host", f"{gaps[0]:.3f} s", f"{delay:.0f} s"],
        ["requests that came too early", f"{close:,}", "0"],
        ["CPU time of the crawl", f"{result['cpu'] / result['wall']:.0%} of a core", ""],
        ["CPU time of a request", f"{1000 * result['cpu'] / _total(times):.2f} ms", ""],
    ]
    text = (
        f"{hosts:,} generated hosts of 100 pages behind one proxy on loopback, a delay of "
        f"{delay:.0f} s; {sizes.window:.0f} s are measured after {sizes.warm_up:.0f} s in which "
        f"every robots.txt is fetched. Possible are {hosts / delay:,.0f} requests a second. "
        f"All {len(gaps):,} times between two requests to one host, robots.txt included, are "
        f"those of the server, which was asked by {len(times):,} names."
    )
    return f"{text}\n\n" + table(["", "figure", "wanted"], rows)


def _total(times: Mapping[str, list[float]]) -> int:
    return sum(map(len, times.values()))


if __name__ == "__main__":
    names = [name for name in sys.argv[1:] if name != "small"]
    small = "small" in sys.argv[1:]
    main(SMALL if small else Sizes(), names, keep=not small)
