"""Wary: trap detection around any policy.

`Wary` stands between the crawl and another policy. It classifies each page
before the policy sees it: to the policy a duplicate has no reward, and a soft 404
is a failed page. Links that look like traps are not dropped but deferred: their
scores are below those of all other links. See `docs/explanation/traps.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from lycosa.content import Ints, Strings
from lycosa.core import Budget, Page, Policy, Scores, SnapshottingPolicy, Step
from lycosa.snapshots import StateReader, StateWriter
from lycosa.spiders.traps.deferral import LOWEST, deferred, not_deferred
from lycosa.spiders.traps.duplicates import Duplicates
from lycosa.spiders.traps.soft_404 import REPEATS_OF_ERROR_PAGE, Soft404
from lycosa.spiders.traps.trap_statistics import (
    DeferralReason,
    DeferredShape,
    PageVerdict,
    TrapStatistics,
)
from lycosa.web.url_shapes import UrlShapes, strip_session

SAMPLE_INTERVAL = 50
"""One suspicious link in so many keeps its score, as a sample."""
# Only types whose words are cheap to extract are compared and searched.
_TEXT_TYPES = ("text/", "application/xhtml")
_INITIAL_URLS = 1024
_NO_SHAPE = -1
_ARRAYS = ("_shape", "_reason", "_score", "_rewarded")  # one element for each known URL
_FETCHED = np.nan  # in the array of scores; comparisons with it are false, a maximum keeps it


class Wary:
    """A policy that defers links which look like traps to another policy.

    `policy` scores the links; `name` is `wary(...)` of its name by default. A
    known URL takes 14 bytes: its shape, the reason for deferring it, the score by
    the policy, which is restored when the reason is disproved, and its reward.

    >>> from lycosa.spiders.breadth_first import BreadthFirst
    >>> Wary(BreadthFirst()).name
    'wary(breadth-first)'
    """

    def __init__(self, policy: Policy, name: str = "") -> None:
        self.name = name or f"wary({policy.name})"
        self.policy = policy
        self._reset()

    def _reset(self) -> None:
        self._duplicates = Duplicates()
        self._soft_404 = Soft404()
        self._shapes = UrlShapes()
        self._statistics = TrapStatistics()
        self._shape = np.full(_INITIAL_URLS, _NO_SHAPE, np.int32)
        self._reason = np.zeros(_INITIAL_URLS, np.uint8)
        self._score = np.full(_INITIAL_URLS, -np.inf)
        self._spellings: dict[int, int] = {}  # hash of a URL without session id: first number
        self._samples: set[int] = set()
        self._rewarded = np.zeros(_INITIAL_URLS, np.bool_)
        self._leads: dict[int, tuple[int, int]] = {}  # by shape: the duplicated page, how often
        self._soft_404_page = -1  # the page just observed, if it is a soft 404
        self._any_deferred = self._orphans = False

    def start(self, budget: Budget) -> None:
        """Reset the statistics and start the policy."""
        self._reset()
        self.policy.start(budget)

    def deferral_reason(self, number: int) -> str | None:
        """Return why the link to a URL is deferred, or None if it is not."""
        if number >= len(self._reason):
            return None
        reason = DeferralReason(self._reason.item(number))
        return str(reason) if reason else None

    def deferred_shapes(self) -> Iterator[DeferredShape]:
        """Return the URL shapes whose links are deferred, those with the most links first."""
        return iter(self._statistics)

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes, without the names of shapes."""
        arrays = self._shape.nbytes + self._reason.nbytes + self._score.nbytes
        return arrays + self._statistics.nbytes + self._duplicates.nbytes

    def save(self, state: StateWriter) -> None:
        """Save the statistics, and the state of the policy inside."""
        self._duplicates.save(state.part("duplicates"))
        self._statistics.save(state.part("statistics"))
        for name in _ARRAYS:
            state.array(name, getattr(self, name))
        new = dict(islice(self._spellings.items(), state.length("spellings"), None))
        state.tail("spellings", np.fromiter(new, np.uint64, len(new)))
        state.tail("spelled", np.fromiter(new.values(), np.int32, len(new)))
        state.array("samples", np.fromiter(self._samples, np.int32, len(self._samples)))
        leads = [(shape, *lead) for shape, lead in self._leads.items()]
        state.array("leads", np.array(leads, np.int32).reshape(-1, 3))
        state.value("flags", [self._soft_404_page, self._any_deferred, self._orphans])
        if isinstance(self.policy, SnapshottingPolicy):
            self.policy.save(state.part("policy"))

    def restore(self, state: StateReader) -> None:
        """Take over saved statistics, and the state of the policy inside."""
        if isinstance(self.policy, SnapshottingPolicy):
            self.policy.restore(state.part("policy"))
        self._duplicates.restore(state.part("duplicates"))
        self._statistics.restore(state.part("statistics"))
        for name in _ARRAYS:
            setattr(self, name, state.array(name, getattr(self, name)))
        hashes, numbers = state.log("spellings").tolist(), state.log("spelled").tolist()
        self._spellings = dict(zip(hashes, numbers, strict=True))
        self._samples = set(state.array("samples").tolist())
        leads = state.array("leads").tolist()
        self._leads = {shape: (page, times) for shape, page, times in leads}
        self._soft_404_page, self._any_deferred, self._orphans = state.value("flags")

    def observe(self, step: Step) -> Scores | None:
        """Classify the page, show it to the policy, and rescore links now deferred or restored."""
        page, statistics = step.page, self._statistics
        number, targets, urls = page.number, page.targets, page.tables.urls
        self._grow(max(number, max(targets.tolist(), default=0)) + 1)
        if self._shape.item(number) == _NO_SHAPE:
            self._add_url(number, urls)
        shape = self._shape.item(number)
        verdict = self._classify(step, shape)
        self._soft_404_page = number if verdict is PageVerdict.SOFT_404 else -1
        chained = step.source >= 0 and self._shape.item(step.source) == shape
        fruitful = self._add_links(targets, urls, shape) or step.reward > 0
        corrected = self._corrected(step, verdict)
        if step.reward > 0:
            self._rewarded[number] = True
            statistics.targets[shape] += 1
        on_trial = self._is_on_trial(number, urls)
        self._samples.discard(number)
        self._score[number] = _FETCHED
        changed = None
        if statistics.judge(shape, verdict, fruitful=fruitful, chained=chained, on_trial=on_trial):
            changed = self._update_shape(shape)
        return self._merged(self.policy.observe(corrected), changed)

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the scores of the policy, with those of deferred links below all others."""
        targets = page.targets
        if page.number == self._soft_404_page:
            return np.full(len(targets), deferred(np.array(LOWEST)))
        scores = np.asarray(self.policy.score(page), np.float64)
        if scores.shape != targets.shape:
            return scores  # the crawl reports the wrong shape
        known = self._score.take(targets)
        if self._orphans:
            self._adopt(targets[known == LOWEST])
        self._score[targets] = np.maximum(known, scores)
        return self._shifted(targets, scores)

    def _classify(self, step: Step, shape: int) -> PageVerdict:
        page = step.page
        if page.error is not None or page.status >= 400:
            return PageVerdict.FAILED
        if not page.type.startswith(_TEXT_TYPES):
            return PageVerdict.NEW
        if step.reward == 0 and self._soft_404.matches(page):
            return PageVerdict.SOFT_404
        earlier = self._duplicates.add(page)
        if earlier is None or (step.reward > 0 and not self._rewarded.item(earlier)):
            return PageVerdict.NEW
        before, times = self._leads.get(shape, (-1, 0))
        times = times + 1 if before == earlier else 1
        self._leads[shape] = (earlier, times)
        error_page = times >= REPEATS_OF_ERROR_PAGE and step.reward == 0
        if error_page and self._statistics.reason_on_sight(shape) != DeferralReason.SESSION_ID:
            return PageVerdict.SOFT_404
        return PageVerdict.DUPLICATE

    def _corrected(self, step: Step, verdict: PageVerdict) -> Step:
        """Return the step as the policy is to see it."""
        if verdict is PageVerdict.SOFT_404:
            page = step.page
            failed = Page(page.number, page.tables, status=404, type=page.type, error="soft-404")
            step = replace(step, page=failed)
        elif verdict is PageVerdict.DUPLICATE and step.reward > 0:
            step = replace(step, reward=0.0)
        if step.score < LOWEST:
            score = self._score.item(step.page.number)
            if score > LOWEST:
                return replace(step, score=score)
            # The policy never scored the link, so to it this is a seed.
            return replace(step, source=-1, score=np.inf)
        return step

    def _add_links(self, targets: Ints, urls: Strings, shape: int) -> bool:
        """Register new links; return whether one has another, promising shape."""
        promising = False
        new = self._shape.take(targets) == _NO_SHAPE
        for number in targets[new].tolist() if np.count_nonzero(new) else ():
            other = self._add_url(number, urls)
            promising = promising or (other != shape and self._statistics.is_promising(other))
            if self._soft_404_page >= 0:  # until the link is seen on another page
                self._orphans = self._any_deferred = True
                self._reason[number], self._score[number] = DeferralReason.SOFT_404, LOWEST
        return promising

    def _add_url(self, number: int, urls: Strings) -> int:
        """Register a URL with its shape, which is returned."""
        statistics = self._statistics
        shape = statistics.number(self._shapes.of(urls[number]))
        statistics.seen[shape] += 1
        reason = statistics.reason(shape) or statistics.reason_on_sight(shape)
        if (
            statistics.reason_on_sight(shape) == DeferralReason.SESSION_ID
            and self._first_spelling(number, urls) == number
        ):
            reason = statistics.reason(shape)
        self._shape[number] = shape
        if reason:
            self._any_deferred = True
            if statistics.seen[shape] % SAMPLE_INTERVAL:
                self._reason[number] = reason
            else:
                self._samples.add(number)
        return shape

    def _first_spelling(self, number: int, urls: Strings) -> int:
        """Return the first number of a URL that differs from this one in the session id alone."""
        short = strip_session(urls[number])
        known = urls.find(short)
        # The table of a recorded site has URLs that this crawl has not found yet.
        if known is not None and known < len(self._shape) and self._shape.item(known) != _NO_SHAPE:
            return known
        return self._spellings.setdefault(xxhash.xxh3_64_intdigest(short.encode()), number)

    def _is_on_trial(self, number: int, urls: Strings) -> bool:
        """Return whether a page can disprove the reason to defer its shape on sight."""
        if number not in self._samples and not self._reason.item(number):
            return False
        if self._statistics.reason_on_sight(self._shape.item(number)) != DeferralReason.SESSION_ID:
            return True
        # Only if the first spelling was fetched can this page be compared with its page.
        return bool(np.isnan(self._score.item(self._first_spelling(number, urls))))

    def _adopt(self, numbers: Ints) -> None:
        """Release links that were known from soft 404s only and now stand on another page."""
        for number in numbers.tolist():
            shape = self._shape.item(number)
            self._reason[number] = self._statistics.reason(
                shape
            ) or self._statistics.reason_on_sight(shape)

    def _update_shape(self, shape: int) -> Ints:
        """Defer or restore the waiting links of a shape, and return them."""
        numbers = np.flatnonzero(self._shape == shape).astype(np.int32)
        numbers = numbers[self._score.take(numbers) > LOWEST]
        reason = self._statistics.reason(shape)
        self._reason[numbers] = reason
        if reason:
            self._any_deferred = True
            samples = numbers[::SAMPLE_INTERVAL]
            self._reason[samples] = DeferralReason.NOT
            self._samples.update(samples.tolist())
        return numbers

    def _merged(self, rescored: Scores | None, changed: Ints | None) -> Scores | None:
        """Return the new scores by the policy and those of links deferred or restored."""
        if rescored is not None and len(rescored.numbers):
            numbers, values = np.asarray(rescored.numbers), np.asarray(rescored.values)
            try:
                known = self._score.take(numbers)
            except IndexError:
                self._grow(int(numbers.max()) + 1)
                known = self._score.take(numbers)
            self._score[numbers] = np.where(np.isnan(known), known, values)
            rescored = Scores(numbers, self._shifted(numbers, values))
        if changed is None or not len(changed):
            return rescored
        values = self._shifted(changed, self._score.take(changed))
        if rescored is None:
            return Scores(changed, values)
        return Scores(
            np.concatenate((rescored.numbers, changed)), np.concatenate((rescored.values, values))
        )

    def _shifted(self, numbers: NDArray[Any], scores: NDArray[Any]) -> NDArray[np.float64]:
        values = not_deferred(scores)
        if self._any_deferred:
            reasons = self._reason.take(numbers)
            if np.count_nonzero(reasons):
                suspicious = reasons > 0
                values[suspicious] = deferred(scores[suspicious])
        return values

    def _grow(self, size: int) -> None:
        added = size + size // 16 + _INITIAL_URLS - len(self._shape)
        if size > len(self._shape):
            self._shape = np.concatenate((self._shape, np.full(added, _NO_SHAPE, np.int32)))
            self._reason = np.concatenate((self._reason, np.zeros(added, np.uint8)))
            self._score = np.concatenate((self._score, np.full(added, -np.inf)))
            self._rewarded = np.concatenate((self._rewarded, np.zeros(added, np.bool_)))
