"""`lycosa serve`: serve a portal over HTTP."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click

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
    from lycosa.portal.catalogue import Catalogue
    from lycosa.portal.priority import serving
    from lycosa.portal.web import Settings
    from lycosa.portal.web.authentication import TOKEN_FILE, load_owner_token
    from lycosa.portal.web.listener import (
        address_of,
        end_after_linger,
        is_loopback,
        linger_seconds,
        open_listener,
    )
    from lycosa.portal.web.server import run_server
    from lycosa.portal.web.server_processes import ServerProcesses
    from lycosa.portal.web.settings import RATE

    with ExitStack() as held:
        listener = held.enter_context(open_listener(host, port))
        # DNS rebinding: a page on another host name must not read what is served on loopback.
        hosts = _LOOPBACK if is_loopback(listener) and not base_url else ()
        rate = RATE if rate is None else rate
        settings = Settings(base_url, rate, trust_proxy, hosts, access_log)
        Catalogue.open(folder)  # refuses a folder without a portal before anything is written
        held.enter_context(serving(folder))
        settings = replace(settings, token=load_owner_token(folder))
        address = settings.base_url or address_of(listener)

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

        if linger := linger_seconds(os.environ):
            end_after_linger()
        processes = processes or min(_DEFAULT_PROCESSES, os.cpu_count() or 1)
        if processes == 1:
            run_server(folder, settings, listener, ready)
        else:
            ServerProcesses(processes, folder, settings, listener, linger).run(ready)
