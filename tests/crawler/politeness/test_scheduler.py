import heapq
import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from math import inf

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.politeness.scheduler import (
    DroppedUrl,
    DropReason,
    Pace,
    ScheduledRequest,
    Scheduler,
)
from lycosa.errors import ContractError, UsageError

TINY = 1e-9
FOREVER = 1e9


class Clock:
    def __init__(self, now=1000.0):
        self.now = now

    def __call__(self):
        return self.now


@dataclass(frozen=True)
class Outcome:
    status: int = 200
    fault: str | None = None
    retry_after: float | None = None
    seconds: float = 0.125


FINE = Outcome()
TOO_MANY = Outcome(429)
TIMEOUT = Outcome(0, Fault.TIMEOUT_READ)


def make_scheduler(clock=None, known=(), **pace):
    """Return a scheduler that knows the robots.txt of some hosts, and its clock."""
    clock = clock or Clock()
    scheduler = Scheduler(clock, Pace(**pace))
    for name in known:
        scheduler.set_robots(name, lifetime=FOREVER)
    return scheduler, clock


def begin(scheduler, address=""):
    item = scheduler.ready()
    assert item is not None
    assert scheduler.start(item, address)
    return item


def request(scheduler, clock, outcome=FINE, address=""):
    """Make the next request when it is due; return it, its start, and whether it is retried."""
    clock.now += scheduler.seconds_until_ready()
    item = begin(scheduler, address)
    start = clock.now
    clock.now += outcome.seconds
    return item, start, scheduler.finish(item, outcome)


# Delays.


def test_a_delay_counts_from_the_end_of_the_request_before():
    scheduler, clock = make_scheduler(known="a", delay=2.0)
    for number in range(3):
        scheduler.offer(number, "a")
    starts = [request(scheduler, clock, Outcome(seconds=0.5))[1] for _ in range(3)]
    assert starts == [1000.0, 1002.5, 1005.0]


def test_with_several_requests_at_a_time_a_delay_counts_from_start_to_start():
    scheduler, clock = make_scheduler(known="a", delay=2.0, per_host=2)
    for number in range(3):
        scheduler.offer(number, "a")
    first = begin(scheduler)
    assert scheduler.ready() is None
    assert scheduler.seconds_until_ready() == 2.0
    clock.now += 2.0
    begin(scheduler)
    clock.now += 9.0
    assert scheduler.ready() is None, "two are in flight"
    scheduler.finish(first, FINE)
    assert scheduler.ready().number == 2


def test_the_delay_counts_from_the_actual_start():
    scheduler, clock = make_scheduler(known="a", delay=2.0, per_host=2)
    scheduler.offer(1, "a")
    scheduler.offer(2, "a")
    item = scheduler.ready()
    clock.now += 1.9  # the name lookup took so long
    assert scheduler.ready() is None
    scheduler.start(item)
    assert scheduler.seconds_until_ready() == 2.0


@pytest.mark.parametrize(("asked", "delay"), [(0.5, 1.0), (7.0, 7.0), (3600.0, 30.0)])
def test_a_crawl_delay_overrides_the_delay_upwards_to_a_cap(asked, delay):
    scheduler, clock = make_scheduler(delay=1.0)
    scheduler.offer(1, "a")
    robots, _, _ = request(scheduler, clock)
    assert robots.is_robots
    scheduler.set_robots("a", asked)
    assert scheduler.seconds_until_ready() == delay


def test_the_delay_follows_the_response_time():
    scheduler, clock = make_scheduler(known="a", delay=1.0, slowness=2.0)
    waits = []
    for number in range(40):
        scheduler.offer(number, "a")
        request(scheduler, clock, Outcome(seconds=6.0 if number < 10 else 0.1))
        scheduler.offer(1000 + number, "a")
        waits.append(scheduler.seconds_until_ready())
        clock.now += waits[-1]
        scheduler.finish(scheduler.ready(), Outcome(0, Fault.ROBOTS))
    assert waits[9] == pytest.approx(12.0)
    assert all(a >= b for a, b in pairwise(waits[9:]))
    assert waits[-1] == 1.0


def test_slowness_raises_the_delay_to_a_cap():
    scheduler, clock = make_scheduler(known="a", max_delay=30.0)
    scheduler.offer(1, "a")
    scheduler.offer(2, "a")
    request(scheduler, clock, Outcome(seconds=100.0))
    assert scheduler.seconds_until_ready() == 30.0


def test_a_request_that_is_not_sent_costs_no_delay_and_no_page():
    scheduler, _ = make_scheduler(known="a", pages=1)
    for number in range(3):
        scheduler.offer(number, "a")
    for number in range(2):
        item = scheduler.ready()
        assert item.number == number
        assert not scheduler.finish(item, Outcome(0, Fault.ROBOTS))
    assert begin(scheduler).number == 2
    assert scheduler.take_dropped() == []


