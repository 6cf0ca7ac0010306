"""Plain text as tokens, and tokens as the words that a model counts.

Seymore, McCallum & Rosenfeld 1999 take away punctuation and case, and put
special words in the place of what a regular expression knows: e-mail and web
addresses, and kinds of numbers. The abstract, the introduction and the end of
the page are one word each.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from lycosa.papers.extraction.tagged import Token

ABSTRACT, INTRO, PAGE = "+ABSTRACT+", "+INTRO+", "+PAGE+"
REGION_WORDS = {"abstract": ABSTRACT, "intro": INTRO, "page": PAGE}
"""The classes of a header that are counted as one word each, and that word."""

_SPECIAL = re.compile(r"\+[A-Z]+\d?\+")
_WEB = re.compile(r"(?:https?|ftp):|www\.|://", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_ZIP = re.compile(r"\d{5}(?:-\d{4})?")
_PHONE = re.compile(r"\(\+?\d+\)|\+\d|.*\d{3}-\d{4}")
_INITIAL = re.compile(r"(?:[A-Z]\.-?)+,?|[A-Z],?")
_NOT_WORD = re.compile(r"[\W_]+")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_SECTION = re.compile(r"\W*(?:1|I|0)?[\W_]*introduction\b", re.IGNORECASE)
_LONGEST_HEADING = 40


def tokenise(text: str) -> list[Token]:
    r"""The words of a text as they were printed, each with its line.

    >>> tokenise("Web spiders\nAnn Lee")[1:3]
    [Token(text='spiders', label='', line=0), Token(text='Ann', label='', line=1)]
    """
    lines = enumerate(text.splitlines())
    return [Token(word, "", number) for number, line in lines for word in line.split()]


def header_tokens(text: str) -> list[Token]:
    r"""The header of a paper: up to its introduction or the end of its first page.

    A form feed ends a page. The last token says which of the two came first.

    >>> [token.text for token in header_tokens("Spiders\nAnn Lee\n1. Introduction\nWe ...")]
    ['Spiders', 'Ann', 'Lee', '+INTRO+']
    """
    page = text.lstrip("\f").partition("\f")[0]
    lines = page.splitlines()
    for number, line in enumerate(lines):
        if len(line) <= _LONGEST_HEADING and _SECTION.match(line):
            return [*tokenise("\n".join(lines[:number])), Token(INTRO, "", number)]
    return [*tokenise(page), Token(PAGE, "", len(lines))]


def collapse_regions(
    tokens: Iterable[Token], classes: Collection[str] = tuple(REGION_WORDS)
) -> list[Token]:
    """Labelled tokens with the abstract, introduction and page, or some of them, as one word each.

    To learn for text of `header_tokens`, fold the introduction and the page only.

    >>> words = [Token("Web", "title"), Token("We", "abstract"), Token("crawl", "abstract")]
    >>> collapse_regions(words)[1]
    Token(text='+ABSTRACT+', label='abstract', line=0)
    """
    out: list[Token] = []
    for label, run in groupby(tokens, lambda token: token.label):
        words = list(run)
        if label in classes:
            words = [Token(REGION_WORDS[label], label, words[-1].line)]
        out.extend(words)
    return out


def normalise_word(text: str) -> str:
    """A printed word as models count it: a special word, or small letters; "" if it has none.

    >>> words = ("Spiders,", "ann@x.edu", "(1999)", "TR-93/02", "--", "+PAGE+")
    >>> [normalise_word(text) for text in words]
    ['spiders', '+EMAIL+', '+YEAR+', '+MIXED+', '', '+PAGE+']
    """
    if _SPECIAL.fullmatch(text):
        return text
    plain = _NOT_WORD.sub("", text)
    if not plain:
        return ""
    if "@" in text:
        return "+EMAIL+"
    if _WEB.search(text):
        return "+WEB+"
    digits = len(_DIGIT.findall(plain))
    if not digits:
        return plain.lower()
    if _LETTER.search(plain):
        return "+MIXED+"
    inner = text.strip(".,;:()[]{}\"'`*|~-?!<>&#")
    if _YEAR.fullmatch(inner):
        return "+YEAR+"
    if _ZIP.fullmatch(inner):
        return "+ZIP+"
    if digits >= 7 or _PHONE.match(text):
        return "+PHONE+"
    return f"+NUMBER{min(digits, 4)}+"


def word_shape(text: str) -> str:
    """What a printed word looks like: how it is known where it is a stranger.

    >>> [word_shape(text) for text in ("Spiders,", "J.", "IEEE", "of", "McCallum", "x2")]
    ['capital', 'initial', 'capitals', 'small', 'mixed', 'digits']
    """
    if _DIGIT.search(text):
        return "digits"
    if _INITIAL.fullmatch(text):
        return "initial"
    letters = _NOT_WORD.sub("", text)
    if letters.isupper():
        return "capitals"
    if letters[:1].isupper():
        return "capital" if letters[1:].islower() else "mixed"
    return "small" if letters.islower() else "mixed"


def final_punctuation(text: str) -> str:
    """The mark a printed word ends with: one of ". , ; :" or ")" for whatever closes."""
    end = text[-1:]
    return end if end and end in ".,;:" else ")" if end and end in ")\"'" else ""


def ends_line(tokens: Sequence[Token], index: int) -> bool:
    """Whether a token is the last of its line."""
    return index + 1 == len(tokens) or tokens[index + 1].line != tokens[index].line
