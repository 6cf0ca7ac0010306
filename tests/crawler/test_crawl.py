import math

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from lycosa.content import Table, Tables
from lycosa.core import Budget, Page, Scores
from lycosa.crawler import Crawl
from lycosa.errors import ContractError
from lycosa.goals import Listed
from lycosa.spiders import BreadthFirst
from small_sites import DictSite

SITE = DictSite({"a": ["b", "c"], "b": ["d"], "c": ["a", "d"], "d": []}, {"papers": ["c", "d"]})
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


def test_steps_have_source_and_score():
    c = crawl(Says(lambda page: page.targets * 0.5))
    steps = finish(c)
    assert [(s.n, s.page.url, s.reward, s.source, s.score) for s in steps] == [
        (1, "a", 0.0, -1, np.inf),
        (2, "c", 1.0, 0, 1.0),
        (3, "d", 1.0, 2, 1.5),
        (4, "b", 0.0, 0, 0.5),
    ]
    assert (c.requested, c.pages, c.found, c.waiting, c.in_flight) == (4, 4, 2, 0, 0)
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


def test_many_requests_in_flight():
    site = DictSite({"s": ["x", "y", "z"], "x": ["u"]}, {"papers": ["u"]})
    c = crawl(site=site)
    c.tell(site.page(c.next()))
    waves = [c.next() for _ in range(4)]
    assert waves == [1, 2, 3, None]
    assert (c.in_flight, c.reason) == (3, None)
    for number in (3, 1, 2):
        c.tell(site.page(number))
    assert c.next() == 4
    step = c.tell(site.page(4))
    assert (step.n, step.source, c.found) == (5, 1, 1)
    assert c.next() is None
    assert c.reason == "frontier empty"


def test_a_page_budget_counts_requests_in_flight():
    c = crawl(budget=Budget(pages=2))
    c.tell(SITE.page(c.next()))
    assert c.next() == 1
    assert c.next() is None
    assert c.reason == "budget: pages"


def test_observe_can_rescore_links():
    site = DictSite({"s": ["a", "b", "c"]}, {"papers": []})

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
        (lambda page: np.zeros(len(page.targets) + 1), "one score for each of the 2 links of a"),
        (lambda page: np.zeros((len(page.targets), 1)), "one score for each"),
        (lambda page: None, "one score for each"),
        (lambda page: ["x", "y"], "one score for each"),
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


def test_a_page_that_was_not_requested_is_refused():
    c = crawl()
    with pytest.raises(ContractError, match="not in flight"):
        c.tell(SITE.page(2))
    number = c.next()
    c.tell(SITE.page(number))
    with pytest.raises(ContractError, match="not in flight"):
        c.tell(SITE.page(number))


def test_a_crawl_without_seeds_ends_at_once():
    c = Crawl(BreadthFirst(), Listed("x", []), Budget(), np.empty(0, np.int32))
    assert c.next() is None
    assert c.reason == "frontier empty"


# For a runner that takes URLs ahead, follows redirects and goes on where one ended

SIZE = 12
TABLES = Tables(Table(), Table([f"u{n}" for n in range(SIZE)]), Table())
NUMBERS = st.integers(0, SIZE - 1)


class Model:
    """A crawl that sorts a list each time: URLs that wait, and URLs in flight."""

    def __init__(self, seeds):
        self.waiting = {}  # number -> (-score, when, source)
        self.taken = set()
        self.out = {}
        self.clock = self.requested = self.pages = self.found = 0
        self.rescores = False
        self.push(seeds, [math.inf] * len(seeds), -1)

    def set(self, number, score, source):
        self.clock += 1
        self.waiting[number] = (-score, self.clock, source)

    def push(self, numbers, scores, source):
        for number, score in zip(numbers, scores, strict=True):
            known = self.waiting.get(number)
            if number not in self.taken and (known is None or score > -known[0]):
                self.set(number, score, source)

    def first(self):
        return min(self.waiting, key=lambda n: self.waiting[n][:2], default=None)

    def hand_out(self, number):
        key, _, source = self.waiting.pop(number, (-math.inf, 0, -1))
        self.taken.add(number)
        self.out[number] = (-key, source)
        self.requested += 1

    def back(self, number):
        score, source = self.out.pop(number)
        self.taken.remove(number)
        self.set(number, score, source)
        self.requested -= 1


