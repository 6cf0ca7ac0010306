from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from generated_departments import crawl_steps, department
from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Page, ScoreContribution, Step
from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.goals.profiles import PROFILES
from lycosa.learn.decision_tree import DecisionTree
from lycosa.learn.nearest_neighbours import NearestNeighbours
from lycosa.learn.ridge import Ridge
from lycosa.search import PartialYield
from lycosa.search.contract import contract_depth
from lycosa.spiders import check_policy
from lycosa.spiders.keywords import Keywords
from lycosa.spiders.yields import (
    Estimate,
    KeywordEstimate,
    SiblingEstimate,
    SimilarLinksEstimate,
    Yield,
)
from score_keeper import ScoreKeeper


class ZeroEstimate:
    """An estimate of 0 for every link."""

    name = "silent"
    nbytes = 0

    def start(self, budget: Budget, tree: PartialYield) -> None:
        self.tree = tree

    def observe(self, step: Step, fresh: np.ndarray, changed: Sequence[int]) -> Ints:
        return NO_INTS

    def estimates(self, numbers: Ints) -> np.ndarray:
        return np.zeros(len(numbers))

    def last_estimates(self, numbers: Ints) -> np.ndarray:
        return self.estimates(numbers)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        value = float(self.estimates(page.targets[index : index + 1])[0])
        return (ScoreContribution(self.name, value),)


class Unrelated(ZeroEstimate):
    """Large estimates unrelated to the yield."""

    def estimates(self, numbers: Ints) -> np.ndarray:
        return 3 * (np.asarray(numbers) * 0.618 % 1)


class Perfect(ZeroEstimate):
    """An oracle: the yield of every page, known beforehand."""

    def last_estimates(self, numbers: Ints) -> np.ndarray:
        return self.tree.yields(numbers)


class Constant(ZeroEstimate):
    def estimates(self, numbers: Ints) -> np.ndarray:
        return np.full(len(numbers), 2.0)


def combined(**options) -> Yield:
    parts = [
        KeywordEstimate(Keywords(PROFILES["papers"])),
        SimilarLinksEstimate(NearestNeighbours),
        SiblingEstimate(0.2),
    ]
    return Yield(parts, "combined", **options)


def weights_after(*parts: Estimate) -> list[float]:
    policy = Yield(parts, "parts")
    for _ in crawl_steps(policy, department()):
        pass
    return policy.weights.tolist()


def test_first_estimate_has_the_largest_initial_weight():
    policy = Yield([ZeroEstimate(), ZeroEstimate(), ZeroEstimate()], "silent")
    policy.start(Budget())
    assert policy.weights.tolist() == [1.0, 0.3, 0.3]


def test_weights_of_unrelated_estimates_vanish_and_of_perfect_ones_grow():
    useless, perfect = weights_after(Unrelated(), Perfect())  # the initial weights are 1.0 and 0.3
    assert useless < 0.05
    assert perfect > 0.6
    perfect, useless = weights_after(Perfect(), Unrelated())
    assert useless < 0.05
    assert perfect > 0.6


def test_weights_are_never_negative():
    class Contrary(Perfect):
        def last_estimates(self, numbers: Ints) -> np.ndarray:
            return 1 - super().last_estimates(numbers)

    contrary, perfect = weights_after(Contrary(), Perfect())
    assert 0 <= contrary < 0.4
    assert perfect > 0.3


def test_single_estimate_is_not_weighted():
    policy = Yield([Constant()], "alone")
    for step in crawl_steps(policy, department(), 60):
        if len(policy.tree.fresh):
            assert set(policy.score(step.page)[policy.tree.fresh].tolist()) == {2.0}
    assert policy.weights.tolist() == [1.0]


def test_score_is_the_weighted_sum_for_fresh_links_and_0_for_others():
    policy = combined()
    weights = set()
    for step in crawl_steps(policy, department()):
        if not len(step.page.targets):
            continue
        scores = policy.score(step.page)
        fresh = policy.tree.fresh
        said = [part.estimates(step.page.targets[fresh]) for part in policy.parts]
        assert scores[fresh] == pytest.approx(policy.weights @ np.array(said))
        assert not np.delete(scores, fresh).any()
        weights.add(tuple(policy.weights.tolist()))
    assert len(weights) > 3


