"""Connections to PostgreSQL that fail: the same call may succeed later."""

import asyncio
import time

import pytest

from lycosa.cluster import database as module
from lycosa.cluster.database import Database, Unreachable

pytest.importorskip("asyncpg", reason="asyncpg is not installed: pip install lycosa[cluster]")


@pytest.mark.parametrize("turns", range(4))
def test_a_session_that_ended_while_the_process_was_suspended(database, monkeypatch, turns):
    """The loop has read nothing of it, its reason alone, or its end, too."""
    monkeypatch.setattr(module, "IDLE_TRANSACTION_MILLISECONDS", 100)

    async def suspended(connection):
        async with connection.transaction():
            await connection.execute("SELECT 1")
            time.sleep(0.5)  # nothing of this process may run meanwhile
            for _ in range(turns):
                await asyncio.sleep(0)

    with Database(database) as connections:
        with pytest.raises(Unreachable):
            connections.run(suspended)
        assert connections.run(lambda c: c.fetchval("SELECT 1")) == 1
