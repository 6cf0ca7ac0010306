"""Relevance of the portal's search on test collections, beside plain BM25.

`python -m bench.relevance COLLECTION…` reads the collections in these folders
(`bench.relevance_collection` says in which form) and prints nDCG@10, MAP and
recall@100 of the portal's engine, of plain BM25 and of tantivy's own query
parser, with the ratio to plain BM25 and its paired bootstrap interval; then the
mean reciprocal rank of known items (`bench.relevance_known_items`) of the same
documents and of a portal: that of `--portal FOLDER`, or else a generated one.
Without a collection it measures those beside the project, and writes its part of
docs/benchmarks.md. With `--json` it prints the figures as JSON instead.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from bench import page, portal_build
from bench.relevance_collection import Collection, Document, read_collections
from bench.relevance_known_items import KINDS, KnownItems, mean_reciprocal_rank, read_portal
from bench.relevance_measures import MEASURES, compare, measure
from bench.relevance_systems import BM25, QueryParser, Stems, System, index, portal, words
from lycosa.errors import LycosaError
from lycosa.portal.search import Engine, sentence_encoder
from lycosa.portal.search.ranking import DEFAULT_RANKING
from lycosa.portal.search.sentence_encoder import WorkEncoder
from lycosa.portal.search.work_vectors import SentenceVectors

COLLECTIONS = page.SHARED / "corpora" / "retrieval"
GENERATED_WORKS = 5_000
"""Papers of the generated portal."""
PORTAL, REFERENCE = "portal", "plain BM25"
SEMANTIC = "portal with the extra semantic"
Variants = Sequence[tuple[str, Callable[[Path], Engine]]]
"""Names of ablations, each with what opens the engine of an index without that part."""


def _without(**parts: float) -> Callable[[Path], Engine]:
    """Return what opens an engine with other weights of some parts of the ranking."""
    return partial(Engine.open, ranking=replace(DEFAULT_RANKING, **parts))


VARIANTS: Variants = (
    ("without gist", _without(gist=0)),
    ("without form", _without(form=0)),
    ("without pairs", _without(pairs=0)),
    ("without meaning", _without(meaning=0)),
    ("without feedback", _without(feedback=0)),
    ("without title phrase", _without(title_phrase=0)),
    ("without names and years", _without(people=0, name=0, year=0)),
    ("without citations and age", _without(citations=0, age=0)),
    ("works with all words not first", _without(complete_first=False)),
)
"""The portal without each part of its ranking."""
KNOWN_VARIANTS: Variants = tuple(
    each
    for each in VARIANTS
    if each[0] in ("without title phrase", "without names and years", VARIANTS[-1][0])
)
"""The parts that known items depend on."""

Values = Mapping[str, Sequence[tuple[float, ...]]]
"""The measures of every question, by the name of the system."""


def systems(
    collection: Collection, folder: Path, variants: Variants
) -> Iterator[tuple[str, System]]:
    """Yield all systems of a collection; the portal's index is written to a folder."""
    index(collection.documents, folder)
    yield PORTAL, portal(Engine.open(folder))
    if sentence_encoder.is_installed():
        works = WorkEncoder(folder.parent / "encodings.bin", os.cpu_count() or 1)
        again = folder.parent / "semantic"
        index(collection.documents, again, vectors=SentenceVectors(works))
        yield SEMANTIC, portal(Engine.open(again))
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


def find_known(
    works: Sequence[Document], folder: Path, variants: Variants = KNOWN_VARIANTS
) -> dict[str, dict[str, Any]]:
    """Return count and mean reciprocal rank of the known items of each kind, for every system.

    The works are those of the index in a folder.
    """
    known = KnownItems(works)
    ranks: dict[str, System] = {PORTAL: portal(Engine.open(folder))}
    ranks[REFERENCE] = BM25([_with_names(work) for work in works], Stems())
    ranks |= {name: portal(opened(folder)) for name, opened in variants}
    return {
        kind: {
            "queries": len(queries),
            **{name: mean_reciprocal_rank(queries, rank) for name, rank in ranks.items()},
        }
        for kind in KINDS
        if (queries := known.queries(kind))
    }