def test_rescores_all_waiting_links_when_the_weights_change():
    policy = combined()
    keeper = ScoreKeeper(policy)
    before = None
    changes = 0
    for _ in crawl_steps(keeper, department()):
        if before is not None and policy.weights.tolist() != before:
            changes += 1
            waiting = policy.tree.waiting()
            assert set(keeper.rescored) == set(waiting.tolist())
        before = policy.weights.tolist()
    assert changes > 3


class Repeating:
    """A policy that asks another one for every score three times."""

    def __init__(self, policy: Yield) -> None:
        self.name = policy.name
        self.start, self.observe = policy.start, policy.observe
        self._policy = policy

    def score(self, page: Page) -> np.ndarray:
        first, second, third = (self._policy.score(page) for _ in range(3))
        assert first.tolist() == second.tolist() == third.tolist()
        return third


def test_scoring_again_changes_nothing():
    once, again = (
        [(step.page.number, step.score) for step in crawl_steps(policy, department())]
        for policy in (combined(), Repeating(combined()))
    )
    assert once == again


def levels(policy: Yield, budget: Budget) -> list[int]:
    """Return the depth of the learned yields after every page."""
    site = department()
    steps = simulate(site, policy, Listed.of(site, "papers"), budget)
    return [policy.tree.level for _ in steps]


@pytest.mark.parametrize(
    "make", [combined, lambda **options: Yield([SiblingEstimate()], "b", **options)]
)
def test_contract_depth_falls_as_the_budget_runs_out(make):
    found = levels(make(level=4, contract=True), Budget(pages=250))
    assert found[0] == 4
    assert found[-80:] == sorted(found[-80:], reverse=True)
    assert found[-1] < 3 < found[-80]


@pytest.mark.parametrize("budget", [Budget(pages=250), Budget(targets=25)])
def test_contract_chooses_the_depth_from_budget_and_rate(budget):
    site = department(seed=2)
    policy = Yield([SiblingEstimate()], "contract", level=4, contract=True)
    before, found, changes = 4, 0, 0
    for step in simulate(site, policy, Listed.of(site, "papers"), budget):
        found += step.reward > 0
        tree = policy.tree
        if tree.level != before:
            changes += 1
            assert tree.level == contract_depth(
                tree.branching,
                4,
                nodes=budget.pages and budget.pages - step.n,
                goals=budget.targets and budget.targets - found,
                rate=tree.rate,
            )
        before = tree.level
    assert changes > 1


def test_contract_without_limit_equals_anytime():
    assert set(levels(combined(level=3, contract=True), Budget())) == {3}


@pytest.mark.parametrize("budget", [Budget(), Budget(pages=250), Budget(targets=25)])
def test_anytime_keeps_one_depth(budget):
    assert set(levels(combined(level=3), budget)) == {3}


def test_rescores_all_waiting_links_when_the_depth_changes():
    policy = Yield([SiblingEstimate()], "contract", level=4, contract=True)
    keeper = ScoreKeeper(policy)
    before, changes = 4, 0
    for _ in crawl_steps(keeper, department(), 110):
        if policy.tree.level != before:
            changes += 1
            waiting = policy.tree.waiting()
            assert [keeper.rescored[n] for n in waiting.tolist()] == (
                policy.tree.estimates(waiting).tolist()
            )
        before = policy.tree.level
    assert changes


@pytest.mark.parametrize("options", [{}, {"contract": True, "level": 4}])
def test_keeps_the_policy_contract(options):
    check_policy(combined(**options), department(), 120)


def test_needs_less_than_200_bytes_per_url():
    site = department(pages=3000)
    policy = combined()
    discovered = set(site.seeds.tolist())
    for step in crawl_steps(policy, site):
        discovered.update(step.page.targets.tolist())
    assert len(discovered) > 2500
    assert policy.nbytes == policy.tree.nbytes + sum(part.nbytes for part in policy.parts)
    assert policy.nbytes / len(discovered) < 200  # measured: 163


