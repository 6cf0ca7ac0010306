"""Any text read as a query: what the grammar refuses is repaired, and that is said.

The language is that of goals (`lycosa.goals.syntax`) with the fields of a
portal. A text that it refuses is made into one that it takes: what is not an
operator, a field, a phrase or a parenthesis in its right place is a word.

>>> asked = parse_query('"neural networks')
>>> print(asked.tree)
neural AND networks
>>> asked.notice
'A quote was not closed, so what follows it was searched as words.'
>>> print(parse_query("spiders -fly year:1996..1999").tree)
spiders AND NOT fly AND year:1996..1999
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from lycosa.errors import UsageError
from lycosa.goals.syntax import DEEPEST, OPERATORS, QUOTES, RANGE, TOKEN, Not, Phrase, Tree, parse
from lycosa.portal.search.analysis import clean, plain
from lycosa.web.words import words

FIELDS = ("text", "title", "author", "year", "venue", "topic", "site", "cites", "type")
NUMBERS = frozenset({"year"})
LONGEST = 2000
"""Characters of a query; what is more is not read."""
MOST = 64
"""Words of a query; what is more is not read."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_NUMBER = re.compile(rf"[0-9]{{1,9}}\*?|{RANGE.pattern}")
_JOINED = ("AND", "OR")


class ParsedQuery(NamedTuple):
    """A query as it was understood."""

    tree: Tree | None
    """Nothing, where there was no word: then everything is meant."""
    notice: str


def parse_query(text: str) -> ParsedQuery:
    """What a text asks for."""
    long = len(text) > LONGEST
    text = _CONTROL.sub(" ", plain(clean(text[:LONGEST]))).translate(QUOTES)
    if not text.strip():
        return ParsedQuery(None, "")
    repair = _Repair(text, cut=long)
    if not repair.cut:
        try:
            return _numbered(parse(text, FIELDS, NUMBERS), [])
        except UsageError:
            pass
    repaired = str(repair)
    if not repaired:
        return ParsedQuery(None, "The query has no letter or digit, so everything is shown.")
    return _numbered(parse(repaired, FIELDS, NUMBERS), list(repair.notices))


def _numbered(tree: Tree, notices: list[str]) -> ParsedQuery:
    """What asks for a number and has none is a word; 1996-1999 is a range too."""
    tree = _replaced(tree, _as_range)
    bad = {leaf for leaf, _ in tree.phrases() if leaf.field in NUMBERS and not _is_number(leaf)}
    if bad:
        said = ", ".join(sorted(f"“{leaf}”" for leaf in bad))[:200]
        notices = [*notices, f"There is no number in {said}, so that was searched as words."]
        tree = _replaced(tree, lambda leaf: _as_words(leaf) if leaf in bad else leaf)
    return ParsedQuery(tree, " ".join(notices))


def _is_number(leaf: Phrase) -> bool:
    return len(leaf.words) == 1 and bool(_NUMBER.fullmatch(leaf.words[0]))


def _as_words(leaf: Phrase) -> Phrase:
    return Phrase(FIELDS[0], leaf.words, leaf.quoted)


def _as_range(leaf: Phrase) -> Phrase:
    several = leaf.field in NUMBERS and len(leaf.words) == 2 and not leaf.quoted
    said = "..".join(leaf.words)
    return Phrase(leaf.field, (said,)) if several and RANGE.fullmatch(said) else leaf


def _replaced(tree: Tree, better: Callable[[Phrase], Phrase]) -> Tree:
    match tree:
        case Phrase():
            return better(tree)
        case Not():
            return Not(_replaced(tree.part, better))
    return type(tree)(tuple(_replaced(part, better) for part in tree.parts))


class _Piece(NamedTuple):
    kind: str
    """mark, field, phrase or word, as the grammar has them."""
    text: str

    def __str__(self) -> str:
        match self.kind:
            case "phrase":
                return f'"{self.text}"'
            case "field":
                return f"{self.text}:"
        return self.text


