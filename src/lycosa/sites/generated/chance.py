"""Chance that can be asked twice: numbers from a key, and arithmetic on ranges.

Everything in the generated web is a function of a seed and a page's number.
There is no state: the same question always has the same answer, on every
machine and in every order. Plain integers, because one page asks a few dozen
small questions and a call into numpy costs more than any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TypeVar

T = TypeVar("T")

WORD = (1 << 64) - 1


def mix(key: int, number: int) -> int:
    """A 64-bit number from two others: one step of splitmix64.

    >>> mix(1, 2) == mix(1, 2), mix(1, 2) == mix(2, 1)
    (True, False)
    """
    x = (key + number * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) & WORD
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & WORD
    return x ^ (x >> 31)


def key(seed: int, *purposes: int | str) -> int:
    """The key of one purpose under a seed.

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


class Stream:
    """An endless row of answers to one question, for text.

    >>> Stream(7).below(10) == Stream(7).below(10)
    True
    """

    __slots__ = ("_count", "_key")

    def __init__(self, key: int) -> None:
        self._key = key
        self._count = 0

    def next(self) -> int:
        """The next 64 bits."""
        self._count += 1
        return mix(self._key, self._count)

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        return (self.next() >> 11) % limit

    def one(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[(self.next() >> 11) % len(options)]

    def some(self, options: Sequence[T], count: int) -> list[T]:
        """Several different options, in no order."""
        rest = list(options)
        count = min(count, len(rest))
        return [rest.pop(self.below(len(rest))) for _ in range(count)]


class Split:
    """`items` shared out among `owners` in rows of uneven length.

    Owner i has the items `start(i)` to `start(i + 1)`, and the owner of an item
    is found without a search: each border is moved from its even place by less
    than the even share, so it can never pass its neighbour.

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
        """The first item of an owner."""
        if owner <= 0:
            return 0
        if owner >= self.owners:
            return self.items
        base = owner * self.items // self.owners
        width = (owner + 1) * self.items // self.owners - base
        return base + (mix(self._key, owner) >> 20) % width if width else base

    def of(self, owner: int) -> range:
        """The items of an owner."""
        return range(self.start(owner), self.start(owner + 1))

    def owner(self, item: int) -> int:
        """Whose an item is."""
        # The last owner whose even place is not after the item; its border may be.
        guess = min(((item + 1) * self.owners - 1) // self.items, self.owners - 1)
        while self.start(guess) > item:
            guess -= 1
        return guess


class Shuffle:
    """A one-to-one map of 0..size-1 into 0..space-1 that scatters neighbours.

    >>> shuffle = Shuffle(10, 1000, 3)
    >>> [shuffle.back(shuffle.forth(n)) for n in range(3)], shuffle.back(shuffle.forth(10))
    ([0, 1, 2], None)
    """

    __slots__ = ("_inverse", "_offset", "_step", "size", "space")

    def __init__(self, size: int, space: int, key: int) -> None:
        self.size = size
        self.space = space
        # A step near the golden section of the space keeps neighbours apart.
        step = int(space * 0.6180339887) + mix(key, 1) % 97
        while gcd(step, space) != 1:
            step += 1
        self._step = step % space
        self._inverse = pow(self._step, -1, space) if space > 1 else 0
        self._offset = mix(key, 2) % space

    def forth(self, number: int) -> int:
        """Where a number goes."""
        return (number * self._step + self._offset) % self.space

    def back(self, code: int) -> int | None:
        """Which number went there, or None."""
        number = (code - self._offset) * self._inverse % self.space
        return number if number < self.size else None
