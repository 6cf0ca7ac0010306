"""The fetcher interface: what the live crawl needs of anything that fetches pages.

`Fetcher` is the protocol. `HttpFetcher` implements it over HTTP, `DictFetcher`
from a dictionary, for tests; `check_fetcher` puts an implementation to the
contract. `ClientConfig` and `Limits` configure a client; they are plain values
that load no HTTP library.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self, TypeAlias, runtime_checkable

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.errors import UsageError
from lycosa.web.decoding import media_type

Accept: TypeAlias = Callable[[int, str, int | None], str | None]
"""Decides from the status, the Content-Type and the Content-Length of a response
whether its body is downloaded: returns the name of a fault to abort with, or None."""

SendCheck: TypeAlias = Callable[[], None]
"""Called right before the bytes of a request are written, also when a request is repeated on
another connection. What it raises ends the fetch, and nothing is sent."""


def allow_sending() -> None:
    """Allow every request; the default `SendCheck`."""


@runtime_checkable
class Fetcher(Protocol):
    """Fetches pages, many at a time, inside an `async with` block.

    Only `fetch` must be written: a class that inherits from `Fetcher` has the
    rest. Whatever a server does, `fetch` returns a `Response`; an exception
    means a bug and ends the crawl.
    """

    @abstractmethod
    async def fetch(
        self,
        url: str,
        *,
        accept: Accept | None = None,
        etag: str | None = None,
        modified: str | None = None,
    ) -> Response:
        """Return the server's response to one GET request, or a response with a fault.

        Redirects are responses and are not followed: the engine checks scope,
        robots.txt and politeness of the next URL first. `accept` decides before
        the download whether the body is wanted. With `etag` or `modified`, the
        ETag and Last-Modified headers of an earlier response, the server may
        answer 304.
        """
        raise NotImplementedError

    async def address(self, url: str) -> str:
        """Return the IP address a request for `url` will go to; empty if unknown.

        The scheduler limits the requests in flight at one address, whichever
        hosts are there. A host without an address is limited by its name alone.
        Raise nothing: `fetch` reports what is wrong with a host.
        """
        return ""

    def known_address(self, url: str) -> str | None:
        """Return what `address` would, if that is known without waiting; None if it is not.

        The engine then starts a request at once, without another turn of the loop.
        """
        return None

    async def __aenter__(self) -> Self:
        """Open connections or whatever `fetch` needs."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release what `__aenter__` opened."""
        return


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the time and memory of one request."""

    connect: float = 8.0
    """Maximum seconds to connect to one address; also to look up a name."""
    read: float = 20.0
    """Maximum seconds without a byte from the server."""
    total: float = 120.0
    """Maximum seconds for the request, waiting for a free connection included."""
    rate: float = 500.0
    """Minimum bytes per second of a body, once `grace` is over."""
    grace: float = 10.0
    """Seconds for which a body may be slower than `rate`."""
    transferred: int = 16 << 20
    """Maximum bytes of a body on the wire."""
    decoded: int = 32 << 20
    """Maximum bytes of a body after decompression."""
    ratio: float = 200.0
    """Maximum growth of a body by decompression; bodies up to a megabyte are exempt."""
    head: int = 64 << 10
    """Maximum bytes of status line and headers, together and each."""


@dataclass(frozen=True, slots=True)
class ClientConfig:
    """How the crawler identifies itself, and the HTTP features it uses.

    >>> ClientConfig("spider@example.org").user_agent
    'lycosa (+spider@example.org)'
    """

    contact: str
    """A web or e-mail address at which the owner of a site can complain."""
    name: str = "lycosa"
    """The product name in the User-Agent header and in robots.txt."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Additional headers of requests to the `credential_hosts`."""
    proxy: str | None = field(default=None, repr=False)
    """URL of a proxy for all requests. It resolves names, so it must check their addresses;
    a user name and password in it are sent to the proxy alone."""
    cookies: bool = False
    """Whether the cookies that a host sets are kept and sent back to it."""
    verify: bool = True
    """Whether TLS certificates must be valid."""
    host_headers: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = field(
        default=(), repr=False
    )
    """Additional headers of requests to one host each."""
    credential_hosts: tuple[str, ...] = ()
    """The hosts that get `headers` and the cookies of the file; empty: those of the seeds.
    How one is written is in `lycosa.crawler.http.credentials.Origins`."""
    cookie_file: str | None = None
    """A file of cookies to send, see `lycosa.crawler.http.cookie_file`."""

    def __post_init__(self) -> None:
        if "@" not in self.contact and not self.contact.startswith(("http://", "https://")):
            raise UsageError(
                "A crawler must name a contact for complaints: "
                "give one such as 'you@example.org' or 'https://example.org/bot'."
            )
        pairs = [*self.headers, *(pair for _, listed in self.host_headers for pair in listed)]
        texts = [self.contact, self.name, *(text for pair in pairs for text in pair)]
        if any(name.lower() == "proxy-authorization" for name, _ in pairs):
            raise UsageError(
                "Proxy-Authorization would be sent to web servers: write the user name and the "
                "password into the address of the proxy, as in http://user:password@host:3128."
            )
        if not all(text.isprintable() for text in texts):
            raise UsageError("Headers hold printable characters only: remove the line breaks.")

    @property
    def user_agent(self) -> str:
        """The User-Agent header."""
        return f"{self.name} (+{self.contact})"


def only(*types: str) -> Accept:
    """Return an `Accept` for pages of these MIME types, and for all that are not pages.

    >>> html = only("text/html")
    >>> html(200, "text/html; charset=utf-8", None), str(html(200, "image/png", 99))
    (None, 'type-not-wanted')
    """
    wanted = frozenset(types)

    def accept(status: int, type: str, length: int | None) -> str | None:
        unwanted = 200 <= status < 300 and media_type(type) not in wanted
        return Fault.TYPE_NOT_WANTED if unwanted else None

    return accept
