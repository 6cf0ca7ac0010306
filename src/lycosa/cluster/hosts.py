"""The shard of every host: hosts at one address are in one shard, so that politeness holds there.

Whoever meets a host first looks its address up and inserts it; all others read that row. A
name with several addresses goes by the least of them, which does not depend on the order of
the answer. Without an address, as with a proxy, the name itself decides.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence

from lycosa.cluster.database import Connection
from lycosa.cluster.exchange import SEEDS
from lycosa.cluster.shards import group_of, shard_of
from lycosa.crawler.http.addresses import Lookup, is_literal
from lycosa.crawler.politeness.robots_cache import authority

_log = logging.getLogger("lycosa.cluster")

MAX_LOOKUPS = 32
"""Names that are looked up at the same time."""
LOOKUP_SECONDS = 8.0
"""Maximum time of a look-up; after it the name decides."""


async def find_groups(hosts: Iterable[str], lookup: Lookup | None) -> dict[str, str]:
    """Return the group of each host: its lowest address; `lookup` is None with a proxy."""
    slots = asyncio.Semaphore(MAX_LOOKUPS)

    async def find(host: str) -> tuple[str, str]:
        name = host.rpartition("@")[2]
        name = name[1:].partition("]")[0] if name.startswith("[") else name.partition(":")[0]
        try:
            if is_literal(name):
                return host, group_of(host, [name])
            if lookup is None:
                return host, group_of(host)
            async with slots, asyncio.timeout(LOOKUP_SECONDS):
                return host, group_of(host, await lookup(name))
        except (OSError, ValueError):  # among them the time-out
            _log.debug("%s has no address", name, exc_info=True)
            return host, group_of(host)

    return dict(await asyncio.gather(*map(find, hosts)))


async def decide_hosts(
    connection: Connection, groups: Mapping[str, str], shards: int
) -> dict[str, int]:
    """Insert hosts by their groups, unless they are known; return the shard of each."""
    rows = [(host, group, shard_of(group, shards)) for host, group in groups.items()]
    await connection.execute(
        "INSERT INTO hosts SELECT * FROM unnest($1::text[], $2::text[], $3::integer[]) "
        "ON CONFLICT DO NOTHING",
        *map(list, zip(*sorted(rows), strict=True)),
    )
    query = "SELECT host, shard FROM hosts WHERE host = ANY($1::text[])"
    return dict(map(tuple, await connection.fetch(query, list(groups))))


async def add_seeds(connection: Connection, seeds: Sequence[str], homes: Mapping[str, int]) -> None:
    """Send start pages to their shards, unless they were sent before."""
    async with connection.transaction():
        await connection.execute("SELECT 1 FROM crawl FOR UPDATE")
        rows = await connection.fetch("SELECT url FROM links WHERE sender = $1", SEEDS)
        known = {row[0] for row in rows}
        new = [url for url in seeds if url not in known]
        await connection.execute(
            "INSERT INTO links SELECT $1, * FROM unnest($2::bigint[], $3::integer[], $4::text[], "
            "$5::double precision[], $6::bigint[])",
            SEEDS,
            list(range(len(known) + 1, len(known) + len(new) + 1)),
            [homes[authority(url)] for url in new],
            new,
            [float("inf")] * len(new),
            [0] * len(new),
        )
