"""Small crawls with papers and pages, written without a server."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import tantivy

from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.portal.search.layout import schema
from lycosa.project import Project
from lycosa.project.sections import Portal
from lycosa.project.template import FILE

WORDS = (
    "spider network learning crawler agent reward state policy index query page link server "
    "cache kernel scheduler process memory database relation transaction protocol packet router"
).split()
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
TOPICS = """
Systems
  Operating systems: kernel, scheduler
  Databases: database, transaction
Learning: learning, reward, policy
"""


@dataclass(frozen=True)
class Made:
    """A generated paper."""

    title: str
    authors: tuple[str, ...]
    year: int
    cites: tuple[int, ...] = ()

    @property
    def reference(self) -> str:
        family = [f"{name.split()[0][0]}. {name.split()[1]}" for name in self.authors]
        return (
            f"{' and '.join(family)}. {self.title}. Machine Learning, 12(2):101-120, {self.year}."
        )


@dataclass(frozen=True)
class Answer:
    """A response of a server."""

    url: str
    body: bytes
    type: str = "text/plain"
    reward: float = 1.0


NAMES = ("Ann Lee", "Bob Roe", "Carla Diaz", "David Stone", "Emma Brook", "Frank Hill")
TITLES = (
    "Spiders that learn to hunt for papers",
    "The strength of weak schedulers in kernels",
    "Transactions over relations that never end",
    "Routing packets by means of reinforcement",
    "A cache for queries that are asked twice",
    "Policies of agents with little memory",
    "Indexing the pages of a distant server",
    "Databases without any locks at all",
)


def papers(count: int, seed: int = 1) -> list[Made]:
    """Return papers of which each cites some before it."""
    chance = Random(seed)
    made: list[Made] = []
    for n in range(count):
        title = TITLES[n % len(TITLES)] + ("" if n < len(TITLES) else f", part {_roman(n)}")
        cites = tuple(sorted(chance.sample(range(n), min(n, 3))))
        made.append(Made(title, tuple(chance.sample(NAMES, 2)), 1990 + n % 9, cites))
    return made


def _roman(n: int) -> str:
    return " ".join("abcdefghij"[int(d)] * 3 for d in str(n))


def printed(paper: Made, every: Sequence[Made], seed: int = 0, more: Sequence[str] = ()) -> bytes:
    """Return a paper as plain text."""
    chance = Random(f"{paper.title} {seed}")
    topic = chance.sample(WORDS, 6)

    def prose(size: int) -> str:
        words = [
            chance.choice((*topic, "the", "of", "and", "to", "is", "we", "that"))
            for _ in range(size)
        ]
        lines = [" ".join(words[n : n + 12]) for n in range(0, size, 12)]
        return "\n".join(line.capitalize() + "." for line in lines)

    listed = [every[n].reference for n in paper.cites] + list(more)
    cited = " ".join(f"as was shown before [{n}]," for n in range(1, len(listed) + 1))
    references = "\n".join(f"[{n}] {text}" for n, text in enumerate(listed, 1))
    return f"""{paper.title}

{", ".join(paper.authors)}
Department of Computer Science, University of Texas

{paper.year}

Abstract
{prose(90)}

1. Introduction
{prose(900)}
We go on, {cited} and on.

2. Method
{prose(900)}

References
{references}
""".encode()


def answers(count: int, seed: int = 1) -> list[Answer]:
    """Return the responses of a crawl: papers, some copies, and some pages."""
    made = papers(count, seed)
    found: list[Answer] = []
    for n, paper in enumerate(made):
        body = printed(paper, made)
        found.append(Answer(f"http://www{n % 3}.example.edu/papers/{n}.txt", body))
        if n % 4 == 1:
            found.append(Answer(f"http://copies.example.org/{n}.txt", body))
        if n % 5 == 2:
            found.append(Answer(f"http://drafts.example.org/{n}.txt", printed(paper, made, seed=9)))
        if n % 3 == 0:
            page = f"<html lang=en><title>Group {n}</title><p>We are the group of {WORDS[n % 20]}."
            found.append(Answer(f"http://www.example.edu/group/{n}", page.encode(), "text/html"))
            found.append(Answer(f"http://www.example.edu/menu/{n}", b"<p>menu", "text/html", 0.0))
    found.append(Answer("http://www.example.edu/bad.pdf", b"%PDF-1.4 no", "application/pdf"))
    return found


def crawl(
    folder: Path, some: Iterable[Answer], *, topics: bool = True, **portal: object
) -> Project:
    """Add steps to the crawl in a folder; create the project if it does not exist."""
    folder.mkdir(parents=True, exist_ok=True)
    with SqliteStore.open(folder) as store:
        for step, each in enumerate(some, store.steps + 1):
            fetched = Response(
                each.url,
                BEGAN + timedelta(seconds=step),
                200,
                "HTTP/1.1 200 OK",
                ((b"Content-Type", each.type.encode()),),
                each.body,
            )
            store.add(step, each.url, fetched, reward=each.reward)
        store.commit()
    if not (folder / FILE).exists():
        if topics:
            (folder / "topics.txt").write_text(TOPICS)
            portal["topics"] = "topics.txt"
        project = Project.of_urls(
            folder, ["http://www.example.edu/"], "paper", contact="you@example.org"
        )
        object.__setattr__(project, "portal", Portal(**portal))
        project.write()
    return Project.load(folder)


TABLES = (
    "documents", "references_", "works", "copies", "cited", "citations", "authors", "authorship",
    "topics", "placed", "seminal", "classified", "moved", "indexed", "reindex", "meta",
)  # fmt: skip


def rows(folder: Path, *, but: Sequence[str] = ("built",)) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of all tables, except some values of meta."""
    database = sqlite3.connect(folder / "portal.db")
    try:
        found = {t: sorted(database.execute(f"SELECT * FROM {t}"), key=repr) for t in TABLES}
    finally:
        database.close()
    found["meta"] = [row for row in found["meta"] if row[0] not in but]
    return found


def query(folder: Path, text: str, *values: object) -> list[tuple]:
    database = sqlite3.connect(folder / "portal.db")
    try:
        return database.execute(text, values).fetchall()
    finally:
        database.close()


def searchable(folder: Path) -> list[str]:
    """Return the whole content of the index."""
    searcher = tantivy.Index(schema(), path=str(folder / "index")).searcher()
    found = searcher.search(tantivy.Query.all_query(), limit=1000).hits
    return sorted(repr(sorted(searcher.doc(place).to_dict().items())) for _, place in found)
