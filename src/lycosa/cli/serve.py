"""`lycosa serve`: serve a portal over HTTP."""

from __future__ import annotations

import ipaddress
import logging
import os
import socket
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click

from lycosa.errors import UsageError

_log = logging.getLogger("lycosa.cli")

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_DEFAULT_PROCESSES = 2  # each needs its own memory


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
@click.option(
    "--access-log",
    default="",
    metavar="FILE",
    help="Log requests to FILE, or to the standard output (-).",
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
    access_log: str,
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
    from lycosa.portal.web.server import run_server
    from lycosa.portal.web.server_processes import ServerProcesses
    from lycosa.portal.web.settings import RATE

    with ExitStack() as held:
        listener = held.enter_context(_bind(host, port))
        # DNS rebinding: a page on another host name must not read what is served on loopback.
        hosts = _LOOPBACK if _is_loopback(host) and not base_url else ()
        rate = RATE if rate is None else rate
        settings = Settings(base_url, rate, trust_proxy, hosts, access_log)
        Catalogue.open(folder)  # refuses a folder without a portal before anything is written
        held.enter_context(serving(folder))
        settings = replace(settings, token=load_owner_token(folder))
        address = settings.base_url or _address(listener)

        def ready() -> None:
            click.echo(f"{address}/")
            if settings.token:
                owner = f"The owner signs in with the token in {folder / TOKEN_FILE}."
            else:
                owner = f"{folder} is read-only: nobody can sign in and correct the portal."
            click.echo(owner, err=True)
            click.echo("Press Ctrl-C to stop.", err=True)
            sys.stdout.flush()  # for programs that read the address from a pipe
            if opening:
                click.launch(f"{address}/")

        processes = processes or min(_DEFAULT_PROCESSES, os.cpu_count() or 1)
        if processes == 1:
            run_server(folder, settings, listener, ready)
        else:
            ServerProcesses(processes, folder, settings, listener).run(ready)


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
