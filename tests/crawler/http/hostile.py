"""A fault server: it does everything wrong, on a real socket, byte by byte.

One port serves it all; the path says what goes wrong. `EXPECTED` has this table
for programs: the status or fault of each path, for a fetcher with the limits of
`limits_for`.

    path              what happens                                     expected
    /page/N           a page that links to the next and to every path  200
    /drop             closed before the status line                    reset
    /reset            cut off (RST) in the middle of the body          reset
    /reset/open       the same with a body of no known length          reset
    /partial          closed in the middle of the body                 broken-body
    /surplus          more bytes than Content-Length says, at once     bad-answer
    /surplus/later    the same, after a while: undetectable            200
    /chunks/broken    a chunk whose size is no number                  broken-body
    /chunks/at-once   the same in one packet with the head             broken-body
    /chunks/cut       closed in the middle of a chunk                  broken-body
    /chunks/endless   endless chunks                                   too-large
    /large            Content-Length of 10 GB                          too-large
    /gzip/broken      a gzip stream with a wrong byte                  broken-body
    /gzip/cut         a gzip stream that ends too early                broken-body
    /gzip/plain       called gzip, but is not                          broken-body
    /bomb/CODING      10 GB of zeros by gzip, twice, br or zstd        bomb
    /good/CODING      a page by gzip, members, deflate, raw, br, zstd  200
    /drip             the body byte by byte, `rate` a second           too-slow
    /drip/head        the head byte by byte                            timeout-total
    /hints            endless 103 Early Hints                          timeout-total
    /silent           no answer at all                                 timeout-read
    /silent/body      a head, and then nothing                         timeout-read
    /head/line        a header of 1 MB                                 bad-answer
    /head/lines       10,000 headers                                   bad-answer
    /head/odd         headers that are neither ASCII nor UTF-8         200
    /noise            no HTTP                                          bad-answer
    /switch           101 Switching Protocols                          bad-answer
    /charset          says UTF-8, is UTF-16                            200
    /coding           an unknown Content-Encoding                      200
    /cookie           sets one                                         200
    /image            a picture                                        200
    /unchanged        304 if asked with its ETag or date               200
    /busy             429                                              429
    /busy/60          429 with Retry-After in seconds                  429
    /busy/date        429 with Retry-After as a date                   429
    /hop/N            a redirect to /hop/N-1; /hop/0 is a page         302
    /loop             a redirect to /loop/back, which leads here       302
    /away             a redirect to a private address                  302
    /calendar/Y/M     a month that links to the next, without end      200
    /robots.txt       by `robots`: plain, redirect, loop, silent, large (5 MB),
                      binary, missing or error

`closed_port` refuses connections, `deaf_port` never accepts one, and `FakeNames`
resolves names to any address.
"""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
import zlib
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

import brotli
import zstandard

from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig, Fetcher, Limits
from lycosa.crawler.http.http_fetcher import HttpFetcher
from lycosa.crawler.http.response import Response

PAGE = b"<!doctype html><title>A page</title><p>" + b"Some words of a page. " * 200
SIZE = 10 * 2**30
"""Of bombs, and of what is said to be large."""
_READ_SECONDS = 0.05  # after which the client has read what was sent

EXPECTED: dict[str, int | str] = {
    "/page/1": 200,
    "/drop": "reset",
    "/reset": "reset",
    "/reset/open": "reset",
    "/partial": "broken-body",
    "/surplus": "bad-answer",
    "/surplus/later": 200,
    "/chunks/broken": "broken-body",
    "/chunks/at-once": "broken-body",
    "/chunks/cut": "broken-body",
    "/chunks/endless": "too-large",
    "/large": "too-large",
    "/gzip/broken": "broken-body",
    "/gzip/cut": "broken-body",
    "/gzip/plain": "broken-body",
    "/bomb/gzip": "bomb",
    "/bomb/twice": "bomb",
    "/bomb/br": "bomb",
    "/bomb/zstd": "bomb",
    "/good/gzip": 200,
    "/good/members": 200,
    "/good/deflate": 200,
    "/good/raw": 200,
    "/good/br": 200,
    "/good/zstd": 200,
    "/drip": "too-slow",
    "/drip/head": "timeout-total",
    "/hints": "timeout-total",
    "/silent": "timeout-read",
    "/silent/body": "timeout-read",
    "/head/line": "bad-answer",
    "/head/lines": "bad-answer",
    "/head/odd": 200,
    "/noise": "bad-answer",
    "/switch": "bad-answer",
    "/charset": 200,
    "/coding": 200,
    "/cookie": 200,
    "/image": 200,
    "/unchanged": 200,
    "/busy": 429,
    "/busy/60": 429,
    "/busy/date": 429,
    "/hop/3": 302,
    "/hop/0": 200,
    "/loop": 302,
    "/away": 302,
    "/calendar/2026/12": 200,
    "/robots.txt": 200,
}


