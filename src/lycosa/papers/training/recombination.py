"""Recombination: annotated headers with the authors and affiliations of other papers.

There are more annotated author lists and affiliations than annotated headers. Put in
the place of those of a header they give a header as real as the first, with other
names and places. The abstract is shortened, because it stays the same.

>>> header = AnnotatedHeader("a", [Token("Web", "title", 0), Token("Ann", "author", 1)],
...                          [HeaderLine("Web", bold=True), HeaderLine("Ann", bold=False)])
>>> other = recombine(header, [[LabelledPiece("Zoe", "first-given")]], [], random.Random(1))
>>> [(token.text, token.label, token.line) for token in other.tokens]
[('Web', 'title', 0), ('Zoe', 'author', 1)]
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import groupby

from lycosa.papers.extraction.labeller import HeaderLine
from lycosa.papers.extraction.name_labeller import LabelledPiece
from lycosa.papers.extraction.place_labeller import PLACE_LABELS
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.training.grobid_headers import AnnotatedHeader

_ABSTRACT_HEAD, _ABSTRACT_TAIL = 3, 2  # lines that are kept
_WORDS_A_NAME = 3  # in an author list, with marks
_SHORT_PLACE = 14  # words of what is a single affiliation
_ATTACHED = frozenset(".,;:)]")
_GLUED_MARKS = 0.5  # the share of lists in which marks stand without space behind names


def recombine(
    header: AnnotatedHeader,
    lists: Sequence[Sequence[LabelledPiece]],
    places: Sequence[Sequence[Sequence[Token]]],
    rng: random.Random,
) -> AnnotatedHeader:
    """Return a header with authors and affiliations drawn from others.

    `lists` has author lists, and `places` the affiliations of each paper.
    """
    kept = _shorten(header.tokens)
    words: list[tuple[str, str, int, int]] = []  # text, label, its line, and its line's part
    for group, run in groupby(kept, lambda token: _group(token.label)):
        tokens = list(run)
        drawn: list[Token] = []
        if group == "author" and lists:
            drawn = _draw_names(len(tokens), lists, rng)
        elif group == "place" and places:
            drawn = _draw_places(len(tokens), places, rng)
        first, last = tokens[0].line, tokens[-1].line
        if not drawn:
            words += [(token.text, token.label, token.line, 0) for token in tokens]
        elif first == last:
            words += [(token.text, token.label, first, 0) for token in drawn]
        else:
            words += [(token.text, token.label, first, token.line) for token in drawn]
    return _lay_out(header, words)


def _group(label: str) -> str:
    return "place" if label in PLACE_LABELS else label


def _shorten(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens without the lines in the middle of an abstract."""
    kept: list[Token] = []
    for label, run in groupby(tokens, lambda token: token.label):
        words = list(run)
        lines = sorted({token.line for token in words})
        if label == "abstract" and len(lines) > _ABSTRACT_HEAD + _ABSTRACT_TAIL:
            cut = lines[_ABSTRACT_HEAD:-_ABSTRACT_TAIL]
            words = [token for token in words if not cut[0] <= token.line <= cut[-1]]
        kept += words
    return kept


def _draw_names(
    count: int, lists: Sequence[Sequence[LabelledPiece]], rng: random.Random
) -> list[Token]:
    """Draw as many names as about `count` words are, in the order of an author list."""
    wanted = max(round(count / _WORDS_A_NAME), 1)
    glued = rng.random() < _GLUED_MARKS
    tokens: list[Token] = []
    names = 0
    for piece in rng.choice(lists):
        names += piece.label.startswith("first-")
        if names > wanted:
            break
        attached = piece.text in _ATTACHED or (glued and piece.label == "mark")
        if attached and tokens:
            tokens[-1] = tokens[-1]._replace(text=tokens[-1].text + piece.text)
        else:
            tokens.append(Token(piece.text, "author", piece.line))
    return tokens


def _draw_places(
    count: int, places: Sequence[Sequence[Sequence[Token]]], rng: random.Random
) -> list[Token]:
    """Draw one affiliation for few words, and all of a paper for many."""
    paper = rng.choice(places)
    if not paper:
        return []
    chosen = [rng.choice(paper)] if count <= _SHORT_PLACE else paper
    tokens: list[Token] = []
    line = 0
    for place in chosen:
        tokens += [token._replace(line=line + token.line) for token in place]
        line = tokens[-1].line + 1
    return tokens


def _lay_out(
    header: AnnotatedHeader, words: Sequence[tuple[str, str, int, int]]
) -> AnnotatedHeader:
    """Return the words in lines; a line within a drawn part continues the style of its first."""
    tokens: list[Token] = []
    lines: list[HeaderLine] = []
    for (line, part), run in groupby(words, lambda word: word[2:]):
        here = [Token(text, label, len(lines)) for text, label, *_ in run]
        style = header.lines[line]
        if part and style.new_block is not None:
            style = style._replace(size_change=0, new_block=False)
        tokens += here
        lines.append(style._replace(text=" ".join(token.text for token in here)))
    return AnnotatedHeader(header.name, tokens, lines)
