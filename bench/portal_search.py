"""Search in 200,000 works: latency and memory, without and during a build.

`python -m bench.portal_search` measures everything and writes its part of
docs/benchmarks.md. It runs its parts `build`, `update` and `search` in separate
processes. `--help` lists them.
"""

from __future__ import annotations

import gc
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from bench import page
from lycosa.portal.search import Engine, Index, IndexEntry
from lycosa.portal.web.search_request import PAGE_SIZE

WORKS = 200_000
VOCABULARY = 120_000
ZIPF = 1.05
PEOPLE = 100_000
VENUES = 500
SITES = 2_000
TOPICS = 75
ABSTRACT, TEXT = 100, 300
QUERIES = 400
"""Queries of each kind."""
COMMIT_SIZE = 500
"""Works in a commit of the concurrent build."""
SEED = 3


class GeneratedWorks:
    """Generates works whose word frequencies follow Zipf's law (1949)."""

    def __init__(self, seed: int = SEED) -> None:
        self._chance = np.random.default_rng(seed)
        self.words = self._words()
        weights = 1 / (np.arange(len(self.words)) + 2.7) ** ZIPF
        self._ends = np.cumsum(weights) / weights.sum()
        self.people = [
            (
                f"{name}-{'abcdefghijklmnopqrstuvwxyz'[k % 26]}",
                f"{chr(65 + k % 26)}. {name.title()}",
            )
            for k, name in enumerate(self._chance.choice(self.words, PEOPLE))
        ]
        self.venues = [f"Journal of {word.title()}" for word in self.words[100 : 100 + VENUES]]

    def _words(self) -> list[str]:
        """Return distinct words of two to four syllables, some with suffixes for stemmers."""
        starts = "b c d f g h k l m n p r s t v w z st tr pl gr ch sh".split()
        vowels = "a e i o u ai ea ou".split()
        ends = " n r l s t m nd st".split(" ")
        endings = ("", "", "", "s", "ing", "ed", "ation")
        parts = [a + b + c for a in starts for b in vowels for c in ends]
        found: dict[str, None] = {}
        while len(found) < VOCABULARY:
            sizes = self._chance.integers(2, 5, 10_000)
            for size in sizes:
                chosen = self._chance.integers(0, len(parts), size)
                ending = endings[self._chance.integers(len(endings))]
                found["".join(parts[k] for k in chosen) + ending] = None
        return list(found)[:VOCABULARY]

    def text(self, count: int) -> list[str]:
        """Return the words of a text."""
        ranks = np.searchsorted(self._ends, self._chance.random(count))
        return [self.words[rank] for rank in ranks]

    def entry(self, number: int) -> IndexEntry:
        """Return a work."""
        chance = self._chance
        words = self.text(9 + ABSTRACT + TEXT)
        low = chance.random(8) ** 2
        people = {self.people[int(PEOPLE * x)] for x in low[:3]}
        topic = int(TOPICS * low[3])
        year = 2026 - int(30 * low[4])
        return IndexEntry(
            f"w{number:07x}",
            "paper",
            " ".join(words[:9]).capitalize(),
            tuple(name for _, name in people),
            tuple(person for person, _ in people),
            year,
            f"{year}-{1 + number % 12:02}",
            self.venues[int(VENUES * low[5])],
            " ".join(words[9 : 9 + ABSTRACT]),
            " ".join(words[9 + ABSTRACT :]),
            f"www.site{int(SITES * low[6])}.edu",
            "pdf" if number % 3 else "html",
            "en",
            (f"area-{topic // 10}", f"area-{topic // 10}/topic-{topic}"),
            tuple(f"w{k:07x}" for k in chance.integers(0, WORKS, 10)),
            int(chance.pareto(1.0)),
        )


def build(folder: Path, works: int) -> dict[str, Any]:
    """Build the whole index in one commit; return seconds and megabytes."""
    generated = GeneratedWorks()
    spent = 0.0

    def stream() -> Iterator[IndexEntry]:
        nonlocal spent
        for number in range(works):
            began = time.perf_counter()
            entry = generated.entry(number)
            spent += time.perf_counter() - began
            yield entry

    base = _anonymous()
    with _PeakMemory() as memory:
        began = time.perf_counter()
        index = Index.open(folder)
        index.update(stream())
        index.commit()
        seconds = time.perf_counter() - began - spent
    size = sum(path.stat().st_size for path in folder.iterdir())
    return {"seconds": seconds, "megabytes": memory.peak - base, "disk": size / 2**20}


