from __future__ import annotations

import pytest
from hypothesis import given

from generated_departments import crawl_steps, department
from heading_pages import pages
from lycosa.core import Budget
from lycosa.goals.profiles import PROFILES
from lycosa.spiders import BreadthFirst
from lycosa.spiders.published.best_first import BestFirst
from small_pages import LinkSpec, page, tables


def best_first(*words: str) -> BestFirst:
    policy = BestFirst(words)
    policy.start(Budget())
    return policy


def test_score_is_the_mean_of_page_and_anchor():
    shared = tables()
    # The page says a, b, x, y once each: half of it is the goal, and so is 1/sqrt(2) of its size.
    scores = best_first("a", "b").score(
        page(shared, [LinkSpec("a b"), LinkSpec("x"), LinkSpec("y")])
    )
    about = 0.5 * 2 / (4 * 2) ** 0.5
    assert scores == pytest.approx([about + 0.5, about, about])


@given(pages(least=1))
def test_explanation_adds_up_to_the_score(page):
    policy = best_first("a", "b")
    for index, score in enumerate(policy.score(page).tolist()):
        (opinion,) = policy.explain(page, index)
        assert opinion.value == score
        assert sum(effect.effect for effect in opinion.effects) == pytest.approx(score)


def found(policy, pages=120):
    return sum(step.reward > 0 for step in crawl_steps(policy, department(), pages))


def test_finds_more_than_breadth_first():
    assert found(BestFirst(PROFILES["papers"].words)) > 1.1 * found(BreadthFirst())
