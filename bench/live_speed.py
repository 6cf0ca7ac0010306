"""The speed of a live crawl: CPU time of a request beside Scrapy and crawlee, and its parts.

`python -m bench.live_speed department` or `modern` prints the parts of one crawl.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.history import ROOT
from bench.live_crawls import AT_ONCE, GOAL
from bench.loopback import SEED, Served, serving
from bench.measure import Measured, run
from bench.page import table
from lycosa.project.sections import DEFAULT_SPIDER
from lycosa.sites.generated import World

CRAWLS = {
    "scrapy": "Scrapy",
    "tuned_scrapy": "Scrapy, tuned",
    "crawlee": "crawlee-python",
    "links": "lycosa, links only",
    "everything": "lycosa, everything",
    "one_core": "lycosa, everything, on one core",
}
OURS = ("everything", "one_core")
BASE = "tuned_scrapy"
CRAWLEE_READY = ROOT / ".venv-crawlee" / ".ready"
"""Is there once `make bench-live` has installed crawlee."""
CRAWLEE = CRAWLEE_READY.parent / "bin" / "python"
"""The interpreter that has crawlee."""
TARGET_EVERY = 20
"""Of modern pages, one in so many is a target."""
EXAMPLES = 3


@dataclass(frozen=True)
class Site:
    """What is crawled: the kind of `bench.loopback`, its title, and the ratios that are wanted."""

    kind: str
    title: str
    wanted: Mapping[str, str]


SITES = (
    Site("department", "a generated department", {"links": "9", "everything": "4"}),
    Site("modern", "generated modern pages of 50 to 360 KB", {"everything": "3.5"}),
)


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


def compare(site: Site, pages: int, count: int) -> Iterator[str]:
    """Crawl so many pages with all crawlers, so many times; yield what is to be said of it."""
    kinds = [kind for kind in CRAWLS if kind != "crawlee" or CRAWLEE_READY.is_file()]
    with tempfile.TemporaryDirectory() as name, serving(site.kind, pages) as server:
        arguments = _arguments(Path(name), site, server, pages)
        runs: dict[str, list[Run]] = {kind: [] for kind in kinds}
        for k in range(count):
            # Every other time in the opposite order, so that none is always the first.
            for kind in kinds[:: -1 if k % 2 else 1]:
                runs[kind].append(_run(server, kind, arguments))
        profile = run("bench.live_crawls", "profile", json.dumps(arguments)).result
    middle = {
        kind: sorted(each, key=lambda r: r.milliseconds)[len(each) // 2]
        for kind, each in runs.items()
    }
    rate = {kind: statistics.median(r.rate for r in each) for kind, each in runs.items()}
    base, first = middle[BASE].milliseconds, middle[BASE]
    rows = [
        [CRAWLS[kind], f"{rate[kind]:,.0f}", f"{m.milliseconds:.2f} ms", f"{m.megabytes:,} MB",
         f"{base / m.milliseconds:.1f}", site.wanted.get(kind, "")]
        for kind, m in middle.items()
    ]  # fmt: skip
    yield (
        f"{server.pages:,} pages, {site.title}, {first.requests:,} requests to crawl all of it, "
        "answered by a process of its own from memory on the other core "
        f"({1000 * first.server / first.requests:.2f} ms a request). {AT_ONCE} requests at once, "
        "no delay; Scrapy as it comes, and tuned: on uvloop, which ours and crawlee are on too, "
        "without cookies, retries and console; crawlee without sessions and retries, its state "
        f"in memory; the median of {count}, in turns. CPU time is that of all threads and "
        'children. Scrapy, crawlee and "links only" look for links and follow them, without '
        f'robots.txt. "Everything" is what people get: it obeys robots.txt, scores all links by '
        f"the default spider (`{DEFAULT_SPIDER}`), asks a goal, estimates recall, and has every "
        "page in the archive and the journal, synced, before it gives out the step."
    )
    head = ["crawler", "requests/s", "CPU a request", "memory", "times tuned Scrapy", "wanted"]
    yield table(head, rows)
    yield (
        f"By the clock, all cores crawl {rate['everything'] / rate['one_core']:.2f} times as fast "
        "as one core does (wanted: 1.5)."
    )
    yield "\n".join(_same(runs))
    yield from _parts(profile, middle["everything"])


def profile_only(site: Site, pages: int) -> Iterator[str]:
    """Crawl once; yield where the CPU time goes."""
    with tempfile.TemporaryDirectory() as name, serving(site.kind, pages) as server:
        arguments = _arguments(Path(name), site, server, pages)
        whole = _run(server, "everything", arguments)
        profile = run("bench.live_crawls", "profile", json.dumps(arguments)).result
    yield f"{site.title}: {whole.milliseconds:.3f} ms of CPU time a request."
    yield from _parts(profile, whole)


def _parts(profile: Mapping[str, float], whole: Run) -> Iterator[str]:
    total = sum(profile.values())
    aside = 1 - whole.seconds["thread"] / whole.seconds["cpu"]
    yield (
        'Where "everything" spends its CPU time, looked at every millisecond in all threads in '
        "another run (calls into C count for who made them), as shares of the CPU time of a "
        f"request above. {aside:.0%} of it is spent in other threads and processes: compressing "
        "and writing the archive, SQLite, and parsing of large pages."
    )
    rows = [
        [part, f"{seconds / total:.0%}", f"{1000 * whole.milliseconds * seconds / total:,.0f} us"]
        for part, seconds in profile.items()
    ]
    yield table(["part", "share", "a request"], rows)


def _arguments(folder: Path, site: Site, server: Served, pages: int) -> dict[str, str]:
    """Write down what is looked for."""
    targets = folder / "targets.txt"
    if site.kind == "department":
        made = World(SEED, departments=1, pages=pages, base=server.root).department(0)
        urls = [made.tables.urls[number] for number in made.wanted(GOAL).tolist()]
    else:
        urls = [f"{server.root}{path}" for path in server.paths[::TARGET_EVERY]]
    targets.write_text("\n".join(urls), encoding="utf-8")
    return {"seed": server.seeds[0], "targets": str(targets)}


def _run(server: Served, kind: str, arguments: Mapping[str, str]) -> Run:
    given = json.dumps(arguments if kind in OURS else {"seed": arguments["seed"]})
    server.ask("reset")
    before = server.ask("cpu")
    measured = _crawl(kind, given)
    used = server.ask("cpu") - before
    asked = server.ask("asked")
    asked.pop("/robots.txt", None)
    return Run(measured.result, frozenset(asked), sum(asked.values()), measured.megabytes, used)


def _crawl(kind: str, given: str) -> Measured:
    if kind == "crawlee":
        return run("bench.crawlee_crawl", given, python=str(CRAWLEE))
    return run("bench.live_crawls", kind, given)


def _same(runs: Mapping[str, list[Run]]) -> Iterator[str]:
    """Whether all have asked for the same URLs, by the log of the server."""
    reference = runs[BASE][0]
    others = {kind: each[0] for kind, each in runs.items() if kind != BASE}
    steady = all(r.asked == each[0].asked for each in runs.values() for r in each)
    if steady and all(other.asked == reference.asked for other in others.values()):
        yield (
            f"All asked for the same {len(reference.asked):,} URLs, each for every link it found, "
            "so all found the same distinct links (by the log of the server)."
        )
    else:
        yield "Not all have asked for the same URLs (by the log of the server):"
        for kind, other in others.items():
            more, less = other.asked - reference.asked, reference.asked - other.asked
            if not more and not less:
                continue
            examples = ", ".join(f"`{url}`" for url in sorted(more ^ less)[:EXAMPLES])
            yield (
                f"{CRAWLS[kind]} asked for {len(more):,} that tuned Scrapy did not, and Scrapy for "
                f"{len(less):,} that it did not ({examples})."
            )
    counts = ", ".join(f"{CRAWLS[k]} {each[0].seconds['links']:,.0f}" for k, each in runs.items())
    yield (
        f"Links counted on every page anew: {counts}. Scrapy's extractor was told to look at "
        "frames too, which it does not by itself. It counts links of a page to itself, two "
        "spellings of an address (`%7E` and `~`) as two, and the links of the front page twice, "
        "because it asks for that twice."
    )


def main() -> None:
    """Print the parts of a crawl of the sites named on the command line."""
    sizes = {"department": 3_000, "modern": 300}
    chosen = sys.argv[1:] or list(sizes)
    for site in SITES:
        if site.kind in chosen:
            print("\n\n".join(profile_only(site, sizes[site.kind])), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
