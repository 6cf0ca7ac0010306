"""Builds from a crawl, and incremental builds."""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from tests.portal.build.crawls import (
    Answer,
    answers,
    crawl,
    papers,
    printed,
    query,
    rows,
    searchable,
)

from lycosa.errors import StoreError, UsageError
from lycosa.portal.build import BuildProgress, build_portal, pipeline, reading
from lycosa.portal.build.database import Database
from lycosa.portal.build.identity import document_id
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.corrections import Corrections
from lycosa.portal.search.engine import Engine
from lycosa.portal.search.entry import IndexEntry
from lycosa.portal.search.index import SIGNATURE, Index
from lycosa.project import Project
from lycosa.project.sections import Portal
from small_disk import small_disk

MADE = papers(8)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("portal") / "spiders"
    return folder, build_portal(crawl(folder, answers(8), title="Spiders & co."))


@pytest.fixture
def portal(built, tmp_path):
    """A copy of the portal that may be changed."""
    shutil.copytree(built[0], tmp_path / "portal")
    return tmp_path / "portal"


def work_of(folder, url):
    found = query(folder, "SELECT work FROM copies WHERE document = ?", document_id(url))
    return found[0][0] if found else None


def paper_url(n):
    return f"http://www{n % 3}.example.edu/papers/{n}.txt"


def add_corrections(folder, *corrections):
    with Corrections.open(folder) as kept:
        return [kept.add(*each) for each in corrections]


def rebuilt(folder):
    return build_portal(Project.load(folder))


# A first build


def test_every_rewarded_page_is_a_document_with_an_outcome(built):
    folder, summary = built
    assert summary.read == {"damaged": 1, "text": 15}
    assert summary.holdings.documents == 16
    found = query(folder, "SELECT url, kind FROM documents WHERE outcome != 'text'")
    assert found == [("http://www.example.edu/bad.pdf", "none")]
    assert not query(folder, "SELECT 1 FROM documents WHERE url LIKE '%menu%'")


def test_copies_and_drafts_are_one_work_named_by_the_first(built):
    folder, summary = built
    assert summary.holdings.works == {"page": 3, "paper": 8}
    for n, other in ((1, "copies"), (5, "copies"), (2, "drafts"), (7, "drafts")):
        work = work_of(folder, paper_url(n))
        assert work == "w" + document_id(paper_url(n))[1:]
        assert work == work_of(folder, f"http://{other}.example.org/{n}.txt")


def test_finds_citations(built):
    folder, _ = built
    works = [work_of(folder, paper_url(n)) for n in range(8)]
    truth = {(works[n], works[other]) for n, made in enumerate(MADE) for other in made.cites}
    assert set(query(folder, "SELECT citing, cited FROM citations")) == truth
    for n, work in enumerate(works):
        cited_by = sum(n in made.cites for made in MADE)
        ((found, cites),) = query(folder, "SELECT cited_by, cites FROM works WHERE id = ?", work)
        assert (found, cites) == (cited_by, len(MADE[n].cites))


def test_fields_have_a_confidence_and_a_source(built):
    folder, _ = built
    for n, made in enumerate(MADE):
        work = work_of(folder, paper_url(n))
        ((title, year, facts),) = query(
            folder, "SELECT title, year, facts FROM works WHERE id = ?", work
        )
        assert (title, year) == (made.title, made.year)
        known = json.loads(facts)
        assert known["title"][2] == "header"
        assert all(0 < sure <= 1 for _, sure, _ in known.values())
        names = query(folder, "SELECT name FROM authorship WHERE work = ? ORDER BY position", work)
        assert tuple(name for (name,) in names) == made.authors


def test_all_foreign_keys_exist(built):
    folder, _ = built
    database = sqlite3.connect(folder / "portal.db")
    try:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        database.close()


