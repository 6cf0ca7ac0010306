"""A generated web on loopback that answers as fast as Python can: all answers are made beforehand.

    python -m bench.loopback department PAGES     one department, in a folder of the address
    python -m bench.loopback modern PAGES         large pages of one site, each linked to hundreds
    python -m bench.loopback hosts EACH PAGES     so many departments and organisations, by proxy

It runs in a process of its own and remembers who was asked for what and when.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
import urllib.request
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from bench.modern_pages import linked_pages
from lycosa.sites.generated import World
from lycosa.sites.generated.recorder import aliases, pages
from lycosa.sites.generated.server import ROBOTS, bind

SEED = 0
_MISSING = (404, {"Content-Type": "text/html"}, b"")


@dataclass(frozen=True)
class Served:
    """A server that runs, and where its sites begin."""

    root: str
    seeds: list[str]
    pages: int
    paths: list[str]
    """Of the pages, where they are few."""

    def ask(self, what: str) -> Any:
        """Its log: `asked`, `times` or `cpu`; `reset` empties it."""
        with urllib.request.urlopen(f"{self.root}/-/{what}") as reply:  # noqa: S310 - loopback
            return json.load(reply)


@contextmanager
def serving(*arguments: object) -> Iterator[Served]:
    """Run a server until the end of the block."""
    command = [sys.executable, "-m", "bench.loopback", *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            line = process.stdout.readline()
            if not line:
                sys.exit(f"{' '.join(command)} did not begin.")
            yield Served(**json.loads(line))
        finally:
            process.terminate()


class Answers:
    """What is said to each request line, and the log.

    A request is for a path, or for a whole URL where the server is a proxy.
    """

    def __init__(self) -> None:
        self._answers: dict[bytes, bytes] = {}
        self._asked: dict[bytes, int] = {}
        self._times: dict[bytes, array[float]] = {}
        self._missing = _wire(*_MISSING)

    def add(self, target: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """Make an answer."""
        self._answers[target.encode()] = _wire(status, headers, body)

    def __call__(self, target: bytes) -> bytes:
        """The answer to a request that came now."""
        if target.startswith(b"/-/"):
            return _wire(200, {}, json.dumps(self._special(target[3:].decode())).encode())
        target = target.replace(b"%7E", b"~")  # which are one, and pages have both
        self._asked[target] = self._asked.get(target, 0) + 1
        if target.startswith(b"http://"):
            host = target[7 : target.find(b"/", 7)]
            times = self._times.get(host)
            if times is None:
                times = self._times[host] = array("d")
            times.append(time.monotonic())
        return self._answers.get(target, self._missing)

    def _special(self, what: str) -> object:
        match what:
            case "asked":
                return {target.decode(): count for target, count in self._asked.items()}
            case "times":
                return {host.decode(): times.tolist() for host, times in self._times.items()}
            case "cpu":
                return time.process_time()
        self._asked.clear()
        self._times.clear()
        return None


def _wire(status: int, headers: dict[str, str], body: bytes) -> bytes:
    head = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
    head += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*head, f"Content-Length: {len(body)}", "", ""]).encode("latin-1") + body


class Connection(asyncio.Protocol):
    """Reads request lines and passes over the rest."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody is there."""
        self._write = cast("asyncio.WriteTransport", transport).write

    def data_received(self, data: bytes) -> None:
        """Answer every request that is complete."""
        data = self._rest + data
        while (end := data.find(b"\r\n\r\n")) >= 0:
            self._write(self._answers(data.split(b" ", 2)[1]))
            data = data[end + 4 :]
        self._rest = data


def _department(size: int, root: str) -> tuple[Answers, World]:
    """One department below the address; the calendar without an end does end."""
    world = World(SEED, departments=1, pages=size, base=root)
    answers = Answers()
    answers.add("/robots.txt", 200, {"Content-Type": "text/plain"}, ROBOTS)
    _fill(answers, world, len(root))
    return answers, world


def _hosts(each: int, size: int) -> tuple[Answers, World]:
    world = World(SEED, departments=each, organisations=each, pages=size)
    answers = Answers()
    for site in world.sites:
        answers.add(f"{site.base}/robots.txt", 200, {"Content-Type": "text/plain"}, ROBOTS)
    _fill(answers, world, 0)
    return answers, world


def _modern(size: int) -> tuple[Answers, list[str]]:
    """Large pages that link to each other, from the first on."""
    answers = Answers()
    answers.add("/robots.txt", 200, {"Content-Type": "text/plain"}, ROBOTS)
    paths = []
    for path, body in linked_pages(size):
        answers.add(path, 200, {"Content-Type": "text/html; charset=utf-8"}, body)
        paths.append(path)
    answers.add("/", 200, {"Content-Type": "text/html"}, f"<a href={paths[0]}>Site</a>".encode())
    return answers, paths


def _fill(answers: Answers, world: World, cut: int) -> None:
    for site in world.sites:
        for url, status, headers, body in pages(site):
            answers.add(url[cut:], status, headers, body)
        for other, url in aliases(site):
            answers.add(other[cut:], 301, {"Content-Type": "text/html", "Location": url}, b"")


async def _serve(kind: str, sizes: list[int]) -> None:
    with bind() as listener:
        root = f"http://127.0.0.1:{listener.getsockname()[1]}"
        paths: list[str] = []
        if kind == "modern":
            answers, paths = _modern(sizes[0])
            seeds, total = [f"{root}/"], len(paths) + 1
        else:
            answers, world = _department(sizes[0], root) if kind == "department" else _hosts(*sizes)
            seeds = [f"{site.base}/" for site in world.sites]
            total = sum(map(len, world.sites))
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Connection(answers), sock=listener, backlog=4096)
        facts = {"root": root, "seeds": seeds, "pages": total, "paths": paths}
        print(json.dumps(facts), flush=True)
        await server.serve_forever()


def main() -> None:
    """Serve until somebody ends it."""
    import uvloop

    uvloop.run(_serve(sys.argv[1], list(map(int, sys.argv[2:]))))


if __name__ == "__main__":
    main()
