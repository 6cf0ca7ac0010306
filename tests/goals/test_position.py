import pickle
from collections import deque
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.core import Page
from lycosa.crawler import simulate
from lycosa.errors import UsageError
from lycosa.goals import Categories, Depth, Function, InLinks, PageRank, weighted
from lycosa.spiders.breadth_first import BreadthFirst
from small_sites import DictSite, GraphSite, random_graph_site

NOTHING = Function("nothing", lambda page: 0)
ALL = Function("all", lambda page: 1)


@st.composite
def crawls(draw):
    """A small site and an order in which its pages are shown."""
    size = draw(st.integers(1, 8))
    rows = [sorted(draw(st.sets(st.integers(0, size - 1)))) for _ in range(size)]
    offsets = np.cumsum([0, *map(len, rows)])
    site = GraphSite(offsets, np.concatenate([[], *rows]).astype(int))
    return site, draw(st.permutations(range(size)))


def links(site, seen):
    return {number: site.page(number).targets.tolist() for number in seen}


def brute_depth(site, seen, page):
    """By breadth-first search over the pages seen, from all that were no target when they came."""
    starts = [
        n for k, n in enumerate(seen) if not any(n in row for row in links(site, seen[:k]).values())
    ]
    graph = links(site, seen)
    depths = dict.fromkeys(starts, 0)
    waiting = deque(starts)
    while waiting:
        number = waiting.popleft()
        for target in graph.get(number, []):
            if target not in depths:
                depths[target] = depths[number] + 1
                waiting.append(target)
    return depths[page]


@given(crawls())
def test_depth_is_that_of_a_search_over_all_pages_seen(crawl):
    site, order = crawl
    goal = Depth()
    for k, number in enumerate(order, 1):
        page = site.page(number)
        assert goal(page) == 1
        assert goal.count(page) == brute_depth(site, order[:k], number)


@given(crawls())
def test_in_links_are_counted_from_other_pages_seen(crawl):
    site, order = crawl
    goal = InLinks()
    for k, number in enumerate(order, 1):
        page = site.page(number)
        goal(page)
        graph = links(site, order[:k])
        assert goal.count(page) == sum(
            number in row for other, row in graph.items() if other != number
        )


def brute_pagerank(site):
    size = len(site)
    matrix = np.full((size, size), 1 / size)
    for number in range(size):
        targets = site.page(number).targets
        if len(targets):
            matrix[number] = 0
            matrix[number, targets] = 1 / len(targets)
    ranks = np.full(size, 1 / size)
    for _ in range(300):
        ranks = 0.15 / size + 0.85 * ranks @ matrix
    return ranks * size


@pytest.mark.parametrize("seed", range(5))
def test_pagerank_is_exact_when_just_computed_and_close_in_between(seed):
    site = random_graph_site(seed, size=300, links=2000, wanted=1)
    goal = PageRank(2)
    for number in range(len(site)):
        goal(site.page(number))
    truth = brute_pagerank(site)
    ranks = np.array([goal.rank(site.page(n)) for n in range(len(site))])
    assert np.corrcoef(ranks, truth)[0, 1] > 0.9
    goal._compute()
    exact = np.array([goal.rank(site.page(n)) for n in range(len(site))])
    assert np.abs(exact - truth).mean() < 0.005
    assert exact.mean() == pytest.approx(1)


def test_pagerank_is_computed_at_growing_intervals(monkeypatch):
    computed = []
    compute = PageRank._compute
    monkeypatch.setattr(
        PageRank, "_compute", lambda self: (computed.append(len(self._links)), compute(self))
    )
    site = random_graph_site(1, size=1000, links=5000, wanted=1)
    goal = PageRank(2)
    for number in range(len(site)):
        goal(site.page(number))
    assert computed[0] == 1
    assert len(computed) < 35
    assert all(later >= 1.25 * before for before, later in pairwise(computed))


MEMORIES = [lambda: Depth(most=1), lambda: InLinks(least=2), lambda: PageRank(1.1)]
AROUND = [
    lambda goal: goal & ALL,
    lambda goal: ALL & goal,
    lambda goal: ~~goal,
    lambda goal: weighted(goal, 2) & ALL,
    lambda goal: goal | NOTHING,
    lambda goal: NOTHING | goal,
    lambda goal: Categories({"none": NOTHING, "some": goal}),
]
HIDING = [
    lambda goal: NOTHING & goal,
    lambda goal: goal & NOTHING,
    lambda goal: NOTHING & (ALL & goal),
    lambda goal: NOTHING & (goal | ALL),
    lambda goal: NOTHING & ~goal,
    lambda goal: NOTHING & weighted(goal, 2),
    lambda goal: NOTHING & Categories({"some": goal}),
]


