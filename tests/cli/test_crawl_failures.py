"""A crawl that gets nothing: for every cause the sentence, the exit code and the time to it."""

import asyncio
import io
import json
import re
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from crawler.http.hostile import answer
from crawler.live.served_web import CLOSED, DEAF, HERE, RUDE, SILENT, TLS, served_web
from crawler.live.small import Says, links, moved
from lycosa.cli.crawl_runner import NOTHING_FETCHED, run_crawl
from lycosa.cli.view import PlainView
from lycosa.core import Budget
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.live.seed_failures import CAUSES
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.errors import SeedError
from lycosa.project import crawl, figures, report
from lycosa.spiders import BreadthFirst
from lycosa.web.urls import Scope

NO_ADDRESS, PRIVATE = "none", "10.9.8.7"
# Two failures in a row are a quarantine of an hour, which the next run must not wait for.
PACE = Pace(delay=0.0, slowness=0.0, back_off=0.05, retries=1, failures=2)
LIMITS = Limits(connect=1.0, read=1.0, total=60.0)
GOOD = {"a.example/": links("/1"), "a.example/1": "<p>paper</p>"}
SECONDS = 10.0
SCRIPT = "<html><head><title>App</title></head><body><div id=app></div><script src=/a.js></script>"


@dataclass(frozen=True)
class Case:
    """A start page that fails, and how its cause is mended."""

    cause: str
    words: str
    answers: dict[str, object] = field(default_factory=lambda: dict(GOOD))
    at: str = HERE
    seed: str = "http://a.example:PORT/"
    options: dict[str, object] = field(default_factory=dict)
    mended: dict[str, object] = field(default_factory=dict)
    """Options of the second run."""


def status(line: str, **headers: str) -> dict[str, object]:
    return {"a.example/": answer(line, b"", **headers)}


def typed(type: str, body: bytes) -> dict[str, object]:
    return {"a.example/": answer(body=body, type=type)}


CASES = [
    Case("dns", "The name a.example could not be looked up", at=NO_ADDRESS),
    Case(
        "loopback", "127.0.0.1 is this machine", seed="http://127.0.0.1:PORT/",
        answers={"127.0.0.1/": links("/1"), "127.0.0.1/1": "<p>paper</p>"},
        options={"addresses": AddressPolicy()}, mended={"addresses": AddressPolicy(True)},
    ),
    Case("private-address", "is not public", at=PRIVATE),
    Case("refused", "a.example refused the connection", at=CLOSED),
    Case("timeout-connect", "did not accept a connection in time", at=DEAF),
    Case("timeout-read", "did not answer in time", at=SILENT),
    Case("reset", "closed the connection", at=RUDE),
    Case(
        "tls", "its certificate is not valid", at=TLS, seed="https://a.example:PORT/",
        mended={"client": ClientConfig("test@example.org", verify=False)},
    ),
    Case("bad-answer", "is not HTTP", {"a.example/": b"220 mail server ready\r\n\r\n"}),
    Case("not-found", "answered 404: the page does not exist", {"a.example/other": "x"}),
    Case("log-in", "answered 401: the page needs a log-in", status("401 Unauthorized")),
    Case("forbidden", "answered 403", status("403 Forbidden")),
    Case("too-many-requests", "answered 429", status("429 Too Many Requests")),
    Case("server-error", "answered 500", status("500 Internal Server Error")),
    Case("server-error", "answered 503", status("503 Service Unavailable")),
    Case("status", "answered 418", status("418 I'm a teapot")),
    Case(
        "robots", "disallows the page for lycosa",
        {**GOOD, "a.example/robots.txt": "User-agent: *\nDisallow: /\n"},
    ),
    Case(
        "robots-unreachable", "The robots.txt of a.example answered with an error",
        {**GOOD, "a.example/robots.txt": answer("500 Internal Server Error", b"")},
    ),
    Case(
        "out-of-scope", "redirects to http://www.b.test/x, which is out of scope. "
        "Start there, or add www.b.test to domains",
        {"a.example/": moved("http://www.b.test/x")},
    ),
    Case("redirect-loop", "form a loop", {"a.example/": moved("/")}),
    Case(
        "not-found", "answered 404", {"a.example/": moved("/home")},
    ),
    Case(
        "too-many-redirects", "too many redirects",
        {"a.example/": moved("/a"), "a.example/a": moved("/b"), "a.example/b": moved("/c")},
        options={"redirects": 2},
    ),
    Case(
        "type-not-wanted", "of the type application/zip, which", typed("application/zip", b"PK"),
        options={"text_only": True},
    ),
    Case("binary", "a file of the type application/zip", typed("application/zip", b"PK\0\1")),
    Case("empty", "The page is empty", {"a.example/": ""}),
    Case("script-only", "a script writes it", {"a.example/": SCRIPT}),
    Case("too-large", "larger than the limit", options={"limits": replace(LIMITS, transferred=3)}),
]  # fmt: skip


