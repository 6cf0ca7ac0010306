import asyncio
import gzip
import json
import os
import signal
import threading
import time
from datetime import UTC, datetime

import pytest

from lycosa.crawler.http.response import Response
from lycosa.crawler.live import page_parser, page_worker
from lycosa.crawler.live.page_parser import MAX_INLINE_BYTES, MIN_SHARED_BYTES, PageParser
from lycosa.crawler.live.page_reader import MAX_UNREAD_DOCUMENTS, PageReader
from lycosa.crawler.live.parse_process import MAX_WAITING
from lycosa.crawler.live.sitemap_links import SitemapLinks
from lycosa.web.parsed_body import BodyDecoder, ParsedBody
from lycosa.web.reader import Reader
from lycosa.web.urls import Scope

URL = "http://a.example/"
LARGE = b"<a href=/x>one</a> <a href=http://b.example/>two</a> " + b"word " * (
    MAX_INLINE_BYTES // 5
)
SITEMAP = b"<urlset>" + b"<url><loc>http://a.example/p</loc></url>" * 10 + b"</urlset>"


def response(body: bytes, kind: str = "text/html", status: int = 200) -> Response:
    headers = ((b"Content-Type", kind.encode()),)
    return Response(URL, datetime(2026, 1, 1, tzinfo=UTC), status, "", headers, body)


class Parsing:
    """A parser with the reader behind it, and the responses that it has kept."""

    def __init__(self, *, sitemaps: bool = False, **limits: float) -> None:
        self.kept: list[Response] = []
        self.reader = PageReader(Scope(domains=("a.example",)), sitemaps=sitemaps)
        self.parser = PageParser(self.reader, self.kept.append, **limits)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        asyncio.run(self.parser.close())
        self.reader.converter.close()

    def parse(self, answer: Response):
        return asyncio.run(self.parser.parse(answer))


def test_a_large_page_is_parsed_in_the_worker_and_equals_one_that_is_not():
    with Parsing() as parsing:
        answer, parsed = parsing.parse(response(LARGE))
        assert isinstance(parsed, ParsedBody)
        page = parsing.reader.read(0, answer, parsed)
        expected = PageReader(Scope(domains=("a.example",))).read(0, answer)
        assert page.text == expected.text
        assert [page.link(k) for k in range(len(page.targets))] == [expected.link(0)]
        assert (page.status, page.type, page.error) == (200, "text/html", None)


@pytest.mark.parametrize(
    "answer",
    [
        response(b"<a href=x>small"),
        response(LARGE, "image/png"),
        response(LARGE, status=404),
        Response(URL, datetime(2026, 1, 1, tzinfo=UTC), fault="dns"),
    ],
)
def test_what_is_quick_to_read_starts_no_worker(answer):
    with Parsing() as parsing:
        assert parsing.parse(answer) == (answer, None)
        assert parsing.parser._worker.pid is None


def test_a_page_beyond_the_time_limit_has_a_fault_and_is_kept():
    with Parsing(seconds=0.2) as parsing:
        parsing.parse(response(LARGE))  # the worker starts, whatever becomes of the page
        slow = response(b"".join(b"<a href=x%d>y" % n for n in range(300_000)))
        answer, parsed = parsing.parse(slow)
        assert (answer.fault, answer.status, answer.body, parsed) == ("parse-timeout", 0, b"", None)
        assert parsing.kept[-1] is slow
        assert parsing.reader.read(0, answer).error == "parse-timeout"


def test_a_page_beyond_the_memory_limit_has_a_fault_and_the_next_page_is_parsed():
    with Parsing(memory=400 << 20) as parsing:
        answer, _ = parsing.parse(response(b"word " * 30_000_000, "text/plain"))
        assert answer.fault == "parse-memory"
        answer, parsed = parsing.parse(response(LARGE))
        assert answer.fault is None
        assert isinstance(parsed, ParsedBody)


def test_a_worker_that_dies_costs_one_page():
    with Parsing() as parsing:
        parsing.parse(response(LARGE))
        slow = response(b"".join(b"<a href=x%d>y" % n for n in range(300_000)))
        pid = parsing.parser._worker.pid
        timer = threading.Timer(0.1, os.kill, (pid, signal.SIGKILL))
        timer.start()
        answer, _ = parsing.parse(slow)
        timer.join()
        assert answer.fault == "parse-crash"
        assert parsing.parse(response(LARGE))[0].fault is None


def test_a_compressed_sitemap_is_always_read_in_the_worker():
    with Parsing(sitemaps=True) as parsing:
        answer, parsed = parsing.parse(response(gzip.compress(SITEMAP), "application/gzip"))
        assert parsed == SitemapLinks((f"{URL}p",) * 10)
        page = parsing.reader.read(0, answer, parsed)
        assert [parsing.reader.urls[n] for n in page.targets] == [f"{URL}p"]
        assert parsing.parse(response(SITEMAP, "text/xml"))[1] is None
        bomb = gzip.compress(b"<urlset>" + b"<url>" * 10_000_000)
        answer, parsed = parsing.parse(response(bomb, "application/gzip"))
        assert answer.fault in (None, "parse-timeout", "parse-memory")


def test_the_loop_goes_on_while_a_page_is_parsed():
    async def turns(parsing: Parsing) -> float:
        slow = response(b"".join(b"<a href=x%d>y" % n for n in range(300_000)))
        task = asyncio.create_task(parsing.parser.parse(slow))
        longest = 0.0
        while not task.done():
            started = time.perf_counter()
            await asyncio.sleep(0.01)
            longest = max(longest, time.perf_counter() - started)
        return longest

    with Parsing() as parsing:
        assert asyncio.run(turns(parsing)) < 3  # expected is 0.02 on a quiet machine


