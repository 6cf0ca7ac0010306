"""Work spread over processes, its results in order.

>>> list(spread(len, ["a", "bb", "ccc"], jobs=1))
[1, 2, 3]
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from lycosa.errors import LycosaError

_Part = TypeVar("_Part")
_Done = TypeVar("_Done")
_AHEAD = 16  # parts for each process that wait or are done before they are asked for


def spread(work: Callable[[_Part], _Done], parts: Iterable[_Part], jobs: int) -> Iterator[_Done]:
    """What a function makes of parts, a few of them ahead; with one job in this process."""
    if jobs == 1:
        yield from map(work, parts)
        return
    pool = fresh_pool(jobs, collecting=False)
    waiting: deque[Future[_Done]] = deque()
    every = iter(parts)
    try:
        while True:
            with uninterrupted():
                for part in islice(every, _AHEAD * jobs - len(waiting)):
                    waiting.append(pool.submit(work, part))
            if not waiting:
                break
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise LycosaError(
            "A process of the build was killed, perhaps for want of memory; let fewer run at "
            "once (--jobs 1). What was read is kept."
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def in_parts(items: Iterable[_Part], size: int) -> Iterator[list[_Part]]:
    """Items, so many at a time.

    >>> list(in_parts("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    every = iter(items)
    while part := list(islice(every, size)):
        yield part


def fresh_pool(jobs: int, *, collecting: bool = True) -> ProcessPoolExecutor:
    """Fresh processes, because threads (a progress bar) and fork do not mix."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, context, _begin, (collecting,))


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for garbage in cycles: with millions of members it takes a third of the time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextmanager
def undivided() -> Iterator[None]:
    """Products of matrices in this thread alone: no sum depends on how many cores there are.

    With small matrices, or where others compute too, threads wait for each other more than
    they help.
    """
    with threadpool_limits(1, user_api="blas"):
        yield


@contextmanager
def uninterrupted() -> Iterator[None]:
    """No Ctrl-C for a moment: processes that begin must first know what to do with it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _begin(collecting: bool) -> None:
    """Let Ctrl-C end a process without a word, for its parent speaks."""
    if not collecting:
        gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
