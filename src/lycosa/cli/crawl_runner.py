"""Runs a live crawl in a terminal: shows its view, and stops it cleanly on Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from lycosa.cli.view import View
from lycosa.crawler.live.engine import LiveCrawl
from lycosa.processes import tuned_for_growth

_T = TypeVar("_T")

MAX_TICK_SECONDS = 1.0
"""Between two looks at the status: a view says early on what the crawl waits for."""

NOTHING_FETCHED = 3
"""The exit code of a crawl of which no start page gave a page."""
INTERRUPTED = 130
"""The exit code of a crawl whose requests in flight were cancelled."""


def run_crawl(live: LiveCrawl, view: View) -> int:
    """Run a crawl to its end with a view; return the exit code."""
    with view, tuned_for_growth():
        return _run(_crawl(live, view))


async def _crawl(live: LiveCrawl, view: View) -> int:
    main = asyncio.current_task()
    assert main is not None  # noqa: S101 - this runs in a task
    pressed = 0

    def interrupt(reason: str) -> None:
        nonlocal pressed
        pressed += 1
        if pressed == 1:
            live.stop(reason)
            view.note("Finishing the requests in flight; press Ctrl-C again to stop at once.")
        elif pressed == 2:  # a third one must not interrupt the cleaning up
            main.cancel()

    loop = asyncio.get_running_loop()
    for number, reason in ((signal.SIGINT, "person"), (signal.SIGTERM, "signal")):
        with suppress(
            NotImplementedError, ValueError
        ):  # not possible in every thread or on every system
            loop.add_signal_handler(number, interrupt, reason)
    live.seeds.on_failure = view.failure
    ticker = loop.create_task(_tick(live, view))
    try:
        async for step in live:
            view.step(step)
    except asyncio.CancelledError:
        if pressed < 2:
            raise
        live.reason = "person"
        return INTERRUPTED
    finally:
        ticker.cancel()
        await asyncio.gather(ticker, return_exceptions=True)
        view.end(live.status())
    return NOTHING_FETCHED if live.seeds.gave_nothing else 0


async def _tick(live: LiveCrawl, view: View) -> None:
    while True:
        view.tick(live.status())
        await asyncio.sleep(min(view.interval_seconds, MAX_TICK_SECONDS))


def _run(work: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine in uvloop if it is installed."""
    try:
        from uvloop import new_event_loop
    except ImportError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)