def test_topics_count_their_works(built):
    folder, _ = built
    topics = dict(query(folder, "SELECT id, works FROM topics"))
    assert list(topics) == [
        "learning", "systems", "systems/databases", "systems/operating-systems"
    ]  # fmt: skip
    for topic, count in topics.items():
        inside = "SELECT count(DISTINCT work) FROM placed WHERE topic = ?1 OR topic LIKE ?1 || '/%'"
        assert query(folder, inside, topic) == [(count,)]
    assert sum(topics.values()) > 8
    assert query(folder, "SELECT count(*) FROM seminal")[0][0] > 0


def test_the_catalogue_reads_what_was_built(built):
    folder, _ = built
    catalogue = Catalogue.open(folder)
    assert catalogue.meta["title"] == "Spiders & co."
    assert catalogue.generation == "1"
    engine = Engine.open(folder / "index")
    [hit, *_] = engine.search("spiders that learn").hits
    work = catalogue.work(hit.id)
    assert work is not None
    assert work.title == MADE[0].title
    # Others by Stone have the word in the sentences that cite them, which quotes do not search.
    found = [catalogue.work(hit.id) for hit in engine.search("databases author:stone").hits]
    assert found[0].title == "Databases without any locks at all"
    assert all("David Stone" in [author.name for author in each.authors] for each in found)
    assert engine.search('"databases" author:stone').total == 1


# The next build


def test_a_build_without_news_does_nothing(portal):
    before = rows(portal, but=())
    summary = rebuilt(portal)
    assert summary.nothing_new
    assert rows(portal, but=()) == before


def test_reads_only_new_documents_and_indexes_only_changed_works(portal, monkeypatch):
    bodies = []
    read = reading._read
    monkeypatch.setattr(reading, "_read", lambda *a: bodies.append(a) or read(*a))
    page = Answer("http://new.example.org/", b"<title>New</title><p>Something new.", "text/html")
    twin = replace(page, url="http://twin.example.org/")
    crawl(portal, [page, twin])
    summary = rebuilt(portal)
    assert summary.read == {"text": 2}
    assert len(bodies) == 1, "equal bodies are read once"
    assert (summary.added, summary.removed) == (1, 0)
    assert Engine.open(portal / "index").search("something new").total == 1
    again = replace(page, url="http://third.example.org/")
    crawl(portal, [again])
    rebuilt(portal)
    assert len(bodies) == 1, "also by a later build"


def test_two_builds_equal_one(portal, tmp_path):
    more = answers(12)[16:]
    crawl(portal, more)
    rebuilt(portal)
    whole = tmp_path / "whole"
    build_portal(crawl(whole, [*answers(8), *more], title="Spiders & co."))
    mine, other = rows(portal), rows(whole)
    for table in set(mine) - {"meta", "moved", "indexed"}:
        assert mine[table] == other[table], table
    # Entries have the time at which a work was found; their texts must be the same.
    texts = [[(work, stamp.split()[1]) for work, stamp in one["indexed"]] for one in (mine, other)]
    assert texts[0] == texts[1]


def test_uses_the_latest_visit_of_a_url(portal):
    made = replace(MADE[0], title="Flies that are hard to catch")
    crawl(portal, [Answer(paper_url(0), printed(made, MADE))])
    rebuilt(portal)
    ((title,),) = query(
        portal, "SELECT title FROM documents WHERE id = ?", document_id(paper_url(0))
    )
    assert title == made.title
    # What cited the old paper does not cite the new one.
    work = work_of(portal, paper_url(0))
    assert query(portal, "SELECT cited_by FROM works WHERE id = ?", work) == [(0,)]


