"""Tokenisation, and the normalisation of tokens for the hidden Markov models.

Seymore, McCallum & Rosenfeld 1999 remove punctuation and case, and replace what
a regular expression recognises (e-mail and web addresses, kinds of numbers) by
special words. The abstract, the introduction and the end of the page each become
a single word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from lycosa.papers.extraction.tagged import Token

ABSTRACT, INTRO, PAGE = "+ABSTRACT+", "+INTRO+", "+PAGE+"
REGION_WORDS = {"abstract": ABSTRACT, "intro": INTRO, "page": PAGE}
"""The header classes that are collapsed into one word each, with that word."""

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
_MAX_HEADING_CHARACTERS = 40


def tokenise(text: str) -> list[Token]:
    r"""Split a text at white space; each token keeps its spelling and the number of its line.

    >>> tokenise("Web spiders\nAnn Lee")[1:3]
    [Token(text='spiders', label='', line=0), Token(text='Ann', label='', line=1)]
    """
    lines = enumerate(text.splitlines())
    return [Token(word, "", number) for number, line in lines for word in line.split()]


def header_tokens(text: str) -> list[Token]:
    r"""Tokenise the header of a paper: up to its introduction or the end of its first page.

    A form feed ends a page. The last token, `+INTRO+` or `+PAGE+`, says which of the two is first.

    >>> [token.text for token in header_tokens("Spiders\nAnn Lee\n1. Introduction\nWe ...")]
    ['Spiders', 'Ann', 'Lee', '+INTRO+']
    """
    page = text.lstrip("\f").partition("\f")[0]
    lines = page.splitlines()
    for number, line in enumerate(lines):
        if len(line) <= _MAX_HEADING_CHARACTERS and _SECTION.match(line):
            return [*tokenise("\n".join(lines[:number])), Token(INTRO, "", number)]
    return [*tokenise(page), Token(PAGE, "", len(lines))]


def collapse_regions(
    tokens: Iterable[Token], classes: Collection[str] = tuple(REGION_WORDS)
) -> list[Token]:
    """Replace each run of tokens with one of these labels by its region word.

    To train for text of `header_tokens`, collapse the introduction and the page only.

    >>> words = [Token("Web", "title"), Token("We", "abstract"), Token("crawl", "abstract")]
    >>> collapse_regions(words)[1]
    Token(text='+ABSTRACT+', label='abstract', line=0)
    """
    collapsed: list[Token] = []
    for label, run in groupby(tokens, lambda token: token.label):
        words = list(run)
        if label in classes:
            words = [Token(REGION_WORDS[label], label, words[-1].line)]
        collapsed.extend(words)
    return collapsed


def normalise_word(text: str) -> str:
    """Return a word in the form that models count: special word or lower case; "" without letters.

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
    """Return the shape class of a printed word, by which unknown words are estimated.

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
    """Return the final punctuation: one of ". , ; :", or ")" for any closing mark; else ""."""
    end = text[-1:]
    return end if end and end in ".,;:" else ")" if end and end in ")\"'" else ""


def ends_line(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a token is the last of its line."""
    return index + 1 == len(tokens) or tokens[index + 1].line != tokens[index].line
