"""HTTP server of the generated web, on loopback.

A world with a base URL, `World(..., base="http://127.0.0.1:8000")`, has each site
in a folder of that URL, so any browser or crawler can visit it. A world without
one has a fictional host for each site; a request names the host in its `Host`
header, or in an absolute URL in the request line, as for a proxy.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from html import escape

from aiohttp import web

from lycosa.sites.generated.renderer import GeneratedResponse
from lycosa.sites.generated.world import World
from lycosa.web.urls import canonical

ROBOTS = b"User-agent: *\nDisallow: /private/\n"


def bind(port: int = 0) -> socket.socket:
    """Return a socket on loopback; port 0 is any free one."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except BaseException:
        listener.close()
        raise
    return listener


def respond(world: World, url: str) -> GeneratedResponse:
    """Return the response of a world to a request for any canonical URL."""
    path = url.split("/", 3)[3] if url.count("/") > 2 else ""
    if path == "robots.txt":
        return GeneratedResponse(200, (("Content-Type", "text/plain"),), ROBOTS)
    site = world.site_of(url)
    if site is not None:
        return site.request(url)
    if world.site_of(url + "/") is not None:
        return GeneratedResponse(301, (("Content-Type", "text/html"), ("Location", url + "/")), b"")
    if path:
        body = f"<title>404 Not Found</title>Nothing is at {escape(url)}.\n".encode()
        return GeneratedResponse(404, (("Content-Type", "text/html; charset=utf-8"),), body)
    rows = "".join(f'<li><a href="{s.base}/">{escape(s.name)}</a>\n' for s in world.sites)
    body = f"<!doctype html><title>A generated web</title><ul>{rows}</ul>\n".encode()
    return GeneratedResponse(200, (("Content-Type", "text/html; charset=utf-8"),), body)


def application(world: World) -> web.Application:
    """Return the web application of a world."""

    async def handle(request: web.Request) -> web.Response:
        raw = request.raw_path
        url = canonical(raw if raw.startswith("http") else f"http://{request.host}{raw}")
        if url is None:
            return web.Response(status=400, text="This is not a valid URL.\n")
        response = respond(world, url)
        return web.Response(
            status=response.status, headers=dict(response.headers), body=response.body
        )

    app = web.Application()
    app.router.add_get("/{path:.*}", handle)
    return app


async def serve(
    world: World, listener: socket.socket, ready: Callable[[], None] = lambda: None
) -> None:
    """Serve a world until cancelled; `ready` is called when the server accepts requests."""
    runner = web.AppRunner(application(world), access_log=None)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        ready()
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()
