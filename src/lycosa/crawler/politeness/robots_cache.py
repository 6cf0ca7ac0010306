"""What the robots.txt files of all hosts say, remembered across restarts.

A file is known by the authority it stands for, a host and perhaps a port. One
that was fetched is obeyed for as long as RFC 9309 lets it be; the store keeps
it as the note `robots:<authority>`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import NamedTuple

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.web.robots import Robots, RobotsOutcome, interpret_outcome

_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)


def authority(url: str) -> str:
    """The host of a canonical URL, with its port if it is not the usual one.

    >>> authority("http://a.example:8080/b"), authority("https://a.example/")
    ('a.example:8080', 'a.example')
    """
    start = url.index("//") + 2
    return url[start : url.index("/", start)]


class Known(NamedTuple):
    """A robots.txt, how long it is obeyed, whether the host could be asked for it, why not."""

    robots: Robots
    lifetime: float
    reached: bool
    fault: str | None = None


class Refusal(NamedTuple):
    """Why a URL is not asked for: in a word, and as a fault."""

    reason: str
    fault: str


_ASKED_NOT_TO = Refusal("robots", Fault.ROBOTS)


class RobotsCache:
    r"""Who may be asked for what.

    >>> from datetime import UTC, datetime
    >>> rules = RobotsCache("lycosa")
    >>> body = b"User-agent: *\nDisallow: /private/"
    >>> found = Response("http://a.example/robots.txt", datetime.now(UTC), 200, body=body)
    >>> rules.learn("a.example", found).reached
    True
    >>> rules.allows("http://a.example/private/x"), rules.allows("http://a.example/")
    (False, True)
    """

    def __init__(
        self,
        agent: str,
        store: SqliteStore | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._agent = agent
        self._store = store
        self._clock = clock
        self._known: dict[str, Known] = {}

    def allows(self, url: str) -> bool:
        """Whether a URL may be asked for, as far as is known."""
        return self.refusal(url) is None

    def refusal(self, url: str) -> Refusal | None:
        """Why a URL may not be asked for."""
        known = self._known.get(authority(url))
        if known is None or known.robots.allows(url, self._agent):
            return None
        if known.reached:
            return _ASKED_NOT_TO
        return Refusal("robots-unreachable", known.fault or Fault.ROBOTS)

    def known(self, host: str) -> Known:
        """What was learned of a host."""
        return self._known[host]

    def delay(self, host: str) -> float | None:
        """The seconds between two requests that a host asks for."""
        return self._known[host].robots.delay(self._agent)

    def remembered(self, host: str) -> Known | None:
        """What an earlier run learned of a host, if it still holds."""
        note = self._store.get(f"robots:{host}") if self._store is not None else None
        now = self._clock()
        if note is None or note["until"] <= now:
            return None
        since = note["since"] or now
        outcome = interpret_outcome(
            note["status"], note["body"].encode("latin-1"), unreachable_for=now - since
        )._replace(lifetime=note["until"] - now)
        return self._keep(host, outcome, note.get("fault"))

    def learn(self, host: str, answer: Response) -> Known:
        """Take in what was answered, after redirects, to the request for a robots.txt."""
        now = self._clock()
        before = self._store.get(f"robots:{host}") if self._store is not None else None
        since = (before or {}).get("since") or now
        age = _MAX_AGE.search(answer.header("Cache-Control"))
        status = None if answer.fault else answer.status
        outcome = interpret_outcome(
            status,
            answer.body,
            max_age=float(age[1]) if age else None,
            unreachable_for=now - since,
        )
        if self._store is not None:
            note = {
                "status": status,
                "body": outcome.robots.body.decode("latin-1") if outcome.reached else "",
                "until": now + outcome.lifetime,
                "since": None if outcome.reached else since,
                "fault": answer.fault,
            }
            self._store.put(f"robots:{host}", note)
        return self._keep(host, outcome, answer.fault)

    def open(self, host: str) -> None:
        """Do as if a host allowed everything."""
        self._known[host] = Known(Robots.allow_all(), float("inf"), reached=True)

    def _keep(self, host: str, outcome: RobotsOutcome, fault: str | None) -> Known:
        self._known[host] = Known(outcome.robots, outcome.lifetime, outcome.reached, fault)
        return self._known[host]
