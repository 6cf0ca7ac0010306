"""The speed of a build, without the extraction of text and fields.

Generated papers are written into the tables documents and references_; the cost
of reading PDF files and labelling their words is measured by
`bench.papers_end_to_end`. Then the other stages of a first build run: works,
tables, topics, index.

`python -m bench.portal_build` measures everything and writes its part of
docs/benchmarks.md; with numbers of documents it measures that many each, and
prints the results and how memory grows from one to the next. `bench.portal_limit` is the build of
two million works in 4 GB.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench import measure, page
from bench.clock import cpu
from bench.references import Work, reference, works
from lycosa.papers.synthetic.invented_words import spell
from lycosa.portal.build.database import Database
from lycosa.portal.build.identity import document_id
from lycosa.portal.build.indexing import update_index
from lycosa.portal.build.pipeline import Builder
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.reading import ReadDocument, StoredReference
from lycosa.project import Project
from lycosa.project.sections import Portal
from lycosa.topics.template import read_template

COUNT = 200_000
LARGE = 2_000_000
"""Documents for which the memory is extrapolated."""
WORKS_PER_DOCUMENT = 1.2
"""Some works are only cited."""
REFERENCES = 5
ABSTRACT_WORDS, TEXT_WORDS = 100, 300
COMMITTED = 10_000
"""Documents a transaction: the log of a transaction takes as much of the disk as the documents."""
TREE = "computer-science"
SEED = 11
JOBS = 2
TARGET_RATE = 300
"""Documents a second."""
LABELS = {"authors": "author", "venue": "journal", "year": "date"}


class Prose:
    """Generates text with a Zipf distribution of words, and a few keywords of a topic.

    `seed` determines the text, `size` is that of the vocabulary.
    """

    def __init__(self, seed: int, size: int = 30_000) -> None:
        self._chance = Random(seed)
        self._words = [spell(n * 7919 % 144_000, 1 + n % 2) for n in range(size)]
        tree = read_template(TREE)
        self._topics = [tree[leaf].keywords for leaf in tree.leaves.tolist()]

    def __call__(self, size: int, topic: int) -> str:
        """Return a text of `size` words."""
        draw = self._chance.random
        # Approximately the inverse of a Zipf distribution.
        top = len(self._words)
        found = [self._words[int(top ** draw()) - 1] for _ in range(size)]
        keywords = self._topics[topic % len(self._topics)]
        for _ in range(1 + size // 50):
            found[int(size * draw())] = self._chance.choice(keywords)
        return " ".join(found)


def fields(given: dict[str, str]) -> str:
    """Return fields as portal.db stores them."""
    return json.dumps({LABELS.get(k, k): [[text, 0.95, 1, 1]] for k, text in given.items() if text})


def paper(chance: Random, every: Sequence[Work], number: int, prose: Prose) -> ReadDocument:
    """Return a paper that is the work of this number."""
    work = every[number]
    names = ", ".join(f"{given} {family}" for given, family in work.authors)
    year = work.versions[0].year
    abstract = prose(ABSTRACT_WORDS, number)
    cited = []
    for n in range(REFERENCES):
        other = every[int(len(every) * chance.random() ** 2)]
        record = reference(chance, other, chance.randrange(len(other.versions)))
        printed = ". ".join(record.values())
        contexts = json.dumps([f"As was shown before [{n + 1}], {abstract[:100]}."])
        cited.append(StoredReference(n + 1, printed, 9, n + 1, fields(record), contexts))
    header = fields({"title": work.title, "authors": names, "year": str(year)})
    text = f"{work.title}\n{abstract}\n{prose(TEXT_WORDS, number)}"
    return ReadDocument(
        "paper", "text", 0.97, work.title, abstract, str(year), "en", text, header, tuple(cited)
    )


def fill(folder: Path, count: int, more: tuple[Path, int] | None = None) -> None:
    """Write the documents of a simulated crawl.

    `more` is another folder, and how many further documents of the crawl are written there.
    """
    chance, prose = Random(SEED), Prose(SEED)
    parts = [(folder, count), *([more] if more else [])]
    every = works(int(WORKS_PER_DOCUMENT * sum(size for _, size in parts)), SEED)
    order = list(range(len(every)))
    chance.shuffle(order)
    steps = enumerate(order, 1)
    for part, size in parts:
        with Database.open(part) as database:
            for written, (step, number) in enumerate(islice(steps, size), 1):
                url = f"http://www{number % 500}.example.edu/papers/{number}.pdf"
                digest = f"{number:064x}"
                place = (step, url, "2026-01-01T00:00:00Z", "application/pdf", 99, digest, 1.0)
                database.add(document_id(url), place, paper(chance, every, number, prose))
                if not written % COMMITTED or written == size:
                    database.commit()


STAGES = {
    "finding works": "works",
    "storing works": "tables",
    "finding topics": "topics",
    "indexing": "index",
    "encoding works": "vectors",
}


class StageTimes(BuildProgress):
    """Records when stages begin."""

    def __init__(self) -> None:
        self._stages: list[tuple[str, float, float]] = []

    def begin(self, stage: str, total: int | None = None) -> None:
        """Record the time."""
        self._stages.append((STAGES[stage], time.perf_counter(), cpu()))

    def seconds(self) -> dict[str, tuple[float, float]]:
        """Return the seconds and CPU seconds of each stage; the last one ends now."""
        self._stages.append(("", time.perf_counter(), cpu()))
        return {
            stage: (round(then - began, 2), round(now - used, 2))
            for (stage, began, used), (_, then, now) in pairwise(self._stages)
        }


def build(folder: Path) -> dict[str, tuple[float, float]]:
    """Run a build after the reading of documents; return the seconds of each stage."""
    times = StageTimes()
    project = Project.of_urls(folder, ["http://a.example/"], "paper", contact="a@example.org")
    object.__setattr__(project, "portal", Portal(topics=TREE))
    with Database.open(folder) as database:
        builder = Builder(project, database, read_template(TREE), [], times, JOBS)
        builder.derive(builder.state(""), 1)
        update_index(database, times, JOBS)
    return times.seconds()


class MeasuredBuild(NamedTuple):
    """A first build of so many documents: what it printed, and its memory."""

    documents: int
    build: measure.Measured

    def __str__(self) -> str:
        count, stages = self.documents, self.build.result
        total, used = (sum(column) for column in zip(*stages.values(), strict=True))
        rows = [
            (stage, f"{seconds:.1f}", f"{1e3 * seconds / count:.2f}", f"{1e3 * busy / count:.2f}")
            for stage, (seconds, busy) in [*stages.items(), ("in all", (total, used))]
        ]
        return (
            f"{count:,} generated papers with {REFERENCES} references each, abstracts of "
            f"{ABSTRACT_WORDS} words and texts of {TEXT_WORDS} more. Their fields are given: the "
            "extraction of text and fields is measured under "
            "[papers](#papers-from-files-to-citations). The other stages of a first build:\n\n"
            + page.table(("stage", "seconds", "ms a document", "ms of CPU a document"), rows)
            + f"\n\n**{count / total:.0f} documents a second** with {JOBS} processes (target: "
            f"{TARGET_RATE}); {used / count:.4f} CPU seconds a document; at most "
            f"{self.build.megabytes:,} MB of memory, {self.build.anonymous:,} MB of it without "
            "pages of mapped files."
        )


def measure_build(folder: Path, count: int, limit: int | None = None) -> MeasuredBuild:
    """Measure a first build of so many documents; the portal stays in the folder."""
    if not (folder / "portal.db").exists():
        fill(folder, count)
    found = measure.run("bench.portal_build", "build", str(folder), limit=limit)
    return MeasuredBuild(count, found)


def describe_growth(one: MeasuredBuild, two: MeasuredBuild) -> str:
    """Return how much memory each further document takes, and how much `LARGE` would take."""
    further = two.documents - one.documents
    kinds = (
        ("memory", one.build.megabytes, two.build.megabytes),
        ("anonymous memory", one.build.anonymous, two.build.anonymous),
    )
    return "\n".join(
        f"From {one.documents:,} to {two.documents:,} documents: {1024 * (b - a) / further:.2f} KB "
        f"of {kind} each; at this rate {LARGE:,} take "
        f"{b + (b - a) / further * (LARGE - two.documents):,.0f} MB."
        for kind, a, b in kinds
    )


def write(folder: Path) -> None:
    """Measure and write the page; the portal stays in the folder."""
    body = str(measure_build(folder, COUNT))
    page.write("portal-build", "Building a portal", body, "bench-portal")


def main(arguments: Sequence[str]) -> None:
    """Measure and write the page, measure numbers of documents, or run the measured build."""
    if arguments[:1] == ["build"]:
        print(json.dumps(build(Path(arguments[1]))))
        return
    measured = []
    for count in map(int, arguments):
        with tempfile.TemporaryDirectory() as name:
            measured.append(measure_build(Path(name), count))
            print(measured[-1], flush=True)
    for one, two in pairwise(measured):
        print(describe_growth(one, two))
    if not arguments:
        with tempfile.TemporaryDirectory() as name:
            write(Path(name))


if __name__ == "__main__":
    main(sys.argv[1:])