# Back-off, retries and quarantine.


def test_retry_after_is_honoured_to_a_cap():
    for asked, wait in ((120.0, 120.0), (1e7, 3600.0)):
        scheduler, clock = make_scheduler(known="a")
        scheduler.offer(1, "a")
        assert request(scheduler, clock, Outcome(429, retry_after=asked))[2]
        assert scheduler.seconds_until_ready() == pytest.approx(wait)
        assert next(scheduler.waits()).why == "back-off after 429"


def test_a_response_is_an_outcome():
    scheduler, _ = make_scheduler(known="a")
    scheduler.offer(1, "a")
    header = ((b"Retry-After", b"77"),)
    answer = Response("http://a/", datetime.now(UTC), 503, raw_headers=header, seconds=1.0)
    assert scheduler.finish(begin(scheduler), answer)
    assert scheduler.seconds_until_ready() == pytest.approx(77.0)


def test_back_off_doubles_with_jitter_to_a_cap():
    scheduler, clock = make_scheduler(
        known="a", retries=50, failures=50, back_off=4.0, max_back_off=100.0
    )
    scheduler.offer(1, "a")
    waits = []
    for _ in range(10):
        request(scheduler, clock, Outcome(503, seconds=0.0))
        waits.append(scheduler.seconds_until_ready())
    for power, wait in enumerate(waits):
        most = min(4.0 * 2**power, 100.0)
        assert most / 2 <= wait <= most
    assert len(set(waits[5:])) == 5


def test_one_success_ends_the_row_of_failures():
    scheduler, clock = make_scheduler(known="a", back_off=8.0, delay=0.0)
    for number in range(9):
        scheduler.offer(number, "a")
    for outcome in (TOO_MANY, TOO_MANY, TOO_MANY, FINE, TOO_MANY):
        request(scheduler, clock, outcome)
    assert scheduler.seconds_until_ready() <= 8.0


def test_a_url_is_retried_before_later_ones():
    scheduler, clock = make_scheduler(known="a", retries=2)
    scheduler.offer(1, "a")
    scheduler.offer(2, "a")
    told = [request(scheduler, clock, TIMEOUT)[::2] for _ in range(3)]
    assert [(item.number, again) for item, again in told] == [(1, True), (1, True), (1, False)]
    assert request(scheduler, clock)[0].number == 2


def test_a_permanent_fault_is_not_retried():
    scheduler, clock = make_scheduler(known="a")
    scheduler.offer(1, "a")
    assert not request(scheduler, clock, Outcome(0, Fault.TLS))[2]
    scheduler.offer(2, "a")
    assert scheduler.seconds_until_ready() > 2.0, "yet the host backs off"


def test_a_failing_host_is_quarantined_and_then_has_one_chance():
    scheduler, clock = make_scheduler(known="a", failures=3, retries=9, quarantine=500.0)
    for number in range(4):
        scheduler.offer(number, "a")
    assert [request(scheduler, clock, TIMEOUT)[2] for _ in range(3)] == [True, True, False]
    assert scheduler.take_dropped() == [
        DroppedUrl(n, "a", DropReason.QUARANTINE) for n in (1, 2, 3)
    ]
    scheduler.offer(4, "a")
    assert scheduler.take_dropped() == [DroppedUrl(4, "a", DropReason.QUARANTINE)]
    assert list(scheduler.waits()) == [("a", "quarantine", pytest.approx(500.0), 0)]
    clock.now += 500.0
    scheduler.offer(5, "a")
    scheduler.offer(6, "a")
    assert not request(scheduler, clock, TIMEOUT)[2]
    assert [d.number for d in scheduler.take_dropped()] == [6]
    clock.now += 500.0
    scheduler.offer(7, "a")
    scheduler.offer(8, "a")
    request(scheduler, clock)
    assert request(scheduler, clock, TIMEOUT)[2], "a success resets the failures"


def test_requests_that_fail_together_are_one_failure():
    scheduler, _ = make_scheduler(known="a", failures=3, per_host=5, delay=0.0)
    for number in range(5):
        scheduler.offer(number, "a")
    items = [begin(scheduler) for _ in range(5)]
    assert [scheduler.finish(item, TIMEOUT) for item in items] == [True] * 5
    assert scheduler.take_dropped() == []


def test_a_further_failure_does_not_shorten_a_back_off():
    scheduler, _ = make_scheduler(known="a", per_host=2, delay=0.0)
    scheduler.offer(1, "a")
    scheduler.offer(2, "a")
    first, second = begin(scheduler), begin(scheduler)
    scheduler.finish(first, Outcome(429, retry_after=300.0))
    scheduler.finish(second, TIMEOUT)
    assert scheduler.seconds_until_ready() == 300.0
    assert next(scheduler.waits()).why == "back-off after 429"