def rewards(goal, site):
    return [step.reward > 0 for step in simulate(site, BreadthFirst(), goal)]


@pytest.mark.parametrize("memory", MEMORIES, ids=["depth", "in-links", "pagerank"])
@pytest.mark.parametrize("around", AROUND)
def test_combinations_show_every_page(memory, around):
    site = random_graph_site(3, size=60, links=240, wanted=1)
    alone = rewards(memory(), site)
    assert len(set(alone)) == 2
    assert rewards(around(memory()), site) == alone


@pytest.mark.parametrize("memory", MEMORIES, ids=["depth", "in-links", "pagerank"])
@pytest.mark.parametrize("hiding", HIDING)
def test_a_goal_that_is_never_called_still_sees_every_page(memory, hiding):
    site = random_graph_site(3, size=60, links=240, wanted=1)
    goal, hidden = memory(), memory()
    assert not any(rewards(hiding(hidden), site))
    rewards(goal, site)
    pages = [site.page(n) for n in range(len(site))]
    assert [hidden(page) for page in pages] == [goal(page) for page in pages]


def test_a_page_that_failed_is_seen_behind_a_not():
    site = DictSite({"a": ["b"], "c": ["b"], "b": []})
    popular = InLinks(least=2)
    other = ~popular
    number = site.tables.urls.find
    for url in ("a", "c"):
        page = site.page(number(url))
        assert other(Page(page.number, page.tables, page.targets, status=404)) == 0
    assert popular(site.page(number("b"))) == 1


@pytest.mark.parametrize("memory", MEMORIES, ids=["depth", "in-links", "pagerank"])
def test_a_new_crawl_resets_the_graph(memory):
    one, two = (random_graph_site(seed, size=60, links=240, wanted=1) for seed in (3, 4))
    goal = memory()
    first = rewards(goal, one)
    assert rewards(goal, two) == rewards(memory(), two)
    assert rewards(goal, one) == first


@pytest.mark.parametrize("memory", MEMORIES, ids=["depth", "in-links", "pagerank"])
def test_a_page_that_is_shown_again_counts_once(memory):
    site = random_graph_site(3, size=60, links=240, wanted=1)
    once, often = memory(), memory()
    for number in range(len(site)):
        page = site.page(number)
        assert once(page) == often(page) == often(page)


@given(crawls(), st.integers(0, 8))
def test_new_links_of_a_page_shown_again_are_added(crawl, cut):
    site, order = crawl
    for kind in (Depth, InLinks):
        whole, parts = kind(), kind()
        for number in range(len(site)):
            page = site.page(number)
            whole(page)
            parts(Page(number, page.tables, page.targets[:cut]))
        for number in order:
            parts(site.page(number))
        if kind is InLinks:
            assert [whole.count(site.page(n)) for n in order] == [
                parts.count(site.page(n)) for n in order
            ]
        else:  # what came when no link to it was known is a start
            assert all(whole.count(site.page(n)) >= parts.count(site.page(n)) for n in order)
    rank = PageRank(1)
    for number in [*order, *order]:
        page = site.page(number)
        rank(Page(number, page.tables, page.targets[:cut]))
        rank(page)
    rank._compute()
    ranks = [rank.rank(site.page(n)) for n in range(len(site))]
    assert ranks == pytest.approx(brute_pagerank(site), abs=0.05)


@pytest.mark.parametrize("memory", MEMORIES, ids=["depth", "in-links", "pagerank"])
def test_a_pickled_goal_has_no_graph(memory):
    site = random_graph_site(3, size=60, links=240, wanted=1)
    goal = memory()
    seen = rewards(goal, site)
    copy = pickle.loads(pickle.dumps(goal))
    assert (copy.name, repr(copy)) == (goal.name, repr(goal))
    assert rewards(copy, site) == seen


def test_a_failed_page_has_no_reward_but_is_in_the_graph():
    site = DictSite({"a": ["b"], "b": []})
    for goal in (Depth(), InLinks(), PageRank(0.1)):
        page = site.page(0)
        assert goal(Page(0, page.tables, page.targets, error="timeout")) == 0
        assert goal(site.page(1)) == 1


@pytest.mark.parametrize("least", [0, -1.0, float("nan"), float("inf")])
def test_refuses_senseless_ranks(least):
    with pytest.raises(UsageError, match="times the average PageRank"):
        PageRank(least)
