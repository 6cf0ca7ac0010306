"""Fetching robots.txt: one internal request before the first page of a host.

Redirects are followed to any host, five in a row (RFC 9309, 2.3.1.2). A file
that an earlier run fetched is not requested again while it is valid.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.politeness.robots_cache import RobotsCache, authority
from lycosa.crawler.politeness.scheduler import ROBOTS, ScheduledRequest, Scheduler
from lycosa.web.robots import Robots

_log = logging.getLogger("lycosa.crawler")

MAX_REDIRECTS = 5


@dataclass(slots=True)
class _RobotsFetch:
    """The fetch of one robots.txt: the host it is for, and the URLs that redirects led to."""

    host: str
    urls: list[str]


class RobotsFetcher:
    """Fetches the robots.txt of every host before its first page.

    `scheduler` schedules the requests and `robots` caches the files. If not
    `obey`, nothing is fetched and everything is allowed. `on_robots` is called
    with the root URL of a host and its robots.txt.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        robots: RobotsCache,
        *,
        obey: bool,
        on_robots: Callable[[str, Robots], None],
    ) -> None:
        self._scheduler = scheduler
        self._robots = robots
        self._obey = obey
        self._on_robots = on_robots
        self._schemes: dict[str, str] = {}
        self._redirected: dict[int, _RobotsFetch] = {}  # by the number of the internal request
        self._last_number = ROBOTS

    def host(self, url: str) -> str:
        """Return the host of a URL; its robots.txt will be requested by the same scheme."""
        host = authority(url)
        if host not in self._schemes:
            self._schemes[host] = url.partition(":")[0]
        return host

    def url(self, request: ScheduledRequest) -> str | None:
        """Return the URL of an internal request; None if it is answered from the cache."""
        if not request.is_robots:
            return self._redirected[request.number].urls[-1]
        host = request.host
        url = f"{self._schemes[host]}://{host}/robots.txt"
        if self._obey:
            known = self._robots.load(host)
            if known is None:
                return url
        else:
            self._robots.allow_all(host)
        self._scheduler.finish(request, Response(url, datetime.now(UTC)))
        self._publish(host)
        return None

    def handle(self, request: ScheduledRequest, response: Response) -> None:
        """Follow the redirect in a response, or take the response for the robots.txt."""
        fetch = self._redirected.pop(request.number, None)
        if fetch is None:
            fetch = _RobotsFetch(request.host, [response.url])
        location = response.location
        if location is None or location in fetch.urls or len(fetch.urls) > MAX_REDIRECTS:
            self._robots.learn(fetch.host, response)
            self._publish(fetch.host)
            return
        fetch.urls.append(location)
        self._last_number -= 1
        self._redirected[self._last_number] = fetch
        self._scheduler.offer(self._last_number, self.host(location), internal=True)

    def drop(self, number: int) -> None:
        """Give up a redirect to a host that will not be asked any more."""
        fetch = self._redirected.pop(number)
        failed = Response(fetch.urls[-1], datetime.now(UTC), fault=Fault.UNREACHABLE)
        self._robots.learn(fetch.host, failed)
        self._publish(fetch.host)

    def _publish(self, host: str) -> None:
        known = self._robots.known(host)
        if not known.reached:
            _log.info("The robots.txt of %s cannot be fetched (%s)", host, known.fault)
        self._scheduler.set_robots(host, self._robots.delay(host), known.lifetime)
        self._on_robots(f"{self._schemes[host]}://{host}/", known.robots)
