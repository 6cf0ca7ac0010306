from __future__ import annotations

import numpy as np
import pytest

from estimate_drivers import random_tree_site
from generated_departments import crawl_steps, department
from lycosa.core import Budget
from lycosa.spiders.yields import SiblingEstimate, Yield
from score_keeper import ScoreKeeper

SITES = [random_tree_site(seed) for seed in range(3)]


def spider(tolerance: float, **options) -> Yield:
    return Yield([SiblingEstimate(tolerance)], "partial", **options)


def estimates(policy: Yield) -> dict[int, float]:
    """Return the present estimates of all waiting links."""
    waiting = policy.tree.waiting()
    return dict(zip(waiting.tolist(), policy.tree.estimates(waiting).tolist(), strict=True))


def test_without_tolerance_every_changed_link_is_rescored_with_its_estimate():
    policy = spider(0.0)
    keeper = ScoreKeeper(policy)
    before: dict[int, float] = {}
    count = 0
    for step in crawl_steps(keeper, department()):
        now = estimates(policy)
        assert keeper.rescored.keys() <= now.keys()
        assert all(value == now[number] for number, value in keeper.rescored.items())
        moved = {number for number in before if number in now and before[number] != now[number]}
        assert moved <= keeper.rescored.keys() | set(step.page.targets.tolist())
        count += len(keeper.rescored)
        before = now
    assert count > 1000


@pytest.mark.parametrize("site", SITES)
def test_in_a_tree_every_score_is_the_present_estimate(site):
    policy = spider(0.0)
    keeper = ScoreKeeper(policy)
    for step in crawl_steps(keeper, site):
        assert keeper.scores == estimates(policy)
        if step.source >= 0:  # the estimate at that time is kept
            last = policy.parts[0].last_estimates(np.array([step.page.number]))
            assert step.score == pytest.approx(last.item())
    assert policy.tree.expanded == len(site)


@pytest.mark.parametrize("tolerance", [0.05, 0.5])
@pytest.mark.parametrize("site", SITES)
def test_scores_differ_from_estimates_by_the_tolerance_at_most(site, tolerance):
    policy = spider(tolerance)
    keeper = ScoreKeeper(policy)
    for _ in crawl_steps(keeper, site):
        for number, now in estimates(policy).items():
            assert abs(keeper.scores[number] - now) <= tolerance * keeper.scores[number] + 1e-6


def test_larger_tolerance_rescores_fewer_links():
    counts = []
    for tolerance in (0.0, 0.05, 0.5):
        keeper = ScoreKeeper(spider(tolerance))
        counts.append(sum(len(keeper.rescored) for _ in crawl_steps(keeper, department())))
    assert counts[0] > counts[1] > counts[2] > 0


def test_start_resets():
    policy = spider(0.05)
    orders = [[step.page.number for step in crawl_steps(policy, SITES[0])] for _ in range(2)]
    assert orders[0] == orders[1]
    policy.start(Budget())
    assert policy.tree.expanded == 0
