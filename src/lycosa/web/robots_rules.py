"""The rules of a robots.txt for one robot, arranged for matching (RFC 9309, 2.2.2).

Of the rules that match a path the one with the most octets wins, and of two as
long the one that allows. A file may have 40,000 rules, and every URL of the site
is matched against it, so no rule is tried that cannot match:

* a rule without a `*` is found by looking up the path cut to each length of rules;
* a rule with one is found by a short string that every matching path contains, its
  key, which is looked up at every position of the path. Of a rule's own strings
  the key is the one that the fewest rules have.

Whether a rule that was found matches takes one pass over the path, without
backtracking.

>>> rules = RobotsRules([("/a", False), ("/a*.html$", True)])
>>> [rules.allows(path) for path in ("/a/x", "/a/x.html", "/b")]
[False, True, True]
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

MAX_SCANNED_RULES = 32
"""So many rules with a `*` are tried one by one, which is faster than looking up their keys."""
MAX_KEY_OCTETS = 16
"""The longest key of a rule; keys have a power of two of octets."""

_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
# `*` and `$` are special in rules: as characters they are always percent-encoded.
_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?\[\]@!&'()+,;=]")
_IN_QUERY = str.maketrans({c: f"%{ord(c):02X}" for c in ":/?[]@"})


class RobotsRules:
    """The rules of one robot, `rules`: patterns as they are written, and whether they allow."""

    __slots__ = ("_globs", "_index", "_lengths", "_prefixes", "_wholes")

    def __init__(self, rules: Iterable[tuple[str, bool]]) -> None:
        self._prefixes: dict[str, bool] = {}
        self._wholes: dict[str, bool] = {}
        globs: dict[str, bool] = {}
        for rule, allow in rules:
            for pattern in _spellings(normalise_rule(rule)):
                if "*" in pattern:
                    kind, key = globs, pattern
                elif pattern.endswith("$"):
                    kind, key = self._wholes, pattern[:-1]
                else:
                    kind, key = self._prefixes, pattern
                kind[key] = allow or kind.get(key, False)
        self._lengths = sorted({len(prefix) for prefix in self._prefixes}, reverse=True)
        ranked = sorted((_Glob.of(*item) for item in globs.items()), reverse=True)
        self._globs: list[_Glob] | None = ranked
        self._index: _GlobIndex | None = None
        if len(ranked) > MAX_SCANNED_RULES:
            self._globs, self._index = None, _GlobIndex(ranked)

    def allows(self, path: str) -> bool:
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
                if length <= len(path) and (start := path[:length]) in prefixes:
                    best = _rank(length, prefixes[start])
                    break
        if self._index is not None:
            return self._index.best(path, best)
        for glob in self._globs or ():
            if glob.rank <= best:
                break
            if glob.matches(path):
                return glob.rank
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
    tail: str

    @classmethod
    def of(cls, pattern: str, allow: bool) -> _Glob:
        head, *pieces = pattern.removesuffix("$").split("*")
        longest = max(head, *pieces, key=len)
        tail = pieces.pop() if pattern.endswith("$") else ""
        rank = _rank(len(pattern), allow)
        return cls(rank, longest, head, tuple(filter(None, pieces)), tail)

    @property
    def literals(self) -> Iterator[str]:
        """The strings that every matching path contains."""
        yield self.head
        yield from self.pieces
        yield self.tail

    def matches(self, path: str) -> bool:
        _, longest, head, pieces, tail = self
        if longest not in path or not path.startswith(head):
            return False
        # The first position where a piece fits leaves the most room for the rest, so
        # one pass without backtracking decides.
        at = len(head)
        for piece in pieces:
            at = path.find(piece, at)
            if at < 0:
                return False
            at += len(piece)
        return at + len(tail) <= len(path) and path.endswith(tail)


class _GlobIndex:
    """Rules with a `*` by their keys; `globs` are the rules, those of the highest rank first."""

    __slots__ = ("_by_key", "_sizes")

    def __init__(self, globs: Iterable[_Glob]) -> None:
        candidates = [(glob, set(_key_candidates(glob))) for glob in globs]
        counts = Counter(key for _, keys in candidates for key in keys)
        self._by_key: dict[str, list[_Glob]] = defaultdict(list)
        for glob, keys in candidates:
            # The empty string, of a rule such as `*`, is a part of every path.
            rarest = min(keys, key=lambda key: (counts[key], -len(key), key), default="")
            self._by_key[rarest].append(glob)
        self._sizes = sorted({len(key) for key in self._by_key})

    def best(self, path: str, best: int) -> int:
        """Return the rank of the best matching rule, if it is higher than `best`."""
        by_key = self._by_key
        for size in self._sizes:
            ends = range(size, len(path) + 1) if size else (0,)
            for key in by_key.keys() & {path[end - size : end] for end in ends}:
                for glob in by_key[key]:
                    if glob.rank <= best:
                        break
                    if glob.matches(path):
                        best = glob.rank
                        break
        return best


def _key_candidates(glob: _Glob) -> Iterator[str]:
    """Yield the first and the last octets of each literal of a rule."""
    for literal in glob.literals:
        if literal:
            size = min(1 << (len(literal).bit_length() - 1), MAX_KEY_OCTETS)
            yield literal[:size]
            yield literal[-size:]


def normalise_rule(rule: str) -> str:
    """Return the one spelling of a rule, whose `*` and last `$` stay."""
    start, anchor = (rule[:-1], "$") if rule.endswith("$") else (rule, "")
    return "*".join(map(normalise, start.split("*"))) + anchor


def normalise(octets: str) -> str:
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