def update(folder: Path, works: int) -> dict[str, Any]:
    """Replace works forever, a commit at a time."""
    generated = GeneratedWorks(SEED + 1)
    index = Index.open(folder)
    while True:
        numbers = np.random.default_rng().integers(0, works, COMMIT_SIZE)
        index.update(generated.entry(int(number)) for number in numbers)
        index.commit()


FUNCTION_WORDS = "what is the of in for and how are with by to does which".split()


def questions(works: GeneratedWorks, *, english: bool) -> Iterator[str]:
    """Yield questions of 8 to 12 words, of which 3 to 6 are function words.

    That is their share in the questions of Cranfield and CACM. They are `english`, or
    else the most frequent words of the generated language: no stop list has these,
    which makes them as expensive as words can be.
    """
    # Its own generator, so that the queries of other kinds are the same with and without it.
    chance = np.random.default_rng(SEED + 1)
    while True:
        total, frequent = int(chance.integers(8, 13)), int(chance.integers(3, 7))
        small = FUNCTION_WORDS if english else works.words[:30]
        ranks = 30 * (2000 / 3) ** chance.random(total - frequent)
        found = [*chance.choice(small, frequent), *(works.words[int(rank)] for rank in ranks)]
        yield " ".join(chance.permutation(found))


def queries(works: GeneratedWorks) -> Iterator[tuple[str, str]]:
    """Yield queries of each kind; words follow their frequency.

    The most frequent words of the generated language are in questions without stop
    words only.
    """
    chance = np.random.default_rng(SEED)
    asked, dear = questions(works, english=True), questions(works, english=False)

    def word(common: int = 30, rare: int = 20_000) -> str:
        return works.words[int(common * (rare / common) ** chance.random())]

    for number in range(QUERIES):
        yield "one word", word()
        yield "two words", f"{word()} {word()}"
        yield "four words", " ".join(word(30, 1000) for _ in range(4))
        yield "question", next(asked)
        yield "question, no stop words", next(dear)
        yield "phrase", f'"{word(30, 300)} {word(30, 300)}"'
        yield "OR and NOT", f"({word()} OR {word()}) NOT {word()}"
        yield "field", f"title:{word(30, 2000)}"
        name = works.people[int(PEOPLE * chance.random() ** 2)][1]
        yield "author", f'author:"{name}"'
        yield "range", f"{word()} year:{2000 + number % 20}..{2003 + number % 20}"
        yield "prefix", f"{word()[: 3 + number % 3]}*"
        yield "misspelt", word(300)[1:] + "x"
        yield "filtered", word()


def _queries_and_prefixes() -> tuple[list[tuple[str, str]], list[str]]:
    """Return all queries, and prefixes of words."""
    works = GeneratedWorks()
    return list(queries(works)), [word[:3] for word in works.words[:200]]


def search(folder: Path) -> dict[str, Any]:
    """Run all queries with and without facets; return milliseconds by kind, and megabytes."""
    engine = Engine.open(folder)
    engine.search("")
    texts, prefixes = _queries_and_prefixes()
    gc.freeze()  # as the server does, which has no list of words to traverse
    started = time.perf_counter(), time.process_time()
    times: dict[str, list[float]] = {}
    bare: list[float] = []
    commits = 0
    stamp = engine.generation
    for kind, text in texts:
        filters = {"type": ["pdf"], "topic": ["area-0", "area-1"]} if kind == "filtered" else {}
        began = time.perf_counter()
        engine.search(text, size=PAGE_SIZE, filters=filters)
        times.setdefault(kind, []).append(1000 * (time.perf_counter() - began))
        began = time.perf_counter()
        engine.search(text, size=PAGE_SIZE, filters=filters, facets=False)
        bare.append(1000 * (time.perf_counter() - began))
        commits += stamp != engine.generation
        stamp = engine.generation
    extras = [hit.id for hit in engine.search("", size=200).hits]
    for kind, call in (("related", engine.related), ("complete", engine.complete)):
        for argument in extras if kind == "related" else prefixes:
            began = time.perf_counter()
            call(argument)
            times.setdefault(kind, []).append(1000 * (time.perf_counter() - began))
    resident = psutil.Process().memory_info().rss / 2**20
    measured = time.process_time() - started[1], time.perf_counter() - started[0]
    return {
        "times": times,
        "bare": bare,
        "commits": commits,
        "own": _anonymous(),
        "resident": resident,
        "share": measured[0] / measured[1],
    }


