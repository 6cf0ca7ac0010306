"""The second process for parsing: what it gives is what the loop would have read."""

import asyncio
import json
import os
import signal
from functools import wraps

from lycosa.content import Table
from lycosa.crawler.http.dict_fetcher import DictFetcher
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.live import page_parser, parse_process
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.live.page_parser import MAX_INLINE_BYTES, MIN_SHARED_BYTES
from lycosa.crawler.live.parse_process import ParseProcess
from lycosa.crawler.politeness.pace import Pace
from lycosa.goals import Listed
from lycosa.spiders import BreadthFirst
from lycosa.web.parsed_body import BodyDecoder, ParsedBody

SITE = "http://a.example/"


def in_a_loop(test):
    """Run a test in an event loop of its own."""

    @wraps(test)
    def run(*args, **given):
        asyncio.run(test(*args, **given))

    return run


def request(number: int) -> bytes:
    facts = SITE, "text/html", False, (False, False, "lycosa"), {}
    return json.dumps(facts).encode() + b"\n<a href=/%d>one</a>" % number


async def started() -> ParseProcess:
    process = ParseProcess(seconds=10.0, memory=1 << 30, size=1 << 28)
    assert await process.read(request(0), "text/html") is not None
    return process


def targets(parsed: ParsedBody | None) -> tuple[str, ...] | None:
    if parsed is None:
        return None
    urls = Table()
    parsed.targets(urls.number)
    return tuple(urls)


@in_a_loop
async def test_bodies_that_are_sent_at_once_are_answered_in_order():
    process = await started()
    parsed = await asyncio.gather(*(process.read(request(n), "text/html") for n in range(20)))
    assert [targets(each) for each in parsed] == [(f"{SITE}{n}",) for n in range(20)]
    assert process.is_free
    await process.close()


@in_a_loop
async def test_a_process_that_dies_is_replaced_and_its_bodies_are_left_to_the_caller():
    process = await started()
    os.kill(process.pid, signal.SIGSTOP)
    lost = [asyncio.create_task(process.read(request(n), "text/html")) for n in range(3)]
    await asyncio.sleep(0)
    os.kill(process.pid, signal.SIGKILL)
    assert await asyncio.gather(*lost) == [None] * 3
    assert targets(await process.read(request(7), "text/html")) == (f"{SITE}7",)
    await process.close()


@in_a_loop
async def test_a_process_that_sends_what_is_no_page_is_replaced(monkeypatch):
    process = await started()
    first = process.pid
    with monkeypatch.context() as damaged:
        damaged.setattr(BodyDecoder, "decode", lambda *_: None)
        both = (process.read(request(n), "text/html") for n in range(2))
        assert await asyncio.gather(*both) == [None, None]
    assert targets(await process.read(request(7), "text/html")) == (f"{SITE}7",)
    assert process.pid != first
    await process.close()


@in_a_loop
async def test_a_closed_process_answers_what_waits_and_is_not_started_again():
    process = await started()
    os.kill(process.pid, signal.SIGSTOP)
    waiting = asyncio.create_task(process.read(request(1), "text/html"))
    await asyncio.sleep(0)
    await process.close()
    assert await waiting is None
    assert await process.read(request(2), "text/html") is None
    assert not process.is_free


@in_a_loop
async def test_a_process_is_replaced_after_many_bodies_however_often(monkeypatch):
    monkeypatch.setattr(parse_process, "MAX_BYTES", 3 * len(request(0)))
    monkeypatch.setattr(parse_process, "MAX_STARTS", 2)
    process = await started()
    processes = set()
    for n in range(12):
        assert targets(await process.read(request(n), "text/html")) == (f"{SITE}{n}",)
        processes.add(process.pid)
    assert len(processes - {None}) >= 3
    await process.close()


def pages() -> dict[str, str]:
    """Return a web whose pages are too small to be shared, of a size to be, and large."""
    sizes = (100, 2 * MIN_SHARED_BYTES, MAX_INLINE_BYTES + 1)
    made = {}
    for n in range(30):
        links = "".join(f"<a href=/{m}>page {m}</a> " for m in range(n + 1, min(n + 12, 30)))
        made[f"{SITE}{n or ''}"] = f"<h1>Number {n}</h1>{links}" + f"word{n} " * (sizes[n % 3] // 6)
    return made


async def crawled():
    job = Job((SITE,), ClientConfig("you@example.org"), pace=Pace(delay=0.0, per_host=16))
    goal = Listed("some", [f"{SITE}5"])
    live = LiveCrawl(job, BreadthFirst(), goal, fetcher=DictFetcher(pages()))
    return {step.page.url: facts(step.page) async for step in live}


def facts(page):
    links = [page.link(k) for k in range(len(page.targets))]
    return page.text, [(link.target, link.bags) for link in links]


@in_a_loop
async def test_a_crawl_reads_the_same_pages_on_one_core_and_on_two(monkeypatch):
    monkeypatch.setattr(page_parser, "cores", lambda: 1)
    alone = await crawled()
    shared = []
    ask = parse_process._Run.ask
    monkeypatch.setattr(parse_process._Run, "ask", lambda *given: shared.append(1) or ask(*given))
    monkeypatch.setattr(page_parser, "cores", lambda: 2)
    assert await crawled() == alone
    assert len(alone) == 30
    assert len(shared) >= 10  # the large ones, and others if the loop was busy
