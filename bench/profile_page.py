"""CPU time of a page and of a link by part: decoding, limits, tree, walk, words, URLs, bags.

    python -m bench.profile_page                    all three sets of pages
    python -m bench.profile_page uci-ics --pages 500
    python -m bench.profile_page --before 5bbc6df   beside the version of another commit
    python -m bench.profile_page --write            and write its part of docs/benchmarks.md

The pages are those of a generated department, of the recording of uci-ics, and generated
modern ones of 50 to 300 KB. Both versions read the same pages in turns, each in a process
of its own, and the medians of the rounds are printed: CPU time, so that other processes
disturb less. The present version is measured uncompiled as well, where it is compiled. lxml
and selectolax alone, without words, URLs and bags, are beside them.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

from bench.history import ROOT, source_at, worker
from bench.modern_pages import modern_pages
from bench.page import SHARED, table, write
from lycosa.archive.archive import Archive
from lycosa.compiled import PURE, is_compiled
from lycosa.sites.generated import World
from lycosa.sites.generated.recorder import pages as generated_pages

BEFORE = "5bbc6df135233359ec7c2715e3fbbcc156ee90f4"
"""The commit whose version is beside the present one."""
PAGES = {"department": 600, "uci-ics": 600, "modern": 40}
"""How many of each set are read."""
ROUNDS = 3
UCI = SHARED / "sites" / "departments" / "uci-ics" / "pages.warc.xz"
UCI_STEP = 13  # so that the pages are of all parts of the site

Bodies = list[tuple[str, bytes]]


def department(count: int) -> Bodies:
    """Return HTML pages of a generated department."""
    site = World(seed=0, departments=1, pages=4 * count).department(0)
    html = (
        (page.url, page.body)
        for page in generated_pages(site)
        if page.status == 200 and page.headers.get("Content-Type", "").startswith("text/html")
    )
    return list(islice(html, count))


def uci(count: int) -> Bodies:
    """Return recorded pages of uci-ics; none where the recordings are not."""
    if not UCI.is_file():
        return []
    return [
        (url, answer.body) for url, answer in islice(Archive(UCI), 0, count * UCI_STEP, UCI_STEP)
    ]


def modern(count: int) -> Bodies:
    """Return generated modern pages."""
    return list(modern_pages(count))


SETS: dict[str, Callable[[int], Bodies]] = {
    "department": department,
    "uci-ics": uci,
    "modern": modern,
}


def profile(name: str, bodies: Bodies, before: Path | None, rounds: int) -> Iterator[str]:
    """Yield the paragraphs about one set of pages."""
    size = sum(len(body) for _, body in bodies) / len(bodies) / 1000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages.json"
        readable = [(url, body.decode("latin-1")) for url, body in bodies]
        path.write_text(json.dumps(readable), encoding="utf-8")
        script = "page_worker.py", str(path)
        with ExitStack() as workers:
            old_and_new = {}
            if before:
                old_and_new["before"] = workers.enter_context(worker(before, *script))
            if is_compiled():
                pure = worker(ROOT, *script, **{PURE: "1"})
                old_and_new["uncompiled"] = workers.enter_context(pure)
            now = old_and_new["now"] = workers.enter_context(worker(ROOT, *script))
            times: dict[str, list[float]] = {version: [] for version in old_and_new}
            links = 0.0
            for k in range(rounds):
                for version in list(old_and_new)[:: -1 if k % 2 else 1]:
                    measured = old_and_new[version]("whole")
                    times[version].append(measured["seconds"])
                    links = measured["links"] / len(bodies)
            yield f"{name}: {len(bodies):,} pages, {size:.1f} KB and {links:.0f} links each."
            others = now("others")
            shares = {version: run("parts") for version, run in old_and_new.items()}
            same = len({run("digest")["digest"] for run in old_and_new.values()}) == 1
    wholes = {version: statistics.median(some) for version, some in times.items()}
    each = 1e6 / len(bodies)
    rows = [
        [what, f"{each * seconds:,.0f} us", f"{each * seconds / links:.2f} us",
         f"{len(bodies) / seconds:,.0f}"]
        for what, seconds in [*((f"lycosa {v}", s) for v, s in wholes.items()), *others.items()]
    ]  # fmt: skip
    yield table(["", "a page", "a link", "pages/s"], rows)
    if before:
        ratios = [old / new for old, new in zip(times["before"], times["now"], strict=True)]
        found = "the same words, links and bags" if same else "NOT the same"
        kind = "compiled" if "uncompiled" in times else "uncompiled"
        ratio = statistics.median(ratios)
        yield f"{ratio:.2f} times the pages a second of before, {kind}; {found}."
    parts = list(shares["now"])
    yield table(
        ["part", *(f"{version}, a page" for version in shares)],
        [[part, *(f"{each * some[part]:,.1f} us" for some in shares.values())] for part in parts],
    )


def main() -> None:
    """Print the profile of the sets named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.profile_page")
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}")
    parser.add_argument("--pages", type=int, help="of each set")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--before", default=BEFORE, help="commit to compare with")
    parser.add_argument("--alone", action="store_true", help="leave out the version before")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    given = parser.parse_args()
    if unknown := set(given.sets) - SETS.keys():
        parser.error(f"there is no set {min(unknown)!r}")
    before = None if given.alone else source_at(given.before)
    written: list[str] = []
    for name in given.sets or SETS:
        bodies = SETS[name](given.pages or PAGES[name])
        if not bodies:
            print(f"Left out: {name}, because {UCI} is not there.\n")
            continue
        for paragraph in profile(name, bodies, before, given.rounds):
            print(paragraph + "\n", flush=True)
            written.append(paragraph)
    if given.write:
        text = "\n\n".join([f"Before is commit {given.before[:7]}.", *written])
        write("profile-page", "Reading a page", text, "bench-live")


if __name__ == "__main__":
    main()