def test_a_back_off_between_ready_and_start_applies():
    scheduler, _ = make_scheduler(known="a", per_host=2, delay=0.0)
    for number in range(3):
        scheduler.offer(number, "a")
    first, second = begin(scheduler), scheduler.ready()
    scheduler.finish(first, Outcome(429, retry_after=60.0))
    assert not scheduler.start(second)
    assert scheduler.waiting == 3
    assert scheduler.seconds_until_ready() == 60.0
    with pytest.raises(ContractError):
        scheduler.finish(second, FINE)


# Addresses.


def test_hosts_at_one_address_share_its_limit_in_order_of_offers():
    scheduler, _ = make_scheduler(known="abcd")
    for name in "abcd":
        scheduler.offer(ord(name), name)
    first = begin(scheduler, "192.0.2.1")
    for name in "bc":
        item = scheduler.ready()
        assert item.host == name
        assert not scheduler.start(item, "192.0.2.1")
    assert begin(scheduler, "192.0.2.2").host == "d"
    assert scheduler.ready() is None
    assert scheduler.seconds_until_ready() is None
    assert [w.why for w in scheduler.waits()] == ["same address", "same address"]
    scheduler.finish(first, FINE)
    second = begin(scheduler, "192.0.2.1")
    assert second.host == "b"
    assert scheduler.ready() is None
    scheduler.finish(second, FINE)
    assert begin(scheduler, "192.0.2.1").host == "c"


def test_an_address_has_a_delay_of_its_own_if_wanted():
    names = [f"host{n}" for n in range(40)]
    scheduler, clock = make_scheduler(known=names, address_delay=0.5, delay=0.0)
    for number, name in enumerate(names):
        scheduler.offer(number, name)
        scheduler.offer(100 + number, name)
    starts = []
    while scheduler.waiting:
        wait = scheduler.seconds_until_ready()
        assert wait is not None
        clock.now += wait
        item = scheduler.ready()
        if item is not None and scheduler.start(item, "192.0.2.1"):
            starts.append(clock.now)
            scheduler.finish(item, FINE)
    assert len(starts) == 80
    assert {later - earlier for earlier, later in pairwise(starts)} == {0.5}


def test_hosts_at_other_addresses_do_not_wait_for_the_delay_of_one():
    scheduler, clock = make_scheduler(known="abc", address_delay=5.0)
    for name in "abc":
        scheduler.offer(ord(name), name)
    scheduler.finish(begin(scheduler, "192.0.2.1"), FINE)
    item = scheduler.ready()
    assert not scheduler.start(item, "192.0.2.1")
    assert begin(scheduler, "192.0.2.2").host == "c"
    assert scheduler.seconds_until_ready() == 5.0
    [wait] = scheduler.waits()
    assert (wait.why, wait.seconds) == ("same address", 5.0)
    clock.now += 5.0
    assert begin(scheduler, "192.0.2.1").host == "b"


def test_a_slot_is_released_when_a_host_moves_to_another_address():
    scheduler, _ = make_scheduler(known="abc")
    for name in "abc":
        scheduler.offer(ord(name), name)
    first = begin(scheduler, "old")
    for _ in "bc":
        assert not scheduler.start(scheduler.ready(), "old")
    scheduler.finish(first, FINE)
    moved = scheduler.ready()
    assert scheduler.ready() is None
    assert scheduler.start(moved, "new")
    assert begin(scheduler, "old").host == "c"


def test_a_back_off_does_not_block_other_hosts_at_the_address():
    scheduler, clock = make_scheduler(known="ab", per_host=2, per_address=3, delay=0.0)
    scheduler.offer(0, "b")
    request(scheduler, clock, address="192.0.2.1")
    for number, name in enumerate("aab", 1):
        scheduler.offer(number, name)
    clock.now += 9.0
    scheduler.finish(begin(scheduler, "192.0.2.1"), TOO_MANY)
    assert scheduler.ready().host == "b"


def test_a_host_that_moves_in_takes_a_slot():
    scheduler, clock = make_scheduler(known="ab")
    scheduler.offer(0, "a")
    request(scheduler, clock, address="192.0.2.1")
    scheduler.offer(1, "b")
    item = scheduler.ready()
    scheduler.offer(2, "a")
    clock.now += 9.0
    assert not scheduler.wants(), "something is ready"
    assert scheduler.start(item, "192.0.2.1")
    assert scheduler.ready() is None


# Robots.


