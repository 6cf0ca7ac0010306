"""The ASGI application of a portal: its routes, middleware and error handlers."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router

from lycosa.errors import LycosaError
from lycosa.portal.api import routes as api_routes
from lycosa.portal.exports import EXPORTS
from lycosa.portal.search.deadline import SearchTimeout
from lycosa.portal.web import (
    accounts,
    api_reference,
    assistants,
    author_correcting,
    browsing,
    correcting,
    correction_api,
    documents,
    excluding,
    explanations,
    harvesting,
    new_works,
    results,
    sign_in,
    works,
)
from lycosa.portal.web.access_log import AccessLog
from lycosa.portal.web.dashboard import Dashboard
from lycosa.portal.web.error_pages import error_page
from lycosa.portal.web.language_cookie import remember_language
from lycosa.portal.web.middleware import PortalMiddleware, add_security_headers
from lycosa.portal.web.monitoring import Monitor, health, metrics
from lycosa.portal.web.page_cache import CachedPage, PageCache
from lycosa.portal.web.portal import Portal
from lycosa.portal.web.rate_limit import BucketTable, RateLimiter
from lycosa.portal.web.rendering_threads import RenderingThreads, TooBusy
from lycosa.portal.web.settings import BURST, Settings
from lycosa.portal.web.traffic import TrafficTable

MAX_STREAMING_THREADS = 2
"""Threads that write exports, piece by piece, and store corrections."""
RETRY_SECONDS = 10
"""The Retry-After header of a 503 response."""
MAX_LOGGED_PATH = 200
"""Characters of a path in the log."""

Page = Callable[[Portal, Request], Response]
Action = Callable[[Portal, Request], Awaitable[Response]]
Handler = Callable[[Request], Awaitable[Response]]

_log = logging.getLogger("lycosa.portal")


def make_app(
    folder: Path | str,
    settings: Settings | None = None,
    clients: BucketTable | None = None,
    traffic: TrafficTable | None = None,
    process: int = 0,
) -> Starlette:
    """Return the application that serves the portal in a folder.

    `clients` is the table of the rate limiter and `traffic` that of the counts of requests,
    shared if several processes serve the portal; `process` is the number of this one.
    """
    portal = Portal(folder, settings or Settings())
    rate = portal.settings.rate
    limiter = RateLimiter(rate, rate * BURST, table=clients)
    threads = RenderingThreads(limiter, trust_proxy=portal.settings.trust_proxy)
    traffic = traffic or TrafficTable()
    log = AccessLog(portal.settings.access_log) if portal.settings.access_log else None
    routes = [*_routes(portal, threads), *_monitoring_routes(portal, traffic)]
    if prefix := portal.settings.prefix:
        # Links from other sites often lack the trailing slash.
        home = RedirectResponse(portal.links.to("/"), 301)
        routes = [Route(prefix, home), Mount(prefix, Router(routes, redirect_slashes=False))]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Monitor, portal=portal, row=traffic.row(process), log=log),
            Middleware(PortalMiddleware, portal=portal, limiter=limiter),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        exception_handlers={
            HTTPException: partial(_http_error, portal),
            ClientDisconnect: _disconnected,
            SearchTimeout: partial(_timeout, portal),
            LycosaError: partial(_unavailable, portal),
            sqlite3.DatabaseError: partial(_unavailable, portal),
            Exception: partial(_server_error, portal),
        },
        lifespan=partial(_lifespan, portal),
    )
    # Starlette would build these redirects from the Host header, which a client can forge.
    app.router.redirect_slashes = False
    return app


def _routes(portal: Portal, threads: RenderingThreads) -> list[BaseRoute]:
    cache = PageCache()
    dashboard = Dashboard()

    def cached(path: str, page: Page) -> Route:
        return Route(path, _cached_handler(portal, threads, cache, page), methods=["GET"])

    def uncached(path: str, page: Page) -> Route:
        return Route(path, _page_handler(portal, threads, page), methods=["GET"])

    def post(path: str, action: Action) -> Route:
        return Route(path, _action_handler(portal, action), methods=["POST"])

    return [
        cached("/", browsing.home),
        cached("/search", results.results),
        cached("/why", explanations.explanation),
        *(
            cached(f"/work/{{id}}.{extension}", partial(works.citation, extension=extension))
            for extension, each in EXPORTS.items()
            if each.write_one
        ),
        cached("/work/{id}", works.work),
        cached("/work/{id}/graph", works.graph),
        cached("/work/{id}/linkset", works.linkset),
        cached("/topics", browsing.topics),
        cached("/author/{id}", browsing.author),
        cached(new_works.PATH, new_works.new_works),
        cached("/about", browsing.about),
        cached("/document/{id}", documents.document),
        uncached("/document/{id}/original", documents.original),
        uncached("/dashboard", dashboard.page),
        uncached("/sign-in", sign_in.form),
        post("/sign-in", sign_in.sign_in),
        post("/sign-out", sign_in.sign_out),
        uncached("/correct", correcting.form),
        post("/correct", correcting.correct),
        post("/correct/undo", correcting.undo),
        uncached("/correct/author", author_correcting.form),
        post("/correct/author", author_correcting.correct),
        uncached("/exclude", excluding.form),
        post("/exclude", excluding.exclude),
        post("/exclude/undo", excluding.undo),
        uncached("/editors", accounts.editors),
        post("/editors", accounts.add),
        post("/editors/revoke", accounts.revoke),
        uncached("/audit", accounts.audit),
        *(
            Route(route, _methods_handler(portal, actions), methods=[*actions])
            for route, actions in correction_api.ROUTES.items()
        ),
        Route("/static/{name}", _static_handler(portal), methods=["GET"]),
        cached("/api/docs", api_reference.api_reference),
        *api_routes(portal.catalogue, portal.engine, portal.links.absolute, threads.run),
        Route(
            harvesting.PATH, harvesting.Harvesting(portal, threads).respond, methods=["GET", "POST"]
        ),
        Route(assistants.PATH, assistants.Assistants(portal, threads)),
        cached("/topic/{path:path}", browsing.topic),
    ]


def _monitoring_routes(portal: Portal, traffic: TrafficTable) -> list[BaseRoute]:
    # They are answered without waiting for a thread, so that they also tell of a busy portal.
    async def healthz(_request: Request) -> Response:
        return health(portal)

    async def answer_metrics(request: Request) -> Response:
        return metrics(portal, traffic, request)

    return [Route("/healthz", healthz), Route("/metrics", answer_metrics)]


def _cached_handler(
    portal: Portal, threads: RenderingThreads, cache: PageCache, page: Page
) -> Handler:
    """Return the handler of a page that is the same for all readers."""

    async def handle(request: Request) -> Response:
        generation = portal.catalogue.generation
        # Not `request.url`, which contains the Host header that the client sent.
        scope = request.scope
        language = portal.language(request)
        key = (portal.links.origin(request), scope["path"], scope["query_string"], language.code)
        cached = cache.get(key, generation)
        if cached is None:
            rendered = await threads.run(request, partial(_render, portal, request, page))
            if isinstance(rendered, Response):
                return rendered
            cached = rendered
            cache.put(key, generation, cached)
        return remember_language(portal, request, cached.response(request))

    return handle


def _render(portal: Portal, request: Request, page: Page) -> CachedPage | Response:
    """Return a page to cache, or a response that is not cached (a redirect, for instance)."""
    response = page(portal, request)
    return CachedPage.from_response(response) if response.status_code == 200 else response


def _page_handler(portal: Portal, threads: RenderingThreads, page: Page) -> Handler:
    """Return the handler of a page that is rendered for each request."""

    async def handle(request: Request) -> Response:
        response = await threads.run(request, partial(page, portal, request))
        return remember_language(portal, request, response)

    return handle


def _action_handler(portal: Portal, action: Action) -> Handler:
    """Return the handler of a form that changes something."""

    async def handle(request: Request) -> Response:
        response = await action(portal, request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return handle


def _methods_handler(portal: Portal, actions: Mapping[str, Action]) -> Handler:
    """Return the handler of a path with several methods, all of which a 405 response names."""
    handlers = {method: _action_handler(portal, action) for method, action in actions.items()}

    async def handle(request: Request) -> Response:
        return await handlers["GET" if request.method == "HEAD" else request.method](request)

    return handle


def _static_handler(portal: Portal) -> Handler:
    async def handle(request: Request) -> Response:
        response = portal.assets.response(request)
        if response is None:
            raise HTTPException(404)
        return response

    return handle


@asynccontextmanager
async def _lifespan(portal: Portal, _app: Starlette) -> AsyncIterator[None]:
    current_default_thread_limiter().total_tokens = MAX_STREAMING_THREADS
    _log.info("serving the portal in %s", portal.folder)
    yield
    portal.close()
    _log.info("stopped serving the portal in %s", portal.folder)


async def _http_error(portal: Portal, request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - it is registered for these
    if error.status_code >= 500 and not isinstance(error, TooBusy):
        _log.warning("%s answers %d", _describe(request), error.status_code, exc_info=error)
    else:
        _log.debug("%s answers %d", _describe(request), error.status_code)
    # Starlette's details are phrases for programs; those of the portal are sentences.
    detail = error.detail if error.detail.endswith(".") else ""
    return error_page(portal, request, error.status_code, detail, headers=error.headers)


async def _disconnected(_request: Request, _error: Exception) -> Response:
    # The client is gone; the status is the one that nginx logs for such requests.
    return Response(status_code=499)


async def _timeout(portal: Portal, request: Request, error: Exception) -> Response:
    _log.warning("%s took too long", _describe(request))
    detail = error.args[0]  # a message, which `str` would make a text in English
    return error_page(portal, request, 503, detail, headers={"Retry-After": str(RETRY_SECONDS)})


async def _unavailable(portal: Portal, request: Request, error: Exception) -> Response:
    _log.warning("cannot read the portal for %s", _describe(request), exc_info=error)
    return error_page(portal, request, 503, headers={"Retry-After": str(RETRY_SECONDS)})


async def _server_error(portal: Portal, request: Request, error: Exception) -> Response:
    _log.error("unexpected error in %s", _describe(request), exc_info=error)
    # Starlette calls this outside of the middleware, which adds the headers elsewhere.
    response = error_page(portal, request, 500)
    add_security_headers(response.headers)
    return response


def _describe(request: Request) -> str:
    """Return method and path for the log, without query and headers, which may be private."""
    return f"{request.method} {request.scope['path'][:MAX_LOGGED_PATH]!r}"
