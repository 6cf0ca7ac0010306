"""Outcomes of faults of a cluster crawl: observed, kept in a folder as they come, and counted.

An outcome belongs to the version of the package that it was observed with: the page counts those
of the present version and those of earlier ones in tables of their own.
"""

from __future__ import annotations

import hashlib
import json
import random
import signal
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from bench.cluster_world import ServedWorld, read
from bench.page import table, write
from lycosa import cluster

HOSTS, SITE_PAGES, PAGES = 12, 100, 90
LONG_PAGES = 400
"""Pages of a crawl that is to outlast a fault of two leases."""
RAY_PAGES = 180
"""Pages of a crawl in Ray, whose workers do not begin at the same time."""
LEASE_SECONDS, DELAY_SECONDS = 3.0, 0.25
MAX_SECONDS = 120.0
"""A crawl that has not ended by then is stuck."""
TOLERANCE = 0.02
"""Seconds by which clocks may differ, beside those by which the server logged a request late."""
FOLDER = Path(gettempdir()) / "lycosa-cluster-faults"
_STEPS = "SELECT shard, n, url, final, reward FROM steps"
_TIMES = "SELECT shard, n, url, time, fault FROM steps WHERE url LIKE $1 OR url LIKE $2"
_STATE = "SELECT reason, (SELECT count(*) FROM steps) FROM crawl"
_TWICE = (
    "SELECT shard, n, url, final, status, fault, source, time FROM steps "
    "WHERE url IN (SELECT url FROM steps GROUP BY url HAVING count(*) > 1) ORDER BY url, shard, n"
)
_NONE = "With the present version of the package no fault has been tried yet."
_MOMENT = (
    "SELECT (SELECT count(*) FROM steps), (SELECT count(DISTINCT owner) FROM leases), reason "
    "FROM crawl"
)


@dataclass
class Outcome:
    """What a fault did to one crawl."""

    lost: int
    twice: int
    early: int
    """Requests before the delay of their host was over."""
    repeated: int
    """Requests for a page beyond the first."""
    stalled: float
    """Seconds after the fault until the next step was committed."""
    ended: bool
    outlasted: bool | None = None
    """Whether the crawl was still going on when the fault was over; None if it was not recorded."""


