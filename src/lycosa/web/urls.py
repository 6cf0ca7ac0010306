"""URLs: the canonical form of a page's URL, and the scope of a crawl.

Parsing and joining follow the WHATWG URL standard through ada-url. On top of
it, two URLs are taken for the same page when they differ only in

* the fragment, user name or password, or an empty query;
* the spelling of percent-encoding (`%7e`, `%7E` and `~` are one; RFC 3986, 6.2.2);
* empty directories (`//` in the path), which servers ignore and traps multiply.

The standard already unifies host case, default ports and dot segments. The
scheme, `www.`, a trailing slash and `index.html` are distinguished: they lead
to different pages on real servers, and a recording lists its aliases.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

import ada_url

from lycosa.web.digests import digest

MAX_URL_CHARACTERS = 8_192
"""A longer URL is not one: servers refuse it, and links relative to it would fill the memory."""

_SLASHES = re.compile("(?<!:)//+")  # a URL inside a path keeps its slashes
_ESCAPE = re.compile("%[0-9A-Fa-f]{2}")
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")


def canonical(url: str, base: str | None = None) -> str | None:
    """Return the canonical form of an http(s) URL, or None if it is not one.

    >>> canonical("HTTP://WWW.Example.org:80/a/../%7Esmith/?#top")
    'http://www.example.org/~smith/'
    >>> canonical("../b.html", "http://example.org/a/")
    'http://example.org/b.html'
    >>> canonical("mailto:smith@example.org") is None
    True
    """
    try:
        href: str = ada_url.join_url(base, url) if base else ada_url.normalize_url(url)
    except (ValueError, UnicodeEncodeError):
        return None
    if not href.startswith(("http://", "https://")) or len(href) > MAX_URL_CHARACTERS:
        return None
    href = href.partition("#")[0]
    if href.endswith("?") and href.index("?") == len(href) - 1:
        href = href[:-1]
    if "@" in href:
        href = _without_user(href)
    if "%" in href:
        href = _ESCAPE.sub(_normal_escape, href)
    if "//" in href[8:]:
        path, query, rest = href.partition("?")
        href = path[:8] + _SLASHES.sub("/", path[8:]) + query + rest
    return href


def _without_user(href: str) -> str:
    """Return a URL without user name and password."""
    scheme, _, rest = href.partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"


def _normal_escape(match: re.Match[str]) -> str:
    escape = match[0]
    character = chr(int(escape[1:], 16))
    return character if character in _UNRESERVED else escape.upper()


def host_of(url: str) -> str:
    """Return the host of a canonical URL, without its port.

    >>> host_of("http://www.example.org:8080/a")
    'www.example.org'
    """
    return urlsplit(url).hostname or ""


def is_subdomain(host: str, domains: Container[str]) -> bool:
    """Return whether a host is one of the domains or a subdomain of one.

    >>> is_subdomain("www.a.example", {"a.example"}), is_subdomain("ba.example", {"a.example"})
    (True, False)
    """
    while host not in domains:
        _, dot, host = host.partition(".")
        if not dot:
            return False
    return True


@dataclass(frozen=True, slots=True)
class BlockedUrls:
    """URLs that the owner of a crawl does not want to be requested.

    Single URLs are kept as digests: the list does not tell what was taken down.

    >>> blocked = BlockedUrls.of(["http://a.example/x"], ["b.example"])
    >>> urls = "http://a.example/x", "http://a.example/y", "http://www.b.example/"
    >>> [blocked.covers(url) for url in urls]
    [True, False, True]
    """

    keys: tuple[str, ...] = ()
    """Digests of canonical URLs, sorted."""
    hosts: tuple[str, ...] = ()
    """Hosts, each with all its subdomains, sorted."""
    _keys: frozenset[str] = field(init=False, repr=False, compare=False)
    _hosts: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_keys", frozenset(self.keys))
        object.__setattr__(self, "_hosts", frozenset(self.hosts))

    @classmethod
    def of(cls, urls: Iterable[str] = (), hosts: Iterable[str] = ()) -> Self:
        """Return the list of these URLs and hosts."""
        return cls(tuple(sorted(set(map(digest, urls)))), tuple(sorted(set(hosts))))

    def __bool__(self) -> bool:
        return bool(self.keys or self.hosts)

    def covers(self, url: str) -> bool:
        """Return whether a canonical URL is blocked."""
        if self._hosts and is_subdomain(host_of(url), self._hosts):
            return True
        return bool(self._keys) and digest(url) in self._keys


NOT_BLOCKED = BlockedUrls()


@dataclass(frozen=True)
class Scope:
    """The URLs that belong to a crawl: a URL is in scope if every rule accepts it.

    >>> scope = Scope(domains=("example.org",), exclude=(r"/calendar/",))
    >>> [scope.allows(u) for u in ("http://www.example.org/a", "http://example.com/",
    ...                            "http://example.org/calendar/2031")]
    [True, False, False]
    """

    domains: tuple[str, ...] = ()
    """Hosts, each with all its subdomains; empty: any host."""
    prefixes: tuple[str, ...] = ()
    """Prefixes, one of which a URL must have; empty: any URL."""
    exclude: tuple[str, ...] = ()
    """Regular expressions; a URL in which one is found is out of scope."""
    blocked: BlockedUrls = NOT_BLOCKED
    """URLs that the owner has blocked."""
    _exclude: tuple[re.Pattern[str], ...] = field(init=False, repr=False, compare=False)
    _domains: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_exclude", tuple(map(re.compile, self.exclude)))
        object.__setattr__(self, "_domains", frozenset(self.domains))

    @classmethod
    def around(cls, seeds: Iterable[str]) -> Scope:
        """Return the scope of the seeds' hosts with all their subdomains."""
        return cls(domains=tuple(sorted({host_of(seed) for seed in seeds})))

    def allows(self, url: str) -> bool:
        """Return whether a canonical URL is in scope."""
        if self._domains and not is_subdomain(host_of(url), self._domains):
            return False
        if self.prefixes and not url.startswith(self.prefixes):
            return False
        if self.blocked and self.blocked.covers(url):
            return False
        return not any(pattern.search(url) for pattern in self._exclude)
