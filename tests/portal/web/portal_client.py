"""The sample portal with an index and a crawl, and an HTTP client for it in this process."""

import atexit
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import mkdtemp

import httpx
from anyio.from_thread import start_blocking_portal
from selectolax.lexbor import LexborHTMLParser

from lycosa.portal.catalogue import Catalogue
from lycosa.portal.search import Index, IndexEntry
from lycosa.portal.web import Settings, make_app
from portal.sample import sample
from project.crawl_folders import crawl

TOKEN = "the token of the owner, for tests"
BASE = "http://portal.example"


def copy_portal(folder: Path) -> Path:
    """Return a copy of the sample portal, with an index and a crawl, that a test may change."""
    return copytree(shared_portal(), folder, dirs_exist_ok=True)


def index(folder: Path) -> None:
    catalogue = Catalogue.open(folder)
    found = Index.open(folder / "index")
    found.update(entry(catalogue, work) for work in catalogue.iter_works("paper", "page"))
    found.commit()


def entry(catalogue, work) -> IndexEntry:
    paths = [placed.topic for placed in work.topics]
    topics = {*paths, *(path.partition("/")[0] for path in paths)}
    return IndexEntry(
        work.id,
        work.kind,
        work.title,
        tuple(author.name for author in work.authors),
        tuple(author.id for author in work.authors),
        work.year,
        work.date,
        work.venue,
        work.abstract,
        catalogue.document(work.document).text,
        work.site,
        "pdf" if work.kind == "paper" else "html",
        work.language,
        tuple(sorted(topics)),
        tuple(citation.work.id for citation in catalogue.cites(work.id)),
        work.cited_by,
        {"found": str(catalogue.document(work.document).copy.step)},
    )


@cache
def shared_portal() -> Path:
    """Return the sample portal for tests that only read."""
    folder = Path(mkdtemp(prefix="lycosa-portal-"))
    atexit.register(rmtree, folder, ignore_errors=True)
    sample(folder)
    crawl(folder, 60).close()
    index(folder)
    return folder


class PortalClient:
    """HTTP client of an application that keeps cookies and follows no redirects."""

    def __init__(self, app, base=BASE, client="192.0.2.1"):
        # One event loop for all requests: threads that render pages end with their loop.
        self._open = ExitStack()
        self._loop = self._open.enter_context(start_blocking_portal())
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(client, 4711))
        self._client = httpx.AsyncClient(transport=transport, base_url=base)
        self.cookies = self._client.cookies

    def get(self, path, **options):
        return self._loop.call(partial(self._client.get, path, **options))

    def post(self, path, data, *, origin=BASE, **options):
        headers = {"Origin": origin} if origin else {}
        return self._loop.call(
            partial(self._client.post, path, data=data, headers=headers, **options)
        )

    def ask(self, method, path, **options):
        return self._loop.call(partial(self._client.request, method, path, **options))

    def close(self):
        self._loop.call(self._client.aclose)
        self._open.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def connect(folder=None, *, client="192.0.2.1", base=BASE, **settings) -> PortalClient:
    settings = {"rate": 0.0, "token": TOKEN} | settings
    return PortalClient(make_app(folder or shared_portal(), Settings(**settings)), base, client)


def html(response) -> LexborHTMLParser:
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    return LexborHTMLParser(response.text)


def text(node) -> str:
    """Return the visible text of an element."""
    return " ".join(node.text().split())
