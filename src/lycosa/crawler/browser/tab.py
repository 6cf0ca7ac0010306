"""A tab: one page, rendered in a browser context of its own.

The document is the response that the crawl has fetched already. Every other
request of the page is intercepted: scripts and the data they ask for come from
`ResourceLoader`, stylesheets are empty, and all else fails. Only GET requests are
made, without the headers that a script adds, so that rendering changes nothing
at a server.

The page has a clock of its own (virtual time): it stands still while requests
are in flight and leaps from timer to timer otherwise, so that a page is neither
cut off because a server is slow, nor waited for because it waits.
"""

from __future__ import annotations

import asyncio
import logging
import time
from base64 import b64encode
from collections.abc import Iterable
from contextlib import suppress
from html import escape
from typing import Any, NamedTuple

from lycosa.crawler.browser.config import RenderConfig, RenderFault
from lycosa.crawler.browser.devtools import BrowserGone, CommandFailed, DevTools
from lycosa.crawler.browser.resources import ResourceLoader
from lycosa.crawler.http.response import Response, header_text
from lycosa.web.decoding import decode

_log = logging.getLogger("lycosa.crawler")

BYTE_ORDER_MARK = "\ufeff"
REPLY_SECONDS = 5.0  # for the document, once its scripts have stopped
MAX_INTERCEPTED = 2_000
"""Requests of a page, answered from the cache or refused ones included; then it is ended."""
MAX_NAVIGATIONS = 10
"""Other pages to which scripts lead, which become links."""
_CHECK_SECONDS = 0.05
_LOADED = frozenset(("Script", "XHR", "Fetch"))
_PASSED_HEADERS = ("content-type", "location", "access-control-")


class Rendering(NamedTuple):
    """The rendered document in UTF-8, or the fault; and the requests that were made."""

    html: bytes | None
    fault: RenderFault | None
    resources: tuple[Response, ...] = ()


