"""Benchmark of reading real PDFs, against what a person reads in them.

The truth is `tests/papers/gold.toml`, typed from the printed pages. Nothing was
trained on these documents.

`python -m bench.papers_gold` writes its part of the page; with `--verbose` it
prints a line for each file with what was wrong instead.
"""

from __future__ import annotations

import argparse
import re
import time
import tomllib
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from bench import page
from lycosa.papers.paper import Paper, read_papers

PAPERS = page.SHARED / "papers"
GOLD = Path(__file__).parents[1] / "tests" / "papers" / "gold.toml"
JOBS = 2
MAX_COUNT_ERROR = 1  # references by which a list may be too long or too short
CHECKS = (
    "title", "authors", "year printed", "year not printed", "venue",
    "references within one", "first reference", "last reference",
)  # fmt: skip


@dataclass(frozen=True)
class GoldDocument:
    """A document as a person reads it; a field that is not printed is empty."""

    file: str
    title: str = ""
    subtitle: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    references: int = 0
    first: str = ""
    last: str = ""


def load_gold(path: Path = GOLD) -> list[GoldDocument]:
    """Return the documents of a gold file."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["document"]
    return [GoldDocument(**{**row, "authors": tuple(row.get("authors", ()))}) for row in rows]


def fold(text: str) -> str:
    """Return the letters and digits of a text in lower case, without accents."""
    plain = unicodedata.normalize("NFKD", text.replace("ø", "o").replace("ł", "l"))
    return re.sub(r"[\W_]+", "", plain.casefold())


def compare(gold: GoldDocument, paper: Paper) -> dict[str, tuple[bool, str]]:
    """Return of each field that is printed whether it was read right, and what was read."""
    found: dict[str, tuple[bool, str]] = {}
    if gold.title:
        title = paper.header.title
        right = fold(title) in (fold(gold.title), fold(f"{gold.title} {gold.subtitle}"))
        found["title"] = right, title
    if gold.authors:
        names = [f"{name.given} {name.family}" for name in paper.header.authors]
        found["authors"] = [*map(fold, names)] == [*map(fold, gold.authors)], "; ".join(names)
    if gold.title:
        fact = paper.facts.get("year")
        year = paper.year if gold.year or (fact and fact.evidence[0].page is not None) else None
        name = "year printed" if gold.year else "year not printed"
        found[name] = year == gold.year, str(year)
    if gold.venue:
        ours, theirs = fold(paper.venue), fold(gold.venue)
        found["venue"] = bool(ours) and (ours in theirs or theirs in ours), paper.venue
    if gold.references:
        count = len(paper.references)
        near = abs(count - gold.references) <= MAX_COUNT_ERROR
        found["references within one"] = near, f"{count} instead of {gold.references}"
        titles = [entry.fields.title for entry in paper.references] or [""]
        found["first reference"] = fold(titles[0]) == fold(gold.first), titles[0]
        found["last reference"] = fold(titles[-1]) == fold(gold.last), titles[-1]
    return found


def describe(gold: GoldDocument, paper: Paper) -> str:
    """Return a line about a document: what was wrong, and what was read instead."""
    wrong = [
        f"{name}: {read!r}" for name, (right, read) in compare(gold, paper).items() if not right
    ]
    if paper.outcome != "text":
        wrong = [paper.outcome]
    return f"{gold.file}: {'; '.join(wrong) or 'right'}"


def report(documents: list[GoldDocument], papers: list[Paper], seconds: float) -> str:
    """Return the part of the page."""
    table = (PAPERS / "labels.tsv").read_text().splitlines()
    labels = dict(row.split("\t") for row in table)
    tallies: dict[str, list[list[bool]]] = defaultdict(lambda: [[], []])
    for gold, paper in zip(documents, papers, strict=True):
        for name, (right, _) in compare(gold, paper).items():
            tallies[name][labels[gold.file] != "paper"].append(right)
    rows = [(name, *map(_share, tallies[name])) for name in CHECKS if name in tallies]
    outcomes = Counter(paper.outcome for paper in papers)
    fails = sum(outcomes.values()) - outcomes["text"] - outcomes["no-text"]
    return (
        f"The {len(documents)} PDFs of `shared/papers`, read by {JOBS} processes: "
        f"{len(documents) / seconds:.1f} documents a second, the start of the processes included. "
        f"{fails} files fail, {outcomes['no-text']} have no text. A text is right if its letters "
        "and digits are those of `tests/papers/gold.toml`, a list of authors if every name in it "
        "is, in order, a venue if one contains the other. *Year not printed*: the share of the "
        "documents without a printed year for which no place of their pages was taken for one.\n\n"
        + page.table(("field", "papers", "other documents that print it"), rows)
    )


def _share(items: list[bool]) -> str:
    return f"{sum(items)} of {len(items)} ({sum(items) / len(items):.0%})" if items else "-"


def main() -> None:
    """Measure, and write the part of the page or print what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbose", action="store_true", help="print what was wrong in each file")
    verbose = parser.parse_args().verbose
    documents = load_gold()
    start = time.perf_counter()
    papers = list(read_papers([PAPERS / gold.file for gold in documents], jobs=JOBS))
    seconds = time.perf_counter() - start
    body = report(documents, papers, seconds)
    if verbose:
        print(*map(describe, documents, papers), "", body, sep="\n")
    else:
        page.write("papers-gold", "Papers: real PDFs", body, "bench-papers")


if __name__ == "__main__":
    main()