def test_a_work_named_by_a_reference_keeps_its_old_link(tmp_path):
    """First it is only cited, then it is found, then the citing paper no longer cites it."""
    citing, cited = replace(MADE[1], cites=(0,)), MADE[0]
    folder = tmp_path / "p"
    build_portal(crawl(folder, [Answer(paper_url(1), printed(citing, MADE))]))
    ((early,),) = query(folder, "SELECT id FROM works WHERE kind = 'cited'")
    crawl(folder, [Answer(paper_url(0), printed(cited, MADE))])
    rebuilt(folder)
    assert work_of(folder, paper_url(0)) == early
    assert query(folder, "SELECT kind FROM works WHERE id = ?", early) == [("paper",)]
    crawl(folder, [Answer(paper_url(1), printed(replace(citing, cites=(2,)), MADE))])
    rebuilt(folder)
    late = work_of(folder, paper_url(0))
    assert late == "w" + document_id(paper_url(0))[1:]
    assert query(folder, "SELECT old, new FROM moved") == [(early, late)]
    crawl(folder, [Answer(paper_url(9), printed(MADE[3], MADE))])
    rebuilt(folder)
    assert query(folder, "SELECT old, new FROM moved") == [(early, late)], "for ever"


def test_several_processes_build_the_same_portal(built, tmp_path, monkeypatch):
    monkeypatch.setattr(pipeline, "MIN_PARALLEL_DOCUMENTS", 0)
    project = crawl(tmp_path / "p", answers(8), title="Spiders & co.")
    build_portal(project, jobs=2)
    assert rows(tmp_path / "p") == rows(built[0])


def test_another_title_or_tree_makes_a_new_state(portal):
    project = Project.load(portal)
    project = replace(project, portal=Portal("Another", topics="local-government"))
    summary = build_portal(project)
    assert summary.derived
    assert not summary.read
    assert Catalogue.open(portal).meta["title"] == "Another"
    assert len(query(portal, "SELECT id FROM topics")) > 4


def test_rebuilds_a_lost_index(portal):
    shutil.rmtree(portal / "index")
    summary = rebuilt(portal)
    assert summary.added == 11
    assert Engine.open(portal / "index").search("spiders").total > 0


def test_rebuilds_an_index_with_other_fields_from_the_tables(portal):
    before = searchable(portal)
    facts = json.loads((portal / "index" / "meta.json").read_text())
    facts["schema"] = [field for field in facts["schema"] if field["name"] != "prior"]
    (portal / "index" / "meta.json").write_text(json.dumps(facts))
    (portal / "index" / SIGNATURE).unlink()
    summary = rebuilt(portal)
    assert summary.anew
    assert not summary.read
    assert not summary.derived
    assert summary.added == len(before)
    assert searchable(portal) == before
    assert rebuilt(portal).nothing_new


def test_an_index_of_another_layout_version_answers_until_it_is_rebuilt(portal):
    before = searchable(portal)
    (portal / "index" / SIGNATURE).write_text("that of another time")
    old = Index.open(portal / "index")
    old.update([IndexEntry("gone", "paper", "Spiders that are gone")])
    old.commit()
    seen = []

    class Looking(BuildProgress):
        def advance(self, parts=1):
            seen.append(Engine.open(portal / "index").search("+spiders +gone").total)

    summary = build_portal(Project.load(portal), progress=Looking())
    assert summary.anew
    assert set(seen) == {1}
    assert searchable(portal) == before
    assert rebuilt(portal).nothing_new


def test_marks_of_a_killed_build_do_not_hide_a_lost_index(portal):
    before = searchable(portal)
    with closing(sqlite3.connect(portal / "portal.db")) as database, database:
        database.execute(
            "UPDATE indexed SET digest = '' WHERE work = (SELECT min(work) FROM indexed)"
        )
    shutil.rmtree(portal / "index")
    rebuilt(portal)
    assert searchable(portal) == before


# Corrections


