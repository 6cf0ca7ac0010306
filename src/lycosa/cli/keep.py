"""`lycosa keep`: keep a portal alive."""

from __future__ import annotations

import signal
from pathlib import Path

import click


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option(
    "--requests",
    type=click.IntRange(min=1),
    default=500,
    show_default=True,
    help="Requests of a cycle: pages requested again, and new ones.",
)
@click.option(
    "--every",
    default="1h",
    show_default=True,
    metavar="TIME",
    help="Time from one cycle to the next, such as 30m, 6h or 1d.",
)
@click.option("--cycles", type=click.IntRange(min=1), help="End after this many cycles.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, help="Port to serve on.")
@click.option("--base-url", default="", metavar="URL", help="The public URL, if a proxy serves it.")
@click.option("--trust-proxy", is_flag=True, help="Trust X-Forwarded-* headers from the proxy.")
def keep(
    folder: Path,
    requests: int,
    every: str,
    cycles: int | None,
    host: str,
    port: int,
    base_url: str,
    trust_proxy: bool,
) -> None:
    """Keep the portal of the project in DIR alive: crawl, build and serve for ever.

    In every cycle some pages are requested again, those that are likely to have
    changed or to have new links, and new pages are discovered; how many of each
    depends on what both have brought lately. Then the portal is built, and what
    is new appears in it. Each part can be killed: it is started again, and resumes.
    The politeness of the project holds throughout.

    Ctrl-C or SIGTERM ends it. `lycosa status DIR` says what it does.

    \b
    Examples:
      lycosa keep robots
      lycosa keep robots --every 6h --requests 2000
      lycosa keep robots --base-url https://papers.example.org --trust-proxy
    """  # noqa: D301
    from lycosa.keep.keeper import Keeper, KeepPlan
    from lycosa.project.kinds import SECONDS

    serving: list[str] = []
    if base_url:
        serving += ["--base-url", base_url]
    if trust_proxy:
        serving.append("--trust-proxy")
    notifying = ("--base-url", base_url) if base_url else ()
    plan = KeepPlan(requests, SECONDS.read(every), cycles, host, port, tuple(serving), notifying)
    keeper = Keeper(folder, plan)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: keeper.stop())
    keeper.run()
