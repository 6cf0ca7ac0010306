"""One process of a portal's server: uvicorn with the portal's application and limits."""

from __future__ import annotations

import gc
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

import uvicorn

from lycosa.portal.web.app import make_app
from lycosa.portal.web.connections import (
    MAX_CLIENT_CONNECTIONS,
    MAX_CONNECTIONS,
    ConnectionTable,
    LimitedConnection,
)
from lycosa.portal.web.rate_limit import BucketTable
from lycosa.portal.web.settings import Settings
from lycosa.portal.web.traffic import TrafficTable
from lycosa.processes import GC_THRESHOLDS

SHUTDOWN_SECONDS = 3
"""For responses in progress."""


def run_server(
    folder: Path,
    settings: Settings,
    listener: socket.socket,
    ready: Callable[[], object],
    clients: BucketTable | None = None,
    traffic: TrafficTable | None = None,
    process: int = 0,
) -> None:
    """Serve requests in this process until it is stopped; `ready` is called when it listens.

    `clients`, `traffic` and `process` are those of `make_app`.
    """

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready()

    # Behind a proxy all connections have its address.
    each = MAX_CONNECTIONS if settings.trust_proxy else MAX_CLIENT_CONNECTIONS
    protocol = partial(LimitedConnection, table=ConnectionTable(MAX_CONNECTIONS, each))
    config = uvicorn.Config(
        make_app(folder, settings, clients, traffic, process),
        http=cast("Any", protocol),
        log_level="warning",
        access_log=False,
        proxy_headers=False,  # the portal reads these headers itself, if it is configured to
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        ws="none",
    )
    # The objects that exist now are permanent: exempt them from garbage collection.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    with suppress(KeyboardInterrupt):
        Server(config).run([listener])