class TimedView(PlainView):
    """Notes when a failure is shown."""

    shown: float | None = None

    def failure(self, failure):
        super().failure(failure)
        self.shown = self.shown or time.monotonic()  # it is on the screen within a second


def crawl_once(case, web, folder, address, **options):
    async def lookup(name):
        if address == NO_ADDRESS:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [address]

    client = ClientConfig("test@example.org")
    given = {
        "client": client, "scope": Scope(domains=("a.example", "127.0.0.1")), "pace": PACE,
        "limits": LIMITS, "addresses": AddressPolicy(allow_loopback=True), "budget": Budget(),
    } | options  # fmt: skip
    job = Job((case.seed.replace("PORT", str(web.port)),), **given)
    store = SqliteStore.open(folder)
    live = LiveCrawl(job, BreadthFirst(), Says(), store, job.http_fetcher(lookup))
    out, began = io.StringIO(), time.monotonic()
    view = TimedView(folder, out=out)
    code = run_crawl(live, view)
    return live, code, out.getvalue(), began, view.shown


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    with served_web(tmp_path_factory.mktemp("certificate"), {}) as web:
        yield web


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.cause}: {case.words[:30]}")
def test_a_start_page_that_fails_says_why_and_succeeds_at_once_when_it_is_mended(
    case, web, tmp_path
):
    if case.at == TLS and shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    web.answers = dict(case.answers)
    live, code, out, began, shown = crawl_once(case, web, tmp_path, case.at, **case.options)
    assert code == NOTHING_FETCHED
    [failure] = live.seeds.failures
    assert (failure.cause, failure.retrying) == (case.cause, False)
    assert case.words in f"{failure}"
    assert shown is not None
    assert shown - began < SECONDS
    assert out.splitlines().count(str(failure)) >= 1
    assert "No start page gave a page." in out
    with pytest.raises(SeedError, match="No start page gave a page"):
        live.seeds.check()
    with CrawlReader.open(tmp_path) as reader:
        facts = figures(reader)
    assert facts.to_json()["failed_seeds"][0]["cause"] == case.cause
    assert "Start pages that failed" in report(facts)

    web.answers = {**GOOD, "127.0.0.1/": links("/1"), "127.0.0.1/1": "<p>paper</p>"}
    if web.answers["a.example/"] == case.answers.get("a.example/"):
        web.answers |= {key: value for key, value in case.answers.items() if "robots" not in key}
    options = {} if case.at == HERE and not case.mended else dict(case.mended)
    address = TLS if case.at == TLS else HERE
    again, code, out, began, _ = crawl_once(case, web, tmp_path, address, **options)
    assert time.monotonic() - began < SECONDS
    assert (code, again.seeds.failures) == (0, ())
    assert again.crawl.found == 1, out
    with CrawlReader.open(tmp_path) as reader:
        assert figures(reader).failed_seeds == ()
    # A third run changes nothing and asks for nothing.
    seen = len(web.seen)
    last, code, _, _, _ = crawl_once(case, web, tmp_path, address, **options)
    assert (code, last.crawl.found, len(web.seen)) == (0, 1, seen)


def test_every_cause_that_a_server_can_bring_about_is_in_the_table():
    rare = {
        "bad-url", "unreachable", "proxy", "timeout-total", "too-slow", "bomb", "broken-body",
        "host-pages", "host-quarantine",
    }  # fmt: skip
    assert {case.cause for case in CASES} == CAUSES.keys() - rare


