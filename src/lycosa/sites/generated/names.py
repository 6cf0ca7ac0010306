"""Reversible names: a number becomes syllables, and syllables a number."""

from __future__ import annotations

from lycosa.sites.generated.random_stream import Shuffle, key, mix

_ONSETS = tuple("b br c d dr f g gr h k kl l m n p pr r s st t tr v w z".split())
_VOWELS = "aeiou"
_ENDS = ("", "n", "r", "s", "nd", "ck", "ng", "ll", "rt", "m")
_SYLLABLES = tuple(o + v for v in _VOWELS for o in _ONSETS)
_CODES = {s: n for n, s in enumerate(_SYLLABLES)}

FIRST_NAMES = tuple(
    """Ada Alan Alice Amit Andrea Anna Barbara Ben Brian Carla Carlos Chen Clara Daniel David Diana
    Edgar Elena Emil Erik Eva Fatima Felix Frank Grace Hana Henry Hiro Ines Ivan Jack Jane Jin
    John José Julia Jürgen Karen Karl Kim Lars Laura Lee Leo Lin Lucia Maria Mark Martha Mehmet
    Mei Michael Mina Nadia Nils Olga Omar Oscar Paul Paula Peter Priya Rachel Raj René Rita Robert
    Rosa Ruth Sam Sara Simon Sofia Stefan Susan Tara Thomas Tim Tom Uma Vera Victor Wei Yuki Zoë
    """.split()
)


def spell(code: int, syllables: int) -> str:
    """Return a pronounceable word, different for every code.

    >>> word = spell(123456, 2)
    >>> word, unspell(word)
    ('gukung', 123456)
    """
    code, end = divmod(code, len(_ENDS))
    word = _ENDS[end]
    for _ in range(syllables):
        code, syllable = divmod(code, len(_SYLLABLES))
        word = _SYLLABLES[syllable] + word
    return word


def unspell(word: str) -> int | None:
    """Return the code of a word, or None if it has none."""
    codes = []
    begin = 0
    for position, letter in enumerate(word):
        if letter in _VOWELS:
            code = _CODES.get(word[begin : position + 1])
            if code is None:
                return None
            codes.append(code)
            begin = position + 1
    if not codes or word[begin:] not in _ENDS:
        return None
    result = 0
    for code in codes:
        result = result * len(_SYLLABLES) + code
    return result * len(_ENDS) + _ENDS.index(word[begin:])


class Namer:
    """Unique names of the numbers 0..size-1, and the number of a name; `key` selects them.

    >>> namer = Namer(500, 9)
    >>> namer.find(namer[42])
    42
    """

    __slots__ = ("_shuffle", "_syllables")

    def __init__(self, size: int, key: int) -> None:
        # Eight times as many words as names, so that most wrong names are detected.
        self._syllables = 2
        while len(_SYLLABLES) ** self._syllables * len(_ENDS) < 8 * size:
            self._syllables += 1
        space = len(_SYLLABLES) ** self._syllables * len(_ENDS)
        self._shuffle = Shuffle(size, space, key)

    def __getitem__(self, number: int) -> str:
        return spell(self._shuffle.encode(number), self._syllables)

    def find(self, name: str) -> int | None:
        """Return the number of a name, or None if it has none."""
        code = unspell(name)
        if code is None or code >= self._shuffle.space:
            return None
        number = self._shuffle.decode(code)
        return number if number is not None and self[number] == name else None


def first_name(code: int) -> str:
    """Return a first name; many people have the same."""
    return FIRST_NAMES[(code >> 13) % len(FIRST_NAMES)]


def place_name(seed: int, purpose: str, index: int) -> str:
    """Return the name of the `index`-th university or company of a world."""
    return Namer(4096, key(seed, purpose))[mix(key(seed, purpose, "place"), index) % 7 + index * 7]
