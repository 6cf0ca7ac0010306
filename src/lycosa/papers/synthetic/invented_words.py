"""Invented words: a number becomes syllables."""

from __future__ import annotations

_ONSETS = tuple("b br c d dr f g gr h k kl l m n p pr r s st t tr v w z".split())
_ENDS = ("", "n", "r", "s", "nd", "ck", "ng", "ll", "rt", "m")
_SYLLABLES = tuple(onset + vowel for vowel in "aeiou" for onset in _ONSETS)


def spell(code: int, syllables: int) -> str:
    """Return a pronounceable word, different for every code.

    >>> spell(123456, 2)
    'gukung'
    """
    code, end = divmod(code, len(_ENDS))
    word = _ENDS[end]
    for _ in range(syllables):
        code, syllable = divmod(code, len(_SYLLABLES))
        word = _SYLLABLES[syllable] + word
    return word
