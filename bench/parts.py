"""Sampling profiler: the CPU time of a process by part of the program, in all its threads.

A profiler that watches every call makes four times as much work of a crawl, most
of it where calls are many; a look at every thousandth of a second changes nothing.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import FrameType
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Parts: TypeAlias = Mapping[str, tuple[str, ...]]
"""Patterns of file names by part; the first one found in a name applies. Files without a
pattern, such as those of numpy, count for their caller."""

EVERY = 0.001  # seconds of CPU time
REST = "engine and rest"


def sampled(work: Callable[[], T], parts: Parts) -> tuple[T, dict[str, float]]:
    """Return the result of some work, and each part's share of the CPU time of all threads."""
    seen: defaultdict[str, float] = defaultdict(float)
    used: dict[int, float] = {}
    part_of = cache(partial(_part, parts))
    main = threading.get_ident()

    def look(_: int, interrupted: FrameType | None) -> None:
        frames = sys._current_frames()
        # That of the main thread is the frame of this function: a variable of its own
        # would keep all frames below it, with their variables, until the next collection.
        frames.pop(main)
        doing = {thread: _doing(frame, part_of) for thread, frame in frames.items()}
        doing[main] = _doing(interrupted, part_of)
        for thread, part in doing.items():
            now = time.clock_gettime(time.pthread_getcpuclockid(thread))
            before, used[thread] = used.get(thread, 0.0), now
            # A later thread may have the number of one that has ended.
            seen[part] += now - before if now >= before else now

    used[main] = time.thread_time()
    before = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    try:
        result = work()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    total = sum(seen.values()) or 1.0
    return result, {part: seen[part] / total for part in (*parts, REST)}


def _doing(frame: FrameType | None, part_of: Callable[[str], str | None]) -> str:
    while frame is not None:
        part = part_of(frame.f_code.co_filename)
        if part is not None:
            return part
        frame = frame.f_back
    return REST


def _part(parts: Parts, file: str) -> str | None:
    for part, marks in parts.items():
        if any(mark in file for mark in marks):
            return part
    return None