def test_urls_wait_until_robots_txt_is_known():
    scheduler, clock = make_scheduler(delay=1.0)
    scheduler.offer(1, "a")
    robots = begin(scheduler)
    assert robots.is_robots
    assert next(scheduler.waits()).why == "robots pending"
    assert not scheduler.finish(robots, FINE)
    clock.now += 100.0
    assert scheduler.ready() is None
    assert scheduler.seconds_until_ready() is None
    scheduler.set_robots("a", lifetime=300.0)
    assert request(scheduler, clock)[0].number == 1
    clock.now += 300.0
    scheduler.offer(2, "a")
    assert scheduler.ready().is_robots, "it has expired"


def test_robots_txt_is_retried_with_back_off():
    scheduler, clock = make_scheduler(retries=1)
    scheduler.offer(1, "a")
    item, _, again = request(scheduler, clock, Outcome(503, retry_after=50.0))
    assert item.is_robots
    assert again
    assert scheduler.seconds_until_ready() == pytest.approx(50.0)
    item, _, again = request(scheduler, clock, TIMEOUT)
    assert item.is_robots
    assert not again
    assert scheduler.seconds_until_ready() is None


def test_robots_txt_is_requested_again_after_a_quarantine():
    scheduler, clock = make_scheduler(failures=1, per_host=2, delay=0.0)
    scheduler.set_robots("a", lifetime=10.0)
    scheduler.offer(1, "a")
    page = begin(scheduler)
    clock.now += 10.0
    scheduler.offer(2, "a")
    robots = scheduler.ready()
    assert robots.is_robots
    assert not scheduler.finish(page, TIMEOUT)
    assert not scheduler.start(robots)
    assert [d.number for d in scheduler.take_dropped()] == [2]
    clock.now += 3600.0
    scheduler.offer(3, "a")
    assert scheduler.ready().is_robots


def test_an_errand_goes_first_and_needs_no_robots():
    scheduler, clock = make_scheduler(known="a", pages=1)
    scheduler.offer(1, "a")
    scheduler.offer(2, "b")
    scheduler.offer(-7, "b", internal=True)
    internal = begin(scheduler)
    assert (internal.number, internal.host, internal.is_robots) == (-7, "b", False)
    assert begin(scheduler).number == 1
    scheduler.finish(internal, FINE)
    assert request(scheduler, clock)[0].is_robots
    assert scheduler.take_dropped() == []


# Budgets and bounds.


def test_urls_beyond_the_page_limit_of_a_host_are_dropped():
    scheduler, clock = make_scheduler(known="ab", pages=2)
    for number in range(5):
        scheduler.offer(number, "a")
    request(scheduler, clock)
    assert scheduler.take_dropped() == []
    assert request(scheduler, clock, TIMEOUT)[2], "a page that is counted may be retried"
    assert scheduler.take_dropped() == [DroppedUrl(n, "a", DropReason.PAGES) for n in (2, 3, 4)]
    assert request(scheduler, clock)[0].number == 1
    scheduler.offer(9, "a")
    assert scheduler.take_dropped() == [DroppedUrl(9, "a", DropReason.PAGES)]
    assert scheduler.waiting == 0


def test_no_more_is_wanted_while_a_request_is_ready():
    scheduler, _ = make_scheduler(known="ab")
    assert scheduler.wants()
    scheduler.offer(1, "a")
    assert not scheduler.wants()
    begin(scheduler)
    assert scheduler.wants()


def test_the_best_goes_first_at_a_host_and_among_hosts():
    scheduler, clock = make_scheduler(known="ab", delay=0.0, slowness=0.0)
    for number, (host, score) in enumerate([("a", 0.1), ("b", 0.3), ("a", 0.9), ("b", 0.9)]):
        scheduler.offer(number, host, score)
    assert [request(scheduler, clock)[0].number for _ in range(4)] == [2, 3, 1, 0]


def test_a_better_url_is_wanted_although_a_request_is_ready():
    scheduler, _ = make_scheduler(known="a")
    scheduler.offer(1, "a", 0.5)
    assert scheduler.wants(0.6)
    assert not scheduler.wants(0.5), "the first offered goes first"


def test_urls_that_were_never_handed_out_can_be_withdrawn():
    scheduler, clock = make_scheduler(known="ab", retries=3)
    for number, host in enumerate("abab"):
        scheduler.offer(number, host, number)
    assert request(scheduler, clock, TIMEOUT)[0].number == 3
    assert sorted(scheduler.withdraw()) == [0, 1, 2]
    assert scheduler.waiting == 1, "the one that will be retried"
    clock.now += 100.0
    assert scheduler.ready().number == 3
    assert scheduler.ready() is None


