"""Thirty days of `lycosa keep` in minutes: kills, a full disk and a failing site in between.

`lycosa keep` crawls, builds and serves sites that change (`bench.changing_sites`), on which
a day lasts some seconds. A supervisor starts it again when it was killed, and holds its
socket, as systemd does. Every process is killed in turn (the keeper, the crawl, the build,
the server, one of its processes, a worker of the crawl or build), the disk of the project, a
small one in memory, is full for a while, and one site fails for days. Readers request pages
of the portal throughout.

Counted are: works that the portal had and has no longer though their pages are there, or
that it should have and has not; requests to a host that came earlier than its delay after
the answer before, by the log of the sites; requests of readers that failed; and on each day
the size of the project and the memory of all processes.

`python -m bench.keep_days` writes its part of docs/benchmarks.md; `--days` and
`--day-seconds` make it shorter. The disk is full only where it may be mounted (as root).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bench import page
from bench.keep_outcomes import missing, too_early, vanished
from bench.keep_run import FULL_DAYS, TIMEOUT_SECONDS, Figures, Run
from bench.kept_project import HOSTS, project, sites, small_disk


def measure(days: float, day_seconds: float) -> dict[str, Any]:
    """Run all days; return the figures."""
    with tempfile.TemporaryDirectory() as name, small_disk(Path(name) / "disk") as disk:
        log = Path(name) / "log"
        folder = Path(name) / "disk" / "kept"
        with sites(day_seconds, log) as (port, begun):
            project(folder, port)
            run = Run(folder, disk, days, day_seconds)
            figures = asyncio.run(run.run(begun))
            day = run.day
        requests, early = too_early(log)
        status = folder / "keep.json"
        return {
            "figures": figures,
            "requests": requests,
            "early": early,
            "missing": sorted(missing(log, folder, port, begun, day, day_seconds)),
            "vanished": vanished(figures.ever, port, day, folder),
            "status": json.loads(status.read_text()) if status.exists() else {},
            "log": (folder.parent / "keep.log").read_text(errors="replace"),
        }


def body(found: dict[str, Any], days: float, day_seconds: float) -> str:
    """Return the part of the page."""
    figures: Figures = found["figures"]
    total = sum(figures.statuses.values())
    kills = ", ".join(f"{name} {n}" for name, n in sorted(figures.kills.items()))
    by_day = {day: (disk, memory, works) for day, disk, memory, works in figures.curve}
    curve = [
        (day, f"{by_day[day][0]:.1f}", f"{by_day[day][1]:.0f}", by_day[day][2])
        for day in sorted(by_day)
        if day % 3 == 0 or day == max(by_day)
    ]
    memory = max(each[2] for each in figures.curve)
    waits = np.array(figures.seconds or [0.0])
    median, rare, longest = map(float, np.percentile(waits, (50, 99, 100)))
    load = f"{np.mean(figures.loads):.0f} on average, {max(figures.loads):.0f} at most"
    rows = [
        ("killed", kills),
        ("disk was full", f"days {FULL_DAYS[0]:g} to {FULL_DAYS[1]:g}" if figures.full else "no"),
        ("works lost", len(found["missing"]) + len(found["vanished"])),
        ("requests to sites", f"{found['requests']:,}"),
        ("of these too early", len(found["early"])),
        ("requests of readers", f"{total:,}"),
        ("of these failed", f"{figures.failed} ({figures.failed / max(total, 1):.3%})"),
        ("readers waited", f"median {median:.2f} s, p99 {rare:.2f} s, at most {longest:.1f} s"),
        ("load of the machine", load),
        ("most memory of all processes", f"{memory:.0f} MB"),
    ]
    return "\n\n".join(
        (
            f"{days:g} days of {day_seconds:g} s on {HOSTS} sites; every kind of process is killed "
            "in turn, one site fails for four days. The sites are accelerated, and so are the "
            "cycles, two a day. The clock of Lycosa is not: delays between requests, time-outs and "
            "what readers wait for are real seconds (a reader who waits for "
            f"{TIMEOUT_SECONDS:g} s gives up, and counts as failed), the plan of revisits sees "
            "pages that change several times an hour, and periods of grace of weeks do not end.",
            page.table(("", "value"), rows),
            page.table(("day", "project (MB)", "memory (MB)", "documents"), curve),
        )
    )


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=float, default=30.0)
    parser.add_argument("--day-seconds", type=float, default=40.0)
    parser.add_argument("--print", action="store_true", help="Print everything; write no page.")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    found = measure(given.days, given.day_seconds)
    text = body(found, given.days, given.day_seconds)
    for line in (
        *found["early"],
        *found["missing"],
        *found["vanished"],
        *found["figures"].failures,
    ):
        print(line, file=sys.stderr)
    if given.print:
        print(text, found["status"], found["log"], sep="\n")
    else:
        page.write("keep", "Thirty days of a kept portal", text)


if __name__ == "__main__":
    main()
