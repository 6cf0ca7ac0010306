"""Which pages of a crawl to request again now, from its step log.

The log has the time, the status and the digest of every visit. A visit has found a change
if the response has another digest than the one before; a 304 says that there is none. A
page that answers 404 or 410, or that leads elsewhere now, is gone. A visit that failed
otherwise says nothing.

The log is read in one pass, and what is kept of it is some 150 bytes a page, four a step and
a row of a table; URLs are kept as hashes, and read from the log when they are wanted. So that
a log of years is not read again and again, `lycosa keep` writes what is known into the folder
`revisits`, and reads only later steps. The folder is a cache: it may be deleted.
"""

from __future__ import annotations

import logging
from array import array
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import xxhash

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.revisit.effort import CHANGED, Effort
from lycosa.crawler.revisit.revisit_plan import RevisitPlan
from lycosa.crawler.storage.checkpoints import CheckpointFolder
from lycosa.crawler.storage.reader import CrawlReader, LoggedStep
from lycosa.snapshots import StateReader, StateWriter

SECONDS_A_DAY: Final = 86_400.0
GONE: Final = (404, 410)
CACHE: Final = "revisits"
"""The folder of what is known."""
MIN_NEW_STEPS: Final = 1000
"""Steps after which what is known is written again: fewer are read in a moment."""

_log = logging.getLogger("lycosa.project")


class Revisits:
    """The plan of a crawl, and what it has read of the step log so far."""

    def __init__(self) -> None:
        self.plan = RevisitPlan()
        self.effort = Effort()
        """What revisits and discoveries have brought."""
        self.pages = 0
        """Pages that were requested, each once."""
        self.visits = 0
        """Visits after the first one of a page."""
        self.changes = 0
        """Of these, visits that found a change."""
        self._numbers: dict[int, int] = {}  # of pages, by the hash of the URL
        self._hashes = array("Q")  # by the number of a page, like the next ones
        self._digests = array("Q")  # of the body last seen; 0 before the first response
        self._first = array("q")  # steps: that of the first visit, and of the latest
        self._latest = array("q")
        self._requested = array("b")  # whether it was the URL of a request
        self._targets = array("b")
        self._of_step = array("q", [-1])  # the page that each step has led to

    @property
    def steps(self) -> int:
        """The number of the last step that was read."""
        return len(self._of_step) - 1

    @property
    def gone(self) -> int:
        """The number of pages that are not there any more."""
        return self.plan.gone_pages

    def due(self, count: int, now: datetime | None = None) -> list[int]:
        """Return the steps that last visited the pages to request again, most worthwhile first."""
        due = self.plan.due(_day(now or datetime.now(UTC)), count)
        return [self._latest[page] for page in due.tolist()]

    def count_due(self, count: int) -> int:
        """Return how many pages there are to request again now, at most `count`."""
        return len(self.plan.due(_day(datetime.now(UTC)), count))

    def read(self, steps: Iterable[LoggedStep]) -> None:
        """Read steps, in their order, from the one after `steps` on."""
        for step in steps:
            self._read_step(step)

    def _read_step(self, step: LoggedStep) -> None:
        plan, day = self.plan, _day(datetime.fromisoformat(step.time))
        asked, page = self._number(step.url), self._number(step.final)
        self.pages += not self._requested[asked]
        self._requested[asked] = 1
        while len(self._of_step) < step.n:  # of a log that was repaired
            self._of_step.append(-1)
        self._of_step.append(page)
        known = self._digests[page] != 0
        if (asked != page or step.fault == Fault.KNOWN_PAGE) and self._digests[asked]:
            plan.gone(asked, day)  # it leads elsewhere now
        if step.status in GONE:
            if known:
                plan.gone(page, day)
        elif step.status == 304 or (200 <= step.status < 300 and known):
            self._revisited(step, page, day)
        elif 200 <= step.status < 300:
            self._first_visit(step, page, day)
        self._latest[page] = step.n

    def _revisited(self, step: LoggedStep, page: int, day: float) -> None:
        digest = _hash(step.digest or "")
        changed = step.status != 304 and digest != self._digests[page]
        if step.status != 304:
            self._digests[page] = digest
        self._targets[page] |= step.reward > 0
        target = bool(self._targets[page])
        # The crawl rewards a target once, so one that was gone and is back has no reward.
        self.plan.revisited(page, day, changed=changed, target=target)
        self.visits += 1
        self.changes += changed
        self.effort.observe("revisit", CHANGED if changed and target else 0.0)

    def _first_visit(self, step: LoggedStep, page: int, day: float) -> None:
        target = step.reward > 0
        self._digests[page] = _hash(step.digest or "")
        self._first[page] = step.n
        self._targets[page] = target
        self.plan.fetched(page, day, target=target)
        source = self._of_step[step.source] if 0 < step.source < len(self._of_step) else -1
        revisited = source >= 0 and 0 < self._first[source] < step.source
        # What a revisit led to counts for revisits, not for the discovery of the crawl.
        self.effort.observe("revisit" if revisited else "discovery", float(target))
        if target and source >= 0:
            if revisited:
                self.plan.led_to_target(source)
            else:
                self.plan.has_link_to_target(source)

    def _number(self, url: str) -> int:
        key = _hash(url)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._hashes)
            self._hashes.append(key)
            for column in (self._digests, self._first, self._latest):
                column.append(0)
            for flags in (self._requested, self._targets):
                flags.append(0)
        return number

    def save(self, state: StateWriter) -> None:
        """Save what was read."""
        self.plan.save(state.part("plan"))
        state.value("counts", [self.pages, self.visits, self.changes])
        state.value("effort", dict(self.effort.brought))
        state.log("hashes", self._hashes)
        state.log("of_step", self._of_step)
        for name in ("digests", "first", "latest", "requested", "targets"):
            state.array(name, getattr(self, f"_{name}"))

    def restore(self, state: StateReader) -> None:
        """Take over what was saved."""
        self.plan.restore(state.part("plan"))
        self.pages, self.visits, self.changes = state.value("counts")
        self.effort.brought.update(state.value("effort"))
        state.fill_log("hashes", self._hashes)
        state.fill_log("of_step", self._of_step)
        for name in ("digests", "first", "latest", "requested", "targets"):
            state.fill(name, getattr(self, f"_{name}"))
        self._numbers = {key: number for number, key in enumerate(self._hashes)}


