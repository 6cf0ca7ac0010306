"""Wary: any spider that notices when it is led in circles.

It stands between the crawl and another policy. What comes back is judged
before the policy sees it, so that the policy learns from what is true: a copy
brought nothing, a page that says "not found" failed. Links that look like
traps are not dropped; they are deferred, below all others. See
`docs/explanation/traps.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from lycosa.content import Ints, Strings
from lycosa.core import Budget, Page, Policy, Scores, Step
from lycosa.spiders.traps.deferral import LOWEST, deferred, honest
from lycosa.spiders.traps.duplicates import Duplicates
from lycosa.spiders.traps.soft_404 import SAME, Soft404
from lycosa.spiders.traps.trap_statistics import Doubt, Doubts, Verdict, Why
from lycosa.web.url_shapes import Shapes, bare

SAMPLE = 50
"""One doubted link in so many is followed as if it were not."""
_READ = ("text/", "application/xhtml")  # the words of other types are dear
_ROOM = 1024
_UNMET = -1
_ASKED = np.nan  # in the array of scores; comparisons with it are false, a maximum keeps it


class Wary:
    """A policy that defers what another policy should not waste its time on.

    A known URL takes 13 bytes: its shape, why it is deferred, and the score of
    the policy, to be given back when a doubt is lifted.

    >>> from lycosa.spiders.breadth_first import BreadthFirst
    >>> Wary(BreadthFirst()).name
    'wary(breadth-first)'
    """

    def __init__(self, policy: Policy, name: str = "") -> None:
        self.name = name or f"wary({policy.name})"
        self.policy = policy
        self._forget()

    def _forget(self) -> None:
        self._duplicates = Duplicates()
        self._soft_404 = Soft404()
        self._shapes = Shapes()
        self._doubts = Doubts()
        self._shape = np.full(_ROOM, _UNMET, np.int32)
        self._why = np.zeros(_ROOM, np.uint8)
        self._score = np.full(_ROOM, -np.inf)
        self._spellings: dict[int, int] = {}  # URLs known by a session id, by a hash without it
        self._samples: set[int] = set()
        self._rewarded: set[int] = set()
        self._leads: dict[int, tuple[int, int]] = {}  # by shape: the page it repeats, how often
        self._soft = -1  # the page just observed, if it is a soft 404
        self._any = self._orphans = False

    def start(self, budget: Budget) -> None:
        """Nothing is doubted."""
        self._forget()
        self.policy.start(budget)

    def why(self, number: int) -> str | None:
        """Why the link to a URL is deferred, or None if it is not."""
        why = Why(self._why.item(number)) if number < len(self._why) else Why.NOT
        return str(why) if why else None

    def doubts(self) -> Iterator[Doubt]:
        """The shapes whose links are deferred, for people."""
        return iter(self._doubts)

    @property
    def nbytes(self) -> int:
        """The memory of the arrays, without the names of shapes."""
        arrays = self._shape.nbytes + self._why.nbytes + self._score.nbytes
        return arrays + self._doubts.nbytes + self._duplicates.nbytes

    def observe(self, step: Step) -> Scores | None:
        """Judge the page, tell the policy, and pass on what is now doubted or no longer."""
        page, doubts = step.page, self._doubts
        number, targets, urls = page.number, page.targets, page.tables.urls
        self._make_room(max(number, int(targets.max())) + 1 if len(targets) else number + 1)
        if self._shape.item(number) == _UNMET:
            self._meet(number, urls)
        shape = self._shape.item(number)
        verdict = self._verdict(step, shape)
        self._soft = number if verdict is Verdict.SOFT_404 else -1
        chained = step.source >= 0 and self._shape.item(step.source) == shape
        fruitful = self._meet_all(targets, urls, shape) or step.reward > 0
        told = self._told(step, verdict)
        if step.reward > 0:
            self._rewarded.add(number)
            doubts.targets[shape] += 1
        on_trial = self._is_on_trial(number, urls)
        self._samples.discard(number)
        self._score[number] = _ASKED
        changed = None
        if doubts.judge(shape, verdict, fruitful=fruitful, chained=chained, on_trial=on_trial):
            changed = self._turn(shape)
        return self._merged(self.policy.observe(told), changed)

    def score(self, page: Page) -> NDArray[np.float64]:
        """The scores of the policy, those of doubted links below all others."""
        targets = page.targets
        if page.number == self._soft:
            return np.full(len(targets), deferred(np.array(LOWEST)))
        scores = np.asarray(self.policy.score(page), np.float64)
        if scores.shape != targets.shape:
            return scores  # the crawl says what is wrong with it
        known = self._score.take(targets)
        if self._orphans:
            self._adopt(targets[known == LOWEST])
        self._score[targets] = np.maximum(known, scores)
        return self._shifted(targets, scores)

    def _verdict(self, step: Step, shape: int) -> Verdict:
        page = step.page
        if page.error is not None or page.status >= 400:
            return Verdict.FAILED
        if not page.type.startswith(_READ):
            return Verdict.NEW
        if step.reward == 0 and self._soft_404.says(page):
            return Verdict.SOFT_404
        earlier = self._duplicates.add(page)
        if earlier is None or (step.reward > 0 and earlier not in self._rewarded):
            return Verdict.NEW
        before, times = self._leads.get(shape, (-1, 0))
        times = times + 1 if before == earlier else 1
        self._leads[shape] = (earlier, times)
        nowhere = times >= SAME and step.reward == 0
        if nowhere and self._doubts.looks(shape) != Why.SESSION_ID:
            return Verdict.SOFT_404
        return Verdict.DUPLICATE

    def _told(self, step: Step, verdict: Verdict) -> Step:
        """What the policy is told of a step."""
        if verdict is Verdict.SOFT_404:
            page = step.page
            failed = Page(page.number, page.tables, status=404, type=page.type, error="soft-404")
            step = replace(step, page=failed)
        elif verdict is Verdict.DUPLICATE and step.reward > 0:
            step = replace(step, reward=0.0)
        if step.score < LOWEST:
            score = self._score.item(step.page.number)
            if score > LOWEST:
                return replace(step, score=score)
            # The policy never saw the link: to it this is a seed.
            return replace(step, source=-1, score=np.inf)
        return step

    def _meet_all(self, targets: Ints, urls: Strings, shape: int) -> bool:
        """Look at links that are new; whether one leads to another shape that promises anything."""
        news = False
        for number in targets[self._shape.take(targets) == _UNMET].tolist():
            other = self._meet(number, urls)
            news = news or (other != shape and self._doubts.promises(other))
            if self._soft >= 0:  # until it is seen on another page
                self._orphans = self._any = True
                self._why[number], self._score[number] = Why.SOFT_404, LOWEST
        return news

    def _meet(self, number: int, urls: Strings) -> int:
        """Give a URL its shape."""
        doubts = self._doubts
        shape = doubts.number(self._shapes.of(urls[number]))
        doubts.seen[shape] += 1
        why = doubts.why(shape) or doubts.looks(shape)
        if doubts.looks(shape) == Why.SESSION_ID and self._first(number, urls) == number:
            why = doubts.why(shape)
        self._shape[number] = shape
        if why:
            self._any = True
            if doubts.seen[shape] % SAMPLE:
                self._why[number] = why
            else:
                self._samples.add(number)
        return shape

    def _first(self, number: int, urls: Strings) -> int:
        """The first number under which a URL was met, whatever the session."""
        short = bare(urls[number])
        known = urls.find(short)
        # A recorded site knows URLs that this crawl has yet to meet.
        if known is not None and known < len(self._shape) and self._shape.item(known) != _UNMET:
            return known
        return self._spellings.setdefault(xxhash.xxh3_64_intdigest(short.encode()), number)

    def _is_on_trial(self, number: int, urls: Strings) -> bool:
        """Whether a page can show that the looks of its URL deceive."""
        if number not in self._samples and not self._why.item(number):
            return False
        if self._doubts.looks(self._shape.item(number)) != Why.SESSION_ID:
            return True
        # Only if the other spelling was followed does another page mean anything.
        return bool(np.isnan(self._score.item(self._first(number, urls))))

    def _adopt(self, numbers: Ints) -> None:
        """Links that stood on soft 404s only stand on an honest page now."""
        for number in numbers.tolist():
            shape = self._shape.item(number)
            self._why[number] = self._doubts.why(shape) or self._doubts.looks(shape)

    def _turn(self, shape: int) -> Ints:
        """The links of a shape are doubted from now on, or no longer; those that wait."""
        numbers = np.flatnonzero(self._shape == shape).astype(np.int32)
        numbers = numbers[self._score.take(numbers) > LOWEST]
        why = self._doubts.why(shape)
        self._why[numbers] = why
        if why:
            self._any = True
            samples = numbers[::SAMPLE]
            self._why[samples] = Why.NOT
            self._samples.update(samples.tolist())
        return numbers

    def _merged(self, news: Scores | None, changed: Ints | None) -> Scores | None:
        """New scores by the policy, and those of links whose shape was judged anew."""
        if news is not None and len(news.numbers):
            numbers = np.asarray(news.numbers)
            self._make_room(int(numbers.max()) + 1)
            known = self._score.take(numbers)
            self._score[numbers] = np.where(np.isnan(known), known, news.values)
            news = Scores(numbers, self._shifted(numbers, np.asarray(news.values)))
        if changed is None or not len(changed):
            return news
        values = self._shifted(changed, self._score.take(changed))
        if news is None:
            return Scores(changed, values)
        return Scores(
            np.concatenate((news.numbers, changed)), np.concatenate((news.values, values))
        )

    def _shifted(self, numbers: NDArray[Any], scores: NDArray[Any]) -> NDArray[np.float64]:
        values = honest(scores)
        if self._any:
            doubted = self._why.take(numbers) > 0
            if doubted.any():
                values[doubted] = deferred(scores[doubted])
        return values

    def _make_room(self, size: int) -> None:
        more = size + size // 4 - len(self._shape)
        if size > len(self._shape):
            self._shape = np.concatenate((self._shape, np.full(more, _UNMET, np.int32)))
            self._why = np.concatenate((self._why, np.zeros(more, np.uint8)))
            self._score = np.concatenate((self._score, np.full(more, -np.inf)))
