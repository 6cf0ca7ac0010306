"""Benchmark of conversion and segmentation: speed, exactness, and damaged files."""

from __future__ import annotations

import os
import random
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from bench import page, papers_detector
from lycosa.documents.conversion import Conversion, Converter
from lycosa.documents.paper_detector import detect_paper, word_kinds
from lycosa.documents.worker import OUTCOMES
from lycosa.papers.extraction.sections import find_sections
from lycosa.sites.generated import World

MUTANTS = 2_400
MAX_SECONDS = 10.0  # the limit for a damaged document
_OBJECT = re.compile(rb"\d+ \d+ obj\b.*?endobj", re.DOTALL)
_NUMBER = re.compile(rb"\d+")

Mutation = Callable[[bytes, bytes, random.Random], bytes]


def flips(body: bytes, _: bytes, chance: random.Random) -> bytes:
    """Flip random bits."""
    out = bytearray(body)
    for _ in range(chance.choice((1, 10, 100, 1000))):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def truncation(body: bytes, _: bytes, chance: random.Random) -> bytes:
    """Cut off the end."""
    return body[: chance.randrange(len(body))]


def splice(body: bytes, other: bytes, chance: random.Random) -> bytes:
    """Insert a part of another file."""
    place, start = chance.randrange(len(body)), chance.randrange(len(other))
    return body[:place] + other[start : start + chance.randrange(1, 50_000)] + body[place:]


