"""Running a live crawl in a terminal: a view, and Ctrl-C that ends it well."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from lycosa.cli.view import View
from lycosa.crawler.live.engine import LiveCrawl

_T = TypeVar("_T")

INTERRUPTED = 130
"""The exit code of a crawl that was not let finish what was under way."""


def run_crawl(live: LiveCrawl, view: View) -> int:
    """Crawl to the end, show how it goes, and give the exit code."""
    with view:
        return _run(_crawl(live, view))


async def _crawl(live: LiveCrawl, view: View) -> int:
    main = asyncio.current_task()
    assert main is not None  # noqa: S101 - this is one
    pressed = 0

    def interrupt() -> None:
        nonlocal pressed
        pressed += 1
        if pressed == 1:
            live.stop("person")
            view.note("Finishing what is under way; Ctrl-C again ends at once.")
        else:
            main.cancel()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError, ValueError):  # not in every thread, or system
            loop.add_signal_handler(number, interrupt)
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
    return 0


async def _tick(live: LiveCrawl, view: View) -> None:
    while True:
        view.tick(live.status())
        await asyncio.sleep(view.every)


def _run(work: Coroutine[Any, Any, _T]) -> _T:
    """Run it in the fastest loop there is."""
    try:
        from uvloop import new_event_loop
    except ImportError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)
