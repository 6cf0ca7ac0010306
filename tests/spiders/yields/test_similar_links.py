from __future__ import annotations

from dataclasses import replace
from math import ceil

import numpy as np
import pytest

from departments import crawled, department
from lycosa.core import Step
from lycosa.learn.link_words import Rows
from lycosa.spiders import DepthFirst
from lycosa.spiders.yields import Lookalikes
from lycosa.spiders.yields.similar_links import EVERY, FIRST, GROWTH
from parts import driven


class Counting:
    """A learner that says of a link how many words it has, and keeps what it was taught."""

    def __init__(self, fits: list[Counting]) -> None:
        self._fits = fits

    def fit(self, rows: Rows, values: np.ndarray) -> None:
        self.size, self.values = len(rows), values
        self._fits.append(self)

    def predict(self, rows: Rows) -> np.ndarray:
        return np.diff(rows.starts).astype(float)


def steps(first: int = 1) -> list[Step]:
    """A crawl in which every third page is worth something, from some page on.

    Depth first, so that links are followed before there was time to score them.
    """
    return [
        replace(step, reward=float(step.n >= first and step.n % 3 == 0))
        for step in crawled(DepthFirst(), department())
    ]


def test_it_learns_at_growing_intervals_from_all_pages_that_a_link_led_to():
    fits: list[Counting] = []
    fetched: list[int] = []
    when = []
    for step, tree, news in driven(Lookalikes(lambda: Counting(fits)), steps()):
        if step.source >= 0:
            fetched.append(step.page.number)
        if len(fits) > len(when):
            when.append(len(fetched))
            assert fits[-1].size == len(fetched)
            expected = tree.yields(np.array(fetched, np.int32))
            assert fits[-1].values.tolist() == expected.tolist()
            assert sorted(news.tolist()) == tree.waiting().tolist()
    expected = [FIRST]
    while (size := ceil(GROWTH * expected[-1])) <= len(fetched):
        expected.append(size)
    assert when == expected
    assert len(when) > 4


@pytest.mark.parametrize("first", [40, 100])
def test_nothing_is_learned_before_something_was_found(first):
    fits: list[Counting] = []
    found = next(step.n for step in steps(first) if step.reward)
    for step, _, news in driven(Lookalikes(lambda: Counting(fits)), steps(first)):
        assert bool(fits) == (step.n >= found)
        assert len(news) == 0 or fits
    assert fits


def test_it_returns_links_that_wait_each_once_and_says_of_them_what_was_predicted():
    fits: list[Counting] = []
    part = Lookalikes(lambda: Counting(fits))
    met: dict[int, float] = {}  # since the last prediction, with the rate at that time
    lengths: dict[int, float] = {}
    between = seen = 0
    for step, tree, news in driven(part, steps()):
        known = set(tree.waiting().tolist())
        numbers = news.tolist()
        assert len(set(numbers)) == len(numbers)
        assert set(numbers) <= known
        new = [n for n in step.page.targets.tolist() if n in known and n not in met | lengths]
        met |= dict.fromkeys(new, tree.rate)
        learned = len(fits) > seen
        if learned or (fits and step.n % EVERY == 0):
            assert set(numbers) == (known if learned else known & met.keys())
            between += not learned and bool(numbers)
            met.clear()
            lengths |= dict(zip(numbers, part.estimates(news).tolist(), strict=True))
        else:
            assert not numbers
        seen = len(fits)
        if met:
            waiting = np.array(list(met), np.int32)
            assert part.estimates(waiting) == pytest.approx(list(met.values()))
    assert between > 3
    assert set(lengths.values()) <= set(range(33))
    assert len(set(lengths.values())) > 5


def test_what_was_said_of_a_page_stays_when_it_was_followed():
    part = Lookalikes(lambda: Counting([]))
    said: dict[int, float] = {}
    shown = steps()
    ahead = iter(shown[1:])
    for _ in driven(part, shown):
        following = next(ahead, None)
        if following is not None and following.source >= 0:
            number = following.page.number
            said[number] = part.estimates(np.array([number])).item()
    numbers = np.array(list(said), np.int32)
    assert part.said(numbers).tolist() == list(said.values())
