"""The tables of a cluster crawl in PostgreSQL: one crawl for each database.

`crawl` has one row: the version of the tables, the number of shards, and the budget. `leases`
says which worker owns a shard, `shards` how far it is. A shard's step log is in `steps`,
`notes`, `events` and `records`; what it sends to others is in `links` and `examples`.
"""

from __future__ import annotations

from typing import Any

from lycosa.cluster.database import Connection
from lycosa.errors import UsageError

VERSION = 1
"""The version of the tables; a change needs a new one, and a migration."""
_LOCK = 0x4C59434F  # of the advisory lock under which tables are created

_TABLES = """
CREATE TABLE crawl (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    version integer NOT NULL, shards integer NOT NULL, project text NOT NULL,
    created timestamptz NOT NULL DEFAULT clock_timestamp(),
    started timestamptz, reason text,
    pages bigint, targets bigint, seconds double precision, granted bigint NOT NULL DEFAULT 0);
CREATE TABLE leases (
    shard integer PRIMARY KEY, owner text, epoch bigint NOT NULL DEFAULT 0,
    renewals bigint NOT NULL DEFAULT 0, renewed timestamptz);
CREATE TABLE workers (
    name text PRIMARY KEY, machine text NOT NULL, started timestamptz NOT NULL,
    renewals bigint NOT NULL DEFAULT 0, renewed timestamptz NOT NULL);
CREATE TABLE shards (
    shard integer PRIMARY KEY, commits bigint NOT NULL DEFAULT 0,
    steps bigint NOT NULL DEFAULT 0, targets bigint NOT NULL DEFAULT 0,
    waiting bigint NOT NULL DEFAULT 0, in_flight bigint NOT NULL DEFAULT 0,
    requested bigint NOT NULL DEFAULT 0, granted bigint NOT NULL DEFAULT 0,
    drawn timestamptz, best double precision, idle boolean NOT NULL DEFAULT true,
    updated timestamptz);
CREATE TABLE hosts (
    host text PRIMARY KEY, address text NOT NULL, shard integer NOT NULL);
CREATE TABLE steps (
    shard integer, n bigint, url text NOT NULL, final text NOT NULL,
    status integer NOT NULL, type text NOT NULL, fault text,
    reward double precision NOT NULL, source bigint NOT NULL, score double precision NOT NULL,
    time timestamptz NOT NULL, volume integer, start bigint, length bigint, digest text,
    PRIMARY KEY (shard, n));
CREATE TABLE notes (
    shard integer, key text, value text NOT NULL, PRIMARY KEY (shard, key));
CREATE TABLE conversions (key text PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE volumes (
    volume integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, shard integer NOT NULL,
    bytes bigint NOT NULL DEFAULT 0, begun timestamptz NOT NULL DEFAULT clock_timestamp(),
    closed boolean NOT NULL DEFAULT false, moved boolean NOT NULL DEFAULT false);
CREATE INDEX volumes_of_shard ON volumes (shard, moved);
CREATE TABLE records (
    volume integer, start bigint, data bytea NOT NULL, PRIMARY KEY (volume, start));
ALTER TABLE records ALTER data SET STORAGE EXTERNAL;
CREATE TABLE events (
    shard integer, position bigint, after_step bigint NOT NULL, kind text NOT NULL,
    detail text NOT NULL, PRIMARY KEY (shard, position));
CREATE TABLE links (
    sender integer, sequence bigint, receiver integer NOT NULL, url text NOT NULL,
    score double precision NOT NULL, source bigint NOT NULL, features bytea NOT NULL DEFAULT '',
    PRIMARY KEY (sender, sequence));
CREATE INDEX links_of_receiver ON links (receiver, sender, sequence);
CREATE TABLE examples (
    sender integer, sequence bigint, size integer NOT NULL, data bytea NOT NULL,
    PRIMARY KEY (sender, sequence));
CREATE TABLE marks (
    kind text, receiver integer, sender integer, sequence bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, receiver, sender));
CREATE TABLE checkpoint_logs (
    shard integer, start bigint, data bytea NOT NULL, PRIMARY KEY (shard, start));
CREATE TABLE checkpoint_states (
    shard integer, steps bigint, log_bytes bigint NOT NULL, data bytea NOT NULL,
    PRIMARY KEY (shard, steps));
ALTER TABLE checkpoint_logs ALTER data SET STORAGE EXTERNAL;
ALTER TABLE checkpoint_states ALTER data SET STORAGE EXTERNAL;
"""


async def create_tables(connection: Connection, *, shards: int, project: str) -> None:
    """Create the tables of a crawl, unless the database has them.

    `shards` is the number of shards of a new crawl; it cannot be changed later. `project`
    identifies the project: a `UsageError` is raised if the database has the crawl of another.
    """
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
        if await connection.fetchval("SELECT to_regclass('crawl') IS NULL"):
            await connection.execute(_TABLES)
            await connection.execute(
                "INSERT INTO crawl (version, shards, project) VALUES ($1, $2, $3)",
                VERSION, shards, project,
            )  # fmt: skip
            numbers = list(range(shards))
            for table in ("leases", "shards"):
                await connection.execute(
                    f"INSERT INTO {table} (shard) SELECT * FROM unnest($1::integer[])",  # noqa: S608
                    numbers,
                )
            await connection.execute(
                "INSERT INTO marks (kind, receiver, sender) "
                "SELECT kind, r, s FROM unnest(ARRAY['links', 'examples']) kind, "
                "generate_series(0, $1 - 1) r, generate_series(-1, $1 - 1) s WHERE r <> s",
                shards,
            )
        found = await read_crawl(connection)
        if found["project"] != project:
            raise UsageError(
                "This database has the crawl of another project: create a database for each "
                "project, as in `createdb mycrawl`, and name it in the URL."
            )


async def read_crawl(connection: Connection) -> dict[str, Any]:
    """Return the row of the crawl; raise a `UsageError` if there is none, or another version."""
    if await connection.fetchval("SELECT to_regclass('crawl') IS NULL"):
        raise UsageError("This database has no crawl: start one with `lycosa crawl DIR --cluster`.")
    found = dict(await connection.fetchrow("SELECT * FROM crawl"))
    if found["version"] != VERSION:
        raise UsageError(
            f"This database has the tables of version {found['version']}, and this program uses "
            f"version {VERSION}: use the program that the crawl was started with."
        )
    return found
