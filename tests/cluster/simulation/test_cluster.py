"""The simulated cluster obeys politeness, capacity and arithmetic; a naive simulation agrees."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.cluster.simulation.cluster import ClusterSimulation
from lycosa.cluster.simulation.costs import ClusterCosts
from lycosa.cluster.simulation.web import SimulatedWeb
from lycosa.errors import UsageError

COSTS = ClusterCosts(mean_life=float("inf"))


def simulate(web, workers, costs=COSTS, **options):
    simulation = ClusterSimulation(web, workers, costs, **options)
    return simulation, simulation.run()


def small(urls=20_000, addresses=200, seed=1, **options):
    return SimulatedWeb.generate(urls=urls, addresses=addresses, seed=seed, **options)


@given(st.integers(1, 5000), st.integers(1, 300), st.integers(0, 9))
def test_a_web_has_the_urls_that_were_asked_for(urls, addresses, seed):
    if addresses > urls:
        with pytest.raises(UsageError):
            small(urls, addresses, seed)
        return
    web = small(urls, addresses, seed)
    assert web.sizes.sum() == urls
    assert web.sizes.min() >= 1
    assert (np.diff(web.found_after) >= 0).all()


def test_sizes_are_skewed_and_cut_off():
    web = small(200_000, 2000, max_size=5000)
    assert web.sizes.max() == 5000
    assert np.median(web.sizes) < web.sizes.mean() / 2


@settings(max_examples=8)
@given(st.integers(1, 20), st.integers(0, 5), st.sampled_from([500.0, 5000.0, float("inf")]))
def test_nothing_is_asked_too_often_or_twice(workers, seed, life):
    web = small(2000, 40, seed)
    costs = replace(COSTS, mean_life=life, worker_seconds=0.05)
    simulation, result = simulate(web, workers, costs, seed=seed)
    last = result.intervals[-1]
    elapsed = last.start + last.seconds
    assert (simulation.fetched <= web.sizes + 1e-6).all()
    assert (simulation.fetched <= elapsed / web.delays + 1e-6).all()
    assert simulation.fetched[np.isinf(web.delays)].sum() == 0
    assert last.pages == pytest.approx(simulation.fetched.sum())
    assert last.pages >= 0.99 * result.reachable
    assert result.peak <= workers * costs.worker_rate + 1e-6
    assert all(each.busy_workers <= 1 + 1e-9 for each in result.intervals)


def naive_seconds(web, share, rate):
    """One request at a time, to the address that is overdue longest: all are known."""
    left = np.where(np.isinf(web.delays), 0, web.sizes).astype(int).tolist()
    due = [0.0] * len(left)
    todo, now = share * sum(left), 0.0
    done = 0
    while done < todo:
        waiting = [n for n in range(len(left)) if left[n]]
        first = min(waiting, key=lambda n: due[n])
        now = max(now, due[first])
        due[first] = now + web.delays[first]
        left[first] -= 1
        done += 1
        now += 1 / rate
    return now


@pytest.mark.parametrize("rate", [4.0, 1000.0])
def test_a_naive_simulation_of_every_request_takes_as_long(rate):
    web = small(3000, 20, seeds=20, max_size=400)
    costs = replace(COSTS, worker_seconds=1 / rate)
    _, result = simulate(web, 1, costs)
    assert result.seconds_to(0.9) == pytest.approx(naive_seconds(web, 0.9, rate), rel=0.06)


def test_politeness_limits_what_workers_could_do():
    web = small()
    few, many = (simulate(web, workers)[1] for workers in (1, 50))
    assert set(many.limits()) == {"politeness"}
    assert many.seconds_to(0.9) == pytest.approx(few.seconds_to(0.9), rel=0.05)


def test_twice_the_workers_do_almost_twice_as_much_while_there_is_work():
    web = small(400_000, 4000)
    slow = replace(COSTS, worker_seconds=0.4)
    one, two, four = (simulate(web, n, slow)[1].rate_to(0.3) for n in (1, 2, 4))
    assert 1.8 < two / one <= 2.01
    assert 3.4 < four / one <= 4.01


def test_postgresql_can_be_the_limit():
    web = small(400_000, 4000)
    costs = replace(COSTS, postgres_cores=0.05)
    _, result = simulate(web, 8, costs)
    assert result.limits(0.5)["postgresql"] > 0.5
    assert result.peak <= costs.postgres_rate(8) * 1.001
    assert result.postgres_peak <= 0.05 * 1.001


def test_more_workers_than_shards_are_idle():
    web = small()
    assert simulate(web, 300)[1].idle_workers == 300 - 256
    assert simulate(web, 8, shards=4)[1].idle_workers == 4


def test_deaths_cost_time_and_move_shards_but_lose_nothing():
    web = small(200_000, 2000)
    costs = replace(COSTS, worker_seconds=0.05, mean_life=500.0)
    _, calm = simulate(web, 4, replace(costs, mean_life=float("inf")))
    _, result = simulate(web, 4, costs)
    assert result.deaths > 5
    assert result.moves >= result.deaths
    assert calm.moves == 0
    assert calm.seconds_to(0.5) < result.seconds_to(0.5) < 1.2 * calm.seconds_to(0.5)


def test_the_same_seed_gives_the_same_result():
    web = small(2000, 50)
    costs = replace(COSTS, mean_life=100.0)
    assert simulate(web, 3, costs, seed=4)[1] == simulate(web, 3, costs, seed=4)[1]
