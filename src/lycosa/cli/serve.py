"""`lycosa serve`: a portal in the browser."""

from __future__ import annotations

import gc
import ipaddress
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

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_MOST = 400  # connections at once, beyond which it is better to say so than to be slow for all
_USUAL = 2  # processes; each takes memory of its own
_GARBAGE = 50_000, 20, 50  # pages leave little behind, and looking for it stops all threads
_SECONDS = 3  # that answers under way have when it ends


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", default=8000, show_default=True, help="Where to serve; 0 is any free port.")
@click.option("--open", "opening", is_flag=True, help="Open the portal in your browser.")
@click.option("--base-url", default="", metavar="URL", help="Where readers find it, if elsewhere.")
@click.option(
    "--rate", type=float, help="Requests a second of one client; 0: no limit.  [default: 20]"
)
@click.option("--trust-proxy", is_flag=True, help="Believe the proxy before it who asks, and how.")
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    metavar="N",
    help="How many answer at once.  [default: 2; 1 on one core]",
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
    """Serve the portal in DIR, which `lycosa build DIR` made.

    Search, pages of works, topics and authors, an API and exports. A build may
    go on meanwhile: its results appear when it is done. The dashboard and
    corrections ask for the token in DIR/owner.token, which is made the first
    time. To serve readers elsewhere, put a proxy that speaks HTTPS before it.

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
        listener = held.enter_context(_bound(host, port))
        # Whoever makes a name of theirs mean this machine must not read what is only for us.
        hosts = _LOOPBACK if _is_loopback(host) and not base_url else ()
        settings = Settings(base_url, RATE if rate is None else rate, trust_proxy, hosts)
        Catalogue.open(folder)  # to complain before anything is written
        held.enter_context(serving(folder))
        settings = replace(settings, token=load_owner_token(folder))
        address = settings.base_url or _address(listener)

        def ready() -> None:
            click.echo(f"{address}/")
            click.echo(f"The owner signs in with the token in {folder / TOKEN_FILE}.", err=True)
            click.echo("Ctrl-C ends it.", err=True)
            sys.stdout.flush()  # somebody may read the address from a pipe
            if opening:
                click.launch(f"{address}/")

        processes = processes or min(_USUAL, os.cpu_count() or 1)
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
    """Answer requests in this process until it is told to end."""
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
        proxy_headers=False,  # who asks is found out by the portal, and only if it was told to
        server_header=False,
        limit_concurrency=_MOST,
        timeout_graceful_shutdown=_SECONDS,
        ws="none",
    )
    # What is there now stays, so there is no need to look through it again and again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GARBAGE)
    with suppress(KeyboardInterrupt):
        Server(config).run([listener])


def answer_beside(
    folder: Path,
    settings: Settings,
    listener: socket.socket,
    started: Semaphore,
    clients: BucketTable,
) -> None:
    """The same in one process of several, which ends with the one that began it."""

    def follow() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=follow, daemon=True).start()
    answer(folder, settings, listener, started.release, clients)


def _run_several(
    count: int, what: tuple[Path, Settings, socket.socket], ready: Callable[[], None]
) -> None:
    from lycosa.portal.web.rate_limit import BucketTable

    context = get_context("spawn")
    started = context.Semaphore(0)
    arguments = (*what, started, BucketTable.shared(context))
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
        raise LycosaError("A process of the server has ended by itself; serve again.")
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)
        for each in running:
            if each.pid is not None:
                each.terminate()
                each.join(2 * _SECONDS)
                each.kill()


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise UsageError(f"{host!r} is no address of this machine ({error.strerror}).") from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
    except OSError as error:
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
