"""One request in, one answer or one named fault out.

A `HttpFetcher` asks and never raises for what a server does: whatever comes back,
or does not, is a `Response`. Redirects are answers; whoever follows them checks
the next address first. Every limit holds while the body is read, so that no
server decides how much time or memory a request costs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from types import TracebackType
from typing import Self, TypeAlias, cast

import aiohttp
from yarl import URL

from lycosa.archive.content_encoding import ACCEPTED, BrokenCoding, Decoder, decoder_for
from lycosa.crawler.http.addresses import (
    AddressPolicy,
    Lookup,
    NameResolver,
    connector,
    system_lookup,
)
from lycosa.crawler.http.client_response import ClientResponse, Watch, fault_of
from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response, retry_after
from lycosa.errors import UsageError
from lycosa.web.urls import canonical

__all__ = ["Accept", "ClientConfig", "HttpFetcher", "Limits", "Response", "only", "retry_after"]

Accept: TypeAlias = Callable[[int, str, int | None], str | None]
"""Asked before the body is downloaded: from the status, the Content-Type and
the Content-Length, the name of a fault, or None to go on."""

# An ordinary URL needs no second look, which would cost a tenth of a request. Other
# spellings of addresses, user names and what is not ASCII do.
_QUAD = r"[1-9]\d{0,2}(?:\.(?:0|[1-9]\d{0,2})){3}"
_PLAIN = re.compile(
    rf"https?://(?:(?:[a-z0-9_-]+\.)*[a-z][a-z0-9-]*|{_QUAD})(?::[1-5]?\d{{1,4}})?/[!\"$-~]*",
    re.ASCII,
)
_NEVER_A_BOMB = 1 << 20
_SLICE = 4096  # of a body, between two looks at how much it has grown


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may cost."""

    connect: float = 15.0
    """Seconds to connect to one address; also to look up a name."""
    read: float = 20.0
    """Seconds of silence."""
    total: float = 120.0
    """Seconds for everything, waiting for a free connection included."""
    rate: float = 500.0
    """Least bytes per second of a body, once the grace is over."""
    grace: float = 10.0
    """Seconds a body may be slower than that."""
    transferred: int = 16 << 20
    """Most bytes of a body as they come over the wire."""
    decoded: int = 32 << 20
    """Most bytes of a body when it is decompressed."""
    ratio: float = 200.0
    """How many times larger a body of more than a megabyte may become by that."""
    head: int = 64 << 10
    """Most bytes of the status line and headers, together and each."""


@dataclass(frozen=True, slots=True)
class ClientConfig:
    """Who we say we are, and how we ask.

    >>> ClientConfig("spider@example.org").agent
    'lycosa (+spider@example.org)'
    """

    contact: str
    """Where the owner of a site can complain: a web or e-mail address."""
    name: str = "lycosa"
    """What we are called, in the User-Agent and in robots.txt."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """More headers for every request."""
    proxy: str | None = field(default=None, repr=False)
    """Through which all requests go. It looks names up, so it must do the checking of addresses."""
    cookies: bool = False
    """Whether cookies are kept and sent back."""
    verify: bool = True
    """Whether certificates must be valid."""

    def __post_init__(self) -> None:
        if "@" not in self.contact and not self.contact.startswith(("http://", "https://")):
            raise UsageError(
                "A crawler must say whom to complain to: "
                "give a contact such as 'you@example.org' or 'https://example.org/bot'."
            )
        texts = [self.contact, self.name, *(text for pair in self.headers for text in pair)]
        if not all(text.isprintable() for text in texts):
            raise UsageError("Headers are of printable characters: remove the line breaks.")

    @property
    def agent(self) -> str:
        """The User-Agent header."""
        return f"{self.name} (+{self.contact})"


def only(*types: str) -> Accept:
    """Accept pages of these types, and all that are no pages, such as redirects.

    >>> html = only("text/html")
    >>> html(200, "text/html; charset=utf-8", None), str(html(200, "image/png", 99))
    (None, 'type-not-wanted')
    """
    wanted = frozenset(types)

    def accept(status: int, type: str, length: int | None) -> str | None:
        unwanted = 200 <= status < 300 and type.partition(";")[0].strip().lower() not in wanted
        return Fault.TYPE_NOT_WANTED if unwanted else None

    return accept


class _Stop(Exception):
    """Enough of this answer."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


class _Body:
    """What has come so far, and the limits on it."""

    __slots__ = ("decoded", "limits", "parts", "transferred", "used")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.parts: list[bytes] = []
        self.transferred = 0
        self.used = 0  # of what was transferred, as much as went into the decoder
        self.decoded = 0

    def write(self, data: bytes) -> None:
        """Take decoded bytes."""
        self.decoded += len(data)
        swollen = self.decoded > self.limits.ratio * self.used
        if self.decoded > self.limits.decoded:
            raise _Stop(Fault.BOMB if swollen else Fault.TOO_LARGE)
        if swollen and self.decoded > _NEVER_A_BOMB:
            raise _Stop(Fault.BOMB)
        self.parts.append(data)


