"""The state of a cluster crawl as lines of text, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lycosa.reporting.text import duration, plural, printable

if TYPE_CHECKING:
    from lycosa.cluster.status import ClusterStatus

STALE_SECONDS = 10.0
"""A lease that was not renewed for so long is marked: its worker may be dead."""


def status_json(status: ClusterStatus) -> dict[str, Any]:
    """Return the state for `--json`."""
    return {**asdict(status), "time": status.time.isoformat(), "totals": status.totals}


def status_lines(status: ClusterStatus) -> Iterator[str]:
    """Yield the lines of the state: totals, workers, shards, hosts in trouble."""
    totals = status.totals
    budget = status.budget["pages"]
    of = "" if budget is None else f" of {int(budget):,}"
    state = "running" if status.reason is None else f"ended: {status.reason}"
    yield (
        f"{state}; {int(totals['pages']):,}{of} pages, {int(totals['targets']):,} targets, "
        f"{totals['rate']:.1f} pages/s, {int(totals['waiting']):,} URLs waiting on "
        f"{plural(status.hosts, 'host')}"
    )
    if totals["lag"] or status.volumes:
        yield (
            f"{plural(int(totals['lag']), 'link')} on the way between shards, "
            f"{plural(status.volumes, 'volume')} not yet in the archive"
        )
    yield ""
    yield from _table(
        ("worker", "machine", "shards", "pages/s", "heard of"),
        [
            (each.name, each.machine, each.shards, f"{each.rate:.1f}", _ago(each.renewed))
            for each in status.workers
        ],
        "No worker is there.",
    )
    yield ""
    yield from _table(
        ("shard", "owner", "epoch", "pages", "targets", "waiting", "asked", "best", "lag", "lease"),
        [
            (
                each.shard, each.owner or "-", each.epoch, each.pages, each.targets, each.waiting,
                each.in_flight, "" if each.best is None else f"{each.best:.3g}", each.lag,
                _ago(each.renewed) if each.owner else "free",
            )
            for each in status.shards
        ],
        "There are no shards.",
    )  # fmt: skip
    if status.troubles:
        yield ""
        yield from _table(
            ("host in trouble", "shard", "failures", "reason", "left alone"),
            [
                (each.host, each.shard, each.failures, each.reason, duration(each.seconds))
                for each in status.troubles
            ],
            "",
        )


def _ago(seconds: float | None) -> str:
    if seconds is None:
        return "never"
    return f"{duration(seconds)} ago{'!' if seconds > STALE_SECONDS else ''}"


def _table(head: Sequence[str], rows: Sequence[Sequence[object]], empty: str) -> Iterator[str]:
    """Yield the lines of a table; numbers are aligned to the right."""
    if not rows:
        yield empty
        return
    texts = [[printable(f"{c:,}" if isinstance(c, int) else str(c)) for c in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *texts, strict=True)]
    for line in (head, *texts):
        cells = [
            text.rjust(width) if isinstance(kind, int) else text.ljust(width)
            for text, width, kind in zip(line, widths, rows[0], strict=True)
        ]
        yield "  ".join(cells).rstrip()
