"""The summary of a live crawl in a few lines."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from lycosa.crawler.live.status import RunTotals, Status
from lycosa.crawler.live.stop_reasons import stop_sentence
from lycosa.reporting.text import duration, plural, printable, size

MAX_FAILURES = 10
"""Start pages that gave nothing, of which the summary has a line for each."""
_RECENT_SHARE = 0.1  # of all pages
_MIN_RECENT_PAGES = 50


def summary(status: Status, folder: Path | None) -> list[str]:
    """Return why the crawl stopped, what it found, where it is, and the next commands."""
    lines = []
    if status.gave_nothing:
        lines.append(_nothing(status))
    elif status.reason is not None:
        lines.append(printable(stop_sentence(status.reason)))
    lines += failure_lines(status)
    lines.append(f"{progress(status)}.")
    if status.faults:
        names = [f"{printable(name)} {count:,}" for name, count in status.fault_names.items()]
        lines.append(f"{plural(status.faults, 'fault')}: {', '.join(names)}.")
    lines.append(_effort(status))
    lines += [printable(notice.words) for notice in status.notices]
    if folder is not None:
        name = printable(shlex.quote(str(folder)))
        lines.append(
            f"Pages are in {printable(str(folder / 'archive'))}. Report: lycosa report {name}"
        )
        if status.gave_nothing:
            lines.append(f"Try again, when the cause is mended: lycosa crawl {name}")
        elif status.reason != "frontier empty":
            more = " (with a larger budget)" if (status.reason or "").startswith("budget") else ""
            lines.append(f"Resume{more}: lycosa crawl {name}")
    return lines


def _nothing(status: Status) -> str:
    sentence = "No start page gave a page."
    if status.reason in (None, "frontier empty"):
        return sentence
    return f"{printable(stop_sentence(status.reason))} {sentence}"


def failure_lines(status: Status, most: int = MAX_FAILURES) -> list[str]:
    """Return a line for each start page that gave nothing, and one for those left out."""
    lines = [printable(str(failure)) for failure in status.failures[:most]]
    if rest := len(status.failures) - len(lines):
        lines.append(f"{plural(rest, 'more start page')} gave nothing.")
    return lines


def progress(status: Status) -> str:
    """Return the progress of a crawl in one line."""
    pages, targets = plural(status.pages, "page"), plural(status.targets, "target")
    return f"{pages}, {targets} ({harvest(status.curve, status)}), {status.estimate}"


def harvest(curve: Sequence[tuple[int, int]], status: Status) -> str:
    """Return the targets per 100 pages, over all pages and recently."""
    if not status.pages:
        return "0 per 100 pages"
    overall = f"{100 * status.targets / status.pages:.1f} per 100 pages"
    late = recent_rate(curve)
    return overall if late is None else f"{overall}, {100 * late:.1f} recently"


def recent_rate(curve: Sequence[tuple[int, int]]) -> float | None:
    """Return the targets per page over the last tenth of the pages; None if those are few.

    >>> recent_rate([(0, 0), (900, 90), (1000, 110)])
    0.2
    >>> recent_rate([(0, 0), (9, 3)]) is None
    True
    """
    if not curve:
        return None
    pages, targets = curve[-1]
    span = max(pages * _RECENT_SHARE, _MIN_RECENT_PAGES)
    before = [point for point in curve if point[0] <= pages - span]
    if not before:
        return None
    then, found = before[-1]
    return (targets - found) / (pages - then)


def _effort(status: Status) -> str:
    """Return the time, requests and bytes of this run, and of all runs if there were others."""
    run = RunTotals(1, status.seconds, status.requests, status.received)
    if status.totals.runs <= 1:
        return f"{_amounts(run)}."
    return f"{_amounts(run)} in this run; {_amounts(status.totals)} in {status.totals.runs:,} runs."


def _amounts(totals: RunTotals) -> str:
    requests = plural(totals.requests, "request")
    return f"{duration(totals.seconds)}, {requests}, {size(totals.received)} received"
