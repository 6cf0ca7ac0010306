from __future__ import annotations

import numpy as np
import pytest

from generated_departments import crawl_steps, department
from heading_pages import page as page_of
from lycosa.core import Budget, Step
from lycosa.goals.profiles import PROFILES
from lycosa.spiders.published.qmin import QMin
from small_pages import tables


def qmin(*words: str) -> QMin:
    policy = QMin(words)
    policy.start(Budget())
    return policy


def test_worse_page_lowers_shared_links_and_better_page_raises_none():
    shared = tables()
    policy = qmin("a")
    good = page_of(shared, [(0, 0, "a"), (0, 1, "a")])
    bad = page_of(shared, [(0, 1, "a x"), (0, 2, "y z")])
    best = page_of(shared, [(0, 2, "a a a")])
    assert policy.observe(Step(1, good, 0.0)) is None
    assert policy.score(good) == pytest.approx([1.0, 1.0])
    lowered = policy.observe(Step(2, bad, 0.0))
    assert lowered is not None
    assert lowered.numbers.tolist() == [good.targets[1]]
    assert lowered.values == pytest.approx([0.5])
    assert policy.score(bad) == pytest.approx([0.5, 0.5])
    assert policy.observe(Step(3, best, 0.0)) is None
    assert policy.score(best) == pytest.approx([0.5])


def test_unobserved_links_have_the_quality_of_their_page():
    shared = tables()
    policy = qmin("a")
    policy.observe(Step(1, page_of(shared, [(0, 0, "x")]), 0.0))
    again = page_of(shared, [(0, 0, "a"), (0, 1, "a")])
    assert policy.score(again) == pytest.approx([0.0, 1.0])


def test_links_are_followed_with_the_lowest_quality():
    site = department()
    policy = QMin(PROFILES["papers"].words)
    judge = qmin(*PROFILES["papers"].words)
    least: dict[int, float] = {}
    lowered = 0
    for step in crawl_steps(policy, site, 150):
        if np.isfinite(step.score):
            assert step.score == pytest.approx(least[step.page.number], abs=1e-6)
        for number in step.page.targets.tolist():
            quality = judge.quality(step.page)
            lowered += quality < least.get(number, 0.0)
            least[number] = min(least.get(number, 1.0), quality)
    assert lowered > 10


def test_explanation_names_words_or_mentions_a_worse_page():
    shared = tables()
    policy = qmin("a")
    good, bad = page_of(shared, [(0, 0, "a"), (0, 1, "a")]), page_of(shared, [(0, 1, "a x")])
    policy.observe(Step(1, good, 0.0))
    policy.observe(Step(2, bad, 0.0))
    (alone,), (both,) = policy.explain(good, 0), policy.explain(good, 1)
    assert [(effect.word, effect.times) for effect in alone.effects] == [("a", 2)]
    assert sum(effect.effect for effect in alone.effects) == pytest.approx(alone.value)
    assert not both.effects
    assert "has less quality; this one has 1" in both.about
