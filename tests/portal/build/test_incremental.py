"""Incremental builds: after any sequence of changes the portal is that of a full build."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

from bench import portal_build, portal_increment
from bench import references as made
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.portal.build.crawls import TOPICS, WORDS, rows, searchable

from lycosa import scratch
from lycosa.papers.matching import blocking, sorted_runs
from lycosa.portal.build import packed_members, topic_model
from lycosa.portal.build import topics as topic_tables
from lycosa.portal.build.build_state import FOLDER as STATES
from lycosa.portal.build.database import Database
from lycosa.portal.build.identity import document_id
from lycosa.portal.build.indexing import update_index
from lycosa.portal.build.pipeline import Builder
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.reading import ReadDocument, StoredReference
from lycosa.portal.corrections import Correction
from lycosa.project import Project
from lycosa.topics.hierarchy import Hierarchy

WORKS = made.works(6, seed=31)
TREE = Hierarchy.parse(TOPICS)
LABELS = {"authors": "author", "venue": "journal", "year": "date"}
DOCUMENTS = 7


def fields(given: dict[str, str], canonical: str = "") -> str:
    found = {LABELS.get(k, k): [[text, 0.95, 1, 1]] for k, text in given.items() if text}
    if canonical:
        found["canonical"] = [[canonical, 1.0, 1, 1]]
    return json.dumps(found)


def paper(number: int, variant: int) -> ReadDocument:
    """Return a paper; its variants have other references, and some another title or no text."""
    chance = Random(100 * number + variant)
    work = WORKS[(number + variant // 3) % len(WORKS)]
    names = ", ".join(f"{given} {family}" for given, family in work.authors)
    cited = []
    for n in range(chance.randrange(4)):
        other = chance.choice(WORKS)
        record = made.reference(chance, other, chance.randrange(len(other.versions)))
        contexts = json.dumps([f"as was shown before [{n + 1}] by {chance.choice(WORDS)} and more"])
        text = ". ".join(record.values())
        cited.append(StoredReference(n + 1, text, 9, n + 1, fields(record), contexts))
    title = work.title if variant != 2 else ""
    text = " ".join(chance.choices(WORDS, k=30))
    header = fields({"title": title, "authors": names, "year": "1997"})
    return ReadDocument(
        "paper", "text", 0.9, title, text[:60], "1997", "en", text, header, tuple(cited)
    )


def page(number: int, variant: int) -> ReadDocument:
    """Return a page; some have equal texts, and some name another URL."""
    text = f"Group of {WORDS[(number + variant) % 3]} and {WORDS[variant % 2]}"
    named = url(variant) if variant % 2 else ""
    return ReadDocument("page", "text", 0.1, text, "", "", "en", text, fields({}, named))


def url(number: int) -> str:
    return f"http://www.example.edu/{number}"


HIDDEN = ReadDocument("none", "noindex")
NUMBER = st.integers(0, DOCUMENTS - 1)
DOCUMENT = st.one_of(
    st.tuples(NUMBER, st.integers(0, 5)).map(lambda x: (x[0], paper(*x))),
    st.tuples(NUMBER, st.integers(0, 3)).map(lambda x: (x[0], page(*x))),
    st.tuples(NUMBER, st.just(HIDDEN)),
)
# The kind, the place of the work among all works, and that of the other one or of the value.
CORRECTION = st.tuples(
    st.sampled_from(
        ["title", "authors", "year", "same", "different", "topic", "same-author", "other-author"]
    ),
    st.integers(0, 30),
    st.integers(0, 30),
)
VALUES = {
    "title": [WORKS[0].title, WORKS[3].title, "Something else"],
    "authors": ["Ann Lee; Roe", "Bob Roe"],
    "year": ["1990", ""],
    "topic": ["learning", "systems/databases", "none"],
}
CHANGE = st.tuples(st.lists(DOCUMENT, max_size=4), st.lists(CORRECTION, max_size=1), st.booleans())


class Portal:
    """A portal whose documents are written without a crawl."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.step = 0
        self.corrections: list[Correction] = []

    def change(self, documents, corrections, withdraws) -> None:
        with Database.open(self.folder) as database:
            for number, read in documents:
                self.step += 1
                place = (self.step, url(number), "2026", "text/plain", 9, f"{self.step}", 1.0)
                database.add(document_id(url(number)), place, read)
            database.commit()
            ids = [row[0] for row in database.rows("SELECT id FROM works ORDER BY id")]
            authors = [row[0] for row in database.rows("SELECT id FROM authors ORDER BY id")]
        if withdraws and self.corrections:
            self.corrections = self.corrections[1:]
        for kind, one, two in corrections if ids else ():
            if kind.endswith("author") and not authors:
                continue
            values = VALUES.get(kind, authors if kind.endswith("author") else ids)
            named = authors if kind == "same-author" else ids
            subject, value = named[one % len(named)], values[two % len(values)]
            if kind == "other-author":
                value = f"{value} {value}-2" if one % 2 else f"{value} {authors[0]}"
            found = Correction(self.step, kind, subject, value, "")
            self.corrections = [*self.corrections, found]

    def build(self, folder: Path | None = None, topics: bool = True) -> None:
        folder = folder or self.folder
        project = Project.of_urls(folder, ["http://a.example/"], "paper", contact="a@example.org")
        tree = TREE if topics else None
        with Database.open(folder) as database:
            builder = Builder(project, database, tree, self.corrections, BuildProgress())
            builder.derive("some", self.step)
            update_index(database, BuildProgress())


