"""Query parser that repairs what the grammar rejects, with a notice for each repair.

The language is that of goals (`lycosa.goals.syntax`) with the fields of a
portal. An invalid text is turned into a valid one: whatever is not an operator,
a field, a phrase or a parenthesis in a valid position is searched as a word.

>>> query = parse_query('"neural networks')
>>> print(query.tree)
neural AND networks
>>> query.notices
('A quotation mark is not closed, so what follows was searched as words.',)
>>> print(parse_query("spiders -fly year:1996..1999").tree)
spiders AND NOT fly AND year:1996..1999
>>> print(parse_query("C++ p-norm").tree)
c++ AND "p norm"
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from lycosa.errors import UsageError
from lycosa.goals.syntax import (
    MAX_NESTING,
    OPERATORS,
    QUOTES,
    RANGE,
    TOKEN,
    Not,
    Phrase,
    Tree,
    parse,
)
from lycosa.portal.fields import SEARCHED
from lycosa.portal.message import Message, join
from lycosa.portal.search.analysis import clean, plain, split_words

FIELDS = ("text", *SEARCHED)
NUMBERS = frozenset({"year"})
MAX_LENGTH = 2000
"""Characters of a query; the rest is ignored."""
MAX_WORDS = 64
"""Words of a query; the rest is ignored."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_NUMBER = re.compile(rf"[0-9]{{1,9}}\*?|{RANGE.pattern}")
# A phrase, a group and a field are required anyway.
_NEEDLESS_PLUS = re.compile(r"(?<!\S)\+(?=[\"(]|[a-z]+:)")
_BINARY_OPERATORS = ("AND", "OR")


class ParsedQuery(NamedTuple):
    """A parsed query."""

    tree: Tree | None
    """None if the query has no word: then everything matches."""
    notices: tuple[str, ...]
    """Sentences about what was repaired; none if nothing was."""


def parse_query(text: str) -> ParsedQuery:
    """Parse any text as a query; never fails."""
    too_long = len(text) > MAX_LENGTH
    text = _CONTROL.sub(" ", plain(clean(text[:MAX_LENGTH]))).translate(QUOTES)
    text = _NEEDLESS_PLUS.sub("", text)
    if not text.strip():
        return ParsedQuery(None, ())
    # A word has a character: only a longer text can have too many words.
    repair = _Repair(text, cut=too_long) if len(text) > MAX_WORDS else None
    if not (repair and repair.cut):
        try:
            return _check_numbers(parse(text, FIELDS, NUMBERS, split_words), [])
        except UsageError:
            pass  # repaired below, with notices for the reader; queries are private, so not logged
    repair = repair or _Repair(text, cut=False)
    repaired = str(repair)
    if not repaired:
        notice = Message("The query has no letters or digits, so all works are shown.")
        return ParsedQuery(None, (notice,))
    return _check_numbers(parse(repaired, FIELDS, NUMBERS, split_words), list(repair.notices))


def _check_numbers(tree: Tree, notices: list[str]) -> ParsedQuery:
    """Search the value of a numeric field as words if it is no number; 1996-1999 is a range."""
    tree = _map_leaves(tree, _as_range)
    bad = {leaf for leaf, _ in tree.phrases() if leaf.field in NUMBERS and not _is_number(leaf)}
    if bad:
        listed = ", ".join(sorted(f"“{leaf}”" for leaf in bad))[:200]
        notice = Message(
            "%(field)s needs a number and has none, so it was searched as words.", field=listed
        )
        notices = [*notices, notice]
        tree = _map_leaves(tree, lambda leaf: _as_words(leaf) if leaf in bad else leaf)
    return ParsedQuery(tree, tuple(notices))


def _is_number(leaf: Phrase) -> bool:
    return len(leaf.words) == 1 and bool(_NUMBER.fullmatch(leaf.words[0]))


def _as_words(leaf: Phrase) -> Phrase:
    return Phrase(FIELDS[0], leaf.words, leaf.quoted)


def _as_range(leaf: Phrase) -> Phrase:
    several = leaf.field in NUMBERS and len(leaf.words) == 2 and not leaf.quoted
    years = "..".join(leaf.words)
    return Phrase(leaf.field, (years,)) if several and RANGE.fullmatch(years) else leaf


def _map_leaves(tree: Tree, change: Callable[[Phrase], Phrase]) -> Tree:
    match tree:
        case Phrase():
            return change(tree)
        case Not():
            return Not(_map_leaves(tree.part, change))
    return type(tree)(tuple(_map_leaves(part, change) for part in tree.parts))


class _Token(NamedTuple):
    kind: str
    """mark, field, phrase or word, as in the grammar."""
    text: str

    def __str__(self) -> str:
        match self.kind:
            case "phrase":
                return f'"{self.text}"'
            case "field":
                return f"{self.text}:"
        return self.text


