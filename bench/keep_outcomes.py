"""What became of a kept portal, by its files and by the log of its sites.

Works that are lost, and requests that came too early.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from bench.changing_sites import CRAWL_DELAY, living
from bench.kept_project import DELAY, HOSTS

SETTLED_DAYS = 6.0
"""A paper that is there for so long, and was served to the crawl before that, must be found."""


def shown(folder: Path) -> set[str]:
    """Return the URLs of all copies that the portal shows."""
    path = folder / "portal.db"
    if not path.exists():
        return set()
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            query = "SELECT url FROM documents JOIN copies ON document = id"
            return {url for (url,) in database.execute(query)}
    except sqlite3.Error:  # while it is made, or the disk is full
        return set()


def too_early(log: Path) -> tuple[int, list[str]]:
    """Return the requests of a log, and those that came too early after the answer before."""
    lines = sorted(json.loads(line) for line in log.read_text(encoding="utf-8").splitlines())
    last: dict[int, float] = {}
    early = []
    for arrived, answered, host, path, status in lines:
        gap = arrived - last.get(host, -1e9)
        if gap < (DELAY if host else CRAWL_DELAY):
            early.append(f"host {host} {path} {status}: {gap:.3f} s after the answer before")
        # The crawl does not wait for an answer that takes longer than its time-out.
        last[host] = answered if answered - arrived < 1 else arrived
    return len(lines), early


def missing(log: Path, folder: Path, port: int, begun: float, day: float, scale: float) -> set[str]:
    """Return the papers that the portal should show and does not."""
    served = set()
    for line in log.read_text(encoding="utf-8").splitlines():
        arrived, _, host, path, status = json.loads(line)
        if status == 200 and (arrived - begun) / scale < day - SETTLED_DAYS:
            served.add((host, path))
    wanted = {
        f"http://127.0.0.{host + 2}:{port}{paper.path(day)}"
        for host in range(HOSTS)
        for paper in living(host, day)
        if (host, paper.path(day)) in served and paper.moves - day > 0
    }
    return wanted - shown(folder)


def vanished(ever: set[str], port: int, day: float, folder: Path) -> list[str]:
    """Return what the portal has had and has not, though it is still there."""
    there = {
        f"http://127.0.0.{host + 2}:{port}{paper.path(day)}"
        for host in range(HOSTS)
        for paper in living(host, day)
    }
    return sorted((ever & there) - shown(folder))
