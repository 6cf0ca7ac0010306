from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from departments import crawled, department
from held import Held
from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Page, Step
from lycosa.crawl import simulate
from lycosa.goals import Listed
from lycosa.goals.profiles import PROFILES
from lycosa.learn.nearest_neighbours import NearestNeighbours
from lycosa.search import PartialYield
from lycosa.search.contract import contract_depth
from lycosa.spiders import check_policy
from lycosa.spiders.keywords import Keywords
from lycosa.spiders.yields import Brothers, Hand, Lookalikes, Part, Yield


class Silent:
    """A part that expects nothing of anything."""

    name = "silent"
    nbytes = 0

    def start(self, budget: Budget, tree: PartialYield) -> None:
        self.tree = tree

    def observe(self, step: Step, fresh: np.ndarray, changed: Sequence[int]) -> Ints:
        return NO_INTS

    def estimates(self, numbers: Ints) -> np.ndarray:
        return np.zeros(len(numbers))

    def said(self, numbers: Ints) -> np.ndarray:
        return self.estimates(numbers)


class Useless(Silent):
    """Says much and means nothing by it."""

    def estimates(self, numbers: Ints) -> np.ndarray:
        return 3 * (np.asarray(numbers) * 0.618 % 1)


class Perfect(Silent):
    """Had known before what every page turned out to yield."""

    def said(self, numbers: Ints) -> np.ndarray:
        return self.tree.yields(numbers)


class Constant(Silent):
    def estimates(self, numbers: Ints) -> np.ndarray:
        return np.full(len(numbers), 2.0)


def combined(**options) -> Yield:
    parts = [Hand(Keywords(PROFILES["papers"])), Lookalikes(NearestNeighbours), Brothers(0.2)]
    return Yield(parts, "combined", **options)


def weights_after(*parts: Part) -> list[float]:
    policy = Yield(parts, "parts")
    for _ in crawled(policy, department()):
        pass
    return policy.weights.tolist()


def test_until_something_is_found_the_first_part_is_listened_to_most():
    policy = Yield([Silent(), Silent(), Silent()], "silent")
    policy.start(Budget())
    assert policy.weights.tolist() == [1.0, 0.3, 0.3]


def test_the_weight_of_a_useless_part_vanishes_and_that_of_a_perfect_one_grows():
    useless, perfect = weights_after(Useless(), Perfect())  # they begin with 1.0 and 0.3
    assert useless < 0.05
    assert perfect > 0.6
    perfect, useless = weights_after(Perfect(), Useless())
    assert useless < 0.05
    assert perfect > 0.6


def test_weights_are_never_negative():
    class Contrary(Perfect):
        def said(self, numbers: Ints) -> np.ndarray:
            return 1 - super().said(numbers)

    contrary, perfect = weights_after(Contrary(), Perfect())
    assert 0 <= contrary < 0.4
    assert perfect > 0.3


def test_a_part_alone_has_no_weight_and_is_taken_at_its_word():
    policy = Yield([Constant()], "alone")
    for step in crawled(policy, department(), 60):
        if len(policy.tree.fresh):
            assert set(policy.score(step.page)[policy.tree.fresh].tolist()) == {2.0}
    assert policy.weights.tolist() == [1.0]


def test_a_score_is_the_weighted_sum_of_the_parts_for_fresh_links_and_0_for_others():
    policy = combined()
    weights = set()
    for step in crawled(policy, department()):
        if not len(step.page.targets):
            continue
        scores = policy.score(step.page)
        fresh = policy.tree.fresh
        said = [part.estimates(step.page.targets[fresh]) for part in policy.parts]
        assert scores[fresh] == pytest.approx(policy.weights @ np.array(said))
        assert not np.delete(scores, fresh).any()
        weights.add(tuple(policy.weights.tolist()))
    assert len(weights) > 3


def test_when_the_weights_change_all_that_waits_is_scored_anew():
    policy = combined()
    held = Held(policy)
    before = None
    changes = 0
    for _ in crawled(held, department()):
        if before is not None and policy.weights.tolist() != before:
            changes += 1
            waiting = policy.tree.waiting()
            assert set(held.news) == set(waiting.tolist())
        before = policy.weights.tolist()
    assert changes > 3


class Twice:
    """Asks a policy for every score three times."""

    def __init__(self, policy: Yield) -> None:
        self.name = policy.name
        self.start, self.observe = policy.start, policy.observe
        self._policy = policy

    def score(self, page: Page) -> np.ndarray:
        first, second, third = (self._policy.score(page) for _ in range(3))
        assert first.tolist() == second.tolist() == third.tolist()
        return third


def test_to_be_asked_again_changes_nothing():
    once, again = (
        [(step.page.number, step.score) for step in crawled(policy, department())]
        for policy in (combined(), Twice(combined()))
    )
    assert once == again


def levels(policy: Yield, budget: Budget) -> list[int]:
    """The depth of the yields asked for, after every page."""
    site = department()
    steps = simulate(site, policy, Listed.of(site, "papers"), budget)
    return [policy.tree.level for _ in steps]


@pytest.mark.parametrize("make", [combined, lambda **options: Yield([Brothers()], "b", **options)])
def test_a_contract_looks_less_and_less_deep_as_the_budget_runs_out(make):
    found = levels(make(level=4, contract=True), Budget(pages=250))
    assert found[0] == 4
    assert found[-60:] == sorted(found[-60:], reverse=True)
    assert found[-1] < 3 < found[-60]


@pytest.mark.parametrize("budget", [Budget(pages=250), Budget(targets=25)])
def test_a_contract_takes_the_depth_that_can_be_walked_or_that_holds_what_is_wanted(budget):
    site = department()
    policy = Yield([Brothers()], "contract", level=4, contract=True)
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


def test_without_a_limit_a_contract_is_like_anytime():
    assert set(levels(combined(level=3, contract=True), Budget())) == {3}


@pytest.mark.parametrize("budget", [Budget(), Budget(pages=250), Budget(targets=25)])
def test_anytime_keeps_to_one_depth(budget):
    assert set(levels(combined(level=3), budget)) == {3}


def test_when_the_depth_changes_all_that_waits_is_scored_anew():
    policy = Yield([Brothers()], "contract", level=4, contract=True)
    held = Held(policy)
    before, changes = 4, 0
    for _ in crawled(held, department(), 110):
        if policy.tree.level != before:
            changes += 1
            waiting = policy.tree.waiting()
            assert [held.news[n] for n in waiting.tolist()] == (
                policy.tree.estimates(waiting).tolist()
            )
        before = policy.tree.level
    assert changes


@pytest.mark.parametrize("options", [{}, {"contract": True, "level": 4}])
def test_it_keeps_the_contract_of_a_policy(options):
    check_policy(combined(**options), department())


def test_it_remembers_less_than_200_bytes_of_a_url():
    site = department(pages=3000)
    policy = combined()
    discovered = set(site.seeds.tolist())
    for step in crawled(policy, site):
        discovered.update(step.page.targets.tolist())
    assert len(discovered) > 2500
    assert policy.nbytes == policy.tree.nbytes + sum(part.nbytes for part in policy.parts)
    assert policy.nbytes / len(discovered) < 200  # measured: 163
