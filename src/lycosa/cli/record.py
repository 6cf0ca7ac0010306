"""`lycosa record`: crawl a whole web site into a recorded site."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.errors import UsageError

if TYPE_CHECKING:
    from lycosa.goals import Query


@click.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option(
    "-o", "--out", required=True, type=Path, metavar="SITE", help="The site folder to create."
)
@click.option(
    "--contact", required=True, help="Your e-mail address, or the URL of a page about your crawl."
)
@click.option("--family", default="", help="The kind of site; spiders are trained within a family.")
@click.option(
    "--goal",
    "goals",
    multiple=True,
    metavar="NAME=QUERY",
    help="List the pages that match a query as targets of that goal; may be repeated.",
)
@click.option("--pages", type=click.IntRange(min=1), help="Stop after this many pages.")
@click.option("--under", is_flag=True, help="Stay below the URLs, not just on their hosts.")
@click.option("--delay", type=float, help="Seconds between two requests to a host.")
@click.option("--sitemaps", is_flag=True, help="Read the sitemaps of the site too.")
@click.option("--loopback", is_flag=True, help="Allow requests to this machine, for local tests.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def record(
    urls: tuple[str, ...],
    out: Path,
    contact: str,
    family: str,
    goals: tuple[str, ...],
    pages: int | None,
    under: bool,
    delay: float | None,
    sitemaps: bool,
    loopback: bool,
    as_json: bool,
) -> None:
    """Crawl a whole site breadth-first into a recorded site for training and comparison.

    Pages are stored in SITE/crawl first, so that the same command resumes after
    an interruption; at the end SITE is a recorded site.

    \b
    Examples:
      lycosa record https://www.cs.example.edu/ -o sites/example --contact you@example.org
      lycosa record https://www.example.com/ -o sites/firm --contact you@example.org \\
          --pages 2000 --goal officers='title:(officers OR management)'
    """  # noqa: D301
    from lycosa.cli.crawl_runner import run_crawl
    from lycosa.cli.view import view
    from lycosa.core import Budget
    from lycosa.project.recorder import Recorder

    queries = dict(_query(goal) for goal in goals)
    recorder = Recorder(
        out,
        urls,
        contact,
        budget=Budget(pages),
        under=under,
        delay=delay,
        sitemaps=sitemaps,
        loopback=loopback,
    )
    code = run_crawl(recorder.crawl(), view(budget=Budget(pages)))
    if code:
        raise SystemExit(code)
    facts = recorder.finish(family, queries)
    if as_json:
        click.echo(json.dumps({"site": str(out), **facts}, indent=1))
    else:
        listed = "".join(f", {count:,} {name}" for name, count in facts["targets"].items())
        click.echo(f"{out}: {facts['pages']:,} pages{listed}, starting from {facts['seeds'][0]}")


def _query(text: str) -> tuple[str, Query]:
    from lycosa.goals import Query

    name, equals, query = text.partition("=")
    if not equals or not name.replace("-", "").isalnum():
        raise UsageError(
            f"--goal {text!r} must be a name and a query, such as officers='title:officers'."
        )
    return name, Query(query)
