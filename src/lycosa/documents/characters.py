r"""Character repair: text as PDF files have it becomes text as it was meant.

>>> repair_characters("Poincar\xb4e")
'Poincaré'
"""

from __future__ import annotations

import re
import unicodedata

_LIGATURES = str.maketrans(
    {
        "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl",
        "\ufb05": "st", "\ufb06": "st", "\xad": "-", "\u2010": "-", "\u2011": "-", "\xa0": " ",
    }
)  # fmt: skip
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")
_ACCENTS = {
    "\xb4": "\u0301", "`": "\u0300", "\xa8": "\u0308", "\u02c6": "\u0302", "\u02dc": "\u0303",
    "\u02c7": "\u030c", "\u02d8": "\u0306", "\u02da": "\u030a", "\u02d9": "\u0307",
    "\u02dd": "\u030b", "\xb8": "\u0327",
}  # fmt: skip
# TeX prints an accent first and the letter over it.
_ACCENT_LETTER = re.compile(
    r"([\xb4\xa8\u02c6\u02dc\u02c7\u02d8\u02da\u02d9\u02dd]|(?<=\w)`)([^\W\d_])"
)
# PDFium may put spaces around an accent within a word or, if it lost its place, leave it
# between two words.
_SPACED_ACCENT = re.compile(r"(?<=[^\W\d_]) ([\xb4\xa8\u02c6\u02dc\u02c7\u02d8\u02da]) (?=[a-z])")
_STRAY_ACCENT = re.compile(r"(?:^| )[\xb4\xa8\u02c6\u02dc\u02c7\u02d8\u02da](?= |$)")
_CEDILLA = re.compile(r"([cstCST])\xb8|\xb8([cstCST])")
_DOTLESS = str.maketrans("\u0131\u0237", "ij")


def repair_characters(text: str) -> str:
    r"""Spell ligatures out, put accents on their letters and remove control characters.

    >>> repair_characters("e\ufb03cient Poincar\xb4e \x01 na\xa8\u0131ve")
    'efficient Poincaré naïve'
    """
    if text.isascii() and text.isprintable() and "`" not in text:
        return text.strip()
    text = _STRAY_ACCENT.sub("", _SPACED_ACCENT.sub(r"\1", text.translate(_LIGATURES)))
    text = _ACCENT_LETTER.sub(_compose_match, text)
    text = _CEDILLA.sub(lambda m: _compose("\xb8", m[1] or m[2]), text)
    return " ".join(_CONTROL.sub(" ", text).split())


def _compose_match(match: re.Match[str]) -> str:
    return _compose(match[1], match[2])


def _compose(accent: str, letter: str) -> str:
    """Return the letter with the accent, or both as they are if Unicode has no such letter."""
    whole = unicodedata.normalize("NFC", letter.translate(_DOTLESS) + _ACCENTS[accent])
    return whole if len(whole) == 1 else accent + letter
