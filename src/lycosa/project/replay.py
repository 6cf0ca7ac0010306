"""Replay of a live crawl from its archive, with a policy, up to any step.

The frontier of a crawl is not stored. Showing the stored pages to the policy in
their order restores it.
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
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.live.page_rules import RuleHistory
from lycosa.crawler.live.replay import replay_request
from lycosa.crawler.storage.reader import CrawlReader, LoggedStep
from lycosa.crawler.storage.store import LOST, PAGE_RULES
from lycosa.goals.listed import Listed


class ReplayedStep(NamedTuple):
    """A replayed page and the scores of its links; None if it has no links."""

    n: int
    page: Page
    scores: NDArray[Any] | None


class QueuePosition(NamedTuple):
    """The position of a link among those that wait.

    `rank` is 1 for the first; `barred` of those before it may not be requested.
    """

    score: float
    rank: int
    waiting: int
    barred: int


class Replay(Closing):
    """Replays the crawl that `reader` has opened, with the settings of `job` and a policy.

    The folder of the crawl is not changed.
    """

    def __init__(self, reader: CrawlReader, job: Job, policy: Policy) -> None:
        self.reading = PageReader(job.followed, reader, sitemaps=job.sitemaps)
        self._rules = RuleHistory(reader.note(PAGE_RULES), job.page_rules)
        self.lost = 0
        """The number of damaged records."""
        self._reader = reader
        self._policy = _ScoreRecorder(policy)
        self._known: set[int] = set()
        seeds = [self.reading.number(seed) for seed in job.seeds]
        nothing = Listed("", ())  # rewards are taken from the step log
        numbers = np.array(seeds, np.int32)
        self._crawl = Crawl(self._policy, nothing, job.budget, numbers, random_seed=job.random_seed)

    def steps(self, before: int | None = None) -> Iterator[ReplayedStep]:
        """Replay and yield every step, or those with a number below `before`."""
        for entry in self._reader.entries():
            if before is not None and entry.n >= before:
                break
            yield self._replay_step(entry)

    def page(self, entry: LoggedStep) -> Page:
        """Return the page of a step."""
        answer = self._reader.answer(entry)
        self.reading.rules = self._rules.at(entry.n)
        if answer is None:
            return self.reading.read_stored(entry, None)
        return self.reading.read_stored(entry, answer.body, answer.headers)

    def _replay_step(self, entry: LoggedStep) -> ReplayedStep:
        crawl, policy = self._crawl, self._policy
        answer = self._reader.answer(entry)
        self.reading.rules = self._rules.at(entry.n)
        requested, page = replay_request(
            crawl,
            self.reading,
            entry,
            answer,
            between=self._reader.between(entry.n) if entry.final != entry.url else (),
            again=self.reading.number(entry.url) in self._known,
        )
        self.lost += page.error == LOST
        policy.scores = None
        if page.number in self._known:
            crawl.tell_again(page, requested, entry.reward)
        else:
            crawl.tell(page, requested, entry.reward)
            self._known.update((requested, page.number))
        return ReplayedStep(entry.n, page, policy.scores)

    def standing(
        self,
        url: str,
        in_flight: Iterable[str] = (),
        barred: Callable[[str], bool] = lambda url: False,
    ) -> QueuePosition | None:
        """Return the position of a URL in the queue; None if it does not wait. Empties the queue.

        URLs that are `in_flight` do not count as waiting; `barred` returns whether a
        URL may not be requested.
        """
        crawl, urls = self._crawl, self.reading.urls
        number = urls.find(url)
        for other in map(urls.find, in_flight):
            if other is not None and other != number and not crawl.is_taken(other):
                crawl.take(other)
        waiting, rank, closed = crawl.waiting, 0, 0
        crawl.budget = Budget()  # it may be used up, but nothing is requested
        while True:
            score, found = crawl.best, crawl.next()
            if score is None or found is None:
                return None
            rank += 1
            if found == number:
                return QueuePosition(score, rank, waiting, closed)
            closed += barred(urls[found])

    def close(self) -> None:
        """Stop the process that converts documents."""
        self.reading.converter.close()


class _ScoreRecorder:
    """A policy wrapper that keeps the last scores."""

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