def test_corrections_override_what_was_read(portal):
    work = work_of(portal, paper_url(3))
    add_corrections(
        portal,
        ("title", work, "Another title altogether"),
        ("authors", work, "Zoë Quill; van der Berg, Ida"),
        ("year", work, "1981"),
        ("venue", work, "Journal of Corrections"),
    )
    rebuilt(portal)
    found = query(portal, "SELECT title, year, date, venue, facts FROM works WHERE id = ?", work)
    title, year, date, venue, facts = found[0]
    assert (title, year, date) == ("Another title altogether", 1981, "1981")
    assert venue == "Journal of Corrections"
    assert json.loads(facts)["title"] == ["Another title altogether", 1.0, "person"]
    assert json.loads(facts)["authors"] == ["Zoë Quill; Ida van der Berg", 1.0, "person"]
    names = query(portal, "SELECT author FROM authorship WHERE work = ? ORDER BY position", work)
    assert names == [("quill-z",), ("van-der-berg-i",)]
    assert Engine.open(portal / "index").search('title:"another title"').total == 1


def test_the_latest_correction_wins_and_can_be_withdrawn(portal):
    work = work_of(portal, paper_url(3))
    before = rows(portal, but=("built", "generation", "indexed", "state"))
    _, second = add_corrections(portal, ("year", work, "1981"), ("year", work, "1982"))
    rebuilt(portal)
    assert query(portal, "SELECT year FROM works WHERE id = ?", work) == [(1982,)]
    with Corrections.open(portal) as kept:
        kept.undo(second)
    rebuilt(portal)
    assert query(portal, "SELECT year FROM works WHERE id = ?", work) == [(1981,)]
    with Corrections.open(portal) as kept:
        kept.undo(kept.all()[0].id)
    rebuilt(portal)
    assert rows(portal, but=("built", "generation", "indexed", "state")) == before


def test_merges_works_that_are_the_same_and_redirects_old_links(portal):
    one, two = work_of(portal, paper_url(3)), work_of(portal, paper_url(4))
    add_corrections(portal, ("same", two, one))
    rebuilt(portal)
    assert work_of(portal, paper_url(3)) == work_of(portal, paper_url(4)) == one
    assert query(portal, "SELECT old, new FROM moved") == [(two, one)]
    assert query(portal, "SELECT count(*) FROM copies WHERE work = ?", one) == [(2,)]
    with Corrections.open(portal) as kept:
        kept.undo(kept.all()[0].id)
    rebuilt(portal)
    assert work_of(portal, paper_url(4)) == two
    assert query(portal, "SELECT * FROM moved") == []


def test_splits_copies_that_are_different(portal):
    one, two = paper_url(2), "http://drafts.example.org/2.txt"
    work = work_of(portal, one)
    assert work == work_of(portal, two)
    add_corrections(portal, ("different", work, document_id(two)))
    rebuilt(portal)
    assert work_of(portal, one) == work
    assert work_of(portal, two) == "w" + document_id(two)[1:]
    # Who says first that they are different and then that they are the same means the latter.
    add_corrections(portal, ("same", work, document_id(two)))
    rebuilt(portal)
    assert work_of(portal, one) == work_of(portal, two) == work


def test_splits_a_document_from_the_work_named_by_it(portal):
    one, two = paper_url(2), "http://drafts.example.org/2.txt"
    work = work_of(portal, one)
    assert work == "w" + document_id(one)[1:]
    add_corrections(portal, ("different", work, document_id(one)))
    rebuilt(portal)
    assert work_of(portal, one) != work_of(portal, two)


def test_a_correction_may_remove_the_year(portal):
    work = work_of(portal, paper_url(3))
    add_corrections(portal, ("year", work, ""))
    rebuilt(portal)
    assert query(portal, "SELECT year, date FROM works WHERE id = ?", work) == [(None, "")]


def test_a_corrected_title_matches_its_references(tmp_path):
    """References match a paper whose header was misread once its title is corrected."""
    wrong = replace(MADE[0], title="Zzyzx quux blorb gnarf")
    bodies = [printed(wrong, MADE), printed(MADE[1], MADE), printed(MADE[2], MADE)]
    assert 0 in MADE[1].cites
    folder = tmp_path / "p"
    project = crawl(folder, [Answer(paper_url(n), body) for n, body in enumerate(bodies)])
    build_portal(project)
    work = work_of(folder, paper_url(0))
    assert query(folder, "SELECT cited_by FROM works WHERE id = ?", work) == [(0,)]
    add_corrections(folder, ("title", work, MADE[0].title))
    rebuilt(folder)
    work = work_of(folder, paper_url(0))
    assert query(folder, "SELECT cited_by FROM works WHERE id = ?", work)[0][0] > 0


