"""What a live crawl waits for, in a few words."""

from __future__ import annotations

from lycosa.crawler.live.status import HostWait, Status
from lycosa.reporting.text import plural

MIN_SECONDS = 3.0
"""A wait for the first answer that is shorter is not worth a word."""


def activity(status: Status) -> str | None:
    """Return what a crawl does instead of fetching pages; None if it fetches them, or has ended.

    It re-reads its archive, or waits for an answer, or for the time at which the
    next host is due: a delay, or a back-off after a failure.
    """
    if status.reason is not None:
        return None
    if status.replayed < status.stored and not status.requests:
        return f"re-reading the archive: {status.replayed:,} of {plural(status.stored, 'page')}"
    if status.in_flight:
        if status.requests or status.seconds < MIN_SECONDS:
            return None
        hosts = ", ".join(wait.host for wait in status.waits[:3])
        return f"waiting for the first answer{f' of {hosts}' if hosts else ''}"
    timed = [wait for wait in status.waits if wait.seconds is not None and wait.urls]
    if not timed:
        return None
    return _wait(min(timed, key=lambda wait: wait.seconds or 0.0), len(timed) - 1)


def _wait(wait: HostWait, others: int) -> str:
    more = f" (and for {plural(others, 'host')} more)" if others else ""
    what = "backing off from" if wait.why.startswith("back-off") else "waiting for"
    return f"{what} {wait.host} for {wait.seconds:,.0f} s: {wait.why}{more}"
