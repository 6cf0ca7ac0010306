"""What every request passes before a page is made, and every answer after it.

A request names a host that is ours, is short enough, and does not come too
often. An answer tells the browser to run nothing but our own script, to load
nothing from elsewhere, and to tell nobody where the reader was.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from types import MappingProxyType

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lycosa.portal.web.error_pages import error_page
from lycosa.portal.web.portal import Portal
from lycosa.portal.web.rate_limit import BucketTable, RateLimiter, client_key
from lycosa.portal.web.settings import BURST

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",  # suggestions while somebody types
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
        # With no referrer at all a browser would not say either where a form came from.
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "Cross-Origin-Opener-Policy": "same-origin",
    }
)
"""On every answer that does not say otherwise."""
MAX_URL_BYTES = 8_000
"""Bytes of a path and query that are looked at."""
SIGN_IN_COST = 20.0  # a try to sign in costs as much as so many pages


class PortalMiddleware:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, portal: Portal, clients: BucketTable | None = None) -> None:
        self._app = app
        self._portal = portal
        rate = portal.settings.rate
        self._buckets = RateLimiter(rate, rate * BURST, table=clients)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_security_headers(MutableHeaders(scope=message))
            await send(message)

        request = Request(scope)
        refusal = self._refusal(request)
        await (refusal or self._app)(scope, receive, guarded)

    def _refusal(self, request: Request) -> Response | None:
        portal = self._portal
        if portal.links.host(request) is None and not portal.settings.base_url:
            words = (
                "This server does not go by that name. Whoever runs it can say which name it "
                "has: lycosa serve --base-url."
            )
            return error_page(portal, request, 400, words)
        if len(request.scope["path"]) + len(request.scope["query_string"]) > MAX_URL_BYTES:
            return error_page(portal, request, 414, "This address is too long.")
        path = request.scope["path"]
        if path.startswith(portal.links.to("/static/")):
            return None
        client = client_key(request, trust_proxy=portal.settings.trust_proxy)
        signs_in = request.method == "POST" and path == portal.links.to("/sign-in")
        wait = self._buckets.wait(client, SIGN_IN_COST if signs_in else 1.0)
        if wait:
            words = "That was too much at once. Wait a moment, then go on."
            later = {"Retry-After": str(ceil(wait))}
            return error_page(portal, request, 429, words, headers=later)
        return None


def add_security_headers(headers: MutableHeaders) -> None:
    """Add to an answer what all answers have."""
    for name, value in SECURITY_HEADERS.items():
        headers.setdefault(name, value)