def test_prefetching_for_a_single_host_is_bounded():
    scheduler, _ = make_scheduler(known="a", queue=8, ahead=4)
    scheduler.offer(0, "a")
    begin(scheduler)
    number = 0
    while scheduler.wants():
        number += 1
        scheduler.offer(number, "a")
    assert number == 8 + 4


def test_a_slow_host_does_not_block_others():
    names = [f"h{n}" for n in range(50)]
    scheduler, clock = make_scheduler(known=names, queue=8, ahead=4)
    scheduler.set_robots("slow", 30.0, FOREVER)
    number = 0
    while scheduler.wants() and number < 100:
        scheduler.offer(number, "slow")
        number += 1
        if number == 1:
            request(scheduler, clock)
    scheduler.offer(number, "h7")
    assert scheduler.ready().host == "h7"
    assert number == 100


def test_the_number_of_waiting_urls_is_bounded():
    scheduler, _ = make_scheduler(waiting=10, queue=100)
    for number in range(10):
        assert scheduler.wants()
        scheduler.offer(number, f"h{number}")
        begin(scheduler)  # its robots.txt
    assert not scheduler.wants()


# Restarts and misuse.


def test_delays_back_offs_and_counts_are_restored():
    scheduler, clock = make_scheduler(known="abc", pages=2)
    scheduler.set_robots("b", 20.0)
    for number in range(3):
        scheduler.offer(number, "abc"[number])
    request(scheduler, clock, address="192.0.2.1")  # 0 of a
    request(scheduler, clock, Outcome(429, retry_after=200.0), "192.0.2.2")  # 1 of b
    assert begin(scheduler, "192.0.2.3").number == 2  # of c
    for number in range(3, 9):
        scheduler.offer(number, "abc"[number % 3])
    before = {w.host: w for w in scheduler.waits()}
    state = json.loads(json.dumps(scheduler.snapshot()))

    after, later = make_scheduler(clock=Clock(5.0), pages=2)
    after.restore(state, away=10.0)
    assert after.waiting == 0, "the crawl knows what waits"
    for number in range(3, 9):
        after.offer(number, "abc"[number % 3])
    waits = {w.host: w for w in after.waits()}
    assert waits["b"].why == "back-off after 429"
    assert waits["b"].seconds == pytest.approx(before["b"].seconds - 10.0)
    assert waits["a"].why == "ready"
    again, _ = make_scheduler(clock=Clock(5.0))
    again.restore(state)
    again.offer(3, "a")
    assert again.seconds_until_ready() == pytest.approx(before["a"].seconds)
    for name in "abc":
        after.set_robots(name, 20.0 if name == "b" else None)
    order = []
    while after.waiting:
        order.append(request(after, later)[0].number)
    assert order == [3, 5, 4]
    assert sorted(d.number for d in after.take_dropped()) == [6, 7, 8]


def test_a_quarantine_is_restored_and_ends_in_time():
    scheduler, clock = make_scheduler(known="a", failures=2, quarantine=500.0, retries=9)
    scheduler.offer(1, "a")
    request(scheduler, clock, TIMEOUT)
    request(scheduler, clock, TIMEOUT)
    state = json.loads(json.dumps(scheduler.snapshot()))
    after, later = make_scheduler(clock=Clock(0.0))
    after.restore(state, away=100.0)
    later.now = 399.0
    after.offer(2, "a")
    assert [d.number for d in after.take_dropped()] == [2]
    later.now = 401.0
    after.offer(3, "a")
    assert after.ready().is_robots


def test_restore_refuses_a_used_scheduler_and_an_invalid_state():
    scheduler, _ = make_scheduler(known="a")
    with pytest.raises(UsageError, match="in use"):
        scheduler.restore(scheduler.snapshot())
    for broken in ({"a": {}}, {"a": {"tempo": {}, "pages": 1, "address": ""}}, {"a": 1}, []):
        with pytest.raises(UsageError, match="not the state"):
            make_scheduler()[0].restore(broken)


def test_a_request_starts_and_finishes_once():
    scheduler, _ = make_scheduler(known="a")
    scheduler.offer(1, "a")
    item = begin(scheduler)
    with pytest.raises(ContractError, match="cannot start"):
        scheduler.start(item)
    scheduler.finish(item, FINE)
    with pytest.raises(ContractError, match="cannot finish"):
        scheduler.finish(item, FINE)


def test_an_invalid_pace_is_refused():
    wrong = ({"delay": -1.0}, {"delay": inf}, {"per_host": 0}, {"pages": 0}, {"retries": -1})
    for setting in wrong:
        with pytest.raises(UsageError, match=f"Pace.{next(iter(setting))}"):
            Pace(**setting)


# All rules together, against a model that examines everything each time.

