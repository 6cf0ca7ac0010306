"""`lycosa serve`: serve a portal over HTTP."""

from __future__ import annotations

import gc
import ipaddress
import logging
import os
import signal
import socket
import sys
from contextlib import ExitStack, suppress
from dataclasses import replace
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click

from lycosa.errors import LycosaError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.synchronize import Semaphore

    from lycosa.portal.web.rate_limit import BucketTable
    from lycosa.portal.web.settings import Settings

_log = logging.getLogger("lycosa.cli")

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_MAX_CONNECTIONS = 400  # more get a 503, so that the others stay fast
_DEFAULT_PROCESSES = 2  # each needs its own memory
_GC_THRESHOLDS = 50_000, 20, 50  # requests leave few cycles, and a collection stops all threads
_SHUTDOWN_SECONDS = 3  # for responses in progress


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", default=8000, show_default=True, help="Port to serve on; 0 is any free port."
)
@click.option("--open", "opening", is_flag=True, help="Open the portal in your browser.")
@click.option("--base-url", default="", metavar="URL", help="The public URL, if a proxy serves it.")
@click.option(
    "--rate",
    type=float,
    help="Requests per second allowed to one client; 0 is no limit.  [default: 20]",
)
@click.option("--trust-proxy", is_flag=True, help="Trust X-Forwarded-* headers from the proxy.")
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Number of server processes.  [default: 2; 1 on one core]",
)
def serve(
    folder: Path,
    host: str,
    port: int,
    opening: bool,
    base_url: str,
    rate: float | None,
    trust_proxy: bool,
    processes: int | None,
) -> None:
    """Serve the portal in DIR, which `lycosa build DIR` has built.

    The portal has search, pages of works, topics and authors, an API and
    exports. A build may run at the same time: its results appear when it is
    done. The dashboard and corrections require the token in DIR/owner.token,
    which is created at the first start. To serve other machines, put an HTTPS
    proxy in front of it.

    \b
    Examples:
      lycosa serve robots --open
      lycosa serve robots --port 8080
      lycosa serve robots --base-url https://papers.example.org --trust-proxy
    """  # noqa: D301
    if not 0 <= port <= 65535:
        raise UsageError(f"A port is a number from 0 to 65535, not {port}.")
    from lycosa.portal.catalogue import Catalogue
    from lycosa.portal.priority import serving
    from lycosa.portal.web import Settings
    from lycosa.portal.web.authentication import TOKEN_FILE, load_owner_token
    from lycosa.portal.web.settings import RATE

    with ExitStack() as held:
        listener = held.enter_context(_bind(host, port))
        # DNS rebinding: a page on another host name must not read what is served on loopback.
        hosts = _LOOPBACK if _is_loopback(host) and not base_url else ()
        settings = Settings(base_url, RATE if rate is None else rate, trust_proxy, hosts)
        Catalogue.open(folder)  # refuses a folder without a portal before anything is written
        held.enter_context(serving(folder))
        settings = replace(settings, token=load_owner_token(folder))
        address = settings.base_url or _address(listener)

        def ready() -> None:
            click.echo(f"{address}/")
            click.echo(f"The owner signs in with the token in {folder / TOKEN_FILE}.", err=True)
            click.echo("Press Ctrl-C to stop.", err=True)
            sys.stdout.flush()  # for programs that read the address from a pipe
            if opening:
                click.launch(f"{address}/")

        processes = processes or min(_DEFAULT_PROCESSES, os.cpu_count() or 1)
        if processes == 1:
            answer(folder, settings, listener, ready)
        else:
            _run_several(processes, (folder, settings, listener), ready)


def answer(
    folder: Path,
    settings: Settings,
    listener: socket.socket,
    ready: Callable[[], object],
    clients: BucketTable | None = None,
) -> None:
    """Serve requests in this process until it is stopped."""
    import uvicorn

    from lycosa.portal.web import make_app

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready()

    config = uvicorn.Config(
        make_app(folder, settings, clients),
        log_level="warning",
        access_log=False,
        proxy_headers=False,  # the portal reads these headers itself, if it is configured to
        server_header=False,
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        ws="none",
    )
    # The objects that exist now are permanent: exempt them from garbage collection.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)
    with suppress(KeyboardInterrupt):
        Server(config).run([listener])


def answer_beside(
    folder: Path,
    settings: Settings,
    listener: socket.socket,
    started: Semaphore,
    clients: BucketTable,
) -> None:
    """Serve requests in one of several processes, which ends with its parent."""

    def follow() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=follow, daemon=True).start()
    answer(folder, settings, listener, started.release, clients)


def _run_several(
    count: int, serving: tuple[Path, Settings, socket.socket], ready: Callable[[], None]
) -> None:
    from lycosa.portal.web.rate_limit import BucketTable

    context = get_context("spawn")
    started = context.Semaphore(0)
    arguments = (*serving, started, BucketTable.shared(context))
    running = [context.Process(target=answer_beside, args=arguments) for _ in range(count)]

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        for each in running:
            each.start()
        waiting = count
        while all(each.is_alive() for each in running):
            if not waiting:
                wait([each.sentinel for each in running])
            elif started.acquire(timeout=0.1):
                waiting -= 1
                if not waiting:
                    ready()
        raise LycosaError("A server process has ended unexpectedly; start the server again.")
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)
        for each in running:
            if each.pid is not None:
                each.terminate()
                each.join(2 * _SHUTDOWN_SECONDS)
                each.kill()


def _bind(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        _log.debug("%s cannot be resolved.", host, exc_info=True)
        raise UsageError(
            f"{host!r} is not an address of this machine ({error.strerror})."
        ) from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
    except OSError as error:
        _log.debug("%s, port %d cannot be used.", host, port, exc_info=True)
        listener.close()
        raise UsageError(
            f"{host}, port {port} cannot be used ({error.strerror}); "
            "choose another port, or 0 for any."
        ) from None
    return listener


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - asked for
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
