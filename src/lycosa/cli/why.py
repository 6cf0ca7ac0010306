"""`lycosa why`: how a URL was found, and why it was fetched or not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.cli.score_tables import contribution_tables, score_text
from lycosa.reporting.text import plural, printable

if TYPE_CHECKING:
    from rich.table import Table

    from lycosa.project.explanation import ExplainedLink, UrlExplanation, Visit

MIN_STEPS_FOR_BAR = 2000
"""So many pages are told again before there is a bar."""


@click.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.argument("url")
@click.option(
    "--words",
    "count",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How many words to show.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all of it for machines.")
def why(folder: Path, url: str, count: int, as_json: bool) -> None:
    """Say how the crawl in DIR found a URL, and why it fetched it or not.

    Shown are the way from a seed, the score of the URL and the words that gave
    it, and what came back; or what keeps it from being asked for. The crawl
    may be at work. It is told again from its archive, which takes one or two
    milliseconds a page.

    \b
    Examples:
      lycosa why my-crawl https://www.example.edu/labs/robots.html
      lycosa why my-crawl www.example.edu/private/ --json | jq .obstacles
    """  # noqa: D301
    from lycosa.crawler.storage.reader import CrawlReader
    from lycosa.project.explanation import why as ask
    from lycosa.project.project import Project

    with CrawlReader.open(folder) as ledger:
        project = Project.load(folder)
        with _bar(ledger.steps) as watch:
            account = ask(
                ledger,
                url,
                project.job,
                project.policy(),
                goal=project.goal.name,
                watch=watch,
            )
    if as_json:
        click.echo(json.dumps(account.to_json(), indent=1, ensure_ascii=False))
    else:
        _print(account, count)


@contextmanager
def _bar(steps: int) -> Iterator[Callable[[int, int], object]]:
    if steps <= MIN_STEPS_FOR_BAR:
        yield lambda done, total: None
        return
    from lycosa.cli.console import progress_bars

    with progress_bars() as progress:
        task = progress.add_task("telling again")
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _print(account: UrlExplanation, count: int) -> None:
    click.echo(printable(account.url))
    for line in (*_fate(account), *account.notes):
        click.echo(printable(line))
    _print_table("The way", _way(account))
    if account.links:
        _print_table(f"The links to it: {account.all_links:,}", _links(account))
    if account.explained is not None:
        click.echo(f"\nThe words of the link on {printable(account.explained.page)}")
        _words(account, count)


def _fate(account: UrlExplanation) -> Iterator[str]:
    """What came of it, in sentences."""
    for visit in account.visits[:1]:
        yield from _visited(account, visit)
    if account.visits:
        for visit in account.visits[1:]:
            yield f"Asked for again at step {visit.n:,}, {_moment(visit.time)}: {_came(visit)}."
        return
    since = ""
    if account.seed:
        since = " It is a seed."
    elif account.first is not None:
        since = f" It is known since step {account.first[0]:,}, from {account.first[1]}."
    yield f"Not asked for in {plural(account.steps, 'step')}.{since}"
    for obstacle in account.obstacles:
        yield obstacle.words
    standing = account.standing
    if standing is not None:
        barred = f"; {standing.barred:,} before it may not be asked for" if standing.barred else ""
        place = f"rank {standing.rank:,} of {standing.waiting:,}{barred}"
        if account.obstacles:
            yield f"By its score, {score_text(standing.score)}, it has {place}."
        else:
            yield f"It waits with score {score_text(standing.score)}, {place}."
    if account.at_work:
        yield "The crawl is at work."
    elif account.reason is not None:
        from lycosa.crawler.live.stop_reasons import reason_words

        yield f"The crawl stopped: {reason_words(account.reason)}."


def _visited(account: UrlExplanation, visit: Visit) -> Iterator[str]:
    if visit.url != account.url:
        yield f"A redirect led to it from {visit.url}."
    yield f"Asked for at step {visit.n:,}, {_moment(visit.time)}: {_came(visit)}."
    if visit.final not in (visit.url, account.url):
        yield f"A redirect led to {visit.final}."
    standing = account.standing
    rank = ""
    if standing is not None:
        rank = f", rank {standing.rank:,} of {standing.waiting:,} that waited"
    if visit.score is not None:
        yield f"Its score was {score_text(visit.score)}{rank}."
    elif account.seed:
        yield "It is a seed."
    else:
        yield "No link to it was followed: a sitemap named it, or it was a seed of an earlier run."


def _came(visit: Visit) -> str:
    if visit.fault is not None:
        return f"{visit.fault} ({visit.fault_words})"
    kind = visit.type.partition(";")[0].strip()
    return f"{visit.status} {kind}, reward {visit.reward:g}"


def _moment(time: str) -> str:
    return f"{time[:19].replace('T', ' ')} UTC"


def _way(account: UrlExplanation) -> Table:
    from lycosa.cli.console import table

    way = table(step="right", score="right", status="right", reward="right", page="left")
    for k, stop in enumerate(account.way):
        status = stop.fault or ("" if stop.status is None else str(stop.status))
        anchor = "" if stop.anchor is None else f" “{printable(stop.anchor) or '…'}”"
        unscored = stop.score is None and k == len(account.way) - 1 and not account.seed
        way.add_row(
            "" if stop.n is None else f"{stop.n:,}",
            "" if unscored else score_text(stop.score),
            printable(status),
            "" if stop.reward is None else f"{stop.reward:g}",
            printable(stop.url) + anchor,
        )
        if k == 0 and account.left_out:
            way.add_row("…", "", "", "", f"({plural(account.left_out, 'page')} not shown)")
    return way


def _links(account: UrlExplanation) -> Table:
    from lycosa.cli.console import table

    links = table(step="right", score="right", anchor="left", page="left")
    for link in account.links:
        links.add_row(f"{link.n:,}", _given(link), printable(link.anchor), printable(link.page))
    if account.all_links > len(account.links):
        links.add_row("", "", "", f"({account.all_links - len(account.links):,} others)")
    return links


def _given(link: ExplainedLink) -> str:
    return "" if link.score is None else score_text(link.score)


def _words(account: UrlExplanation, count: int) -> None:
    from lycosa.cli.console import table

    for sentence, words in contribution_tables(account.opinions, count):
        click.echo(sentence)
        if words is not None:
            _print_table("", words)
    if not account.opinions:
        bags = table(part="left", words="left")
        for bag, found in account.bags.items():
            more = ", …" if len(found) > count else ""
            bags.add_row(bag, printable(" ".join(found[:count])) + more)
        _print_table("", bags)


def _print_table(title: str, table: Table) -> None:
    from lycosa.cli.console import output

    if title:
        click.echo(f"\n{title}")
    output().print(table, markup=False)
