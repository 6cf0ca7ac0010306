"""The endpoint of OAI-PMH, which harvesters ask by GET or POST."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from lycosa.portal.api.problems import CORS
from lycosa.portal.catalogue import FILE
from lycosa.portal.oai.provider import Provider
from lycosa.portal.oai.record_history import RecordHistory
from lycosa.portal.web.forms import read_pairs
from lycosa.portal.web.portal import Portal
from lycosa.portal.web.rendering_threads import RenderingThreads

PATH = "/oai"


class Harvesting:
    """Answers harvesters of one portal, in the threads that render its pages."""

    def __init__(self, portal: Portal, threads: RenderingThreads) -> None:
        self._portal = portal
        self._threads = threads
        self._history = RecordHistory(portal.folder / FILE)

    async def respond(self, request: Request) -> Response:
        """Respond to a request; errors of the protocol have status 200, as it wants."""
        pairs = (
            await read_pairs(request)
            if request.method == "POST"
            else request.query_params.multi_items()
        )
        return await self._threads.run(request, partial(self._respond, request, pairs))

    def _respond(self, request: Request, pairs: Sequence[tuple[str, str]]) -> Response:
        links = self._portal.links
        base = links.absolute(request, PATH)
        provider = Provider(
            self._portal.catalogue,
            self._history,
            base,
            urlsplit(base).hostname or "localhost",
            lambda work: links.absolute(request, f"/work/{work}"),
        )
        text = provider.respond(pairs)
        return Response(
            text.encode("utf-8", "replace"),
            headers={**CORS, "Cache-Control": "no-cache"},
            media_type="text/xml; charset=utf-8",
        )
