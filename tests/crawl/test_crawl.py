import numpy as np
import pytest

from lycosa.core import Budget, Scores
from lycosa.crawl import Crawl
from lycosa.errors import ContractError
from lycosa.goals import Listed
from lycosa.spiders import BreadthFirst
from tiny import Tiny

SITE = Tiny({"a": ["b", "c"], "b": ["d"], "c": ["a", "d"], "d": []}, {"papers": ["c", "d"]})
NO_LIMIT = Budget()


def crawl(policy=None, budget=NO_LIMIT, goal=None, site=SITE, **options):
    goal = goal or Listed.of(site, "papers")
    return Crawl(policy or BreadthFirst(), goal, budget, site.seeds, **options)


def finish(crawl, site=SITE):
    steps = []
    while (number := crawl.next()) is not None:
        steps.append(crawl.tell(site.page(number)))
    return steps


class Says(BreadthFirst):
    """Scores and new scores as the test wants them."""

    def __init__(self, score=None, observe=None):
        self._score, self._observe = score, observe

    def score(self, page):
        return self._score(page) if self._score else super().score(page)

    def observe(self, step):
        return self._observe(step) if self._observe else None


def test_steps_say_where_they_came_from():
    c = crawl(Says(lambda page: page.targets * 0.5))
    steps = finish(c)
    assert [(s.n, s.page.url, s.reward, s.source, s.score) for s in steps] == [
        (1, "a", 0.0, -1, np.inf),
        (2, "c", 1.0, 0, 1.0),
        (3, "d", 1.0, 2, 1.5),
        (4, "b", 0.0, 0, 0.5),
    ]
    assert (c.requested, c.pages, c.found, c.waiting, c.under_way) == (4, 4, 2, 0, 0)
    assert c.reason == "frontier empty"


@pytest.mark.parametrize(
    ("budget", "pages", "reason"),
    [
        (Budget(), 4, "frontier empty"),
        (Budget(pages=3), 3, "budget: pages"),
        (Budget(pages=0), 0, "budget: pages"),
        (Budget(targets=1), 3, "budget: targets"),
        (Budget(seconds=2.5), 3, "budget: seconds"),
    ],
)
def test_budgets(budget, pages, reason):
    seconds = [0.0]

    def tick(step):
        seconds[0] += 1

    c = crawl(Says(observe=tick), budget, clock=lambda: seconds[0])
    assert len(finish(c)) == pages
    assert c.reason == reason


def test_many_requests_under_way():
    site = Tiny({"s": ["x", "y", "z"], "x": ["u"]}, {"papers": ["u"]})
    c = crawl(site=site)
    c.tell(site.page(c.next()))
    waves = [c.next() for _ in range(4)]
    assert waves == [1, 2, 3, None]
    assert (c.under_way, c.reason) == (3, None)
    for number in (3, 1, 2):
        c.tell(site.page(number))
    assert c.next() == 4
    step = c.tell(site.page(4))
    assert (step.n, step.source, c.found) == (5, 1, 1)
    assert c.next() is None
    assert c.reason == "frontier empty"


def test_a_page_budget_counts_requests_under_way():
    c = crawl(budget=Budget(pages=2))
    c.tell(SITE.page(c.next()))
    assert c.next() == 1
    assert c.next() is None
    assert c.reason == "budget: pages"


def test_observe_can_turn_the_order_round():
    site = Tiny({"s": ["a", "b", "c"]}, {"papers": []})

    def observe(step):
        if step.page.url == "a":
            return Scores(np.array([2, 3, 0, 77]), np.array([-2.0, -1.0, 9.0, 9.0]))
        return None

    steps = finish(crawl(Says(observe=observe), site=site), site)
    assert [(s.page.url, s.score) for s in steps[1:]] == [("a", 0.0), ("c", -1.0), ("b", -2.0)]


def test_start_is_called_once_with_the_budget():
    class Counts(BreadthFirst):
        calls = ()

        def start(self, budget):
            self.calls += (budget,)

    policy = Counts()
    finish(crawl(policy, Budget(pages=3)))
    assert policy.calls == (Budget(pages=3),)


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (lambda page: np.zeros(len(page.targets) + 1), "one number for each of the 2 links of a"),
        (lambda page: np.zeros((len(page.targets), 1)), "one number for each"),
        (lambda page: None, "one number for each"),
        (lambda page: ["x", "y"], "one number for each"),
        (lambda page: np.full(len(page.targets), np.nan), "not finite"),
        (lambda page: np.full(len(page.targets), -np.inf), "not finite"),
    ],
)
def test_bad_scores_are_a_contract_error(score, words):
    with pytest.raises(ContractError, match=words):
        finish(crawl(Says(score)))


@pytest.mark.parametrize(
    "answer",
    [
        ([1, 2], [1.0]),
        ([1], [np.inf]),
        ([-1], [1.0]),
        ([1.5], [1.0]),
        ([[1]], [[1.0]]),
        ([1], ["high"]),
    ],
)
def test_bad_new_scores_are_a_contract_error(answer):
    with pytest.raises(ContractError, match="new scores"):
        finish(crawl(Says(observe=lambda step: answer)))


@pytest.mark.parametrize("reward", [-1, np.nan, np.inf, None, "1"])
def test_bad_rewards_are_a_contract_error(reward):
    class Odd(Listed):
        def __call__(self, page):
            return reward

    with pytest.raises(ContractError, match="'odd' gave a the reward"):
        finish(crawl(goal=Odd("odd", [])))


def test_a_page_that_was_not_asked_for():
    c = crawl()
    with pytest.raises(ContractError, match="not under way"):
        c.tell(SITE.page(2))
    number = c.next()
    c.tell(SITE.page(number))
    with pytest.raises(ContractError, match="not under way"):
        c.tell(SITE.page(number))


def test_without_seeds():
    c = Crawl(BreadthFirst(), Listed("x", []), Budget(), np.empty(0, np.int32))
    assert c.next() is None
    assert c.reason == "frontier empty"
