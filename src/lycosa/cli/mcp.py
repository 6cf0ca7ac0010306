"""`lycosa mcp`: serve a portal to an assistant over standard input and output."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option(
    "--base-url", default="", metavar="URL", help="Where the portal is served, for links to it."
)
def mcp(folder: Path, base_url: str) -> None:
    """Let an assistant search the portal in DIR, by the Model Context Protocol.

    The assistant starts this command and talks to it over standard input and
    output. It can search, fetch works with their abstracts and where to read
    them, list citations, and ask why a work was found; it cannot change
    anything. Needs the extra `mcp`: pip install 'lycosa[mcp]'. A portal that
    `lycosa serve` serves has the same at /mcp.

    \b
    Examples:
      lycosa mcp robots
      lycosa mcp robots --base-url https://papers.example.org
    """  # noqa: D301
    from lycosa.portal.mcp.server import serve_stdio
    from lycosa.portal.web.settings import Settings

    serve_stdio(folder, Settings(base_url=base_url).base_url)
