"""The portal for programs: JSON, feeds, maps, exports, and the OpenAPI document of them all."""

from __future__ import annotations

from importlib.metadata import version
from threading import Semaphore

from starlette.routing import BaseRoute, Route

from lycosa.portal.api import browsing, crawlers, downloads, feeds, searching, works
from lycosa.portal.api.about import about
from lycosa.portal.api.endpoint import Endpoint
from lycosa.portal.api.operation import AbsoluteUrl, ApiContext, Operation
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.search import Engine

_MADE = (
    *searching.OPERATIONS,
    *works.OPERATIONS,
    *browsing.OPERATIONS,
    *feeds.OPERATIONS,
    *crawlers.OPERATIONS,
    *downloads.OPERATIONS,
)
OPERATIONS: tuple[Operation, ...] = (*about(_MADE), *_MADE)
"""Everything that can be asked."""


def routes(catalogue: Catalogue, engine: Engine, absolute_url: AbsoluteUrl) -> list[BaseRoute]:
    """The routes of all operations, for an application.

    They have whole paths, such as /api/search and /robots.txt. `absolute_url` makes
    a URL of a path, as whoever sends the request has to write it.
    """
    exports = Semaphore(downloads.MAX_DOWNLOADS)
    context = ApiContext(catalogue, engine, absolute_url, version("lycosa"), exports)
    return [Route(each.route, Endpoint(each, context)) for each in OPERATIONS]


__all__ = ["OPERATIONS", "routes"]
