from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.core import Budget, Page, ScoreContribution, Scores, Step
from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.spiders import BreadthFirst
from lycosa.spiders.change_policy import ChangePolicy
from small_sites import DictSite, random_graph_site

NOTHING = Listed("nothing", [])


class Scripted:
    """Scores by a table of pages and targets, and records the calls."""

    def __init__(self, seed: int, size: int, news: dict[int, Scores] | None = None) -> None:
        self.name = "scripted"
        self.table = np.random.default_rng(seed).permutation(size * size).reshape(size, size) / size
        self.news = news or {}
        self.seen: list[int] = []

    def start(self, budget: Budget) -> None:
        self.seen = []

    def observe(self, step: Step) -> Scores | None:
        self.seen.append(step.page.number)
        return self.news.get(step.n)

    def score(self, page: Page) -> np.ndarray:
        return self.table[page.number, page.targets]


def crawled(site, policy, pages):
    return [step.page.number for step in simulate(site, policy, NOTHING, Budget(pages=pages))]


def expected(site, policies, switch, pages):
    """A reference: each policy keeps its best scores; after `switch` pages the second decides."""
    best = [dict.fromkeys(site.seeds.tolist(), np.inf) for _ in policies]
    order: list[int] = []
    while len(order) < pages and best[0]:
        mine = best[len(order) >= switch]
        number = max(mine, key=mine.get)
        order.append(number)
        for policy, known in zip(policies, best, strict=True):
            known.pop(number)
            for target in site.page(number).targets.tolist():
                if target not in order:
                    score = policy.table[number, target]
                    known[target] = max(score, known.get(target, -np.inf))
    return order


@given(st.integers(0, 10_000), st.integers(0, 40), st.integers(1, 40))
def test_order_is_that_of_the_first_then_of_the_second(seed, switch, pages):
    site = random_graph_site(seed, 40, 160, 1)
    policies = Scripted(seed, 40), Scripted(seed + 1, 40)
    share = min(1.0, switch / pages)
    found = crawled(site, ChangePolicy(*policies, share, "both"), pages)
    assert found == expected(site, policies, min(switch, pages), pages)
    for policy in policies:  # both see everything
        assert policy.seen == found


