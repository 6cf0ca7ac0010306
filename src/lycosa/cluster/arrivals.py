"""Arrivals: what comes to a shard from outside, and how it is read from PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from lycosa.cluster.database import Connection


class ReceivedLink(NamedTuple):
    """A link that another shard has sent."""

    sequence: int
    url: str
    score: float
    features: bytes
    """What the policy of the sender knows of it."""


class HostDecision(NamedTuple):
    """The shard of a host."""

    host: str
    shard: int


class LinkArrival(NamedTuple):
    """Links of one sender, in the order of their numbers."""

    sender: int
    links: list[ReceivedLink]


class ExampleArrival(NamedTuple):
    """Labelled examples of one sender: the number of the batch, and the batch."""

    sender: int
    sequence: int
    data: bytes


Arrival: TypeAlias = HostDecision | LinkArrival | ExampleArrival
"""What comes to a shard from outside."""


async def read_links(
    connection: Connection, receiver: int, sender: int, first: int, last: int
) -> list[ReceivedLink]:
    """Return links of one sender to one receiver by their sequence numbers."""
    query = (
        "SELECT sequence, url, score, features FROM links WHERE receiver = $1 AND sender = $2 "
        "AND sequence BETWEEN $3 AND $4 ORDER BY sequence"
    )
    return [
        ReceivedLink(*row) for row in await connection.fetch(query, receiver, sender, first, last)
    ]


async def read_arrivals(
    connection: Connection, receivers: list[int], limit: int
) -> list[tuple[int, LinkArrival]]:
    """Return links that receivers have not committed yet: the receiver of each batch, and it."""
    query = (
        "SELECT l.receiver, l.sender, l.sequence, l.url, l.score, l.features "
        "FROM links l JOIN marks m "
        "ON m.kind = 'links' AND m.receiver = l.receiver AND m.sender = l.sender "
        "AND l.sequence > m.sequence WHERE l.receiver = ANY($1::integer[]) "
        "ORDER BY l.receiver, l.sender, l.sequence LIMIT $2"
    )
    batches: dict[tuple[int, int], list[ReceivedLink]] = {}
    for receiver, sender, *link in await connection.fetch(query, receivers, limit):
        batches.setdefault((receiver, sender), []).append(ReceivedLink(*link))
    return [(receiver, LinkArrival(sender, links)) for (receiver, sender), links in batches.items()]


async def read_examples(connection: Connection, sender: int, sequence: int) -> bytes:
    """Return a batch of examples."""
    query = "SELECT data FROM examples WHERE sender = $1 AND sequence = $2"
    return bytes(await connection.fetchval(query, sender, sequence))


async def read_new_examples(
    connection: Connection, receivers: list[int], limit: int
) -> list[ExampleArrival]:
    """Return batches of examples that some of the receivers have not committed yet."""
    query = (
        "SELECT e.sender, e.sequence, e.data FROM examples e WHERE e.sequence > ("
        "SELECT min(m.sequence) FROM marks m WHERE m.kind = 'examples' AND m.sender = e.sender "
        "AND m.receiver = ANY($1::integer[])) ORDER BY e.sender, e.sequence LIMIT $2"
    )
    return [ExampleArrival(*row) for row in await connection.fetch(query, receivers, limit)]


def pack(parts: Sequence[bytes]) -> bytes:
    """Join parts so that `unpack` can tell them apart.

    >>> unpack(pack([b"ab", b"", b"c"]))
    [b'ab', b'', b'c']
    """
    sizes = np.array([len(parts), *map(len, parts)], "<u4")
    return sizes.tobytes() + b"".join(parts)


def unpack(data: bytes) -> list[bytes]:
    """Return the parts that `pack` joined."""
    count = int(np.frombuffer(data, "<u4", 1)[0])
    sizes = np.frombuffer(data, "<u4", count, offset=4).tolist()
    parts, at = [], 4 * (count + 1)
    for size in sizes:
        parts.append(data[at : at + size])
        at += size
    return parts
