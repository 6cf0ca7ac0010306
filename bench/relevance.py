"""Relevance of the portal's search on test collections, beside plain BM25.

`python -m bench.relevance COLLECTION…` reads the collections in these folders
(`bench.relevance_collection` says in which form) and prints nDCG@10, MAP and
recall@100 of the portal's engine, of plain BM25 and of tantivy's own query
parser, with the ratio to plain BM25 and its paired bootstrap interval. Without
a folder it measures the collections beside the project, and writes its part of
docs/benchmarks.md. With `--json` it prints the figures as JSON instead.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import page
from bench.relevance_collection import Collection, read_collections
from bench.relevance_measures import MEASURES, compare, measure
from bench.relevance_systems import BM25, QueryParser, Stems, System, index, portal, words
from lycosa.errors import LycosaError
from lycosa.portal.search import Engine

COLLECTIONS = page.SHARED / "corpora" / "retrieval"
PORTAL, REFERENCE = "portal", "plain BM25"
Variants = Sequence[tuple[str, Callable[[Path], Engine]]]
"""Names of ablations, each with what opens the engine of an index without that part."""
VARIANTS: Variants = ()

Values = Mapping[str, Sequence[tuple[float, ...]]]
"""The measures of every question, by the name of the system."""


def systems(
    collection: Collection, folder: Path, variants: Variants
) -> Iterator[tuple[str, System]]:
    """Yield all systems of a collection; the portal's index is written to a folder."""
    index(collection.documents, folder)
    yield PORTAL, portal(Engine.open(folder))
    yield REFERENCE, BM25(collection.documents, Stems())
    yield f"{REFERENCE}, no stems", BM25(collection.documents, words)
    yield "tantivy's parser", QueryParser(collection.documents)
    for name, opened in variants:
        yield name, portal(opened(folder))


def evaluate(collection: Collection, variants: Variants = VARIANTS) -> Values:
    """Return the measures of each question that has an answer, for every system."""
    with tempfile.TemporaryDirectory(prefix="lycosa-bench-") as name:
        return {
            system: [
                measure(rank(collection.questions[question]), grades)
                for question, grades in collection.grades.items()
            ]
            for system, rank in systems(collection, Path(name) / "index", variants)
        }


def figures(values: Sequence[Values]) -> dict[str, dict[str, Any]]:
    """Return the means of each system over collections, and how they differ from the reference."""
    found = {}
    for system in values[0]:
        columns: dict[str, Any] = {}
        for at, name in enumerate(MEASURES):
            mine, other = (
                [[row[at] for row in each[which]] for each in values]
                for which in (system, REFERENCE)
            )
            mean = sum(sum(rows) / len(rows) for rows in mine) / len(mine)
            difference, ratio = compare(mine, other)
            columns[name] = {"mean": mean, "difference": difference, "ratio": ratio}
        found[system] = columns
    return found


HEAD = ("system", "nDCG@10", "ratio", "95 %", "MAP", "ratio", "recall@100", "ratio", "95 %")


def rows(found: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """Return the rows of a table."""
    cells = []
    for system, columns in found.items():
        row = [system]
        for name in MEASURES:
            ratio, low, high = columns[name]["ratio"]
            row += [f"{columns[name]['mean']:.3f}", f"{ratio:.2f}"]
            row += [f"{low:.2f} to {high:.2f}"] if name != "MAP" else []
        cells.append(row)
    return cells


def body(found: Mapping[str, Mapping[str, Any]], read: Sequence[Collection]) -> Iterator[str]:
    """Yield the parts of the page."""
    yield (
        "Ratios are to plain BM25 (k1 1.2, b 0.75, English stems, one field of title and text), "
        "with 95 % intervals of the paired bootstrap over questions. All systems index the same "
        "text. MAP is that of the first hundred documents."
    )
    sizes = {each.name: each for each in read}
    for name, systems_of in found.items():
        if name in sizes:
            each = sizes[name]
            lost = f"; {each.dropped} judgements fit neither" if each.dropped else ""
            yield (
                f"**{name}**, {len(each.documents):,} documents, {len(each.grades):,} questions "
                f"with answers{lost}:"
            )
        else:
            yield f"**{name}** of the collections:"
        yield page.table(HEAD, rows(systems_of))


def measure_all(read: Sequence[Collection]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the figures of every collection, and of all together if there are several."""
    values = [evaluate(collection) for collection in read]
    found = {each.name: figures([of]) for each, of in zip(read, values, strict=True)}
    return found | ({"Mean": figures(values)} if len(values) > 1 else {})


def main(arguments: Sequence[str]) -> None:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser("python -m bench.relevance", description=__doc__)
    parser.add_argument("collections", nargs="*", type=Path, metavar="COLLECTION")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    chosen = parser.parse_args(arguments)
    folders = chosen.collections or [COLLECTIONS]
    try:
        read = [each for folder in folders for each in read_collections(folder)]
    except LycosaError as error:
        sys.exit(f"bench.relevance: {error}")
    found = measure_all(read)
    if chosen.json:
        print(json.dumps(found, indent=2))
    elif chosen.collections:
        print("\n\n".join(body(found, read)))
    else:
        page.write("relevance", "Relevance of search", "\n\n".join(body(found, read)))


if __name__ == "__main__":
    main(sys.argv[1:])
