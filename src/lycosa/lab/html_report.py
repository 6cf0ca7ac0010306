"""HTML report of an experiment: one self-contained file."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape
from importlib.metadata import version

from lycosa.lab.measures import PERCENTS
from lycosa.lab.results import Results, Run
from lycosa.lab.table import count, share, span
from lycosa.reporting.chart import Curve, recall_chart, swatch, whisker
from lycosa.reporting.document import cells, document, heads, scrolling_table, section


def report(
    results: Results,
    *,
    command: str,
    seeds: Sequence[int] = (0,),
    train: str = "others",
    when: datetime | None = None,
) -> str:
    """Return a page with the summary, the recall curves of every site, and all figures.

    `command` is shown as the way to repeat the experiment, `seeds` and `train` as its settings,
    and `when` as its date (now, if not given).
    """
    goal = results.runs[0].goal
    title = f"Spiders looking for {goal}"
    when = when or datetime.now().astimezone()
    facts = {
        "Date": when.strftime("%Y-%m-%d %H:%M %Z"),
        "Lycosa": version("lycosa"),
        "Python": platform.python_version(),
        "Seeds": ", ".join(map(str, seeds)),
        "Training": "the other sites of the family" if train == "others" else "none",
        "Command": f"<code>{escape(command)}</code>",
    }
    sections = (_summary(results), _curves(results), _runs(results))
    return document(title, _lead(results), sections, facts)


def _lead(results: Results) -> str:
    sites = {run.site: run for run in results.runs}.values()
    targets, pages = sum(run.targets for run in sites), sum(run.pages for run in sites)
    goal = escape(results.runs[0].goal)
    number = "one recorded site" if len(sites) == 1 else f"{len(sites)} recorded sites"
    return f"{targets:,} targets ({goal}) among {pages:,} URLs that can be reached on {number}."


def _summary(results: Results) -> str:
    rows = []
    for row in results.summary:
        low, high = row.interval if row.interval and row.sites > 1 else (None, None)
        mark = "" if row.gap_closed is None else whisker(row.gap_closed, low, high)
        shares = (
            share(row.gap_closed),
            *((share(row.spread),) if results.several_seeds else ()),
            span(row),
            f"{row.integral:.3f}",
            share(row.links_followed),
        )
        rows.append((row.spider, mark, shares))
    spread = ("Spread",) if results.several_seeds else ()
    columns = ("Gap closed", *spread, "95 % interval", "Integral", "Links to first target")
    about = " Spread is the standard deviation of gap closed over seeds." if spread else ""
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>{cells(shares)}<td class="mark">{mark}</td></tr>'
        for name, mark, shares in rows
    )
    return section(
        "summary",
        "Summary",
        "<p>Gap closed is 0 % for breadth-first and 100 % for Optimal, which knows the whole "
        "site. Over several sites it is the ratio of the sums, with a paired bootstrap interval "
        f"over sites. The integral is the area under the recall curve.{about}</p>"
        + scrolling_table(
            "Summary over sites",
            f'<thead><tr><th scope="col">Spider</th>{heads(columns)}'
            '<th scope="col" class="mark">0 % to 100 %</th></tr></thead>'
            f"<tbody>{body}</tbody>",
        ),
    )


def _curves(results: Results) -> str:
    styles = {spider: index for index, spider in enumerate(results.spiders)}
    figures = []
    for site in results.sites:
        runs = [run for run in results.runs if run.site == site]
        first = runs[0]
        curves = [
            Curve(run.spider, styles[run.spider], run.hits, run.requests, _tip(results, run))
            for run in runs
        ]
        label = f"Recall against requests on {site}: share of {first.targets:,} targets found"
        legend = "".join(
            f"<li>{swatch(styles[name])}{escape(name)} <span>{_mean(runs, name):.3f}</span></li>"
            for name in results.spiders
        )
        figures.append(
            f"<figure><figcaption><h3>{escape(site)}</h3><p>{first.targets:,} targets in "
            f"{first.pages:,} URLs; share found against requests</p></figcaption>"
            f"{recall_chart(curves, first.pages, first.targets, label)}"
            f'<ul class="legend" aria-label="Spiders and their integrals">{legend}</ul></figure>'
        )
    return section("curves", "Recall curves", f'<div class="figures">{"".join(figures)}</div>')


def _mean(runs: Iterable[Run], spider: str) -> float:
    integrals = [run.integral for run in runs if run.spider == spider]
    return sum(integrals) / len(integrals)


def _tip(results: Results, run: Run) -> str:
    parts = [f"{p} % after {count(n)}" for p, n in run.requests_to.items() if n is not None]
    seed = f" (seed {run.seed})" if results.several_seeds and run.seed is not None else ""
    return f"{run.spider}{seed}: integral {run.integral:.3f}" + "".join(f"; {p}" for p in parts)


def _runs(results: Results) -> str:
    body = []
    for run in results.runs:
        numbers = (
            *(("" if run.seed is None else str(run.seed),) if results.several_seeds else ()),
            f"{run.pages:,}",
            f"{run.targets:,}",
            *(count(number) for number in run.requests_to.values()),
            f"{run.integral:.3f}",
            share(results.gap_closed(run)),
            share(run.links_followed),
            f"{run.seconds:.2f}",
        )
        body.append(
            f'<tr><td class="text">{escape(run.site)}</td>'
            f'<th scope="row">{escape(run.spider)}</th>{cells(numbers)}</tr>'
        )
    columns = (
        *(("Seed",) if results.several_seeds else ()),
        "URLs",
        "Targets",
        *(f"{p} %" for p in PERCENTS),
        "Integral",
        "Gap closed",
        "Links to first target",
        "Seconds",
    )
    return section(
        "runs",
        "Runs",
        "<p>The columns 25 % to 90 % are the requests needed to find that share of the targets "
        "that can be reached; — means never.</p>"
        + scrolling_table(
            "All runs",
            '<thead><tr><th scope="col">Site</th><th scope="col">Spider</th>'
            f"{heads(columns)}</tr></thead><tbody>{''.join(body)}</tbody>",
        ),
    )
