"""Query syntax: parses a Boolean keyword query into a tree, and prints the tree.

    either  = both {"OR" both}
    both    = one {["AND"] one}
    one     = {"NOT"} [field ":"] (["+"] word ["*"] | range | '"' words '"' | "(" either ")")
    range   = [number] ".." [number]
    field   = "title" | "url" | "text", or the fields of the caller

A function splits text into words, so that one word of a query may be several:
with that of `lycosa.web.words`, e-mail is the phrase "e mail", and C++ is the word
c. Ranges are for the fields that the caller declares as numbers.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, NoReturn, TypeAlias

from lycosa.errors import UsageError
from lycosa.web.words import words

FIELDS = ("text", "title", "url")
OPERATORS = ("AND", "OR", "NOT")
MAX_NESTING = 50
"""Parentheses that may be open at once."""

Places: TypeAlias = Mapping[str, Sequence[int]]
"""The positions of each word of a query that occurs in a field."""

TOKEN = re.compile(
    r'(?P<mark>[()])|"(?P<phrase>[^"]*)"|(?P<field>[^\s()":]+):|(?P<word>[^\s()":]+)'
)
RANGE = re.compile(r"[0-9]{1,9}\.\.[0-9]{0,9}|\.\.[0-9]{1,9}")
QUOTES = str.maketrans("“”„", '"""')
_TERM = "a word, a phrase in quotes or a parenthesis"


@dataclasses.dataclass(frozen=True, slots=True)
class Phrase:
    """Consecutive words in a field, often just one; robot* matches any word that begins so.

    `field` is the name of the field and `words` are in lower case. The only word of a
    field of numbers may be a range, 1996..1999, open where an end is missing.
    `quoted` and `required`, by a + before it or an AND beside it, are how it was
    written and do not count in comparisons.
    """

    field: str
    words: tuple[str, ...]
    quoted: bool = dataclasses.field(default=False, compare=False)
    required: bool = dataclasses.field(default=False, compare=False)

    def __str__(self) -> str:
        text = " ".join(self.words)
        quoted = f'"{text}"' if self.quoted or len(self.words) > 1 else text
        return quoted if self.field == "text" else f"{self.field}:{quoted}"

    def holds(self, places: Callable[[str], Places]) -> bool:
        """Return whether a page with words at these places has the phrase."""
        found = places(self.field)
        starts = set(found.get(self.words[0], ()))
        for shift, word in enumerate(self.words[1:], 1):
            starts.intersection_update([place - shift for place in found.get(word, ())])
        return bool(starts)

    def phrases(self, wanted: bool = True) -> list[tuple[Phrase, bool]]:
        """Return all phrases of the tree, and whether each is wanted or under a NOT."""
        return [(self, wanted)]


@dataclasses.dataclass(frozen=True, slots=True)
class Not:
    """The negation of `part`; parsing never makes a Not of a Not."""

    part: Tree

    def __str__(self) -> str:
        return f"NOT {_inside(self.part)}"

    def holds(self, places: Callable[[str], Places]) -> bool:
        """Return whether the part does not hold."""
        return not self.part.holds(places)

    def phrases(self, wanted: bool = True) -> list[tuple[Phrase, bool]]:
        """Return the phrases of the part, wanted and unwanted exchanged."""
        return self.part.phrases(not wanted)


@dataclasses.dataclass(frozen=True, slots=True)
class And:
    """Conjunction: all of several parts."""

    parts: tuple[Tree, ...]

    def __str__(self) -> str:
        return " AND ".join(map(_inside, self.parts))

    def holds(self, places: Callable[[str], Places]) -> bool:
        """Return whether all parts hold."""
        return all(part.holds(places) for part in self.parts)

    def phrases(self, wanted: bool = True) -> list[tuple[Phrase, bool]]:
        """Return the phrases of all parts."""
        return [found for part in self.parts for found in part.phrases(wanted)]


@dataclasses.dataclass(frozen=True, slots=True)
class Or:
    """Disjunction: at least one of several parts."""

    parts: tuple[Tree, ...]

    def __str__(self) -> str:
        return " OR ".join(map(_inside, self.parts))

    def holds(self, places: Callable[[str], Places]) -> bool:
        """Return whether any part holds."""
        return any(part.holds(places) for part in self.parts)

    def phrases(self, wanted: bool = True) -> list[tuple[Phrase, bool]]:
        """Return the phrases of all parts."""
        return [found for part in self.parts for found in part.phrases(wanted)]


Tree: TypeAlias = Phrase | Not | And | Or


def _require(tree: Tree) -> Tree:
    return dataclasses.replace(tree, required=True) if isinstance(tree, Phrase) else tree


def _inside(tree: Tree) -> str:
    return f"({tree})" if isinstance(tree, And | Or) else str(tree)


def parse(
    text: str,
    fields: Sequence[str] = FIELDS,
    numbers: Collection[str] = frozenset(),
    split: Callable[[str], list[str]] = words,
) -> Tree:
    """Parse a query.

    `fields` are those it may name, the first being the default; `numbers` are
    those among them that take a range; `split` returns the words of a text.

    >>> print(parse("robotics (lab OR group) NOT title:course"))
    robotics AND (lab OR group) AND NOT title:course
    >>> print(parse('title:(e-mail OR "Home  Page*")'))
    title:"e mail" OR title:"home page*"
    >>> parse("robot AND")
    Traceback (most recent call last):
    lycosa.errors.UsageError: The query 'robot AND' lacks something at position 10: a word, \
a phrase in quotes or a parenthesis.
    >>> print(parse("robots year:1996..1999", ("text", "year"), {"year"}))
    robots AND year:1996..1999
    """
    return _Parser(text, fields, numbers, split).tree()


