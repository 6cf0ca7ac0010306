"""Resolver of links: the canonical URLs of the hrefs of a page.

The hrefs of a site's menu are on every page of it, and most hrefs are simple paths, which
are appended to the folder of their page without a parser of URLs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lycosa.web.urls import MAX_URL_CHARACTERS, canonical

MAX_LINKED_CHARACTERS = 32 * 2**20
"""The links of a page whose URLs have more characters together are dropped, the last ones."""

_BLANK = "".join(map(chr, range(33)))  # what the standard strips from both ends
# A path and query that is in canonical form whatever it is appended to: no escapes, no
# characters that are escaped, no segment that begins with a dot or is empty.
_SIMPLE = re.compile(r"(?:[\w~-][\w.~-]*+/)*+(?:[\w~-][\w.~-]*+)?+(?:\?[\w.~=&+-]++)?+", re.ASCII)


class _KnownUrls(dict[str, str | None]):
    """The URLs of hrefs that depend on the same part of a base.

    A simple href is appended to `prefix`; there is none if that is not its URL.
    """

    __slots__ = ("prefix",)

    def __init__(self, prefix: str | None = None) -> None:
        self.prefix = prefix


class Resolver:
    """Joins hrefs with the URLs of their pages, through a cache.

    The menu of a site repeats most of its hrefs, and an href depends only on the
    directory of its page, on its origin, or on neither: the URLs are cached by that
    part of the base, and then by href. The cache is emptied when it holds `capacity`
    URLs and parts.
    """

    def __init__(self, capacity: int = 200_000) -> None:
        self._known: dict[str, _KnownUrls] = {}
        self._size = 0
        self._capacity = capacity

    def join(self, base: str, hrefs: Iterable[str]) -> list[str | None]:
        """Return the canonical URLs of a page's hrefs; None for what is not an http(s) URL.

        >>> Resolver().join("http://example.org/a/b.html?x=1", ["c.html", "/d", "news:x"])
        ['http://example.org/a/c.html', 'http://example.org/d', None]

        Beyond `MAX_LINKED_CHARACTERS` every one is None.
        """
        slash = base.find("/", 8)
        path = base.partition("?")[0]
        origin = base[:slash] if slash > 0 else base
        anywhere = self._known_under("", None)
        in_origin = self._known_under(origin, None)
        in_directory = self._known_under(path[: path.rfind("/") + 1], in_origin.prefix)
        on_page = _KnownUrls()
        joined: list[str | None] = []
        room = MAX_LINKED_CHARACTERS
        for href in hrefs:
            if room < 0:
                joined.append(None)
                continue
            first = href[:1]
            if first == "/":
                known = in_origin
            elif href.startswith(("http://", "https://")):
                known = anywhere
            elif first <= " " or first in "?#" or ":" in href:
                known = on_page
            else:
                known = in_directory
            try:
                url = known[href]
            except KeyError:
                url = known[href] = self._simple(known, href) or canonical(href.strip(_BLANK), base)
                self._size += known is not on_page
            if url is not None:
                room -= len(url)
            joined.append(url)
        return joined

    def _simple(self, known: _KnownUrls, href: str) -> str | None:
        """Return the URL of a simple href, without a parser; None if it is not simple."""
        if known.prefix is not None:
            return _append(known.prefix, href)
        slash = href.find("/", 8)
        in_origin = self._known.get(href[:slash]) if slash > 0 else None
        if in_origin is None or in_origin.prefix is None:
            return None
        return _append(in_origin.prefix, href[slash:])

    def _known_under(self, part: str, origin: str | None) -> _KnownUrls:
        """Return the URLs that are known for a part of a base: a directory of an `origin`."""
        if self._size > self._capacity:
            self._known.clear()
            self._size = 0
        known = self._known.get(part)
        if known is None:
            known = self._known[part] = _KnownUrls(_prefix(part, origin))
            self._size += 1
        return known


def _prefix(part: str, origin: str | None) -> str | None:
    """Return the part of a base that simple hrefs are appended to; None for another part."""
    if origin is None:
        return part if part and canonical(part + "/") == part + "/" else None
    return part if _append(origin, part[len(origin) :]) == part else None


def _append(prefix: str, path: str) -> str | None:
    """Return a prefix with a simple path after it; None if the path is not simple."""
    # One slash between the two: that of the directory, or that of the path.
    slashes = prefix.endswith("/") + path.startswith("/")
    if slashes != 1 or len(prefix) + len(path) > MAX_URL_CHARACTERS:
        return None
    return prefix + path if _SIMPLE.fullmatch(path, path.startswith("/")) else None
