"""The cache of robots.txt files of all hosts; it survives restarts.

The key of a file is its authority: a host and perhaps a port. A file is valid
for as long as RFC 9309 allows; the store keeps it as the note
`robots:<authority>`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import NamedTuple

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.store import Store
from lycosa.web.robots import MAX_LIFETIME_SECONDS, Robots, RobotsOutcome, interpret_outcome

_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)


def authority(url: str) -> str:
    """Return the host of a canonical URL, with its port unless it is the default one.

    >>> authority("http://a.example:8080/b"), authority("https://a.example/")
    ('a.example:8080', 'a.example')
    """
    start = url.index("//") + 2
    return url[start : url.index("/", start)]


class KnownRobots(NamedTuple):
    """The robots.txt of a host, or that it could not be fetched."""

    robots: Robots
    """The rules that apply."""
    lifetime: float
    """Seconds of validity."""
    reached: bool
    """Whether the host answered: with the file, or that it has none."""
    fault: str | None = None
    """Why it was not fetched; None if it was."""


class Refusal(NamedTuple):
    """Why a URL is not requested: the reason it is counted under, and the fault."""

    reason: str
    fault: str


_DISALLOWED = Refusal("robots", Fault.ROBOTS)


class RobotsCache:
    r"""Decides by the robots.txt of its host whether a URL may be requested.

    `agent` is the product name to match in the files. `store` keeps the files
    across restarts; without one they are fetched again. `clock` returns
    seconds since the epoch.

    >>> from datetime import UTC, datetime
    >>> robots = RobotsCache("lycosa")
    >>> body = b"User-agent: *\nDisallow: /private/"
    >>> response = Response("http://a.example/robots.txt", datetime.now(UTC), 200, body=body)
    >>> robots.learn("a.example", response).reached
    True
    >>> robots.allows("http://a.example/private/x"), robots.allows("http://a.example/")
    (False, True)
    """

    def __init__(
        self,
        agent: str,
        store: Store | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._agent = agent
        self._store = store
        self._clock = clock
        self._known: dict[str, KnownRobots] = {}
        self._forgotten: set[str] = set()

    def forget(self, host: str) -> None:
        """Fetch the robots.txt of a host again, even if the stored one is valid."""
        self._forgotten.add(host)

    def allows(self, url: str) -> bool:
        """Return whether a URL may be requested; a host without a known robots.txt allows all."""
        return self.refusal(url) is None

    def refusal(self, url: str) -> Refusal | None:
        """Return why a URL may not be requested; None if it may."""
        known = self._known.get(authority(url))
        if known is None or known.robots.allows(url, self._agent):
            return None
        if known.reached:
            return _DISALLOWED
        return Refusal("robots-unreachable", known.fault or Fault.ROBOTS)

    def is_known(self, host: str) -> bool:
        """Return whether the robots.txt of a host was fetched or loaded."""
        return host in self._known

    def known(self, host: str) -> KnownRobots:
        """Return the robots.txt of a host."""
        return self._known[host]

    def delay(self, host: str) -> float | None:
        """Return the Crawl-delay of a host; None if it has none."""
        return self._known[host].robots.delay(self._agent)

    def load(self, host: str) -> KnownRobots | None:
        """Load the robots.txt that an earlier run stored; None if there is none that is valid."""
        note = self._store.get(f"robots:{host}") if self._store is not None else None
        now = self._clock()
        if host in self._forgotten or note is None:
            return None
        if not 0 < note["until"] - now <= MAX_LIFETIME_SECONDS:
            # It has expired, or it was written by a clock that was set back since.
            return None
        since = min(note["since"] or now, now)
        outcome = interpret_outcome(
            note["status"], note["body"].encode("latin-1"), unreachable_for=now - since
        )._replace(lifetime=note["until"] - now)
        return self._keep(host, outcome, note.get("fault"))

    def learn(self, host: str, response: Response) -> KnownRobots:
        """Store the response, after redirects, to a request for a robots.txt."""
        self._forgotten.discard(host)
        now = self._clock()
        before = self._store.get(f"robots:{host}") if self._store is not None else None
        since = min((before or {}).get("since") or now, now)
        age = _MAX_AGE.search(response.header("Cache-Control"))
        status = None if response.fault else response.status
        outcome = interpret_outcome(
            status,
            response.body,
            max_age=float(age[1]) if age else None,
            unreachable_for=now - since,
        )
        if self._store is not None:
            note = {
                "status": status,
                "body": outcome.robots.body.decode("latin-1") if outcome.reached else "",
                "until": now + outcome.lifetime,
                "since": None if outcome.reached else since,
                "fault": response.fault,
            }
            self._store.put(f"robots:{host}", note)
        return self._keep(host, outcome, response.fault)

    def allow_all(self, host: str) -> None:
        """Act as if the robots.txt of a host allowed everything."""
        self._known[host] = KnownRobots(Robots.allow_all(), float("inf"), reached=True)

    def _keep(self, host: str, outcome: RobotsOutcome, fault: str | None) -> KnownRobots:
        self._known[host] = KnownRobots(outcome.robots, outcome.lifetime, outcome.reached, fault)
        return self._known[host]
