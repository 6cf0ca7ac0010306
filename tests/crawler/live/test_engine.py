"""The live crawl over a small web on loopback: what it requests, skips, stores and resumes."""

import asyncio
import errno
import gc
import gzip
import random
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from crawler.http.hostile import answer
from crawler.live.served import job as generated_job
from crawler.live.served import papers, run, served
from crawler.live.small import (
    RUSH,
    Says,
    crawl,
    job,
    links,
    moved,
    outcomes,
    paths,
    rows,
    walk,
    within,
)
from lycosa import Scope, Setup, World, spider
from lycosa.core import Budget, Scores
from lycosa.crawler.http.dict_fetcher import DictFetcher
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.http.response import Response
from lycosa.crawler.live import engine, recorder
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.memory import MemoryStore
from lycosa.crawler.storage.sqlite import STAGES, SqliteStore
from lycosa.errors import ContractError, StoreError, UsageError
from lycosa.sites.generated.pdf import PdfWriter
from lycosa.spiders import BreadthFirst, DepthFirst

PAPER = "<p>paper</p>"


def star(n, host="a.example", say=""):
    """A page with n leaves, each of which is a target if its number is even."""
    pages = {f"{host}/{k}": PAPER if k % 2 == 0 else "<p>other</p>" for k in range(1, n + 1)}
    return {f"{host}/": links(*(f"/{k}" for k in range(1, n + 1)), say=say), **pages}


# Resuming


@pytest.mark.parametrize("policy", [BreadthFirst, DepthFirst])
def test_a_crawl_is_resumed_with_a_larger_budget_and_another_spider(tmp_path, policy):
    async def scenario(web):
        first = await walk(crawl(web, folder=tmp_path, budget=Budget(pages=4)))
        live = crawl(web, folder=tmp_path, budget=Budget(pages=8), policy=policy())
        second = await walk(live)
        assert (live.reason, live.status().pages, len(live.status().curve)) == (
            "budget: pages",
            8,
            9,
        )
        live = crawl(web, folder=tmp_path, policy=policy())
        third = await walk(live)
        assert (live.reason, live.crawl.found) == ("frontier empty", 5)
        live = crawl(web, folder=tmp_path, policy=policy())
        assert await walk(live) == []
        assert [len(first), len(second), len(third)] == [4, 4, 3]
        assert [step.n for step in first + second + third] == list(range(1, 12))
        assert sorted(web.places) == sorted(star(10))
        assert web.robots == ["a.example/robots.txt"]
        return paths(web, first + second + third)

    asked = within(20, star(10), scenario)
    found = rows(tmp_path)
    assert [row.url.partition("/")[2].partition("/")[2].partition("/")[2] for row in found] == [
        place.partition("/")[2] for place in asked
    ]
    assert [row.source for row in found] == [0] + [1] * 10


def test_a_crawl_without_a_link_to_follow_says_what_may_be_the_reason():
    async def scenario(web):
        live = crawl(web)
        await walk(live)
        [notice] = live.status().notices
        assert notice.kind == "no-links"
        assert not live.seeds.gave_nothing

    within(20, {"a.example/": links("http://elsewhere.invalid/", say="Our pages.")}, scenario)


def test_totals_and_faults_are_of_all_runs(tmp_path):
    async def scenario(web):
        web.answers["a.example/3"] = moved("/1")  # a page that is known already
        web.answers["a.example/5"] = moved("http://elsewhere.invalid/")
        first = crawl(web, folder=tmp_path, budget=Budget(pages=6))
        await walk(first)
        assert (one := first.status().totals).runs == 1
        second = crawl(web, folder=tmp_path)
        await walk(second)
        status = second.status()
        assert (status.stored, status.replayed) == (6, 6)
        assert status.totals.runs == 2
        assert status.totals.requests == one.requests + status.requests == len(web.seen)
        assert status.totals.received == one.received + status.received
        assert status.totals.seconds > status.seconds
        assert status.fault_names == {"out-of-scope": 1}
        assert status.faults == 1

    within(20, star(10), scenario)


def test_the_rewards_of_another_goal_are_amended_in_the_step_log(tmp_path):
    async def scenario(web):
        await walk(crawl(web, folder=tmp_path))
        live = crawl(web, folder=tmp_path, goal=Says("other"))
        assert await walk(live) == []
        assert live.crawl.found == 5

    within(20, star(10), scenario)
    assert [row.reward for row in rows(tmp_path)] == [0.0, *[1.0, 0.0] * 5]
    with SqliteStore.open(tmp_path) as store:
        assert store.get("run")["goal"] == "says other"


