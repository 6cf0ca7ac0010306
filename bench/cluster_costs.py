"""What PostgreSQL does for a page of a cluster crawl: its CPU time, measured on a real server.

A store of one shard commits generated steps in batches, with and without links to another
shard; then leases are renewed and arrivals polled as a worker does. The CPU time is that of
all processes of the server.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import psutil

from lycosa.cluster.arrivals import read_arrivals
from lycosa.cluster.database import Database
from lycosa.cluster.embedded.postgres import EmbeddedPostgres
from lycosa.cluster.leases import Lease, read_leases, renew_leases, take_leases
from lycosa.cluster.postgres_store import PostgresStore
from lycosa.cluster.schema import create_tables
from lycosa.cluster.shard_buffer import SentLink
from lycosa.cluster.shards import SLOTS
from lycosa.crawler.http.response import Response

BATCH = 16
"""Steps of a commit, in a crawl that is not limited by politeness."""
BODY_BYTES = 10_000
LINKS = 20
"""Links a step, where links are measured: many, so that their cost stands out."""
STEPS = 4000
TURNS = 1000


class PostgresCosts(NamedTuple):
    """Seconds of the server's CPU."""

    step: float
    link: float
    turn: float
    client: float
    """Of the worker, for a step: what the store costs it."""


@contextmanager
def server() -> Iterator[EmbeddedPostgres]:
    """Start a private PostgreSQL for a measurement."""
    folder = Path(tempfile.mkdtemp(prefix="lycosa-bench-"))
    folder.chmod(0o711)
    try:
        with EmbeddedPostgres(folder) as postgres:
            yield postgres
    finally:
        shutil.rmtree(folder)


class ServerClock:
    """CPU time of all processes of a server, those that have ended included."""

    def __init__(self, postgres: EmbeddedPostgres) -> None:
        pid = int((postgres.folder / "data" / "postmaster.pid").read_text().partition("\n")[0])
        self._postmaster = psutil.Process(pid)

    def read(self) -> float:
        """Return the seconds so far."""
        total = 0.0
        for process in [self._postmaster, *self._postmaster.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):  # it ends just now: the postmaster counts it
                times = process.cpu_times()
                total += times.user + times.system
        ended = self._postmaster.cpu_times()
        return total + ended.children_user + ended.children_system


def measure(postgres: EmbeddedPostgres, steps: int = STEPS) -> PostgresCosts:
    """Measure steps, links and turns of a worker."""
    clock = ServerClock(postgres)
    with Database(postgres.create_database("costs")) as database:
        database.run(partial(create_tables, shards=SLOTS, project="bench"))
        with tempfile.TemporaryDirectory() as folder:
            lease = _take(database)
            store = PostgresStore.open(
                database, lease, archive=f"{folder}/archive", folder=Path(folder) / "checkpoints"
            )
            spent = clock.read()
            client = time.process_time()
            _commit(store, 0, steps, 0)
            client = (time.process_time() - client) / steps
            step = (clock.read() - spent) / steps
            spent = clock.read()
            _commit(store, steps, steps, LINKS)
            link = max((clock.read() - spent) / steps - step, 0.0) / LINKS
            spent = clock.read()
            for _ in range(TURNS):
                database.run(
                    partial(renew_leases, owner="bench", leases=[(lease.shard, lease.epoch)])
                )
                database.run(read_leases)
                database.run(partial(read_arrivals, receivers=[lease.shard], limit=1000))
            turn = (clock.read() - spent) / TURNS
            store.close()
    return PostgresCosts(step, link, turn, client)


def _take(database: Database) -> Lease:
    async def work(connection: object) -> list[tuple[int, int]]:
        rows = [row for row in await read_leases(connection) if row.shard == 0]
        return await take_leases(connection, "bench", rows)

    sent = time.monotonic()
    ((shard, epoch),) = database.run(work)
    return Lease(shard, epoch, sent=sent, seconds=3600.0)


def _commit(store: PostgresStore, first: int, steps: int, links: int) -> None:
    chance = Random(first)
    headers = ((b"Content-Type", b"text/html"),)
    for n in range(first + 1, first + steps + 1):
        url = f"http://www.a{n % 97}.example/papers/{n}.html"
        body = chance.randbytes(BODY_BYTES // 4).hex().encode() * 2  # halves when compressed
        sent = [
            SentLink(n * links + k, 1, f"http://www.b.example/{n}/{k}.html", 0.5, n)
            for k in range(links)
        ]
        store.buffer.stage(sent)
        store.add(n, url, Response(url, datetime.now(UTC), 200, "HTTP/1.1 200 OK", headers, body))
        if n % BATCH == 0:
            store.commit()
    store.commit()
