"""Parser of robots.txt (RFC 9309).

A file consists of groups of rules; a robot obeys all groups that name it
together, or else the groups of `*`. `Crawl-delay`, which the standard does not
have, holds for the robots that its group names above it and does not end the
names of a group; no more does a sitemap. `robots_rules` matches URLs. This
module fetches nothing: `interpret_outcome` decides what a response, or none,
means, and for how long.
"""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from lycosa.web.robots_rules import RobotsRules, normalise

MAX_ROBOTS_BYTES = 500 * 1024
"""Bytes of a robots.txt that are parsed; the standard requires at least as many."""
MAX_REDIRECTS = 5
"""Redirects to follow before robots.txt counts as unavailable; the standard's minimum."""
DAY_SECONDS = 86_400.0
MAX_LIFETIME_SECONDS = DAY_SECONDS
"""The longest time that a fetched robots.txt may be used."""
MIN_LIFETIME_SECONDS = 300.0
"""The shortest time that a fetched robots.txt is used, whatever its Cache-Control says."""
RETRY_SECONDS = 3_600.0
"""The time after which an unreachable robots.txt is requested again."""
GIVE_UP_SECONDS = 30 * DAY_SECONDS
"""After so long unreachable a robots.txt counts as absent."""

# Keys without spaces and hyphens, which are often left out; and the misspellings
# that the parsers of search engines accept.
_FIELDS = {
    b"useragent": "agent",
    b"allow": "allow",
    b"disallow": "disallow",
    b"dissallow": "disallow",
    b"disalow": "disallow",
    b"dissalow": "disallow",
    b"diasllow": "disallow",
    b"disallaw": "disallow",
    b"crawldelay": "delay",
    b"sitemap": "sitemap",
    b"sitemaps": "sitemap",
}
_TOKEN = re.compile(r"\*(?=\s|$)|[A-Za-z_-]*")
# Names in one line, perhaps with versions; a comma in anything else is a part of a remark.
_NAME = re.compile(r"\s*(?:\*|[A-Za-z_-]+(?:/[\w.]*)?)\s*", re.ASCII)
_Group: TypeAlias = list[tuple[str, bool]]  # rules as they are written, and whether they allow
_DELAY = re.compile(r"\d+\.?\d*|\.\d+", re.ASCII)
_ORIGIN = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*")


@dataclass(frozen=True, slots=True)
class Robots:
    r"""A parsed robots.txt: its rules, crawl delays and sitemaps. Make one with `parse`.

    Two with the same `body` are equal, and `parse(robots.body)` equals
    `robots`: to store one, store its body.

    >>> robots = Robots.parse(b"User-agent: *\nDisallow: /x\nAllow: /x/*.html$\nCrawl-delay: 2")
    >>> [robots.allows("http://a.example/" + path, "Lycosa") for path in ("x/a", "x/a.html", "y")]
    [False, True, True]
    >>> robots.delay("Lycosa")
    2.0
    """

    body: bytes
    """The parsed part of the file: its first 500 KiB, without an incomplete last line."""
    sitemaps: tuple[str, ...] = field(compare=False)
    """The URLs of its sitemaps, as they are written."""
    _groups: dict[str, list[_Group]] = field(repr=False, compare=False)
    _delays: dict[str, float] = field(repr=False, compare=False)
    _rules: dict[str, RobotsRules] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    @classmethod
    def parse(cls, body: bytes) -> Robots:
        """Parse the bytes of a file; no input raises."""
        body = _whole_lines(_transcode(body))
        groups: dict[str, list[_Group]] = {}
        sitemaps: dict[str, None] = {}
        group: _Group = []
        headers: list[list[str | float]] = []  # of each group the names and delays, in order
        naming = False
        for name, value in _records(body):
            if name == "agent":
                if not naming:
                    group = []
                    headers.append([])
                naming = True
                for token in _tokens(value):
                    headers[-1].append(token)
                    named = groups.setdefault(token, [])
                    if not named or named[-1] is not group:
                        named.append(group)
            elif name == "sitemap":
                if value:
                    sitemaps[value.encode("latin-1").decode(errors="replace")] = None
            elif name == "delay":
                valid = headers and _DELAY.fullmatch(value)
                if valid and math.isfinite(seconds := float(value)):
                    headers[-1].append(seconds)
            elif headers:
                naming = False
                if value:
                    group.append((value, name == "allow"))
        return cls(body, tuple(sitemaps), groups, _longest_delays(headers))

    @classmethod
    def allow_all(cls) -> Robots:
        """Return rules that allow everything."""
        return cls.parse(b"")

    @classmethod
    def disallow_all(cls) -> Robots:
        """Return rules that allow nothing except robots.txt."""
        return cls.parse(b"User-agent: *\nDisallow: /\n")

    def allows(self, url: str, agent: str) -> bool:
        """Return whether a robot may fetch a URL (absolute, dot segments resolved).

        `agent` is the robot's name, of which only the product token counts, the
        letters it begins with: `Lycosa/1.0 (+http://…)` is `lycosa`.
        """
        path = _path(url)
        return path == "/robots.txt" or self._rules_of(agent).allows(path)

    def delay(self, agent: str) -> float | None:
        """Return the crawl delay for a robot in seconds; None if there is none."""
        return self._delays.get(self._name(agent))

    def _name(self, agent: str) -> str:
        """Return the name by which the file addresses a robot."""
        # Neither a name without letters has a token, nor an empty User-agent line.
        token = _token(agent)
        return token if token and token in self._groups else "*"

    def _rules_of(self, agent: str) -> RobotsRules:
        rules = self._rules.get(agent)
        if rules is None:
            groups = self._groups.get(self._name(agent), ())
            rules = RobotsRules(rule for group in groups for rule in group)
            self._rules[agent] = rules
        return rules


