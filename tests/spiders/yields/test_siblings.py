from __future__ import annotations

import numpy as np
import pytest

from departments import crawled, department
from held import Held
from lycosa.core import Budget
from lycosa.spiders.yields import Brothers, Yield
from parts import grown

SITES = [grown(seed) for seed in range(3)]


def spider(tolerance: float, **options) -> Yield:
    return Yield([Brothers(tolerance)], "partial", **options)


def estimates(policy: Yield) -> dict[int, float]:
    """What the counters say now of every link that waits."""
    waiting = policy.tree.waiting()
    return dict(zip(waiting.tolist(), policy.tree.estimates(waiting).tolist(), strict=True))


def test_without_tolerance_whoever_is_told_is_told_the_estimate_and_all_are_told():
    policy = spider(0.0)
    held = Held(policy)
    before: dict[int, float] = {}
    told = 0
    for step in crawled(held, department()):
        now = estimates(policy)
        assert held.news.keys() <= now.keys()
        assert all(value == now[number] for number, value in held.news.items())
        moved = {number for number in before if number in now and before[number] != now[number]}
        assert moved <= held.news.keys() | set(step.page.targets.tolist())
        told += len(held.news)
        before = now
    assert told > 1000


@pytest.mark.parametrize("site", SITES)
def test_where_one_link_leads_to_each_page_every_score_is_the_estimate_of_the_moment(site):
    policy = spider(0.0)
    held = Held(policy)
    for step in crawled(held, site):
        assert held.scores == estimates(policy)
        if step.source >= 0:  # what was said of it is remembered
            said = policy.parts[0].said(np.array([step.page.number]))
            assert step.score == pytest.approx(said.item())
    assert policy.tree.expanded == len(site)


@pytest.mark.parametrize("tolerance", [0.05, 0.5])
@pytest.mark.parametrize("site", SITES)
def test_scores_are_off_by_the_tolerance_at_most(site, tolerance):
    policy = spider(tolerance)
    held = Held(policy)
    for _ in crawled(held, site):
        for number, now in estimates(policy).items():
            assert abs(held.scores[number] - now) <= tolerance * held.scores[number] + 1e-6


def test_the_more_is_tolerated_the_less_is_told():
    told = []
    for tolerance in (0.0, 0.05, 0.5):
        held = Held(spider(tolerance))
        told.append(sum(len(held.news) for _ in crawled(held, department())))
    assert told[0] > told[1] > told[2] > 0


def test_start_forgets_what_was_told():
    policy = spider(0.05)
    orders = [[step.page.number for step in crawled(policy, SITES[0])] for _ in range(2)]
    assert orders[0] == orders[1]
    policy.start(Budget())
    assert policy.tree.expanded == 0
