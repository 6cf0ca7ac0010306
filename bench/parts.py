"""Sampling profiler: the CPU time of a crawl by part of the program.

A profiler that watches every call makes four times as much work of a crawl, most
of it where calls are many; a look at every thousandth of a second changes nothing.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable
from functools import cache
from types import FrameType
from typing import TypeVar

T = TypeVar("T")

EVERY = 0.001  # seconds of CPU time
REST = "engine and rest"
# The first pattern found in a file name applies. Files without a pattern, such as those of
# numpy, count for their caller.
PARTS = {
    "politeness": ("live/hosts", "live/pace", "live/turns", "live/waiting", "live/rules",
                   "live/errands", "web/robots"),
    "network": ("live/fetch", "live/addresses", "live/codings", "live/replies", "/aiohttp/",
                "/yarl/", "/multidict/", "/asyncio/", "/uvloop/", "/aiohappyeyeballs/"),
    "parsing": ("lycosa/web/", "live/reading"),
    "scoring": ("lycosa/spiders/", "lycosa/learn/", "lycosa/goals/", "lycosa/search/"),
    "frontier": ("crawl/frontier", "crawl/crawl.py"),
    "recall": ("crawl/recall",),
    "store": ("live/memory", "live/store", "live/journal", "live/volumes", "live/records",
              "live/troubles", "live/lock", "sites/warc"),
    REST: ("lycosa/crawl/", "/bench/"),
}  # fmt: skip


def sampled(work: Callable[[], T]) -> tuple[T, dict[str, float]]:
    """Return the result of some work, and each part's share of the main thread's CPU time."""
    seen: Counter[str] = Counter()

    def look(_: int, frame: FrameType | None) -> None:
        seen[_doing(frame)] += 1

    before = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    try:
        result = work()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return result, {part: seen[part] / max(seen.total(), 1) for part in PARTS}


def _doing(frame: FrameType | None) -> str:
    while frame is not None:
        part = _part(frame.f_code.co_filename)
        if part is not None:
            return part
        frame = frame.f_back
    return REST


@cache
def _part(file: str) -> str | None:
    for part, marks in PARTS.items():
        if any(mark in file for mark in marks):
            return part
    return None
