import sqlite3
import threading
from contextlib import closing

import pytest

from lycosa.errors import UsageError
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.read_only import ReadOnlyDatabase
from lycosa.portal.schema import SCHEMA
from portal.sample import ABSENT, MOVED, NASTY, document_id, kind_of, sample, title_of, work_id


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return sample(tmp_path_factory.mktemp("portal"))


@pytest.fixture(scope="module")
def catalogue(folder):
    return Catalogue.open(folder)


def test_returns_works_in_the_given_order_with_authors_and_topics(catalogue):
    wanted = [work_id(7), ABSENT, work_id(3), work_id(7)]
    assert [work.id for work in catalogue.works(wanted)] == [work_id(7), work_id(3), work_id(7)]
    work = catalogue.work(work_id(5))
    assert (work.title, work.byline, work.year) == (title_of(5), "Fu Zhang, Carla Díaz", 1995)
    assert [placed.confidence for placed in work.topics] == [0.9, 0.4]
    assert work.facts["title"].source == work.document == document_id(5)
    assert work.url.endswith("/papers/5.pdf")


def test_a_work_that_is_only_cited_has_no_copy(catalogue):
    work = catalogue.work(work_id(50))
    assert (work.kind, work.url, work.document) == ("cited", "", "")
    assert catalogue.copies(work.id) == []


def test_keeps_strings_unchanged(catalogue):
    assert [catalogue.work(work_id(30 + k)).title for k in range(len(NASTY))] == NASTY


def test_returns_none_for_unknown_ids(catalogue):
    assert catalogue.work(ABSENT) is catalogue.document(ABSENT) is catalogue.topic("x") is None
    assert catalogue.author("x") is catalogue.moved(ABSENT) is None
    assert catalogue.cites(ABSENT) == catalogue.cited_by(ABSENT) == catalogue.cocited(ABSENT) == []
    assert catalogue.moved(MOVED) == work_id(0)


def test_citations_have_text_and_contexts(catalogue):
    cited = catalogue.cites(work_id(20))
    assert [one.work.id for one in cited] == [work_id(n) for n in (19, 18, 15, 50)]
    assert [one.number for one in cited] == [1, 2, 3, 4]
    assert cited[0].contexts == ("As was shown before [1], spiders learn <fast> & well.",)
    assert {one.work.id for one in catalogue.cited_by(work_id(20))} == {
        work_id(n) for n in (21, 22, 25)
    }
    assert catalogue.cites(work_id(20), limit=2, offset=1) == cited[1:3]


def test_co_citation_equals_a_direct_count(catalogue):
    everything = {w.id: {c.work.id for c in catalogue.cites(w.id)} for w in catalogue.iter_works()}
    for number in (10, 50):
        own = work_id(number)
        together = {
            other: sum(own in cited and other in cited for cited in everything.values())
            for other in everything
            if other != own
        }
        best = sorted(((-n, other) for other, n in together.items() if n))[:10]
        assert [(-n, w.id) for w, n in catalogue.cocited(own)] == best
        coupled = {o: len(everything[own] & cited) for o, cited in everything.items() if o != own}
        best = sorted((-n, other) for other, n in coupled.items() if n)[:10]
        assert [(-n, w.id) for w, n in catalogue.coupled(own)] == best


def test_neighbourhood_has_neighbours_and_the_citations_among_them(catalogue):
    nodes, edges = catalogue.neighbourhood(work_id(20))
    ids = [node.id for node in nodes]
    assert ids[0] == work_id(20)
    assert set(ids) == {work_id(n) for n in (20, 19, 18, 15, 50, 21, 22, 25)}
    assert (work_id(21), work_id(19)) in edges
    assert all(one in ids and other in ids for one, other in edges)
    assert len(catalogue.neighbourhood(work_id(20), limit=3)[0]) == 4


def test_topics_include_the_works_of_their_descendants(catalogue):
    tree = catalogue.topics()
    assert [topic.depth for topic in tree] == [0, 1, 1, 0, 1]
    top = catalogue.topic("machine-learning")
    below = {w.id for t in tree[1:3] for w in catalogue.topic_works(t.id, limit=100)}
    for order in ("cited", "new"):
        assert {w.id for w in catalogue.topic_works(top.id, order, limit=100)} == below
    assert len(below) == top.works
    cited = [work.cited_by for work in catalogue.topic_works(top.id)]
    assert cited == sorted(cited, reverse=True)
    assert len(catalogue.topic_works(top.id, "seminal")) == 5
    with pytest.raises(UsageError, match="cited, new or seminal"):
        catalogue.topic_works(top.id, "title; DROP TABLE works")


def test_both_query_plans_list_the_same_works_of_a_topic(catalogue, monkeypatch):
    for topic in catalogue.topics():
        for order in ("cited", "new"):
            found = []
            for fills in (True, False):
                monkeypatch.setattr(Catalogue, "_is_scan_faster", lambda *_, fills=fills: fills)
                found.append([catalogue.topic_works(topic.id, order, 7, start) for start in (0, 7)])
            assert found[0] == found[1]
            assert found[0][0]


