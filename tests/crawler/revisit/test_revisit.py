"""Rates of change, the index of revisits, the plan and the effort."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.crawler.revisit.change_rate import RATES, ChangeRates
from lycosa.crawler.revisit.effort import LEAST, Effort
from lycosa.crawler.revisit.revisit_index import age_index, hub_index
from lycosa.crawler.revisit.revisit_plan import RevisitPlan
from lycosa.snapshots import StateReader, StateWriter

days = st.floats(0.01, 400)
classes = st.integers(0, len(RATES) - 1)


def known(number):
    return np.eye(len(RATES))[[number]]


@given(classes, days)
def test_the_index_is_the_price_at_which_a_period_is_optimal(number, period):
    """Compare the cost a day of that period with those of others, by numerical integration."""
    rate = RATES[number]
    price = age_index(known(number), np.array([period]))[0]

    def cost(t):
        integral = t**2 / 2 - t / rate - np.expm1(-rate * t) / rate**2
        return (price + integral) / t

    best = cost(period)
    assert best <= cost(0.8 * period) * (1 + 1e-6) + 1e-9
    assert best <= cost(1.25 * period) * (1 + 1e-6) + 1e-9


@given(classes, days, days)
def test_the_worth_of_a_visit_grows_with_time_and_never_is_negative(number, one, other):
    low, high = sorted((one, other))
    indices = age_index(np.repeat(known(number), 2, 0), np.array([low, high]))
    assert 0 <= indices[0] <= indices[1] * (1 + 1e-9)


@given(st.floats(1e-9, 1e-2))
def test_the_series_and_the_formula_agree(days):
    """Pages that were just visited are worth next to nothing, without loss of digits."""
    found = age_index(known(len(RATES) - 1), np.array([days]))[0]
    assert found == pytest.approx(RATES[-1] * days**3 / 3, rel=1e-2)


@given(st.lists(st.tuples(days, st.booleans()), min_size=1, max_size=12))
def test_the_posterior_is_that_of_bayes(visits):
    rates = ChangeRates()
    prior = rates.prior()
    for interval, changed in visits:
        rates.observe([5], [interval], [changed])
    seen = np.array(
        [
            np.prod([1 - np.exp(-r * t) if c else np.exp(-r * t) for t, c in visits]) * p
            for r, p in zip(RATES, rates.prior(), strict=True)
        ]
    )
    if seen.sum() > 1e-250:
        assert rates.posterior([5])[0] == pytest.approx(seen / seen.sum(), abs=1e-6)
    assert rates.posterior([4]).sum() == pytest.approx(1)
    assert prior.sum() == pytest.approx(1)


def test_rates_are_found_again():
    chance = np.random.default_rng(3)
    true = RATES[chance.integers(4, 16, 300)]
    rates = ChangeRates()
    for _ in range(60):
        intervals = chance.uniform(0.5, 10, 300)
        changed = chance.random(300) < -np.expm1(-true * intervals)
        rates.observe(np.arange(300), intervals, changed)
    error = np.log(rates.mean(np.arange(300)) / true)
    slow = true < 1 / 3  # of faster pages such visits say only that they are fast
    assert np.abs(np.median(error[slow])) < 0.2


def test_pages_never_visited_twice_are_taken_for_pages_like_the_others():
    rates = ChangeRates()
    for _ in range(10):
        rates.observe(np.arange(200), np.full(200, 1.0), np.ones(200, bool))
    assert rates.mean([900])[0] > 1.0


def test_visits_at_the_same_moment_say_nothing():
    rates = ChangeRates()
    before = rates.mean([0])
    rates.observe([0], [0.0], [True])
    rates.observe([], [], [])
    assert rates.mean([0]) == before


def test_hubs_that_bring_targets_are_visited_before_pages_that_never_change():
    plan = RevisitPlan()
    for page in range(3):
        plan.fetched(page, 0.0, target=page == 0, links=5 * (page == 1))
    for day in range(1, 40):
        for page in range(3):
            plan.revisited(page, float(day), changed=page == 1)
        plan.led_to_target(1)
    assert plan.due(50.0, 1).tolist() == [1]
    assert plan.due(39.0, 9).tolist() == []  # all were visited just now


def test_a_page_that_is_gone_is_not_requested_again_until_it_is_back():
    plan = RevisitPlan()
    plan.fetched(0, 0.0, target=True)
    plan.gone(0, 1.0)
    assert plan.due(1.5, 5).tolist() == plan.due(500.0, 5).tolist() == []
    plan.revisited(0, 501.0, changed=True, target=True)
    assert plan.due(600.0, 5).tolist() == [0]


actions = st.lists(
    st.tuples(
        st.sampled_from(("fetch", "same", "changed", "gone", "led")),
        st.integers(0, 2_000),
        st.floats(0, 5),
    ),
    max_size=40,
)


def played(steps):
    plan, day = RevisitPlan(), 0.0
    for action, page, later in steps:
        day += later
        match action:
            case "fetch":
                plan.fetched(page, day, target=page % 2 == 0, links=page % 5)
            case "gone":
                plan.gone(page, day)
            case "led":
                plan.led_to_target(page)
            case _:
                plan.revisited(page, day, changed=action == "changed")
    return plan, day


@given(actions)
def test_a_saved_plan_goes_on_as_it_was(steps):
    plan, day = played(steps)
    state = StateWriter()
    plan.save(state)
    restored = RevisitPlan()
    restored.restore(StateReader.of(state))
    assert restored.due(day + 7, 100).tolist() == plan.due(day + 7, 100).tolist()


@given(actions, st.integers(1, 5))
def test_due_pages_are_known_distinct_and_in_order_of_worth(steps, count):
    plan, day = played(steps)
    due = plan.due(day + 3, count)
    assert len(set(due.tolist())) == len(due) <= count
    worth = plan.worth(due, day + 3)
    assert (worth > 0).all()
    assert (np.diff(worth) <= 1e-12).all()


def test_hub_index_of_nothing():
    assert hub_index(np.array([0.0]), np.array([9.0])).tolist() == [0.0]


@given(st.lists(st.tuples(st.sampled_from(("revisit", "discovery")), st.floats(0, 1)), max_size=50))
def test_neither_kind_of_effort_starves(observations):
    effort = Effort()
    for kind, worth in observations:
        effort.observe(kind, worth)
        assert LEAST <= effort.share <= 1 - LEAST
