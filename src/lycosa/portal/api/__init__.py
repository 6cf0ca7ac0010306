"""HTTP API of a portal: JSON, feeds, sitemaps, exports, and the OpenAPI document of them all."""

from __future__ import annotations

from importlib.metadata import version
from threading import Semaphore

from starlette.routing import BaseRoute, Route

from lycosa.portal.api import browsing, crawlers, downloads, feeds, new_works, searching, works
from lycosa.portal.api.about import about
from lycosa.portal.api.endpoint import Endpoint
from lycosa.portal.api.operation import AbsoluteUrl, ApiContext, Operation, RunInThread
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.search import Engine

_OPERATIONS = (
    *searching.OPERATIONS,
    *works.OPERATIONS,
    *browsing.OPERATIONS,
    *new_works.OPERATIONS,
    *feeds.OPERATIONS,
    *crawlers.OPERATIONS,
    *downloads.OPERATIONS,
)
OPERATIONS: tuple[Operation, ...] = (*about(_OPERATIONS), *_OPERATIONS)
"""All operations of the API."""


def routes(
    catalogue: Catalogue, engine: Engine, absolute_url: AbsoluteUrl, run: RunInThread
) -> list[BaseRoute]:
    """Return the routes of all operations, with absolute paths such as /api/search.

    `absolute_url` returns the URL of a path as the client of a request reaches it;
    `run` runs in a thread what responds to a request.
    """
    exports = Semaphore(downloads.MAX_DOWNLOADS)
    context = ApiContext(catalogue, engine, absolute_url, version("lycosa"), exports, run)
    return [Route(each.route, Endpoint(each, context)) for each in OPERATIONS]


__all__ = ["OPERATIONS", "routes"]
