import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.core import Budget
from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.spiders import BreadthFirst, DepthFirst, Optimal, Random
from small_sites import DictSite, random_graph_site

SITE = DictSite(
    {"a": ["b", "c"], "b": ["d", "e"], "c": ["e", "f"], "e": ["g"], "f": ["h"]},
    {"papers": ["g", "h"]},
)
NO_LIMIT = Budget()
PAPERS = Listed.of(SITE, "papers")


def order(policy, site=SITE, budget=NO_LIMIT):
    return [step.page.url for step in simulate(site, policy, PAPERS, budget)]


def test_breadth_first():
    assert "".join(order(BreadthFirst())) == "abcdefgh"


def test_depth_first():
    assert "".join(order(DepthFirst())) == "abdegcfh"


def test_optimal_follows_shortest_paths_to_rewards():
    assert "".join(order(Optimal(SITE, "papers"))) == "abegcfhd"


def test_the_generator_returns_the_reason():
    steps = simulate(SITE, BreadthFirst(), PAPERS, Budget(pages=2))
    next(steps), next(steps)
    with pytest.raises(StopIteration) as stop:
        next(steps)
    assert stop.value.value == "budget: pages"


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_every_spider_visits_each_reachable_page_once(seed):
    site = random_graph_site(seed, size=40, links=70, wanted=5)
    goal = Listed.of(site, "papers")
    reachable = set(site.graph.reachable(site.seeds).tolist())
    for policy in (BreadthFirst(), DepthFirst(), Random(seed), Optimal(site, "papers")):
        numbers = [step.page.number for step in simulate(site, policy, goal)]
        assert len(numbers) == len(set(numbers))
        assert set(numbers) == reachable


def test_breadth_first_visits_pages_by_distance():
    site = random_graph_site(1, size=500, links=2000, wanted=5)
    distances = site.graph.distances(site.seeds)
    numbers = [s.page.number for s in simulate(site, BreadthFirst(), Listed.of(site, "papers"))]
    assert (np.diff(distances[numbers]) >= 0).all()


def test_a_site_of_two_million_links_is_crawled_within_the_time_limit():
    # The documented times for a site of this size are 2 s and 30 s; the limit is twice that.
    site = random_graph_site(0, size=56_694, links=2_000_000, wanted=5_836)
    goal = Listed.of(site, "papers")
    for policy, limit in ((BreadthFirst(), 4), (Optimal(site, "papers"), 60)):
        began = time.process_time()
        assert sum(step.reward for step in simulate(site, policy, goal)) == 5_836
        assert time.process_time() - began < limit
