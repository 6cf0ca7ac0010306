"""Every criterion against its definition, written out the slow way."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.sites.graph import Graph
from lycosa.spiders import criteria
from lycosa.spiders.criteria import CRITERIA, Criterion, reach
from lycosa.spiders.criteria.powers import powers
from small_sites import random_graph_site

GAMMAS = st.sampled_from([0.001, 0.1, 0.3, 0.5, 0.9]) | st.floats(0.01, 0.95)


@st.composite
def cases(draw):
    """Draw a small graph, often in several components and with cycles, and its rewards."""
    size = draw(st.integers(1, 12))
    node = st.integers(0, size - 1)
    pair = st.tuples(node, node).filter(lambda pair: pair[0] != pair[1])
    pairs = draw(st.lists(pair, max_size=30, unique=True)) if size > 1 else []
    worth = st.sampled_from([0.0, 0.0, 1.0, 1.0, 0.25, 3.0])
    rewards = draw(st.lists(worth, min_size=size, max_size=size))
    return Graph.from_edges(size, [a for a, _ in pairs], [b for _, b in pairs]), np.array(rewards)


def all_distances(graph):
    """Return the distance from every page to every other, by Floyd and Warshall."""
    size = len(graph)
    table = [[0 if a == b else math.inf for b in range(size)] for a in range(size)]
    for a in range(size):
        for b in graph.targets[graph.offsets[a] : graph.offsets[a + 1]].tolist():
            table[a][b] = min(table[a][b], 1)
    for via in range(size):
        for a in range(size):
            for b in range(size):
                table[a][b] = min(table[a][b], table[a][via] + table[via][b])
    return table


def greedy_crawl(start, table, rewards):
    """Return the greedy sequence from one page, to the end: (time, reward) pairs."""
    visited, found, time = [start], [], 0
    if rewards[start]:
        found.append((0, float(rewards[start])))
    while True:
        left = [
            (table[page][goal], goal, turn)
            for turn, page in enumerate(visited)
            for goal in np.flatnonzero(rewards).tolist()
            if goal not in visited and table[page][goal] < math.inf
        ]
        if not left:
            return found
        distance, goal, turn = min(left)
        page = visited[turn]
        while page != goal:
            page = next(
                w
                for w in range(len(table))
                if table[page][w] == 1 and table[w][goal] == table[page][goal] - 1
            )
            visited.append(page)
        time += distance
        found.append((time, float(rewards[goal])))


def levels(page, table, rewards):
    """Return the number of rewards at each distance from a page."""
    counts = [0] * len(table)
    for goal in np.flatnonzero(rewards).tolist():
        if table[page][goal] < math.inf:
            counts[table[page][goal]] += 1
    return counts


def nearest(page, table, rewards):
    return min((table[page][goal] for goal in np.flatnonzero(rewards)), default=math.inf)


@settings(max_examples=100, deadline=None)
@given(cases(), GAMMAS)
def test_future_is_the_greedy_crawl_up_to_the_horizon(case, gamma):
    graph, rewards = case
    table = all_distances(graph)
    criterion = criteria.Future(gamma)
    for page, value in enumerate(criterion(graph, rewards).tolist()):
        found = greedy_crawl(page, table, rewards)
        if not found:
            assert value == 0
            continue
        first = found[0][0]
        end = first + criterion.horizon
        assert value == pytest.approx(sum(gamma**t * r for t, r in found if t < end), rel=1e-12)
        whole = sum(gamma**t * r for t, r in found)
        assert whole - value <= 1e-6 * gamma**first * rewards.max() + 1e-12


@pytest.mark.parametrize(("gamma", "wanted"), [(0.5, 60), (0.1, 30), (0.8, 8)])
def test_future_on_a_larger_site(gamma, wanted):
    site = random_graph_site(7, size=90, links=220, wanted=wanted)
    rewards = np.zeros(len(site))
    rewards[site.wanted("papers")] = 1.0
    table = all_distances(site.graph)
    criterion = criteria.Future(gamma)
    values = criterion(site.graph, rewards)
    for page in range(0, len(site), 3):
        found = greedy_crawl(page, table, rewards)
        end = found[0][0] + criterion.horizon if found else 0
        assert values[page] == pytest.approx(sum(gamma**t * r for t, r in found if t < end))


def test_future_of_the_paper_gold_mine():
    """Section 2.3: A is a reward, B reveals a mine of them; A is the better choice."""
    mine = list(range(3, 33))
    graph = Graph.from_edges(33, [0, 0] + [2] * 30, [1, 2, *mine])
    rewards = np.zeros(33)
    rewards[[1, *mine]] = 1.0
    values = criteria.Future(0.5)(graph, rewards)
    assert values[1] == 1.0
    assert values[2] == pytest.approx(1.0, rel=1e-6)
    assert values[2] < values[1]
    assert values[0] == pytest.approx(0.5 + 0.125 + 0.0625 + 0.0625, rel=1e-6)


def test_future_of_a_single_reward_is_distance():
    """Section 2.3: with a single goal the value is the reward, discounted by its distance."""
    site = random_graph_site(3, size=400, links=900, wanted=1)
    rewards = np.zeros(len(site))
    rewards[site.wanted("papers")] = 1.0
    future = criteria.Future(0.3)(site.graph, rewards)
    assert np.array_equal(future, criteria.Distance(0.3)(site.graph, rewards))


def test_of_equal_paths_the_one_over_the_least_page_number_counts():
    """Page 0 reaches reward 3 over 1 or 2; only the path over 2 shortens that to reward 5."""
    graph = Graph.from_edges(6, [0, 0, 1, 2, 2, 4], [1, 2, 3, 3, 4, 5])
    value = criteria.Future(0.5)(graph, np.array([0, 0, 0, 1.0, 0, 1.0]))[0]
    assert value == 0.5**2 + 0.5**5


def test_of_equal_paths_the_one_from_the_page_visited_first_counts():
    """Reward 5 is two steps from page 0 and from page 1; the path from 1 shortens that to 7."""
    graph = Graph.from_edges(8, [0, 0, 1, 3, 2, 2, 6], [1, 3, 2, 5, 5, 6, 7])
    value = criteria.Future(0.5)(graph, np.array([0, 1.0, 0, 0, 0, 1.0, 0, 1.0]))[0]
    assert value == 0.5 + 0.5**3 + 0.5**6


def test_distant_rewards_count():
    size = 200
    graph = Graph.from_edges(size, range(size - 1), range(1, size))
    rewards = np.zeros(size)
    rewards[-1] = 1.0
    values = criteria.Future(0.5)(graph, rewards)
    assert values.tolist() == [0.5 ** (size - 1 - page) for page in range(size)]
    assert np.array_equal(criteria.Parallel(0.5)(graph, rewards), values)


@settings(max_examples=100, deadline=None)
@given(cases(), GAMMAS)
def test_criteria_of_the_nearest_reward(case, gamma):
    graph, rewards = case
    table = all_distances(graph)
    near = [nearest(page, table, rewards) for page in range(len(graph))]

    def by_distance(value):
        return pytest.approx([value(d) for d in near], rel=1e-12)

    assert criteria.Immediate()(graph, rewards).tolist() == [float(d == 0) for d in near]
    assert criteria.Distance(gamma)(graph, rewards) == by_distance(
        lambda d: gamma**d if d < math.inf else 0
    )
    assert criteria.FutureThree(gamma)(graph, rewards) == by_distance(
        lambda d: 1 if d == 0 else gamma if d < math.inf else 0
    )
    assert criteria.FutureFour(gamma)(graph, rewards) == by_distance(
        lambda d: {0: 1, 1: gamma, 2: gamma**2}.get(d, 0)
    )
    assert criteria.FutureFive(gamma)(graph, rewards) == by_distance(
        lambda d: {0: 1, 1: gamma, 2: gamma**2, 3: gamma**3}.get(d, 0)
    )
    assert criteria.DistanceTable()(graph, rewards) == by_distance(
        lambda d: {0: 1, 1: 0.25, 2: 0.25, 3: 0.063, 4: 0.063, math.inf: 0}.get(d, 0.016)
    )


@pytest.mark.parametrize(
    ("rewards", "row"), [(100, [1.0, 0.25, 0.25, 0.063, 0.063, 0.016, 0.016]),
                         (101, [1.0, 0.5, 0.5, 0.125, 0.125, 0.031, 0.031])],
)  # fmt: skip
def test_the_rows_of_the_distance_table(rewards, row):
    """A chain of six pages to a page with many rewards, each of which leads back to it."""
    goals = list(range(6, 6 + rewards))
    sources = [0, 1, 2, 3, 4] + [5] * rewards + goals
    graph = Graph.from_edges(6 + rewards + 1, sources, [1, 2, 3, 4, 5, *goals] + [5] * rewards)
    worth = np.zeros(len(graph))
    worth[goals] = 1.0
    values = criteria.DistanceTable()(graph, worth)
    assert values[[6, 5, 4, 3, 2, 1, 0]].tolist() == row
    assert values[-1] == 0.0


def figure_3(depth, gamma, cutoff):
    """Return the value by the loop printed in the paper."""
    score, count = 0.0, 0
    for i in range(10):
        for _ in range(depth[i] if i < len(depth) else 0):
            score += gamma**count
            count += 1
        count += 1
    return 0.0 if score < cutoff else score


@settings(max_examples=100, deadline=None)
@given(cases(), GAMMAS, st.sampled_from([0.0, 0.013, 0.37]))
def test_criteria_of_all_rewards(case, gamma, cutoff):
    graph, rewards = case
    table = all_distances(graph)
    depths = [levels(page, table, rewards) for page in range(len(graph))]
    assert criteria.Parallel(gamma)(graph, rewards) == pytest.approx(
        [sum(n * gamma**d for d, n in enumerate(depth)) for depth in depths], rel=1e-12
    )
    assert criteria.Cutoff(gamma, cutoff)(graph, rewards) == pytest.approx(
        [figure_3(depth, gamma, cutoff) for depth in depths], rel=1e-12
    )


def test_cutoff_counts_ten_levels():
    graph = Graph.from_edges(12, range(11), range(1, 12))
    rewards = np.zeros(12)
    rewards[-1] = 1.0
    values = criteria.Cutoff(0.5, cutoff=0.0)(graph, rewards)
    assert values.tolist() == [0.0, 0.0, *(0.5**d for d in range(9, -1, -1))]


@pytest.mark.parametrize("gamma", [0.1, 0.3, 0.5, 0.7, 0.9])
@pytest.mark.parametrize("power", [1, 2, 3, 7])
def test_a_value_that_equals_the_cutoff_stays(gamma, power):
    """However the power is rounded: by Python, by numpy, or by repeated multiplication."""
    graph = Graph.from_edges(power + 1, range(power), range(1, power + 1))
    rewards = np.zeros(power + 1)
    rewards[-1] = 1.0
    expected = [gamma**d for d in range(power, -1, -1)]
    for cutoff in (gamma**power, float((gamma ** np.arange(power + 1.0))[-1])):
        values = criteria.Cutoff(gamma, cutoff=cutoff)(graph, rewards)
        assert values.tolist() == pytest.approx(expected, rel=1e-12)


@given(GAMMAS, st.integers(0, 60))
def test_powers_are_products(gamma, count):
    expected = [1.0]
    for _ in range(count):
        expected.append(expected[-1] * gamma)
    assert powers(gamma, count).tolist() == expected[:count]


@pytest.mark.parametrize(("lanes", "links"), [(16, 1 << 15), (1, 40)])
def test_rings_do_not_depend_on_their_blocks(monkeypatch, lanes, links):
    monkeypatch.setattr(reach, "LANES", lanes)
    monkeypatch.setattr(reach, "LINKS", links)
    site = random_graph_site(11, size=1500, links=3600, wanted=1100)
    goals = np.sort(site.wanted("papers")).astype(np.int64)
    counts = np.zeros((60, len(site)), np.int64)
    for ring in reach.rings(site.graph, goals):
        counts[ring.distance, ring.pages] += ring.counts
    for page in range(0, len(site), 29):
        distances = site.graph.distances([page])[goals]
        expected = np.bincount(distances[distances >= 0], minlength=60)
        assert counts[:, page].tolist() == expected.tolist()


@pytest.mark.parametrize("name", CRITERIA)
def test_every_criterion_keeps_the_contract(name):
    criterion = CRITERIA[name]()
    assert isinstance(criterion, Criterion)
    assert criterion.name == name
    assert criterion == CRITERIA[name]()
    graph = Graph.from_edges(3, [0, 1], [1, 0])
    for rewards in (np.zeros(3), np.array([0.0, 0.0, 1.0])):
        values = criterion(graph, rewards)
        assert values.dtype == np.float64
        assert values.tolist() == rewards.tolist()
    assert criterion(Graph.from_edges(0, [], []), np.zeros(0)).shape == (0,)


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("rewards", [np.zeros(2), np.zeros((3, 1)), [0, -1, 0], [0, np.nan, 1]])
def test_refuses_invalid_rewards(name, rewards):
    with pytest.raises(UsageError, match=r"^rewards must be [^.]*\.$"):
        CRITERIA[name]()(Graph.from_edges(3, [0], [1]), np.asarray(rewards, float))


@pytest.mark.parametrize("name", sorted(set(CRITERIA) - {"immediate", "distance-table"}))
@pytest.mark.parametrize("gamma", [0, 1, -0.5, 1.5, math.nan, math.inf])
def test_gamma_must_lie_between_0_and_1(name, gamma):
    with pytest.raises(UsageError, match="gamma must lie between 0 and 1"):
        CRITERIA[name](gamma=gamma)


@pytest.mark.parametrize("cutoff", [-0.1, math.nan, math.inf])
def test_cutoff_must_be_a_number(cutoff):
    with pytest.raises(UsageError, match="cutoff must be a number, 0 or more"):
        criteria.Cutoff(cutoff=cutoff)


def test_table_of_criteria_is_read_only():
    with pytest.raises(TypeError):
        CRITERIA["mine"] = criteria.Immediate
