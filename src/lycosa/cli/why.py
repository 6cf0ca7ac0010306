"""`lycosa why`: explain how a URL was found, and why it was fetched or not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lycosa.cli.cluster_option import cluster_option, copy_from_cluster
from lycosa.cli.score_tables import contribution_tables, score_text
from lycosa.reporting.text import plural, printable

if TYPE_CHECKING:
    from rich.table import Table

    from lycosa.project.explanation import ExplainedLink, UrlExplanation, Visit

MIN_STEPS_FOR_BAR = 2000
"""With more steps to replay, a progress bar is shown."""


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
@click.option("--json", "as_json", is_flag=True, help="Print the explanation as JSON.")
@cluster_option("Copy a cluster crawl that is running to DIR first.")
def why(folder: Path, url: str, count: int, as_json: bool, cluster: str | None) -> None:
    """Explain how the crawl in DIR found a URL, and why it fetched it or not.

    The explanation has the path from a seed, the score of the URL with the words
    behind it, and the response; or what keeps the URL from being requested. The
    crawl may be running. It is replayed from its archive, which takes one or
    two milliseconds per page.

    \b
    Examples:
      lycosa why my-crawl https://www.example.edu/labs/robots.html
      lycosa why my-crawl www.example.edu/private/ --json | jq .obstacles
    """  # noqa: D301
    from lycosa.crawler.storage.reader import CrawlReader
    from lycosa.project.explanation import why as explain_url
    from lycosa.project.project import Project

    if cluster is not None:
        copy_from_cluster(cluster, folder)
    with CrawlReader.open(folder) as reader:
        project = Project.load(folder)
        with _bar(reader.steps) as watch:
            explanation = explain_url(
                reader,
                url,
                project.job,
                project.policy(),
                goal=project.goal.name,
                watch=watch,
            )
    if as_json:
        click.echo(json.dumps(explanation.to_json(), indent=1, ensure_ascii=False))
    else:
        _print(explanation, count)


@contextmanager
def _bar(steps: int) -> Iterator[Callable[[int, int], object]]:
    if steps <= MIN_STEPS_FOR_BAR:
        yield lambda done, total: None
        return
    from lycosa.cli.console import progress_bars

    with progress_bars() as progress:
        task = progress.add_task("replaying")
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _print(explanation: UrlExplanation, count: int) -> None:
    click.echo(printable(explanation.url))
    for line in (*_outcome_lines(explanation), *explanation.notes):
        click.echo(printable(line))
    _print_table("Path", _path_table(explanation))
    if explanation.links:
        _print_table(f"Links to it: {explanation.all_links:,}", _link_table(explanation))
    if explanation.explained is not None:
        click.echo(f"\nWords of the link on {printable(explanation.explained.page)}")
        _print_words(explanation, count)


def _outcome_lines(explanation: UrlExplanation) -> Iterator[str]:
    """Yield what happened to the URL, in sentences."""
    for visit in explanation.visits[:1]:
        yield from _visited(explanation, visit)
    if explanation.visits:
        for visit in explanation.visits[1:]:
            yield f"Requested again at step {visit.n:,}, {_moment(visit.time)}: {_outcome(visit)}."
        return
    since = ""
    if explanation.seed:
        since = " It is a seed."
    elif explanation.first is not None:
        since = f" It was first seen at step {explanation.first[0]:,}, on {explanation.first[1]}."
    yield f"Not requested in {plural(explanation.steps, 'step')}.{since}"
    for obstacle in explanation.obstacles:
        yield obstacle.words
    standing = explanation.standing
    if standing is not None:
        barred = f"; {standing.barred:,} before it may not be requested" if standing.barred else ""
        place = f"rank {standing.rank:,} of {standing.waiting:,}{barred}"
        if explanation.obstacles:
            yield f"By its score, {score_text(standing.score)}, it is at {place}."
        else:
            yield f"It waits with score {score_text(standing.score)}, {place}."
    if explanation.at_work:
        yield "The crawl is running."
    elif explanation.reason is not None:
        from lycosa.crawler.live.stop_reasons import stop_sentence

        yield stop_sentence(explanation.reason)


def _visited(explanation: UrlExplanation, visit: Visit) -> Iterator[str]:
    if visit.url != explanation.url:
        yield f"A redirect led to it from {visit.url}."
    yield f"Requested at step {visit.n:,}, {_moment(visit.time)}: {_outcome(visit)}."
    if visit.final not in (visit.url, explanation.url):
        yield f"A redirect led to {visit.final}."
    standing = explanation.standing
    rank = ""
    if standing is not None:
        rank = f", rank {standing.rank:,} of {standing.waiting:,} waiting links"
    if visit.score is not None:
        yield f"Its score was {score_text(visit.score)}{rank}."
    elif explanation.seed:
        yield "It is a seed."
    else:
        yield "No link to it was followed: it is from a sitemap, or was a seed of an earlier run."


def _outcome(visit: Visit) -> str:
    if visit.fault is not None:
        return f"{visit.fault} ({visit.fault_words})"
    kind = visit.type.partition(";")[0].strip()
    return f"{visit.status} {kind}, reward {visit.reward:g}"


def _moment(time: str) -> str:
    return f"{time[:19].replace('T', ' ')} UTC"


def _path_table(explanation: UrlExplanation) -> Table:
    from lycosa.cli.console import table

    way = table(step="right", score="right", status="right", reward="right", page="left")
    for k, stop in enumerate(explanation.way):
        status = stop.fault or ("" if stop.status is None else str(stop.status))
        anchor = "" if stop.anchor is None else f" “{printable(stop.anchor) or '…'}”"
        unscored = stop.score is None and k == len(explanation.way) - 1 and not explanation.seed
        way.add_row(
            "" if stop.n is None else f"{stop.n:,}",
            "" if unscored else score_text(stop.score),
            printable(status),
            "" if stop.reward is None else f"{stop.reward:g}",
            printable(stop.url) + anchor,
        )
        if k == 0 and explanation.left_out:
            way.add_row("…", "", "", "", f"({plural(explanation.left_out, 'page')} not shown)")
    return way


def _link_table(explanation: UrlExplanation) -> Table:
    from lycosa.cli.console import table

    links = table(step="right", score="right", anchor="left", page="left")
    for link in explanation.links:
        links.add_row(
            f"{link.n:,}", _link_score(link), printable(link.anchor), printable(link.page)
        )
    if explanation.all_links > len(explanation.links):
        links.add_row("", "", "", f"({explanation.all_links - len(explanation.links):,} others)")
    return links


def _link_score(link: ExplainedLink) -> str:
    return "" if link.score is None else score_text(link.score)


def _print_words(explanation: UrlExplanation, count: int) -> None:
    from lycosa.cli.console import table

    for sentence, words in contribution_tables(explanation.opinions, count):
        click.echo(sentence)
        if words is not None:
            _print_table("", words)
    if not explanation.opinions:
        bags = table(part="left", words="left")
        for bag, found in explanation.bags.items():
            more = ", …" if len(found) > count else ""
            bags.add_row(bag, printable(" ".join(found[:count])) + more)
        _print_table("", bags)


def _print_table(title: str, table: Table) -> None:
    from lycosa.cli.console import output

    if title:
        click.echo(f"\n{title}")
    output().print(table, markup=False)
