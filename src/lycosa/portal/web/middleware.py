"""Middleware: checks of every request, and security headers on every response.

A request must name a host that is served, have a URL of limited length, and
stay within the rate limit. The headers allow only the portal's own scripts and
resources, and keep the reader's URL from other sites.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from math import ceil
from types import MappingProxyType

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from lycosa.portal.message import Message
from lycosa.portal.web.error_pages import error_page
from lycosa.portal.web.portal import Portal
from lycosa.portal.web.rate_limit import RateLimiter, client_key

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",  # completions of the search box
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": CONTENT_SECURITY_POLICY,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        # With `no-referrer` browsers would also omit the Origin header of forms.
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "Cross-Origin-Opener-Policy": "same-origin",
    }
)
"""Added to every response that does not set them itself."""
MAX_URL_BYTES = 8_000
"""Length of path and query together."""
SIGN_IN_COST = 20.0
"""Requests that one attempt to sign in counts as in the rate limit."""

_log = logging.getLogger("lycosa.portal")


class PortalMiddleware:
    """ASGI middleware that refuses bad requests and adds security headers.

    Parameters
    ----------
    app
        The application that receives the other requests.
    portal
        Gives host names, rate limit and the layout of error pages.
    limiter
        Limits the rate of each client.
    """

    def __init__(self, app: ASGIApp, portal: Portal, limiter: RateLimiter) -> None:
        self._app = app
        self._portal = portal
        self._limiter = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: AsgiMessage) -> None:
            if message["type"] == "http.response.start":
                add_security_headers(MutableHeaders(scope=message))
            await send(message)

        request = Request(scope)
        refusal = self._refusal(request)
        await (refusal or self._app)(scope, receive, send_with_headers)

    def _refusal(self, request: Request) -> Response | None:
        portal = self._portal
        if portal.links.host(request) is None and not portal.settings.base_url:
            detail = Message(
                "This server is not configured for this host name. Its operator can set the "
                "name with lycosa serve --base-url."
            )
            return error_page(portal, request, 400, detail)
        if len(request.scope["path"]) + len(request.scope["query_string"]) > MAX_URL_BYTES:
            return error_page(portal, request, 414, Message("This URL is too long."))
        path = request.scope["path"]
        if path.startswith(portal.links.to("/static/")):
            return None
        client = client_key(request, trust_proxy=portal.settings.trust_proxy)
        signs_in = request.method == "POST" and path == portal.links.to("/sign-in")
        wait = self._limiter.wait(client, SIGN_IN_COST if signs_in else 1.0)
        if wait:
            _log.debug("rate limit of %s requests/s exceeded", portal.settings.rate)
            detail = Message(
                "Too many requests, or requests that take long to answer. Wait %(count)s second, "
                "then continue.",
                "Too many requests, or requests that take long to answer. Wait %(count)s seconds, "
                "then continue.",
                count=ceil(wait),
            )
            headers = {"Retry-After": str(ceil(wait))}
            return error_page(portal, request, 429, detail, headers=headers)
        return None


def add_security_headers(headers: MutableHeaders) -> None:
    """Add the security headers that a response does not set itself."""
    for name, value in SECURITY_HEADERS.items():
        headers.setdefault(name, value)
