"""Which pages of a crawl to request again now, from its step log.

The log has the time, the status and the digest of every visit, so the plan needs no
state of its own and cannot be out of step with the crawl. A visit has found a change if
the response has another digest than the one before; a 304 says that there is none. A
page that answers 404 or 410, or that leads elsewhere now, is gone. A visit that failed
otherwise says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from lycosa.crawler.revisit.effort import CHANGED, Effort
from lycosa.crawler.revisit.revisit_plan import RevisitPlan
from lycosa.crawler.storage.reader import CrawlReader, LoggedStep

SECONDS_A_DAY: Final = 86_400.0
GONE: Final = (404, 410)


@dataclass
class Revisits:
    """The plan of a crawl, with the URLs of its pages."""

    plan: RevisitPlan = field(default_factory=RevisitPlan)
    effort: Effort = field(default_factory=Effort)
    """What revisits and discoveries have brought."""
    urls: list[str] = field(default_factory=list)
    """The URLs of pages, by the numbers of the plan."""
    gone: set[str] = field(default_factory=set)
    """The URLs that are not there any more."""
    pages: int = 0
    """Pages that were requested, each once."""
    visits: int = 0
    """Visits after the first one of a page."""
    changes: int = 0
    """Of these, visits that found a change."""

    def due(self, count: int, now: datetime | None = None) -> list[str]:
        """Return the URLs to request again now, the most worthwhile first."""
        day = _day(now or datetime.now(UTC))
        return [self.urls[page] for page in self.plan.due(day, count).tolist()]


def read_revisits(folder: Path | str) -> Revisits:
    """Return the plan of the crawl in a folder, which may be running."""
    with CrawlReader.open(Path(folder)) as reader:
        return plan_of(reader.entries())


def plan_of(steps: Iterable[LoggedStep]) -> Revisits:
    """Return the plan that the steps of a crawl lead to."""
    return _LogReader().read(steps)


class _LogReader:
    """Reads a step log, in its order."""

    def __init__(self) -> None:
        self._found = Revisits()
        self._numbers: dict[str, int] = {}
        self._digests: dict[int, str | None] = {}
        self._of_step: dict[int, tuple[int, bool]] = {}  # page, and whether it was a revisit
        self._targets: set[int] = set()

    def read(self, steps: Iterable[LoggedStep]) -> Revisits:
        first_links: dict[int, int] = {}
        entries = list(steps)
        for step in entries:  # links to targets that a page had when it was first seen
            page = self._number(step.final)
            known = page in self._digests
            if step.status == 200:
                self._digests.setdefault(page, step.digest)
            self._of_step[step.n] = page, known
            source = self._of_step.get(step.source)
            if step.reward > 0 and not known and source is not None and not source[1]:
                first_links[source[0]] = first_links.get(source[0], 0) + 1
        self._digests.clear()
        for step in entries:
            self._read_step(step, first_links)
        self._found.pages = len({step.url for step in entries})
        return self._found

    def _read_step(self, step: LoggedStep, links: dict[int, int]) -> None:
        found, day = self._found, _day(datetime.fromisoformat(step.time))
        page = self._number(step.final)
        if step.url != step.final and (asked := self._numbers.get(step.url)) in self._digests:
            assert asked is not None  # noqa: S101 - None is no key
            self._gone(asked, day)  # it leads elsewhere now
        if step.status in GONE:
            if page in self._digests:
                self._gone(page, day)
        elif step.status == 304 or (200 <= step.status < 300 and page in self._digests):
            changed = step.status != 304 and step.digest != self._digests.get(page)
            if step.status != 304:
                self._digests[page] = step.digest
            found.plan.revisited(page, day, changed=changed)
            found.gone.discard(step.final)
            found.visits += 1
            found.changes += changed
            worth = CHANGED if changed and page in self._targets else 0.0
            found.effort.observe("revisit", worth)
        elif 200 <= step.status < 300:
            self._first_visit(step, page, day, links)

    def _first_visit(self, step: LoggedStep, page: int, day: float, links: dict[int, int]) -> None:
        found, target = self._found, step.reward > 0
        self._digests[page] = step.digest
        if target:
            self._targets.add(page)
        found.plan.fetched(page, day, target=target, links=links.get(page, 0))
        source, revisited = self._of_step.get(step.source, (page, False))
        # What a revisit led to counts for revisits, not for the discovery of the crawl.
        found.effort.observe("revisit" if revisited else "discovery", float(target))
        if target and revisited:
            found.plan.led_to_target(source)

    def _gone(self, page: int, day: float) -> None:
        self._found.plan.gone(page, day)
        self._found.gone.add(self._found.urls[page])

    def _number(self, url: str) -> int:
        number = self._numbers.get(url)
        if number is None:
            number = self._numbers[url] = len(self._found.urls)
            self._found.urls.append(url)
        return number


def _day(moment: datetime) -> float:
    return moment.timestamp() / SECONDS_A_DAY
