from datetime import UTC, datetime

import pytest

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.politeness.robots_cache import Refusal, RobotsCache, authority
from lycosa.crawler.storage.memory import MemoryStore
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.web.robots import DAY_SECONDS, GIVE_UP_SECONDS, RETRY_SECONDS

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
BODY = b"User-agent: *\nDisallow: /private/\nCrawl-delay: 7\n# \xe9\xff"
HOST = "a.example:8080"


def said(status=200, body=BODY, fault=None, **headers):
    raw = tuple((k.replace("_", "-").encode(), v.encode()) for k, v in headers.items())
    line = f"HTTP/1.1 {status} x"
    return Response(f"http://{HOST}/robots.txt", WHEN, status, line, raw, body, fault)


def test_an_unknown_host_allows_everything():
    assert RobotsCache("lycosa").refusal(f"http://{HOST}/private/") is None


def test_each_port_has_its_own_robots_txt():
    robots = RobotsCache("lycosa")
    robots.learn(HOST, said())
    assert not robots.allows(f"http://{HOST}/private/x")
    assert robots.allows("http://a.example/private/x")
    assert authority("http://[::1]:81/x") == "[::1]:81"


@pytest.mark.parametrize(
    ("answer", "refusal"),
    [
        (said(), Refusal("robots", Fault.ROBOTS)),
        (said(404, b""), None),
        (said(503, b""), Refusal("robots-unreachable", Fault.ROBOTS)),
        (said(0, b"", "dns"), Refusal("robots-unreachable", "dns")),
    ],
)
def test_a_robots_txt_is_loaded_by_the_next_run_while_it_is_valid(tmp_path, answer, refusal):
    now = 1000.0
    url = f"http://{HOST}/private/x"
    with SqliteStore.open(tmp_path) as store:
        robots = RobotsCache("lycosa", store, lambda: now)
        assert robots.load(HOST) is None
        first = robots.learn(HOST, answer)
        assert robots.refusal(url) == refusal
    now += 10
    with SqliteStore.open(tmp_path) as store:
        robots = RobotsCache("lycosa", store, lambda: now)
        again = robots.load(HOST)
        assert again.lifetime == first.lifetime - 10
        assert (again.reached, again.fault) == (first.reached, first.fault)
        assert robots.refusal(url) == refusal
        assert robots.delay(HOST) == (7.0 if answer.body == BODY else None)
        now += again.lifetime
        assert robots.load(HOST) is None, "it has expired"


@pytest.mark.parametrize("status", [200, 503])
def test_a_clock_that_is_set_back_does_not_prolong_the_validity(tmp_path, status):
    now = 2 * 365 * DAY_SECONDS
    with SqliteStore.open(tmp_path) as store:
        RobotsCache("lycosa", store, lambda: now).learn(HOST, said(status))
        now -= 365 * DAY_SECONDS
        robots = RobotsCache("lycosa", store, lambda: now)
        assert robots.load(HOST) is None
        robots.learn(HOST, said(503))
        now += GIVE_UP_SECONDS
        robots.learn(HOST, said(503))
        assert robots.allows(f"http://{HOST}/private/x"), "it was unreachable for a month"


def test_the_lifetime_is_max_age_within_limits():
    robots = RobotsCache("lycosa")
    assert robots.learn(HOST, said()).lifetime == DAY_SECONDS
    assert robots.learn(HOST, said(Cache_Control="public, max-age=7200")).lifetime == 7200
    assert robots.learn(HOST, said(Cache_Control='max-age="99999999"')).lifetime == DAY_SECONDS
    assert robots.learn(HOST, said(Cache_Control="max-age=0")).lifetime > 60
    assert robots.learn(HOST, said(Cache_Control="x-max-age=1, s-maxage=1")).lifetime == DAY_SECONDS
    assert robots.learn(HOST, said(500, b"", Cache_Control="max-age=0")).lifetime == RETRY_SECONDS


def test_a_host_unreachable_for_a_month_allows_everything(tmp_path):
    now = 1000.0
    url = f"http://{HOST}/x"
    with SqliteStore.open(tmp_path) as store:
        robots = RobotsCache("lycosa", store, lambda: now)
        for days, allowed in (
            (0, False),
            (GIVE_UP_SECONDS / DAY_SECONDS - 1, False),
            (1, True),
            (5, True),
        ):
            now += days * DAY_SECONDS
            robots.learn(HOST, said(500, b""))
            assert robots.allows(url) == allowed
        later = RobotsCache("lycosa", store, lambda: now)
        assert later.load(HOST).reached is False
        assert later.allows(url)
        robots.learn(HOST, said())
        robots.learn(HOST, said(500, b""))
        assert not robots.allows(url), "it was reached, so the month starts again"


def test_a_host_can_be_set_to_allow_all():
    robots = RobotsCache("lycosa")
    robots.allow_all(HOST)
    assert robots.allows(f"http://{HOST}/private/")
    assert robots.delay(HOST) is None


def test_a_forgotten_robots_txt_is_fetched_again():
    store = MemoryStore()
    RobotsCache("lycosa", store).learn(HOST, said())
    cache = RobotsCache("lycosa", store)
    assert cache.load(HOST) is not None
    cache.forget(HOST)
    assert cache.load(HOST) is None
    cache.learn(HOST, said())
    assert cache.load(HOST) is not None
