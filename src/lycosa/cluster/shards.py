"""Shards: which part of a crawl a host belongs to, and which worker should own which shard.

A host belongs to a group, the address that it is served from, because politeness is
owed to an address too. A group is hashed into one of `SLOTS` virtual slots, and slots that
follow each other form a shard. All of it depends on names alone: every worker computes the
same, and no table of millions of hosts is needed to find a shard.

Which worker owns a shard is decided by `assign`, again by each worker for itself, from the
list of workers and of the shards that they have. Loads are balanced to within one shard, and
no more shards move than balance demands, because a shard that moves is replayed elsewhere.

>>> shard_of("192.0.2.7", shards=16) == shard_of("192.0.2.7", shards=16)
True
>>> assign(4, ["a", "b"], {0: "a", 1: "a", 2: "a", 3: None})
{0: 'b', 1: 'a', 2: 'a', 3: 'b'}
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Iterable, Mapping
from typing import Final

import xxhash

from lycosa.errors import UsageError

SLOTS: Final = 256
"""Virtual slots, which groups of hosts are hashed into; the largest number of shards."""
DEFAULT_SHARDS: Final = 16
"""Shards of a crawl: several for each worker of a few machines, and few enough models."""


def group_of(host: str, addresses: Iterable[str] = ()) -> str:
    """Return the group of a host: the lowest of its addresses, or itself if it has none.

    An IPv4 address stands before any IPv6 address: most hosts that share a machine share it.

    >>> group_of("A.Example.", ["2001:db8::1", "192.0.2.10", "192.0.2.9"])
    '192.0.2.9'
    >>> group_of("A.Example.")
    'a.example'
    """
    found = [ipaddress.ip_address(address) for address in addresses]
    if not found:
        return host.rstrip(".").lower()
    return str(min(found, key=lambda address: (address.version, int(address))))


def slot_of(group: str, slots: int = SLOTS) -> int:
    """Return the virtual slot of a group: a hash that no version of Python changes."""
    return xxhash.xxh3_64_intdigest(group.encode("utf-8", "surrogatepass")) % slots


def shard_of(group: str, shards: int) -> int:
    """Return the shard of a group, in a crawl of so many shards."""
    return shard_of_slot(slot_of(group), shards)


def shard_of_slot(slot: int, shards: int, slots: int = SLOTS) -> int:
    """Return the shard that a slot belongs to; slots of one shard follow each other.

    >>> [shard_of_slot(slot, 3) for slot in (0, 85, 86, 170, 171, 255)]
    [0, 0, 1, 1, 2, 2]
    """
    if not 1 <= shards <= slots:
        raise UsageError(f"A crawl has 1 to {slots} shards, not {shards}.")
    return slot * shards // slots


def assign(
    shards: int, workers: Collection[str], owners: Mapping[int, str | None]
) -> dict[int, str]:
    """Return the worker that should own each shard; empty if there are no workers.

    `owners` has the worker that owns a shard now, or None; owners that are not among the
    `workers` are gone. The result depends on neither the order of the workers nor on anything
    but the arguments. Every worker gets the same number of shards, or one more, and as few
    shards as possible leave an owner that is there.
    """
    if not workers:
        return {}
    held: dict[str, list[int]] = {worker: [] for worker in sorted(set(workers))}
    free = []
    for shard in range(shards):
        owner = owners.get(shard)
        if owner in held:
            held[owner].append(shard)
        else:
            free.append(shard)
    least, rest = divmod(shards, len(held))
    # Those that have most keep one more; the others would have to be given it.
    order = sorted(held, key=lambda worker: (-len(held[worker]), worker))
    quotas = {worker: least + (place < rest) for place, worker in enumerate(order)}
    found: dict[int, str] = {}
    for worker, mine in held.items():
        kept = sorted(mine, key=lambda shard: _rank(shard, worker))[: quotas[worker]]
        found |= dict.fromkeys(kept, worker)
        free += set(mine) - set(kept)
        quotas[worker] -= len(kept)
    for shard in sorted(free):
        worker = min((w for w in held if quotas[w]), key=lambda worker: _rank(shard, worker))
        found[shard] = worker
        quotas[worker] -= 1
    return dict(sorted(found.items()))


def _rank(shard: int, worker: str) -> tuple[int, str]:
    """Return the preference of a worker for a shard, lowest first.

    As in rendezvous hashing (Thaler and Ravishankar 1998), all workers compute the same.
    """
    return xxhash.xxh3_64_intdigest(f"{shard} {worker}".encode()), worker
