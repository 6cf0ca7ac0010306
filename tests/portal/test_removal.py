"""A removed work is in no page, answer, export, feed, term, file or backup made afterwards."""

import re

import pytest

from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.documents.conversion import conversion_key
from lycosa.portal.backup import back_up
from lycosa.portal.build import build_portal
from lycosa.portal.build.identity import document_id
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.corrections import Corrections
from lycosa.portal.excluding import Subject, exclude
from lycosa.portal.search import Engine
from lycosa.project import Project
from lycosa.project.audit_log import AuditLog
from lycosa.project.exclusions import Exclusions
from portal.build.crawls import Answer, Made, answers, crawl, papers, printed, query
from portal.removals import files_with
from portal.web.portal_client import connect

WORD = "zanzibarquux"
OTHER_WORD = "morwenstowian"
URL = "http://www0.example.edu/papers/secret.txt"
COPY = "http://copies.example.org/secret.txt"
SECRET = Made(f"The {WORD} of {OTHER_WORD} spiders", ("Wilhelmina Jabberwock",), 1995)
PAGES = (
    "/", f"/search?q={WORD}", "/search?q=spiders", "/search?q=zanzibarquu", "/topics", "/about",
    "/topic/learning", "/api", "/api/works?size=50", f"/api/search?q={WORD}",
    "/api/search?q=spiders&size=50", "/api/complete?q=zanz", "/api/suggestions?q=jabb",
    "/sitemap.xml", "/feed", "/export/works.jsonl", "/export/works.csv", "/export/works.bib",
    "/api/topics",
    "/oai?verb=ListRecords&metadataPrefix=oai_dc",
    "/oai?verb=ListIdentifiers&metadataPrefix=oai_dc",
    "/author/jabberwock-w", f"/document/{document_id(URL)}",
    f"/document/{document_id(URL)}/original",
)  # fmt: skip


def bodies(*, cited=False):
    made = papers(9)
    secret = printed(SECRET, [])
    more = (SECRET.reference,) if cited else ()
    citing = printed(made[8], made, more=more)
    return [
        *answers(3),
        Answer(URL, secret),
        Answer(COPY, secret),
        Answer("http://www1.example.edu/papers/8.txt", citing),
    ]


def made_portal(folder, **options):
    project = crawl(folder, bodies(**options))
    with SqliteStore.open(folder) as store:  # as a crawl whose goal reads documents leaves it
        for each in bodies(**options):
            store.keep_conversion(conversion_key(each.body, each.type), b"")
    build_portal(project)
    return project


def work_of(folder, url):
    return query(folder, "SELECT work FROM copies WHERE document = ?", document_id(url))[0][0]


def remove(folder, action="remove", subject=None, **options):
    work = work_of(folder, URL)
    with Exclusions.open(folder) as exclusions:
        subject = subject or Subject("work", work)
        done = exclude(folder, exclusions, action, subject, "Asked by its author.", **options)
    build_portal(Project.load(folder))
    return work, done


