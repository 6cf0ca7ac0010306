"""URLs that may be meant by one that nobody knows."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from lycosa.web.urls import host_of

MAX_SUGGESTIONS = 3
"""How many are named."""
_COMPARED = 2000  # URLs that are compared letter by letter, which is slow
_LIKE = 0.75


def similar_urls(url: str, urls: Iterable[str]) -> list[str]:
    """Those of some URLs that are most like another of the same host.

    >>> similar_urls("http://a.example/robot", ["https://www.a.example/robots", "http://b.example/"])
    ['https://www.a.example/robots']
    """
    host, plain = _host(url), _path(url)
    mine = [one for one in urls if one != url and _host(one) == host]
    if len(mine) > _COMPARED:
        mine.sort(key=lambda one: -_in_common(_path(one), plain))
        del mine[_COMPARED:]
    by_path = {_path(one): one for one in mine}
    return [
        by_path[one] for one in difflib.get_close_matches(plain, by_path, MAX_SUGGESTIONS, _LIKE)
    ]


def _host(url: str) -> str:
    return host_of(url).removeprefix("www.")


def _path(url: str) -> str:
    return url.partition("://")[2].partition("/")[2].rstrip("/")


def _in_common(one: str, other: str) -> int:
    """With how many letters both begin."""
    pairs = zip(one, other, strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
