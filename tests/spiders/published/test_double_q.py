from __future__ import annotations

import numpy as np
import pytest

from generated_departments import crawl_steps, department
from lycosa.core import Budget, Step
from lycosa.spiders import Random
from lycosa.spiders.published.double_q import DoubleQ
from small_pages import LinkSpec, page, tables

LINKS = [LinkSpec("good"), LinkSpec("way"), LinkSpec("bad")]


def learned(repeats: int = 300) -> tuple[DoubleQ, list[float]]:
    """Return a policy trained with links to targets (good), to hubs (way) and to nothing (bad)."""
    policy = DoubleQ(0)
    policy.start(Budget())
    shared = tables()
    for n in range(repeats):
        home = page(shared, LINKS)
        policy.observe(Step(3 * n + 1, home, 0.0))
        hub = page(shared, LINKS)
        for k, (target, reward) in enumerate([(page(shared, []), 1.0), (hub, 0.0)]):
            target.number = int(home.targets[k])
            policy.observe(Step(3 * n + 2 + k, target, reward, home.number, 0.0))
        end = page(shared, [])
        end.number = int(home.targets[2])
        policy.observe(Step(3 * n + 4, end, 0.0, home.number, 0.0))
    last = page(shared, LINKS)
    return policy, policy.score(last).tolist()


def test_immediate_reward_scores_above_later_reward_above_none():
    _, (good, way, bad) = learned()
    assert good == pytest.approx(1.0, abs=0.1)
    assert way == pytest.approx(0.5, abs=0.15)
    assert bad == pytest.approx(0.0, abs=0.1)


def test_score_is_the_mean_of_both_learners():
    policy, _ = learned(100)
    again = page(tables(), [LinkSpec("good")])
    score = float(policy.score(again)[0])
    opinions = policy.explain(again, 0)
    assert sum(one.weight * one.value for one in opinions) == pytest.approx(score)
    assert policy._weights.any(axis=1).all()
    assert not np.array_equal(*policy._weights)


def test_rescores_at_growing_intervals_and_explores():
    times, chances = [], 0

    class Watched(DoubleQ):
        def observe(self, step):
            nonlocal chances
            scores = super().observe(step)
            if scores is not None and len(scores.numbers) > 1:
                times.append(step.n)
                assert not any(self._fetched.at(n) for n in scores.numbers.tolist())
                assert scores.values == pytest.approx(self.values(scores.numbers))
            elif scores is not None:
                chances += 1
            return scores

    list(crawl_steps(Watched(2), department(), 110))
    assert times == [30, 45, 68, 102]
    assert 0 < chances < 20


def test_the_seed_determines_the_crawl():
    def order(seed):
        return [step.page.number for step in crawl_steps(DoubleQ(seed), department(), 60)]

    assert order(1) == order(1) != order(2)


def test_finds_more_than_random():
    def found(policy):
        return sum(step.reward > 0 for step in crawl_steps(policy, department(), 150))

    assert found(DoubleQ(0)) > 1.2 * found(Random(0))
