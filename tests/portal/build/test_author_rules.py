"""What authors ask for, in the portal: noindex pages, canonical URLs."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.portal.build.crawls import query

from lycosa.crawler.http.dict_fetcher import DictFetcher
from lycosa.crawler.http.response import Response
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.goals import Query
from lycosa.portal.build import build_portal
from lycosa.portal.build.canonical_pages import share_of_words
from lycosa.portal.build.identity import document_id
from lycosa.portal.catalogue import Catalogue
from lycosa.project import Project
from lycosa.spiders import BreadthFirst

HOME = "http://lab.example/"
STORY = " ".join(f"word{n}" for n in range(60))


def page(path, head="", text="", headers=()):
    body = f"<html><head><title>Spider {path}</title>{head}</head><body><p>A spider. {text}"
    kept = ((b"Content-Type", b"text/html"), *headers)
    return Response(HOME + path, datetime.now(UTC), 200, "HTTP/1.1 200 OK", kept, body.encode())


def canonical(path):
    return f'<link rel="canonical" href="/{path}">'


def site(*pages):
    """Return the pages of a site by URL, with a home page that links to them."""
    listed = "".join(f"<a href={page.url}>{page.url}</a> " for page in pages)
    home = Response(
        HOME, datetime.now(UTC), 200, "HTTP/1.1 200 OK", ((b"Content-Type", b"text/html"),),
        f"<title>Home</title>{listed}".encode(),
    )  # fmt: skip
    return {page.url: page for page in (home, *pages)}


def tag(value):
    return ((b"X-Robots-Tag", value),)


@pytest.fixture
def project(tmp_path):
    project = Project.of_urls(tmp_path, [HOME], "spider", contact="you@example.org")
    project.write()
    return Project.load(tmp_path)


def crawl(project, pages, **options):
    job = replace(project.job, pace=Pace(delay=0.0), **options)

    async def run():
        live = LiveCrawl(
            job,
            BreadthFirst(),
            Query("spider"),
            SqliteStore.open(project.folder),
            DictFetcher(pages),
        )
        return [step.page.url async for step in live]

    return asyncio.run(run())


def shown(project):
    """Return the URLs of the documents of works, and how many copies each has."""
    works = (
        "SELECT url, (SELECT count(*) FROM copies WHERE work = works.id) FROM works "
        "JOIN documents ON documents.id = works.document ORDER BY url"
    )
    return [(url.removeprefix(HOME), copies) for url, copies in query(project.folder, works)]


def test_pages_marked_noindex_are_not_shown(project):
    marked = [
        page("meta", '<meta name="robots" content="noindex">'),
        page("named", '<meta name="lycosa" content="none">', "1"),
        page("tag", text="2", headers=tag(b"noindex")),
        page("tags", text="3", headers=(*tag(b"otherbot: nofollow"), *tag(b"lycosa: noindex"))),
    ]
    others = [
        page("other", '<meta name="otherbot" content="noindex">', "4"),
        page("tagged", text="5", headers=tag(b"otherbot: noindex")),
        page("same", text="2"),  # the body of a page that is marked by its server
    ]
    assert len(crawl(project, site(*marked, *others))) == 8
    summary = build_portal(project)
    assert shown(project) == [("other", 1), ("same", 1), ("tagged", 1)]
    assert summary.read == {"noindex": 4, "text": 3}
    assert build_portal(project).nothing_new
    catalogue = Catalogue.open(project.folder)
    assert catalogue.document(document_id(HOME + "same")) is not None
    assert catalogue.document(document_id(HOME + "meta")) is None
    # The setting is in the project, so it can be changed without another crawl.
    build_portal(replace(project, job=replace(project.job, noindex=False)))
    assert len(shown(project)) == 6  # two pages have the same text
    build_portal(project)
    assert len(shown(project)) == 3


def test_a_page_and_its_canonical_page_are_one_work(project):
    pages = [
        page("copy?print=1", canonical("page"), STORY + " printed"),
        page("page", canonical("page"), STORY),
        page("copy?id=7", canonical("page"), STORY + " again"),
    ]
    assert HOME + "page" in crawl(project, site(*pages))
    build_portal(project)
    assert shown(project) == [("page", 3)]
    build_portal(replace(project, job=replace(project.job, canonical=False)))
    assert [copies for _, copies in shown(project)] == [1, 1, 1]


def test_the_canonical_page_is_requested_though_nothing_links_to_it(project):
    pages = site(page("copy", canonical("page"), STORY))
    pages[HOME + "page"] = page("page", text=STORY)
    assert crawl(project, pages) == [HOME, HOME + "copy", HOME + "page"]
    build_portal(project)
    assert shown(project) == [("page", 2)]


def test_a_canonical_url_of_another_text_is_a_mistake(project):
    pages = [
        page("front", text=" ".join(f"news{n}" for n in range(60))),
        page("one", canonical("front"), STORY),
        page("two", canonical("front"), " ".join(f"other{n}" for n in range(60))),
    ]
    crawl(project, site(*pages))
    build_portal(project)
    assert shown(project) == [("front", 1), ("one", 1), ("two", 1)]


def test_copies_of_a_page_that_cannot_be_fetched_are_one_work(project):
    pages = [page("a", canonical("gone"), STORY), page("b", canonical("gone"), STORY + " b")]
    crawl(project, site(*pages))
    build_portal(project)
    assert shown(project) == [("a", 2)]


def test_pages_that_name_each_other_are_one_work(project):
    pages = [page("a", canonical("b"), STORY), page("b", canonical("a"), STORY + " b")]
    crawl(project, site(*pages))
    build_portal(project)
    assert shown(project) == [("a", 2)]


def test_a_page_with_a_hidden_canonical_page_is_shown(project):
    pages = [
        page("a", canonical("b"), STORY),
        page("b", '<meta name="robots" content="noindex">', STORY),
    ]
    crawl(project, site(*pages))
    build_portal(project)
    assert shown(project) == [("a", 1)]


def test_the_share_of_words_is_symmetric_and_at_most_one():
    assert share_of_words("a b", "b a") == 1.0
    assert share_of_words("a", "") == share_of_words("", "a") == 0.0
