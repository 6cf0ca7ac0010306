"""The sentences that cite a work, as its index entry has them."""

import shutil
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.portal.build.crawls import Answer, answers, crawl, papers, printed, query

from lycosa.portal.build import build_portal
from lycosa.portal.build.citing_sentences import (
    MAX_CHARACTERS,
    CitingSentences,
    CitingSentencesOfSome,
    join_contexts,
)
from lycosa.portal.build.database import Database
from lycosa.portal.build.indexing import _entries


def sentences(folder):
    """Return the citing sentences of every work that was found, by its title."""
    with Database.open(folder) as database:
        return {entry.title: entry.citing for entry, _, _ in _entries(database)}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("citing") / "portal"
    build_portal(crawl(folder, answers(8)))
    return folder


def test_a_work_has_the_sentences_that_cite_it(built):
    found = sentences(built)
    cited = {row[0] for row in query(built, "SELECT title FROM works WHERE cited_by > 0")}
    assert len(cited) > 3
    for title, text in found.items():
        assert ("as was shown before" in text) == (title in cited)


def test_sentences_do_not_depend_on_the_order_of_documents(built, tmp_path):
    shuffled = answers(8)
    Random(3).shuffle(shuffled)
    build_portal(crawl(tmp_path / "at-once", shuffled))
    for part in (shuffled[:5], shuffled[5:6], shuffled[6:]):
        build_portal(crawl(tmp_path / "step-by-step", part))
    expected = sentences(built)
    assert any(expected.values())
    assert sentences(tmp_path / "at-once") == expected
    assert sentences(tmp_path / "step-by-step") == expected


def test_a_new_citation_changes_the_entry_of_the_cited_work(tmp_path):
    made = papers(4)
    some = [Answer(f"http://a.example.edu/{n}.txt", printed(made[n], made)) for n in range(4)]
    project = crawl(tmp_path / "portal", some[:3])
    build_portal(project)
    before = sentences(project.folder)
    build_portal(crawl(project.folder, some[3:]))
    after = sentences(project.folder)
    changed = {title for title in before if after[title] != before[title]}
    assert changed
    digests = dict(query(project.folder, "SELECT work, digest FROM indexed"))
    assert all(digests.values())
    with Database.open(project.folder) as database:
        stamps = {entry.id: str(stamp) for entry, stamp, _ in _entries(database)}
    assert digests == stamps


def test_works_are_asked_for_in_the_order_of_their_ids(built):
    (ids,) = zip(*query(built, "SELECT DISTINCT work FROM cited ORDER BY work"), strict=True)
    with Database.open(built) as database:
        every, some, none = (CitingSentences(database) for _ in range(3))
        whole = {work: every.of(work) for work in ids}
        assert [some.of(work) for work in ids[1::2]] == [whole[work] for work in ids[1::2]]
        assert none.of("zzz") == ""
        assert some.of("zzz") == "", "the query is read to its end"


def test_sentences_of_some_works_are_those_of_all(built):
    (ids,) = zip(*query(built, "SELECT DISTINCT work FROM cited ORDER BY work"), strict=True)
    with Database.open(built) as database:
        every, some = CitingSentences(database), CitingSentencesOfSome(database)
        whole = {work: every.of(work) for work in ids}
        assert any(whole.values())
        assert {work: some.of(work) for work in reversed(ids)} == whole
        assert some.of("zzz") == ""


@given(st.lists(st.text("ab c", max_size=60)))
def test_contexts_are_joined_once_each(contexts):
    text = join_contexts(contexts)
    lines = text.split("\n") if text else []
    assert len(set(lines)) == len(lines)
    assert set(lines) == {" ".join(each.split()[1:-1]) for each in contexts} - {""}


@given(st.lists(st.text("abc ", min_size=500, max_size=5000), max_size=20))
def test_sentences_are_bounded(contexts):
    assert len(join_contexts(contexts)) <= MAX_CHARACTERS


def test_damaged_contexts_are_no_sentences(built, tmp_path):
    shutil.copytree(built, tmp_path / "portal")
    with Database.open(tmp_path / "portal") as database:
        for damaged in ("{", "null", "[1, null]", '{"a": 1}'):
            database._execute("UPDATE references_ SET contexts = ?", damaged)
            assert not any(entry.citing for entry, _, _ in _entries(database))
