from __future__ import annotations

import numpy as np
import pytest

from generated_departments import crawl_steps, department
from lycosa.core import Budget, Step
from lycosa.spiders import Random
from lycosa.spiders.published.sleeping_bandit import SleepingBandit
from small_pages import LinkSpec, page, tables


def bandit(seed: int = 0) -> SleepingBandit:
    policy = SleepingBandit(seed)
    policy.start(Budget())
    return policy


def test_chooses_a_link_of_the_best_arm_with_links():
    checked = 0

    class Watched(SleepingBandit):
        def observe(self, step):
            nonlocal checked
            before = self._choice
            scores = super().observe(step)
            if self._choice not in (before, -1):
                arm = int(self._arms.at(self._choice)) - 1
                bounds = self.bounds()
                awake = [
                    any(not self._fetched.at(n) for n in [*links, *[self._choice] * (arm == k)])
                    for k, links in enumerate(self._links)
                ]
                assert bounds[arm] == bounds[awake].max()
                checked += 1
            return scores

    list(crawl_steps(Watched(3), department(), 150))
    assert checked > 20


def test_follows_the_choice_unless_a_link_looks_like_a_target():
    policy = SleepingBandit(1)
    chosen = -1
    followed = 0
    for step in crawl_steps(policy, department(), 100):
        if np.isfinite(step.score) and step.score < 2:
            assert step.score == 1.0
            followed += 1
        chosen = policy._choice
    assert followed > 10
    assert chosen >= 0


def test_counts_gains_and_pulls_for_the_arm():
    policy = bandit()
    shared = tables()
    home = page(
        shared, [LinkSpec(path="html/ul/li/a")] * 3 + [LinkSpec(path="html/table/tr/td/a")] * 2
    )
    policy.observe(Step(1, home, 0.0))
    listed, told = page(shared, [LinkSpec("x")]), page(shared, [])
    listed.number, told.number = int(home.targets[0]), int(home.targets[4])
    policy.observe(Step(2, listed, 0.0, home.number, 1.0))
    policy.observe(Step(3, told, 1.0, home.number, 1.0))
    assert policy._pulls.tolist()[:2] == [1, 1]
    assert policy._gains.tolist()[:2] == [0, 1]
    # One that was taken for a target is the gain of the arm of the page it was found on.
    target = page(shared, [])
    policy.observe(Step(4, target, 1.0, listed.number, 2.9))
    assert policy._pulls.tolist()[:2] == [1, 1]
    assert policy._gains.tolist()[:2] == [1, 1]
    width = np.sqrt(2 * np.log(2))
    assert policy.bounds()[:2] == pytest.approx([1 + width, 1 + width])
    arm, url = policy.explain(home, 1)
    assert arm.about == "arm 0: 1 targets in 1 pulls"
    assert 0 < url.value < 1


def test_the_seed_determines_the_crawl():
    def order(seed):
        return [step.page.number for step in crawl_steps(SleepingBandit(seed), department(), 60)]

    assert order(1) == order(1) != order(2)


def test_finds_more_than_random():
    def found(policy):
        return sum(step.reward > 0 for step in crawl_steps(policy, department(), 150))

    assert found(SleepingBandit(0)) > 1.1 * found(Random(0))