def plan_of(steps: Iterable[LoggedStep]) -> Revisits:
    """Return the plan that the steps of a crawl lead to."""
    found = Revisits()
    found.read(steps)
    return found


def read_revisits(folder: Path | str, *, write: bool = False) -> Revisits:
    """Return the plan of the crawl in a folder, which may be running.

    What was written into the cache is read from there. With `write` it is brought up to
    date; one process at a time may do so.
    """
    folder = Path(folder)
    with CrawlReader.open(folder) as reader:
        cache = CheckpointFolder(folder / CACHE)
        facts = {"goal": (reader.note("run") or {}).get("goal")}
        found = _cached(cache, reader, facts)
        cached = found.steps
        found.read(reader.entries(after=cached))
        if write and found.steps - cached >= MIN_NEW_STEPS:
            _write(cache, reader, found, facts, cached)
    return found


def due_urls(folder: Path | str, count: int, found: Revisits | None = None) -> list[str]:
    """Return the URLs of a crawl to request again now, the most worthwhile first."""
    found = found or read_revisits(folder)
    with CrawlReader.open(folder) as reader:
        steps = (reader.step(n) for n in found.due(count))
        return [step.final for step in steps if step is not None]


def _cached(cache: CheckpointFolder, reader: CrawlReader, facts: dict[str, Any]) -> Revisits:
    """Return what the cache has of this crawl; it is empty if it belongs to another log or goal."""
    try:
        saved = cache.latest(reader.steps)
        last = None if saved is None else reader.step(saved.steps)
        if saved is None or saved.facts != {**facts, "last": _identity(last)}:
            return Revisits()
        found = Revisits()
        found.restore(saved.state)
    except (OSError, ValueError, LookupError, TypeError) as error:
        _log.info("The cache of revisits is not used: %s", error)
        _log.debug("It cannot be read", exc_info=True)
        return Revisits()
    return found


def _write(
    cache: CheckpointFolder,
    reader: CrawlReader,
    found: Revisits,
    facts: dict[str, Any],
    cached: int,
) -> None:
    try:
        if not cached:
            cache.clear()
        state = StateWriter(cache.lengths)
        found.save(state)
        cache.write(found.steps, {**facts, "last": _identity(reader.step(found.steps))}, state)
    except OSError:
        _log.warning("The cache of revisits cannot be written", exc_info=True)
        with suppress(OSError):
            cache.clear()


def _identity(step: LoggedStep | None) -> list[str]:
    return [] if step is None else [step.url, step.time]


def _hash(text: str) -> int:
    # Two URLs of ten million share a hash with a probability of 3 in a million.
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "replace")) or 1


def _day(moment: datetime) -> float:
    return moment.timestamp() / SECONDS_A_DAY