class Tab:
    """Renders one page; `render` is called once.

    `devtools` is the connection to the browser, `loader` fetches what the page
    asks for, `config` has the limits, `page` is the response to render, and the
    requests that are made are appended to `made`.
    """

    def __init__(
        self,
        devtools: DevTools,
        loader: ResourceLoader,
        config: RenderConfig,
        page: Response,
        made: list[Response],
    ) -> None:
        self._devtools = devtools
        self._loader = loader
        self._config = config
        self._page = page
        self._made = made
        self._session = ""
        self._frame = ""
        self._served = False
        self._intercepted = 0
        self._crashed = False
        self._settled = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._navigations: list[str] = []

    async def render(self) -> Rendering:
        """Return the document after its scripts ran; raise BrowserGone if the browser ended."""
        devtools = self._devtools
        context = ""
        try:
            made = await devtools.call("Target.createBrowserContext", disposeOnDetach=True)
            context = made["browserContextId"]
            await self._open(context)
            return await self._show()
        except CommandFailed as error:
            _log.debug("Rendering %s failed: %s", self._page.url, error)
            if not devtools.is_open:
                raise BrowserGone from error
            fault = RenderFault.PAGE_CRASHED if self._crashed else RenderFault.TIMEOUT
            return self._failed(fault)
        finally:
            for task in self._tasks:
                task.cancel()
            devtools.listen(self._session, None)
            if context:
                devtools.send("Target.disposeBrowserContext", browserContextId=context)

    async def _open(self, context: str) -> None:
        """Open an empty page whose requests are intercepted."""
        call = self._devtools.call
        await call("Browser.setDownloadBehavior", behavior="deny", browserContextId=context)
        target = await call("Target.createTarget", url="about:blank", browserContextId=context)
        self._frame = target["targetId"]  # the id of its main frame, too
        attached = await call("Target.attachToTarget", targetId=self._frame, flatten=True)
        session = self._session = attached["sessionId"]
        self._devtools.listen(session, self._handle)
        for domain in ("Fetch", "Page", "Inspector"):
            await call(f"{domain}.enable", session)

    async def _show(self) -> Rendering:
        """Load the page, wait until it has settled, and return its document."""
        call, session = self._devtools.call, self._session
        total = self._config.total
        navigation = asyncio.create_task(
            call("Page.navigate", session, within=total, url=self._page.url)
        )
        navigation.add_done_callback(self._navigated)
        try:
            settled = await self._settle()
        finally:
            navigation.cancel()
        if self._crashed:
            if not self._devtools.is_open:
                raise BrowserGone
            return self._failed(RenderFault.PAGE_CRASHED)
        if not self._served:
            return self._failed(RenderFault.REFUSED)
        if not settled:
            await call("Runtime.terminateExecution", session, within=REPLY_SECONDS)
        return await self._document()

    async def _settle(self) -> bool:
        """Wait until the page's clock has run out; return False if its time is up before."""
        config, spent, began = self._config, 0.0, time.monotonic()
        while not self._settled.is_set():
            started, loads = time.monotonic(), bool(self._tasks)
            with suppress(TimeoutError):
                async with asyncio.timeout(_CHECK_SECONDS):
                    await self._settled.wait()
            now = time.monotonic()
            spent += 0.0 if loads else now - started
            if spent > config.seconds or now - began > config.total:
                return False
        return True

    async def _document(self) -> Rendering:
        """Return the document as it is now."""
        call, session, most = self._devtools.call, self._session, self._config.document
        # In a world of its own the functions are the browser's, whatever the page made of its.
        world = await call(
            "Page.createIsolatedWorld", session, within=REPLY_SECONDS, frameId=self._frame
        )
        html = "document.documentElement ? document.documentElement.outerHTML : ''"
        result = await call(
            "Runtime.evaluate",
            session,
            within=REPLY_SECONDS,
            contextId=world["executionContextId"],
            expression=f"(html => html.length > {most} ? null : html)({html})",
            returnByValue=True,
        )
        found = result["result"].get("value")
        if not isinstance(found, str):
            return self._failed(RenderFault.TOO_LARGE)
        # Where a script wants to lead the reader, a spider may want to follow.
        refreshes = (
            f'<meta http-equiv="refresh" content="0; url={escape(url)}">'
            for url in self._navigations
        )
        text = f"{BYTE_ORDER_MARK}<!DOCTYPE html>{found}{''.join(refreshes)}"
        return Rendering(text.encode("utf-8", "replace"), None, tuple(self._made))

    def _failed(self, fault: RenderFault) -> Rendering:
        return Rendering(None, fault, tuple(self._made))

    def _navigated(self, task: asyncio.Task[dict[str, Any]]) -> None:
        """End the wait for a page that the browser does not show."""
        if task.cancelled():
            return
        if task.exception() is not None or task.result().get("errorText"):
            self._settled.set()

    def _handle(self, method: str, event: dict[str, Any]) -> None:
        """Handle an event of the page."""
        match method:
            case "Fetch.requestPaused":
                self._intercept(event)
            case "Page.frameNavigated":
                frame = event["frame"]
                if frame["id"] == self._frame and frame["url"] != "about:blank":
                    self._devtools.send(
                        "Emulation.setVirtualTimePolicy",
                        self._session,
                        policy="pauseIfNetworkFetchesPending",
                        budget=1000 * self._config.clock,
                    )
            case "Emulation.virtualTimeBudgetExpired":
                self._settled.set()
            case "Page.javascriptDialogOpening":
                self._devtools.send("Page.handleJavaScriptDialog", self._session, accept=False)
            case "Inspector.targetCrashed" | "Inspector.detached":
                self._crashed = True
                self._settled.set()

    def _intercept(self, event: dict[str, Any]) -> None:
        """Answer a request of the page, or refuse it."""
        request, kind, number = event["request"], event["resourceType"], event["requestId"]
        url: str = request["url"]
        self._intercepted += 1
        if self._intercepted > MAX_INTERCEPTED:
            self._refuse(number)
            self._settled.set()
        elif kind == "Document" and event["frameId"] == self._frame and not self._served:
            self._served = True
            self._serve(number)
        elif kind == "Document" and event["frameId"] == self._frame:
            if len(self._navigations) < MAX_NAVIGATIONS and url.startswith("http"):
                self._navigations.append(url)
            self._refuse(number, "Aborted")
        elif kind == "Stylesheet":
            self._answer(number, 200, [("Content-Type", "text/css")], b"")
        elif kind in _LOADED and _is_plain(request) and self._has_room:
            task = asyncio.create_task(self._load(number, url))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            self._refuse(number)

    @property
    def _has_room(self) -> bool:
        """Whether the page may make another request."""
        made = len(self._made) + len(self._tasks)
        received = sum(len(response.body) for response in self._made)
        return made < self._config.requests and received < self._config.received

    async def _load(self, number: str, url: str) -> None:
        response = await self._loader.load(url, self._made)
        if response.fault is None:
            self._fulfil(number, response)
        else:
            _log.debug("A page of %s does not get %s: %s", self._page.url, url, response.fault)
            self._refuse(number)

    def _serve(self, number: str) -> None:
        """Answer the request for the page itself, decoded as pages without rendering are."""
        kind = self._page.type.partition(";")[0].strip()
        headers = [("Content-Type", f"{kind}; charset=utf-8")]
        text = decode(self._page.body, self._page.type)
        self._answer(number, 200, headers, text.encode("utf-8", "replace"))

    def _fulfil(self, number: str, response: Response) -> None:
        headers = [
            (header_text(name), header_text(value))
            for name, value in response.raw_headers
            if name.decode("latin-1").lower().startswith(_PASSED_HEADERS)
        ]
        self._answer(number, response.status, headers, response.body)

    def _answer(
        self, number: str, status: int, headers: Iterable[tuple[str, str]], body: bytes
    ) -> None:
        self._devtools.send(
            "Fetch.fulfillRequest",
            self._session,
            requestId=number,
            responseCode=status,
            responseHeaders=[{"name": name, "value": value} for name, value in headers],
            body=b64encode(body).decode(),
        )

    def _refuse(self, number: str, reason: str = "BlockedByClient") -> None:
        self._devtools.send(
            "Fetch.failRequest", self._session, requestId=number, errorReason=reason
        )


def _is_plain(request: dict[str, Any]) -> bool:
    """Return whether a request only reads, now: no prefetching, and no stream of events."""
    headers = {name.lower(): value for name, value in request["headers"].items()}
    return (
        request["method"] == "GET"
        and "prefetch" not in headers.get("sec-purpose", "") + headers.get("purpose", "")
        and "event-stream" not in headers.get("accept", "")
    )