class RobotsOutcome(NamedTuple):
    """The rules that follow from a request for robots.txt."""

    robots: Robots
    lifetime: float
    """The seconds for which the rules hold."""
    reached: bool
    """Whether the site gave a definite response."""


def interpret_outcome(
    status: int | None,
    body: bytes = b"",
    *,
    max_age: float | None = None,
    unreachable_for: float = 0.0,
) -> RobotsOutcome:
    """Return what the outcome of fetching robots.txt means (RFC 9309, 2.3.1 and 2.4).

    `status` is that of the last response after redirects, None if there was no
    response; `max_age` is that of its Cache-Control. `unreachable_for` is the
    time since outcomes ceased to be `reached`: a site that has been unreachable
    for a month is treated as one without a robots.txt. 429 is a 4xx by number,
    but means "not now", which is no permission: it counts as unreachable.

    >>> absent = interpret_outcome(404)
    >>> absent.robots.allows("http://a.example/", "Lycosa"), absent.lifetime
    (True, 86400.0)
    >>> unreachable = interpret_outcome(None)
    >>> unreachable.robots.allows("http://a.example/", "Lycosa"), unreachable.lifetime
    (False, 3600.0)
    """
    if status is not None and 200 <= status < 500 and status != 429:
        age = MAX_LIFETIME_SECONDS if max_age is None else max_age
        lifetime = min(MAX_LIFETIME_SECONDS, max(MIN_LIFETIME_SECONDS, age))
        found = Robots.parse(body) if status < 300 else Robots.allow_all()
        return RobotsOutcome(found, lifetime, reached=True)
    given_up = unreachable_for >= GIVE_UP_SECONDS
    found = Robots.allow_all() if given_up else Robots.disallow_all()
    return RobotsOutcome(found, RETRY_SECONDS, reached=False)


def _transcode(body: bytes) -> bytes:
    """Return the body as UTF-8 if its byte-order mark says that it is UTF-16."""
    for bom, codec in ((BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be")):
        if body.startswith(bom):
            # One character more than the limit shows that there is more.
            return body[2 : 2 * MAX_ROBOTS_BYTES + 4].decode(codec, "replace").encode()
    return body


def _whole_lines(body: bytes) -> bytes:
    """Return the lines of a body that are complete within the limit."""
    if len(body) <= MAX_ROBOTS_BYTES:
        return bytes(body)
    limit = MAX_ROBOTS_BYTES + 1
    end = max(body.rfind(b"\n", 0, limit), body.rfind(b"\r", 0, limit))
    return bytes(body[: max(end, 0)])


def _records(body: bytes) -> Iterator[tuple[str, str]]:
    """Yield the known fields and their values, one character for every octet."""
    for line in body.removeprefix(BOM_UTF8).splitlines():
        key, colon, value = line.partition(b"#")[0].partition(b":")
        if not colon:
            # Some files lack the colon; more than two words are prose.
            words = key.split()
            if len(words) != 2:
                continue
            key, value = words
        name = _FIELDS.get(key.strip().lower().translate(None, b" -"))
        if name:
            yield name, value.strip().decode("latin-1")


def _longest_delays(headers: Iterable[Sequence[str | float]]) -> dict[str, float]:
    """Return for each name the longest of the delays below it in its groups."""
    delays: dict[str, float] = {}
    for header in headers:
        longest = -1.0
        for line in reversed(header):
            if isinstance(line, float):
                longest = max(longest, line)
            elif longest >= 0:
                delays[line] = max(longest, delays.get(line, 0.0))
    return delays


def _tokens(value: str) -> list[str]:
    """Return the robots that a User-agent line names: one, or several with commas between."""
    names = value.split(",")
    if len(names) > 1 and all(map(_NAME.fullmatch, names)):
        return [_token(name.strip()) for name in names]
    return [_token(value)]


def _token(agent: str) -> str:
    """Return the product token of a robot's name, in lower case."""
    found = _TOKEN.match(agent)
    return found[0].lower() if found else ""


def _path(url: str) -> str:
    """Return the normalised path and query of a URL, one character for every octet."""
    origin = _ORIGIN.match(url)
    path = url[origin.end() :] if origin else url
    path = path.partition("#")[0]
    if not path.startswith("/"):
        path = "/" + path
    if not path.isascii():
        path = path.encode(errors="surrogatepass").decode("latin-1")
    return normalise(path)
