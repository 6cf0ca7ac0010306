"""The generated web over real sockets, and as a recorded site."""

import asyncio
import socket
import time
import tomllib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import aiohttp
import pytest

from lycosa.archive.reader import read_warc
from lycosa.errors import UsageError
from lycosa.sites import open_site
from lycosa.sites.generated import World
from lycosa.sites.generated.recorder import aliases, pages, record
from lycosa.sites.generated.server import bind, respond, serve
from lycosa.web.reader import Reader

FACTS: dict[str, Any] = {"departments": 2, "organisations": 1, "pages": 300}


def visit(
    ask: Callable[[World, aiohttp.ClientSession, str], Awaitable[None]], **facts: Any
) -> None:
    """Serve a world on a free port and run a client against it."""

    async def run() -> None:
        with bind() as listener:
            root = f"http://127.0.0.1:{listener.getsockname()[1]}"
            world = World(2, **FACTS, base=root if facts.get("folders", True) else None)
            ready = asyncio.Event()
            server = asyncio.create_task(serve(world, listener, ready.set))
            await asyncio.wait_for(ready.wait(), 300)
            try:
                async with aiohttp.ClientSession() as session:
                    await asyncio.wait_for(ask(world, session, root), 300)
            finally:
                server.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await server

    asyncio.run(run())


def test_served_pages_equal_generated_pages() -> None:
    async def ask(world: World, session: aiohttp.ClientSession, root: str) -> None:
        for site in world.sites:
            for number in range(0, len(site), 3):
                expected = site.response(number)
                async with session.get(site.tables.urls[number]) as reply:
                    assert reply.status == expected.status
                    assert reply.headers["Content-Type"] == expected.type
                    assert await reply.read() == expected.body

    visit(ask)


def test_redirects() -> None:
    async def ask(world: World, session: aiohttp.ClientSession, root: str) -> None:
        seen = set()
        for site in world.sites:
            moved = list(aliases(site))
            assert len(moved) > 5
            for other, url in moved:
                async with session.get(other, allow_redirects=False) as reply:
                    assert reply.status in (301, 302)
                    assert reply.headers["Location"] == url
                    seen.add(reply.status)
                assert site.tables.urls.find(other) == site.tables.urls.find(url)
        assert seen == {301, 302}

    visit(ask)


def test_virtual_hosts_and_robots() -> None:
    async def ask(world: World, session: aiohttp.ClientSession, root: str) -> None:
        for site in world.sites:
            host = site.base.removeprefix("http://")
            assert host.endswith(".example")
            for path in ("/", site.plan.path(7)):
                async with session.get(root + path, headers={"Host": host}) as reply:
                    number = site.tables.urls.find(site.base + path)
                    assert number is not None
                    assert await reply.read() == site.response(number).body
            async with session.get(root + "/robots.txt", headers={"Host": host}) as reply:
                assert (await reply.text()).startswith("User-agent: *")
        async with session.get(root + "/") as reply:
            text = await reply.text()
            assert all(site.base in text for site in world.sites)

    visit(ask, folders=False)


def test_calendar_is_endless() -> None:
    async def ask(world: World, session: aiohttp.ClientSession, root: str) -> None:
        site = world.department(0)
        plan = site.plan
        months = plan.layout.range("month")
        url = site.tables.urls[months[-1]]
        seen = set()
        for _ in range(60):
            async with session.get(url) as reply:
                assert reply.status == 200
                page = Reader().page(url, await reply.read(), reply.headers["Content-Type"])
            seen.add(url)
            links = [page.link(n) for n in range(len(page.targets))]
            (url,) = [link.target for link in links if link.bags["anchor"] == ("next", "month")]
            assert site.tables.urls.find(url) is None
        assert len(seen) == 60

    visit(ask)


def test_malformed_requests_are_answered() -> None:
    async def ask(world: World, session: aiohttp.ClientSession, root: str) -> None:
        base = world.department(0).base
        for path in (
            "/nothing",
            "/~nobody/",
            "/%00%ff",
            "/..%2f..%2fetc",
            "/?q=%F0",
            "/" + "a" * 5000,
        ):
            async with session.get(base + path) as reply:
                assert reply.status in (400, 404), path
        async with session.get(base, allow_redirects=False) as reply:
            assert (reply.status, reply.headers["Location"]) == (301, base + "/")
        async with session.get(root + "/nowhere/") as reply:
            assert reply.status == 404
        async with session.post(base + "/") as reply:
            assert reply.status == 405
        async with session.head(base + "/") as reply:
            assert reply.status == 200
            assert await reply.read() == b""

    visit(ask)


