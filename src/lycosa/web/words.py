"""Word segmentation: the definition of a word, for the whole package."""

from __future__ import annotations

import re
from urllib.parse import unquote

MARK = "\0"
"""Marks a position in a text, between spaces; it is in no word."""
SPACED_MARK = f" {MARK} "
MAX_WORD_CHARACTERS = 64
"""Longer runs of letters are several words."""

_ONE_BYTE = "latin-1"
"""The encoding whose bytes are the first 256 characters of Unicode."""
CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
"""Characters of Chinese and Japanese, as a part of a character class."""
# Letters and digits, at most 64 in a row, so that binary data cannot make a word of
# a megabyte; Chinese and Japanese, written without spaces, one character at a time.
WORD = re.compile(rf"[^\W_{CJK}]{{1,{MAX_WORD_CHARACTERS}}}|[{CJK}]")
"""A word, of a text in lower case."""


def _separated(character: str) -> int:
    """Return the code of a character in lower case; of a space, if it is in no word."""
    lower = character.lower()
    return ord(lower if WORD.fullmatch(lower) or lower == MARK else " ")


SEPARATED = bytes(map(_separated, map(chr, range(256))))
"""The first 256 characters of Unicode in lower case; a space for each that is in no word.

Texts of such characters alone, which most are, are put in lower case and freed of punctuation
by this table in one call, as bytes.
"""


def words(text: str) -> list[str]:
    """Return the words of a text in reading order, in lower case.

    >>> words("Rennie & McCallum (1999), pp. 335-343")
    ['rennie', 'mccallum', '1999', 'pp', '335', '343']
    """
    runs = usual_runs(text)
    if runs is None or max(map(len, runs), default=0) > MAX_WORD_CHARACTERS or MARK in text:
        return WORD.findall(text.lower())
    return runs


def usual_runs(text: str) -> list[str] | None:
    """Return the words of a text, however long, and what contains marks; None if it is unusual.

    A text is unusual if it has characters beyond the first 256 of Unicode.
    """
    try:
        encoded = text.encode(_ONE_BYTE)
    except UnicodeEncodeError:
        return None
    return encoded.translate(SEPARATED).decode(_ONE_BYTE).split()


def url_words(url: str) -> list[str]:
    """Return the words of a URL's directories, file name and query, without the host.

    >>> url_words("http://www.cs.example.edu/~smith/papers/TR-96%2012.ps.gz?lang=en")
    ['smith', 'papers', 'tr', '96', '12', 'ps', 'gz', 'lang', 'en']
    """
    return words(unquote(path_of(url)))


def path_of(url: str) -> str:
    """Return what follows the host of a URL, without the slash.

    >>> path_of("http://a.example/b?c"), path_of("http://a.example")
    ('b?c', '')
    """
    parts = url.split("/", 3)
    return parts[3] if len(parts) > 3 else ""
