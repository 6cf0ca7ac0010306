"""A live crawl told again from its archive, with its spider, as far as one likes.

The frontier of a crawl is not stored, because its pages are: whoever tells them
to the spider again in their order has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.closing import Closing
from lycosa.core import Budget, Page, Policy, Scores, Step
from lycosa.crawler.crawl import Crawl
from lycosa.crawler.live.job import Job
from lycosa.crawler.live.page_reader import LOST, PageReader
from lycosa.crawler.storage.reader import CrawlReader, LoggedStep
from lycosa.goals.listed import Listed


class ReplayedStep(NamedTuple):
    """A page that was told again, and the scores its links got; None if it has none."""

    n: int
    page: Page
    scores: NDArray[Any] | None


class QueuePosition(NamedTuple):
    """Where a link stands among those that wait.

    `rank` is 1 for the first; of those before it `barred` may not be asked for.
    """

    score: float
    rank: int
    waiting: int
    barred: int


class Replay(Closing):
    """Opened on a ledger, it reads the archive and changes nothing."""

    def __init__(self, ledger: CrawlReader, job: Job, policy: Policy) -> None:
        assert job.scope is not None  # noqa: S101 - a job sees to it
        self.reading = PageReader(job.scope, ledger, sitemaps=job.sitemaps)
        self.lost = 0
        """How many records were damaged."""
        self._ledger = ledger
        self._policy = _ScoreRecorder(policy)
        self._known: set[int] = set()
        seeds = [self.reading.number(seed) for seed in job.seeds]
        nothing = Listed("", ())  # rewards are known
        self._crawl = Crawl(self._policy, nothing, job.budget, np.array(seeds, np.int32))

    def steps(self, before: int | None = None) -> Iterator[ReplayedStep]:
        """Tell every step, or those before one of that number."""
        for entry in self._ledger.entries():
            if before is not None and entry.n >= before:
                break
            yield self._tell(entry)

    def page(self, entry: LoggedStep) -> Page:
        """What came back at a step."""
        answer = self._ledger.answer(entry)
        return self.reading.read_stored(entry, None if answer is None else answer.body)

    def _tell(self, entry: LoggedStep) -> ReplayedStep:
        reading, crawl, policy = self.reading, self._crawl, self._policy
        asked = reading.number(entry.url)
        crawl.take(asked)
        if entry.final != entry.url:
            for place in (*self._ledger.between(entry.n), entry.final):
                crawl.claim(reading.number(place))
        page = self.page(entry)
        self.lost += page.error == LOST
        policy.scores = None
        if page.number in self._known:
            crawl.tell_again(page, asked, entry.reward)
        else:
            crawl.tell(page, asked, entry.reward)
            self._known.update((asked, page.number))
        return ReplayedStep(entry.n, page, policy.scores)

    def standing(
        self,
        url: str,
        under_way: Iterable[str] = (),
        barred: Callable[[str], bool] = lambda url: False,
    ) -> QueuePosition | None:
        """Where a URL stands now; None if it does not wait. Nothing waits any longer after that.

        Those `under_way` are no longer counted among those that wait.
        """
        crawl, urls = self._crawl, self.reading.urls
        number = urls.find(url)
        for other in map(urls.find, under_way):
            if other is not None and other != number and not crawl.is_taken(other):
                crawl.take(other)
        waiting, rank, closed = crawl.waiting, 0, 0
        crawl.budget = Budget()  # it may be spent, but we ask for nothing
        while True:
            score, found = crawl.best, crawl.next()
            if score is None or found is None:
                return None
            rank += 1
            if found == number:
                return QueuePosition(score, rank, waiting, closed)
            closed += barred(urls[found])

    def close(self) -> None:
        """Let go of the process that reads documents."""
        self.reading.converter.close()


class _ScoreRecorder:
    """A policy whose last scores are remembered."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.name = policy.name
        self.scores: NDArray[Any] | None = None

    def start(self, budget: Budget) -> None:
        self._policy.start(budget)

    def observe(self, step: Step) -> Scores | None:
        return self._policy.observe(step)

    def score(self, page: Page) -> NDArray[Any]:
        self.scores = self._policy.score(page)
        return self.scores
