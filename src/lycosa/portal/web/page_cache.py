"""Cache of rendered pages, plain and compressed, with their ETags."""

from __future__ import annotations

import gzip
import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

MAX_BYTES = 24 * 2**20
"""Memory that all pages may take."""
MAX_AGE_SECONDS = 30.0
"""How long a page is served: the index is updated shortly after the catalogue."""
GZIP_LEVEL = 2
"""Twice as fast as level 5, for pages a tenth larger."""


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page ready to be sent."""

    plain: bytes
    """The body, not compressed."""
    compressed: bytes
    """The body, compressed with gzip."""
    headers: Mapping[str, str]
    """Of the response, with its ETag but without its length."""

    @classmethod
    def from_response(cls, response: Response) -> CachedPage:
        """Compress the body of a response and compute its ETag."""
        body = bytes(response.body)
        headers = dict(response.headers) | {
            "etag": f'W/"{hashlib.sha256(body).hexdigest()[:20]}"',
            "vary": ", ".join([*filter(None, [response.headers.get("vary")]), "Accept-Encoding"]),
        }
        del headers["content-length"]
        return cls(body, gzip.compress(body, GZIP_LEVEL, mtime=0), headers)

    def response(self, request: Request) -> Response:
        """Return the page, compressed if the client accepts it; 304 if the client has it."""
        known = [tag.strip() for tag in request.headers.get("if-none-match", "").split(",")]
        if self.headers["etag"] in known or "*" in known:
            return Response(status_code=304, headers=self.headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers = {**self.headers, "content-encoding": "gzip"}
            return Response(self.compressed, headers=headers)
        return Response(self.plain, headers=self.headers)


class PageCache:
    """LRU cache of the pages of one generation of a portal; thread-safe.

    Parameters
    ----------
    max_bytes
        Memory that all pages may take; the least recently used are dropped.
    clock
        Returns the time in seconds.
    seconds
        How long a page is served.
    """

    def __init__(
        self,
        max_bytes: int = MAX_BYTES,
        clock: Callable[[], float] = time.monotonic,
        seconds: float = MAX_AGE_SECONDS,
    ) -> None:
        self._max_bytes = max_bytes
        self._clock = clock
        self._seconds = seconds
        self._lock = threading.Lock()
        self._pages: OrderedDict[Hashable, tuple[float, CachedPage]] = OrderedDict()
        self._bytes = 0
        self._generation = ""

    def get(self, key: Hashable, generation: str) -> CachedPage | None:
        """Return a page of this generation, or None if there is none or it is too old."""
        with self._lock:
            if generation != self._generation:
                self._pages.clear()
                self._generation, self._bytes = generation, 0
            found = self._pages.get(key)
            if found is None:
                return None
            until, page = found
            if until < self._clock():
                self._drop(key)
                return None
            self._pages.move_to_end(key)
            return page

    def put(self, key: Hashable, generation: str, page: CachedPage) -> None:
        """Add a page, unless the cache has moved on to another generation."""
        with self._lock:
            if generation != self._generation:
                return
            self._drop(key)
            self._pages[key] = (self._clock() + self._seconds, page)
            self._bytes += _size(page)
            while self._bytes > self._max_bytes:
                self._drop(next(iter(self._pages)))

    def _drop(self, key: Hashable) -> None:
        if key in self._pages:
            self._bytes -= _size(self._pages.pop(key)[1])

    def __len__(self) -> int:
        return len(self._pages)


def _size(page: CachedPage) -> int:
    return len(page.plain) + len(page.compressed) + 500
