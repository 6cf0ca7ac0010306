"""Benchmark of the whole pipeline from PDF files to a citation graph with known truth.

The documents of generated departments are converted, recognised, split into
fields by the shipped models and matched; the resulting citations are compared with
those of the generator.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench import page
from lycosa.papers.extraction.fields import ExtractedFields
from lycosa.papers.extraction.names import PersonName
from lycosa.papers.library import Library
from lycosa.papers.paper import Paper, read_papers
from lycosa.sites.generated import World
from lycosa.sites.generated.papers import CitedWork

WORLD = World(seed=31, departments=3, pages=600)
JOBS = 2

Place = tuple[int, int]
"""The index of a department and the number of a page there."""


class Share(NamedTuple):
    """A number of correct items and of all."""

    right: int
    of: int

    def __str__(self) -> str:
        return f"{self.right / max(self.of, 1):.4f}"


def documents() -> dict[Place, bytes]:
    """Return all PDF files of the world: papers, handouts, forms."""
    return {
        (d, number): site.response(number).body
        for d, site in enumerate(WORLD.sites)
        for number in range(len(site))
        if site.plan.type(number) == "application/pdf"
    }


def read(bodies: dict[Place, bytes]) -> tuple[dict[Place, Paper], float]:
    """Return the paper of each document, and the seconds for all."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for (d, number), body in bodies.items():
            files.append(Path(folder) / f"{d}-{number}.pdf")
            files[-1].write_bytes(body)
        start = time.perf_counter()
        papers = list(read_papers(files, jobs=JOBS))
        seconds = time.perf_counter() - start
    return dict(zip(bodies, papers, strict=True)), seconds


def true_citations() -> dict[Place, list[Place]]:
    """Return the papers of the world, and the papers that each cites."""
    return {
        (d, number): WORLD.library.cites(d, number)
        for d, site in enumerate(WORLD.sites)
        for number in site.plan.wanted("papers")
    }


def edges(library: Library) -> set[tuple[Place, Place]]:
    """Return the citations between papers of a library."""
    return {(_place(a), _place(b)) for a in library for b in library.cites(a)}


def _place(name: str) -> Place:
    d, _, number = name.partition("-")
    return int(d), int(number)


def build_library(papers: dict[Place, Paper]) -> tuple[Library, float]:
    """Return a library of papers, and the seconds of matching."""
    start = time.perf_counter()
    library = Library()
    library.add_many({f"{d}-{number}": paper for (d, number), paper in papers.items()})
    len(library.citations)
    return library, time.perf_counter() - start


def same_text(one: str, two: str) -> bool:
    """Return whether two texts are equal except for case, spaces and punctuation."""
    return re.sub(r"[\W_]+", "", one.lower()) == re.sub(r"[\W_]+", "", two.lower())


def same_people(found: Sequence[PersonName], true: Sequence[str]) -> bool:
    """Return whether all family names, in order, and the first initials are equal."""
    parsed = [(name.family.lower(), name.given[:1].lower()) for name in found]
    return parsed == [(name.rsplit(" ", 1)[1].lower(), name[0].lower()) for name in true]


def compare(found: ExtractedFields, true: CitedWork) -> tuple[bool, bool, bool]:
    """Return whether title, authors and year are right."""
    return (
        same_text(found.title, true.title),
        same_people(found.authors, true.authors),
        found.year == true.year,
    )


def shares(rows: Iterable[tuple[bool, ...]]) -> list[Share]:
    """Return the share of true values of each column."""
    every = list(rows)
    return [Share(sum(column), len(every)) for column in zip(*every, strict=True)]


def headers(papers: dict[Place, Paper]) -> list[Share]:
    """Return the shares of headers with the right title, authors and, if printed, year.

    Not every paper prints its year.
    """
    judged = [
        (compare(paper.header, WORLD.library.work(*place)), paper.header.year)
        for place, paper in papers.items()
    ]
    years = shares((each[2],) for each, year in judged if year is not None)
    return [*shares(each[:2] for each, _ in judged), *years]