@pytest.mark.parametrize("at", [NO_ADDRESS, CLOSED])
def test_an_attempt_that_fails_is_shown_at_once_with_the_default_pace(at, web, tmp_path):
    web.answers = dict(GOOD)
    events = []

    async def scenario():
        async def lookup(name):
            if at == NO_ADDRESS:
                raise OSError
            return [at]

        addresses = AddressPolicy(allow_loopback=True)
        job = Job((web.url("a.example/"),), ClientConfig("a@b.example"), addresses=addresses)
        live = LiveCrawl(job, BreadthFirst(), Says(), None, job.http_fetcher(lookup))

        def stop(failure):
            events.append((failure.retrying, time.monotonic() - began))
            live.stop()

        live.seeds.on_failure = stop
        began = time.monotonic()
        assert [step async for step in live] == []
        assert live.seeds.gave_nothing

    asyncio.run(scenario())
    assert events[0][0]
    assert events[0][1] < SECONDS
    assert Limits().connect < SECONDS


def test_one_start_page_of_two_that_gives_a_page_is_enough(web, tmp_path):
    web.answers = dict(GOOD)
    case = Case("not-found", "")
    seeds = (web.url("a.example/"), web.url("a.example/none"))

    async def run():
        async def lookup(name):
            return [HERE]

        job = Job(seeds, ClientConfig("a@b.example"), pace=PACE,
                  addresses=AddressPolicy(allow_loopback=True))  # fmt: skip
        live = LiveCrawl(job, BreadthFirst(), Says(), None, job.http_fetcher(lookup))
        live.seeds.on_failure = lambda failure: None
        async for _ in live:
            pass
        return live

    live = asyncio.run(run())
    assert [(failure.url, failure.cause) for failure in live.seeds.failures] == [
        (seeds[1], case.cause)
    ]
    assert not live.seeds.gave_nothing
    live.seeds.check()


def test_the_default_spider_learns_from_a_start_page_that_was_mended(web, tmp_path):
    web.answers = {}
    url, options = web.url("127.0.0.1/"), {"contact": "a@b.example", "loopback": True, "delay": 0.0}

    async def run():
        live = crawl(url, goal="paper", folder=tmp_path, **options)
        live.seeds.on_failure = lambda failure: None
        return [step async for step in live], live

    assert asyncio.run(run())[1].seeds.gave_nothing
    web.answers = {"127.0.0.1/": moved("/home"), "127.0.0.1/1": "<p>paper</p>"}
    assert asyncio.run(run())[1].seeds.failures[0].cause == "not-found"
    web.answers |= {"127.0.0.1/home": links("/1", "/2")}
    steps, live = asyncio.run(run())
    assert [step.page.status for step in steps] == [200, 200, 404]
    assert (live.crawl.found, live.seeds.failures) == (1, ())


def test_python_logs_a_failure_as_a_warning(web, caplog):
    web.answers = {}

    async def run():
        options = {"contact": "a@b.example", "loopback": True, "delay": 0.0}
        live = crawl(web.url("127.0.0.1/"), goal="paper", **options)
        return [step async for step in live]

    assert len(asyncio.run(run())) == 1
    [record] = caplog.records
    assert record.levelname == "WARNING"
    assert "answered 404" in record.getMessage()


def lycosa(*arguments):
    command = [sys.executable, "-m", "lycosa.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_the_command_line_says_it_and_the_next_run_succeeds(web, tmp_path):
    web.answers = {"127.0.0.1/": links("/1"), "127.0.0.1/1": "<p>paper</p>"}
    folder = tmp_path / "p"
    url = f"http://127.0.0.1:{web.port}/"
    options = ("--goal", "paper", "--contact", "a@example.org", "-o", folder, "--delay", "0")
    first = lycosa("crawl", url, *options)
    assert first.returncode == 3
    assert "127.0.0.1 is this machine" in first.stderr
    assert "--loopback" in first.stderr
    again = lycosa("crawl", folder, "--json")
    assert again.returncode == 3
    events = [json.loads(line) for line in again.stdout.splitlines()]
    [seed] = [event for event in events if event["event"] == "seed"]
    assert (seed["url"], seed["cause"], seed["retrying"]) == (url, "loopback", False)
    assert events[-1]["gave_nothing"]
    assert events[-1]["failures"][0]["advice"] == seed["advice"]
    mended = lycosa("crawl", folder, "--loopback")
    assert mended.returncode == 0
    assert "1 target" in mended.stderr


def test_the_documentation_lists_every_cause():
    page = Path(__file__).parents[2] / "docs" / "how-to" / "when-nothing-comes.md"
    table = page.read_text().partition("## Causes")[2]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) == CAUSES.keys()