PATIENT = Limits(connect=20, read=20, total=30, transferred=2**20, decoded=8 * 2**20)


def limits_for(path: str) -> Limits:
    """Return limits under which a path has its expected fault, and no other however slow we are."""
    if path == "/robots.txt":
        return replace(PATIENT, transferred=6 * 2**20)
    match EXPECTED.get(path):
        case "timeout-read":
            return replace(PATIENT, read=0.3)
        case "timeout-total":
            return replace(PATIENT, total=0.6)
        case "too-slow":
            return replace(PATIENT, rate=1000, grace=0.2)
    return PATIENT


_CLIENT = ClientConfig("test@example.org")


class LimitsByPath(Fetcher):
    """An HTTP fetcher with the limits that suit each path; `silent` paths never answer.

    `options` are those of `HttpFetcher`.
    """

    def __init__(
        self,
        addresses: AddressPolicy,
        silent: Sequence[str] = (),
        client: ClientConfig = _CLIENT,
        **options,
    ) -> None:
        self._silent = silent
        self._make = partial(HttpFetcher, client, addresses=addresses, **options)
        self._fetchers: dict[Limits, HttpFetcher] = {}
        self._open = AsyncExitStack()

    async def fetch(self, url: str, **options) -> Response:
        path = urlsplit(url).path
        limits = limits_for(path)
        if path in self._silent:
            limits = replace(limits, read=0.3)
        if limits not in self._fetchers:
            fetcher = self._make(limits=limits)
            self._fetchers[limits] = await self._open.enter_async_context(fetcher)
        return await self._fetchers[limits].fetch(url, **options)

    async def address(self, url: str) -> str:
        if PATIENT not in self._fetchers:
            self._fetchers[PATIENT] = await self._open.enter_async_context(
                self._make(limits=PATIENT)
            )
        return await self._fetchers[PATIENT].address(url)

    async def __aexit__(self, *exc: object) -> None:
        await self._open.aclose()


def _bare(data: bytes, level: int = 9) -> bytes:
    engine = zlib.compressobj(level, wbits=-15)
    return engine.compress(data) + engine.flush()


GOOD: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "members": ("gzip", lambda b: gzip.compress(b[:100]) + gzip.compress(b[100:])),
    "deflate": ("deflate", zlib.compress),
    "raw": ("deflate", _bare),
    "br": ("br", brotli.compress),
    "zstd": ("zstd", zstandard.compress),
}
"""For each kind of good coding its Content-Encoding and how to make it."""


