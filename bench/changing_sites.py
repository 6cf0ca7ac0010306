"""Sites on loopback whose pages appear, change, move and die while they are served.

    python -m bench.changing_sites HOSTS DAY_SECONDS LOG

Each host has an address of its own (127.0.0.2 and so on), a start page, some lists and
papers, which are pages of HTML. What a paper is on a day depends on its number and the
day alone. The first host asks for a Crawl-delay; the last one fails for some days: it
answers 503, then closes connections, then does not answer in time. The log has a line for
each request: when it arrived and when its answer was given, by the monotonic clock of the
machine, the host, the path and the status.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TextIO

from aiohttp import web

LISTS = 3
"""On each host."""
PAPERS = 20
"""On each host on the first day."""
NEW_PAPERS_A_DAY = 0.4
"""On each host."""
LAST_DAY = 60
CRAWL_DELAY = 3.0
"""Seconds that the first host asks for between two requests."""
FAILING_DAYS = (10.0, 14.0)
SLOW_SECONDS = 40.0
"""How long the failing host takes to answer, when it answers at all."""
WORDS = (
    "robot vision spider silk graph query index crawl reward policy learning search citation "
    "library archive portal reader network memory disk kernel process signal socket"
).split()


@dataclass(frozen=True)
class Paper:
    """A paper of one host: days of its life, and how often it changes."""

    number: int
    born: float
    dies: float
    moves: float
    every: float
    """Days between two changes."""

    @classmethod
    def of(cls, host: int, number: int) -> Paper:
        """Return the paper of a number."""
        chance = Random(f"{host} {number}")
        late = max(number - PAPERS, 0) + (number >= PAPERS)
        born = late / NEW_PAPERS_A_DAY
        fate = chance.random()
        end = born + 3 + chance.expovariate(1 / 15)
        dies = end if fate < 0.15 else float("inf")
        moves = end if 0.15 <= fate < 0.3 else float("inf")
        return cls(number, born, dies, moves, chance.choice((0.7, 3.0, 10.0, 100.0)))

    def version(self, day: float) -> int:
        """Return how often it has changed."""
        return int((day - self.born) / self.every)

    def path(self, day: float) -> str:
        """Return where it is."""
        return f"/{'moved' if day >= self.moves else 'paper'}/{self.number}"


def papers(host: int) -> Iterator[Paper]:
    """Yield all papers of a host that ever appear, in their order."""
    for number in range(PAPERS + int(LAST_DAY * NEW_PAPERS_A_DAY)):
        yield Paper.of(host, number)


def living(host: int, day: float) -> list[Paper]:
    """Return the papers of a host on a day."""
    return [each for each in papers(host) if each.born <= day < each.dies]


def answer(host: int, path: str, day: float) -> tuple[int, dict[str, str], str]:
    """Return status, headers and body of a path on a day."""
    name, _, rest = path.strip("/").partition("/")
    if path == "/robots.txt":
        return 200, {}, f"User-agent: *\nCrawl-delay: {CRAWL_DELAY:g}\n" if not host else ""
    if not name:
        items = "".join(f'<li><a href="/list/{n}">Papers {n}</a>' for n in range(LISTS))
        return 200, {"ETag": '"start"'}, f"<title>Host {host}</title><ul>{items}</ul>"
    number = int(rest) if rest.isdigit() else -1
    if name == "list" and number < LISTS:
        here = [each for each in living(host, day) if each.number % LISTS == number]
        items = "".join(f'<li><a href="{p.path(day)}">Paper {p.number}</a>' for p in here)
        return 200, {}, f"<title>Papers {number}</title><ul>{items}</ul>"
    if name in ("paper", "moved") and 0 <= number < PAPERS + int(LAST_DAY * NEW_PAPERS_A_DAY):
        return _paper(host, Paper.of(host, number), name, day)
    return 404, {}, "<title>Not found</title>"


def _paper(host: int, paper: Paper, name: str, day: float) -> tuple[int, dict[str, str], str]:
    if not paper.born <= day < paper.dies:
        return 410 if day >= paper.dies else 404, {}, "<title>Gone</title>"
    if paper.path(day) != f"/{name}/{paper.number}":
        return (301 if name == "paper" else 404), {"Location": paper.path(day)}, ""
    version = paper.version(day)
    chance = Random(f"{host} {paper.number} {version}")
    text = " ".join(chance.choices(WORDS, k=1500))
    title = f"On {WORDS[paper.number % len(WORDS)]} {paper.number} of host {host}"
    body = f"<title>{title}</title><h1>{title}</h1><p>Version {version}. {text}</p>"
    return 200, {"ETag": f'"{version}"'}, body


class Sites:
    """The sites, and the log of their requests."""

    def __init__(self, hosts: int, day_seconds: float, log: TextIO) -> None:
        self._hosts = hosts
        self._day_seconds = day_seconds
        self._log = log
        self._begun = time.monotonic()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a request and write a line of the log."""
        arrived = time.monotonic()
        assert request.transport is not None  # noqa: S101 - the connection is open
        address = request.transport.get_extra_info("sockname")[0]
        host = int(address.rpartition(".")[2]) - 2
        day = (arrived - self._begun) / self._day_seconds
        first, last = FAILING_DAYS
        status, headers, body = answer(host, request.path, day)
        try:
            if host == self._hosts - 1 and first <= day < last:
                third = (last - first) / 3
                if day >= first + 2 * third:
                    await asyncio.sleep(SLOW_SECONDS)
                elif day >= first + third:
                    status = 0
                    request.transport.abort()
                status = status and 503
            elif headers.get("ETag") and request.headers.get("If-None-Match") == headers["ETag"]:
                status, body = 304, ""
            kind = "text/plain" if request.path == "/robots.txt" else "text/html; charset=utf-8"
            return web.Response(
                status=status or 503,
                headers={**headers, "Content-Type": kind},
                body=body.encode() if status != 503 else b"",
            )
        finally:
            line = [arrived, time.monotonic(), host, request.path, status]
            self._log.write(json.dumps(line) + "\n")
            self._log.flush()

    async def serve(self) -> None:
        """Serve for ever; print the port and the beginning of the first day."""
        app = web.Application()
        app.router.add_get("/{path:.*}", self.handle)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        port = 0
        for host in range(self._hosts):
            listener = socket.create_server((f"127.0.0.{host + 2}", port))
            port = listener.getsockname()[1]
            await web.SockSite(runner, listener).start()
        print(json.dumps([port, self._begun]), flush=True)
        await asyncio.Event().wait()


def main(hosts: str, day_seconds: str, log: str) -> None:
    """Serve the sites."""
    with open(log, "w", encoding="utf-8") as file:
        asyncio.run(Sites(int(hosts), float(day_seconds), file).serve())


if __name__ == "__main__":
    main(*sys.argv[1:])