class _Token(NamedTuple):
    kind: str
    """mark (a parenthesis or an operator), field, phrase, word or end."""
    text: str
    position: int


class _Parser:
    """Recursive-descent parser with one token of look-ahead."""

    def __init__(
        self,
        text: str,
        fields: Sequence[str],
        numbers: Collection[str],
        split: Callable[[str], list[str]],
    ) -> None:
        self._text = text
        self._split = split
        self._fields = fields
        self._numbers = numbers
        self._tokens = self._tokenise()
        self._next = 0
        self._depth = 0

    def tree(self) -> Tree:
        tree = self._disjunction(self._fields[0])
        if self._is(")"):  # nothing else ends parsing before the end
            advice = "leave it out, or open it before"
            self._fail("closes a parenthesis", self._current().position, advice)
        return tree

    def _tokenise(self) -> list[_Token]:
        text = self._text.translate(QUOTES)
        tokens = []
        at = 0
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            if not (match := TOKEN.match(text, at)):
                if text[at] == '"':
                    self._fail("opens a quote", at, "close it with another")
                advice = f"write one of {_listed(self._fields)}"
                self._fail("has a colon without a field", at, advice)
            kind = match.lastgroup or ""
            value = match[kind]
            operator = kind == "word" and value in OPERATORS
            tokens.append(_Token("mark" if operator else kind, value, at))
            at = match.end()
        return [*tokens, _Token("end", "", len(text))]

    def _current(self) -> _Token:
        return self._tokens[self._next]

    def _is(self, *marks: str) -> bool:
        return self._current().kind == "mark" and self._current().text in marks

    def _accept(self, mark: str) -> bool:
        found = self._is(mark)
        self._next += found
        return found

    def _disjunction(self, field: str) -> Tree:
        parts = [self._conjunction(field)]
        while self._accept("OR"):
            parts.append(self._conjunction(field))
        return Or(tuple(parts)) if len(parts) > 1 else parts[0]

    def _conjunction(self, field: str) -> Tree:
        parts = [self._negation(field)]
        while not (self._is(")", "OR") or self._current().kind == "end"):
            explicit = self._accept("AND")
            if explicit:
                parts[-1] = _require(parts[-1])
            part = self._negation(field)
            parts.append(_require(part) if explicit else part)
        return And(tuple(parts)) if len(parts) > 1 else parts[0]

    def _negation(self, field: str) -> Tree:
        negative = False
        while self._accept("NOT"):
            negative = not negative
        tree = self._term(field)
        if not negative:
            return tree
        return tree.part if isinstance(tree, Not) else Not(tree)

    def _term(self, field: str) -> Tree:
        token = self._current()
        if token.kind == "field":
            if token.text.lower() not in self._fields:
                advice = f"write one of {_listed(self._fields)} or put it in quotes"
                self._fail(f"names the unknown field {token.text!r}", token.position, advice)
            self._next += 1
            field = token.text.lower()
            token = self._current()
        if self._accept("("):
            return self._group(field, token.position)
        if token.kind not in ("word", "phrase"):
            self._fail("lacks something", token.position, _TERM, mark=":")
        self._next += 1
        return self._phrase(token, field)

    def _group(self, field: str, position: int) -> Tree:
        self._depth += 1
        if self._depth > MAX_NESTING:
            self._fail(f"opens more than {MAX_NESTING} parentheses", position, "write it flatter")
        tree = self._disjunction(field)
        if not self._accept(")"):
            self._fail("opens a parenthesis", position, "close it")
        self._depth -= 1
        return tree

    def _phrase(self, token: _Token, field: str) -> Phrase:
        if field in self._numbers and RANGE.fullmatch(token.text):
            return Phrase(field, (token.text,))
        found: list[str] = []
        for piece in token.text.split():
            body = piece.removesuffix("*")
            split = self._split(body)
            if "*" in body or (body != piece and not split):
                self._fail("has a star", token.position, "it may only end a word, as in robot*")
            if body != piece:
                split[-1] += "*"
            found += split
        if not found:
            advice = "write words, AND, OR, NOT and parentheses"
            self._fail(f"has no letter or digit in {token.text!r}", token.position, advice)
        if token.kind == "word" and token.text[0] in "-!":
            advice = f"write NOT {token.text[1:]}"
            self._fail(f"has {token.text!r}", token.position, advice)
        quoted = token.kind == "phrase"
        return Phrase(field, tuple(found), quoted, required=not quoted and token.text[0] == "+")

    def _fail(self, what: str, position: int, advice: str, mark: str = ";") -> NoReturn:
        if not self._text.strip():
            raise UsageError(f"The query {self._text!r} is empty; write at least one word.")
        raise UsageError(
            f"The query {self._text!r} {what} at position {position + 1}{mark} {advice}."
        )


def _listed(fields: Sequence[str]) -> str:
    return ", ".join(f"{field}:" for field in fields)