def references(papers: dict[Place, Paper]) -> tuple[Share, list[Share]]:
    """Return the shares of exactly segmented references and of their right fields."""
    cut, fields = [], []
    for (d, number), paper in papers.items():
        true = WORLD.library.references(d, number)
        works = {_plain(r.text): WORLD.library.work(*r.cited) for r in true if r.cited}
        texts = {_plain(r.text) for r in true}
        found = {_plain(one.text): one for one in paper.references}
        cut += [(text in found,) for text in texts]
        fields += [compare(found[t].fields, work) for t, work in works.items() if t in found]
    return shares(cut)[0], shares(fields)


def losses(lost: Iterable[tuple[Place, Place]], papers: dict[Place, Paper]) -> Counter[str]:
    """Return the first stage that failed, for citations that were not found."""
    return Counter(_stage(papers.get(citing), papers.get(cited), cited) for citing, cited in lost)


def _stage(citing: Paper | None, cited: Paper | None, place: Place) -> str:
    if citing is None or cited is None:
        return "not recognised as a paper"
    true = WORLD.library.work(*place)
    if not all(compare(cited.header, true)[:2]):
        return "header of the cited paper"
    mine = [one for one in citing.references if _plain(true.title) in _plain(one.text)]
    if not mine:
        return "list of references"
    if not any(all(compare(one.fields, true)) for one in mine):
        return "cut or fields of the reference"
    return "matching"


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())


def main() -> None:
    """Read, match, compare, write."""
    truth = true_citations()
    wanted = {(a, b) for a, cited in truth.items() for b in cited}
    read_all, seconds = read(documents())
    detected = {place for place, paper in read_all.items() if paper.is_paper}
    kept = {place: read_all[place] for place in read_all if place in detected}
    library, matching = build_library(kept)
    found = edges(library)
    mine = {place: read_all[place] for place in truth if read_all[place].outcome == "text"}
    cut, fields = references(mine)
    lost = losses(wanted - found, kept)
    rows = [
        ("documents that are papers: precision", Share(len(detected & set(truth)), len(detected))),
        ("documents that are papers: recall", Share(len(detected & set(truth)), len(truth))),
        *zip(("header: title", "header: authors", "header: year"), headers(mine), strict=True),
        ("references cut out whole", cut),
        *zip(("reference: title", "reference: authors", "reference: year"), fields, strict=True),
        ("citations: precision", Share(len(found & wanted), len(found))),
        ("citations: recall", Share(len(found & wanted), len(wanted))),
    ]
    body = (
        f"{len(WORLD.sites)} generated departments (seed {WORLD.seed}, {WORLD.pages} pages each): "
        f"{len(read_all)} PDF files, {len(truth)} of them papers with {len(wanted):,} citations of "
        "each other. The shipped models were taught by made-up papers from another generator. "
        "A field is right if it is the printed one but for case and punctuation, with all authors "
        "in order by family name and initial. Not every header prints a year; those count in "
        "which one was found. The detector knows generated documents, and the "
        "rule that a title has one style was written after a look at some, of other seeds.\n\n"
        + page.table(("what", "share", "of"), [(name, x, f"{x.of:,}") for name, x in rows])
        + f"\n\nThe {len(wanted - found)} citations that were lost, by the first stage that failed:"
        f"\n\n{page.table(('stage', 'citations'), lost.most_common())}"
        f"\n\nReading took {seconds:.1f} seconds with {JOBS} processes, "
        f"{1000 * seconds / len(read_all):.0f} milliseconds a document; matching "
        f"{len(library.works):,} records took {matching:.2f} seconds."
    )
    page.write("papers-end-to-end", "Papers: from files to citations", body, "bench-papers")


if __name__ == "__main__":
    main()
