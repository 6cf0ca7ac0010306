"""A small web of many hosts on one loopback port, which records its requests."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from crawler.http.hostile import answer
from lycosa import Budget, Scope
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.spiders import BreadthFirst

RUSH = Pace(delay=0.0, slowness=0.0, back_off=0.01)
PATIENT = Limits(connect=60.0, read=60.0, total=120.0)
HERE = AddressPolicy(allow_loopback=True)


class RecordedRequest:
    """One request: its host and path, its headers, its start and its end."""

    def __init__(self, place: str, headers: Mapping[str, str]) -> None:
        self.place = place
        self.headers = headers
        self.began = time.monotonic()
        self.ended = 0.0


class Web:
    """Serves `answers` by host and path, such as `a.example/x`: HTML, bytes, or a function.

    A function gets the headers of the request. `answers` may be changed while the
    server runs; what is not in it, robots.txt included, is a 404. A response takes
    `seconds`. The word PORT in a response is replaced by the port.
    """

    def __init__(self, answers: dict[str, object], seconds: float = 0.0) -> None:
        self.answers = answers
        self.seconds = seconds
        self.seen: list[RecordedRequest] = []
        self.in_flight: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self._open: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Web:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def url(self, place: str) -> str:
        host, _, path = place.partition("/")
        return f"http://{host}:{self.port}/{path}"

    async def lookup(self, name: str) -> list[str]:
        return ["127.0.0.1"]

    @property
    def places(self) -> list[str]:
        """The pages that were requested, in order."""
        return [a.place for a in self.seen if not a.place.endswith("/robots.txt")]

    @property
    def robots(self) -> list[str]:
        return [a.place for a in self.seen if a.place.endswith("/robots.txt")]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        task.add_done_callback(self._open.discard)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                writer.write(await self._answer(head))
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            writer.transport.abort()

    async def _answer(self, head: list[str]) -> bytes:
        headers = {n.lower(): v.strip() for n, _, v in (line.partition(":") for line in head[1:])}
        host = headers["host"].partition(":")[0]
        target = head[0].split()[1]
        path = "/" + target.split("://")[1].partition("/")[2] if "://" in target else target
        asked = RecordedRequest(host + path, headers)
        self.seen.append(asked)
        self.in_flight[host] += 1
        self.most[host] = max(self.most[host], self.in_flight[host])
        await asyncio.sleep(self.seconds)
        self.in_flight[host] -= 1
        asked.ended = time.monotonic()
        found = self.answers.get(asked.place)
        if found is None:
            return answer("404 Not Found", b"Nothing is here.\n")
        if callable(found):
            found = found(headers)
        if isinstance(found, str):
            return answer(body=found.replace("PORT", str(self.port)).encode())
        assert isinstance(found, bytes)
        return found.replace(b"PORT", b"%d" % self.port)


def links(*places: str, say: str = "") -> str:
    return say + "".join(f'<a href="{place}">{place}</a>\n' for place in places)


def moved(place: str) -> bytes:
    return answer("302 Found", b"", Location=place)


class Says:
    """A goal: pages that contain a word."""

    def __init__(self, word: str = "paper") -> None:
        self.word = word
        self.name = f"says {word}"

    def __call__(self, page) -> float:
        return float(self.word in page.text.split())


def job(web: Web, *seeds: str, **options) -> Job:
    """Return a job for the hosts of the small web, without delays."""
    given = {
        "scope": Scope(domains=("example",)),
        "budget": Budget(),
        "pace": RUSH,
        "limits": PATIENT,
        "addresses": HERE,
        **options,
    }
    places = tuple(web.url(seed) for seed in seeds or ("a.example/",))
    return Job(places, ClientConfig("test@example.org"), **given)


def crawl(
    web: Web, *seeds: str, folder: Path | None = None, policy=None, goal=None, **options
) -> LiveCrawl:
    """Return a crawl of a small web, with a store if there is a folder."""
    store = None if folder is None else SqliteStore.open(folder)
    given = job(web, *seeds, **options)
    fetcher = given.http_fetcher(web.lookup)
    return LiveCrawl(given, policy or BreadthFirst(), goal or Says(), store, fetcher)


async def walk(live: LiveCrawl) -> list:
    return [step async for step in live]


def paths(web: Web, steps: list) -> list[str]:
    """Return host and path of the pages of steps."""
    return [step.page.url.removeprefix("http://").replace(f":{web.port}", "") for step in steps]


def outcomes(web: Web, steps: list) -> dict[str, int | str]:
    """Return the status or the fault by host and path."""
    pairs = zip(paths(web, steps), steps, strict=True)
    return {place: step.page.error or step.page.status for place, step in pairs}


def rows(folder: Path) -> list:
    with SqliteStore.open(folder) as store:
        return [row for row, _ in store.replay()]


def within(limit: float, answers: dict[str, object], scenario: Callable, **options) -> object:
    """Run a scenario with a small web and a time limit; assert that no task is left."""

    async def main() -> object:
        async with Web(answers, **options) as web:
            async with asyncio.timeout(limit):
                result = await scenario(web)
            mine = asyncio.current_task()
            left = asyncio.all_tasks() - web._open - {mine}
            assert not left, left
        return result

    return asyncio.run(main())
