"""Bounded cache: a dict that is emptied when it is full.

Dropping all entries at once keeps look-ups as fast as those of a dict, with no
bookkeeping of what was used when, and is safe among threads: a value that
another thread has just dropped is only computed again.

>>> squares = BoundedCache(max_size=2)
>>> for number in (1, 2, 3):
...     squares[number] = number**2
>>> dict(squares)
{3: 9}
"""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedCache(dict[K, V]):
    """A dict with at most `max_size` entries; adding one more first removes all others."""

    __slots__ = ("_max_size",)

    def __init__(self, max_size: int) -> None:
        super().__init__()
        self._max_size = max_size

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self._max_size and key not in self:
            self.clear()
        super().__setitem__(key, value)
