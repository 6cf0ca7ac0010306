"""Reversible names: a number becomes a word of a list, with a suffix if there are too few words."""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.sites.generated.random_stream import Shuffle, key

_PLACE_STARTS = (
    "Alder Ash Beck Birch Black Brad Bram Brook Cald Carl Clay Cold Crow Dale Dun East Elm Fair "
    "Farn Glen Gold Green Hart Hazel Hay Holm Ivy Kel King Lang Lark Lin Mal Mar Mill Moor North "
    "Oak Pen Quern Red Rowan Sand Silver Stan Summer Thorn Wal West Whit Win Wren"
).split()
_PLACE_ENDS = (
    "bourne bridge brook burn bury combe dale den field ford gate ham haven hurst leigh mere "
    "minster mouth port shaw stead ton wick worth"
).split()


class Namer:
    """Unique names of the numbers 0..size-1, and the number of a name.

    `words` are different and have no digits; `key` selects which number gets which. More
    numbers than words get suffixes: "heron", "heron2", "heron3".

    >>> namer = Namer(("heron", "ibis", "kite"), 5, 9)
    >>> sorted(namer[n] for n in range(5)), namer.find(namer[4]), namer.find("crow")
    (['heron', 'heron2', 'ibis2', 'kite', 'kite2'], 4, None)
    """

    __slots__ = ("_indices", "_shuffle", "_words")

    def __init__(self, words: Sequence[str], size: int, key: int) -> None:
        self._words = words
        self._indices = {word: index for index, word in enumerate(words)}
        rounds = max(1, -(-size // len(words)))
        self._shuffle = Shuffle(size, rounds * len(words), key)

    def __getitem__(self, number: int) -> str:
        suffix, word = divmod(self._shuffle.encode(number), len(self._words))
        return f"{self._words[word]}{suffix + 1}" if suffix else self._words[word]

    def word(self, number: int) -> int:
        """Return the index of the word in the name of a number."""
        return self._shuffle.encode(number) % len(self._words)

    def find(self, name: str) -> int | None:
        """Return the number of a name, or None if it has none."""
        word = name.rstrip("0123456789")
        index, suffix = self._indices.get(word), name[len(word) :]
        if index is None or len(suffix) > 9:
            return None
        code = (int(suffix) - 1 if suffix else 0) * len(self._words) + index
        number = self._shuffle.decode(code) if 0 <= code < self._shuffle.space else None
        return number if number is not None and self[number] == name else None


def place_name(seed: int, purpose: str, index: int) -> str:
    """Return the name of the `index`-th university or company of a world.

    >>> place_name(0, "departments", 3) != place_name(0, "departments", 4)
    True
    """
    places = len(_PLACE_STARTS) * len(_PLACE_ENDS)
    code = Shuffle(places, places, key(seed, purpose)).encode(index)
    start, end = divmod(code, len(_PLACE_ENDS))
    return _PLACE_STARTS[start] + _PLACE_ENDS[end]


def any_place(code: int) -> str:
    """Return the name of some town."""
    return _PLACE_STARTS[code % len(_PLACE_STARTS)] + _PLACE_ENDS[(code >> 8) % len(_PLACE_ENDS)]
