from __future__ import annotations

import numpy as np
import pytest

from departments import crawled, department
from lycosa.core import Budget
from lycosa.goals.profiles import PROFILES
from lycosa.search import PartialYield
from lycosa.search.partial_yield import PARENTS
from lycosa.spiders import BreadthFirst
from lycosa.spiders.keywords import Keywords
from lycosa.spiders.yields import Hand
from parts import driven


def test_the_best_that_was_said_on_the_first_pages_is_kept():
    keywords = Keywords(PROFILES["papers"])
    keywords.start(Budget())
    hand = Hand(Keywords(PROFILES["papers"]))
    said: dict[int, list[float]] = {}
    fetched = set()
    for step, _, news in driven(hand, crawled(BreadthFirst(), department(), 200)):
        assert not len(news)
        fetched.add(step.page.number)
        targets = step.page.targets.tolist()
        scores = keywords.score(step.page).tolist() if targets else []
        for number, score in zip(targets, scores, strict=True):
            if number not in fetched and len(said.setdefault(number, [])) < PARENTS:
                said[number].append(score)
    numbers = np.array(list(said), np.int32)
    best = [max(scores) for scores in said.values()]
    assert hand.estimates(numbers) == pytest.approx(best)
    assert hand.said(numbers) == pytest.approx(best)
    # Among them are links that were said better of later, and worse.
    assert any(scores[0] < max(scores) for scores in said.values())
    assert any(scores[-1] < max(scores) for scores in said.values())


def test_it_goes_by_the_name_of_its_heuristic_and_starts_anew():
    hand = Hand(Keywords(PROFILES["papers"], "by hand"))
    assert hand.name == "by hand"
    steps = list(crawled(BreadthFirst(), department(), 50))
    for _ in driven(hand, steps):
        pass
    numbers = np.arange(len(department()), dtype=np.int32)
    assert hand.estimates(numbers).any()
    hand.start(Budget(), PartialYield())
    assert not hand.estimates(numbers).any()
