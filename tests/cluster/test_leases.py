"""Leases: one owner at a time by anybody's clock, and no write by a former one."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.cluster.leases import (
    Lease,
    LeaseLost,
    LeaseRow,
    LeaseWatch,
    fence,
    read_leases,
    release_lease,
    renew_leases,
    take_leases,
)
from lycosa.cluster.schema import create_tables

SECONDS = 6.0


@given(
    st.lists(st.tuples(st.sampled_from("rwt"), st.floats(0.0, 4.0)), max_size=60),
    st.floats(-1e6, 1e6),
    st.floats(0.0, 2.0),
)
def test_no_two_workers_believe_that_they_own_a_shard(actions, offset, latency):
    """Two workers with clocks of any offset: `r` renews, `w` watches and steals, `t` is time.

    A renewal reaches the table `latency` seconds after it was sent.
    """
    now = 0.0
    lease = Lease(0, 1, sent=0.0, seconds=SECONDS, clock=lambda: now)
    renewals, stolen = 1, False
    watch = LeaseWatch(SECONDS, clock=lambda: now + offset)
    for action, seconds in actions:
        if action == "r" and not stolen:
            sent = now
            now += latency
            renewals += 1
            lease.renewed(sent)
        elif action == "w" and not stolen:
            stolen = bool(watch.free([LeaseRow(0, "a", 1, renewals)]))
        else:
            now += seconds
        assert not (stolen and lease.is_valid)


def run(database, test):
    import asyncpg

    async def main():
        first, second = await asyncpg.connect(database), await asyncpg.connect(database)
        try:
            await create_tables(first, shards=4, project="p")
            return await test(first, second)
        finally:
            await first.close()
            await second.close()

    return asyncio.run(main())


def test_of_two_who_take_the_same_lease_one_gets_it(database):
    async def test(first, second):
        rows = await read_leases(first)
        taken = await asyncio.gather(
            take_leases(first, "a", rows), take_leases(second, "b", list(reversed(rows)))
        )
        assert sorted(shard for group in taken for shard, _ in group) == [0, 1, 2, 3]
        owners = {row.shard: row.owner for row in await read_leases(first)}
        for owner, group in zip("ab", taken, strict=True):
            assert all(owners[shard] == owner for shard, _ in group)

    run(database, test)


def test_a_lease_that_was_taken_over_cannot_be_renewed_released_or_used(database):
    async def test(first, second):
        ((shard, old),) = await take_leases(first, "a", (await read_leases(first))[:1])
        ((_, new),) = await take_leases(second, "b", (await read_leases(second))[:1])
        assert new == old + 1
        assert await renew_leases(first, "a", [(shard, old)]) == set()
        await release_lease(first, "a", shard, old)
        assert await renew_leases(second, "b", [(shard, new)]) == {shard}
        with pytest.raises(LeaseLost):
            async with first.transaction():
                await fence(first, shard, old)
        async with second.transaction():
            await fence(second, shard, new)

    run(database, test)


def test_a_lease_is_taken_over_only_after_the_write_that_holds_it(database):
    async def test(first, second):
        rows = (await read_leases(first))[:1]
        ((shard, epoch),) = await take_leases(first, "a", rows)
        rows = (await read_leases(second))[:1]
        written = False

        async def steal():
            await take_leases(second, "b", rows)
            return written

        async with first.transaction():
            await fence(first, shard, epoch)
            stealing = asyncio.create_task(steal())
            await asyncio.sleep(0.05)
            assert not stealing.done()
            written = True
        assert await stealing

    run(database, test)


def test_a_released_lease_is_free_at_once(database):
    async def test(first, second):
        ((shard, epoch),) = await take_leases(first, "a", (await read_leases(first))[:1])
        watch = LeaseWatch(SECONDS)
        assert shard not in [row.shard for row in watch.free(await read_leases(second))]
        await release_lease(first, "a", shard, epoch)
        assert shard in [row.shard for row in watch.free(await read_leases(second))]

    run(database, test)


def test_a_worker_that_joins_does_not_make_a_dead_one_look_alive(database):
    from lycosa.cluster.database import Database
    from lycosa.cluster.lease_keeper import LeaseKeeper

    seconds = 0.6
    register = "INSERT INTO workers VALUES ($1, 'x', clock_timestamp(), 0, clock_timestamp())"

    async def test(first, second):
        with Database(database) as connections:
            keeper = LeaseKeeper(connections, "z", seconds)
            await first.execute(register, "dead")
            await take_leases(first, "dead", await read_leases(first))
            assert (await keeper.look())[0] == []
            await asyncio.sleep(0.7 * seconds)
            await first.execute(register, "a")  # before "dead" in the order of names
            await keeper.look()
            await asyncio.sleep(0.4 * seconds)
            return await keeper.look()

    free, mine = run(database, test)
    assert {row.shard for row in free} == mine
    assert len(mine) == 2