def full(portal: Portal, before: Path, topics: bool) -> Path:
    """Build from all documents, in a copy of the portal before the change."""
    shutil.rmtree(before / STATES, ignore_errors=True)
    shutil.rmtree(before / "index", ignore_errors=True)
    portal.build(before, topics)
    return before


@settings(deadline=None, max_examples=6)
@given(
    st.lists(CHANGE, min_size=2, max_size=4),
    st.integers(1, 3),
    st.sampled_from([None, 1.0, 3.0, 3.0]),
    st.sampled_from([3, 1000]),
)
def test_incremental_builds_equal_full_ones(changes, block, growth, fitted):
    topics = growth is not None
    with (
        TemporaryDirectory() as name,
        patch.multiple(scratch, KEPT_BYTES=0, MIN_FILE_BYTES=0, PLACES_AT_ONCE=3),
        patch.object(packed_members, "PIECE_BYTES", 1000),
        patch.object(sorted_runs, "MERGED_AT_ONCE", 5),
        patch.multiple(topic_tables, MAX_FITTED_WORKS=fitted, CLASSIFIED_AT_ONCE=2),
        patch.object(blocking, "MAX_COMPARED_PER_BLOCK", block),
        patch.object(topic_model, "MIN_WORKS_KEPT", 0),
        patch.object(topic_model, "MAX_GROWTH", growth),
    ):
        portal = Portal(Path(name) / "portal")
        portal.folder.mkdir()
        for number, change in enumerate(changes):
            portal.change(*change)
            other = Path(name) / f"full{number}"
            shutil.copytree(portal.folder, other)
            portal.build(topics=topics)
            full(portal, other, topics)
            mine, others = (rows(each, but=("built", "title")) for each in (portal.folder, other))
            for table in mine:
                assert mine[table] == others[table], table
            assert searchable(portal.folder) == searchable(other)


def test_topics_do_not_depend_on_which_works_are_classified_together(tmp_path):
    """Works from which the model was learned differ, and so do their neighbours."""
    base, more = tmp_path / "base", tmp_path / "more"
    for part in (base, more):
        part.mkdir()
    portal_build.fill(base, 120, (more, 60))
    with (
        patch.object(portal_build, "JOBS", 1),
        patch.object(topic_tables, "MAX_FITTED_WORKS", 60),
        patch.object(topic_model, "MIN_WORKS_KEPT", 0),
        patch.object(topic_model, "MAX_GROWTH", 9.0),
    ):
        portal_build.build(base)
        portal_increment.add(base, more)
        placed = []
        for number in (1, 1000):
            other = tmp_path / f"by-{number}"
            shutil.copytree(base, other)
            with patch.object(topic_tables, "CLASSIFIED_AT_ONCE", number):
                portal_build.build(other)
            placed.append(rows(other)["placed"])
    assert placed[0] == placed[1]


def test_without_works_and_without_index_nothing_is_listed_as_indexed(tmp_path):
    portal = Portal(tmp_path)
    portal.change([(0, paper(0, 0))], [], False)
    portal.build(topics=False)
    assert rows(tmp_path)["indexed"]
    portal.change([(0, HIDDEN)], [], False)
    full(portal, tmp_path, topics=False)
    assert not rows(tmp_path)["indexed"]
