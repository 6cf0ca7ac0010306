"""The JSON view of a live crawl: one event per line, see docs/reference/events.md."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any, TextIO

from lycosa.cli.activity import activity
from lycosa.cli.interval import Clock, Interval
from lycosa.closing import Closing
from lycosa.core import Step
from lycosa.crawler.live.status import SeedFailure, Status
from lycosa.reporting.text import printable

_KEYS = {"in_flight": "under_way"}


class JsonView(Closing):
    """Writes events to stdout and notes to stderr.

    `folder` is that of the project, for the last event; `out` and `notes` are other
    streams, and `clock` another clock, for tests.
    """

    interval_seconds = 5.0

    def __init__(
        self,
        folder: Path | None = None,
        *,
        out: TextIO | None = None,
        notes: TextIO | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._folder = folder
        self._out = out if out is not None else sys.stdout
        self._notes = notes if notes is not None else sys.stderr
        self._due = Interval(self.interval_seconds, clock, first=self.interval_seconds)

    def step(self, step: Step, *, asked: str | None = None, final: str | None = None) -> None:
        """Write a `step` event."""
        page = step.page
        self._write(
            "step",
            n=step.n,
            url=page.url if asked is None else asked,
            final=final,
            status=page.status,
            type=page.type,
            reward=float(step.reward),
            score=float(step.score) if isfinite(step.score) else None,
            source=page.tables.urls[step.source] if step.source >= 0 else None,
            error=page.error,
        )

    def failure(self, failure: SeedFailure) -> None:
        """Write a `seed` event."""
        self._write("seed", **asdict(failure))

    def tick(self, status: Status) -> None:
        """Write a `status` event if the interval has passed."""
        if self._due():
            self._write("status", **_facts(status))

    def note(self, text: str) -> None:
        """Print a note to stderr."""
        print(printable(text), file=self._notes, flush=True)

    def end(self, status: Status) -> None:
        """Write the `end` event."""
        self._write(
            "end",
            **_facts(status),
            reason=status.reason,
            folder=None if self._folder is None else str(self._folder),
        )

    def _write(self, event: str, **fields: Any) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"event": event, "time": now, **fields}, allow_nan=False)
        self._out.write(line + "\n")
        self._out.flush()

    def close(self) -> None:
        """Do nothing: the streams stay open."""


def _facts(status: Status) -> dict[str, Any]:
    # The event's key is older than the attribute's name.
    facts = {_KEYS.get(name, name): value for name, value in asdict(status).items()}
    # The curve can be drawn from the steps, and the reason is for the end.
    del facts["curve"], facts["reason"]
    return facts | {
        "waits": [wait._asdict() for wait in status.waits],
        "totals": status.totals._asdict(),
        "notices": [notice._asdict() for notice in status.notices],
        "activity": activity(status),
    }
