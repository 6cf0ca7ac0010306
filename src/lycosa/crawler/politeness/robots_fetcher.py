"""Fetching robots.txt: a request of its own before the first page of a host.

Redirects are followed wherever they lead, five in a row (RFC 9309, 2.3.1.2). A
host whose file was fetched by an earlier run is not asked again while that holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.politeness.robots_cache import RobotsCache, authority
from lycosa.crawler.politeness.scheduler import ROBOTS, Item, Scheduler
from lycosa.web.robots import Robots

_HOPS = 5


@dataclass(slots=True)
class _Errand:
    """Whose robots.txt is looked for, and where redirects have led."""

    host: str
    places: list[str]


class RobotsFetcher:
    """Fetches the robots.txt of every host that is about to be asked for something.

    `obey` is whether they are fetched at all; `learned` is called with the
    root of a host and what its file says.
    """

    def __init__(
        self,
        hosts: Scheduler,
        rules: RobotsCache,
        *,
        obey: bool,
        learned: Callable[[str, Robots], None],
    ) -> None:
        self._hosts = hosts
        self._rules = rules
        self._obey = obey
        self._learned = learned
        self._schemes: dict[str, str] = {}
        self._under_way: dict[int, _Errand] = {}  # by the number the hosts know them by
        self._last = ROBOTS

    def host(self, url: str) -> str:
        """The host of a URL that will be asked; its robots.txt is asked for by the same scheme."""
        host = authority(url)
        if host not in self._schemes:
            self._schemes[host] = url.partition(":")[0]
        return host

    def url(self, item: Item) -> str | None:
        """What to ask for; None if there is nothing to ask, and the item has ended."""
        if not item.is_robots:
            return self._under_way[item.number].places[-1]
        host = item.host
        url = f"{self._schemes[host]}://{host}/robots.txt"
        if self._obey:
            known = self._rules.remembered(host)
            if known is None:
                return url
        else:
            self._rules.open(host)
        self._hosts.ended(item, Response(url, datetime.now(UTC)))
        self._tell(host)
        return None

    def answered(self, item: Item, fetched: Response) -> None:
        """The last word on a request for a robots.txt."""
        errand = self._under_way.pop(item.number, None) or _Errand(item.host, [fetched.url])
        place = fetched.location
        if place is None or place in errand.places or len(errand.places) > _HOPS:
            self._rules.learn(errand.host, fetched)
            self._tell(errand.host)
            return
        errand.places.append(place)
        self._last -= 1
        self._under_way[self._last] = errand
        self._hosts.offer(self._last, self.host(place), errand=True)

    def dropped(self, number: int) -> None:
        """A host to which a redirect led is not asked any more."""
        errand = self._under_way.pop(number)
        gone = Response(errand.places[-1], datetime.now(UTC), fault=Fault.UNREACHABLE)
        self._rules.learn(errand.host, gone)
        self._tell(errand.host)

    def _tell(self, host: str) -> None:
        known = self._rules.known(host)
        self._hosts.known(host, self._rules.delay(host), known.lifetime)
        self._learned(f"{self._schemes[host]}://{host}/", known.robots)
