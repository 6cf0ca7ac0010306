"""What a site lets robots fetch: robots.txt as RFC 9309 reads it.

A file is groups of rules; a robot obeys the groups that name it, all of them
together, or else those for `*`. Of the rules that match a URL the one with the
most octets wins, and of two as long the one that allows. Nothing here fetches
anything: `fate` says what an answer, or none, means, and for how long.
"""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

LIMIT = 500 * 1024
"""Bytes of a robots.txt that are read; the standard asks for no fewer."""
REDIRECTS = 5
"""Hops to follow, at least, before robots.txt counts as unavailable."""
DAY = 86_400.0
"""The longest a robots.txt that was reached may be used, in seconds."""
BRIEFEST = 300.0
"""And the shortest, whatever its Cache-Control says."""
RETRY = 3_600.0
"""When to ask again for one that could not be reached."""
PATIENCE = 30 * DAY
"""After so long out of reach a robots.txt is taken to be gone."""

# Without spaces and hyphens, which people forget; and the misspellings that
# the parsers of search engines forgive.
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
# `*` and `$` are special in rules: as characters they are always written encoded.
_ODD = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?\[\]@!&'()+,;=]")
_IN_QUERY = str.maketrans({c: f"%{ord(c):02X}" for c in ":/?[]@"})


@dataclass(frozen=True, slots=True)
class Robots:
    r"""A robots.txt: what it allows, how long it asks to wait, where its sitemaps are.

    Two with the same `body` are equal, and `parse(robots.body)` is the same
    one again: the body is all there is to store.

    >>> robots = Robots.parse(b"User-agent: *\nDisallow: /x\nAllow: /x/*.html$\nCrawl-delay: 2")
    >>> [robots.allows("http://a.example/" + path, "Lycosa") for path in ("x/a", "x/a.html", "y")]
    [False, True, True]
    >>> robots.delay("Lycosa")
    2.0
    """

    body: bytes
    """What was read of the file: its first 500 KiB, without a torn last line."""
    sitemaps: tuple[str, ...] = field(compare=False)
    """The addresses of its sitemaps, as they stand."""
    _groups: dict[str, list[_Group]] = field(repr=False, compare=False)
    _rules: dict[str, _Rules] = field(init=False, repr=False, compare=False, default_factory=dict)

    @classmethod
    def parse(cls, body: bytes) -> Robots:
        """The meaning of a file's bytes, whatever they are."""
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
                mine = groups.setdefault(_token(value), [])
                if not mine or mine[-1] is not group:
                    mine.append(group)
            elif name == "sitemap":
                # Belongs to the file, and by the standard must not end a group.
                if value:
                    sitemaps[value.encode("latin-1").decode(errors="replace")] = None
            elif group is not None:
                naming = False
                group.add(name, value)
        return cls(body, tuple(sitemaps), groups)

    @classmethod
    def everything(cls) -> Robots:
        """No rules: everything is allowed."""
        return cls.parse(b"")

    @classmethod
    def nothing(cls) -> Robots:
        """Nothing is allowed, except robots.txt itself."""
        return cls.parse(b"User-agent: *\nDisallow: /\n")

    def allows(self, url: str, agent: str) -> bool:
        """Whether a robot of this name may fetch a URL (absolute, dot segments resolved).

        Of the name counts the product token, the letters it begins with:
        `Lycosa/1.0 (+http://…)` is `lycosa`.
        """
        path = _path(url)
        return path == "/robots.txt" or self._of(agent).allow(path)

    def delay(self, agent: str) -> float | None:
        """The seconds it asks this robot to wait between requests, if it does."""
        return self._of(agent).delay

    def _of(self, agent: str) -> _Rules:
        rules = self._rules.get(agent)
        if rules is None:
            # A name without letters has no token, and nor has a line that names nobody.
            named = self._groups.get(_token(agent) or "*")
            rules = self._rules[agent] = _Rules(named or self._groups.get("*", []))
        return rules


class Fate(NamedTuple):
    """What to obey, for how many seconds, and whether the site was reached at all."""

    robots: Robots
    lifetime: float
    reached: bool


