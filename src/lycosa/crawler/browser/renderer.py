"""The renderer: a browser that is started when it is needed, and again when it has ended."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from contextlib import suppress

from lycosa.crawler.browser.config import RenderConfig, RenderFault
from lycosa.crawler.browser.devtools import BrowserGone
from lycosa.crawler.browser.process import BrowserProcess, find_browser
from lycosa.crawler.browser.resources import ResourceLoader
from lycosa.crawler.browser.tab import Rendering, Tab
from lycosa.crawler.http.response import Response

_log = logging.getLogger("lycosa.crawler")

MAX_PAGES = 500
"""Pages after which a browser is replaced by a new one, because browsers grow."""
MAX_FAILED_STARTS = 3
"""Failed starts in a row after which no page is rendered any more."""
ATTEMPTS = 2
"""Times that a page is rendered if the browser ends meanwhile."""
MEMORY_CHECK_SECONDS = 0.25


class _Browser:
    """A browser and the pages that it has rendered, and is rendering."""

    def __init__(self, process: BrowserProcess) -> None:
        self.process = process
        self.pages = 0
        self.active = 0


class Renderer:
    """Renders pages in a headless Chromium, each in a context of its own.

    `config` has the limits and the path of the browser, `loader` fetches what
    pages ask for, and `user_agent` is the name that pages see.
    """

    def __init__(self, config: RenderConfig, loader: ResourceLoader, user_agent: str) -> None:
        self._path = find_browser(config.browser)
        self._config = config
        self._loader = loader
        self._user_agent = user_agent
        self._browser: _Browser | None = None
        self._starting = asyncio.Lock()
        self._failed_starts = 0
        self._tabs = asyncio.Semaphore(config.tabs)
        self._watch: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The number of the browser's first process; None if it does not run."""
        return None if self._browser is None else self._browser.process.pid

    async def render(self, page: Response) -> Rendering:
        """Return a page as it is after its scripts ran, or the fault that kept it from it."""
        made: list[Response] = []
        async with self._tabs:
            for _ in range(ATTEMPTS):
                browser = await self._running()
                if browser is None:
                    return Rendering(None, RenderFault.NO_BROWSER)
                browser.pages += 1
                browser.active += 1
                try:
                    tab = Tab(browser.process.devtools, self._loader, self._config, page, made)
                    return await tab.render()
                except BrowserGone:
                    _log.info("The browser ended while it rendered %s", page.url)
                finally:
                    browser.active -= 1
                    if browser is not self._browser and not browser.active:
                        await browser.process.stop()
        return Rendering(None, RenderFault.BROWSER_CRASHED, tuple(made))

    async def _running(self) -> _Browser | None:
        """Return a running browser; None if it does not start."""
        async with self._starting:
            browser = self._browser
            if browser is not None:
                if browser.process.devtools.is_open and browser.pages < MAX_PAGES:
                    return browser
                self._browser = None
                if not browser.active:
                    await browser.process.stop()
            if self._failed_starts >= MAX_FAILED_STARTS:
                return None
            try:
                process = await BrowserProcess.start(self._path, self._config, self._user_agent)
            except (BrowserGone, OSError):
                self._failed_starts += 1
                _log.warning("The browser %s does not start", self._path, exc_info=True)
                return None
            self._failed_starts = 0
            self._browser = _Browser(process)
            if self._watch is None:
                self._watch = asyncio.create_task(self._watch_memory())
            return self._browser

    async def _watch_memory(self) -> None:
        """Kill processes of the browser that are too large: the page crashes, no more."""
        while True:
            await asyncio.sleep(MEMORY_CHECK_SECONDS)
            browser = self._browser
            if browser is None or not browser.active:
                continue
            pid, size = await asyncio.to_thread(browser.process.largest)
            if size > self._config.process:
                _log.info("Process %d of the browser is killed: it has %d bytes", pid, size)
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    async def close(self) -> None:
        """End the browser."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
            self._watch = None
        async with self._starting:
            browser, self._browser = self._browser, None
            if browser is not None:
                await browser.process.stop()
