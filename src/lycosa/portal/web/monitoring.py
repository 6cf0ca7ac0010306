"""Monitoring: what is counted and logged of every request, /healthz and /metrics.

Counters are those of all processes. They tell how the portal is used, so /metrics
answers only to this machine and to the owner's token (`Authorization: Bearer …`).
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Iterator
from datetime import datetime
from ipaddress import ip_address
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lycosa.errors import LycosaError
from lycosa.portal.web.access_log import AccessLog
from lycosa.portal.web.portal import Portal
from lycosa.portal.web.rate_limit import client_key
from lycosa.portal.web.traffic import KINDS, SECONDS, STATUSES, TrafficRow, TrafficTable

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The text format of Prometheus."""
_SEGMENTS: Final = {name: name for name in KINDS} | {"topics": "topic", "why": "search"}

_log = logging.getLogger("lycosa.portal")


class Monitor:
    """ASGI middleware that counts and logs requests; the outermost one.

    Parameters
    ----------
    app
        The application.
    portal
        The portal that is served.
    row
        The counts of this process.
    log
        Where requests are logged; None if they are not.
    """

    def __init__(
        self, app: ASGIApp, portal: Portal, row: TrafficRow, log: AccessLog | None
    ) -> None:
        self._app = app
        self._portal = portal
        self._row = row
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, and record what became of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = size = 0

        async def observe(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, observe)
        finally:
            kind = request_kind(scope["path"], self._portal.settings.prefix)
            self._row.count(kind, status, time.perf_counter() - started, size)
            if self._log is not None:
                trust = self._portal.settings.trust_proxy
                self._log.write(Request(scope), status, size, trust_proxy=trust)


def request_kind(path: str, prefix: str = "") -> str:
    """Return the kind of a request, one of `KINDS`, by its path.

    >>> request_kind("/work/w12.bib"), request_kind("/work/w12/graph"), request_kind("/wp-login")
    ('export', 'graph', 'other')
    """
    parts = path.removeprefix(prefix).strip("/").split("/")
    kind = _SEGMENTS.get(parts[0], "other")
    if kind == "work" and parts[-1] == "graph":
        return "graph"
    if kind == "work" and "." in parts[-1]:
        return "export"
    return kind


def health(portal: Portal) -> Response:
    """Respond to /healthz: whether the portal can be read, and which state is served."""
    try:
        facts = portal.facts()
        works = len(portal.engine)
        portal.catalogue.generation  # noqa: B018 - raises if the database cannot be read
    except (LycosaError, sqlite3.DatabaseError) as error:
        _log.warning("the portal is not healthy", exc_info=error)
        return JSONResponse({"status": "unavailable"}, 503, headers={"Cache-Control": "no-store"})
    state = {"status": "ok", "works": works, "built": facts["built"]}
    return JSONResponse(state, headers={"Cache-Control": "no-store"})


def metrics(portal: Portal, traffic: TrafficTable, request: Request) -> Response:
    """Respond to /metrics, in the text format of Prometheus."""
    if not _may_read(portal, request):
        return PlainTextResponse("Only for this machine and the owner's token.\n", 403)
    registry = CollectorRegistry()
    registry.register(_Collector(portal, traffic))
    return Response(
        generate_latest(registry), media_type=MEDIA_TYPE, headers={"Cache-Control": "no-store"}
    )


def _may_read(portal: Portal, request: Request) -> bool:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return portal.authenticator.verify_token(token.strip())
    trust = portal.settings.trust_proxy
    forwarded = {"x-forwarded-for", "forwarded"} & set(request.headers.keys())
    if forwarded and not trust:  # a proxy that was not announced stands before somebody
        return False
    try:
        return ip_address(client_key(request, trust_proxy=trust)).is_loopback
    except ValueError:  # the network of an IPv6 client, or no address
        return request.client is not None and request.client.host == "::1" and not forwarded


class _Collector:
    """The figures of a portal as Prometheus wants them."""

    def __init__(self, portal: Portal, traffic: TrafficTable) -> None:
        self._portal = portal
        self._traffic = traffic

    def collect(self) -> Iterator[Metric]:
        requests = CounterMetricFamily(
            "lycosa_http_requests", "Requests by kind and status.", labels=("kind", "status")
        )
        sizes = CounterMetricFamily(
            "lycosa_http_response_bytes", "Bytes of responses by kind.", labels=("kind",)
        )
        durations = HistogramMetricFamily(
            "lycosa_http_request_duration_seconds", "Durations by kind.", labels=("kind",)
        )
        for kind, traffic in self._traffic.total().items():
            for status, count in zip(STATUSES, traffic.statuses, strict=True):
                requests.add_metric((kind, status), count)
            sizes.add_metric((kind,), traffic.size)
            buckets = [(str(bound), traffic.within(bound)) for bound in SECONDS]
            durations.add_metric((kind,), [*buckets, ("+Inf", traffic.requests)], traffic.seconds)
        yield from (requests, sizes, durations)
        restarts = self._traffic.restarts
        yield CounterMetricFamily(
            "lycosa_server_restarts", "Server processes that were started again.", value=restarts
        )
        yield GaugeMetricFamily(
            "lycosa_indexed_works", "Works that can be found.", value=len(self._portal.engine)
        )
        if built := self._portal.facts()["built"]:
            yield GaugeMetricFamily(
                "lycosa_built_timestamp_seconds",
                "When the portal was last built.",
                value=datetime.fromisoformat(built).timestamp(),
            )
