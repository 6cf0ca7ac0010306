from __future__ import annotations

import pytest
from hypothesis import given

from generated_departments import crawl_steps, department
from heading_pages import page as page_of
from heading_pages import pages
from lycosa.core import Budget, Step
from lycosa.goals.profiles import PROFILES
from lycosa.spiders import BreadthFirst
from lycosa.spiders.published.shark_search import SharkSearch, SharkSearchWeights
from small_pages import LinkSpec, page, tables

GOAL = ("a", "b")


def shark(rates: SharkSearchWeights | None = None) -> SharkSearch:
    policy = SharkSearch(GOAL, weights=rates)
    policy.start(Budget())
    return policy


def test_anchor_with_a_goal_word_has_full_context_score():
    policy = shark(SharkSearchWeights(inherited=0.0))
    shared = page(tables(), [LinkSpec("a b"), *[LinkSpec("x x x")] * 5, LinkSpec("y")])
    policy.observe(Step(1, shared, 0.0))
    scores = policy.score(shared)
    assert scores[0] == pytest.approx(1.0)
    assert 0 < scores[1] < 0.2, "a and b are near"
    assert scores[-1] == 0, "they are far"


def test_inherited_score_decays_on_pages_without_goal_words():
    policy = shark(SharkSearchWeights(decay=0.5, inherited=1.0))
    shared = tables()
    good, bare, barer, fine = (
        page(shared, [LinkSpec(anchor), LinkSpec("")]) for anchor in ("a b", "x", "y", "a")
    )
    for n, (mine_now, source) in enumerate(
        [(good, -1), (bare, good.number), (barer, bare.number), (fine, barer.number)], 1
    ):
        policy.observe(Step(n, mine_now, 0.0, source))
    inherited = [float(policy.score(one)[1]) for one in (good, bare, barer, fine)]
    assert inherited == pytest.approx([0.5, 0.25, 0.125, 0.5 / 2**0.5])


def test_seed_without_goal_words_passes_nothing_on():
    policy = shark()
    shared = page(tables(), [LinkSpec("x")])
    policy.observe(Step(1, shared, 0.0))
    assert policy.score(shared).tolist() == [0.0]


@given(pages(least=1))
def test_explanation_adds_up_to_the_score(page):
    policy = shark()
    policy.observe(Step(1, page, 0.0))
    for index, score in enumerate(policy.score(page).tolist()):
        (opinion,) = policy.explain(page, index)
        assert opinion.value == score
        total = opinion.base + sum(effect.effect for effect in opinion.effects)
        assert total == pytest.approx(score)


def test_context_counts_only_for_anchors_without_goal_words():
    pieces = [(0, None, "a"), (0, 0, "x"), (0, None, "z " * 12), (0, 1, "y")]
    policy = shark(SharkSearchWeights(inherited=0.0))
    near, far = policy.score(page_of(tables(), pieces)).tolist()
    assert near > far == 0


def test_finds_more_than_breadth_first():
    def found(policy):
        return sum(step.reward > 0 for step in crawl_steps(policy, department(), 120))

    assert found(SharkSearch(PROFILES["papers"].words)) > 1.1 * found(BreadthFirst())