def test_another_process_is_started_when_enough_pages_wait_for_the_first(monkeypatch):
    monkeypatch.setattr(page_parser, "cores", lambda: 2)
    with Parsing(is_busy=lambda: True) as parsing:
        asyncio.run(_parse_while_the_first_process_is_stopped(parsing))


async def _parse_while_the_first_process_is_stopped(parsing: Parsing) -> None:
    parser = parsing.parser
    first, second = parser._shared
    await parser.parse(response(LARGE))
    assert first.pid is not None
    assert second.pid is None
    os.kill(first.pid, signal.SIGSTOP)
    tasks = [asyncio.create_task(parser.parse(response(LARGE))) for _ in range(2 * MAX_WAITING)]
    done, _ = await asyncio.wait(tasks, timeout=30, return_when=asyncio.FIRST_COMPLETED)
    assert done, "the second process has parsed nothing"
    os.kill(first.pid, signal.SIGCONT)
    assert all(isinstance(parsed, ParsedBody) for _, parsed in await asyncio.gather(*tasks))
    await parser.close()


def test_a_process_is_started_when_it_was_missing_for_many_pages(monkeypatch):
    page = response(b"word " * (2 * MIN_SHARED_BYTES // 5))
    monkeypatch.setattr(page_parser, "cores", lambda: 2)
    monkeypatch.setattr(page_parser, "MIN_START_BYTES", 3 * len(page.body))
    with Parsing(is_busy=lambda: True) as parsing:
        parsing.reader.reads_words = True
        asyncio.run(_parse_until_a_process_is_started(parsing, page))


async def _parse_until_a_process_is_started(parsing: Parsing, page: Response) -> None:
    first, second = parsing.parser._shared
    for started in (False, False, True):
        assert await parsing.parser.parse(page) == (page, None)
        assert first.is_started is started
    assert await first.read(b'["http://a.example/","",false,[false,false,"x"],{}]\n', "")
    assert isinstance((await parsing.parser.parse(page))[1], ParsedBody)
    assert not second.is_started
    await parsing.parser.close()


def test_a_free_process_is_used_though_one_before_it_is_not_started(monkeypatch):
    page = response(b"word " * (2 * MIN_SHARED_BYTES // 5))
    monkeypatch.setattr(page_parser, "cores", lambda: 2)
    with Parsing(is_busy=lambda: True) as parsing:
        parsing.reader.reads_words = True
        asyncio.run(_parse_by_the_second_process(parsing, page))


async def _parse_by_the_second_process(parsing: Parsing, page: Response) -> None:
    first, second = parsing.parser._shared
    assert await second.read(b'["http://a.example/","",false,[false,false,"x"],{}]\n', "")
    assert isinstance((await parsing.parser.parse(page))[1], ParsedBody)
    assert not first.is_started
    await parsing.parser.close()


def test_on_one_core_another_process_parses_large_pages_only(monkeypatch):
    page = response(b"word " * (2 * MIN_SHARED_BYTES // 5))
    monkeypatch.setattr(page_parser, "cores", lambda: 1)
    with Parsing(is_busy=lambda: True) as parsing:
        parsing.reader.reads_words = True
        asyncio.run(_parse_both(parsing, page, response(LARGE)))


async def _parse_both(parsing: Parsing, small: Response, large: Response) -> None:
    (process,) = parsing.parser._shared
    assert isinstance((await parsing.parser.parse(large))[1], ParsedBody)
    assert process.is_free
    assert await parsing.parser.parse(small) == (small, None)
    assert parsing.parser._worker.pid is None
    await parsing.parser.close()


def test_documents_are_converted_ahead_once_one_was_read(monkeypatch):
    monkeypatch.setattr(PageReader, "convert", lambda *_: "text of a paper")
    paper = response(b"%PDF-1.4", "application/pdf")
    with Parsing() as parsing:
        assert parsing.parse(paper) == (paper, None)
        assert parsing.reader.read(0, paper).text == "text of a paper"
        assert parsing.parse(paper)[1] == "text of a paper"


def test_the_first_documents_may_be_converted_when_they_are_read(monkeypatch):
    monkeypatch.setattr(PageReader, "convert", lambda *_: "text of a paper")
    paper, reader = response(b"%PDF-1.4", "application/pdf"), PageReader(Scope())
    assert not reader.may_convert(response(b"<p>", "text/html"), None)
    assert not reader.may_convert(paper, "converted ahead")
    assert all(reader.may_convert(paper, None) for _ in range(MAX_UNREAD_DOCUMENTS))
    assert not reader.may_convert(paper, None)
    assert reader.read(0, paper).text
    assert reader.may_convert(paper, None)


def test_the_reader_of_the_worker_takes_a_request_apart():
    head = json.dumps((URL, "text/html", False, (True, True, "lycosa"), {"x-robots-tag": "x"}))
    request = f"{head}\n<a href=b>\n</a><a rel=nofollow href=c>".encode()
    result = page_worker.read_page(request, "text/html", 1, 1, 1)
    page = Reader().adopt(URL, BodyDecoder().decode(result.content))
    assert [page.link(k).target for k in range(len(page.targets))] == ["http://a.example/b"]