class _Repair:
    """The pieces of a query, put right step by step."""

    def __init__(self, text: str, *, cut: bool) -> None:
        self.notices: dict[str, None] = {}
        pieces = self._pieces(text)
        self.cut = cut
        room = MOST
        for at, piece in enumerate(pieces):
            room -= len(words(piece.text))
            if room < 0:
                pieces = pieces[:at]
                self.cut = True
                break
        if self.cut:
            self._say(f"The query is very long: of its words only the first {MOST} were searched.")
        pieces = self._parentheses(pieces)
        # What one repair takes away may leave a field without its word, and so on.
        before: list[_Piece] = []
        while pieces != before:
            before = pieces
            pieces = self._operators(self._values(pieces))
        if not pieces and (said := words(text)[:MOST]):
            self.notices = {"AND, OR and NOT stand alone, so they were searched as words.": None}
            pieces = [_Piece("word", word) for word in said]
        self._made = pieces

    def __str__(self) -> str:
        # Only after a field there is no space: "title:" and its word are one.
        return re.sub(r"(?<=:) ", "", " ".join(map(str, self._made)))

    def _say(self, notice: str) -> None:
        self.notices[notice] = None

    def _pieces(self, text: str) -> list[_Piece]:
        found: list[_Piece] = []
        unknown: dict[str, None] = {}
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                if text[at] == '"':
                    self._say("A quote was not closed, so what follows it was searched as words.")
                at += 1
                continue
            at = match.end()
            kind = match.lastgroup or ""
            value = match[kind]
            if kind == "word" and value in OPERATORS:
                found.append(_Piece("mark", value))
            elif kind == "field" and value.lower() in FIELDS:
                found.append(_Piece(kind, value.lower()))
            elif kind == "field":
                if value[0] == "-" and value[1:].lower() in FIELDS:
                    found += [_Piece("mark", "NOT"), _Piece(kind, value[1:].lower())]
                    continue
                if words(value):
                    unknown[f"“{value[:40]}:”"] = None
                found += self._words(value)
            elif kind == "phrase":
                said = " ".join(str(piece) for piece in self._words(value, signs=False))
                found += [_Piece(kind, said)] * bool(said)
            elif value == "-" and text[at : at + 1] in ("(", '"'):
                found.append(_Piece("mark", "NOT"))
            elif kind == "word":
                found += self._words(value, signs=not found or found[-1].kind != "field")
            else:
                found.append(_Piece(kind, value))
        if unknown:
            self._say(
                f"There is no field {' or '.join([*unknown][:3])}, so that was searched as words; "
                f"the fields are {', '.join(FIELDS[1:])}."
            )
        return found

    def _words(self, text: str, *, signs: bool = True) -> list[_Piece]:
        """What was written without a space, as words that the grammar takes."""
        found = []
        for run in text.split():
            if signs and run[0] in "-!" and words(run):
                found.append(_Piece("mark", "NOT"))
            body, star = run.removesuffix("*"), "*" * run.endswith("*")
            parts = [part.lstrip("-!") for part in body.split("*") if words(part)]
            if len(parts) > 1:
                self._say("A star may only end a word, so others were left out.")
            if parts:
                parts[-1] += star
            found += [_Piece("word", part) for part in parts if part not in OPERATORS]
        return found

    def _values(self, pieces: list[_Piece]) -> list[_Piece]:
        """A field is before a word, a phrase or an opening parenthesis; else it is a word."""
        found = []
        for piece, follower in zip(pieces, [*pieces[1:], _Piece("mark", ")")], strict=False):
            valued = follower.kind in ("word", "phrase") or follower.text == "("
            lonely = piece.kind == "field" and not valued
            found.append(self._worded(piece) if lonely else piece)
        return found

    def _worded(self, field: _Piece) -> _Piece:
        self._say(f"Nothing stands after “{field.text}:”, so that was searched as a word.")
        return _Piece("word", field.text)

    def _parentheses(self, pieces: list[_Piece]) -> list[_Piece]:
        """Those without a partner, and all if there are too many, are left out."""
        opened: list[int] = []
        dropped: set[int] = set()
        deepest = 0
        for at, piece in enumerate(pieces):
            if piece.kind != "mark":
                continue
            if piece.text == "(":
                opened.append(at)
                deepest = max(deepest, len(opened))
            elif piece.text == ")":
                if opened:
                    opened.pop()
                else:
                    dropped.add(at)
        dropped.update(opened)
        if deepest > DEEPEST:
            dropped = {at for at, piece in enumerate(pieces) if piece.text in ("(", ")")}
        if dropped:
            self._say("Parentheses that do not match were left out.")
        return [piece for at, piece in enumerate(pieces) if at not in dropped]

    def _operators(self, pieces: list[_Piece]) -> list[_Piece]:
        """AND and OR are between two things, NOT is before one; empty parentheses go."""
        kept: list[_Piece] = []
        for piece in pieces:
            if piece == ("mark", ")"):
                self._trim(kept)
                if kept and kept[-1] == ("mark", "("):
                    kept.pop()
                    self._lonely_field(kept)
                    continue
            elif piece.kind == "mark" and piece.text in _JOINED:
                self._trim(kept)
                if not kept or kept[-1] == ("mark", "("):
                    self._alone()
                    continue
            kept.append(piece)
        self._trim(kept)
        return kept

    def _trim(self, kept: list[_Piece]) -> None:
        """Nothing follows that an operator at the end could be about."""
        while kept and kept[-1].kind == "mark" and kept[-1].text in OPERATORS:
            kept.pop()
            self._alone()

    def _lonely_field(self, kept: list[_Piece]) -> None:
        if kept and kept[-1].kind == "field":
            kept[-1] = self._worded(kept[-1])

    def _alone(self) -> None:
        self._say("AND, OR and NOT that have nothing beside them were left out.")
