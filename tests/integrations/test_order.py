"""The request queue of another crawler, in the order of a policy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.content import Table, Tables
from lycosa.core import Budget, Page, Scores
from lycosa.crawler import Crawl, FrontierEntry
from lycosa.errors import ContractError
from lycosa.goals import Listed
from lycosa.integrations.order import RequestQueue

SIZE = 40
TABLES = Tables(Table(), Table(f"http://a.example/{n}" for n in range(SIZE)), Table())
NOTHING = Listed("nothing", ())
SEED = FrontierEntry(-1, float("inf"), -1)


class Scripted:
    """A policy that says what a script says: few values, so that many links are equal."""

    name = "scripted"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def start(self, budget: Budget) -> None:
        self.chance = np.random.default_rng(self.seed)

    def observe(self, step) -> Scores | None:
        if self.chance.random() < 0.6:
            return None
        numbers = self.chance.integers(0, SIZE, 15)  # some twice, some unknown
        return Scores(numbers, self.chance.integers(0, 4, 15) / 2)

    def score(self, page: Page):
        return self.chance.integers(0, 4, len(page.targets)) / 2


def web(seed: int) -> list[Page]:
    chance = np.random.default_rng(seed)
    sizes = chance.integers(0, 8, SIZE)
    return [
        Page(n, TABLES, chance.permutation(SIZE)[:size].astype(np.int32))
        for n, size in enumerate(sizes)
    ]


@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_equals_the_order_of_a_crawl_when_every_link_is_requested(links, script):
    pages = web(links)
    crawl = Crawl(Scripted(script), NOTHING, Budget(), np.array([0, 1]))
    order: RequestQueue[int] = RequestQueue(Scripted(script), NOTHING)
    order.add(0)
    order.add(1)
    seen = {0, 1}
    while (number := crawl.next()) is not None:
        found = order.pop()
        assert found is not None
        assert found[0] == number
        page = pages[number]
        step, same = crawl.tell(page), order.observe(page, found[1])
        assert (step.n, step.source, step.score) == (same.n, same.source, same.score)
        for target in page.targets.tolist():
            if target not in seen:
                seen.add(target)
                order.add(target, target)
        assert len(order) == crawl.waiting
    assert order.pop() is None


@given(st.integers(0, 2**32), st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(-1, 1))))
def test_orders_by_priority_then_unscored_then_score(seed, requests):
    chance = np.random.default_rng(seed)
    page = Page(0, TABLES, np.arange(1, SIZE // 2, dtype=np.int32))
    values = chance.integers(0, 3, len(page.targets)).astype(float)

    class Fixed(Scripted):
        def observe(self, step):
            return None

        def score(self, page):
            return values

    order: RequestQueue[int] = RequestQueue(Fixed(0), NOTHING)
    order.observe(page, SEED)
    scores = dict(zip(page.targets.tolist(), values.tolist(), strict=True))
    expected = []
    for k, (number, priority) in enumerate(requests):
        order.add(k, number, priority)
        score = scores.get(number, np.inf)
        turn = number if number in scores else k
        expected.append((-priority, -score, turn, k))
    got = [found[0] for found in iter(order.pop, None)]
    assert got == [k for *_, k in sorted(expected)]


def test_links_handed_out_have_no_score():
    order: RequestQueue[str] = RequestQueue(Scripted(0), NOTHING)
    order.observe(Page(0, TABLES, np.array([1, 2], np.int32)), SEED)
    assert order.scored(1)
    assert not order.scored(0)
    assert not order.scored(SIZE)
    assert not order.scored(10**6)
    order.add("first", 1)
    assert order.pop()[1].source == 0
    assert not order.scored(1)
    order.add("again", 1)
    order.add("other", 2)
    assert [order.pop()[0], order.pop()[0]] == ["again", "other"]


def test_rescoring_does_not_grow_the_heap():
    class Restless(Scripted):
        def observe(self, step):
            return Scores(np.arange(SIZE), np.full(SIZE, float(step.n)))

    order: RequestQueue[int] = RequestQueue(Restless(0), NOTHING)
    pages = [Page(0, TABLES, np.arange(1, SIZE, dtype=np.int32))]
    pages += [Page(0, TABLES) for _ in range(300)]
    for n, page in enumerate(pages):
        order.observe(page, SEED)
        if n == 0:
            for number in range(1, SIZE):
                order.add(number, number)
    assert len(order._heap) < 2 * SIZE + 1024 + SIZE
    assert [found[0] for found in iter(order.pop, None)] == list(range(1, SIZE))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_refuses_scores_that_are_not_finite(value):
    class Wrong(Scripted):
        def score(self, page):
            return np.full(len(page.targets), value)

    with pytest.raises(ContractError, match=r"'scripted' gave a link a score that is not finite"):
        RequestQueue(Wrong(0), NOTHING).observe(Page(0, TABLES, np.array([1], np.int32)), SEED)


@pytest.mark.parametrize("reward", [-1.0, np.nan])
def test_refuses_invalid_rewards(reward):
    class Odd(Listed):
        def __call__(self, page):
            return reward

    with pytest.raises(ContractError, match=r"'odd' gave http://a\.example/0 the reward"):
        RequestQueue(Scripted(0), Odd("odd", ())).observe(Page(0, TABLES), SEED)