class Machine(RuleBasedStateMachine):
    """A crawl beside its model."""

    def __init__(self):
        super().__init__()
        self.rescore = None
        policy = Says(lambda page: page.targets % 4 * 0.5, lambda step: self.rescore)
        seeds = np.array([3, 1])
        self.real = Crawl(
            policy, Listed("even", [f"u{n}" for n in range(0, SIZE, 2)]), BUDGET, seeds
        )
        self.model = Model([3, 1])
        self.told = set()

    def some(self, data, numbers):
        return data.draw(st.sampled_from(sorted(numbers))) if numbers else None

    @property
    def spent(self):
        return self.model.requested - self.real.held >= BUDGET.pages

    @rule()
    def next(self):
        expected = None if self.spent else self.model.first()
        assert self.real.next() == expected
        if expected is not None:
            self.model.hand_out(expected)

    @rule(number=NUMBERS)
    def take(self, number):
        if number not in self.model.taken:
            self.real.take(number)
            self.model.hand_out(number)

    @rule(number=NUMBERS)
    def claim(self, number):
        assert self.real.claim(number) == (number not in self.model.taken)
        self.model.waiting.pop(number, None)
        self.model.taken.add(number)

    @rule(data=st.data(), skip=st.booleans())
    def return_one(self, data, skip):
        number = self.some(data, self.model.out)
        if number is None:
            return
        if skip:
            self.real.skip(number)
            self.model.out.pop(number)
            self.model.requested -= 1
        else:
            self.real.put_back(number)
            self.model.back(number)

    @rule(
        data=st.data(),
        links=st.lists(NUMBERS, max_size=4, unique=True),
        final=NUMBERS | st.none(),
        reward=st.sampled_from([None, 0.0, 2.0]),
        new=st.lists(st.tuples(NUMBERS, st.sampled_from([0.25, 1.0])), max_size=3),
    )
    def tell(self, data, links, final, reward, new):
        asked = self.some(data, self.model.out)
        if asked is None:
            return
        # Where a redirect leads was claimed, or is asked for by nobody.
        number = asked if final is None or final in self.model.out else final
        page = Page(number, TABLES, np.array(links, np.int32))
        worth = reward if reward is not None else float(number % 2 == 0)
        score, source = self.model.out.pop(asked)
        again = asked in self.told
        if again:
            step = self.real.tell_again(page, asked, reward)
        else:
            new = list(dict(new).items())
            self.rescore = Scores(*map(np.array, zip(*new, strict=True))) if new else None
            step = self.real.tell(page, asked, reward)
            self.model.rescores |= bool(new)
            self.model.found += worth > 0
            self.model.waiting.pop(number, None)
            self.model.taken.add(number)
            for changed, value in new:
                known = self.model.waiting.get(changed)
                if known is not None and -known[0] not in (value, math.inf):
                    self.model.set(changed, value, known[2])
        self.told.add(asked)
        self.model.pages += 1
        order = sorted(range(len(links)), key=lambda k: -(links[k] % 4))
        links = [links[k] for k in order]
        self.model.push(links, [n % 4 * 0.5 for n in links], number)
        assert (step.n, step.page.number, step.reward) == (self.model.pages, number, worth)
        assert (step.score, step.source) == (score, source)

    @rule(data=st.data())
    def again(self, data):
        free = {n for n in self.told & self.model.taken if n not in self.model.out}
        number = self.some(data, free)
        if number is not None:
            self.real.request_again(number)
            self.model.out[number] = (math.inf, -1)
            self.model.back(number)

    @rule(numbers=st.lists(NUMBERS, min_size=1, max_size=3, unique=True))
    def add(self, numbers):
        self.real.add(np.array(numbers))
        self.model.push(numbers, [math.inf] * len(numbers), -1)

    @rule(share=st.floats(0, 1))
    def hold(self, share):
        self.real.held = int(share * len(self.model.out))

    @invariant()
    def same(self):
        real, model = self.real, self.model
        self.real.held = min(self.real.held, len(model.out))
        assert (real.requested, real.pages, real.found) == (
            model.requested,
            model.pages,
            model.found,
        )
        assert (real.waiting, real.in_flight) == (len(model.waiting), len(model.out))
        first = model.first()
        assert real.best == (None if first is None else -model.waiting[first][0])
        assert real.rescores == model.rescores
        assert {n for n in range(SIZE) if real.is_taken(n)} == model.taken
        empty = not model.waiting and not model.out
        reason = "budget: pages" if self.spent else "frontier empty" if empty else None
        assert real.reason == reason


BUDGET = Budget(pages=8)
Machine.TestCase.settings = settings(max_examples=200, stateful_step_count=40, deadline=None)
TestAgainstModel = Machine.TestCase


def test_held_urls_do_not_count_as_requested():
    c = crawl(budget=Budget(pages=2))
    c.tell(SITE.page(c.next()))
    c.next()
    assert c.reason == "budget: pages"
    c.held = 1
    assert c.reason is None
    assert c.next() == 2
    assert (c.reason, c.next()) == ("budget: pages", None)
    c.skip(1)
    c.held = 0
    c.tell(SITE.page(2))
    assert (c.requested, c.pages) == (2, 2)


def test_a_known_reward_is_not_computed_again():
    class Never(Listed):
        def __call__(self, page):
            raise AssertionError

    c = crawl(goal=Never("never", []))
    assert c.tell(SITE.page(c.next()), reward=3.0).reward == 3.0
    assert c.found == 1


def test_links_below_the_minimum_score_are_not_followed():
    c = crawl(Says(lambda page: page.targets * 0.5), Budget(score=0.75))
    assert [step.page.url for step in finish(c)] == ["a", "c", "d"]
    assert (c.reason, c.waiting) == ("budget: score", 1)


def test_there_is_no_reason_to_stop_while_requests_are_in_flight():
    c = crawl(Says(lambda page: page.targets * 0.5), Budget(score=0.75))
    c.tell(SITE.page(c.next()))
    waited_for = c.next()
    assert (c.next(), c.reason) == (None, None)
    c.tell(SITE.page(waited_for))
    assert c.next() is not None