def assistant(client):
    """What an assistant is told that looks for the work."""
    tool = {"name": "search", "arguments": {"query": f"{OTHER_WORD} spiders"}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": tool}
    headers = {"Accept": "application/json, text/event-stream"}
    return client.ask("POST", "/mcp", json=call, headers=headers).text.lower()


@pytest.fixture
def client(tmp_path):
    """A client of a portal that is served all the time."""
    made_portal(tmp_path / "portal")
    with connect(tmp_path / "portal") as found:
        yield found


def test_a_removed_work_leaves_no_trace(tmp_path, client):
    folder = tmp_path / "portal"
    before = files_with(folder, WORD)
    assert {"archive/00001.warc.gz", "portal.db", "matching/1.arrays"} <= before
    assert any(name.startswith("index/") and name.endswith(".store") for name in before)
    pages = [client.get(path) for path in PAGES]
    assert [page.status_code for page in pages] == [200] * len(PAGES)
    assert sum(OTHER_WORD in page.text.lower() for page in pages) > 8
    assert "jabberwock" in assistant(client)
    work = work_of(folder, URL)
    with Corrections.open(folder) as corrections:
        corrections.add("title", work, f"A {WORD}")
    with Exclusions.open(folder) as exclusions:
        AuditLog(exclusions.database).record("owner", "correct title", work, "x", f"A {WORD}")
        exclude(folder, exclusions, "hide", Subject("work", work), "Perhaps.", teach=True)
    assert {"owner.db", "corrections.db"} <= files_with(folder, WORD)
    with Exclusions.open(folder) as exclusions:
        done = exclude(folder, exclusions, "remove", Subject("work", work), "Asked by its author.")
    assert (done.documents, done.works) == (2, 1)
    assert build_portal(Project.load(folder)).pending == 0

    back_up(folder, tmp_path / "backup.tar")
    for word in (WORD, OTHER_WORD, "jabberwock"):
        assert files_with(tmp_path, word) == set()
    for path in PAGES:
        text = client.get(path).text.lower()
        assert OTHER_WORD not in text, path
        assert "jabberwock" not in text.replace("author/jabberwock-w", ""), path
    assert client.get(f"/work/{work}").status_code == 404
    assert client.get(f"/document/{document_id(URL)}/original").status_code == 404
    records = client.get("/oai?verb=ListIdentifiers&metadataPrefix=oai_dc").text
    assert re.search(rf'<header status="deleted">\s*<identifier>[^<]*{work}<', records)
    assert "jabberwock" not in assistant(client)
    assert Engine.open(folder / "index").search(WORD).total == 0
    with Exclusions.open(folder) as exclusions:
        assert [one.label for one in exclusions.all()] == ["", ""]
        assert all(one.purged for one in exclusions.all() if one.action == "remove")
        assert [entry.action for entry in AuditLog(exclusions.database).entries()] == [
            "remove work", "hide work", "correct title",
        ]  # fmt: skip


def test_references_to_a_removed_work_stay_in_the_archive_alone(tmp_path):
    made_portal(tmp_path, cited=True)
    work, _ = remove(tmp_path)
    assert files_with(tmp_path, WORD) == {"archive/00001.warc.gz"}
    citing = document_id("http://www1.example.edu/papers/8.txt")
    listed = query(tmp_path, "SELECT number FROM references_ WHERE document = ?", citing)
    assert [number for (number,) in listed] == [1, 2, 3]
    # Neither a build of everything nor another paper that cites it brings it back.
    for path in (*tmp_path.glob("portal.db*"), *tmp_path.glob("matching/*")):
        path.unlink()
    newer = Made("Another study of the agents", ("Bob Roe",), 1999)
    body = printed(newer, [], more=(SECRET.reference, papers(3)[0].reference))
    project = crawl(tmp_path, [Answer("http://www2.example.edu/new.txt", body)])
    build_portal(project)
    assert files_with(tmp_path, WORD) == {"archive/00001.warc.gz"}
    assert query(tmp_path, "SELECT count(*) FROM works WHERE id = ?", work) == [(0,)]


def test_the_same_work_elsewhere_is_removed_when_it_comes(tmp_path):
    made_portal(tmp_path)
    remove(tmp_path)
    body = printed(SECRET, [], seed=3)  # another version: the header alone is the same
    project = crawl(tmp_path, [Answer("http://www2.example.edu/again.txt", body)])
    summary = build_portal(project)
    assert summary.read == {"excluded": 1}
    assert summary.pending == 1  # the page came after the purge
    assert build_portal(Project.load(tmp_path)).pending == 0
    assert files_with(tmp_path, WORD) == set()
    assert Project.load(tmp_path).job.blocked.covers("http://www2.example.edu/again.txt")


@pytest.mark.parametrize(
    "subject",
    [Subject("url", COPY), Subject("host", "example.edu"), Subject("author", "jabberwock-w")],
)
def test_what_is_hidden_comes_back_unchanged(tmp_path, subject):
    made_portal(tmp_path, cited=True)
    before = [(w.id, w.title, w.cited_by) for w in Catalogue.open(tmp_path).iter_works()]
    _, done = remove(tmp_path, "hide", subject)
    after = [(w.id, w.title, w.cited_by) for w in Catalogue.open(tmp_path).iter_works()]
    if subject.kind == "url":  # one copy of two
        assert after == before
        assert len(Catalogue.open(tmp_path).copies(work_of(tmp_path, URL))) == 1
    elif subject.kind == "host":
        assert not query(tmp_path, "SELECT 1 FROM documents WHERE url LIKE '%.example.edu/%'")
    else:
        assert not any(WORD in title.lower() for _, title, _ in after)
    with Exclusions.open(tmp_path) as exclusions:
        assert exclusions.undo(done.number)
    build_portal(Project.load(tmp_path))
    assert [(w.id, w.title, w.cited_by) for w in Catalogue.open(tmp_path).iter_works()] == before
    assert len(Catalogue.open(tmp_path).copies(work_of(tmp_path, URL))) == 2


def test_a_removal_waits_for_a_running_crawl(tmp_path):
    made_portal(tmp_path)
    with SqliteStore.open(tmp_path):
        remove(tmp_path)
        assert files_with(tmp_path, WORD) == {"archive/00001.warc.gz"}
    assert build_portal(Project.load(tmp_path)).pending == 0
    assert files_with(tmp_path, WORD) == set()
