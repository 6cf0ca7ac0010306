r"""Tokenisation of references.

A reference is split at white space, and inside a word wherever a field can end without a
space: after the colon of `267:L618`, before the bracket of `12(3)`, between the letters and
the digits of `pp.107` or of Korean and Chinese numbering. Web addresses and other identifiers
stay whole. No character is lost: the words of a line make up its text without the spaces.

>>> [token.text for token in reference_tokens("ApJ 267:L618, 12(3):4-5 (1999).")]
['ApJ', '267:', 'L', '618,', '12', '(3):', '4-5', '(1999).']
>>> [token.text for token in reference_tokens("pp.107 https://doi.org/10.1000/a(1)b")]
['pp.', '107', 'https://doi.org/10.1000/a(1)b']
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lycosa.papers.extraction.tagged import Token

CACHED_WORDS = 50_000
"""Words whose parts are remembered; the names of authors and journals come again and again."""

_IDENTIFIER = re.compile(r"\W*(?:https?:|//\w|ftp:|www\.|doi:?\s*10\.|10\.\d{4})|.*(?:://|@)", re.I)
_AFTER_IDENTIFIER = re.compile(r"(?<=[^\W_])(?=\((?:19|20)\d\d\)\W*$)|(?<=\.)(?=URL|PMID)")
_IDEOGRAPH = r"\u1100-\u11ff\u2e80-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af"
_SPACELESS = re.compile(r"\S+")
_LEADING = re.compile(r"[.,;:)\]}?!\u201d\u00bb\u2019\u3001\u3002\uff0c\uff09]+")
_LEADING_QUOTED = re.compile(r"[.,;:)\]}?!\"\u201d\u00bb\u2019\u3001\u3002\uff0c\uff09]+")
_OPENERS = '([{"\u201c\u201e\u00ab\u2018\uff08'
_CUT = re.compile(
    r"(?<=[,;:)\]}\u201d\"\u3001\u3002\uff0c\uff1a])(?=[^\W_])"  # after a mark: 267:L618
    r"|(?<=[)\]][.,;:])(?=[^\W_])"  # (2011).17
    r"|(?<=[,.;:?!])(?=[\"\u201c\u00ab])"  # a quotation mark: Lee,"Spiders
    r"|(?<=[\w.,:;)\]])(?=[(\[{\u201c\uff08\u300c\u300a])"  # before an opening bracket: 12(3)
    rf"|(?<=[{_IDEOGRAPH}])(?=[0-9])|(?<=[0-9])(?=[{_IDEOGRAPH}])"
    r"|(?<=[^\W\d_])(?=[0-9])"  # a letter and a digit: B675
    r"|(?<=[0-9])(?=[A-Z][a-z]{2})"  # a number and a word: 12Nature
    r"|(?<=[^\W\d_]\.)(?=[0-9])"  # Vol.23
    r"|(?<=[^\W\d_]{2}[.?!])(?=[^\W\d_](?:[^\W\d_.]|[0-9]|$))"  # Phys.Rev.D71
    r"|(?<=[A-Z]\.)(?=[A-Z][a-z]{2})"  # J.Smith
    r"|(?<=[0-9]\.)(?=[^\W\d_]{2})"  # 1999.Spiders
    r"|(?<=[0-9]/)(?=[A-Za-z])"
    r"|(?<=[a-z]{4})(?=[A-Z][a-z]{2}|arXiv)"  # a lost space: detectorsNature
    r"|(?<=\w>)(?=\S)|(?<=\S)(?=</?\w+>)"  # mark-up that was left in the text
)


class Word(NamedTuple):
    """A word of a reference."""

    text: str
    """The word with the marks that belong to it."""
    start: int
    """Its first character in the line."""
    stop: int
    """The character after its last, without marks that were moved to it."""
    spaced: bool
    """Whether a space follows."""


@lru_cache(maxsize=CACHED_WORDS)
def split_word(word: str) -> tuple[str, ...]:
    """Split a word where a field may end inside it; marks stay with the part before them.

    >>> split_word("12(3):4-5"), split_word('learn,"'), split_word("--")
    (('12', '(3):', '4-5'), ('learn,"',), ('--',))
    """
    found: list[str] = []
    opened = ""
    for part in _parts(word):
        if any(map(str.isalnum, part)):
            found.append(opened + part)
            opened = ""
        elif found:
            found[-1] += part
        else:
            opened += part
    return tuple(found) or (word,)


@lru_cache(maxsize=CACHED_WORDS)
def _parts(word: str) -> tuple[str, ...]:
    if word.isalpha() and (word.islower() or word.istitle()):
        return (word,)
    if len(word) > 1 and word[:-1].isalpha() and word[-1] in ".,;:" and word[:-1].islower():
        return (word,)
    cut = _AFTER_IDENTIFIER if _IDENTIFIER.match(word) else _CUT
    return tuple(part for part in cut.split(word) if part)


def reference_words(text: str) -> list[Word]:
    """Return the words of a line of a reference, with their positions.

    PDF text can have the space before a mark, not after it, as in `Lee ,A .`: such a mark
    belongs to the word before it, and an opening mark to the word after it.
    """
    found: list[Word] = []
    opened, first = "", 0
    quoted = False
    for match in _SPACELESS.finditer(text):
        at = match.start()
        for part in _parts(match[0]):
            start, at = at, at + len(part)
            closing = _LEADING_QUOTED if quoted else _LEADING
            moved = closing.match(part)
            size = moved.end() if moved and found and not opened else 0
            if size:
                before = found[-1]
                found[-1] = before._replace(text=before.text + part[:size], spaced=True)
            quoted ^= part.count('"') % 2 == 1
            own = part[size:]
            if own and not own.strip(_OPENERS):
                first = first if opened else start + size
                opened += own
            elif own:
                spaced = at == match.end()
                found.append(Word(opened + own, first if opened else start + size, at, spaced))
                opened = ""
    if opened:
        found.append(Word(opened, first, len(text), True))
    return found


def reference_tokens(text: str) -> list[Token]:
    """Return the tokens of a reference, each with the number of its line."""
    return [
        Token(word.text, "", number)
        for number, line in enumerate(text.splitlines())
        for word in reference_words(line)
    ]
