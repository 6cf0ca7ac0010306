"""Fetchers that render, for tests: over a dictionary, or over both a dictionary and sockets."""

from datetime import UTC, datetime

import pytest

from lycosa.crawler.browser.config import RenderConfig
from lycosa.crawler.browser.fetcher import RenderingFetcher
from lycosa.crawler.browser.process import find_browser
from lycosa.crawler.http.dict_fetcher import DictFetcher
from lycosa.crawler.http.fetcher import Fetcher
from lycosa.crawler.http.response import Response
from lycosa.crawler.politeness.pace import Pace
from lycosa.errors import UsageError

HERE = "http://a.example/"
RUSH = Pace(delay=0.0, slowness=0.0, back_off=0.01)
PATIENT = {"seconds": 60.0, "total": 300.0}
"""Limits that a busy machine does not reach."""


def has_browser() -> bool:
    try:
        find_browser()
    except UsageError:
        return False
    return True


needs_browser = pytest.mark.skipif(not has_browser(), reason="Chromium is not installed.")


def response(url: str, body: str, type: str = "text/html; charset=utf-8", **headers) -> Response:
    raw = ((b"Content-Type", type.encode()),)
    raw += tuple((name.replace("_", "-").encode(), v.encode()) for name, v in headers.items())
    when = datetime.now(UTC)
    return Response(url, when, 200, "HTTP/1.1 200 OK", raw, body.encode())


def script(url: str, body: str, **headers) -> Response:
    return response(url, body, "text/javascript", **headers)


class Counting(DictFetcher):
    """A dictionary that counts its requests."""

    def __init__(self, pages) -> None:
        super().__init__(pages)
        self.asked: list[str] = []

    async def fetch(self, url, **options) -> Response:
        self.asked.append(url)
        return await super().fetch(url, **options)


class PageOver(Fetcher):
    """Pages of a dictionary; all else is fetched by another fetcher."""

    def __init__(self, pages, others: Fetcher) -> None:
        self._pages = pages
        self._others = others
        self.outcomes: dict[str, str | int] = {}

    async def fetch(self, url, **options) -> Response:
        if url in self._pages:
            return self._pages[url]
        found = await self._others.fetch(url, **options)
        self.outcomes[url] = found.fault or found.status
        return found

    async def __aenter__(self):
        await self._others.__aenter__()
        return self

    async def __aexit__(self, *exc) -> None:
        await self._others.__aexit__(*exc)


def rendering(pages, mode: str = "always", robots=None, pace: Pace = RUSH, **limits):
    """Return a rendering fetcher over a dictionary of pages, or over another fetcher."""
    fetcher = pages if isinstance(pages, Fetcher) else Counting(pages)
    config = RenderConfig(mode, **{**PATIENT, **limits})
    return RenderingFetcher(fetcher, config, robots, pace)


def text(found: Response) -> str:
    assert found.render_fault is None
    assert found.rendered is not None
    return found.rendered.decode("utf-8-sig")