@contextmanager
def served() -> Iterator[tuple[World, int]]:
    """A server in a thread, for requests that no client library would send."""
    listener = bind()
    port = listener.getsockname()[1]
    world = World(2, **FACTS, base=f"http://127.0.0.1:{port}")
    loop = asyncio.new_event_loop()
    task: asyncio.Task[None] | None = None

    def run() -> None:
        nonlocal task
        task = loop.create_task(serve(world, listener))
        try:
            loop.run_until_complete(task)
        except asyncio.CancelledError:
            pass
        finally:
            loop.close()

    thread = Thread(target=run)
    thread.start()
    try:
        yield world, port
    finally:
        while task is None:
            time.sleep(0.01)
        loop.call_soon_threadsafe(task.cancel)
        thread.join(120)
        listener.close()
    assert not thread.is_alive()


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET http://www.nowhere.example/x HTTP/1.1\r\nHost: a.example\r\n", b"404"),
        (b"GET / HTTP/1.1\r\nHost: [::bad\r\n", b"400"),
        (b"GET / HTTP/1.0\r\n", b"200"),
        (b"NONSENSE\r\n", b"400"),
    ],
)
def test_raw_requests(request_line: bytes, status: bytes) -> None:
    with served() as (_, port):
        deadline = time.monotonic() + 60
        while True:
            try:
                client = socket.create_connection(("127.0.0.1", port), timeout=60)
                break
            except ConnectionRefusedError:
                assert time.monotonic() < deadline
                time.sleep(0.02)
        with client:
            client.sendall(request_line + b"Connection: close\r\n\r\n")
            reply = client.recv(65536)
        assert reply.split()[1] == status


def test_absolute_urls_are_answered_as_by_a_proxy() -> None:
    world = World(2, **FACTS)
    site = world.department(1)
    url = site.tables.urls[5]
    assert respond(world, url) == site.response(5)
    assert respond(world, "http://www.nowhere.example/x").status == 404


def test_recording(tmp_path: Path) -> None:
    world = World(2, **FACTS)
    counted = 0

    def done() -> None:
        nonlocal counted
        counted += 1

    site = world.department(0)
    folder = record(world, site, tmp_path, done)
    assert counted == len(site)
    facts = tomllib.loads((folder / "site.toml").read_text())
    assert (facts["name"], facts["family"]) == (site.name, "departments")
    assert facts["seeds"] == [site.base + "/"]
    found = {r.url: r.block for r in read_warc(folder / "pages.warc.gz") if r.type == "response"}
    assert len(found) == len(site)
    for page in pages(site):
        head, _, body = found[page.url].partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 %d " % page.status)
        assert page.headers["Content-Type"].encode() in head
        assert body == page.body
    urls = site.tables.urls
    for goal in site.goals:
        targets = (folder / f"targets-{goal}.txt").read_text().splitlines()
        assert [urls.find(url) for url in targets] == site.wanted(goal).tolist()
    rows = [line.split("\t") for line in (folder / "aliases.tsv").read_text().splitlines()]
    assert all(urls[urls.find(other) or 0] == url for other, url in rows)
    assert (folder / "leaves.txt").read_text() == ""
    assert [p.name for p in tmp_path.iterdir()] == [site.name]


@pytest.mark.parametrize("index", [0, 2])
def test_recording_equals_the_generated_site(tmp_path: Path, index: int) -> None:
    world = World(6, **FACTS)
    site = world.sites[index]
    twin = open_site(record(world, site, tmp_path), jobs=1)
    urls, others = site.tables.urls, twin.tables.urls
    assert {others[n] for n in range(len(twin))} == {urls[n] for n in range(len(site))}
    for number in range(len(twin)):
        generated = site.page(urls.find(others[number]) or 0)
        compiled = twin.page(number)
        assert [others[n] for n in compiled.targets.tolist()] == [
            urls[n] for n in generated.targets.tolist()
        ]
        assert (generated.status, generated.type) == (compiled.status, compiled.type)
        if generated.type == "text/html" and generated.status == 200:
            assert generated.text == compiled.text
    for goal in site.goals:
        assert {others[n] for n in twin.wanted(goal).tolist()} == {
            urls[n] for n in site.wanted(goal).tolist()
        }


def test_recording_twice(tmp_path: Path) -> None:
    world = World(2, **FACTS)
    first = record(world, world.organisation(0), tmp_path / "a")
    before = (first / "pages.warc.gz").read_bytes()
    assert record(world, world.organisation(0), tmp_path / "a") == first
    again = record(world, world.organisation(0), tmp_path / "b")
    assert (again / "pages.warc.gz").read_bytes() == before
    larger = World(2, **{**FACTS, "pages": 301})
    with pytest.raises(UsageError, match="another site"):
        record(larger, larger.organisation(0), tmp_path / "a")


def test_recording_to_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    world = World(2, **FACTS)
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        record(world, world.department(0), tmp_path / "file")