class HttpFetcher:
    """Fetches pages, many at a time, over connections that are kept open.

        async with HttpFetcher(ClientConfig("you@example.org")) as fetcher:
            page = await fetcher.fetch("https://example.org/")

    `per_host` is how many connections one host may see at a time, `at_once`
    how many there are in all, and `lookup` what turns names into addresses.
    """

    def __init__(
        self,
        manners: ClientConfig,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        reach: AddressPolicy = AddressPolicy(),  # noqa: B008
        *,
        per_host: int = 2,
        at_once: int = 256,
        lookup: Lookup = system_lookup,
    ) -> None:
        self.manners = manners
        self.limits = limits
        self.reach = reach
        self._per_host = per_host
        self._at_once = at_once
        # A proxy is on our side: it may be anywhere.
        dialled = AddressPolicy(allow_loopback=True, allow_private=True) if manners.proxy else reach
        self._dialled = dialled
        self.names = NameResolver(dialled, lookup, patience=limits.connect)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        limits, manners = self.limits, self.manners
        self._session = aiohttp.ClientSession(
            connector=connector(
                self.names,
                self._dialled,
                limit=self._at_once,
                limit_per_host=self._per_host,
                ssl=manners.verify,
            ),
            headers={
                "User-Agent": manners.agent,
                "Accept": "text/html,application/xhtml+xml,*/*;q=0.5",
                "Accept-Encoding": ACCEPTED,
                **dict(manners.headers),
            },
            timeout=aiohttp.ClientTimeout(
                total=limits.total, sock_connect=limits.connect, sock_read=limits.read
            ),
            cookie_jar=aiohttp.CookieJar() if manners.cookies else aiohttp.DummyCookieJar(),
            auto_decompress=False,
            max_line_size=limits.head,
            max_field_size=limits.head,
            response_class=ClientResponse,
            proxy=manners.proxy,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None
        await self.names.close()

    async def fetch(
        self,
        url: str,
        *,
        accept: Accept | None = None,
        etag: str | None = None,
        modified: str | None = None,
    ) -> Response:
        """What a server says to one GET.

        With the ETag or Last-Modified header of an earlier answer, it may say
        304: not changed since.
        """
        if self._session is None:
            raise UsageError(
                "A fetcher is open inside `async with HttpFetcher(...) as fetcher:` only."
            )
        when, begun = datetime.now(UTC), monotonic()
        address = url if _PLAIN.fullmatch(url) else canonical(url)
        if address is None:
            return Response(url, when, fault=Fault.BAD_URL)
        target = URL(address, encoded=True)
        if self.manners.proxy and not self._literal_is_allowed(target.raw_host or ""):
            return Response(address, when, fault=Fault.PRIVATE_ADDRESS)
        reply: ClientResponse | None = None
        body = _Body(self.limits)
        fault: str | None = None
        try:
            headers = _conditions(etag, modified)
            came = await self._session.get(target, headers=headers, allow_redirects=False)
            reply = cast("ClientResponse", came)  # the session was told so
            await self._read(reply, accept, body)
        except _Stop as stop:
            fault = stop.fault
        except BrokenCoding:
            fault = Fault.BROKEN_BODY
        except (aiohttp.ClientError, OSError) as error:
            fault = fault_of(error, reply.handler if reply is not None else None)
        finally:
            if reply is not None and not reply.closed:
                reply.release()  # with something left on it, the connection is closed
        seconds = monotonic() - begun
        if reply is None:
            return Response(address, when, fault=fault, seconds=seconds)
        return Response(
            address,
            when,
            0 if fault else reply.status,
            reply.line,
            reply.raw_headers,
            b"" if fault else b"".join(body.parts),
            fault,
            reply.address,
            seconds,
            body.transferred,
        )

    def _literal_is_allowed(self, host: str) -> bool:
        is_address = ":" in host or host.replace(".", "").isdecimal()
        return not is_address or self.reach.allows(host)

    async def _read(self, reply: ClientResponse, accept: Accept | None, body: _Body) -> None:
        limits, headers = self.limits, reply.headers
        if reply.status < 200 or sum(len(k) + len(v) for k, v in reply.raw_headers) > limits.head:
            raise _Stop(Fault.BAD_ANSWER)
        length = reply.content_length
        if accept is not None:
            fault = accept(reply.status, headers.get("Content-Type", ""), length)
            if fault is not None:
                raise _Stop(fault)
        if length is not None and length > limits.transferred:
            raise _Stop(Fault.TOO_LARGE)
        coding = headers.get("Content-Encoding")
        decoder = decoder_for(coding, body) if coding else None
        watch = Watch(reply) if length is None and not reply.content.is_eof() else None
        try:
            await self._pour(reply, decoder, body)
        finally:
            if watch is not None:
                watch.cancel()
        if decoder is not None:
            decoder.close()
        if length is None and reply.handler is not None:
            # A body that ends with the connection may have been cut off there.
            broken = reply.handler.exception()
            if isinstance(broken, OSError):
                raise broken

    async def _pour(self, reply: ClientResponse, decoder: Decoder | None, body: _Body) -> None:
        limits, begun = self.limits, monotonic()
        content = reply.content
        while not content.at_eof() and (piece := await content.readany()):
            body.transferred += len(piece)
            if body.transferred > limits.transferred:
                raise _Stop(Fault.TOO_LARGE)
            spent = monotonic() - begun
            if spent > limits.grace and body.transferred < limits.rate * spent:
                raise _Stop(Fault.TOO_SLOW)
            if decoder is None:
                body.parts.append(piece)
                continue
            for at in range(0, len(piece), _SLICE):
                part = piece[at : at + _SLICE]
                body.used += len(part)
                decoder.write(part)


def _conditions(etag: str | None, modified: str | None) -> dict[str, str] | None:
    if not etag and not modified:
        return None
    pairs = {"If-None-Match": etag, "If-Modified-Since": modified}
    # They come from servers: what cannot be a header is not sent.
    return {name: value for name, value in pairs.items() if value and value.isprintable()}
