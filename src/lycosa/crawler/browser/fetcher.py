"""The rendering fetcher: pages as a browser shows them, where that is of use."""

from __future__ import annotations

from dataclasses import replace
from types import TracebackType
from typing import Self

from lycosa.crawler.browser.config import RenderConfig
from lycosa.crawler.browser.host_gains import HostGains
from lycosa.crawler.browser.links import count_links, count_scripts
from lycosa.crawler.browser.renderer import Renderer
from lycosa.crawler.browser.resources import ResourceLoader
from lycosa.crawler.http.fetcher import Accept, Fetcher
from lycosa.crawler.http.response import Response
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.politeness.robots_cache import RobotsCache, authority
from lycosa.web.decoding import media_type

_DOCUMENTS = ("text/html", "application/xhtml+xml")


class RenderingFetcher(Fetcher):
    """Fetches pages by another fetcher, and renders those that need it.

    A page that cannot be rendered is returned as it was fetched, with its
    `render_fault`.

    `fetcher` fetches pages and all that they ask for. `config` says which pages
    are rendered and under which limits. `robots` has the robots.txt files of the
    crawl (None: they are not obeyed), `pace` the delays, and `user_agent` is the
    name that pages see.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        config: RenderConfig,
        robots: RobotsCache | None = None,
        pace: Pace = Pace(),  # noqa: B008 - frozen
        user_agent: str = "lycosa",
    ) -> None:
        self.gains = HostGains()
        self._fetcher = fetcher
        self._config = config
        self._loader = ResourceLoader(fetcher, robots, pace)
        self.renderer = Renderer(config, self._loader, user_agent)

    async def fetch(
        self,
        url: str,
        *,
        accept: Accept | None = None,
        etag: str | None = None,
        modified: str | None = None,
    ) -> Response:
        """Return the response, with the rendered document if it is worth it."""
        response = await self._fetcher.fetch(url, accept=accept, etag=etag, modified=modified)
        if not self._is_document(response):
            return response
        host = authority(response.url)
        automatic = self._config.mode == "auto"
        if automatic and not (count_scripts(response.body) and self.gains.wants(host)):
            return response
        self._loader.page_fetched(response.url)
        rendering = await self.renderer.render(response)
        if rendering.html is not None:
            plain, rendered = count_links(response.body), count_links(rendering.html)
            self.gains.add(host, plain=plain, rendered=rendered)
        return replace(
            response,
            rendered=rendering.html,
            render_fault=rendering.fault,
            resources=rendering.resources,
        )

    def _is_document(self, response: Response) -> bool:
        """Return whether a browser would show a response as a document."""
        kind = media_type(response.type)
        return (
            response.status == 200
            and kind in _DOCUMENTS
            and 0 < len(response.body) <= self._config.document
            and not response.url.endswith("/robots.txt")
        )

    def known_address(self, url: str) -> str | None:
        """Return the address that a request will go to, if it is known."""
        return self._fetcher.known_address(url)

    async def address(self, url: str) -> str:
        """Return the address of a host."""
        return await self._fetcher.address(url)

    async def __aenter__(self) -> Self:
        await self._fetcher.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            await self.renderer.close()
        finally:
            await self._fetcher.__aexit__(kind, error, trace)
