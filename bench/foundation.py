"""Benchmarks of compiling, loading, simulating, parsing, and a web of a million pages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from bench.measure import run
from bench.page import SHARED, table, write

UCI = SHARED / "sites" / "departments" / "uci-ics"
DEPARTMENTS = SHARED / "sites" / "departments"
# Reference values of an independent program: URLs, papers, breadth-first, Optimal.
CHECKS = {
    "webkb-cornell": (1_956, 371, 0.656, 0.885),
    "webkb-texas": (1_273, 181, 0.298, 0.897),
    "uci-ics": (56_694, 5_836, 0.785, 0.943),
}


def main() -> None:
    """Measure everything and write the page."""
    if not UCI.is_dir():
        sys.exit(f"These benchmarks read the recorded sites at {UCI.parent}, which is not there.")
    parts = [_site(), _checks(), _parsing(), _hostile(), _generated(), _frontier(), _start()]
    write("foundation", "Foundation", "\n\n".join(parts))


def _site() -> str:
    with tempfile.TemporaryDirectory() as cache:
        os.environ["LYCOSA_CACHE"] = cache
        compiled = run("bench.foundation", "compile")
        loaded = run("bench.foundation", "load")
        crawled = run("bench.foundation", "simulate")
    del os.environ["LYCOSA_CACHE"]
    took = {
        "compile, two processes": (
            compiled.result["seconds"],
            compiled.megabytes,
            "100 s, 3,000 MB",
        ),
        "load the compiled site": (loaded.result["seconds"], loaded.megabytes, "3 s"),
        "simulate breadth-first": (crawled.result["breadth-first"], crawled.megabytes, "2 s"),
        "simulate Optimal": (crawled.result["optimal"], crawled.megabytes, "30 s"),
    }
    rows = [[what, f"{s:.2f} s", f"{mb:,} MB", wanted] for what, (s, mb, wanted) in took.items()]
    about = f"uci-ics: {compiled.result['urls']:,} URLs, {compiled.result['links']:,} links."
    return f"### A site of 50,305 pages\n\n{about}\n\n" + table(
        ["", "took", "memory", "wanted"], rows
    )


def _checks() -> str:
    command = [sys.executable, "-m", "lycosa.cli", "bench", str(DEPARTMENTS), "--goal", "papers"]
    command += ["--spiders", "breadth-first,optimal", "--json", "-"]
    runs = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["runs"]
    found = {(r["site"], r["spider"]): r for r in runs}
    rows = []
    for site, (urls, papers, low, high) in CHECKS.items():
        first, best = found[site, "breadth-first"], found[site, "optimal"]
        rows.append([site, "found here", f"{first['pages']:,}", f"{first['targets']:,}",
                     f"{first['integral']:.3f}", f"{best['integral']:.3f}"])  # fmt: skip
        rows.append(["", "elsewhere", f"{urls:,}", f"{papers:,}", f"{low:.3f}", f"{high:.3f}"])
    text = (
        "The same recordings measured with another program. The differences: a comment that is "
        "never closed ends here at the next `>`, as it did in the browsers of 1997, which brings "
        "back the links of whole pages (webkb-texas, webkb-cornell); frames, image maps and "
        "`meta refresh` are followed (uci-ics); ties between equally near rewards are broken "
        "differently (Optimal)."
    )
    head = ["site", "", "URLs reached", "papers", "breadth-first", "Optimal"]
    return f"### Against an independent measurement\n\n{text}\n\n" + table(head, rows)


def _parsing() -> str:
    result = run("bench.foundation", "parse").result
    rows = [
        [name, f"{speed:,.0f}", f"{speed / result['lycosa']:.2f}"]
        for name, speed in result.items()
        if name not in ("pages", "kilobytes", "links")
    ]
    text = (
        f"{result['pages']:,} pages of uci-ics, {result['kilobytes']:.1f} KB and "
        f"{result['links']:.0f} links each on average; one process. lycosa: words, headings, "
        "links, all bags and tag paths. The others: links with their anchor words, and the words "
        "of the page."
    )
    return f"### Parsing\n\n{text}\n\n" + table(["parser", "pages/s", "ratio"], rows)


def _hostile() -> str:
    result = run("bench.foundation", "hostile").result
    rows = [[kind, f"{a:.3f} s", f"{b:.3f} s", f"{b / a:.1f}"] for kind, (a, b) in result.items()]
    text = "Pages made to be slow: 50,000 tags or attributes, and four times as many."
    return f"### Hostile pages\n\n{text}\n\n" + table(["kind", "n", "4 n", "ratio"], rows)


def _generated() -> str:
    measured = run("bench.foundation", "walk")
    result = measured.result
    each = f"{1e6 * result['seconds'] / result['reached']:.0f} us"
    rows = [[f"{result['pages']:,}", f"{result['reached']:,}", f"{result['seconds']:.0f} s", each,
             f"{measured.megabytes:,} MB"]]  # fmt: skip
    text = "A generated department walked breadth-first in simulation; no page is stored."
    return f"### A web of a million pages\n\n{text}\n\n" + table(
        ["pages", "requested", "took", "a page", "memory (2,000 MB wanted)"], rows
    )


def _frontier() -> str:
    result = run("bench.foundation", "frontier").result
    rows = [[name, f"{value:.2f}"] for name, value in result.items()]
    return "### The frontier with a million URLs waiting\n\n" + table(["", "figure"], rows)


def _start() -> str:
    times = []
    for _ in range(7):
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "lycosa.cli", "--help"], check=True, capture_output=True
        )
        times.append(time.perf_counter() - begun)
    rows = [["`lycosa --help`, median of 7", f"{1000 * sorted(times)[3]:.0f} ms", "300 ms"]]
    return "### Starting\n\n" + table(["", "took", "wanted"], rows)


# Jobs that run in separate processes.


def _compile() -> dict[str, float]:
    from lycosa.sites import open_site

    begun = time.perf_counter()
    site = open_site(UCI, jobs=2)
    seconds = time.perf_counter() - begun
    return {"seconds": seconds, "urls": len(site), "links": len(site.graph.targets)}


def _load() -> dict[str, float]:
    begun = time.perf_counter()
    from lycosa.sites import open_site

    site = open_site(UCI)
    return {"seconds": time.perf_counter() - begun, "urls": len(site)}


def _simulate() -> dict[str, float]:
    from lycosa import BreadthFirst, Listed, Optimal, Policy, open_site, simulate

    site = open_site(UCI)

    def seconds(policy: Policy) -> float:
        begun = time.perf_counter()
        for _ in simulate(site, policy, Listed.of(site, "papers")):
            pass
        return time.perf_counter() - begun

    return {"breadth-first": seconds(BreadthFirst()), "optimal": seconds(Optimal(site, "papers"))}


def _bodies(step: int) -> list[tuple[str, bytes]]:
    from lycosa.archive.archive import Archive

    answers = enumerate(Archive(UCI / "pages.warc.xz"))
    return [(url, answer.body) for n, (url, answer) in answers if n % step == 0]


def _parse() -> dict[str, float]:
    import warnings

    import lxml.html
    from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning

    from lycosa.content import BAGS
    from lycosa.web.reader import Reader
    from lycosa.web.words import words

    warnings.filterwarnings("ignore", category=XMLParsedAsHTMLWarning)
    bodies = _bodies(13)
    reader = Reader()
    links = 0

    def lycosa(url: str, body: bytes) -> None:
        nonlocal links
        page = reader.page(url, body)
        links += len(page.targets)
        for bag in BAGS:
            page.bag(bag)

    def with_lxml(url: str, body: bytes) -> None:
        if body.strip():
            tree = lxml.html.document_fromstring(body, base_url=url)
            tree.make_links_absolute(resolve_base_href=True, handle_failures="ignore")
            [words(a.text_content()) for a in tree.iter("a") if a.get("href")]
            words(tree.text_content())

    def with_soup(url: str, body: bytes) -> None:
        soup = BeautifulSoup(body, "lxml")
        [words(a.get_text()) for a in soup.find_all("a", href=True)]
        words(soup.get_text())

    def speed(read: Callable[[str, bytes], None], step: int) -> float:
        mine = bodies[::step]
        begun = time.perf_counter()
        for url, body in mine:
            try:
                read(url, body)
            except (ValueError, lxml.etree.ParserError):
                continue
        return len(mine) / (time.perf_counter() - begun)

    own = speed(lycosa, 1)
    size = sum(len(body) for _, body in bodies) / len(bodies) / 1000
    return {"pages": len(bodies), "kilobytes": size, "links": links / len(bodies), "lycosa": own,
            "lxml": speed(with_lxml, 2), "BeautifulSoup (lxml)": speed(with_soup, 10)}  # fmt: skip


def _hostile_kinds() -> dict[str, Callable[[int], str]]:
    return {
        "nested blocks": lambda n: "<div>" * n,
        "nested lists": lambda n: "<ul><li>" * n,
        "unclosed formatting": lambda n: "".join(f"<i x={i}>" for i in range(n)) + "<p>x" * n,
        "attributes": lambda n: "<a " + " ".join(f"a{i}='>'" for i in range(n)) + " href=x>y</a>",
        "anchors": lambda n: "<a href=x><font>" * n,
        "unclosed comments": lambda n: "<!--" * n,
        "unclosed quotes": lambda n: "<a b='" * n,
    }


def _hostile_times() -> dict[str, tuple[float, float]]:
    from lycosa.web.reader import Reader

    def seconds(html: str) -> float:
        begun = time.process_time()
        Reader().page("http://a.example/", html.encode())
        return time.process_time() - begun

    return {
        kind: (seconds(make(50_000)), seconds(make(200_000)))
        for kind, make in _hostile_kinds().items()
    }


def _walk() -> dict[str, float]:
    from lycosa import BreadthFirst, Listed, World, simulate

    site = World(seed=0, departments=1, pages=1_000_000).department(0)
    begun = time.perf_counter()
    reached = sum(1 for _ in simulate(site, BreadthFirst(), Listed("none", [])))
    return {"pages": len(site), "reached": reached, "seconds": time.perf_counter() - begun}


def _frontier_costs() -> dict[str, float]:
    import numpy as np

    from lycosa.crawler.frontier import Frontier

    size, batch = 1_000_000, 50
    chance = np.random.default_rng(0)
    numbers = chance.permutation(size).astype(np.int32).reshape(-1, batch)
    scores = chance.random((len(numbers), batch))
    frontier = Frontier()
    begun = time.perf_counter()
    for row, values in zip(numbers, scores, strict=True):
        frontier.push(row, values)
    push = time.perf_counter() - begun
    begun = time.perf_counter()
    for row, values in zip(numbers[:4000], scores[:4000], strict=True):
        frontier.push(row, values / 2)
    known = time.perf_counter() - begun
    memory = frontier.nbytes / size
    begun = time.perf_counter()
    for _ in range(100_000):
        frontier.pop()
    pop = time.perf_counter() - begun
    return {
        "push of a new link, us": 1e6 * push / size,
        "push of a known link, us": 1e6 * known / 200_000,
        "pop, us": 10 * pop,
        "memory of a link, bytes": memory,
    }


JOBS: dict[str, Callable[[], object]] = {
    "compile": _compile,
    "load": _load,
    "simulate": _simulate,
    "parse": _parse,
    "hostile": _hostile_times,
    "walk": _walk,
    "frontier": _frontier_costs,
}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(JOBS[sys.argv[1]]()))
    else:
        main()
