"""Tables of an experiment's results for the terminal."""

from __future__ import annotations

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from lycosa.lab.measures import PERCENTS
from lycosa.lab.results import Results, Summary


def tables(results: Results) -> Group:
    """Return a table for each site, followed by the summary."""
    return Group(*(_site(results, site) for site in results.sites), _summary(results))


def _site(results: Results, site: str) -> Table:
    runs = [run for run in results.runs if run.site == site]
    table = _table(f"{site}: {runs[0].targets:,} {runs[0].goal} in {runs[0].pages:,} URLs")
    seeds = results.several_seeds
    table.add_column("spider", min_width=14, overflow="fold")
    if seeds:
        table.add_column("seed", justify="right")
    for title in (*(f"to {p} %" for p in PERCENTS), "integral", "gap closed", "s"):
        table.add_column(title, justify="right", min_width=5, no_wrap=True)
    for run in runs:
        table.add_row(
            run.spider,
            *(["" if run.seed is None else str(run.seed)] if seeds else []),
            *(count(value) for value in run.requests_to.values()),
            f"{run.integral:.3f}",
            share(results.gap_closed(run)),
            f"{run.seconds:.2f}",
        )
    return table


def _summary(results: Results) -> Table:
    sites = len(results.sites)
    table = _table(f"Summary over {sites} sites" if sites > 1 else "Summary: one site, no interval")
    table.add_column("spider", min_width=14, overflow="fold")
    seeds = results.several_seeds
    # With one more column, only the shorter title fits 80 columns.
    spread, first = (["spread"], "to first target") if seeds else ([], "links to first target")
    for name in ("gap closed", *spread, "95 % interval", "integral", first):
        table.add_column(name, justify="right", no_wrap=True)
    for row in results.summary:
        table.add_row(
            row.spider,
            share(row.gap_closed),
            *([share(row.spread)] if seeds else []),
            span(row),
            f"{row.integral:.3f}",
            share(row.links_followed),
        )
    return table


def _table(title: str) -> Table:
    # Without padding the table fits a terminal of 80 columns.
    return Table(
        box=box.SIMPLE_HEAD,
        padding=0,
        show_edge=False,
        title=Text(f"\n{title}", "bold"),  # not markup: a query may have brackets
        title_justify="left",
    )


def count(value: int | None) -> str:
    """Format a number of requests, a dash for never.

    >>> count(12345), count(None)
    ('12,345', '—')
    """
    return "—" if value is None else f"{value:,}"


def share(value: float | None) -> str:
    """Format a share in per cent, a dash for none.

    >>> share(0.6613), share(None)
    ('66.1 %', '—')
    """
    return "—" if value is None else f"{100 * value:.1f} %"


def span(row: Summary) -> str:
    """Format an interval in per cent, a dash for a single site."""
    if row.interval is None or row.sites < 2:
        return "—"
    low, high = row.interval
    return f"{100 * low:.1f} to {100 * high:.1f} %"