def hole(body: bytes, _: bytes, chance: random.Random) -> bytes:
    """Remove a part."""
    start = chance.randrange(len(body))
    return body[:start] + body[start + chance.randrange(1, 1 + len(body) // 4) :]


def swap(body: bytes, _: bytes, chance: random.Random) -> bytes:
    """Exchange two objects, and so the meaning of their numbers."""
    found = [match.span() for match in _OBJECT.finditer(body)]
    if len(found) < 2:
        return hole(body, b"", chance)
    (a, b), (c, d) = sorted(chance.sample(found, 2))
    return body[:a] + body[c:d] + body[b:c] + body[a:b] + body[d:]


def numbers(body: bytes, _: bytes, chance: random.Random) -> bytes:
    """Change lengths, references and offsets."""
    share = chance.choice((0.001, 0.01, 0.1))

    def other(match: re.Match[bytes]) -> bytes:
        if chance.random() > share:
            return match[0]
        return str(chance.choice((0, 1, 7, 65_535, 2**31, 10**12, chance.randrange(99)))).encode()

    return _NUMBER.sub(other, body)


MUTATIONS: tuple[Mutation, ...] = (flips, truncation, splice, hole, swap, numbers)


def generated_files(pages: int = 300) -> Iterator[bytes]:
    """Yield the PDFs of a generated department."""
    site = World(seed=5, departments=1, pages=pages).department(0)
    for number in range(len(site)):
        if site.page(number).type == "application/pdf":
            yield site.response(number).body


def mutants(bodies: Sequence[bytes], count: int) -> Iterator[tuple[str, bytes]]:
    """Yield damaged files with the names of their mutations."""
    chance = random.Random(1)
    for n in range(count):
        mutation = MUTATIONS[n % len(MUTATIONS)]
        yield mutation.__name__, mutation(chance.choice(bodies), chance.choice(bodies), chance)


def fuzz(count: int) -> str:
    """Return a table of the outcomes of damaged files."""
    real = [path.read_bytes() for path in sorted(papers_detector.PAPERS.glob("*.pdf"))]
    bodies = real + list(generated_files())
    outcomes: dict[str, Counter[str]] = {m.__name__: Counter() for m in MUTATIONS}
    workers: set[int] = set()
    slowest = 0.0

    def one(converter: Converter, mutant: tuple[str, bytes]) -> tuple[str, str, float]:
        start = time.perf_counter()
        found = converter.convert(mutant[1], "application/pdf")
        took = time.perf_counter() - start
        find_sections(found.lines)
        if converter.worker:
            workers.add(converter.worker)
        return mutant[0], found.outcome, took

    with Converter(seconds=MAX_SECONDS) as a, Converter(seconds=MAX_SECONDS) as b:
        with ThreadPoolExecutor(2) as pool:
            pairs = zip(mutants(bodies, count), [a, b] * count, strict=False)
            for name, outcome, took in pool.map(lambda p: one(p[1], p[0]), pairs):
                outcomes[name][outcome] += 1
                slowest = max(slowest, took)
        alive = all(c.convert(b"still here", "text/plain").outcome == "text" for c in (a, b))
    unnamed = sum(n for row in outcomes.values() for name, n in row.items() if name not in OUTCOMES)
    columns = [o for o in OUTCOMES if any(row[o] for row in outcomes.values())]
    rows = [[name, *(row[o] for o in columns)] for name, row in outcomes.items()]
    rows.append(["all", *(sum(row[o] for row in outcomes.values()) for o in columns)])
    return (
        f"{count:,} damaged files, made of {len(real)} real and {len(bodies) - len(real)} "
        f"generated ones: {unnamed} without a named outcome. The slowest took {slowest:.1f} "
        f"seconds of the {MAX_SECONDS:.0f} allowed; {len(workers)} workers were used, and both "
        f"converters {'still worked' if alive else 'NO LONGER worked'} afterwards.\n\n"
        + page.table(("damage", *columns), rows)
    )


def speed() -> str:
    """Return papers per second on two cores, and the number of failures."""
    paths = sorted(papers_detector.PAPERS.glob("*.pdf"))
    bodies = [path.read_bytes() for path in paths]

    def one(converter: Converter, body: bytes) -> tuple[Conversion, int]:
        found = converter.convert(body, "application/pdf")
        parts = find_sections(found.lines)
        detect_paper(word_kinds(found.text))
        return found, len(parts.references)

    before = _computing()
    with Converter() as a, Converter() as b:
        for converter in (a, b):
            converter.convert(b"begin", "text/plain")
        halves = [(a, bodies[::2]), (b, bodies[1::2])]
        start = time.perf_counter()
        with ThreadPoolExecutor(2) as pool:
            jobs = [
                pool.submit(lambda h=half: list(map(partial(one, h[0]), h[1]))) for half in halves
            ]
            done = [found for job in jobs for found in job.result()]
        took = time.perf_counter() - start
    used = _computing() - before
    outcomes = Counter(found.outcome for found, _ in done)
    pages = sum(found.pages for found, _ in done)
    return (
        f"Conversion, parts and verdict of {len(done)} real documents ({pages} pages) with two "
        f"workers: {took:.1f} s, {len(done) / took:.1f} documents a second, "
        f"{pages / took:.0f} pages a second; {used / len(done):.2f} s of computing for each (the "
        f"machine had a load of {os.getloadavg()[0]:.1f}). Outcomes: "
        + ", ".join(f"{name} {n}" for name, n in outcomes.items())
        + " (the one without text is a picture). "
        + f"{sum(n for _, n in done):,} references were found."
    )


def _computing() -> float:
    """Return the CPU seconds of this process and of its finished workers."""
    usages = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(use.ru_utime + use.ru_stime for use in map(resource.getrusage, usages))


def exactness(pages: int = 600) -> str:
    """Compare abstracts and references of generated papers with the truth."""
    world = World(seed=5, departments=1, pages=pages)
    site = world.department(0)
    papers = abstracts = printed = found = exact = 0
    with Converter() as converter:
        for number in site.wanted("papers").tolist():
            parts = find_sections(
                converter.convert(site.response(number).body, "application/pdf").lines
            )
            truth = [_bare(one.text) for one in world.library.references(0, number)]
            segmented = {_bare(one.label + one.text) for one in parts.references}
            papers += 1
            abstracts += _bare(parts.abstract) == _bare(world.library.paper(0, number).abstract)
            printed += len(truth)
            found += len(parts.references)
            exact += sum(one in segmented for one in truth)
    return (
        f"Of {papers} generated papers {abstracts} abstracts are exact to the letter; of {printed} "
        f"references {exact} are exact to the letter, {found} were found."
    )


def _bare(text: str) -> str:
    return "".join(text.split()).replace("-", "")


def main() -> None:
    """Measure and write."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else MUTANTS
    parts = (speed(), exactness(), papers_detector.report(), fuzz(count))
    page.write(
        "papers-conversion", "Papers: from files to parts", "\n\n".join(parts), "bench-papers"
    )


if __name__ == "__main__":
    main()
