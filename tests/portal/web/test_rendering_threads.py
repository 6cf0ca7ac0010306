"""The threads behind the queue, with real connections to a real server."""

import asyncio
import json
import socket
import threading
import time
from contextlib import contextmanager

import pytest
import uvicorn
from starlette.requests import Request

from lycosa.portal.search import Engine
from lycosa.portal.search.deadline import SearchTimeout
from lycosa.portal.web import Settings, make_app
from lycosa.portal.web.fair_queue import MAX_TOTAL_WAITING, MAX_WAITING
from lycosa.portal.web.rate_limit import RateLimiter
from lycosa.portal.web.rendering_threads import MAX_THREADS, RenderingThreads
from portal.web.portal_client import connect, html, shared_portal, text

SECONDS = 30.0
"""How long a test waits for what must happen."""


class Gate:
    """A search that is held until the test opens the gate."""

    def __init__(self, monkeypatch):
        self.entered = []
        self._open = threading.Event()
        search = Engine.search

        def held(engine, text, **options):
            self.entered.append(text)
            assert self._open.wait(SECONDS)
            return search(engine, text, **options)

        monkeypatch.setattr(Engine, "search", held)

    def open(self):
        self._open.set()

    def wait_for(self, number):
        wait_until(lambda: len(self.entered) >= number)


def wait_until(condition):
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@contextmanager
def serving(**settings):
    """Serve the sample portal on a real socket; yield its port and its application."""
    app = make_app(shared_portal(), Settings(trust_proxy=True, **settings))
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        wait_until(lambda: server.started)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(SECONDS)
        listener.close()


