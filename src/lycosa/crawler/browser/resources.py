"""Scripts and data that pages ask for while they are rendered, fetched for them.

They are requests like those for pages: by the fetcher of the crawl, under its
address policy, limits and credentials; as the robots.txt of their host allows;
one at a time to a host, each after the delay of the host. A script that several
pages share is requested once in a crawl.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from datetime import UTC, datetime
from math import inf

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.fetcher import Fetcher
from lycosa.crawler.http.response import Response
from lycosa.crawler.politeness.pace import Pace, is_failure
from lycosa.crawler.politeness.robots_cache import RobotsCache, authority
from lycosa.web.urls import canonical

MAX_CACHED_BYTES = 64 << 20
"""Bytes of scripts and data that are kept for later pages."""
MAX_HOSTS = 10_000
"""Hosts whose last request is remembered."""
_MAX_ROBOTS_REDIRECTS = 5
# Content of these types is no script, and no data that a script could read.
_UNWANTED = ("image/", "audio/", "video/", "font/", "application/pdf", "application/zip")


class _Host:
    """The last request to a host, until when it is left alone, and a lock for one at a time."""

    __slots__ = ("barred_until", "last_request", "lock")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.last_request = -inf
        self.barred_until = -inf


class ResourceLoader:
    """Fetches the scripts and data of pages, and keeps them for other pages.

    `fetcher` makes the requests. `robots` has the robots.txt files of the crawl,
    to which those of further hosts are added; None: they are not obeyed. `pace`
    has the delays between two requests to a host.
    """

    def __init__(self, fetcher: Fetcher, robots: RobotsCache | None, pace: Pace) -> None:
        self._fetcher = fetcher
        self._robots = robots
        self._pace = pace
        self._hosts: OrderedDict[str, _Host] = OrderedDict()
        self._cache: OrderedDict[str, Response] = OrderedDict()
        self._cached_bytes = 0

    def page_fetched(self, url: str) -> None:
        """Record that a page was fetched: the delay of its host counts from now."""
        self._host(authority(url)).last_request = time.monotonic()

    async def load(self, url: str, made: list[Response]) -> Response:
        """Return the response for a URL, from the cache if it is there.

        The requests that were made for it are appended to `made`.
        """
        address = canonical(url)
        if address is None:
            return _refused(url, Fault.BAD_URL)
        if cached := self._cached(address):
            return cached
        name = authority(address)
        host = self._host(name)
        async with host.lock:
            # Another page may have asked for the same meanwhile.
            if cached := self._cached(address):
                return cached
            if self._robots is not None:
                await self._learn_robots(address, host, made)
                if refusal := self._robots.refusal(address):
                    return _refused(address, refusal.fault)
            response = await self._request(address, host, made)
        self._keep(response)
        return response

    async def _request(self, url: str, host: _Host, made: list[Response]) -> Response:
        """Make a request when its host is due."""
        pace, name = self._pace, authority(url)
        now = time.monotonic()
        if host.barred_until > now:
            return _refused(url, Fault.UNREACHABLE)
        await asyncio.sleep(max(host.last_request + self._delay(name) - now, 0.0))
        try:
            response = await self._fetcher.fetch(url, accept=_accept)
        finally:
            host.last_request = time.monotonic()
        made.append(response)
        if is_failure(response):
            wait = max(pace.back_off, min(response.retry_after or 0.0, pace.max_retry_after))
            host.barred_until = host.last_request + wait
        return response

    def _delay(self, host: str) -> float:
        """Return the seconds between two requests to a host."""
        asked = None
        if self._robots is not None and self._robots.is_known(host):
            asked = self._robots.delay(host)
        return max(self._pace.delay, min(asked or 0.0, self._pace.max_delay))

    async def _learn_robots(self, url: str, host: _Host, made: list[Response]) -> None:
        """Fetch the robots.txt of a host of which the crawl has none yet."""
        robots, name = self._robots, authority(url)
        if robots is None or robots.is_known(name) or robots.load(name) is not None:
            return
        response = await self._request(f"{url.partition(':')[0]}://{name}/robots.txt", host, made)
        for _ in range(_MAX_ROBOTS_REDIRECTS):
            if response.location is None:
                break
            # A redirect may lead to another host; one request to it is no burden.
            response = await self._fetcher.fetch(response.location)
            made.append(response)
        robots.learn(name, response)

    def _host(self, name: str) -> _Host:
        host = self._hosts.get(name)
        if host is None:
            host = self._hosts[name] = _Host()
            if len(self._hosts) > MAX_HOSTS:
                self._hosts.popitem(last=False)
        return host

    def _cached(self, url: str) -> Response | None:
        found = self._cache.get(url)
        if found is not None:
            self._cache.move_to_end(url)
        return found

    def _keep(self, response: Response) -> None:
        """Keep a response for later pages, unless its server forbids that or it may change."""
        lasting = 200 <= response.status < 500 and not is_failure(response)
        if not lasting or "no-store" in response.header("Cache-Control").lower():
            return
        self._cached_bytes += len(response.body)
        self._cache[response.url] = response
        while self._cached_bytes > MAX_CACHED_BYTES:
            _, dropped = self._cache.popitem(last=False)
            self._cached_bytes -= len(dropped.body)


def _accept(status: int, type: str, length: int | None) -> str | None:
    """Refuse what is no script and no data."""
    return Fault.TYPE_NOT_WANTED if type.strip().lower().startswith(_UNWANTED) else None


def _refused(url: str, fault: str) -> Response:
    return Response(url, datetime.now(UTC), fault=fault)
