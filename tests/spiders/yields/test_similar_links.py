from __future__ import annotations

from dataclasses import replace
from math import ceil

import numpy as np
import pytest

from estimate_drivers import drive_estimate
from generated_departments import crawl_steps, department
from lycosa.core import Step
from lycosa.learn.link_words import Rows
from lycosa.spiders import DepthFirst
from lycosa.spiders.yields import SimilarLinksEstimate
from lycosa.spiders.yields.similar_links import FIRST, GROWTH, SCORE_INTERVAL_PAGES


class Counting:
    """A learner that predicts the number of words of a link and records its examples."""

    def __init__(self, fits: list[Counting]) -> None:
        self._fits = fits

    def fit(self, rows: Rows, values: np.ndarray) -> None:
        self.size, self.values = len(rows), values
        self._fits.append(self)

    def predict(self, rows: Rows) -> np.ndarray:
        return np.diff(rows.starts).astype(float)


def steps(first: int = 1) -> list[Step]:
    """Return a crawl in which every third page from `first` on is a target.

    Depth first, so that links are followed before they are scored.
    """
    return [
        replace(step, reward=float(step.n >= first and step.n % 3 == 0))
        for step in crawl_steps(DepthFirst(), department())
    ]


def test_fits_at_growing_intervals_to_all_linked_pages():
    fits: list[Counting] = []
    fetched: list[int] = []
    when = []
    for step, tree, rescored in drive_estimate(
        SimilarLinksEstimate(lambda: Counting(fits)), steps()
    ):
        if step.source >= 0:
            fetched.append(step.page.number)
        if len(fits) > len(when):
            when.append(len(fetched))
            assert fits[-1].size == len(fetched)
            expected = tree.yields(np.array(fetched, np.int32))
            assert fits[-1].values.tolist() == expected.tolist()
            assert sorted(rescored.tolist()) == tree.waiting().tolist()
    expected = [FIRST]
    while (size := ceil(GROWTH * expected[-1])) <= len(fetched):
        expected.append(size)
    assert when == expected
    assert len(when) > 4


@pytest.mark.parametrize("first", [40, 100])
def test_does_not_fit_before_the_first_target(first):
    fits: list[Counting] = []
    found = next(step.n for step in steps(first) if step.reward)
    for step, _, rescored in drive_estimate(
        SimilarLinksEstimate(lambda: Counting(fits)), steps(first)
    ):
        assert bool(fits) == (step.n >= found)
        assert len(rescored) == 0 or fits
    assert fits


def test_returns_each_waiting_link_once_with_its_prediction():
    fits: list[Counting] = []
    part = SimilarLinksEstimate(lambda: Counting(fits))
    unscored: dict[int, float] = {}  # since the last prediction, with the rate at that time
    lengths: dict[int, float] = {}
    between = seen = 0
    for step, tree, rescored in drive_estimate(part, steps()):
        known = set(tree.waiting().tolist())
        numbers = rescored.tolist()
        assert len(set(numbers)) == len(numbers)
        assert set(numbers) <= known
        new = [n for n in step.page.targets.tolist() if n in known and n not in unscored | lengths]
        unscored |= dict.fromkeys(new, tree.rate)
        learned = len(fits) > seen
        if learned or (fits and step.n % SCORE_INTERVAL_PAGES == 0):
            assert set(numbers) == (known if learned else known & unscored.keys())
            between += not learned and bool(numbers)
            unscored.clear()
            lengths |= dict(zip(numbers, part.estimates(rescored).tolist(), strict=True))
        else:
            assert not numbers
        seen = len(fits)
        if unscored:
            waiting = np.array(list(unscored), np.int32)
            assert part.estimates(waiting) == pytest.approx(list(unscored.values()))
    assert between > 3
    assert set(lengths.values()) <= set(range(33))
    assert len(set(lengths.values())) > 5


def test_last_estimates_are_kept_after_links_are_followed():
    part = SimilarLinksEstimate(lambda: Counting([]))
    before: dict[int, float] = {}
    shown = steps()
    ahead = iter(shown[1:])
    for _ in drive_estimate(part, shown):
        following = next(ahead, None)
        if following is not None and following.source >= 0:
            number = following.page.number
            before[number] = part.estimates(np.array([number])).item()
    numbers = np.array(list(before), np.int32)
    assert part.last_estimates(numbers).tolist() == list(before.values())
