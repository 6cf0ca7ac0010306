"""Counter-based random numbers, and random partitions and permutations of ranges.

Everything in the generated web is a pure function of a seed and a page's
number: the same on every machine and in every order of evaluation. The numbers
are plain integers, because one page needs a few dozen of them and a call into
numpy costs more than any.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1


def mix(key: int, number: int) -> int:
    """Return a 64-bit number from two others: one step of splitmix64.

    >>> mix(1, 2) == mix(1, 2), mix(1, 2) == mix(2, 1)
    (True, False)
    """
    x = (key + number * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def key(seed: int, *purposes: int | str) -> int:
    """Return the key of one purpose under a seed, for `mix` and `RandomStream`.

    >>> key(0, "topic") == key(0, "style")
    False
    """
    x = mix(0x6C79636F7361, seed)
    for purpose in purposes:
        if isinstance(purpose, str):
            for byte in purpose.encode():
                x = mix(x, byte)
            x = mix(x, 256)
        else:
            x = mix(x, purpose)
    return x


class RandomStream:
    """An endless sequence of random numbers that `key` determines.

    >>> RandomStream(7).below(10) == RandomStream(7).below(10)
    True
    """

    __slots__ = ("_count", "_key")

    def __init__(self, key: int) -> None:
        self._key = key
        self._count = 0

    def next(self) -> int:
        """Return the next 64 bits."""
        self._count += 1
        return mix(self._key, self._count)

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1."""
        return (self.next() >> 11) % limit

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[(self.next() >> 11) % len(options)]

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """Return `count` different options in random order; all, if there are fewer."""
        rest = list(options)
        count = min(count, len(rest))
        return [rest.pop(self.below(len(rest))) for _ in range(count)]

    def ordered_sample(self, options: Sequence[T], count: int) -> list[T]:
        """Return `count` different options in their order; all, if there are fewer."""
        return [options[place] for place in sorted(self.sample(range(len(options)), count))]


class Split:
    """A partition of `items` into consecutive ranges of uneven length, one per owner.

    Owner i has the items `start(i)` to `start(i + 1)`. The owner of an item is
    found without a search: each border is moved from its even position by less
    than the even share, so it can never pass its neighbour. `items` and `owners`
    are numbers of them; `key` determines the borders.

    >>> split = Split(100, 8, 5)
    >>> split.owner(split.start(3)), split.start(0), split.start(8)
    (3, 0, 100)
    """

    __slots__ = ("_key", "items", "owners")

    def __init__(self, items: int, owners: int, key: int) -> None:
        self.items = items
        self.owners = owners
        self._key = key

    def start(self, owner: int) -> int:
        """Return the first item of an owner."""
        if owner <= 0:
            return 0
        if owner >= self.owners:
            return self.items
        base = owner * self.items // self.owners
        width = (owner + 1) * self.items // self.owners - base
        return base + (mix(self._key, owner) >> 20) % width if width else base

    def of(self, owner: int) -> range:
        """Return the items of an owner."""
        return range(self.start(owner), self.start(owner + 1))

    def owner(self, item: int) -> int:
        """Return the owner of an item."""
        # The last owner whose even position is not after the item; its border may be.
        guess = min(((item + 1) * self.owners - 1) // self.items, self.owners - 1)
        while self.start(guess) > item:
            guess -= 1
        return guess


class Shuffle:
    """An injective map of 0..size-1 into 0..space-1 that scatters neighbours.

    `key` determines the map.

    >>> shuffle = Shuffle(10, 1000, 3)
    >>> [shuffle.decode(shuffle.encode(n)) for n in range(3)], shuffle.decode(shuffle.encode(10))
    ([0, 1, 2], None)
    """

    __slots__ = ("_inverse", "_offset", "_step", "size", "space")

    def __init__(self, size: int, space: int, key: int) -> None:
        self.size = size
        self.space = space
        # A step near the golden section of the space separates neighbours.
        step = int(space * 0.6180339887) + mix(key, 1) % 97
        while gcd(step, space) != 1:
            step += 1
        self._step = step % space
        self._inverse = pow(self._step, -1, space) if space > 1 else 0
        self._offset = mix(key, 2) % space

    def encode(self, number: int) -> int:
        """Return the code of a number."""
        return (number * self._step + self._offset) % self.space

    def decode(self, code: int) -> int | None:
        """Return the number of a code, or None if it has none."""
        number = (code - self._offset) * self._inverse % self.space
        return number if number < self.size else None


def two(options: Sequence[T], code: int) -> tuple[T, T]:
    """Return two different options of at most 32, which ten bits of `code` choose.

    >>> two("abc", 1), two("abc", 33)
    (('b', 'c'), ('b', 'a'))
    """
    first = (code & 31) % len(options)
    second = (first + 1 + ((code >> 5) & 31) % (len(options) - 1)) % len(options)
    return options[first], options[second]