def end_on_signal() -> None:
    """Let SIGTERM end this process as an error does: servers are stopped, disks unmounted."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def trial_orders(served: ServedWorld, archive: Path, pages: int = PAGES) -> dict[str, Any]:
    """Return what the workers of a trial need to know."""
    return served.orders(
        archive=str(archive), lease=LEASE_SECONDS, delay=DELAY_SECONDS, pages=pages,
        volume_bytes=20_000, checkpoint_steps=5, spider="wary(house)",
    )  # fmt: skip


def wait_for_moment(url: str, chance: random.Random) -> set[tuple[Any, ...]] | None:
    """Wait until a random moment of a crawl at which two workers have shards.

    Returns the steps that were committed by then; None if the crawl has ended before.
    """
    moment, deadline = chance.randrange(5, PAGES - 20), time.monotonic() + 3 * MAX_SECONDS
    while True:
        ((steps, owners, reason),) = read(url, _MOMENT)
        if reason is not None:
            return None
        if steps >= moment and owners >= 2:
            time.sleep(chance.random() * 0.3)
            counted = set(read(url, _STEPS))
            return counted if read(url, _STATE)[0][0] is None else None
        if time.monotonic() > deadline:
            _print_tables(url)
            raise TimeoutError("The crawl does not begin.")
        time.sleep(0.1)


def see_end(served: ServedWorld, url: str, counted: set[tuple[Any, ...]]) -> Outcome:
    """Wait for the end of a crawl that a fault has just struck; return what it did.

    `counted` are the steps that were committed before.
    """
    struck, stalled, deadline = time.monotonic(), 0.0, time.monotonic() + MAX_SECONDS
    ((reason, before),) = read(url, _STATE)
    outlasted = reason is None
    while reason is None and time.monotonic() < deadline:
        time.sleep(0.1)
        ((reason, count),) = read(url, _STATE)
        if not stalled and (count > before or reason is not None):
            stalled = time.monotonic() - struck
    if reason is None:
        _print_tables(url)
    steps = read(url, _STEPS)
    for twice in read(url, _TWICE):
        print("twice:", *twice, file=sys.stderr)
    early = served.log.early(DELAY_SECONDS - TOLERANCE)
    for request in early:
        print("early:", request, file=sys.stderr)
        paths = f"%{request.host}{request.first}", f"%{request.host}{request.second}"
        print(*read(url, _TIMES, *paths), sep="\n", file=sys.stderr)
    pages = Counter((host, path) for _, host, path in served.log.lines if path != "/robots.txt")
    return Outcome(
        len(counted - set(steps)),
        len(steps) - len({url for _, _, url, *_ in steps}),
        sum(request.longest < DELAY_SECONDS - TOLERANCE for request in early),
        sum(pages.values()) - len(pages),
        stalled,
        reason is not None,
        outlasted,
    )


def _print_tables(url: str) -> None:
    for name in ("leases", "workers", "shards", "marks", "crawl"):
        print(name, read(url, f"SELECT * FROM {name}"), file=sys.stderr)  # noqa: S608


def append_outcome(name: str, outcome: Outcome) -> None:
    """Keep an outcome of a fault."""
    FOLDER.mkdir(exist_ok=True)
    with _file(name).open("a") as file:
        file.write(json.dumps({"version": _version(), **asdict(outcome)}) + "\n")


def load_outcomes(name: str) -> list[Outcome]:
    """Return the outcomes of a fault with the present version of the package."""
    return _load_versions(name).get(_version(), [])


def _load_versions(name: str) -> dict[str, list[Outcome]]:
    """Return the outcomes of a fault by the version of the package."""
    found: dict[str, list[Outcome]] = {}
    if _file(name).exists():
        for line in _file(name).read_text().splitlines():
            facts = json.loads(line)
            found.setdefault(facts.pop("version"), []).append(Outcome(**facts))
    return found


def _file(name: str) -> Path:
    return FOLDER / f"{name}.jsonl"


def _version() -> str:
    """Return a hash of the modules of the package."""
    digest = hashlib.sha256()
    for path in sorted(Path(cluster.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def write_part() -> None:
    """Write what all faults did that were tried."""
    names = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
    tried = {name: found for name in names if (found := load_outcomes(name))}
    earlier = [
        _row(name, found)
        for name in names
        for version, found in _load_versions(name).items()
        if version != _version()
    ]
    head = ["fault", "times", "lost", "twice", "early", "repeated, at most", "stalled, median",
            "at most", "outlasted", "ended"]  # fmt: skip
    write(
        "cluster-faults",
        "A cluster crawl: faults",
        f"Two workers with the default policy, {HOSTS} hosts, {PAGES} pages or, if a fault lasts "
        f"for two leases, up to {LONG_PAGES} (with Ray {RAY_PAGES}), leases of {LEASE_SECONDS} s, "
        f"a delay of {DELAY_SECONDS} s. *Lost*: steps that were committed before the fault and are "
        "missing after it; *twice*: URLs with two steps; *early*: requests before the delay of "
        "their host was over, by the log of the server; *repeated*: requests for a page beyond "
        "the first; *stalled*: seconds from the end of the fault to the next committed step; "
        "*outlasted*: crawls that are known to have gone on at the end of the fault. Wanted: 0, 0, "
        f"0, as many as were in flight, and at most {2 * LEASE_SECONDS} s.\n\n"
        + (table(head, [_row(*entry) for entry in tried.items()]) if tried else _NONE)
        + ("\n\nWith earlier versions of the package:\n\n" + table(head, earlier)) * bool(earlier),
        "bench-cluster",
    )


def _row(name: str, outcomes: list[Outcome]) -> list[object]:
    stalls = sorted(outcome.stalled for outcome in outcomes)
    return [
        name,
        len(outcomes),
        sum(outcome.lost for outcome in outcomes),
        sum(outcome.twice for outcome in outcomes),
        sum(outcome.early for outcome in outcomes),
        max(outcome.repeated for outcome in outcomes),
        f"{stalls[len(stalls) // 2]:.1f} s",
        f"{stalls[-1]:.1f} s",
        sum(outcome.outlasted is True for outcome in outcomes),
        sum(outcome.ended for outcome in outcomes),
    ]


if __name__ == "__main__":
    write_part()
