"""How far a long computation is: it reports, and whoever waits for it may watch.

A computation calls `report` and need not know who watches; no signature between the two has a
parameter for it. Without a watcher nothing happens.

>>> with watched(lambda done, total: print(f"{done:g} of {total:g}")):
...     report(1, 4)
...     with part(1, 2):  # the second half of a longer computation
...         report(1, 4)
1 of 4
1.25 of 2
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

Watcher: TypeAlias = Callable[[float, float], object]
"""Is told how much is done, and of how much; both in a unit of the computation's own."""

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


def report(done: float, total: float) -> None:
    """Tell the watcher, if there is one, that `done` of `total` is done."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(done, total)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Let a watcher be told what is reported within the block."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


@contextmanager
def part(index: int, count: int) -> Iterator[None]:
    """Report what is done within the block as the `index`-th of `count` equal parts."""
    outer = _watcher.get()
    if outer is None:
        yield
        return
    tell = outer
    with watched(lambda done, total: tell(index + done / total, count)):
        yield
