"""Credentials: which host gets the configured headers and cookies.

A credential is sent to the origins (scheme, host and port) that it is configured
for and to no other. The fetcher asks for every single request, so a redirect, a
robots.txt, a sitemap or a sub-resource at another host gets nothing. Without a
list of hosts the origins of the seeds are meant; a seed that is plain HTTP stands
for HTTPS at the same host, too, because most such sites redirect there.

>>> client = ClientConfig("you@example.org", headers=(("Authorization", "Bearer abc"),))
>>> credentials = Credentials(client, ["https://a.example/start"])
>>> credentials.credentials_for("https://a.example/page")
{'Authorization': 'Bearer abc'}
>>> credentials.credentials_for("https://b.example/"), credentials.credentials_for(
...     "http://a.example/page")
({}, {})
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from lycosa.crawler.http.cookie_file import Cookie, read_cookie_file
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.errors import UsageError
from lycosa.web.urls import canonical

HIDDEN = "(not shown)"
"""Stands in archives for a value that may be secret."""

ANY = "*"
"""The entry of a list of hosts that stands for every host."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
# Request headers whose values are no secrets: the fetcher itself sets them.
_SHOWN = frozenset(
    "accept accept-encoding connection host if-modified-since if-none-match user-agent".split()
)
_HOST = re.compile(r"[^/?#@*\\\s]+")  # with a port
_COOKIE_VALUE = re.compile(rb"=[^;]*")


class _Origin(NamedTuple):
    scheme: str
    host: str
    port: int


class Origins:
    """A set of origins, written as a list of hosts.

    `example.org` and `example.org:8443` stand for HTTPS at that host and port,
    `http://example.org` for plain HTTP and for HTTPS, `*.example.org` for the
    subdomains of a host, and `*` for every host.

    >>> origins = Origins(["a.example", "*.b.example", "http://c.example:8080"])
    >>> [url in origins for url in ("https://a.example/x", "http://a.example/x",
    ...     "https://www.b.example/", "https://b.example/", "http://c.example:8080/")]
    [True, False, True, False, True]
    """

    def __init__(self, entries: Iterable[str]) -> None:
        self._everywhere = False
        self._exact: set[_Origin] = set()
        self._below: set[_Origin] = set()  # the origins whose subdomains are in the set
        for entry in entries:
            if entry == ANY:
                self._everywhere = True
                continue
            scheme, separator, rest = entry.rpartition("://")
            below = rest.startswith("*.")
            kept = self._below if below else self._exact
            host = rest[2:] if below else rest
            address = canonical(f"{scheme if separator else 'https'}://{host}/")
            if address is None or not _HOST.fullmatch(host):
                raise UsageError(
                    f"{entry!r} is not a host: write it like 'example.org', "
                    "'http://localhost:8080' or '*.example.org'."
                )
            origin = _origin(address)
            kept.add(origin)
            if origin.scheme == "http" and origin.port == _DEFAULT_PORTS["http"]:
                kept.add(_Origin("https", origin.host, _DEFAULT_PORTS["https"]))

    @classmethod
    def of_urls(cls, urls: Iterable[str]) -> Origins:
        """Return the origins of some canonical URLs."""
        return cls(dict.fromkeys("/".join(url.split("/", 3)[:3]) for url in urls))

    def __contains__(self, url: str) -> bool:
        if self._everywhere:
            return True
        origin = _origin(url)
        if origin in self._exact:
            return True
        host = origin.host
        while self._below and (host := host.partition(".")[2]):
            if origin._replace(host=host) in self._below:
                return True
        return False

    def may_take(self, cookie: Cookie) -> bool:
        """Return whether some host in the set gets a cookie."""
        below = (origin.host for origin in self._below)
        return (
            self._everywhere
            or any(cookie.is_for_host(origin.host) for origin in self._exact)
            or any(
                f".{cookie.domain}".endswith("." + host) or cookie.is_for_host(host)
                for host in below
            )
        )


class Credentials:
    """The headers and cookies of a client, by the URL of a request.

    `client` has them and the hosts they are for; `seeds` are the canonical URLs
    whose origins are meant if it names no hosts. The cookie file is read here.
    `clock` returns seconds since 1970, for cookies that expire.
    """

    def __init__(
        self,
        client: ClientConfig,
        seeds: Sequence[str] = (),
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        hosts = client.credential_hosts
        self._clock = clock
        self._origins = Origins(hosts) if hosts else Origins.of_urls(seeds)
        self._rules = [(self._origins, client.headers)] if client.headers else []
        self._rules += [(Origins([host]), pairs) for host, pairs in client.host_headers]
        self._cookies: list[Cookie] = []
        if client.cookie_file is not None:
            self._cookies = read_cookie_file(Path(client.cookie_file))
            self._check_cookies(client.cookie_file, hosts or seeds)

    def __bool__(self) -> bool:
        """Return whether any host gets a credential."""
        return bool(self._rules or self._cookies)

    def credentials_for(self, url: str) -> dict[str, str]:
        """Return the headers, cookies among them, to add to a request for a canonical URL."""
        if not self:
            return {}
        found: dict[str, tuple[str, str]] = {}
        for origins, pairs in self._rules:
            if url in origins:
                found.update((name.lower(), (name, value)) for name, value in pairs)
        headers = dict(found.values())
        if self._cookies and url in self._origins:
            now = self._clock()
            sent = [cookie for cookie in self._cookies if cookie.is_for(url, now)]
            if sent:
                name, written = found.get("cookie", ("Cookie", ""))
                headers[name] = "; ".join([*filter(None, [written]), *map(str, sent)])
        return headers

    def _check_cookies(self, file: str, hosts: Iterable[str]) -> None:
        """Raise a `UsageError` if none of the cookies can ever be sent."""
        usable = [cookie for cookie in self._cookies if self._origins.may_take(cookie)]
        if not usable:
            raise UsageError(
                f"No cookie in {file} is for {', '.join(hosts) or 'a host of the crawl'}: export "
                "the cookies of that site, or list its hosts in requests.credential-hosts."
            )
        now = self._clock()
        if all(cookie.has_expired(now) for cookie in usable):
            raise UsageError(
                f"The cookies in {file} have expired: log in again and export them anew."
            )


def redacted_headers(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the headers of a request as they may be archived: without configured values.

    Only the headers that the fetcher sets itself keep their values.

    >>> redacted_headers([("Accept", "text/html"), ("Cookie", "id=1"), ("X-Api", "abc")])
    [('Accept', 'text/html'), ('Cookie', '(not shown)'), ('X-Api', '(not shown)')]
    """
    return [(name, value if name.lower() in _SHOWN else HIDDEN) for name, value in pairs]


def redacted_response_headers(
    pairs: Iterable[tuple[bytes, bytes]],
) -> tuple[tuple[bytes, bytes], ...]:
    """Return the headers of a response to a request with credentials, without new cookies.

    >>> redacted_response_headers([(b"Set-Cookie", b"id=abc; Path=/"), (b"Age", b"1")])
    ((b'Set-Cookie', b'id=(not shown); Path=/'), (b'Age', b'1'))
    """
    hidden = b"=" + HIDDEN.encode()
    return tuple(
        (
            name,
            _COOKIE_VALUE.sub(hidden, value, count=1) if name.lower() == b"set-cookie" else value,
        )
        for name, value in pairs
    )


def _origin(url: str) -> _Origin:
    parts = urlsplit(url)
    port = parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
    return _Origin(parts.scheme, parts.hostname or "", port)