def fate(
    status: int | None,
    body: bytes = b"",
    *,
    max_age: float | None = None,
    unreachable_for: float = 0.0,
) -> Fate:
    """What the outcome of fetching robots.txt means (RFC 9309, 2.3.1 and 2.4).

    `status` is that of the last answer after redirects, None if there was no
    answer; `max_age` is that of its Cache-Control. A caller that notes when
    outcomes began to be not `reached` gives the seconds since: a site that has
    been out of reach for a month is treated as one without a robots.txt. 429 is
    a 4xx by number, but says "not now", which is no permission: it counts as
    out of reach.

    >>> fate(404).robots.allows("http://a.example/", "Lycosa"), fate(404).lifetime
    (True, 86400.0)
    >>> fate(None).robots.allows("http://a.example/", "Lycosa"), fate(None).lifetime
    (False, 3600.0)
    """
    if status is not None and 200 <= status < 500 and status != 429:
        lifetime = DAY if max_age is None else min(DAY, max(BRIEFEST, max_age))
        found = Robots.parse(body) if status < 300 else Robots.everything()
        return Fate(found, lifetime, reached=True)
    given_up = unreachable_for >= PATIENCE
    return Fate(Robots.everything() if given_up else Robots.nothing(), RETRY, reached=False)


class _Group:
    """The rules under some User-agent lines, as they stand."""

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
    """The rules for one robot, arranged for matching.

    Most rules are plain beginnings of paths. Those are found by looking up the
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
                for pattern in _spellings(_normal_rule(rule)):
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
        """The verdict of the best rule that matches a normal path."""
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
        for rank, word, head, pieces, tail in self._globs:
            if rank <= best:
                break
            if word in path and path.startswith(head) and _goes_on(path, len(head), pieces, tail):
                return rank
        return best


def _rank(octets: int, allow: bool) -> int:
    """More octets go first, then what allows: odd ranks allow."""
    return 2 * octets + allow


_NO_RULE = _rank(0, allow=True)


class _Glob(NamedTuple):
    """A rule with a `*`: what comes first, then in this order, then last.

    `word`, the longest of these, is missing from most paths: the cheapest test.
    """

    rank: int
    word: str
    head: str
    pieces: tuple[str, ...]
    tail: str | None

    @classmethod
    def of(cls, pattern: str, allow: bool) -> _Glob:
        head, *pieces = pattern.removesuffix("$").split("*")
        word = max(head, *pieces, key=len)
        tail = pieces.pop() if pattern.endswith("$") else None
        rank = _rank(len(pattern), allow)
        return cls(rank, word, head, tuple(filter(None, pieces)), tail)


def _goes_on(path: str, at: int, pieces: tuple[str, ...], tail: str | None) -> bool:
    # The first place where a piece fits leaves the most room for the rest, so
    # one pass decides and nothing is ever tried twice.
    for piece in pieces:
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return tail is None or (at + len(tail) <= len(path) and path.endswith(tail))


def _whole_lines(body: bytes) -> bytes:
    if len(body) <= LIMIT:
        return bytes(body)
    end = max(body.rfind(b"\n", 0, LIMIT + 1), body.rfind(b"\r", 0, LIMIT + 1))
    return bytes(body[: max(end, 0)])


def _records(body: bytes) -> Iterator[tuple[str, str]]:
    """The known fields and their values, one character for every octet."""
    for line in body.removeprefix(BOM_UTF8).splitlines():
        key, colon, value = line.partition(b"#")[0].partition(b":")
        if not colon:
            # Some forget the colon; more than two words are prose.
            words = key.split()
            if len(words) != 2:
                continue
            key, value = words
        name = _FIELDS.get(key.strip().lower().translate(None, b" -"))
        if name:
            yield name, value.strip().decode("latin-1")


def _token(agent: str) -> str:
    found = _TOKEN.match(agent)
    return found[0].lower() if found else ""


def _path(url: str) -> str:
    origin = _ORIGIN.match(url)
    path = url[origin.end() :] if origin else url
    path = path.partition("#")[0]
    if not path.startswith("/"):
        path = "/" + path
    if not path.isascii():
        path = path.encode(errors="surrogatepass").decode("latin-1")
    return _normal(path)


def _normal_rule(rule: str) -> str:
    start, anchor = (rule[:-1], "$") if rule.endswith("$") else (rule, "")
    return "*".join(map(_normal, start.split("*"))) + anchor


def _normal(octets: str) -> str:
    """One spelling for octets that mean the same (RFC 9309, 2.2.2)."""
    return _ODD.sub(_normal_octet, octets)


def _normal_octet(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) == 1:
        return f"%{ord(found):02X}"
    character = chr(int(found[1:], 16))
    return character if character in _UNRESERVED else found.upper()


def _spellings(path: str) -> tuple[str, ...]:
    """The path, and the form the standard's table gives to an address in a query.

    The table has `?u=http://b` match `?u=http%3A%2F%2Fb`. A rule may reach the
    query through a `*` without showing where it begins, so both are tried.
    """
    start, mark, query = path.partition("?")
    encoded = query.translate(_IN_QUERY)
    return (path,) if encoded == query else (path, start + mark + encoded)
