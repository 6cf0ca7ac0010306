"""Suggestions for an unknown URL: similar URLs of the same host."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from lycosa.web.urls import host_of

MAX_SUGGESTIONS = 3
"""URLs that are suggested."""
_MAX_COMPARED = 2000  # comparing URLs letter by letter is slow
_MIN_SIMILARITY = 0.75


def similar_urls(url: str, urls: Iterable[str]) -> list[str]:
    """Return the URLs of the same host that are most similar to a URL.

    >>> similar_urls("http://a.example/robot", ["https://www.a.example/robots", "http://b.example/"])
    ['https://www.a.example/robots']
    """
    host, plain = _host(url), _path(url)
    candidates = [one for one in urls if one != url and _host(one) == host]
    if len(candidates) > _MAX_COMPARED:
        candidates.sort(key=lambda one: -_common_prefix(_path(one), plain))
        del candidates[_MAX_COMPARED:]
    by_path = {_path(one): one for one in candidates}
    return [
        by_path[one]
        for one in difflib.get_close_matches(plain, by_path, MAX_SUGGESTIONS, _MIN_SIMILARITY)
    ]


def _host(url: str) -> str:
    return host_of(url).removeprefix("www.")


def _path(url: str) -> str:
    return url.partition("://")[2].partition("/")[2].rstrip("/")


def _common_prefix(one: str, other: str) -> int:
    """Return the length of the common prefix."""
    pairs = zip(one, other, strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
