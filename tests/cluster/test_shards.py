"""Shards are the same everywhere, balanced, and move as little as balance allows."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.cluster.shards import SLOTS, assign, group_of, shard_of, shard_of_slot, slot_of
from lycosa.errors import UsageError

WORKERS = st.lists(st.sampled_from("abcdefgh"), max_size=6, unique=True)


def test_the_slot_of_a_group_never_changes():
    """Stored crawls depend on these."""
    groups = ["192.0.2.7", "a.example", "2001:db8::1", "bücher.example", ""]
    assert [slot_of(group) for group in groups] == [61, 136, 75, 249, 194]


@given(st.lists(st.ip_addresses().map(str), min_size=1, max_size=5), st.randoms())
def test_the_group_of_a_host_does_not_depend_on_the_order_of_addresses(addresses, random):
    group = group_of("a.example", addresses)
    random.shuffle(addresses)
    assert group_of("b.example", addresses) == group
    assert group in addresses


@given(st.text(), st.integers(1, SLOTS))
def test_every_group_has_a_shard(group, shards):
    assert 0 <= shard_of(group, shards) < shards


@pytest.mark.parametrize("shards", [1, 3, 16, 100, 256])
def test_shards_have_the_same_number_of_slots_or_one_more(shards):
    sizes = Counter(shard_of_slot(slot, shards) for slot in range(SLOTS))
    assert len(sizes) == shards
    assert max(sizes.values()) - min(sizes.values()) <= 1


def test_groups_are_spread_evenly():
    sizes = Counter(slot_of(f"10.0.{n // 250}.{n % 250}") for n in range(25_600))
    assert len(sizes) == SLOTS
    # 100 on average, with a standard deviation of 10.
    assert min(sizes.values()) > 50
    assert max(sizes.values()) < 150


@pytest.mark.parametrize("shards", [0, 257])
def test_an_impossible_number_of_shards_is_refused(shards):
    with pytest.raises(UsageError, match="1 to 256 shards"):
        shard_of("a", shards)


@st.composite
def situations(draw, max_shards=24):
    shards = draw(st.integers(1, max_shards))
    workers = draw(WORKERS)
    owner = st.none() | st.sampled_from("abcdefgh")
    return shards, workers, {shard: draw(owner) for shard in range(shards)}


@given(situations(), st.randoms())
def test_every_shard_has_a_worker_and_no_worker_two_more_than_another(situation, random):
    shards, workers, owners = situation
    found = assign(shards, workers, owners)
    assert set(found) == (set(range(shards)) if workers else set())
    sizes = [Counter(found.values())[worker] for worker in workers]
    assert not sizes or max(sizes) - min(sizes) <= 1
    assert set(found.values()) <= set(workers)
    random.shuffle(workers)
    assert assign(shards, workers, owners) == found


@given(situations())
def test_once_assigned_nothing_moves(situation):
    shards, workers, owners = situation
    found = assign(shards, workers, owners)
    assert assign(shards, workers, found) == found


def moves(owners, workers, found):
    return sum(owners[shard] in workers and owners[shard] != found[shard] for shard in found)


@given(situations(max_shards=5))
def test_no_balanced_assignment_moves_fewer_shards(situation):
    shards, workers, owners = situation
    workers = workers[:3]
    found = assign(shards, workers, owners)
    for other in product(workers, repeat=shards):
        sizes = [other.count(worker) for worker in workers]
        if sizes and max(sizes) - min(sizes) <= 1:
            assert moves(owners, workers, found) <= moves(owners, workers, dict(enumerate(other)))


def test_a_worker_that_comes_back_moves_its_share_alone():
    workers = [f"w{n}" for n in range(4)]
    before = assign(16, workers, {})
    without = assign(16, workers[1:], before)
    again = assign(16, workers, without)
    assert sum(without[shard] != again[shard] for shard in range(16)) == 4
