"""The budget of a cluster crawl: slices for several shards at once, and shards without work."""

import random

import pytest

from lycosa.cluster.budget import (
    Draw,
    draw,
    end_if_due,
    give_back,
    set_budget,
    shards_with_work,
)
from lycosa.cluster.database import Database
from lycosa.cluster.leases import read_leases, take_leases
from lycosa.cluster.schema import create_tables
from lycosa.core import Budget

SHARDS = 4


@pytest.fixture
def connections(database):
    async def begin(connection):
        await create_tables(connection, shards=SHARDS, project="p")
        await set_budget(connection, Budget(pages=500))
        await take_leases(connection, "a", await read_leases(connection))

    with Database(database) as found:
        found.run(begin)
        yield found


def set_shard(connections, shard, **values):
    for name, value in values.items():
        update = f"UPDATE shards SET {name} = $1 WHERE shard = $2"
        connections.run(lambda c, update=update, value=value: c.execute(update, value, shard))


def test_a_slice_goes_where_the_best_links_are(connections):
    for shard in (0, 1):
        set_shard(connections, shard, waiting=10, idle=False)
    draws = [Draw(0, 1, 0.1), Draw(1, 1, 0.9)]
    assert connections.run(lambda c: draw(c, draws)) == {0: 0, 1: 32}
    # Alone it gets more at once.
    set_shard(connections, 1, idle=True)
    assert connections.run(lambda c: draw(c, draws[:1])) == {0: 117}


def test_a_former_owner_draws_nothing(connections):
    set_shard(connections, 0, waiting=10, idle=False)
    assert connections.run(lambda c: draw(c, [Draw(0, 7, 1.0)])) == {}


def test_the_budget_is_spent_and_not_exceeded(connections):
    chance, granted = random.Random(3), dict.fromkeys(range(SHARDS), 0)
    for shard in granted:
        set_shard(connections, shard, waiting=10, idle=False)
    for _ in range(60):
        draws = [Draw(shard, 1, chance.random()) for shard in granted]
        granted |= connections.run(lambda c, draws=draws: draw(c, draws))
    assert sum(granted.values()) == 500


def test_the_crawl_goes_on_until_all_that_was_requested_is_committed(connections):
    """A worker that is killed before that has lost it: the pages are requested again."""
    connections.run(lambda c: set_budget(c, Budget(pages=4)))
    set_shard(connections, 0, waiting=10, idle=False)
    assert connections.run(lambda c: draw(c, [Draw(0, 1, 0.5)])) == {0: 4}
    assert connections.run(lambda c: draw(c, [Draw(0, 1, 0.5)])) == {0: 4}  # all are in flight
    assert connections.run(end_if_due) is None
    assert connections.run(lambda c: give_back(c, 0, 1, requested=3)) == 3
    set_shard(connections, 1, waiting=10, idle=False)
    assert connections.run(lambda c: draw(c, [Draw(1, 1, 0.5)])) == {1: 1}
    set_shard(connections, 1, requested=1)
    assert connections.run(end_if_due) is None
    set_shard(connections, 0, requested=3)
    assert connections.run(end_if_due) == "budget: pages"


def test_a_shard_is_opened_when_there_is_something_to_do(connections):
    def with_work():
        return connections.run(lambda c: shards_with_work(c, range(SHARDS)))

    assert with_work() == set()
    send = "INSERT INTO links VALUES (-1, 1, 2, 'http://a.example/', 'Infinity', 0)"
    connections.run(lambda c: c.execute(send))
    assert with_work() == {2}
    read = "UPDATE marks SET sequence = 1 WHERE kind = 'links' AND receiver = 2 AND sender = -1"
    connections.run(lambda c: c.execute(read))
    assert with_work() == set()
    set_shard(connections, 2, idle=False)  # as when its owner is killed
    assert with_work() == {2}
    set_shard(connections, 2, idle=True, steps=3)
    update = "UPDATE shards SET updated = clock_timestamp() WHERE shard = 2"
    connections.run(lambda c: c.execute(update))
    assert with_work() == set()
    connections.run(lambda c: set_budget(c, Budget(pages=900)))  # another run
    assert with_work() == {2}