def _with_names(work: Document) -> Document:
    """Return a work with its authors and its year in its text, for a system of one field."""
    year = "" if work.year is None else work.year
    return replace(work, text=f"{work.text} {' '.join(work.authors)} {year}")


def known_of_collection(collection: Collection) -> dict[str, dict[str, Any]]:
    """Return the figures of known items in an index of a collection, with authors and years."""
    with tempfile.TemporaryDirectory(prefix="lycosa-bench-") as name:
        folder = Path(name) / "index"
        index(collection.documents, folder, whole=True)
        return find_known(collection.documents, folder)


def known_of_portal(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the figures of known items in a portal."""
    return find_known(list(read_portal(folder)), folder / "index")


def known_of_generated_portal() -> dict[str, dict[str, Any]]:
    """Build a portal of generated papers; return the figures of its known items."""
    with tempfile.TemporaryDirectory(prefix="lycosa-bench-") as name:
        portal_build.fill(Path(name), GENERATED_WORKS)
        portal_build.build(Path(name))
        return known_of_portal(Path(name))


def measure_all(read: Sequence[Collection]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the figures of every collection, and of all together if there are several."""
    values = [evaluate(collection) for collection in read]
    found = {each.name: figures([of]) for each, of in zip(read, values, strict=True)}
    return found | ({"Mean": figures(values)} if len(values) > 1 else {})


def measure_known(
    read: Sequence[Collection], folder: Path | None
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the figures of known items of every collection and of a portal."""
    found = {each.name: known_of_collection(each) for each in read}
    if folder is None:
        return found | {"generated portal": known_of_generated_portal()}
    return found | {str(folder): known_of_portal(folder)}


def ranking_part(
    found: Mapping[str, Mapping[str, Any]], read: Sequence[Collection]
) -> Iterator[str]:
    """Yield the tables of the test collections."""
    yield (
        "Ratios are to plain BM25 (k1 1.2, b 0.75, English stems, one field of title and text), "
        "with 95 % intervals of the paired bootstrap over questions. All systems index the same "
        "text. MAP is that of the first hundred documents."
    )
    if not any(SEMANTIC in systems_of for systems_of in found.values()):
        yield "The extra `semantic` is not installed here, so the portal with it is not measured."
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


def known_part(found: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Iterator[str]:
    """Yield the table of known items."""
    yield (
        "Mean reciprocal rank of known items, works that are searched by what a person remembers "
        "of them:"
    )
    systems_of = [PORTAL, REFERENCE, *(name for name, _ in KNOWN_VARIANTS)]
    cells = [
        (name, kind, f"{of['queries']}", *(f"{of[system]:.3f}" for system in systems_of))
        for name, kinds in found.items()
        for kind, of in kinds.items()
    ]
    yield page.table(("works", "query", "queries", *systems_of), cells)


def main(arguments: Sequence[str]) -> None:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser("python -m bench.relevance", description=__doc__)
    parser.add_argument("collections", nargs="*", type=Path, metavar="COLLECTION")
    parser.add_argument("--portal", type=Path, metavar="FOLDER", help="of the known items")
    parser.add_argument(
        "--part", choices=("ranking", "known-items"), help="measure and print only this part"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    chosen = parser.parse_args(arguments)
    found: dict[str, Any] = {}
    printed: list[str] = []
    try:
        folders = chosen.collections or [COLLECTIONS]
        read = [each for folder in folders for each in read_collections(folder)]
        if chosen.part != "known-items":
            found["ranking"] = measure_all(read)
            printed += ranking_part(found["ranking"], read)
        if chosen.part != "ranking":
            found["known-items"] = measure_known(read, chosen.portal)
            printed += known_part(found["known-items"])
    except LycosaError as error:
        sys.exit(f"bench.relevance: {error}")
    if chosen.json:
        print(json.dumps(found, indent=2))
    elif arguments:
        print("\n\n".join(printed))
    else:
        page.write("relevance", "Relevance of search", "\n\n".join(printed))


if __name__ == "__main__":
    main(sys.argv[1:])
