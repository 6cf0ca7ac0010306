from multiprocessing import get_context

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from lycosa.portal.web.rate_limit import (
    SLOTS_PER_ROW,
    BucketTable,
    RateLimiter,
    client_key,
    client_network,
)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@given(st.floats(0.1, 50), st.floats(1, 100), st.lists(st.floats(0, 5), min_size=1, max_size=60))
def test_allows_no_more_than_burst_and_rate(rate, burst, pauses):
    clock = Clock()
    limiter = RateLimiter(rate, burst, clock=clock)
    served = 0
    for pause in pauses:
        clock.now += pause
        wait = limiter.wait("a")
        served += not wait
        assert served <= burst + rate * clock.now + 1e-6
        if wait:  # a client that waits as long as it should is served
            clock.now += wait + 1e-6
            assert not limiter.wait("a")
            served += 1


def test_clients_have_separate_buckets():
    limiter = RateLimiter(1, 1, clock=Clock())
    assert not limiter.wait("a")
    assert limiter.wait("a")
    assert not limiter.wait("b")


def test_rate_zero_is_no_limit():
    limiter = RateLimiter(0, 0)
    assert not any(limiter.wait("a") for _ in range(1000))


def test_expensive_requests_wait_longer_but_not_forever():
    limiter = RateLimiter(1, 5, clock=Clock())
    assert not limiter.wait("a", 100)
    assert limiter.wait("a", 100) == 5


def test_memory_is_bounded_and_the_least_recent_client_is_dropped():
    clock = Clock()
    table = BucketTable([0.0] * 3 * SLOTS_PER_ROW)
    limiter = RateLimiter(1e-9, 1, table=table, clock=clock)
    for client in range(100):
        clock.now += 1
        assert not limiter.wait(str(client))
    assert len(table.memory) == 3 * SLOTS_PER_ROW
    assert all(limiter.wait(str(client)) for client in range(100 - SLOTS_PER_ROW, 100))
    assert not limiter.wait("0")


@given(st.lists(st.sampled_from("abcdefgh"), max_size=80))
def test_the_table_behaves_like_a_dictionary(clients):
    limiter = RateLimiter(1e-9, 3, clock=Clock())
    left = dict.fromkeys("abcdefgh", 3)
    for client in clients:
        assert bool(limiter.wait(client)) == (left[client] == 0)
        left[client] = max(left[client] - 1, 0)


def test_processes_share_the_limit():
    context = get_context("spawn")
    limiter = RateLimiter(1e-9, 3, table=BucketTable.shared(context))
    running = [context.Process(target=limiter.wait, args=("a",)) for _ in range(2)]
    for process in running:
        process.start()
    for process in running:
        process.join()
        assert process.exitcode == 0
    assert not limiter.wait("a")
    assert limiter.wait("a")


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]", "2001:db8:1:2::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("", "unknown"),
        ("evil", "unknown"),
    ],
)
def test_client_networks(address, name):
    assert client_network(address) == name


def test_client_key_behind_a_proxy():
    headers = [(b"x-forwarded-for", b"6.6.6.6"), (b"x-forwarded-for", b"7.7.7.7, 8.8.8.8")]
    request = Request({"type": "http", "headers": headers, "client": ("127.0.0.1", 1)})
    assert client_key(request, trust_proxy=False) == "127.0.0.1"
    # The client wrote the addresses before the last.
    assert client_key(request, trust_proxy=True) == "8.8.8.8"
    bare = Request({"type": "http", "headers": [], "client": ("127.0.0.1", 1)})
    assert client_key(bare, trust_proxy=True) == "127.0.0.1"
