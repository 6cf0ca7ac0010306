"""The live crawl: against Scrapy on the same pages, its memory, and politeness at many hosts.

`python -m bench.live small` tries everything on little and writes nothing.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.live_crawls import AT_ONCE
from bench.loopback import SEED, Served, serving
from bench.measure import run
from bench.page import table, write
from bench.parts import PARTS
from lycosa.sites.generated import World
from lycosa.spiders import spider
from lycosa.spiders.model_file import save_spider

SPIDER = "rl-future"
CRAWLS = {
    "scrapy": "Scrapy",
    "tuned_scrapy": "Scrapy, tuned",
    "links": "lycosa, links only",
    "everything": "lycosa, everything",
}
WANTED = {"scrapy": "", "tuned_scrapy": "", "links": "8", "everything": "4"}
EXAMPLES = 3


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    pages: int = 8_000
    training: int = 2_000
    runs: int = 3
    urls: int = 1_000_000
    hosts: int = 500
    """Of each family."""
    window: float = 30.0
    warm_up: float = 10.0


SMALL = Sizes(pages=1_000, training=200, runs=1, urls=50_000, hosts=20, window=5.0, warm_up=4.0)


def main(sizes: Sizes, *, keep: bool) -> None:
    """Measure everything and write the page."""
    parts = [
        ("live", "The live crawl and Scrapy", "\n\n".join(_speed(sizes))),
        ("live-memory", "Memory of a live crawl", _memory(sizes)),
        ("live-politeness", "Politeness at many hosts", _politeness(sizes)),
    ]
    for name, title, body in parts:
        if keep:
            write(name, title, body, "bench-live")
        else:
            print(f"## {title}\n\n{body}\n")


@dataclass(frozen=True)
class Run:
    """One crawl, as it says and as the server saw it."""

    seconds: Mapping[str, float]
    asked: frozenset[str]
    requests: int
    megabytes: int
    server: float

    @property
    def milliseconds(self) -> float:
        """CPU time for a request."""
        return 1000 * self.seconds["cpu"] / self.requests

    @property
    def rate(self) -> float:
        """Requests a second of wall time."""
        return self.requests / self.seconds["wall"]


def _speed(sizes: Sizes) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name, serving("department", sizes.pages) as server:
        arguments = _arguments(Path(name), server, sizes)
        runs: dict[str, list[Run]] = {kind: [] for kind in CRAWLS}
        for k in range(sizes.runs):
            # Every other time in the opposite order, so that none is always the first.
            for kind in list(CRAWLS)[:: -1 if k % 2 else 1]:
                runs[kind].append(_run(server, kind, arguments))
        profile = run("bench.live_crawls", "profile", json.dumps(arguments)).result
    middle = {
        kind: sorted(each, key=lambda r: r.milliseconds)[len(each) // 2]
        for kind, each in runs.items()
    }
    rate = {kind: statistics.median(r.rate for r in each) for kind, each in runs.items()}
    base, first = middle["scrapy"].milliseconds, middle["scrapy"]
    rows = [
        [CRAWLS[kind], f"{rate[kind]:,.0f}", f"{m.milliseconds:.2f} ms", f"{m.megabytes:,} MB",
         f"{base / m.milliseconds:.1f}", WANTED[kind]]
        for kind, m in middle.items()
    ]  # fmt: skip
    yield (
        f"One generated department of {server.pages:,} pages, {first.requests:,} requests to crawl "
        "all of it, answered by a process of its own from memory on the other core "
        f"({1000 * first.server / first.requests:.2f} ms a request). {AT_ONCE} requests at once, "
        "no delay; Scrapy as it comes, and tuned: on uvloop, which ours is on too, without "
        "cookies, retries and console; the median of "
        f"{sizes.runs}, in turns. CPU time is that of all threads and children. Both Scrapys and "
        '"links only" look for links and follow them, without robots.txt. "Everything" obeys '
        f"robots.txt, scores all links by a model (`{SPIDER}`, learned on two other departments "
        f"of {sizes.training:,} pages), asks a goal, estimates recall, and has every page in the "
        "archive and the journal, synced, before it gives out the step."
    )
    head = ["crawler", "requests/s", "CPU a request", "memory", "times Scrapy per core", "wanted"]
    yield table(head, rows)
    yield "\n".join(_same(runs))
    took = middle["everything"].seconds
    aside = 1 - took["thread"] / took["cpu"]
    yield (
        'Where "everything" spends the CPU time of its main thread, looked at every millisecond '
        "in another run (calls into C count for who made them). Besides, "
        f"{aside:.0%} of all CPU time is spent in other threads: compressing and writing the "
        "archive, and SQLite."
    )
    yield table(["part", "share"], [[part, f"{profile[part]:.0%}"] for part in PARTS])


def _arguments(folder: Path, server: Served, sizes: Sizes) -> dict[str, str]:
    """Learn a model, and write down what is looked for."""
    sites = World(SEED + 1, departments=2, pages=sizes.training).sites
    made, model, papers = spider(SPIDER), folder / "papers.lyc", folder / "papers.txt"
    models = made.train(sites, "papers")
    save_spider(model, made, "papers", models, sites=[site.name for site in sites])
    site = World(SEED, departments=1, pages=sizes.pages, base=server.root).department(0)
    urls = [site.tables.urls[number] for number in site.wanted("papers").tolist()]
    papers.write_text("\n".join(urls), encoding="utf-8")
    return {"seed": server.seeds[0], "model": str(model), "papers": str(papers)}


def _run(server: Served, kind: str, arguments: Mapping[str, str]) -> Run:
    given = arguments if kind == "everything" else {"seed": arguments["seed"]}
    server.ask("reset")
    before = server.ask("cpu")
    measured = run("bench.live_crawls", kind, json.dumps(given))
    used = server.ask("cpu") - before
    asked = server.ask("asked")
    asked.pop("/robots.txt", None)
    return Run(measured.result, frozenset(asked), sum(asked.values()), measured.megabytes, used)


def _same(runs: Mapping[str, list[Run]]) -> Iterator[str]:
    """Whether all have asked for the same URLs, by the log of the server."""
    reference = runs["scrapy"][0]
    others = {kind: each[0] for kind, each in runs.items() if kind != "scrapy"}
    steady = all(r.asked == each[0].asked for each in runs.values() for r in each)
    if steady and all(other.asked == reference.asked for other in others.values()):
        yield (
            f"All asked for the same {len(reference.asked):,} URLs, each for every link it found, "
            "so all found the same distinct links (by the log of the server)."
        )
    else:
        yield "They did not ask for the same URLs (by the log of the server):"
        for kind, other in others.items():
            more, less = other.asked - reference.asked, reference.asked - other.asked
            examples = ", ".join(f"`{url}`" for url in sorted(more ^ less)[:EXAMPLES])
            yield (
                f"{CRAWLS[kind]} asked for {len(more):,} that Scrapy did not, and Scrapy for "
                f"{len(less):,} that it did not ({examples})."
            )
    counts = ", ".join(f"{CRAWLS[k]} {each[0].seconds['links']:,.0f}" for k, each in runs.items())
    yield (
        f"Links counted on every page anew: {counts}. Scrapy's extractor was told to look at "
        "frames too, which it does not by itself. It counts links of a page to itself, two "
        "spellings of an address (`%7E` and `~`) as two, and the links of the front page twice, "
        "because it asks for that twice."
    )


def _memory(sizes: Sizes) -> str:
    arguments = json.dumps({"urls": sizes.urls})
    crawl = run("bench.live_crawls", "memory", arguments).result
    strings = run("bench.live_crawls", "strings", arguments).result
    each, alone = crawl["bytes"] / crawl["urls"], strings["bytes"] / strings["urls"]
    rows = [
        ["a live crawl", f"{crawl['bytes'] / 2**20:,.0f} MB", f"{each:.0f}"],
        ["the same URLs in a list", f"{strings['bytes'] / 2**20:,.0f} MB", f"{alone:.0f}"],
        ["**the crawl beyond the URLs**", "", f"**{each - alone:.0f}**"],
    ]
    text = (
        f"{crawl['urls']:,} known URLs, {crawl['pages']:,} of them fetched: made-up pages told to "
        "the objects of a live crawl, without a network and without a store. What the process grew "
        "by. "
        "Wanted: at most 300 bytes a URL beyond the URLs themselves."
    )
    return f"{text}\n\n" + table(["", "memory", "bytes a URL"], rows)


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
    small = sys.argv[1:] == ["small"]
    main(SMALL if small else Sizes(), keep=not small)
