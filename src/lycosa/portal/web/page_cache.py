"""Pages that were asked for lately, as they were sent: packed, and with a name for their state."""

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
"""What all of them may take."""
MAX_AGE_SECONDS = 30.0
"""For how long one is kept: the index follows the catalogue with a little delay."""
GZIP_LEVEL = 2  # twice as fast as 5, and a tenth larger


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page ready to be sent."""

    plain: bytes
    packed: bytes
    headers: Mapping[str, str]

    @classmethod
    def of(cls, response: Response) -> CachedPage:
        """Keep a page."""
        body = bytes(response.body)
        headers = dict(response.headers) | {
            "etag": f'W/"{hashlib.sha256(body).hexdigest()[:20]}"',
            "vary": "Accept-Encoding",
        }
        del headers["content-length"]
        return cls(body, gzip.compress(body, GZIP_LEVEL, mtime=0), headers)

    def answer(self, request: Request) -> Response:
        """Send it, or say that the reader has it already."""
        known = [tag.strip() for tag in request.headers.get("if-none-match", "").split(",")]
        if self.headers["etag"] in known or "*" in known:
            return Response(status_code=304, headers=self.headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            packed = {**self.headers, "content-encoding": "gzip"}
            return Response(self.packed, headers=packed)
        return Response(self.plain, headers=self.headers)


class PageCache:
    """The pages of one generation of a portal; those used last are kept."""

    def __init__(
        self,
        most: int = MAX_BYTES,
        clock: Callable[[], float] = time.monotonic,
        seconds: float = MAX_AGE_SECONDS,
    ) -> None:
        self._most = most
        self._clock = clock
        self._seconds = seconds
        self._lock = threading.Lock()
        self._pages: OrderedDict[Hashable, tuple[float, CachedPage]] = OrderedDict()
        self._bytes = 0
        self._generation = ""

    def get(self, key: Hashable, generation: str) -> CachedPage | None:
        """A page, if it was made lately and of this generation."""
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
        """Keep a page for a while, unless the portal is another one by now."""
        with self._lock:
            if generation != self._generation:
                return
            self._drop(key)
            self._pages[key] = (self._clock() + self._seconds, page)
            self._bytes += _size(page)
            while self._bytes > self._most:
                self._drop(next(iter(self._pages)))

    def _drop(self, key: Hashable) -> None:
        if key in self._pages:
            self._bytes -= _size(self._pages.pop(key)[1])

    def __len__(self) -> int:
        return len(self._pages)


def _size(page: CachedPage) -> int:
    return len(page.plain) + len(page.packed) + 500