def test_a_damaged_record_keeps_its_reward_and_its_page_is_requested_again(tmp_path):
    async def scenario(web):
        await walk(crawl(web, folder=tmp_path))
        [paper] = [row for row in rows(tmp_path) if row.reward and row.n == 5]
        with (tmp_path / "archive" / "00001.warc.gz").open("r+b") as file:
            file.seek(paper.location.offset + paper.location.length // 2)
            file.write(b"\0\0\0\0")
        live = crawl(web, folder=tmp_path)
        [step] = await walk(live)
        assert (step.page.url, step.reward, live.crawl.found) == (paper.url, 0.0, 5)

    within(20, star(10), scenario)
    assert sum(row.reward for row in rows(tmp_path)) == 5


def test_the_engine_loads_neither_the_http_library_nor_a_database():
    heavy = ("aiohttp", "sqlite3")
    code = f"import lycosa.crawler.live.engine, sys; print(set({heavy}) & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_live_crawl_runs_once():
    async def scenario(web):
        live = crawl(web)
        await walk(live)
        with pytest.raises(UsageError, match="A LiveCrawl runs once: make another"):
            aiter(live)

    within(20, star(1), scenario)


# What is requested


def test_links_out_of_scope_are_not_followed():
    pages = {
        "a.example/": links("/in/1", "/out/1", "http://b.test/", "/in/private/1"),
        "a.example/in/1": links("/in/2"),
        "a.example/in/2": "end",
    }

    async def scenario(web):
        scope = Scope(prefixes=(web.url("a.example/in/"),), exclude=("/private/",))
        live = crawl(web, scope=scope)
        await walk(live)
        assert web.places == ["a.example/", "a.example/in/1", "a.example/in/2"]
        assert live.status().known == 3

    within(20, pages, scenario)


def test_disallowed_urls_are_skipped_and_counted(tmp_path):
    rules = answer(body=b"User-agent: *\nDisallow: /2\nDisallow: /3\n", type="text/plain")

    async def scenario(web):
        live = crawl(web, folder=tmp_path, budget=Budget(pages=20))
        steps = await walk(live)
        assert (len(steps), live.reason) == (9, "frontier empty")
        assert live.progress.skipped == {"robots": 2}
        assert live.status().waiting == 0
        assert not {"a.example/2", "a.example/3"} & set(web.places)
        live = crawl(web, folder=tmp_path, robots=False)
        await walk(live)
        assert web.places[-2:] == ["a.example/2", "a.example/3"]
        assert len(web.robots) == 1

    within(20, {**star(10), "a.example/robots.txt": rules}, scenario)


def test_a_host_without_a_readable_robots_txt_is_skipped(tmp_path):
    error = answer("500 Internal Server Error", b"")

    async def scenario(web):
        live = crawl(web, "a.example/", "b.example/", folder=tmp_path)
        steps = await walk(live)
        assert paths(web, steps) == ["b.example/", "b.example/1"]
        assert live.progress.skipped == {"robots-unreachable": 1}
        # That of a start page is requested again at the next start; others after an hour.
        assert web.robots == ["a.example/robots.txt", "b.example/robots.txt"]
        await walk(crawl(web, "a.example/", "b.example/", folder=tmp_path))
        await walk(crawl(web, "b.example/", folder=tmp_path))
        assert web.robots[2:] == ["a.example/robots.txt"]

    pages = {**star(1), **star(1, "b.example"), "a.example/robots.txt": error}
    within(20, pages, scenario)


def test_a_page_budget_is_met_exactly_with_requests_in_flight():
    refuse = answer("503 Service Unavailable", b"", Retry_After="0")
    pages = star(60)
    for k in range(1, 61, 3):
        pages[f"a.example/{k}"] = moved(f"/to/{k}")
        pages[f"a.example/to/{k}"] = "moved"
    for k in range(2, 61, 12):
        pages[f"a.example/{k}"] = refuse

    async def scenario(web):
        for most in (1, 2, 7, 30, 61):
            pace = replace(RUSH, per_host=8, per_address=4, failures=100, back_off=0.001)
            live = crawl(web, budget=Budget(pages=most), pace=pace)
            steps = await walk(live)
            assert len(steps) == live.crawl.pages == most
            assert live.reason == ("budget: pages" if most < 61 else live.reason)

    within(30, pages, scenario, seconds=0.001)


def test_a_budget_of_targets_ends_the_crawl():
    async def scenario(web):
        live = crawl(web, budget=Budget(targets=3), max_in_flight=1)
        await walk(live)
        assert (live.crawl.found, live.reason) == (3, "budget: targets")

    within(20, star(20), scenario)


def test_a_budget_of_seconds_counts_from_the_start_of_the_run(monkeypatch):
    """A fetch takes 0.1 s by a clock of our own; the first is that of robots.txt."""
    now = 0.0
    clock = SimpleNamespace(monotonic=lambda: now, perf_counter=time.perf_counter)
    monkeypatch.setattr(engine, "time", clock)

    class Timed(DictFetcher):
        async def fetch(self, url, **options):
            nonlocal now
            now += 0.1
            return await super().fetch(url, **options)

    given = Job(
        ("http://a.example/",),
        ClientConfig("t@example.org"),
        budget=Budget(seconds=0.35),
        pace=RUSH,
        max_in_flight=1,
    )
    pages = {f"http://{place}": body for place, body in star(20).items()}
    live = LiveCrawl(given, BreadthFirst(), Says(), fetcher=Timed(pages))
    now += 1000.0  # before the run, time does not count
    steps = asyncio.run(walk(live))
    assert (len(steps), live.reason) == (3, "budget: seconds")


def test_a_crawl_stops_at_the_wanted_recall():
    async def scenario(web):
        live = crawl(web, recall=0.5, max_in_flight=1)
        steps = await walk(live)
        assert live.reason == "recall reached"
        assert 10 <= len(steps) < 101
        assert live.recall.estimate().low >= 0.5

    pages = {f"a.example/{k}": PAPER for k in range(1, 101)}
    within(20, {**star(100), **pages}, scenario)


def test_unwanted_types_are_not_downloaded():
    image = answer(body=b"\x89PNG" + bytes(1000), type="image/png")

    async def scenario(web):
        live = crawl(web, types=("text/html",))
        steps = await walk(live)
        assert outcomes(web, steps) == {
            "a.example/": 200,
            "a.example/i.png": "type-not-wanted",
            "a.example/1": 200,
        }

    pages = {"a.example/": links("/i.png", "/1"), "a.example/i.png": image, "a.example/1": "x"}
    within(20, pages, scenario)


def test_files_without_text_are_not_downloaded_for_a_goal_that_needs_text():
    image = answer(body=b"\x89PNG" + bytes(1000), type="image/png")
    archive = answer(body=bytes(1000), type="application/zip")

    async def scenario(web):
        steps = await walk(crawl(web, text_only=True))
        assert outcomes(web, steps) == {
            "a.example/": 200,
            "a.example/image": "type-not-wanted",
            "a.example/1": 200,
        }

    pages = {
        "a.example/": links("/i.png", "/a.zip?x=1", "/image", "/1"),
        "a.example/i.png": image,
        "a.example/a.zip?x=1": archive,
        "a.example/image": image,
        "a.example/1": "x",
    }
    within(20, pages, scenario)


# Redirects


def test_redirects_are_followed_within_a_step(tmp_path):
    pages = {
        "a.example/": links("/new", "/known", "/loop", "/out", "/far", "/endless/1", "/bad"),
        "a.example/new": moved("/new/2"),
        "a.example/new/2": moved("/new/3"),
        "a.example/new/3": moved("/new/4"),
        "a.example/new/4": PAPER + links("/new/2", "/new/3", "/new/4"),
        "a.example/known": moved("/"),
        "a.example/loop": moved("/loop/2"),
        "a.example/loop/2": moved("/loop"),
        "a.example/out": moved("http://b.test/"),
        "a.example/far": moved("http://b.example:PORT/secret"),
        "a.example/bad": moved("http://[::1/"),
        "b.example/robots.txt": answer(body=b"User-agent: *\nDisallow: /", type="text/plain"),
        **{f"a.example/endless/{k}": moved(f"/endless/{k + 1}") for k in range(1, 30)},
    }
    expected = {
        "a.example/": 200,
        "a.example/new/4": 200,
        "a.example/known": "known-page",
        "a.example/loop": "redirect-loop",
        "a.example/out": "out-of-scope",
        "a.example/far": "robots",
        "a.example/endless/1": "too-many-redirects",
        "a.example/bad": 302,
    }

    async def scenario(web):
        live = crawl(web, folder=tmp_path)
        steps = await walk(live)
        assert outcomes(web, steps) == expected
        assert live.crawl.found == 1
        asked = web.places
        assert len(asked) == len(set(asked)) == 8 + 3 + 1 + 10
        assert live.status().requests == len(web.seen)
        assert not {"b.test/", "b.example/secret"} & set(asked)
        return await walk(crawl(web, folder=tmp_path)), asked, web.places

    steps, before, after = within(20, pages, scenario)
    assert (steps, before) == ([], after), "the targets of redirects are restored"
    found = {row.url.split("/", 3)[3]: row for row in rows(tmp_path)}
    assert found["new"].final.endswith("/new/4")
    assert found["new"].reward == 1.0
    assert found["far"].final.endswith("/secret")


def test_two_redirects_to_one_page_and_a_link_to_it():
    pages = {
        "a.example/": links("/1", "/2", "/there"),
        "a.example/1": moved("/there"),
        "a.example/2": moved("/there"),
        "a.example/there": PAPER,
    }

    async def scenario(web):
        for max_in_flight in (1, 4):
            pace = replace(RUSH, per_host=4, per_address=4)
            live = crawl(web, max_in_flight=max_in_flight, pace=pace)
            steps = await walk(live)
            assert (live.crawl.found, live.reason) == (1, "frontier empty")
            errors = [step.page.error for step in steps if step.page.error]
            assert errors == ["known-page"] * (len(steps) - 2)
        assert web.places.count("a.example/there") == 2

    within(20, pages, scenario)


def test_a_redirect_to_a_host_at_its_page_limit_is_a_step(tmp_path):
    pages = {
        "a.example/": links(*(f"http://b.example:PORT/{k}" for k in range(3)), "/old", "/end"),
        "a.example/old": moved("http://b.example:PORT/9"),
        "a.example/end": "end",
        **star(5, "b.example"),
    }

    async def scenario(web):
        pace = replace(RUSH, pages=3)
        live = crawl(web, folder=tmp_path, pace=pace, max_in_flight=1)
        steps = await walk(live)
        found = outcomes(web, steps)
        assert found["a.example/old"] == "out-of-scope"
        assert sum(place.startswith("b.example") for place in web.places) == 3
        before = web.places
        live = crawl(web, folder=tmp_path, pace=pace)
        assert await walk(live) == []
        assert web.places == before

    within(20, pages, scenario)


# Sitemaps


def test_sitemaps_are_read_for_urls():
    def listing(kind, *places):
        item = {"urlset": "url", "sitemapindex": "sitemap"}[kind]
        rows = "".join(f"<{item}><loc>{place}</loc></{item}>" for place in places)
        return f'<?xml version="1.0"?><{kind}>{rows}</{kind}>'.encode()

    async def scenario(web):
        def at(path):
            return web.url(f"a.example{path}")

        index = listing("sitemapindex", at("/map/1.xml"), at("/map/2.xml.gz"))
        web.answers |= {
            "a.example/robots.txt": answer(
                body=f"Sitemap: {at('/index.xml')}\nSitemap: http://b.test/map.xml".encode(),
                type="text/plain",
            ),
            "a.example/index.xml": answer(body=index, type="application/xml"),
            "a.example/map/1.xml": answer(
                body=listing("urlset", at("/x"), "http://b.test/y"), type="text/xml"
            ),
            "a.example/map/2.xml.gz": answer(
                body=gzip.compress(listing("urlset", at("/z"))), type="application/gzip"
            ),
            "a.example/x": PAPER,
            "a.example/z": PAPER,
        }
        live = crawl(web, sitemaps=True, types=("text/html",))
        steps = await walk(live)
        maps = ["/index.xml", "/map/1.xml", "/map/2.xml.gz"]
        assert set(paths(web, steps)) == {f"a.example{p}" for p in ["/", "/x", "/z", *maps]}
        assert live.crawl.found == 2
        assert len(await walk(crawl(web))) == 1, "sitemaps are off by default"

    within(20, {"a.example/": "home"}, scenario)


# Refresh


def tagged(pages, place):
    """Return a handler that answers 304 to the ETag of the present page."""

    def make(headers):
        body = pages[place]
        tag = f'"{abs(hash(body))}"'
        if headers.get("if-none-match") == tag:
            return answer("304 Not Modified", b"", length=None, ETag=tag)
        return answer(body=body.encode(), ETag=tag)

    return make


def test_refresh_of_some_pages_requests_only_these_again(tmp_path):
    pages = star(6)
    answers = {place: tagged(pages, place) for place in pages}

    async def scenario(web):
        await walk(crawl(web, folder=tmp_path))
        chosen = [web.url(place) for place in ("a.example/2", "a.example/5")]
        live = crawl(web, folder=tmp_path, refresh=True, revisits=frozenset(chosen))
        again = await walk(live)
        assert outcomes(web, again) == {"a.example/2": 304, "a.example/5": 304}

    within(30, answers, scenario)


def test_refresh_requests_pages_again_and_follows_what_changed(tmp_path):
    pages = star(6)
    answers = {place: tagged(pages, place) for place in pages}
    answers["a.example/6"] = moved("/six")
    answers["a.example/six"] = tagged(pages, "a.example/6")

    async def scenario(web):
        first = await walk(crawl(web, folder=tmp_path))
        assert len(first) == 7
        archived = (tmp_path / "archive" / "00001.warc.gz").stat().st_size

        live = crawl(web, folder=tmp_path, refresh=True)
        second = await walk(live)
        assert [step.page.status for step in second] == [304] * 7
        assert [step.reward for step in second] == [0.0] * 7
        assert (live.crawl.found, live.status().targets) == (3, 3)
        assert (tmp_path / "archive" / "00001.warc.gz").stat().st_size - archived < 7 * 1200

        pages["a.example/1"] = PAPER + links("/new", "/2")  # a target now
        pages["a.example/2"] += "and more"  # it still is one
        answers["a.example/3"] = moved("/three")
        answers["a.example/new"] = answers["a.example/three"] = PAPER
        live = crawl(web, folder=tmp_path, refresh=True, budget=Budget(pages=8))
        third = await walk(live)
        assert outcomes(web, third) == {
            "a.example/": 304,
            "a.example/1": 200,
            "a.example/2": 200,
            "a.example/three": 200,
            "a.example/4": 304,
            "a.example/5": 304,
            "a.example/six": 304,
            "a.example/new": 200,
        }
        assert live.crawl.found == 6
        assert live.reason in ("budget: pages", "frontier empty")

        before = len(web.places)
        live = crawl(web, folder=tmp_path)
        assert await walk(live) == []
        assert (live.crawl.found, len(web.places)) == (6, before)
        with SqliteStore.open(tmp_path) as store:
            assert store.counts().targets == 6

        live = crawl(web, folder=tmp_path, refresh=True, budget=Budget(pages=8))
        fourth = await walk(live)
        assert sorted(paths(web, fourth)) == sorted(paths(web, third))
        assert {step.page.status for step in fourth} == {304, 200}
        assert live.crawl.found == 6

    within(30, answers, scenario)
    assert [row.n for row in rows(tmp_path)] == list(range(1, 31))


def test_an_etag_is_sent_to_its_own_page_only(tmp_path):
    async def scenario(web):
        await walk(crawl(web, folder=tmp_path))
        web.answers["a.example/"] = moved("/elsewhere")
        web.answers["a.example/elsewhere"] = "x"
        await walk(crawl(web, folder=tmp_path, refresh=True))
        heads = {asked.place: asked.headers for asked in web.seen}
        assert heads["a.example/"]["if-none-match"] == '"v1"'
        assert "if-none-match" not in heads["a.example/elsewhere"]

    within(20, {"a.example/": answer(ETag='"v1"')}, scenario)


# Hosts


def test_each_host_has_its_delay_and_its_requests_in_flight():
    async def scenario(web):
        pace = replace(RUSH, delay=0.1, per_address=8)
        live = crawl(web, "a.example/", "b.example/", pace=pace)
        steps = await walk(live)
        assert len(steps) == 12
        starts = {}
        for host in ("a.example", "b.example"):
            times = [asked for asked in web.seen if asked.place.startswith(host)]
            assert len(times) == 7
            gaps = [b.began - a.began for a, b in pairwise(times)]
            assert min(gaps) > 0.095
            starts[host] = [asked.began for asked in times]
        # They do not wait for each other: their requests alternate.
        assert starts["a.example"][0] < starts["b.example"][-1]
        assert starts["b.example"][0] < starts["a.example"][-1]
        assert max(web.most.values()) == 1

        web.most.clear()
        live = crawl(web, "a.example/", pace=replace(RUSH, per_host=3, per_address=3))
        await walk(live)
        assert web.most == {"a.example": 3}

        web.most.clear()
        live = crawl(web, "a.example/", "b.example/", pace=replace(RUSH, per_host=3))
        await walk(live)
        assert max(web.most.values()) == 1, "they are at one address"

    pages = {**star(5), **star(5, "b.example")}
    within(20, pages, scenario, seconds=0.01)


def test_the_page_limit_of_a_host_counts_all_runs(tmp_path):
    async def scenario(web):
        pace = replace(RUSH, pages=4)
        live = crawl(web, "a.example/", "b.example/", pace=pace, folder=tmp_path)
        steps = await walk(live)
        assert sorted(place.partition("/")[0] for place in paths(web, steps)) == [
            *["a.example"] * 4,
            *["b.example"] * 3,
        ]
        assert live.progress.skipped == {"host-pages": 7}
        assert live.reason == "frontier empty"
        live = crawl(web, "a.example/", "b.example/", pace=pace, folder=tmp_path)
        assert await walk(live) == []
        assert live.progress.skipped == {"host-pages": 7}

    within(20, {**star(10), **star(2, "b.example")}, scenario)


def test_a_failing_host_is_quarantined_and_others_are_crawled():
    async def scenario(web):
        busy = answer("503 Service Unavailable", b"")
        for k in range(1, 21):
            web.answers[f"a.example/{k}"] = busy
        live = crawl(web, "a.example/", "b.example/", pace=replace(RUSH, failures=6, retries=1))
        steps = await walk(live)
        found = outcomes(web, steps)
        assert {place: found[place] for place in star(5, "b.example")} == dict.fromkeys(
            star(5, "b.example"), 200
        )
        assert 1 <= live.progress.skipped["host-quarantine"] <= 20
        assert live.reason == "frontier empty"
        assert [wait.why for wait in live.status().waits] == ["quarantine"]
        assert web.places.count("a.example/1") == 2

    within(20, {**star(20), **star(5, "b.example")}, scenario)


def test_waiting_uses_no_cpu_time():
    async def scenario(web):
        live = crawl(web, pace=replace(RUSH, delay=0.5), budget=Budget(pages=4))
        began, used = time.monotonic(), time.process_time()
        await walk(live)
        assert time.monotonic() - began > 1.9
        assert time.process_time() - used < 0.3

    within(20, star(5), scenario)


def test_a_slow_disk_limits_the_uncommitted_steps(tmp_path, monkeypatch):
    monkeypatch.setattr(recorder, "MAX_PENDING_STEPS", 4)

    def watch(stage):
        if stage == "written":
            time.sleep(0.3)

    async def scenario(web):
        store = SqliteStore.open(tmp_path, on_stage=watch)
        given = job(web)
        live = LiveCrawl(
            given, BreadthFirst(), Says(), store, fetcher=given.http_fetcher(web.lookup)
        )
        began, used = time.monotonic(), time.process_time()
        steps = await walk(live)
        assert len(steps) == 11
        assert time.monotonic() - began > 0.8, "no more than four wait at a time"
        assert time.process_time() - used < 0.4

    within(20, star(10), scenario)


def test_all_requests_go_through_the_proxy():
    async def scenario(web):
        client = ClientConfig("test@example.org", proxy=f"http://127.0.0.1:{web.port}")
        given = replace(job(web), client=client, seeds=("http://a.example/",))
        live = LiveCrawl(given, BreadthFirst(), Says())
        steps = await walk(live)
        assert [step.page.url for step in steps] == [f"http://{place}" for place in star(3)]

    within(20, star(3), scenario)


# Documents


def test_documents_are_converted_for_goals_that_read_words():
    writer = PdfWriter("A title")
    writer.page()
    writer.line(72, 720, "A paper on spiders", "roman", 12)
    paper = bytes(writer)
    pdf = answer(body=paper, type="application/pdf")
    missing = answer("404 Not Found", paper, type="application/pdf")

    async def scenario(web):
        live = crawl(web)
        steps = await walk(live)
        assert {p: s.reward for p, s in zip(paths(web, steps), steps, strict=True)} == {
            "a.example/": 0.0,
            "a.example/1.pdf": 1.0,
            "a.example/2.pdf": 1.0,
            "a.example/3.pdf": 0.0,
        }
        assert live.page_reader.converter.pid is None

    pages = {
        "a.example/": links("/1.pdf", "/2.pdf", "/3.pdf"),
        "a.example/1.pdf": pdf,
        "a.example/2.pdf": pdf,
        "a.example/3.pdf": missing,
    }
    within(30, pages, scenario)


# The end of a crawl


def test_stop_finishes_requests_in_flight():
    async def scenario(web):
        live = crawl(web, pace=replace(RUSH, per_host=4, per_address=4))
        steps = []
        async for step in live:
            steps.append(step)
            if len(steps) == 3:
                live.stop()
        assert live.reason == "person"
        assert len(steps) == len(web.places)
        live = crawl(web)
        live.stop()
        assert (await walk(live), live.reason) == ([], "person")

    within(20, star(30), scenario, seconds=0.005)


@pytest.mark.parametrize("how", ["close", "break", "raise", "cancel"])
def test_a_consumer_that_leaves_early_loses_nothing(tmp_path, how):
    async def consume(live, seen):
        steps = aiter(live)
        async for step in steps:
            seen.append(step.n)
            if len(seen) == 3:
                if how == "raise":
                    raise KeyError(how)
                if how == "cancel":
                    await asyncio.sleep(60)
                if how == "close":
                    await steps.aclose()
                break

    async def scenario(web):
        seen = []
        live = crawl(web, folder=tmp_path, pace=replace(RUSH, delay=0.02))
        task = asyncio.create_task(consume(live, seen))
        while len(seen) < 3:
            await asyncio.sleep(0.001)
        told = live.crawl.pages
        if how == "cancel":
            task.cancel()
        with suppress(KeyError, asyncio.CancelledError):
            await task
        del task
        while in_use(tmp_path):  # a generator without references is closed soon
            gc.collect()
            await asyncio.sleep(0.01)
        assert [row.n for row in rows(tmp_path)] == list(range(1, told + 1))
        live = crawl(web, folder=tmp_path)
        await walk(live)
        committed = rows(tmp_path)
        assert len(committed) == len({row.url for row in committed}) == 31

    within(20, star(30), scenario)


def in_use(folder):
    try:
        SqliteStore.open(folder).close()
    except UsageError:
        return True
    return False


def test_a_slow_consumer_limits_the_requests():
    async def scenario(web):
        live = crawl(web, max_in_flight=4, pace=replace(RUSH, per_host=4, per_address=4))
        count = 0
        async for step in live:
            count += 1
            if step.n in (2, 10, 20):
                before = len(web.places)
                await asyncio.sleep(0.2)
                assert len(web.places) - before <= 4
        assert count == 31

    within(20, star(30), scenario)


def test_a_broken_policy_ends_the_crawl_and_closes_the_store(tmp_path):
    class Odd(BreadthFirst):
        def score(self, page):
            return np.full(len(page.targets), np.nan)

    async def scenario(web):
        with pytest.raises(ContractError, match="not finite"):
            await walk(crawl(web, folder=tmp_path, policy=Odd()))
        SqliteStore.open(tmp_path).close()
        await walk(crawl(web, folder=tmp_path, budget=Budget(pages=3)))
        # The same during a replay.
        before = rows(tmp_path)
        with pytest.raises(ContractError, match="not finite"):
            await walk(crawl(web, folder=tmp_path, policy=Odd()))
        assert rows(tmp_path) == before
        live = crawl(web, folder=tmp_path)
        assert len(await walk(live)) == 8

    within(20, star(10), scenario)


def test_an_unexpected_error_is_raised(tmp_path):
    async def broken(name):
        raise RuntimeError("The resolver is out of order.")

    async def scenario(web):
        given, store = job(web), SqliteStore.open(tmp_path)
        fetcher = given.http_fetcher(broken)
        live = LiveCrawl(given, BreadthFirst(), Says(), store, fetcher)
        with pytest.raises(RuntimeError, match="out of order"):
            await walk(live)
        assert not in_use(tmp_path)

    within(20, star(1), scenario)


class FullDisk:
    """Raises ENOSPC at the nth time that a stage of a commit is reached, and perhaps ever after."""

    def __init__(self, stage, nth, *, forever):
        self.stage, self.left, self.forever = stage, nth, forever
        self.armed = False

    def __call__(self, stage):
        if self.armed and stage == self.stage:
            self.left -= 1
            if self.left == 0 or (self.forever and self.left < 0):
                raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("forever", [False, True])
@pytest.mark.parametrize("nth", [1, 2, 3])
@pytest.mark.parametrize("stage", STAGES[1:])
def test_every_stored_step_is_given_out_when_a_write_fails(
    tmp_path, monkeypatch, stage, nth, forever
):
    monkeypatch.setattr(recorder, "COMMIT_INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(recorder, "MAX_PENDING_STEPS", 4)  # so there are many commits
    disk = FullDisk(stage, nth, forever=forever)
    given = Job(("http://a.example/",), ClientConfig("t@example.org"), pace=RUSH)
    pages = {f"http://{place}": body for place, body in star(30).items()}
    seen = []

    async def scenario():
        store = SqliteStore.open(tmp_path, on_stage=disk)
        disk.armed = True
        async for step in LiveCrawl(given, BreadthFirst(), Says(), store, DictFetcher(pages)):
            seen.append(step.n)  # noqa: PERF401 - steps before the error count

    with pytest.raises(StoreError, match="is full: make room"):
        asyncio.run(scenario())
    assert [row.n for row in rows(tmp_path)] == seen
    disk.armed = False
    asyncio.run(walk_again(given, pages, SqliteStore.open(tmp_path)))
    assert len(rows(tmp_path)) == 31


async def walk_again(given, pages, store):
    return await walk(LiveCrawl(given, BreadthFirst(), Says(), store, DictFetcher(pages)))


def test_a_crawl_is_resumed_from_a_store_in_memory():
    given = Job(("http://a.example/",), ClientConfig("t@example.org"), pace=RUSH)
    pages = {f"http://{place}": body for place, body in star(10).items()}
    store, fetcher = MemoryStore(), DictFetcher(pages)

    async def scenario(most):
        budget = Budget(pages=most)
        job = replace(given, budget=budget)
        return await walk(LiveCrawl(job, BreadthFirst(), Says(), store, fetcher))

    first, second, third = (asyncio.run(scenario(most)) for most in (4, None, None))
    assert [step.n for step in first + second] == list(range(1, 12))
    assert third == []
    assert sum(step.reward for step in first + second) == 5
    assert sorted(fetcher.requests) == sorted([*pages, "http://a.example/robots.txt"])


class Gated(DictFetcher):
    """Serves pages; it answers for those with a gate when their gate is set."""

    def __init__(self, pages, *gated):
        super().__init__(pages)
        self.gates = {url: asyncio.Event() for url in gated}
        self.reached = {url: asyncio.Event() for url in gated}

    async def fetch(self, url, **options):
        if url in self.gates:
            self.reached[url].set()
            await self.gates[url].wait()
        return await super().fetch(url, **options)


def test_a_redirect_that_is_dropped_does_not_exceed_the_page_budget():
    """A redirect waits for a host that fails when the budget is used up by other pages."""
    old, only, third = "http://a.example/old", "http://b.example/only", "http://a.example/third"
    location = ((b"Location", b"http://b.example/new"),)
    pages = {
        "http://a.example/": links("/old", only, "/third", "/fourth"),
        old: Response(old, datetime.now(UTC), 302, raw_headers=location),
        only: Fault.TIMEOUT_READ,
        third: "third",
        "http://a.example/fourth": "fourth",
    }
    given = Job(
        ("http://a.example/",),
        ClientConfig("t@example.org"),
        scope=Scope(domains=("example",)),
        budget=Budget(pages=3),
        pace=replace(RUSH, retries=0, failures=1, quarantine=100.0),
    )

    async def scenario():
        fetcher = Gated(pages, old, only, third)
        live = LiveCrawl(given, BreadthFirst(), Says(), fetcher=fetcher)
        walking = asyncio.create_task(walk(live))
        await fetcher.reached[only].wait()
        fetcher.gates[old].set()  # the redirect waits for b.example, which is busy
        await fetcher.reached[third].wait()  # the third page of the budget is in flight
        fetcher.gates[only].set()  # b.example fails, and all that waits for it is dropped
        while not live.scheduler.snapshot()["b.example"]["tempo"]["quarantine"]:
            await asyncio.sleep(0)
        fetcher.gates[third].set()
        return live, await asyncio.wait_for(walking, 300)

    live, steps = asyncio.run(scenario())
    assert [step.page.url for step in steps] == ["http://a.example/", only, third]
    assert (live.crawl.pages, live.reason) == (3, "budget: pages")


def test_a_folder_in_use_is_refused(tmp_path):
    async def scenario(web):
        live = crawl(web, folder=tmp_path)
        steps = aiter(live)
        await anext(steps)
        with pytest.raises(UsageError, match="in use by process"):
            crawl(web, folder=tmp_path)
        await steps.aclose()

    within(20, star(3), scenario)


# Random webs


def wild(chance, web):
    """Make pages of some hosts with random links and random responses; return the seeds."""
    hosts = [f"h{k}.example" for k in range(chance.randint(1, 5))]
    places = [f"{host}/{k}" for host in hosts for k in range(12)]
    busy = answer("503 Service Unavailable", b"", Retry_After="0")

    def moody(headers):
        return answer() if chance.random() < 0.5 else busy

    def anywhere():
        return "http://" + chance.choice(places).replace("/", ":PORT/", 1)

    for place in places:
        web.answers[place] = chance.choice(
            (
                links(*(anywhere() for _ in range(6))),
                links(*(anywhere() for _ in range(3)), say="paper"),
                moved(anywhere()),
                moody,
                busy,
                None,
            )
        )
    for host in hosts:
        web.answers[f"{host}/"] = links(*(anywhere() for _ in range(20)))
        web.answers[f"{host}/robots.txt"] = chance.choice(
            (
                None,
                answer(body=b"User-agent: *\nDisallow: /1", type="text/plain"),
                answer(body=b"User-agent: *\nCrawl-delay: 0.01", type="text/plain"),
                moved("http://h0.example:PORT/robots.txt"),
                moved(anywhere()),
                busy,
                moody,
            )
        )
    return [f"{host}/" for host in chance.sample(hosts, chance.randint(1, len(hosts)))]


def between(folder):
    """Return the URLs that redirects only went through."""
    with SqliteStore.open(folder) as store:
        notes = [store.get(f"between:{n}", []) for n in range(1, store.steps + 1)]
    return {url for note in notes for url in note}


@pytest.mark.parametrize("turn", range(30))
def test_a_crawl_of_a_random_web_ends_with_a_consistent_step_log(tmp_path, turn):
    chance = random.Random(turn)

    async def scenario(web):
        seeds = wild(chance, web)
        pace = Pace(
            delay=chance.choice((0.0, 0.002)),
            slowness=0.0,
            per_host=chance.randint(1, 4),
            per_address=chance.randint(1, 8),
            retries=chance.randint(0, 2),
            back_off=0.002,
            max_back_off=0.01,
            failures=chance.choice((1, 3, 100)),
            quarantine=chance.choice((0.01, 100.0)),
            pages=chance.choice((None, 4)),
            queue=chance.randint(1, 8),
            ahead=chance.randint(1, 4),
        )
        policy = spider(chance.choice(("breadth-first", "yield(partial)", "random")))
        most = chance.choice((None, 10))
        asked = 0
        while True:  # with random stops
            live = crawl(
                web,
                *seeds,
                folder=tmp_path,
                pace=pace,
                max_in_flight=chance.randint(1, 8),
                budget=Budget(pages=most),
                redirects=2,
                policy=policy(Setup(None, "paper", training=[])),
            )
            async for _ in live:
                if chance.random() < 0.05:
                    live.stop()
            asked += live.status().requests
            assert (live.crawl.held, live.scheduler.in_flight) == (live.scheduler.waiting, 0)
            assert len(live._redirects._chains) <= live.scheduler.waiting
            if live.reason != "person":
                break
        found = rows(tmp_path)
        assert len(found) == len({row.url for row in found}) == live.crawl.pages
        assert live.crawl.found == sum(row.reward > 0 for row in found)
        assert asked == len(web.seen)
        if live.reason == "budget: pages":
            assert len(found) == most
        else:
            assert live.reason == "frontier empty"
            assert (live.status().waiting, live.crawl.in_flight) == (0, 0)
            gone = {url for row in found for url in (row.url, row.final)} | between(tmp_path)
            left = {live.page_reader.urls[n] for n in range(len(live.page_reader.urls))} - gone
            assert len(left) == live.progress.skipped.total()

    within(20, {}, scenario)


# The order of requests with a delay


@pytest.mark.parametrize("name", ["yield(combined)", "yield(partial)", "house"])
def test_rescoring_applies_to_prefetched_urls(name):
    with served(seed=3, departments=1, pages=150) as world:
        site = world.department(0)
        setup = Setup(
            None, "papers", training=[World(seed=4, departments=1, pages=100).department(0)]
        )
        found = []
        for delay in (0.0, 0.01):
            pace = Pace(delay=delay, slowness=0.0)
            given = generated_job(site, 60, pace=pace)
            live = LiveCrawl(given, spider(name)(setup), papers(site))
            found.append([(step.page.url, step.score) for step in run(live)])
    assert found[0] == found[1]


class Fickle(BreadthFirst):
    """Scores links equally, rescores some, and records the best score at each step."""

    def __init__(self):
        self.waiting = {}
        self.followed = []

    def score(self, page):
        for number in page.targets.tolist():
            self.waiting.setdefault(number, 0.0)
        return np.zeros(len(page.targets))

    def observe(self, step):
        if self.waiting:
            self.followed.append((step.score, max(self.waiting.values())))
            del self.waiting[step.page.number]
        new = step.n + 5, step.n % 3 - 1.0
        if new[0] in self.waiting:
            self.waiting[new[0]] = new[1]
        return Scores(np.array([new[0]]), np.array([new[1]]))


def test_the_best_link_is_next_with_and_without_a_delay():
    async def scenario(web):
        orders = []
        for delay in (0.0, 0.01):
            live = crawl(web, pace=replace(RUSH, delay=delay), policy=Fickle(), max_in_flight=1)
            orders.append(paths(web, await walk(live)))
            followed = live.crawl.policy.followed
            assert len(followed) == 30
            assert [score for score, _ in followed] == [best for _, best in followed]
        assert sorted(orders[0]) == sorted(orders[1])
        # A prefetched URL that was returned is the last among its equals.
        assert orders[0] != orders[1]

    within(20, star(30), scenario)
