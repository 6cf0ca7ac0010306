"""Reasons why a URL is not requested: the scope, robots.txt, or the state of its host."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.robots_cache import authority
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.project.note_values import as_mapping, as_number
from lycosa.web.robots import Robots, interpret_outcome
from lycosa.web.urls import Scope, host_of

_DISALLOW_ALL = b"User-agent: *\nDisallow: /\n"
_NO_RULE = b"Disallow:"  # ends the list of agents as a rule does, and forbids nothing
_MAX_RULE_CHARACTERS = 200


class BlockReason(NamedTuple):
    """Why a URL is not requested: the kind, for programs, and a sentence."""

    kind: str
    words: str


class BlockReasons:
    """Finds the reasons in the job of a crawl and in its notes about hosts.

    `reader` opens the crawl, `job` has its settings; `clock` is another clock for tests.
    """

    def __init__(
        self, reader: CrawlReader, job: Job, clock: Callable[[], float] = time.time
    ) -> None:
        self._reader = reader
        self._job = job
        self._clock = clock
        self._hosts = as_mapping(reader.note("hosts"))
        self._saved = as_number(as_mapping(reader.note("hosts-saved")).get("at")) or 0.0
        self._robots: dict[str, tuple[Robots, bool]] = {}

    def of(self, url: str) -> list[BlockReason]:
        """Return the reasons why a canonical URL is not requested."""
        scope = self._job.followed
        found = [scope_reason(scope, url), self._forbidden(url), *self._host(authority(url))]
        return [obstacle for obstacle in found if obstacle is not None]

    def blocks(self, url: str) -> bool:
        """Return whether robots.txt or the host keeps a waiting URL from being requested."""
        robots, _ = self._known(authority(url))
        if not robots.allows(url, self._job.client.name):
            return True
        return any(one.kind in ("quarantine", "host-pages") for one in self._host(authority(url)))

    def _known(self, host: str) -> tuple[Robots, bool]:
        """Return the robots.txt of a host, and whether it could be fetched."""
        known = self._robots.get(host)
        if known is None:
            note = as_mapping(self._reader.note(f"robots:{host}"))
            known = Robots.allow_all(), True
            if note and self._job.robots:
                status, body = note.get("status"), str(note.get("body", ""))
                since = as_number(note.get("since")) or self._clock()
                outcome = interpret_outcome(
                    status if isinstance(status, int) else None,
                    body.encode("latin-1", "replace"),
                    unreachable_for=self._clock() - since,
                )
                known = outcome.robots, outcome.reached
            self._robots[host] = known
        return known

    def _forbidden(self, url: str) -> BlockReason | None:
        host, agent = authority(url), self._job.client.name
        robots, reached = self._known(host)
        if robots.allows(url, agent):
            return None
        if not reached:
            fault = as_mapping(self._reader.note(f"robots:{host}")).get("fault")
            why = f" ({fault_words(fault)})" if isinstance(fault, str) else ""
            words = f"The robots.txt of {host} could not be fetched{why}, so nothing is requested."
            return BlockReason("robots-unreachable", words)
        rule = forbidding_rule(robots.body, url, agent)
        by = f" by the rule {rule[:_MAX_RULE_CHARACTERS]!r}" if rule else ""
        return BlockReason("robots", f"The robots.txt of {host} forbids it{by}.")

    def _host(self, host: str) -> list[BlockReason]:
        note = as_mapping(self._hosts.get(host))
        tempo = as_mapping(note.get("tempo"))
        why = str(tempo.get("why") or "")
        reason = f" after {fault_words(why)}" if why else ""
        found = []
        if left := as_number(tempo.get("quarantine")):
            until = self._saved + left
            words = (
                f"The host {host} failed repeatedly and is in quarantine until {utc_text(until)}"
            )
            if until <= self._clock():
                words = f"The host {host} failed repeatedly and was in quarantine"
            found.append(BlockReason("quarantine", f"{words}{reason}."))
        most, pages = self._job.pace.pages, as_number(note.get("pages")) or 0.0
        if most is not None and pages >= most:
            words = (
                f"The host {host} has reached its limit of {most:,} pages: "
                f"{pages:,.0f} were requested."
            )
            found.append(BlockReason("host-pages", words))
        until = self._saved + (as_number(tempo.get("back-off")) or 0.0)
        if until > self._clock() and not found:
            words = f"The host {host} backs off until {utc_text(until)}{reason}."
            found.append(BlockReason("back-off", words))
        return found


def scope_reason(scope: Scope, url: str) -> BlockReason | None:
    """Return the rule of [scope] that excludes a canonical URL; None if none does.

    >>> print(scope_reason(Scope(exclude=("/x/", "/y/")), "http://a.example/y/z").words)
    It is out of scope: exclude in [scope] has '/y/'.
    """
    if scope.blocked.covers(url):
        return BlockReason("blocked", "The owner has blocked it: see lycosa exclusions.")
    if scope.domains and not Scope(domains=scope.domains).allows(url):
        listed = ", ".join(scope.domains[:5]) + (", …" if len(scope.domains) > 5 else "")
        words = f"domains in [scope], or the hosts of the seeds, are {listed}, not {host_of(url)}"
    elif scope.prefixes and not Scope(prefixes=scope.prefixes).allows(url):
        words = "it begins with none of the prefixes in [scope]"
    else:
        out = [one for one in scope.exclude if not Scope(exclude=(one,)).allows(url)]
        if not out:
            return None
        words = f"exclude in [scope] has {out[0]!r}"
    return BlockReason("scope", f"It is out of scope: {words}.")


def forbidding_rule(body: bytes, url: str, agent: str) -> str | None:
    r"""Return the line of a robots.txt that forbids a URL to a robot.

    >>> body = b"User-agent: *\nDisallow: /a\nDisallow: /a/b # not this\nDisallow: /c"
    >>> forbidding_rule(body, "http://a.example/a/b/c", "lycosa")
    'Disallow: /a/b'
    """
    lines = [line.partition(b"#")[0].strip() for line in body.splitlines()]

    def alone(before: bytes, line: bytes) -> bool:
        return Robots.parse(before + line).allows(url, "*")

    forbid = [k for k, line in enumerate(lines) if not alone(b"User-agent: *\n", line)]
    allow = {k for k, line in enumerate(lines) if alone(_DISALLOW_ALL, line)}
    # The longest rule that matches and applies to our agent.
    for k in sorted(forbid, key=lambda k: -len(lines[k].partition(b":")[2].strip())):
        others = allow.union(forbid) - {k}
        rest = [_NO_RULE if n in others else line for n, line in enumerate(lines)]
        if not Robots.parse(b"\n".join(rest)).allows(url, agent):
            return lines[k].decode("utf-8", "replace")
    return None


def fault_words(name: str) -> str:
    """Return what a fault means, as half a sentence; an unknown name is returned as it is.

    >>> fault_words("dns"), fault_words("503")
    ('the name of the host could not be looked up', '503')
    """
    words = next((fault.words.rstrip(".") for fault in Fault if fault == name), name)
    return words[:1].lower() + words[1:]


def utc_text(seconds: float) -> str:
    """Return a time as text.

    >>> utc_text(0)
    '1970-01-01 00:00:00 UTC'
    """
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return "an unknown time"