NAMES = ["a", "b", "c"]
OUTCOMES = st.one_of(
    st.just(FINE),
    st.builds(Outcome, seconds=st.sampled_from([0.0, 0.5, 4.0, 50.0])),
    st.builds(
        Outcome, st.sampled_from([429, 503]), retry_after=st.sampled_from([None, 0.0, 40.0, 9999.0])
    ),
    st.builds(Outcome, st.just(0), st.sampled_from([Fault.RESET, Fault.TLS, Fault.TOO_LARGE])),
    st.just(Outcome(404)),
)


class Model:
    """The model of one host."""

    def __init__(self):
        self.waiting = set()
        self.internal = set()
        self.robots_wait = False
        self.robots = "unknown"
        self.robots_until = -inf
        self.address = ""
        self.asked = self.slow = 0.0
        self.failures = 0
        self.last = self.failed = self.quarantine = -inf
        self.earliest = self.latest = -inf  # chance lies between them
        self.pages = set()
        self.handed = None
        self.running = {}  # its items, with their addresses and starts


class Politeness(RuleBasedStateMachine):
    @initialize(
        pace=st.builds(
            Pace,
            delay=st.sampled_from([0.0, 1.0, 2.5]),
            max_delay=st.sampled_from([0.0, 20.0]),
            per_host=st.integers(1, 2),
            per_address=st.integers(1, 2),
            address_delay=st.sampled_from([0.0, 0.0, 3.0]),
            retries=st.integers(0, 2),
            back_off=st.just(4.0),
            max_back_off=st.just(10.0),
            max_retry_after=st.just(60.0),
            failures=st.integers(2, 4),
            quarantine=st.just(100.0),
            pages=st.sampled_from([None, 1, 3]),
            queue=st.just(2),
            ahead=st.just(1),
            waiting=st.integers(3, 12),
        ),
        known=st.sets(st.sampled_from(NAMES)),
    )
    def start(self, pace, known):
        self.pace = pace
        self.clock = Clock()
        self.scheduler = Scheduler(self.clock, pace)
        self.models = {name: Model() for name in NAMES}
        self.addresses = dict(zip(NAMES, "xxy", strict=True))
        self.asked_at = {}
        self.offered = 0
        self.ended = set()
        self.dropped = set()
        self.forgotten = set()
        self.internal = 0
        self.tries = {}
        for name in sorted(known):
            self.know(name, None, FOREVER)

    def key(self, model):
        """Return the order of the first request of a host; internal ones precede everything."""
        if model.internal or model.robots_wait:
            return -1
        return min(model.waiting) if model.waiting and model.robots != "pending" else None

    def may_go(self, model, back_off, slack=0.0):
        pace = self.pace
        delay = max(pace.delay, min(max(model.asked, pace.slowness * model.slow), pace.max_delay))
        return self.clock.now + slack >= max(model.last + delay, back_off)

    def room(self, address):
        models = self.models.values()
        taken = sum(m.handed is not None and m.address == address for m in models)
        taken += sum(at == address for m in models for at, _ in m.running.values())
        rested = self.clock.now >= self.asked_at.get(address, -FOREVER) + self.pace.address_delay
        return not address or (rested and taken < self.pace.per_address)

    def surely_ready(self, model):
        due = self.may_go(model, model.latest, -TINY)
        free = model.handed is None and len(model.running) < self.pace.per_host
        return free and due and self.key(model) is not None and self.room(model.address)

    def surely_may(self, model):
        """Assert what must hold of every request."""
        assert self.may_go(model, model.earliest, TINY)
        assert len(model.running) < self.pace.per_host

    def put_back(self, item):
        model = self.models[item.host]
        if item.is_robots:
            model.robots_wait = True
        else:
            (model.internal if item.internal else model.waiting).add(item.number)

    def collect(self):
        for number, name, reason in self.scheduler.take_dropped():
            model = self.models[name]
            if reason is DropReason.PAGES:
                assert len(model.pages) == self.pace.pages
                assert number not in model.pages
            else:
                assert self.clock.now < model.quarantine
            (model.internal if number < 0 else model.waiting).remove(number)
            self.dropped.add(number)

    @rule(names=st.lists(st.sampled_from(NAMES), min_size=1, max_size=4))
    def offer(self, names):
        for name in names:
            self.models[name].waiting.add(self.offered)
            self.scheduler.offer(self.offered, name)
            self.offered += 1
            self.collect()

    @rule(name=st.sampled_from(NAMES))
    def offer_internal(self, name):
        self.internal += 1
        number = -1 - self.internal
        self.models[name].internal.add(number)
        self.scheduler.offer(number, name, internal=True)
        self.collect()

    @rule(seconds=st.sampled_from([0.25, 1.0, 5.0, 30.0, 200.0]))
    def time_goes_by(self, seconds):
        self.clock.now += seconds

    @rule()
    def sleep(self):
        seconds = self.scheduler.seconds_until_ready()
        if seconds is None:
            assert not any(self.surely_ready(m) for m in self.models.values())
        else:
            assert seconds >= 0
            self.clock.now += seconds
            awake = (
                self.scheduler.seconds_until_ready() == 0.0
            )  # not if the address of the host has no room
            assert self.take() == awake

    @rule()
    def ask(self):
        self.take()

    @rule()
    def ask_and_begin(self):
        if self.take():
            self.go(next(name for name, model in self.models.items() if model.handed))

    def take(self):
        ready = [self.key(m) for m in self.models.values() if self.surely_ready(m)]
        item = self.scheduler.ready()
        if item is None:
            assert not ready
            return False
        model, now = self.models[item.host], self.clock.now
        assert model.handed is None
        self.surely_may(model)
        assert self.room(model.address)
        assert all(self.key(model) <= key for key in ready), "the first offered goes first"
        if item.is_robots and model.robots_wait:
            model.robots_wait = False
        elif item.is_robots:
            assert model.waiting
            assert not model.internal
            assert model.robots != "pending"
            assert model.robots_until <= now
            model.robots = "pending"
            self.tries[item.host] = 0
        elif item.internal:
            assert item.number == max(model.internal), "first in, first out"
            model.internal.remove(item.number)
        else:
            assert not model.internal
            assert model.robots == "known"
            assert model.robots_until > now
            assert item.number == min(model.waiting), "first in, first out"
            model.waiting.remove(item.number)
        model.handed = item
        return True

    @rule(name=st.sampled_from(NAMES), address=st.sampled_from("xy"))
    def move(self, name, address):
        self.addresses[name] = address

    @precondition(lambda self: any(m.handed for m in self.models.values()))
    @rule(data=st.data())
    def begin(self, data):
        self.go(data.draw(st.sampled_from([n for n, m in self.models.items() if m.handed])))

    def go(self, name):
        model, address = self.models[name], self.addresses[name]
        item, model.handed = model.handed, None
        model.address = address
        room = self.room(address)
        if self.scheduler.start(item, address):
            assert room
            self.surely_may(model)
            model.running[item] = address, self.clock.now
            model.last = self.asked_at[address] = self.clock.now
            if not item.internal:
                model.pages.add(item.number)
                assert self.pace.pages is None or len(model.pages) <= self.pace.pages
        else:
            assert not (room and self.may_go(model, model.latest, -TINY))
            self.put_back(item)
            if self.clock.now < model.quarantine and item.is_robots:
                model.robots_wait, model.robots = False, "unknown"
        self.collect()

    @precondition(lambda self: any(m.handed or m.running for m in self.models.values()))
    @rule(data=st.data(), outcome=OUTCOMES)
    def end(self, data, outcome):
        items = [m.handed for m in self.models.values() if m.handed]
        items += [item for m in self.models.values() for item in m.running]
        self.finish(data.draw(st.sampled_from(items)), outcome)

    def finish(self, item, outcome):
        model, now, pace = self.models[item.host], self.clock.now, self.pace
        if model.handed is item:
            model.handed, started = None, now
        else:
            _, started = model.running.pop(item)
            model.slow += (outcome.seconds - model.slow) * (0.25 if model.slow else 1.0)
            if pace.per_host == 1:
                model.last = now
            if outcome.status in (200, 404) or outcome.fault == Fault.TOO_LARGE:
                model.failures = 0
        passes = outcome.status in (429, 503) or outcome.fault == Fault.RESET
        if passes or outcome.fault == Fault.TLS:
            self.fail(model, started, outcome)
        key = item.host if item.is_robots else item.number
        tries = self.tries.get(key, 0)
        again = passes and tries < pace.retries and now >= model.quarantine
        assert self.scheduler.finish(item, outcome) == again
        if again:
            self.tries[key] = tries + 1
            self.put_back(item)
        elif not item.internal:
            assert item.number not in self.ended
            self.ended.add(item.number)
        self.collect()

    def fail(self, model, started, outcome):
        now, pace = self.clock.now, self.pace
        counts = started > model.failed
        model.failures += counts
        model.failed = now
        if counts and model.failures >= pace.failures:
            model.quarantine = now + pace.quarantine
            if model.robots_wait:
                model.robots_wait, model.robots = False, "unknown"
        most = min(pace.back_off * 2.0 ** (model.failures - 1), pace.max_back_off)
        asked = min(outcome.retry_after or 0.0, pace.max_retry_after)
        model.earliest = max(model.earliest, now + max(most / 2, asked))
        model.latest = max(model.latest, now + max(most, asked))

    def unanswered(self):
        """Yield the hosts whose robots.txt was answered, and not yet set."""
        for name, model in self.models.items():
            out = [item.is_robots for item in (model.handed, *model.running) if item]
            if model.robots == "pending" and not model.robots_wait and not any(out):
                yield name

    @precondition(lambda self: any(self.unanswered()))
    @rule(
        data=st.data(),
        delay=st.sampled_from([None, 0.5, 8.0, 500.0]),
        lifetime=st.sampled_from([20.0, FOREVER]),
    )
    def learn_robots(self, data, delay, lifetime):
        self.know(data.draw(st.sampled_from(list(self.unanswered()))), delay, lifetime)

    def know(self, name, delay, lifetime):
        model = self.models[name]
        model.robots, model.robots_until = "known", self.clock.now + lifetime
        model.asked = delay or 0.0
        self.scheduler.set_robots(name, delay, lifetime)

    @precondition(lambda self: self.offered > 9)
    @rule()
    def restart(self):
        state = json.loads(json.dumps(self.scheduler.snapshot()))
        self.scheduler = Scheduler(self.clock, self.pace, seed=1)
        self.scheduler.restore(state)
        self.asked_at = {}  # the delay of an address is not kept
        for model in self.models.values():
            for item in (model.handed, *model.running):
                if item and not item.internal:
                    self.forgotten.add(item.number)
            self.forgotten |= set(model.waiting)
            model.waiting.clear()
            if model.running:
                model.last = self.clock.now
            model.handed, model.running = None, {}
            model.internal = set()
            model.robots, model.robots_wait, model.robots_until = "unknown", False, -inf
            model.failed = -inf
        self.collect()

    @invariant()
    def every_url_is_accounted_for(self):
        if not hasattr(self, "models"):
            return
        models = self.models.values()
        waiting = {n for m in models for n in m.waiting}
        out = [i for m in models for i in (m.handed, *m.running) if i]
        assert self.scheduler.waiting == len(waiting)
        assert self.scheduler.in_flight == len(out)
        mine = (
            waiting
            | self.ended
            | self.dropped
            | self.forgotten
            | {i.number for i in out if not i.internal}
        )
        assert set(range(self.offered)) <= mine
        for wait in self.scheduler.waits():
            model = self.models[wait.host]
            assert wait.urls == len(model.waiting)
            assert (wait.why == "quarantine") == (self.clock.now < model.quarantine)
            assert wait.why != "quarantine" or not model.waiting
            if self.surely_ready(model):
                assert wait.why == "ready" or model.internal or model.robots_wait

    @invariant()
    def no_more_is_wanted_than_can_be_used(self):
        if not hasattr(self, "models"):
            return
        models = self.models.values()
        waiting = [len(m.waiting) for m in models]
        if self.scheduler.wants():
            assert not any(self.surely_ready(m) for m in models)
            assert sum(waiting) < self.pace.waiting
            assert sum(max(n - 2, 0) for n in waiting) < len(models)

    def teardown(self):
        """In the end every URL was handed out and finished, or dropped."""
        if not hasattr(self, "models"):
            return
        for _ in range(10 * (self.offered + self.internal) + 100):
            for name in list(self.unanswered()):
                self.know(name, None, FOREVER)
            self.sleep()
            for name, model in self.models.items():
                if model.handed:
                    self.go(name)
                for item in list(model.running):
                    self.finish(item, FINE)
        assert set(range(self.offered)) <= self.ended | self.dropped | self.forgotten
        assert self.scheduler.waiting == self.scheduler.in_flight == 0


TestPoliteness = Politeness.TestCase
TestPoliteness.settings = settings(
    max_examples=60,
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


# A simulated crawl of many scheduler.


def test_a_thousand_hosts_are_used_at_their_full_rate():
    clock, chance = Clock(0.0), random.Random(1)
    names = [f"h{n}" for n in range(1000)]
    scheduler, _ = make_scheduler(clock, names, delay=1.0)
    end, latency, number, done = 30.0, 0.1, 0, 0
    in_flight: list[tuple[float, int, ScheduledRequest]] = []
    while clock.now < end:
        if (item := scheduler.ready()) is not None:
            assert scheduler.start(item, item.host)
            heapq.heappush(in_flight, (clock.now + latency, item.number, item))
        elif scheduler.wants():
            scheduler.offer(number, chance.choice(names))
            number += 1
        else:
            wake = scheduler.seconds_until_ready()
            clock.now = min(in_flight[0][0] if in_flight else inf, clock.now + (wake or inf))
            while in_flight and in_flight[0][0] <= clock.now:
                scheduler.finish(heapq.heappop(in_flight)[2], Outcome(seconds=latency))
                done += 1
    assert done >= 0.95 * end * len(names) / (1.0 + latency)
