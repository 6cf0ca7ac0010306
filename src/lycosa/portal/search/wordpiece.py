"""WordPiece: words cut into the pieces of a fixed vocabulary.

A word is cut from the left, each time at the longest piece that the vocabulary
has (Wu et al., "Google's neural machine translation system", 2016); a piece
inside a word is listed with `##` before it. The text is prepared as for the
uncased models of BERT (Devlin, Chang, Lee & Toutanova 2019): control characters
are dropped, accents are stripped, letters are in lower case, and every
punctuation mark and every Chinese character is a word of its own.

>>> pieces = ["[UNK]", "[CLS]", "[SEP]", "un", "##known", "spider", "##s", "!"]
>>> WordPiece(pieces).numbers("Spiders: UNKNOWN!")
[1, 5, 6, 0, 3, 4, 7, 2]
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lycosa.portal.search.bounded_cache import BoundedCache

MAX_TOKENS: Final = 256
"""Tokens of a text, its beginning and end included: the limit of the sentence encoder."""
MAX_CHARACTERS: Final = 32 * MAX_TOKENS
"""Characters of a text that are read; a token of prose takes four to five with its space."""
MAX_WORD_CHARACTERS: Final = 100
"""A longer word is unknown, as in BERT: the time for a word grows with its square."""
MAX_CACHED_WORDS: Final = 100_000
"""Words whose pieces are cached."""
UNKNOWN, BEGINNING, END = "[UNK]", "[CLS]", "[SEP]"
_CHINESE: Final = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF), (0x2F800, 0x2FA1F),
)  # fmt: skip
"""The blocks of Chinese characters; those of kana and hangul are written with words."""


class WordPiece:
    """Cuts texts into numbers of pieces.

    `vocabulary` lists the pieces; the place of a piece is its number. It has the
    three special pieces for an unknown word, the beginning and the end of a text.
    A text cannot spell them: `[` is a word of its own.
    """

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        missing = [each for each in (UNKNOWN, BEGINNING, END) if each not in self._numbers]
        if missing:
            raise ValueError(f"The vocabulary has no piece {', '.join(missing)}.")
        self._longest = max(map(len, vocabulary))
        self._cache: BoundedCache[str, list[int]] = BoundedCache(MAX_CACHED_WORDS)

    @classmethod
    def read(cls, path: Path) -> WordPiece:
        """Read a vocabulary from a file with one piece on each line."""
        return cls(path.read_text("utf-8").rstrip("\n").split("\n"))

    def numbers(self, text: str, limit: int = MAX_TOKENS) -> list[int]:
        """Return the numbers of the pieces of a text, at most `limit` of them.

        The first and the last stand for beginning and end.
        """
        found = [self._numbers[BEGINNING]]
        for word in words(text[:MAX_CHARACTERS]):
            if len(found) >= limit - 1:
                break
            pieces = self._cache.get(word)
            if pieces is None:
                pieces = self._cache[word] = self._cut(word)
            found += pieces
        return [*found[: limit - 1], self._numbers[END]]

    def _cut(self, word: str) -> list[int]:
        """Return the numbers of the pieces of a word, or that of an unknown word."""
        unknown = [self._numbers[UNKNOWN]]
        if len(word) > MAX_WORD_CHARACTERS:
            return unknown
        found: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for stop in range(min(len(word), start + self._longest), start, -1):
                number = self._numbers.get(mark + word[start:stop])
                if number is not None:
                    found.append(number)
                    start = stop
                    break
            else:
                return unknown
        return found


def words(text: str) -> list[str]:
    """Return the words of a text as uncased models read them.

    >>> words("Crème brûlée, 2+2 北京")
    ['creme', 'brulee', ',', '2', '+', '2', '北', '京']
    """
    kept = "".join(map(_cleaned, text))
    bare = "".join(each for each in unicodedata.normalize("NFD", kept) if not _is_accent(each))
    return "".join(f" {each} " if _is_punctuation(each) else each for each in bare.lower()).split()


def _cleaned(character: str) -> str:
    """Return what a character is replaced by before accents are stripped."""
    if character.isascii() and character.isalnum():
        return character
    if character.isspace():
        return " "
    if character == "\ufffd" or unicodedata.category(character) in {"Cc", "Cf", "Co", "Cs"}:
        return ""
    code = ord(character)
    if code >= _CHINESE[0][0] and any(first <= code <= last for first, last in _CHINESE):
        return f" {character} "
    return character


def _is_accent(character: str) -> bool:
    return not character.isascii() and unicodedata.category(character) == "Mn"


def _is_punctuation(character: str) -> bool:
    """Whether a character is punctuation; all signs of ASCII are, as in BERT."""
    if character.isascii():
        return not character.isalnum() and not character.isspace()
    return unicodedata.category(character)[0] == "P"
