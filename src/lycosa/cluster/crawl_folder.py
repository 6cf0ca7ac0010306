"""The folder of a cluster crawl: a copy of all shards, as a crawl on one machine leaves it.

`lycosa report`, `why`, `build`, `serve` and `export` read this folder and need not know that
there were many machines. The steps of all shards are merged by their times, each shard's in its
own order; a link that came from another shard leads to the step that sent it.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

import numpy as np

from lycosa.cluster.archive_volumes import ArchiveFolder, read_volume, volume_name
from lycosa.cluster.database import Connection, Database
from lycosa.crawler.live.progress import RunTotals
from lycosa.crawler.storage.error_advice import translate_errors
from lycosa.crawler.storage.journal import Journal, values_of_step
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.records import RecordLocation
from lycosa.crawler.storage.store import PAGE_RULES, StoredStep
from lycosa.errors import UsageError
from lycosa.files import FileLock, replace_file

NOTE = "cluster"
"""The note of a step log that was copied from a cluster: the number of its steps."""
MAX_SECONDS = 24 * 3600.0
"""Maximum time of a copy."""

_STEPS = """
    SELECT s.shard, s.n, s.url, s.final, s.status, s.type, s.fault, s.reward, s.source, s.score,
        s.time, s.volume, s.start, s.length, s.digest, l.sender, l.source AS sent
    FROM steps s LEFT JOIN (
        SELECT DISTINCT ON (receiver, url) receiver, url, sender, source
        FROM links WHERE sender >= 0 ORDER BY receiver, url, score DESC) l
    ON s.source = 0 AND s.score < 'Infinity' AND l.receiver = s.shard AND l.url = s.url
    ORDER BY s.shard, s.n"""


def check_folder(folder: Path) -> None:
    """Raise a `UsageError` if a folder has a crawl of its own, which a copy would overwrite."""
    if (folder / "crawl.db").exists():
        with CrawlReader.open(folder) as reader:
            if reader.note(NOTE) != reader.steps:
                raise UsageError(
                    f"{folder} has a crawl that was made on one machine: choose another folder "
                    "for the cluster, or go on without --cluster."
                )


def write_folder(
    database: Database, folder: Path, archive: ArchiveFolder, seeds: Sequence[str] = ()
) -> int:
    """Copy the crawl in a database to a folder; return the number of steps.

    The crawl may be running: what is committed now is copied. `seeds` are the start pages.
    """
    check_folder(folder)
    (folder / "archive").mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "lock")
    try:
        with replace_file(folder / "crawl.db") as part:
            journal = Journal(part, lambda stage: None)
            try:
                steps = database.run(
                    lambda connection: _copy(connection, folder, archive, journal, seeds),
                    seconds=MAX_SECONDS,
                )
            finally:
                journal.close()
            for suffix in ("-wal", "-shm"):
                part.with_name(part.name + suffix).unlink(missing_ok=True)
                (folder / f"crawl.db{suffix}").unlink(missing_ok=True)
    finally:
        lock.release()
    return steps


async def _copy(
    connection: Connection,
    folder: Path,
    archive: ArchiveFolder,
    journal: Journal,
    seeds: Sequence[str],
) -> int:
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        await connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        sizes = await _copy_volumes(connection, folder / "archive", archive)
        order = _merge(await connection.fetch("SELECT shard, n, time FROM steps ORDER BY shard, n"))
        rows = [_values(row, order) for row in await connection.fetch(_STEPS)]
        crawl = await connection.fetchrow("SELECT * FROM crawl")
        notes = await connection.fetch("SELECT shard, key, value FROM notes ORDER BY shard, key")
        merged = _merged_notes(notes, order, {"seeds": list(seeds), "reason": crawl["reason"]})
        merged[NOTE] = json.dumps(len(rows))
        found = await connection.fetch("SELECT key, value FROM conversions")
    with translate_errors(folder):
        journal.write(rows, sizes, merged, {}, dict(map(tuple, found)))
    return len(rows)


async def _copy_volumes(
    connection: Connection, folder: Path, archive: ArchiveFolder
) -> dict[int, int]:
    """Write the files of volumes that the folder does not have; return the size of each."""
    sizes = {}
    for volume, size, moved in await connection.fetch("SELECT volume, bytes, moved FROM volumes"):
        path = folder / volume_name(volume)
        sizes[volume] = size
        if path.is_file() and path.stat().st_size == size:
            continue
        if moved:
            data = archive.read_if_possible(volume, 0, size)
        else:
            data = await read_volume(connection, volume)
        if data is not None:
            # An error of this disk would be taken for one of the connection.
            with translate_errors(folder.parent), replace_file(path) as part:
                part.write_bytes(data[:size])
    return sizes


def _merge(rows: Iterable[tuple[int, int, Any]]) -> dict[int, np.ndarray[Any, Any]]:
    """Return the number that each step gets, by its shard and its number there.

    Of the shards the one goes on whose next step was requested first.
    """
    times: dict[int, list[Any]] = {}
    for shard, _, time in rows:
        times.setdefault(shard, []).append(time)
    order = {shard: np.zeros(len(found) + 1, np.int64) for shard, found in times.items()}
    heads = [(found[0], shard, 1) for shard, found in times.items()]
    heapq.heapify(heads)
    number = 0
    while heads:
        _, shard, n = heads[0]
        number += 1
        order[shard][n] = number
        if n < len(times[shard]):
            heapq.heapreplace(heads, (times[shard][n], shard, n + 1))
        else:
            heapq.heappop(heads)
    return order


def _values(row: Any, order: dict[int, np.ndarray[Any, Any]]) -> tuple[Any, ...]:
    """Return the values of a row of the step log."""
    number = int(order[row["shard"]][row["n"]])
    source = int(order[row["shard"]][row["source"]])
    if row["sender"] is not None:
        source = int(order[row["sender"]][row["sent"]])
    step = StoredStep(
        number, row["url"], row["final"], row["status"], row["type"], row["fault"],
        row["reward"], source if source < number else 0, row["score"], row["time"].astimezone(UTC),
    )  # fmt: skip
    location = None
    if row["volume"] is not None:
        location = RecordLocation(row["volume"], row["start"], row["length"])
    return values_of_step(step, location, row["digest"])


def _merged_notes(
    rows: Iterable[tuple[int, str, str]],
    order: dict[int, np.ndarray[Any, Any]],
    facts: dict[str, Any],
) -> dict[str, str]:
    """Return the notes of all shards as those of one crawl; `facts` are known of its run."""
    notes: dict[str, str] = {}
    runs: list[dict[str, Any]] = []
    hosts: dict[str, Any] = {}
    for shard, key, value in rows:
        if key == "run":
            runs.append(json.loads(value))
        elif key == "hosts":
            hosts |= json.loads(value)
        elif key.startswith("between:"):
            notes[f"between:{order[shard][int(key[8:])]}"] = value
        elif key == PAGE_RULES:
            # They are those of one lycosa.toml; when each shard got others is not told apart.
            (*_, (_, rules)) = json.loads(value)
            notes[key] = json.dumps([[1, rules]])
        else:
            notes[key] = value
    if runs:
        notes["run"] = json.dumps(_merged_run(runs, facts))
        notes["hosts"] = json.dumps(hosts)
    return notes


def _merged_run(runs: list[dict[str, Any]], facts: dict[str, Any]) -> dict[str, Any]:
    """Return one note of a run for those of all shards."""
    totals = sum((RunTotals.of_note(run) for run in runs), RunTotals())
    seconds = max(run.get("seconds") or 0.0 for run in runs)
    skipped = Counter[str]()
    for run in runs:
        skipped.update(run.get("skipped") or {})
    notices = {notice["kind"]: notice for run in runs for notice in run.get("notices") or ()}
    estimates = [run["estimate"] for run in runs if run.get("estimate")]
    ends = [run["ended"] for run in runs if run.get("ended")]
    return {
        **runs[0],
        **facts,
        "ended": max(ends) if facts["reason"] and ends else None,
        "seconds": seconds,
        "requests": sum(run.get("requests") or 0 for run in runs),
        "totals": totals._replace(runs=1, seconds=seconds)._asdict(),
        "estimate": [sum(column) for column in zip(*estimates, strict=True)],
        "known": sum(run.get("known") or 0 for run in runs),
        "waiting": sum(run.get("waiting") or 0 for run in runs),
        "skipped": dict(skipped),
        "notices": list(notices.values()),
    }
