"""The endpoint of MCP over HTTP, for assistants."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from importlib.metadata import version
from threading import Semaphore
from typing import Any, Final

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from lycosa.portal.api.operation import ApiContext
from lycosa.portal.mcp.server import is_installed, make_server, serve_http
from lycosa.portal.mcp.tools import ToolAnswer, call_tool
from lycosa.portal.web.portal import Portal
from lycosa.portal.web.rendering_threads import RenderingThreads

PATH: Final = "/mcp"

_log = logging.getLogger("lycosa.portal")


class Assistants:
    """ASGI application that answers assistants of one portal, within its limits for readers."""

    def __init__(self, portal: Portal, threads: RenderingThreads) -> None:
        self._portal = portal
        self._threads = threads
        self._context = ApiContext(
            portal.catalogue,
            portal.engine,
            portal.links.absolute,
            version("lycosa"),
            Semaphore(0),
            threads.run,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request with one message of the protocol."""
        if not is_installed():
            raise HTTPException(404, "This portal serves no assistants: mcp is not installed.")
        if scope["method"] != "POST":
            # A GET would open a stream of messages from the server, which has none to send.
            raise HTTPException(405, headers={"Allow": "POST"})
        # It takes up to a second, in which others would wait.
        await run_sync(import_module, "mcp.server.streamable_http_manager")
        request = Request(scope, receive)

        async def call(name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
            function = partial(call_tool, name, arguments, self._context, scope)
            try:
                return await self._threads.run(request, function)
            except HTTPException as error:
                _log.debug("the portal is too busy for a tool", exc_info=error)
                return ToolAnswer(error.detail, is_error=True)

        await serve_http(make_server(self._portal.facts(), call), scope, receive, send)