class _PeakMemory:
    """Measures the peak of this process's memory, without memory-mapped files."""

    def __init__(self) -> None:
        self.peak = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._sample)

    def __enter__(self) -> _PeakMemory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._done.wait(0.2):
            self.peak = max(self.peak, _anonymous())


def _anonymous() -> float:
    """Return the megabytes of this process that are not mapped files."""
    memory = psutil.Process().memory_info()
    return (memory.rss - getattr(memory, "shared", 0)) / 2**20


def _run(*arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.portal_search", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _rows(measured: Mapping[str, Any]) -> Iterator[list[str]]:
    times: Mapping[str, list[float]] = measured["times"]
    every = [
        t for kind, found in times.items() if kind not in ("related", "complete") for t in found
    ]
    whole = {"all queries": every, "all queries without facets": measured["bare"]}
    for kind, found in {**times, **whole}.items():
        p50, p99 = np.percentile(found, [50, 99])
        yield [kind, f"{len(found):,}", f"{p50:.1f}", f"{p99:.1f}", f"{max(found):.1f}"]


def _load(measured: Mapping[str, Any]) -> str:
    return f"the process had {100 * measured['share']:.0f} % of a core"


USAGE = """usage: python -m bench.portal_search [PART]

parts:
  build FOLDER WORKS   build an index of generated works
  update FOLDER WORKS  replace works of an index, a commit at a time, until it is stopped
  search FOLDER        measure all queries on an index
  try WORKS            measure everything on so many works and print it

Without a part, everything is measured and written to docs/benchmarks.md."""
HEAD = ("query", "count", "p50 ms", "p99 ms", "maximum ms")


def body(works: int) -> Iterator[str]:
    """Yield the parts of the page."""
    folder = Path(tempfile.mkdtemp(prefix="lycosa-bench-"))
    try:
        index = folder / "index"
        built = _run("build", str(index), str(works))
        yield (
            f"{works:,} generated works ({ABSTRACT} words of abstract and {TEXT} of text each) are "
            f"indexed in {built['seconds']:.0f} s, {works / built['seconds']:,.0f} a second, in "
            f"one commit, with {built['megabytes']:.0f} MB of memory and {built['disk']:.0f} MB of "
            f"disk. Each query below returns a page of {PAGE_SIZE} works with highlights, snippets "
            "and all facets, as the portal shows it."
        )
        alone = _run("search", str(index))
        yield (
            f"Without a build ({_load(alone)}; {alone['own']:.0f} MB of memory, "
            f"{alone['resident']:.0f} MB with the mapped parts of the index):"
        )
        yield page.table(HEAD, list(_rows(alone)))
        command = [sys.executable, "-m", "bench.portal_search", "update", str(index), str(works)]
        building = subprocess.Popen(command)
        try:
            busy = _run("search", str(index))
        finally:
            building.kill()
            building.wait()
        yield (
            f"While another process commits {COMMIT_SIZE} works at a time without a pause "
            f"({busy['commits']} commits; {_load(busy)}; {busy['own']:.0f} MB of memory, "
            f"{busy['resident']:.0f} MB with the mapped parts):"
        )
        yield page.table(HEAD, list(_rows(busy)))
    finally:
        shutil.rmtree(folder)


def main(arguments: list[str]) -> None:
    """Measure and write the page, or run one part and print its result."""
    match arguments:
        case ["build", folder, works]:
            print(json.dumps(build(Path(folder), int(works))))
        case ["update", folder, works]:
            update(Path(folder), int(works))
        case ["search", folder]:
            print(json.dumps(search(Path(folder))))
        case ["try", works]:
            print("\n\n".join(body(int(works))))
        case []:
            page.write(
                "portal-search", "Searching a portal", "\n\n".join(body(WORKS)), "bench-portal"
            )
        case ["-h" | "--help"]:
            print(f"{__doc__}\n{USAGE}")
        case _:
            raise SystemExit(USAGE)


if __name__ == "__main__":
    main(sys.argv[1:])
