import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.core import Budget
from lycosa.crawler import simulate
from lycosa.goals import Listed
from lycosa.sites.graph import Graph
from lycosa.spiders import Optimal
from lycosa.spiders.optimal import plan
from small_sites import random_graph_site


@st.composite
def cases(draw):
    size = draw(st.integers(1, 11))
    node = st.integers(0, size - 1)
    pairs = draw(st.lists(st.tuples(node, node), max_size=30))
    seeds = draw(st.lists(node, min_size=1, max_size=2))
    return size, pairs, draw(st.sets(node, max_size=6)), seeds


def distances(links, visited):
    """Return the distance from the visited pages to every other, by breadth-first search."""
    found = dict.fromkeys(visited, 0)
    queue = list(visited)
    for page in queue:
        for target in links.get(page, ()):
            if target not in found:
                found[target] = found[page] + 1
                queue.append(target)
    return found


@settings(max_examples=300, deadline=None)
@given(cases())
def test_the_plan_is_greedy_to_the_nearest_reward(case):
    size, pairs, rewards, seeds = case
    graph = Graph.from_edges(size, [a for a, _ in pairs], [b for _, b in pairs])
    pages = plan(graph, np.array(sorted(rewards), np.int64), np.array(seeds))
    links = {}
    for a, b in pairs:
        links.setdefault(a, []).append(b)

    start = len(dict.fromkeys(seeds))
    assert pages[:start] == list(dict.fromkeys(seeds))
    assert len(set(pages)) == len(pages)
    visited = pages[:start]
    while True:
        # From here, by exhaustive search: which reward is nearest, the least number first.
        near = distances(links, visited)
        left = [(near[r], r) for r in rewards if r in near and near[r] > 0]
        if not left:
            break
        cost, reward = min(left)
        way = pages[len(visited) : len(visited) + cost]
        assert way[-1] == reward
        for page in way:  # every step follows a link that is known by then
            assert any(page in links.get(source, ()) for source in visited)
            visited.append(page)
    assert visited == pages


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_the_crawl_follows_the_plan(seed):
    site = random_graph_site(seed, size=60, links=150, wanted=8)
    pages = plan(site.graph, site.wanted("papers"), site.seeds)
    steps = simulate(site, Optimal(site, "papers"), Listed.of(site, "papers"), Budget(len(pages)))
    assert [step.page.number for step in steps] == pages


def test_no_reward_means_no_plan():
    graph = Graph.from_edges(3, [0], [1])
    assert plan(graph, np.array([2]), np.array([0])) == [0]