def ask(port, path, client="10.0.0.1"):
    """Send a request and return its connection."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
    lines = [f"GET {path} HTTP/1.1", "Host: x", f"X-Forwarded-For: {client}", "Connection: close"]
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    return connection


def answer(connection):
    """Return status, headers and body of the response."""
    with connection:
        data = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = data.partition(b"\r\n\r\n")
    status, *headers = head.decode("latin-1").split("\r\n")
    fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in headers)}
    return int(status.split()[1]), fields, body


@pytest.fixture
def queues(monkeypatch):
    """Collect the queues of the applications of a test."""
    found = []
    init = RenderingThreads.__init__

    def collect(self, *arguments, **options):
        init(self, *arguments, **options)
        found.append(self)

    monkeypatch.setattr(RenderingThreads, "__init__", collect)
    return found


def test_another_client_is_served_before_the_backlog_of_the_first(monkeypatch, queues):
    gate = Gate(monkeypatch)
    with serving() as port:
        greedy = [ask(port, f"/search?q=greedy{number}") for number in range(5)]
        gate.wait_for(1)
        wait_until(lambda: len(queues[0]._queue) == 4)
        other = ask(port, "/search?q=other", client="10.0.0.2")
        gate.wait_for(2)
        assert gate.entered[1] == "other"  # one client leaves a thread to others
        gate.open()
        assert answer(other)[0] == 200
        assert [answer(each)[0] for each in greedy] == [200] * 5


def test_an_abandoned_request_is_not_rendered(monkeypatch, queues):
    gate = Gate(monkeypatch)
    with serving() as port:
        first = ask(port, "/search?q=first")
        gate.wait_for(1)
        abandoned = [ask(port, f"/{kind}?q=gone") for kind in ("search", "api/search", "feed")]
        last = ask(port, "/search?q=last")
        wait_until(lambda: len(queues[0]._queue) == 4)
        for connection in abandoned:
            connection.close()
        wait_until(lambda: len(queues[0]._queue) == 1)
        gate.open()
        assert answer(first)[0] == 200
        assert answer(last)[0] == 200
        assert gate.entered == ["first", "last"]


def test_a_client_with_too_many_waiting_requests_is_refused(monkeypatch, queues):
    gate = Gate(monkeypatch)
    with serving() as port:
        accepted = [ask(port, "/search?q=a0")]
        gate.wait_for(1)
        accepted += [ask(port, f"/search?q=a{number}") for number in range(1, MAX_WAITING + 1)]
        wait_until(lambda: len(queues[0]._queue) == MAX_WAITING)
        status, headers, body = answer(ask(port, "/search?q=more"))
        assert (status, headers["retry-after"]) == (429, "2")
        assert b"Too many of your requests are waiting" in body
        assert b"<h1>Too many requests</h1>" in body
        status, headers, body = answer(ask(port, "/api/search?q=more"))
        assert (status, headers["content-type"]) == (429, "application/problem+json")
        assert json.loads(body)["detail"].startswith("Too many of your requests are waiting")
        # Static files and pages of other clients do not wait.
        assert answer(ask(port, "/about", client="10.0.0.2"))[0] == 200
        gate.open()
        assert [answer(each)[0] for each in accepted] == [200] * (MAX_WAITING + 1)


def test_all_clients_are_refused_when_too_many_wait(monkeypatch, queues):
    gate = Gate(monkeypatch)
    with serving() as port:
        accepted = [ask(port, "/search?q=x", f"10.1.0.{number}") for number in range(MAX_THREADS)]
        gate.wait_for(MAX_THREADS)
        accepted += [
            ask(port, "/search?q=x", f"10.2.0.{number}") for number in range(MAX_TOTAL_WAITING)
        ]
        wait_until(lambda: len(queues[0]._queue) == MAX_TOTAL_WAITING)
        status, headers, body = answer(ask(port, "/search?q=x", "10.3.0.1"))
        assert (status, headers["retry-after"]) == (503, "2")
        assert b"Too many readers are searching" in body
        status, headers, body = answer(ask(port, "/api/search?q=x", "10.3.0.1"))
        assert (status, headers["content-type"]) == (503, "application/problem+json")
        gate.open()
        assert {answer(each)[0] for each in accepted} == {200}


def test_cached_pages_do_not_wait(monkeypatch, queues):
    with serving() as port:
        assert answer(ask(port, "/search?q=robot"))[0] == 200
        gate = Gate(monkeypatch)
        held = [ask(port, "/search?q=x", f"10.1.0.{number}") for number in range(MAX_THREADS)]
        gate.wait_for(MAX_THREADS)
        assert answer(ask(port, "/search?q=robot"))[0] == 200
        gate.open()
        assert [answer(each)[0] for each in held] == [200] * MAX_THREADS


def test_without_a_rate_limit_one_client_uses_all_threads(monkeypatch, queues):
    gate = Gate(monkeypatch)
    with serving(rate=0.0) as port:
        asked = [ask(port, f"/search?q=a{number}") for number in range(MAX_WAITING + 5)]
        gate.wait_for(MAX_THREADS)
        wait_until(lambda: len(queues[0]._queue) == MAX_WAITING + 5 - MAX_THREADS)
        gate.open()
        assert {answer(each)[0] for each in asked} == {200}


def test_expensive_requests_count_as_several(monkeypatch):
    search = Engine.search

    def expensive(engine, text, **options):
        end = time.thread_time() + 0.3
        while time.thread_time() < end:
            pass
        return search(engine, text, **options)

    monkeypatch.setattr(Engine, "search", expensive)
    with connect(rate=1.0) as reader:
        statuses = [reader.get(f"/search?q=x{number}").status_code for number in range(3)]
        response = reader.get("/nothing")
    assert statuses == [200, 429, 429]
    assert response.status_code == 429
    assert int(response.headers["retry-after"]) >= 2
    assert "take long to answer" in text(html(response).css_first("main"))


def test_a_search_that_takes_too_long_says_so(monkeypatch):
    def slow(*_arguments, **_options):
        raise SearchTimeout("The search took more than 2 seconds and was stopped; use fewer words.")

    monkeypatch.setattr(Engine, "search", slow)
    with connect() as reader:
        page = reader.get("/search?q=x")
        problem = reader.get("/api/search?q=x")
    assert (page.status_code, problem.status_code) == (503, 503)
    assert page.headers["retry-after"] == problem.headers["retry-after"] == "10"
    assert "use fewer words" in text(html(page).css_first("main"))
    assert "use fewer words" in problem.json()["detail"]


def test_the_page_and_the_api_say_what_was_not_searched(monkeypatch):
    monkeypatch.setattr("lycosa.portal.search.engine.MAX_COST", 1)
    with connect() as reader:
        page = html(reader.get("/search?q=spiders+OR+learning+OR+s*"))
        found = reader.get("/api/search?q=spiders+OR+learning+OR+s*").json()
    assert "The query would take too long, so" in text(page.css_first("main"))
    assert "were not searched." in found["notice"]


def test_an_error_frees_its_thread():
    async def run():
        threads = RenderingThreads(RateLimiter(0, 0))
        request = _request()

        def broken():
            raise ZeroDivisionError

        for _ in range(3 * MAX_THREADS):
            with pytest.raises(ZeroDivisionError):
                await threads.run(request, broken)
        return await threads.run(request, lambda: "served")

    assert asyncio.run(run()) == "served"


def test_a_cancelled_request_gives_its_turn_back():
    async def run():
        threads = RenderingThreads(RateLimiter(0, 0), threads=1)
        release = threading.Event()
        first = asyncio.ensure_future(threads.run(_request(), lambda: release.wait(SECONDS)))
        await asyncio.sleep(0)
        second = asyncio.ensure_future(threads.run(_request(), lambda: "second"))
        third = asyncio.ensure_future(threads.run(_request(), lambda: "third"))
        await asyncio.sleep(0)
        second.cancel()
        release.set()
        assert await first
        with pytest.raises(asyncio.CancelledError):
            await second
        return await third

    assert asyncio.run(run()) == "third"


def _request():
    async def receive():
        await asyncio.Event().wait()

    return Request({"type": "http", "headers": [], "client": ("192.0.2.1", 1)}, receive)
