from __future__ import annotations

import numpy as np
import pytest

from estimate_drivers import drive_estimate
from generated_departments import crawl_steps, department
from lycosa.core import Budget
from lycosa.goals.profiles import PROFILES
from lycosa.search import PartialYield
from lycosa.search.partial_yield import PARENTS
from lycosa.spiders import BreadthFirst
from lycosa.spiders.keywords import Keywords
from lycosa.spiders.yields import KeywordEstimate


def test_keeps_the_highest_score_of_the_first_pages():
    keywords = Keywords(PROFILES["papers"])
    keywords.start(Budget())
    estimate = KeywordEstimate(Keywords(PROFILES["papers"]))
    scores_of: dict[int, list[float]] = {}
    fetched = set()
    for step, _, rescored in drive_estimate(
        estimate, crawl_steps(BreadthFirst(), department(), 200)
    ):
        assert not len(rescored)
        fetched.add(step.page.number)
        targets = step.page.targets.tolist()
        scores = keywords.score(step.page).tolist() if targets else []
        for number, score in zip(targets, scores, strict=True):
            if number not in fetched and len(scores_of.setdefault(number, [])) < PARENTS:
                scores_of[number].append(score)
    numbers = np.array(list(scores_of), np.int32)
    best = [max(scores) for scores in scores_of.values()]
    assert estimate.estimates(numbers) == pytest.approx(best)
    assert estimate.last_estimates(numbers) == pytest.approx(best)
    # Some links scored higher on a later page, some lower.
    assert any(scores[0] < max(scores) for scores in scores_of.values())
    assert any(scores[-1] < max(scores) for scores in scores_of.values())


def test_has_the_name_of_its_heuristic_and_resets():
    estimate = KeywordEstimate(Keywords(PROFILES["papers"], "mine"))
    assert estimate.name == "mine"
    steps = list(crawl_steps(BreadthFirst(), department(), 50))
    for _ in drive_estimate(estimate, steps):
        pass
    numbers = np.arange(len(department()), dtype=np.int32)
    assert estimate.estimates(numbers).any()
    estimate.start(Budget(), PartialYield())
    assert not estimate.estimates(numbers).any()
