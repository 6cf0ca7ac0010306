from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_departments import department
from lycosa.sites.graph import Graph
from lycosa.spiders.default.rates import LEVELS, rates, rates_of

WORTHS = st.floats(0, 1)
PAGES = 4


@given(
    st.lists(WORTHS, min_size=PAGES, max_size=PAGES),
    st.lists(st.tuples(st.integers(0, PAGES - 1), WORTHS), max_size=9),
)
def test_no_choice_of_links_has_a_higher_rate(rewards, links):
    owners, worths = (np.array([link[k] for link in links]) for k in (0, 1))
    found = rates(np.array(rewards), owners.astype(int), worths.astype(float))
    for page, reward in enumerate(rewards):
        mine = [worth for owner, worth in links if owner == page]
        choices = [some for k in range(len(mine) + 1) for some in combinations(mine, k)]
        best = max((reward + sum(some)) / (1 + len(some)) for some in choices)
        assert found[page] == pytest.approx(best, abs=1e-9)


@given(
    st.lists(WORTHS, min_size=PAGES, max_size=PAGES),
    st.lists(st.tuples(st.integers(0, PAGES - 1), WORTHS), min_size=1, max_size=9),
    st.randoms(),
)
def test_rates_do_not_depend_on_the_order_of_links(rewards, links, chance):
    shuffled = list(links)
    chance.shuffle(shuffled)
    one, two = (
        rates(
            np.array(rewards), np.array([o for o, _ in found]), np.array([w for _, w in found])
        ).tolist()
        for found in (links, shuffled)
    )
    assert one == pytest.approx(two)


def test_does_not_change_its_arguments():
    rewards = np.zeros(2)
    rates(rewards, np.array([0]), np.array([1.0]))
    assert rewards.tolist() == [0, 0]


def test_rate_of_a_page_without_links_is_its_reward():
    none = np.zeros(0, int)
    assert rates(np.array([0.0, 1.0]), none, none).tolist() == [0.0, 1.0]


def test_rate_of_a_hub_is_close_to_those_of_its_links():
    hub = Graph.from_edges(101, [0] * 100, range(1, 101))
    rewards = np.ones(101)
    rewards[0] = 0
    assert rates_of(hub, [0], rewards)[0] == pytest.approx(100 / 101)


def test_links_back_and_sideways_do_not_count():
    away = Graph.from_edges(4, [0, 0, 1], [1, 2, 3])
    round_about = Graph.from_edges(4, [0, 0, 1, 3, 2, 3], [1, 2, 3, 0, 1, 2])
    rewards = np.array([0.0, 0.0, 1.0, 1.0])
    assert rates_of(round_about, [0], rewards).tolist() == rates_of(away, [0], rewards).tolist()


def test_counts_a_limited_number_of_links_ahead():
    size = LEVELS + 3
    chain = Graph.from_edges(size, range(size - 1), range(1, size))
    rewards = np.zeros(size)
    rewards[-1] = 1
    found = rates_of(chain, [0], rewards)
    assert (found[:2] == 0).all()
    assert found[-LEVELS - 1 :].tolist() == pytest.approx([0.5**k for k in range(LEVELS, -1, -1)])


def test_rates_of_a_site_lie_between_rewards_and_one():
    site = department()
    rewards = np.zeros(len(site))
    rewards[site.wanted("papers")] = 1
    found = rates_of(Graph.of(site), site.seeds, rewards)
    assert (found >= rewards).all()
    assert found.max() <= 1
    assert ((found > 0) & (rewards == 0)).sum() > 5, "pages on the way are worth something"