def answer(
    status: str = "200 OK",
    body: bytes = PAGE,
    type: str = "text/html; charset=utf-8",
    *,
    length: int | None = -1,
    **headers: str,
) -> bytes:
    """A whole answer; `length` -1 is the true one and None says nothing."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {type}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if length is not None:
        lines.append(f"Content-Length: {len(body) if length < 0 else length}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def gzip_bomb(size: int = SIZE) -> Iterator[bytes]:
    """A gzip stream of zeros in pieces of a megabyte each; the check sum never comes."""
    engine = zlib.compressobj(9, wbits=31)
    yield engine.compress(b"") + engine.flush(zlib.Z_FULL_FLUSH)
    # After a full flush nothing refers to what came before: one piece serves for all.
    piece = engine.compress(bytes(2**20)) + engine.flush(zlib.Z_FULL_FLUSH)
    for _ in range(size >> 20):
        yield piece


def brotli_bomb(size: int = SIZE) -> Iterator[bytes]:
    """The same by brotli: about ten bytes a megabyte."""
    engine = brotli.Compressor(quality=5)
    zeros = bytes(2**20)
    for _ in range(size >> 20):
        yield engine.process(zeros) + engine.flush()


def zstd_bomb(size: int = SIZE) -> Iterator[bytes]:
    """The same by zstd (RFC 8878): blocks of four bytes that mean 128 KiB of zeros each."""
    block = struct.pack("<I", (2**17 << 3) | 0b010)[:3] + b"\0"
    yield b"\x28\xb5\x2f\xfd" + b"\0\x38" + block * (size >> 17)


def twice_bomb(size: int = SIZE) -> Iterator[bytes]:
    """A gzip bomb that was compressed once more."""
    engine = zlib.compressobj(9, wbits=31)
    for piece in gzip_bomb(size):
        if data := engine.compress(piece):
            yield data
    yield engine.flush()


BOMBS = {
    "gzip": ("gzip", gzip_bomb),
    "twice": ("gzip, gzip", twice_bomb),
    "br": ("br", brotli_bomb),
    "zstd": ("zstd", zstd_bomb),
}


class Hostile:
    """The server: `async with Hostile() as server: server.url("/drip")`.

    `seen` are the paths that were asked for, `heads` the headers of those
    requests, `connections` is how often somebody connected and `open` how many
    still are; `rate` is how many bytes a second drip. It is also a proxy, of itself.
    """

    def __init__(self, *, rate: float = 20.0, robots: str = "plain") -> None:
        self.rate = rate
        self.robots = robots
        self.seen: list[str] = []
        self.heads: list[dict[str, str]] = []
        self.connections = 0
        self.port = 0
        self._open: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Hostile:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    @property
    def open(self) -> int:
        return len(self._open)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """The address of a path, by any name of this machine."""
        return f"http://{host}:{self.port}{path}"

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        task.add_done_callback(self._open.discard)
        try:
            while await self._serve(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            writer.close()
            with suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether another may follow."""
        first = await reader.readexactly(1)
        if first == b"\x16":  # somebody expects TLS here
            writer.write(answer("400 Bad Request", b"This is plain HTTP.\n"))
            return False
        head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        path = "/" + head[0].split()[1].split("://")[-1].partition("/")[2]
        headers = {}
        for line in head[1:]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        self.seen.append(path)
        self.heads.append(headers)
        whole = self._whole(path, headers)
        if whole is not None:
            writer.write(whole)
            await writer.drain()
            return True
        first, *rest = path.strip("/").split("/")
        behave = getattr(self, f"_{first}".replace("robots.txt", "silent"), None)
        if behave is None:
            writer.write(answer("404 Not Found", b"Nothing is here.\n"))
            return True
        behaviour: Callable[[asyncio.StreamWriter, str], Awaitable[None]] = behave
        await behaviour(writer, rest[0] if rest else "")
        return False

    def _whole(self, path: str, headers: Mapping[str, str]) -> bytes | None:
        """An answer that is sent properly, whatever it says."""
        match path.strip("/").split("/"):
            case ["page", number]:
                return answer(body=self._page(int(number)))
            case ["good", kind]:
                coding, encode = GOOD[kind]
                return answer(body=encode(PAGE), Content_Encoding=coding)
            case ["gzip", kind]:
                body = gzip.compress(PAGE)
                damaged = body[:30] + bytes([body[30] ^ 255]) + body[31:]
                bodies = {"broken": damaged, "cut": body[:-20], "plain": PAGE}
                return answer(body=bodies[kind], Content_Encoding="gzip")
            case ["charset"]:
                return answer(body="<title>Ärger</title>".encode("utf-16"))
            case ["coding"]:
                return answer(Content_Encoding="utf-8")
            case ["cookie"]:
                return answer(Set_Cookie="a=b")
            case ["image"]:
                return answer(body=b"\x89PNG" + bytes(1000), type="image/png")
            case ["unchanged"]:
                facts = {"ETag": '"v1"', "Last_Modified": "Thu, 01 Jan 2026 00:00:00 GMT"}
                known = (headers.get("if-none-match"), headers.get("if-modified-since"))
                if facts["ETag"] in known or facts["Last_Modified"] in known:
                    return answer("304 Not Modified", b"", length=None, **facts)
                return answer(**facts)
            case ["busy"]:
                return answer("429 Too Many Requests", b"Later.")
            case ["busy", "60"]:
                return answer("429 Too Many Requests", b"Later.", Retry_After="60")
            case ["busy", "date"]:
                date = "Fri, 01 Jan 2100 00:00:00 GMT"
                return answer("429 Too Many Requests", b"Later.", Retry_After=date)
            case ["hop", "0"]:
                return answer()
            case ["hop", number]:
                return answer("302 Found", b"", Location=f"/hop/{int(number) - 1}")
            case ["loop"]:
                return answer("302 Found", b"", Location="/loop/back")
            case ["loop", "back"]:
                return answer("302 Found", b"", Location="/loop")
            case ["away"]:
                return answer("302 Found", b"", Location="http://169.254.169.254/latest/")
            case ["calendar", year, month]:
                months = int(year) * 12 + int(month)
                link = f"/calendar/{months // 12}/{months % 12 + 1}"
                return answer(body=f"<title>{year}</title><a href={link}>next</a>".encode())
            case ["robots.txt"]:
                return self._robots_answer()
        return None

    def _page(self, number: int) -> bytes:
        links = "".join(f'<li><a href="{p}">{p}</a>\n' for p in EXPECTED if "page" not in p)
        title = f"<!doctype html><title>Page {number}</title>\n"
        return f'{title}<a href="/page/{number + 1}">next</a>\n<ul>{links}</ul>\n'.encode()

    def _robots_answer(self) -> bytes | None:
        match self.robots:
            case "plain":
                return answer(body=b"User-agent: *\nDisallow: /private/\n", type="text/plain")
            case "redirect":
                return answer("301 Moved Permanently", b"", Location="/page/0")
            case "loop":
                return answer("301 Moved Permanently", b"", Location="/robots.txt")
            case "large":
                line = b"Disallow: /private/\n"
                body = b"User-agent: *\n" + line * (5 * 2**20 // len(line))
                return answer(body=body, type="text/plain")
            case "binary":
                return answer(body=bytes(range(256)) * 16, type="application/octet-stream")
            case "missing":
                return answer("404 Not Found", b"No robots.txt here.\n")
            case "error":
                return answer("503 Service Unavailable", b"Broken.\n")
        return None  # silent

    # What follows is improper: each is called by the first word of the path
    # and leaves the connection for dead.

    async def _drop(self, writer: asyncio.StreamWriter, _: str) -> None:
        pass

    async def _reset(self, writer: asyncio.StreamWriter, kind: str) -> None:
        writer.write(answer(length=None if kind == "open" else 100_000))
        await writer.drain()
        await asyncio.sleep(_READ_SECONDS)
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async def _partial(self, writer: asyncio.StreamWriter, _: str) -> None:
        writer.write(answer(length=100_000))

    async def _surplus(self, writer: asyncio.StreamWriter, kind: str) -> None:
        whole = answer(length=100)
        if kind == "later":
            end = whole.index(b"\r\n\r\n") + 104
            await _send(writer, whole[:end])
            await asyncio.sleep(_READ_SECONDS)
            whole = whole[end:]
        await _send(writer, whole)

    async def _chunks(self, writer: asyncio.StreamWriter, kind: str) -> None:
        writer.write(answer(body=chunk(PAGE), length=None, Transfer_Encoding="chunked"))
        if kind in ("broken", "at-once"):
            if kind == "broken":
                await asyncio.sleep(_READ_SECONDS)
            await _send(writer, b"zzz\r\n" + PAGE)
        elif kind == "cut":
            writer.write(b"ffff\r\n" + PAGE)
        else:
            while True:
                await _send(writer, chunk(PAGE))

    async def _large(self, writer: asyncio.StreamWriter, _: str) -> None:
        writer.write(answer(length=SIZE))
        while True:
            await _send(writer, PAGE)

    async def _bomb(self, writer: asyncio.StreamWriter, kind: str) -> None:
        coding, pieces = BOMBS[kind]
        writer.write(answer(body=b"", length=None, Content_Encoding=coding))
        for piece in pieces():
            await _send(writer, piece)

    async def _drip(self, writer: asyncio.StreamWriter, kind: str) -> None:
        whole = answer()
        start = 0 if kind == "head" else whole.index(b"\r\n\r\n") + 4
        writer.write(whole[:start])
        for byte in whole[start:]:
            await _send(writer, bytes([byte]))
            await asyncio.sleep(1 / self.rate)

    async def _hints(self, writer: asyncio.StreamWriter, _: str) -> None:
        while True:
            await _send(writer, b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
            await asyncio.sleep(1 / self.rate)

    async def _silent(self, writer: asyncio.StreamWriter, kind: str) -> None:
        if kind == "body":
            writer.write(answer(length=100_000))
        await asyncio.Event().wait()

    async def _head(self, writer: asyncio.StreamWriter, kind: str) -> None:
        whole = answer()
        line, _, rest = whole.partition(b"\r\n")
        if kind == "line":
            extra = b"X-Long: " + b"a" * 2**20 + b"\r\n"
        elif kind == "lines":
            extra = b"".join(b"X-%d: a\r\n" % n for n in range(10_000))
        else:
            extra = b"X-Latin: \xe9\xff\r\nX-Utf: \xc3\xa9\r\nX-Empty:\r\nSet-Cookie: a=\xfe\r\n"
        await _send(writer, line + b"\r\n" + extra + rest)

    async def _noise(self, writer: asyncio.StreamWriter, _: str) -> None:
        writer.write(b"220 mail.example ESMTP ready\r\n" + bytes(range(256)))

    async def _switch(self, writer: asyncio.StreamWriter, _: str) -> None:
        head = b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
        await _send(writer, head + PAGE)


async def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()
    if writer.is_closing():
        raise ConnectionResetError
    await asyncio.sleep(0)  # others must run too


class FakeNames:
    """Made-up names: each has a list of answers, the last of which is for ever.

    >>> names = FakeNames({"a.example": [["127.0.0.1"], ["10.0.0.1"]]})
    """

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def __call__(self, name: str) -> Sequence[str]:
        await asyncio.sleep(0)
        self.asked.append(name)
        if name not in self.answers:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        answers = self.answers[name]
        return answers[min(self.asked.count(name), len(answers)) - 1]


def closed_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def deaf_port() -> Iterator[int]:
    """A port whose queue is full: connections to it are neither taken nor refused."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        clients = [socket.socket() for _ in range(8)]
        for client in clients:
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", port))
        try:
            yield port
        finally:
            for client in clients:
                client.close()