LEARNERS = [Ridge, NearestNeighbours, DecisionTree]


@pytest.mark.parametrize("learner", LEARNERS)
def test_contributions_add_up_to_the_score_of_a_waiting_link(learner):
    site = department()
    parts: list[Estimate] = [
        KeywordEstimate(Keywords(PROFILES["papers"])),
        SimilarLinksEstimate(learner),
        SiblingEstimate(0.2),
        ZeroEstimate(),
    ]
    policy = Yield(parts, "mine")
    seen: dict[int, tuple[Page, int]] = {}
    asked = set()
    goal = Listed.of(site, "papers")
    worded = 0
    for step in simulate(site, policy, goal, Budget(pages=150)):
        page = step.page
        asked.add(page.number)
        for place, number in enumerate(page.targets.tolist()):
            seen.setdefault(number, (page, place))
    waiting = [number for number in seen if number not in asked]
    values = policy._values(np.array(waiting, np.int32)).tolist()
    for number, value in list(zip(waiting, values, strict=True))[:100]:
        keywords, learned, siblings, silent = contributions = policy.explain(*seen[number])
        names = ["keywords", "generalised", "partial", "silent"]
        assert [one.part for one in contributions] == names
        assert sum(one.weight * one.value for one in contributions) == pytest.approx(
            value, abs=1e-5
        )
        assert sum(effect.effect for effect in keywords.effects) <= keywords.value + 1e-6
        assert siblings.effects == silent.effects == ()
        bags = seen[number][0].link(seen[number][1]).bags
        for word, bag, times, _ in learned.effects:
            assert word in bags[bag]
            assert times == 1
        worded += len(learned.effects)
    assert worded > 100


def test_ridge_word_effects_add_up_to_the_estimate():
    site = department()
    part = SimilarLinksEstimate(Ridge)
    policy = Yield([part], "mine")
    first: dict[int, tuple[Page, int]] = {}
    asked = set()
    for step in simulate(site, policy, Listed.of(site, "papers"), Budget(pages=150)):
        asked.add(step.page.number)
        for place, number in enumerate(step.page.targets.tolist()):
            first.setdefault(number, (step.page, place))
    learner = part._fitted
    checked = 0
    for number, link in first.items():
        (said,) = (
            policy.explain(*link)
            if number not in asked
            else (ScoreContribution("", 0.0, about="no"),)
        )
        if not said.about:
            total = sum(effect.effect for effect in said.effects)
            # Two words may share a column, and then only one of them is named.
            assert total + learner._mean == pytest.approx(said.value, abs=1e-5)
            checked += 1
    assert checked > 30


def test_explanation_says_that_nothing_is_learned_yet():
    site = department()
    policy = Yield([SimilarLinksEstimate(Ridge)], "mine")
    *_, last = simulate(site, policy, Listed.of(site, "papers"), Budget(pages=1))
    (said,) = policy.explain(last.page, 0)
    assert said.effects == ()
    assert "nothing is learned" in said.about


def test_explanation_mentions_a_better_link_elsewhere():
    site = department()
    policy = Yield([KeywordEstimate(Keywords(PROFILES["papers"]))], "mine")
    links: dict[int, list[tuple[Page, int]]] = {}
    asked = set()
    for step in simulate(site, policy, Listed.of(site, "papers"), Budget(pages=60)):
        asked.add(step.page.number)
        for place, number in enumerate(step.page.targets.tolist()):
            links.setdefault(number, []).append((step.page, place))
    several = [of for number, of in links.items() if number not in asked and len(of) > 1]
    said = [[policy.explain(*link)[0] for link in of] for of in several]
    for opinions in said:
        best = opinions[0].value
        assert {one.value for one in opinions} == {best}
        for one in opinions:
            mine = sum(effect.effect for effect in one.effects)
            assert bool(one.about) == (np.float32(mine) < np.float32(best))
    assert any(one.about for opinions in said for one in opinions)
