"""Parser and matcher of robots.txt (RFC 9309).

A file consists of groups of rules; a robot obeys all groups that name it
together, or else the groups of `*`. Of the rules that match a URL the one with
the most octets wins, and of two as long the one that allows. This module
fetches nothing: `interpret_outcome` decides what a response, or none, means,
and for how long.
"""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

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
_DELAY = re.compile(r"\d+\.?\d*|\.\d+", re.ASCII)
_ORIGIN = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*")
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
# `*` and `$` are special in rules: as characters they are always percent-encoded.
_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?\[\]@!&'()+,;=]")
_IN_QUERY = str.maketrans({c: f"%{ord(c):02X}" for c in ":/?[]@"})


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
    _rules: dict[str, _Rules] = field(init=False, repr=False, compare=False, default_factory=dict)

    @classmethod
    def parse(cls, body: bytes) -> Robots:
        """Parse the bytes of a file; no input raises."""
        body = _whole_lines(body)
        groups: dict[str, list[_Group]] = {}
        sitemaps: dict[str, None] = {}
        group: _Group | None = None
        naming = False
        for name, value in _records(body):
            if name == "agent":
                if group is None or not naming:
                    group = _Group()
                naming = True
                named = groups.setdefault(_token(value), [])
                if not named or named[-1] is not group:
                    named.append(group)
            elif name == "sitemap":
                # A sitemap belongs to the file; by the standard it does not end a group.
                if value:
                    sitemaps[value.encode("latin-1").decode(errors="replace")] = None
            elif group is not None:
                naming = False
                group.add(name, value)
        return cls(body, tuple(sitemaps), groups)

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
        return path == "/robots.txt" or self._of(agent).allow(path)

    def delay(self, agent: str) -> float | None:
        """Return the crawl delay for a robot in seconds; None if there is none."""
        return self._of(agent).delay

    def _of(self, agent: str) -> _Rules:
        rules = self._rules.get(agent)
        if rules is None:
            # Neither a name without letters has a token, nor an empty User-agent line.
            named = self._groups.get(_token(agent) or "*")
            rules = self._rules[agent] = _Rules(named or self._groups.get("*", []))
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


class _Group:
    """The rules under some User-agent lines, as they are written."""

    __slots__ = ("delay", "rules")

    def __init__(self) -> None:
        self.rules: list[tuple[str, bool]] = []
        self.delay: float | None = None

    def add(self, name: str, value: str) -> None:
        if name == "delay":
            if _DELAY.fullmatch(value) and math.isfinite(seconds := float(value)):
                self.delay = max(seconds, self.delay or 0.0)
        elif value:
            self.rules.append((value, name == "allow"))


class _Rules:
    """The rules of one robot, arranged for matching.

    Most rules are plain prefixes of paths. Those are found by looking up the
    path cut to each of their lengths; only rules with a `*` are tried one by one.
    """

    __slots__ = ("_globs", "_lengths", "_prefixes", "_wholes", "delay")

    def __init__(self, groups: Iterable[_Group]) -> None:
        self._prefixes: dict[str, bool] = {}
        self._wholes: dict[str, bool] = {}
        globs: dict[str, bool] = {}
        delays = []
        for group in groups:
            if group.delay is not None:
                delays.append(group.delay)
            for rule, allow in group.rules:
                for pattern in _spellings(_normalise_rule(rule)):
                    if "*" in pattern:
                        kind, key = globs, pattern
                    elif pattern.endswith("$"):
                        kind, key = self._wholes, pattern[:-1]
                    else:
                        kind, key = self._prefixes, pattern
                    kind[key] = allow or kind.get(key, False)
        self.delay = max(delays, default=None)
        self._lengths = sorted({len(prefix) for prefix in self._prefixes}, reverse=True)
        self._globs = [_Glob.of(pattern, allow) for pattern, allow in globs.items()]
        self._globs.sort(key=lambda glob: glob.rank, reverse=True)

    def allow(self, path: str) -> bool:
        """Return the verdict of the best rule that matches a normalised path."""
        best = self._best(path)
        if "?" in path:
            for other in _spellings(path)[1:]:
                best = max(best, self._best(other))
        return best % 2 == 1

    def _best(self, path: str) -> int:
        best = _NO_RULE
        if path in self._wholes:
            best = _rank(len(path) + 1, self._wholes[path])
        else:
            prefixes = self._prefixes
            for length in self._lengths:
                if (start := path[:length]) in prefixes:
                    best = _rank(len(start), prefixes[start])
                    break
        for rank, longest, head, pieces, tail in self._globs:
            if rank <= best:
                break
            if (
                longest in path
                and path.startswith(head)
                and _matches_rest(path, len(head), pieces, tail)
            ):
                return rank
        return best


def _rank(octets: int, allow: bool) -> int:
    """Return the rank of a rule: by octets, then by what allows; odd ranks allow."""
    return 2 * octets + allow


_NO_RULE = _rank(0, allow=True)


class _Glob(NamedTuple):
    """A rule with a `*`: a prefix, pieces in order, and a suffix if it ends with `$`."""

    rank: int
    longest: str
    """The longest of the parts: most paths lack it, so it is the cheapest test."""
    head: str
    pieces: tuple[str, ...]
    tail: str | None

    @classmethod
    def of(cls, pattern: str, allow: bool) -> _Glob:
        head, *pieces = pattern.removesuffix("$").split("*")
        longest = max(head, *pieces, key=len)
        tail = pieces.pop() if pattern.endswith("$") else None
        rank = _rank(len(pattern), allow)
        return cls(rank, longest, head, tuple(filter(None, pieces)), tail)


def _matches_rest(path: str, at: int, pieces: tuple[str, ...], tail: str | None) -> bool:
    # The first position where a piece fits leaves the most room for the rest, so
    # one pass without backtracking decides.
    for piece in pieces:
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return tail is None or (at + len(tail) <= len(path) and path.endswith(tail))


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
    return _normalise(path)


def _normalise_rule(rule: str) -> str:
    start, anchor = (rule[:-1], "$") if rule.endswith("$") else (rule, "")
    return "*".join(map(_normalise, start.split("*"))) + anchor


def _normalise(octets: str) -> str:
    """Return the one spelling of octets that mean the same (RFC 9309, 2.2.2)."""
    return _ESCAPED.sub(_normalise_octet, octets)


def _normalise_octet(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) == 1:
        return f"%{ord(found):02X}"
    character = chr(int(found[1:], 16))
    return character if character in _UNRESERVED else found.upper()


def _spellings(path: str) -> tuple[str, ...]:
    """Return the path, and the form that the standard's table gives to a URL in a query.

    The table has `?u=http://b` match `?u=http%3A%2F%2Fb`. A rule may reach the
    query through a `*` without showing where the query begins, so both are tried.
    """
    start, mark, query = path.partition("?")
    encoded = query.translate(_IN_QUERY)
    return (path,) if encoded == query else (path, start + mark + encoded)
