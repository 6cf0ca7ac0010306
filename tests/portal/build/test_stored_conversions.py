"""A document that the crawl has converted is not converted again."""

import asyncio
import sqlite3
from datetime import UTC, datetime

import pytest
from tests.portal.build.crawls import rows

from lycosa.core import Budget
from lycosa.crawler.http.dict_fetcher import DictFetcher
from lycosa.crawler.http.http_fetcher import ClientConfig
from lycosa.crawler.http.response import Response
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.memory import MemoryStore
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.documents import conversion
from lycosa.documents.conversion import Converter
from lycosa.goals import ResearchPaper
from lycosa.portal.build import build_portal
from lycosa.project import Project
from lycosa.sites.generated import World
from lycosa.spiders import BreadthFirst

HOME = "http://lab.example/"
SITE = World(seed=3, departments=1, pages=200).department(0)
PAPERS = [n for n in SITE.wanted("papers").tolist() if SITE.page(n).type == "application/pdf"][:3]
PDFS = {f"{HOME}{n}.pdf": SITE.response(n).body for n in PAPERS}


def response(url, type, body):
    headers = ((b"Content-Type", type.encode()),)
    return Response(url, datetime.now(UTC), 200, "HTTP/1.1 200 OK", headers, body)


def crawl(store, pages=10):
    """Crawl a site of three papers, for papers."""
    links = "".join(f"<a href={url}>paper</a> " for url in PDFS).encode()
    site = {HOME: response(HOME, "text/html", links)}
    site |= {url: response(url, "application/pdf", body) for url, body in PDFS.items()}
    job = Job(
        (HOME,), ClientConfig("you@example.org"), pace=Pace(delay=0.0), budget=Budget(pages=pages)
    )

    async def run():
        live = LiveCrawl(
            job, BreadthFirst(), ResearchPaper(), store=store, fetcher=DictFetcher(site)
        )
        return [step.reward async for step in live]

    return asyncio.run(run())


@pytest.fixture
def converted(monkeypatch):
    """The bodies of PDFs that are converted."""
    bodies = []
    convert = Converter.convert

    def counted(self, body, type=""):
        if body.startswith(b"%PDF"):
            bodies.append(body)
        return convert(self, body, type)

    monkeypatch.setattr(Converter, "convert", counted)
    return bodies


@pytest.fixture
def project(tmp_path):
    project = Project.of_urls(tmp_path, [HOME], {"paper": True}, contact="you@example.org")
    project.write()
    return Project.load(tmp_path)


def test_crawl_and_build_convert_a_pdf_once(project, converted):
    rewards = crawl(SqliteStore.open(project.folder))
    assert sorted(rewards) == [0.0, 1.0, 1.0, 1.0]
    assert sorted(converted) == sorted(PDFS.values()), "the crawl converts each once"
    assert build_portal(project).read == {"text": 3}
    assert len(converted) == 3, "the build converts none"
    kinds = rows(project.folder)["documents"]
    assert len(kinds) == 3


def test_a_build_is_the_same_with_and_without_stored_conversions(project, converted, tmp_path):
    crawl(SqliteStore.open(project.folder))
    build_portal(project)
    stored = rows(project.folder)
    for name in ("portal.db", "portal.db-wal", "portal.db-shm"):
        (project.folder / name).unlink(missing_ok=True)
    with sqlite3.connect(project.folder / "crawl.db") as database:
        database.execute("DROP TABLE conversions")  # as in a crawl made by an older version
    database.close()
    build_portal(project)
    assert len(converted) == 6, "the build converts each"
    assert rows(project.folder)["documents"] == stored["documents"]


def test_conversions_of_another_version_are_not_used(project, converted, monkeypatch):
    crawl(SqliteStore.open(project.folder))
    monkeypatch.setattr(conversion, "CONVERTER_VERSION", conversion.CONVERTER_VERSION + 1)
    build_portal(project)
    assert len(converted) == 6


@pytest.mark.parametrize("kind", ["sqlite", "memory"])
def test_a_resumed_crawl_converts_only_new_documents(kind, tmp_path, converted):
    memory = MemoryStore()

    def store():
        return memory if kind == "memory" else SqliteStore.open(tmp_path)

    crawl(store(), pages=3)
    assert len(converted) == 2
    crawl(store())
    assert len(converted) == 3
