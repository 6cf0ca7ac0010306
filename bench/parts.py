"""Sampling profiler: the CPU time of a crawl by part of the program.

A profiler that watches every call makes four times as much work of a crawl, most
of it where calls are many; a look at every thousandth of a second changes nothing.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import FrameType
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Parts: TypeAlias = Mapping[str, tuple[str, ...]]
"""Patterns of file names by part; the first one found in a name applies."""

EVERY = 0.001  # seconds of CPU time
REST = "engine and rest"
# Files without a pattern, such as those of numpy, count for their caller.
PARTS: Parts = {
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


def sampled(work: Callable[[], T], parts: Parts = PARTS) -> tuple[T, dict[str, float]]:
    """Return the result of some work, and each part's share of the main thread's CPU time."""
    seen: Counter[str] = Counter()
    part_of = cache(partial(_part, parts))

    def look(_: int, frame: FrameType | None) -> None:
        seen[_doing(frame, part_of)] += 1

    before = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    try:
        result = work()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return result, {part: seen[part] / max(seen.total(), 1) for part in (*parts, REST)}


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
