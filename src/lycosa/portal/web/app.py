"""The portal as an application: which address is which page."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router

from lycosa.errors import LycosaError
from lycosa.portal.api import routes as api_routes
from lycosa.portal.exports import EXPORTS
from lycosa.portal.web import (
    api_reference,
    browsing,
    correcting,
    documents,
    results,
    sign_in,
    works,
)
from lycosa.portal.web.dashboard import Dashboard
from lycosa.portal.web.error_pages import error_page
from lycosa.portal.web.middleware import PortalMiddleware, add_security_headers
from lycosa.portal.web.page_cache import CachedPage, PageCache
from lycosa.portal.web.portal import Portal
from lycosa.portal.web.rate_limit import BucketTable
from lycosa.portal.web.settings import Settings

THREADS = 2
"""In which pages are made; with eight of them the slowest pages took twice as long."""

Page = Callable[[Portal, Request], Response]
Action = Callable[[Portal, Request], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]


def make_app(
    folder: Path | str, settings: Settings | None = None, clients: BucketTable | None = None
) -> Starlette:
    """The application that serves the portal of a folder.

    `clients` is what several processes that serve it know of who asks how often.
    """
    portal = Portal(folder, settings or Settings())
    routes = _routes(portal)
    if prefix := portal.settings.prefix:
        # Without the slash the links of other sites often come.
        home = RedirectResponse(portal.links.to("/"), 301)
        routes = [Route(prefix, home), Mount(prefix, Router(routes, redirect_slashes=False))]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(PortalMiddleware, portal=portal, clients=clients),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        exception_handlers={
            HTTPException: partial(_refused, portal),
            LycosaError: partial(_unreadable, portal),
            sqlite3.OperationalError: partial(_unreadable, portal),
            Exception: partial(_broken, portal),
        },
        lifespan=partial(_life, portal),
    )
    # These would be made of the Host header, whoever wrote it.
    app.router.redirect_slashes = False
    return app


def _routes(portal: Portal) -> list[BaseRoute]:
    cache = PageCache()
    dashboard = Dashboard()

    def read(path: str, page: Page) -> Route:
        return Route(path, _shared(portal, cache, page), methods=["GET"])

    def owned(path: str, page: Page) -> Route:
        return Route(path, _own(portal, page), methods=["GET"])

    def act(path: str, action: Action) -> Route:
        return Route(path, _done(portal, action), methods=["POST"])

    return [
        read("/", browsing.home),
        read("/search", results.results),
        *(
            read(f"/work/{{id}}.{ending}", partial(works.citation, ending=ending))
            for ending, each in EXPORTS.items()
            if each.write_one
        ),
        read("/work/{id}", works.work),
        read("/work/{id}/graph", works.graph),
        read("/topics", browsing.topics),
        read("/author/{id}", browsing.author),
        read("/about", browsing.about),
        read("/document/{id}", documents.document),
        owned("/document/{id}/original", documents.original),
        owned("/dashboard", dashboard.page),
        owned("/sign-in", sign_in.form),
        act("/sign-in", sign_in.sign_in),
        act("/sign-out", sign_in.sign_out),
        owned("/correct", correcting.form),
        act("/correct", correcting.correct),
        act("/correct/undo", correcting.undo),
        Route("/static/{name}", _static(portal), methods=["GET"]),
        read("/api/docs", api_reference.api_reference),
        *api_routes(portal.catalogue, portal.engine, portal.links.absolute),
        read("/topic/{path:path}", browsing.topic),
    ]


def _shared(portal: Portal, cache: PageCache, page: Page) -> Endpoint:
    """A page that is the same for all who read it."""

    async def endpoint(request: Request) -> Response:
        generation = portal.catalogue.generation
        # Not by `request.url`, of which the Host header is a part, whoever wrote it.
        scope = request.scope
        key = (portal.links.origin(request), scope["path"], scope["query_string"])
        kept = cache.get(key, generation)
        if kept is None:
            made = await run_in_threadpool(_made, portal, request, page)
            if isinstance(made, Response):
                return made
            kept = made
            cache.put(key, generation, kept)
        return kept.answer(request)

    return endpoint


def _made(portal: Portal, request: Request, page: Page) -> CachedPage | Response:
    """A page ready to be sent, or what is there instead."""
    response = page(portal, request)
    return CachedPage.of(response) if response.status_code == 200 else response


def _own(portal: Portal, page: Page) -> Endpoint:
    """A page that is made for each who asks."""

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(page, portal, request)

    return endpoint


def _done(portal: Portal, action: Action) -> Endpoint:
    """Something that is done, not shown."""

    async def endpoint(request: Request) -> Response:
        response = await action(portal, request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return endpoint


def _static(portal: Portal) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        found = portal.assets.answer(request)
        if found is None:
            raise HTTPException(404)
        return found

    return endpoint


@asynccontextmanager
async def _life(portal: Portal, _app: Starlette) -> AsyncIterator[None]:
    current_default_thread_limiter().total_tokens = THREADS
    yield
    portal.close()


async def _refused(portal: Portal, request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - it is registered for these
    # What Starlette says by itself is for programs; ours is for people.
    ours = error.detail if error.detail.endswith(".") else ""
    return error_page(portal, request, error.status_code, ours, headers=error.headers)


async def _unreadable(portal: Portal, request: Request, error: Exception) -> Response:
    return error_page(portal, request, 503, headers={"Retry-After": "10"})


async def _broken(portal: Portal, request: Request, error: Exception) -> Response:
    # This is outside of the middleware, which has not seen the answer.
    response = error_page(portal, request, 500)
    add_security_headers(response.headers)
    return response