@pytest.mark.parametrize("pages", [10, 100, 997])
def test_changes_exactly_at_the_share(pages):
    site = DictSite({"s": [str(n) for n in range(3)]})
    for percent in range(101):
        policy = ChangePolicy(Scripted(0, 9), Scripted(1, 9), percent / 100, "both")
        policy.start(Budget(pages=pages))
        at = next(
            n for n in range(1, pages + 1) if policy.observe(Step(n, site.page(0), 0.0)) is not None
        )
        assert at == max(1, -(-percent * pages // 100))


def test_equal_scores_keep_the_order_of_discovery():
    # By their numbers e and d would come before c and b.
    site = DictSite({"s": [], "e": [], "d": [], "c": [], "b": []}, seeds=["s"])
    names = site.tables.urls
    links = np.array([names.find(u) for u in "bcde"], np.int32)
    site._targets[0] = links
    first = Scripted(0, 5)
    first.table[0, links] = [1, 4, 3, 2]
    found = crawled(site, ChangePolicy(first, BreadthFirst(), 0.4, "both"), 5)
    assert "".join(names[n] for n in found) == "scbde"


def test_rescored_links_of_both_policies_are_stored():
    site = DictSite({"s": ["a", "b", "c", "d", "e"]})
    a, b, c, d, e = range(1, 6)
    first, second = Scripted(0, 6), Scripted(0, 6)
    first.table[0] = [0, 5, 4, 3, 2, 1]
    second.table[0] = [0, 1, 2, 3, 4, 5]
    # After page 2 the first prefers e; the second, still silent, b, and no longer d.
    first.news = {2: Scores(np.array([e]), np.array([9.0]))}
    second.news = {2: Scores(np.array([b, d]), np.array([9.0, 0.5]))}
    assert crawled(site, ChangePolicy(first, second, 0.5, "both"), 6) == [0, a, e, b, c, d]


def test_start_resets():
    site = random_graph_site(5, 40, 160, 1)
    policy = ChangePolicy(Scripted(1, 40), Scripted(2, 40), 0.5, "both")
    assert crawled(site, policy, 30) == crawled(site, policy, 30)


def turns(rewards, pages=None):
    """Return the steps at which the policy changed by the rate."""
    site = DictSite({"s": ["a"]})
    policy = ChangePolicy(Scripted(0, 2), Scripted(1, 2), None, "both")
    policy.start(Budget(pages=pages))
    found = []
    for n, reward in enumerate(rewards, 1):
        new = policy.observe(Step(n, site.page(0), reward))
        if new is not None:
            found.append(n)
        in_force = (Scripted(0, 2), Scripted(1, 2))[len(found) % 2]
        assert policy.score(site.page(0)).tolist() == in_force.score(site.page(0)).tolist()
    return found


def half_life(span):
    """Return the number of pages without reward that halve a rate over `span` pages."""
    return next(k for k in range(1000) if (1 - 1 / span) ** k < 0.5)


@pytest.mark.parametrize(("pages", "span"), [(None, 20), (500, 20), (5000, 100)])
def test_drop_to_half_of_the_best_rate_changes_the_policy(pages, span):
    plenty = [1.0] * (4 * span)
    drop = len(plenty) + half_life(span)
    assert turns([*plenty, *[0.0] * half_life(span)], pages) == [drop]
    assert turns([*plenty, *[0.0] * (half_life(span) - 1)], pages) == []


def test_no_change_without_a_drop():
    assert turns([0.0] * 300) == []
    assert turns([1.0] * 300) == []
    assert turns([1.0, 0.0] * 150) == []
    assert turns([0.0] * 100 + [1.0] * 200) == []


def test_rewards_count_at_most_1():
    assert turns([1.0] * 60 + [100.0] + [1.0] * 60) == []


def test_second_policy_has_its_span_and_the_first_may_return():
    plenty, poor = [1.0] * 80, [0.0] * 14
    assert turns([*plenty, *poor]) == [94]
    # Reward comes back with the second: it stays. It does not: after 20 pages it is relieved.
    assert turns([*plenty, *poor, *[1.0] * 100]) == [94]
    assert turns([*plenty, *poor, *[0.0] * 21]) == [94, 115]
    assert turns([*plenty, *poor, *[0.0] * 20]) == [94]
    # It is measured by its own best and not by that of the other.
    assert turns([*plenty, *poor, *[1.0, 0.0, 0.0] * 40]) == [94]


def test_crawl_without_limit_changes_by_rate():
    site = DictSite({"s": ["a"]})
    policy = ChangePolicy(Scripted(0, 2), Scripted(1, 2), 0.3, "both")
    policy.start(Budget())
    news = [policy.observe(Step(n, site.page(0), float(n <= 60))) for n in range(1, 75)]
    assert [n for n, new in enumerate(news, 1) if new is not None] == [74]


class Outspoken(Scripted):
    def explain(self, page: Page, index: int) -> list[ScoreContribution]:
        return [ScoreContribution(self.name, self.score(page)[index])]


def test_explains_with_the_active_policy():
    site = random_graph_site(3, 30, 200, 1)
    first = Outspoken(1, 30)
    policy = ChangePolicy(first, Scripted(2, 30), 0.5, "changing")
    spoke = silent = 0
    for step in simulate(site, policy, NOTHING, Budget(pages=20)):
        if len(step.page.targets):
            said = policy.explain(step.page, 0)
            if step.n < 10:
                assert said == (ScoreContribution("scripted", first.score(step.page)[0]),)
                spoke += 1
            else:  # the second has nothing to say
                assert said == ()
                silent += 1
    assert spoke
    assert silent