def test_a_corrected_topic_is_kept_and_learned_from(portal):
    work = work_of(portal, paper_url(3))
    others = "SELECT * FROM placed WHERE work != ? ORDER BY work, topic"
    before = query(portal, others, work)
    mine = "SELECT topic, sure FROM placed WHERE work = ?"
    leaves = ["learning", "systems/databases", "systems/operating-systems"]
    topic = min(leaves, key=lambda each: dict(query(portal, mine, work)).get(each, 0.0))
    add_corrections(
        portal, ("topic", work, topic), ("topic", work_of(portal, paper_url(4)), "nowhere")
    )
    rebuilt(portal)
    assert query(portal, mine, work) == [(topic, 1.0)]
    assert query(portal, others, work) != before
    assert query(portal, "SELECT count(*) FROM placed WHERE topic = 'nowhere'") == [(0,)]


def test_a_correction_of_an_unknown_work_changes_nothing(portal):
    before = rows(portal, but=("built", "generation", "indexed", "state"))
    add_corrections(
        portal, ("title", "wnothing", "X"), ("same", "wnothing", work_of(portal, paper_url(1)))
    )
    rebuilt(portal)
    assert rows(portal, but=("built", "generation", "indexed", "state")) == before


# Refusals and failures


def test_explains_a_folder_without_a_crawl(tmp_path):
    project = crawl(tmp_path, [])
    (tmp_path / "crawl.db").unlink()
    with pytest.raises(UsageError, match="run lycosa crawl"):
        build_portal(project)


def test_builds_an_empty_portal_from_an_empty_crawl(tmp_path):
    summary = build_portal(crawl(tmp_path, []))
    assert summary.holdings.documents == 0
    assert Catalogue.open(tmp_path).counts() == {}


def test_names_a_missing_tree(tmp_path):
    project = crawl(tmp_path, [], topics=False)
    with pytest.raises(UsageError, match=r"none\.txt.*computer-science"):
        build_portal(replace(project, portal=Portal(topics="none.txt")))


def test_refuses_a_foreign_or_newer_database(tmp_path):
    project = crawl(tmp_path, [])
    with sqlite3.connect(tmp_path / "portal.db") as foreign:
        foreign.execute("CREATE TABLE people (name)")
    foreign.close()
    with pytest.raises(UsageError, match="is not a portal: move it elsewhere"):
        build_portal(project)
    (tmp_path / "portal.db").unlink()
    build_portal(project)
    with sqlite3.connect(tmp_path / "portal.db") as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(UsageError, match="newer Lycosa"):
        build_portal(project)
    (tmp_path / "portal.db").write_bytes(b"this is no database, however long it may be " * 100)
    with pytest.raises(StoreError, match="delete it and build again"):
        build_portal(project)


def test_one_build_at_a_time(portal):
    with Database.open(portal), pytest.raises(UsageError, match="Another build of"):
        rebuilt(portal)


def test_explains_a_full_disk_and_continues_with_room(tmp_path):
    with small_disk(tmp_path / "disk", "3m") as disk:
        project = crawl(disk / "p", answers(8))
        room = shutil.disk_usage(disk).free
        (disk / "ballast").write_bytes(bytes(room - 300_000))
        with pytest.raises(StoreError, match="is full: make room"):
            build_portal(project)
        (disk / "ballast").unlink()
        build_portal(project)
        shutil.copytree(disk / "p", tmp_path / "copy")
    calm = tmp_path / "calm"
    build_portal(crawl(calm, answers(8)))
    mine, other = rows(tmp_path / "copy"), rows(calm)
    for table in set(mine) - {"meta"}:
        assert mine[table] == other[table], table