def test_lists_works_between_two_ids(catalogue):
    every = list(catalogue.iter_works())
    ids = [work.id for work in every]
    for kinds in ((), ("paper",), ("page", "cited")):
        known = [work for work in every if not kinds or work.kind in kinds]
        for after, before in (("", ""), (ids[9], ""), ("", ids[40]), (ids[9], ids[40])):
            between = [w for w in known if w.id > after and (not before or w.id < before)]
            wanted = between[-5:] if before and not after else between[:5]
            assert catalogue.list_works(*kinds, after=after, before=before, limit=5) == wanted


def test_work_ids_are_those_of_found_works(catalogue):
    names = catalogue.work_ids(100)
    assert sorted(names) == sorted(work_id(n) for n in range(50))
    assert catalogue.work_ids(7, 40) == names[40:47]


def test_references_are_the_ids_of_cited_works(catalogue):
    found = catalogue.references([work_id(20), work_id(50), ABSENT])
    assert found == {
        work_id(20): sorted(work_id(n) for n in (19, 18, 15, 50)),
        work_id(50): [],
        ABSENT: [],
    }
    assert catalogue.times([document_id(7), ABSENT]) == {document_id(7): "2026-01-01T00:07:00Z"}


def test_authors_have_works_and_coauthors(catalogue):
    author = catalogue.author("diaz-c")
    works = catalogue.author_works("diaz-c", limit=100)
    assert author.name == "Carla Díaz"
    assert all("Carla Díaz" in work.byline for work in works)
    assert len(works) == catalogue.author_total("diaz-c")
    for other, count in catalogue.coauthors("diaz-c"):
        assert count == sum(other.name in work.byline for work in works) > 0


def test_iterates_over_every_work_once_in_the_order_of_ids(catalogue, monkeypatch):
    monkeypatch.setattr("lycosa.portal.catalogue.WORKS_PER_QUERY", 7)
    ids = [work.id for work in catalogue.iter_works()]
    assert ids == sorted(work_id(n) for n in range(60))
    papers = sorted(work_id(n) for n in range(60) if kind_of(n) == "paper")
    assert [work.id for work in catalogue.iter_works("paper")] == papers
    assert [work.id for work in catalogue.iter_works("paper", start=papers[4])] == papers[5:]
    assert catalogue.counts() == {"paper": 40, "page": 10, "cited": 10}


def test_each_thread_has_a_connection(catalogue):
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(catalogue.work(work_id(1)).title))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [title_of(1)] * 4


def test_sees_a_new_state_and_cannot_write(tmp_path):
    catalogue = Catalogue.open(sample(tmp_path))
    before = catalogue.generation
    with closing(sqlite3.connect(tmp_path / "portal.db")) as database, database:
        database.execute("UPDATE meta SET value = '2' WHERE key = 'generation'")
    database.close()
    assert catalogue.generation != before
    with pytest.raises(sqlite3.OperationalError):
        catalogue._database.all("DELETE FROM works")


def test_no_query_scans_a_whole_table(folder, catalogue, monkeypatch):
    """Except those about all works, and about topics, of which there are few."""
    queries = []
    real = ReadOnlyDatabase.all

    def watched(self, query, *values):
        queries.append((query, values))
        return real(self, query, *values)

    monkeypatch.setattr(ReadOnlyDatabase, "all", watched)
    monkeypatch.setattr(ReadOnlyDatabase, "one", lambda *a: next(iter(watched(*a)), None))
    own = work_id(20)
    catalogue.work(own), catalogue.copies(own), catalogue.document(document_id(1))
    catalogue.cites(own), catalogue.cited_by(own), catalogue.cocited(own), catalogue.coupled(own)
    catalogue.neighbourhood(own), catalogue.author("lee-a"), catalogue.author_works("lee-a")
    catalogue.coauthors("lee-a"), catalogue.topic("x"), catalogue.topic_works("x")
    catalogue.most_cited(), catalogue.newest(), catalogue.work_ids(9), catalogue.counts()
    catalogue.topic_works("machine-learning"), catalogue.references([own])
    catalogue.list_works("paper", after=own), catalogue.list_works("paper", "page", before=own)
    catalogue.author_total("lee-a"), catalogue.times([document_id(1)])
    monkeypatch.setattr(Catalogue, "_is_scan_faster", lambda *_: True)
    catalogue.topic_works("machine-learning")
    with closing(sqlite3.connect(folder / "portal.db")) as database, database:
        for query, values in queries:
            for *_, detail in database.execute(f"EXPLAIN QUERY PLAN {query}", values):
                table = detail.split()[1] if detail.startswith("SCAN") else ""
                free = not table.isidentifier() or ("USING" in detail and "works_" in detail)
                assert not table or free or table in ("topics", "found"), (detail, query)
    database.close()


def test_refuses_what_is_not_a_portal(tmp_path):
    with pytest.raises(UsageError, match="lycosa build"):
        Catalogue.open(tmp_path)
    path = tmp_path / "portal.db"
    path.write_bytes(b"this is no database at all, but it is long enough to look at" * 20)
    with pytest.raises(UsageError, match="build it again"):
        Catalogue.open(tmp_path)
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.executescript("CREATE TABLE other (x)")
    with pytest.raises(UsageError, match="not a portal"):
        Catalogue.open(tmp_path)
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(SCHEMA + "PRAGMA user_version = 99")
    with pytest.raises(UsageError, match="format 99"):
        Catalogue.open(tmp_path)
