"""Benchmark of citation matching: accuracy, time and memory.

`python -m bench.papers_matching` measures everything and writes its part of
docs/benchmarks.md; with a number it measures that many generated references, with
the word `together` after it with all versions of a paper as one work.
"""

from __future__ import annotations

import csv
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bench import page
from bench.reference_lists import Listed, columns, reference_lists, without_identifiers
from bench.references import references, works
from lycosa.papers.matching.works import Works

CORA = page.SHARED / "corpora" / "cora-citations" / "records.tsv"
SIZES = (10_000, 100_000, 1_000_000)
PER_WORK = 5
LISTED = 20_000
"""Generated entries of lists of references."""
COLUMN_REFERENCES = 4_000
SEED = 7  # not one of the seeds used to fit the weights
HEAD = ("pairs: precision", "recall", "F1", "B-cubed: precision", "recall", "F1", "works", "found")


def measures(truth: ArrayLike, found: ArrayLike) -> list[float]:
    """Precision, recall and F1 over pairs, then of B-cubed (Bagga & Baldwin 1998).

    >>> [round(x, 2) for x in measures([0, 0, 1, 1], [0, 0, 0, 1])]
    [0.33, 0.5, 0.4, 0.67, 0.75, 0.71]
    """
    _, true = np.unique(truth, return_inverse=True)
    _, clusters = np.unique(found, return_inverse=True)
    _, both = np.unique(true.astype(np.int64) << 32 | clusters, return_inverse=True)
    right, wanted, found_pairs = (_pairs(np.bincount(x)) for x in (both, true, clusters))
    pairs = (right / max(found_pairs, 1), right / max(wanted, 1))
    shared = np.bincount(both)[both]
    cubed = (
        (shared / np.bincount(clusters)[clusters]).mean(),
        (shared / np.bincount(true)[true]).mean(),
    )
    return [float(x) for p, r in (pairs, cubed) for x in (p, r, 2 * p * r / max(p + r, 1e-9))]


def _pairs(sizes: NDArray[np.int64]) -> float:
    return float((sizes * (sizes - 1) // 2).sum())


def row(truth: ArrayLike, found: NDArray[np.int32]) -> list[str]:
    """Return the measures as cells, and the numbers of true and of found works."""
    _, numbers = np.unique(np.asarray(truth), return_inverse=True)
    figures = [f"{x:.3f}" for x in measures(numbers, found)]
    return [*figures, f"{len(set(numbers.tolist())):,}", f"{len(set(found.tolist())):,}"]


def cora() -> tuple[list[dict[str, str]], list[str]]:
    """Return the real references, and the work of each by the corpus."""
    with CORA.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    names = {"author": "authors"}
    fields = [
        {names.get(k, k): v for k, v in each.items() if v and k not in ("id", "cluster")}
        for each in rows
    ]
    return fields, [each["cluster"] for each in rows]


class Measured(NamedTuple):
    """Cost and accuracy of matching generated references."""

    seconds: float
    gigabytes: float
    cells: list[str]


def generated(count: int, *, separate_versions: bool = True, seed: int = SEED) -> Measured:
    """Match `count` generated references and measure time, memory and accuracy."""
    made = works(max(count // PER_WORK, 1), seed)
    truth = np.empty(count, np.int64)
    base = _peak()

    generating = 0.0

    def stream() -> Iterator[Mapping[str, str]]:
        nonlocal generating
        stream_of = references(made, count, seed)
        for k in range(count):
            began = time.process_time()
            (work, version), fields = next(stream_of)
            truth[k] = 8 * work + separate_versions * version
            generating += time.process_time() - began
            yield fields

    # CPU time, so that other load on the machine does not count.
    began = time.process_time()
    found = Works(separate_versions=separate_versions).add_many(stream())
    seconds = time.process_time() - began - generating
    return Measured(seconds, _peak() - base, row(truth, found))


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def measure_in_process(count: int, *, separate_versions: bool = True) -> Measured:
    """Run `generated` in a new process, so that its peak of memory is separate."""
    command = [
        sys.executable,
        "-m",
        "bench.papers_matching",
        str(count),
        *["together"] * (not separate_versions),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Measured(*json.loads(done.stdout))


def body() -> Iterator[str]:
    """Yield the paragraphs and tables of the page."""
    fields, truth = cora()
    began = time.process_time()
    found = Works().add_many(fields)
    seconds = time.process_time() - began
    yield (
        f"{len(fields):,} real references (Cora) in {seconds:.1f} s, by weights that were learned "
        "from generated references only. The corpus tells most versions of a paper apart, as is "
        "the default:"
    )
    joined = Works(separate_versions=False).add_many(fields)
    rows = [["apart", *row(truth, found)], ["together", *row(truth, joined)]]
    yield page.table(("versions", *HEAD), rows)
    yield (
        f"Generated references, {PER_WORK} to a work on average and few works with most, by a "
        "seed that the weights were not learned from. Seconds are those of the processor, on one "
        "core; memory is what the process grew by at its peak:"
    )
    cells = []
    for size, separate in ((SIZES[0], False), *((size, True) for size in SIZES)):
        done = measure_in_process(size, separate_versions=separate)
        took = (f"{done.seconds:.1f}", f"{1e6 * done.seconds / size:.0f}")
        kept = "apart" if separate else "together"
        cells.append([f"{size:,}", kept, *took, f"{done.gigabytes:.2f}", *done.cells])
    yield page.table(("references", "versions", "seconds", "µs each", "GB", *HEAD), cells)
    yield (
        f"{LISTED:,} generated entries of lists of references. Two entries of one list are two "
        "works; three in ten references print a DOI, one in 200 of these a wrong one. The last "
        f"rows are {COLUMN_REFERENCES:,} references to columns (Editorial, Reminiscences on …), "
        "whose titles say little because many authors share them:"
    )
    entries = list(reference_lists(works(LISTED // PER_WORK, SEED), LISTED, SEED))
    plain = without_identifiers(entries)
    instalments = columns(COLUMN_REFERENCES // PER_WORK, SEED)
    recurring = without_identifiers(list(reference_lists(instalments, COLUMN_REFERENCES, SEED)))
    yield page.table(
        ("known", *HEAD),
        [
            ["fields", *listed_row(plain, listed=False)],
            ["fields, lists", *listed_row(plain)],
            ["fields, lists, identifiers", *listed_row(entries)],
            ["columns: fields", *listed_row(recurring, listed=False)],
            ["columns: fields, lists", *listed_row(recurring)],
        ],
    )


def listed_row(entries: Sequence[Listed], *, listed: bool = True) -> list[str]:
    """Return the measures of matching entries of lists, which are known or not."""
    truth = [8 * work + version for (work, version), _, _ in entries]
    sources = [entry.source for entry in entries] if listed else None
    return row(truth, Works().add_many((entry.fields for entry in entries), sources))


def main(arguments: Sequence[str]) -> None:
    """Measure and write, or measure one size and print."""
    if arguments:
        print(json.dumps(generated(int(arguments[0]), separate_versions=len(arguments) < 2)))
        return
    page.write("papers-matching", "References to works", "\n\n".join(body()), "bench-papers")


if __name__ == "__main__":
    main(sys.argv[1:])