class _Repair:
    """Tokens of a query, repaired step by step.

    `cut` is whether the text was truncated before.
    """

    def __init__(self, text: str, *, cut: bool) -> None:
        self.notices: dict[str, None] = {}
        tokens = self._tokenize(text)
        self.cut = cut
        room = MAX_WORDS
        for at, token in enumerate(tokens):
            room -= len(split_words(token.text))
            if room < 0:
                tokens = tokens[:at]
                self.cut = True
                break
        if self.cut:
            self._note(
                Message(
                    "The query is too long: only its first %(words)s words were searched.",
                    words=MAX_WORDS,
                )
            )
        tokens = self._parentheses(tokens)
        # A repair may make another one necessary: removing a word can leave a field without one.
        before: list[_Token] = []
        while tokens != before:
            before = tokens
            tokens = self._operators(self._values(tokens))
        if not tokens and (operators := split_words(text)[:MAX_WORDS]):
            notice = Message(
                "The query has only operators (AND, OR, NOT), so they were searched as words."
            )
            self.notices = {notice: None}
            tokens = [_Token("word", word) for word in operators]
        self._tokens = tokens

    def __str__(self) -> str:
        # No space after a field: "title:" and its word belong together.
        return re.sub(r"(?<=:) ", "", " ".join(map(str, self._tokens)))

    def _note(self, notice: str) -> None:
        self.notices[notice] = None

    def _tokenize(self, text: str) -> list[_Token]:
        found: list[_Token] = []
        unknown: dict[str, None] = {}
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                if text[at] == '"':
                    self._note(
                        Message(
                            "A quotation mark is not closed, so what follows was searched as words."
                        )
                    )
                at += 1
                continue
            at = match.end()
            kind = match.lastgroup or ""
            value = match[kind]
            if kind == "word" and value in OPERATORS:
                found.append(_Token("mark", value))
            elif kind == "field" and value.lower() in FIELDS:
                found.append(_Token(kind, value.lower()))
            elif kind == "field":
                if value[0] == "-" and value[1:].lower() in FIELDS:
                    found += [_Token("mark", "NOT"), _Token(kind, value[1:].lower())]
                    continue
                if split_words(value):
                    unknown[f"“{value[:40]}:”"] = None
                found += self._words(value)
            elif kind == "phrase":
                phrase = " ".join(str(token) for token in self._words(value, signs=False))
                found += [_Token(kind, phrase)] * bool(phrase)
            elif value == "-" and text[at : at + 1] in ("(", '"'):
                found.append(_Token("mark", "NOT"))
            elif kind == "word":
                found += self._words(value, signs=not found or found[-1].kind != "field")
            else:
                found.append(_Token(kind, value))
        if unknown:
            self._note(
                Message(
                    "There is no field %(names)s, so it was searched as words; the fields are "
                    "%(fields)s.",
                    names=join([*unknown][:3], either=True),
                    fields=FIELDS[1:],
                )
            )
        return found

    def _words(self, text: str, *, signs: bool = True) -> list[_Token]:
        """Return the words of a text as tokens; with `signs`, a leading - or ! is NOT."""
        found = []
        for run in text.split():
            if signs and run[0] in "-!" and split_words(run):
                found.append(_Token("mark", "NOT"))
            body, star = run.removesuffix("*"), "*" * run.endswith("*")
            parts = [part.lstrip("-!") for part in body.split("*") if split_words(part)]
            if len(parts) > 1:
                self._note(
                    Message("A star is valid only at the end of a word; the others were ignored.")
                )
            if parts:
                parts[-1] += star
            found += [_Token("word", part) for part in parts if part not in OPERATORS]
        return found

    def _values(self, tokens: list[_Token]) -> list[_Token]:
        """Make a field a word unless a word, a phrase or an opening parenthesis follows it."""
        found = []
        for token, follower in zip(tokens, [*tokens[1:], _Token("mark", ")")], strict=False):
            valued = follower.kind in ("word", "phrase") or follower.text == "("
            bare = token.kind == "field" and not valued
            found.append(self._field_as_word(token) if bare else token)
        return found

    def _field_as_word(self, field: _Token) -> _Token:
        self._note(
            Message("“%(field)s:” has no value, so it was searched as a word.", field=field.text)
        )
        return _Token("word", field.text)

    def _parentheses(self, tokens: list[_Token]) -> list[_Token]:
        """Drop unmatched parentheses, and all of them if they are nested too deeply."""
        opened: list[int] = []
        dropped: set[int] = set()
        depth = 0
        for at, token in enumerate(tokens):
            if token.kind != "mark":
                continue
            if token.text == "(":
                opened.append(at)
                depth = max(depth, len(opened))
            elif token.text == ")":
                if opened:
                    opened.pop()
                else:
                    dropped.add(at)
        dropped.update(opened)
        if depth > MAX_NESTING:
            dropped = {at for at, token in enumerate(tokens) if token.text in ("(", ")")}
        if dropped:
            self._note(Message("Unmatched parentheses were ignored."))
        return [token for at, token in enumerate(tokens) if at not in dropped]

    def _operators(self, tokens: list[_Token]) -> list[_Token]:
        """Drop operators without operands, and empty parentheses."""
        repaired: list[_Token] = []
        for token in tokens:
            if token == ("mark", ")"):
                self._trim(repaired)
                if repaired and repaired[-1] == ("mark", "("):
                    repaired.pop()
                    self._convert_last_field(repaired)
                    continue
            elif token.kind == "mark" and token.text in _BINARY_OPERATORS:
                self._trim(repaired)
                if not repaired or repaired[-1] == ("mark", "("):
                    self._note_dropped_operator()
                    continue
            repaired.append(token)
        self._trim(repaired)
        return repaired

    def _trim(self, repaired: list[_Token]) -> None:
        """Drop operators at the end, which have no right operand."""
        while repaired and repaired[-1].kind == "mark" and repaired[-1].text in OPERATORS:
            repaired.pop()
            self._note_dropped_operator()

    def _convert_last_field(self, repaired: list[_Token]) -> None:
        if repaired and repaired[-1].kind == "field":
            repaired[-1] = self._field_as_word(repaired[-1])

    def _note_dropped_operator(self) -> None:
        self._note(Message("AND, OR and NOT without a word beside them were ignored."))
