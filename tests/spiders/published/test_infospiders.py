from __future__ import annotations

import numpy as np
import pytest

from generated_departments import crawl_steps, department
from lycosa.core import Budget, Step
from lycosa.goals.profiles import PROFILES
from lycosa.spiders import Random
from lycosa.spiders.published.infospiders import InfoSpiders
from small_pages import LinkSpec, page, tables


def infospiders(*words: str) -> InfoSpiders:
    policy = InfoSpiders(words, seed=0)
    policy.start(Budget())
    return policy


def of_papers(seed: int = 0) -> InfoSpiders:
    return InfoSpiders(PROFILES["papers"].words, seed)


def test_learns_keyword_weights_from_rewards():
    policy = infospiders("good", "bad")
    shared = tables()
    far = LinkSpec("x " * 12)
    home = page(shared, [LinkSpec("good"), far, LinkSpec("bad"), far] * 40)
    policy.observe(Step(1, home, 0.0))
    alike = policy.score(home)
    assert alike[0] == alike[2] > alike[1]
    for n, k in enumerate(range(0, 152, 2), 2):
        answer = page(shared, [])
        answer.number = int(home.targets[k])
        policy.observe(Step(n, answer, float(k % 4 == 0), home.number, 0.0))
    good, _, bad, _ = policy.score(home)[-4:]
    assert good > bad + 0.2


def test_energy_decides_births_and_deaths():
    policy = of_papers()
    births = deaths = 0
    lived: list[bool] = []
    for _ in crawl_steps(policy, department(), 200):
        dead = policy._dead.tolist()
        births += len(dead) > len(lived)
        assert not any(was and not now for was, now in zip(lived, dead, strict=False))
        deaths = sum(dead)
        lived = dead
        assert policy.population >= 1
        assert (policy.energy[policy._dead == 0] < 3).all()
    assert births > deaths > 1


def test_links_of_dead_agents_go_last():
    policy = infospiders("a")
    shared = tables()
    home = page(shared, [LinkSpec("a"), LinkSpec("x " * 12), LinkSpec()])
    policy.observe(Step(1, home, 0.0))
    before = policy.score(home)
    assert before[0] > before[2] == 0
    policy._child(0)
    policy.energy[0] = -1.0
    answer = page(shared, [])
    answer.number = int(home.targets[2])
    lowered = policy.observe(Step(3, answer, 0.0, home.number, 0.0))
    assert lowered is not None
    assert lowered.numbers.tolist() == home.targets[:2].tolist()
    assert lowered.values.max() < -3
    (opinion,) = policy.explain(home, 0)
    assert opinion.value == lowered.values[0]
    assert opinion.about == "of agent 0, dead; 1 living"


def test_child_has_half_of_the_energy_and_one_changed_weight():
    policy = infospiders("a", "b", "c")
    policy.observe(Step(1, page(tables(), [LinkSpec("a")]), 0.0))
    policy.energy[0] = 2.5
    child = policy._child(0)
    assert policy.energy.tolist() == [1.25, 1.25]
    assert np.count_nonzero(policy._weights[0] != policy._weights[child]) == 1


def test_the_seed_determines_the_children():
    def weights(seed):
        policy = of_papers(seed)
        list(crawl_steps(policy, department(), 150))
        return policy._weights.tolist()

    assert weights(1) == weights(1) != weights(2)


def test_unknown_links_score_0():
    policy = infospiders("a")
    policy.observe(Step(1, page(tables(), [LinkSpec("a")]), 0.0))
    shared = tables()
    strange = page(shared, [LinkSpec("a")] * 3)
    strange.targets[:] = [900, 5000, 70]
    assert policy.score(strange) == pytest.approx([0, 0, 0])


def test_finds_more_than_random():
    def found(policy):
        return sum(step.reward > 0 for step in crawl_steps(policy, department(), 120))

    assert found(of_papers()) > 1.2 * found(Random(0))
