import numpy as np
import pytest
from bench.recall_cases import Case
from bench.recall_fit import bounds, fit_quantile, intervals, learn_shifted, left_out
from hypothesis import given
from hypothesis import strategies as st

from lycosa.crawler.recall import RecallEvidence, estimate

FAMILIES = ("a", "b", "c")


def make_cases(count, seed):
    """Crawls whose missing targets are those that the frontier expects, times a random factor."""
    random = np.random.default_rng(seed)
    cases = []
    for k in range(count):
        found, frontier = int(random.integers(20, 400)), float(random.uniform(1, 200))
        missing = int(frontier * np.exp(random.normal()))
        noise = random.uniform(0, 1, 4).tolist()
        evidence = RecallEvidence(found, 50, frontier, *noise[:3], 1.0, noise[3])
        site = f"site{k % 30}"
        family = FAMILIES[k % 3]
        cases.append(Case(site, family, f"goal{k}", "house", 50, found + missing, evidence))
    return cases


@given(st.integers(1, 10**6), st.lists(st.floats(-60, 60), min_size=3, max_size=3))
def test_bounds_are_those_of_the_package(found, odds):
    one = estimate(found, [1.0], tuple((value,) for value in odds))
    many = bounds(np.array([found]), np.array([odds]))
    assert many[0].tolist() == pytest.approx([one.low, one.share, one.high])


@pytest.mark.parametrize("quantile", [0.05, 0.5, 0.95])
def test_a_fitted_quantile_has_that_share_below_it(quantile):
    random = np.random.default_rng(1)
    rows = np.stack([np.ones(4000), random.normal(size=4000)], axis=1)
    values = rows @ [1.0, 2.0] + random.normal(size=4000)
    line = fit_quantile(rows, values, quantile, np.ones(4000))
    assert np.mean(values < rows @ line) == pytest.approx(quantile, abs=0.02)
    assert line[1] == pytest.approx(2.0, abs=0.15)


def test_intervals_of_families_left_out_cover_nine_of_ten():
    cases = make_cases(1500, seed=2)
    low, _, high = intervals(cases, left_out(cases, lambda case: case.family)).T
    truth = np.array([case.recall for case in cases])
    covered = np.mean((low - 1e-9 <= truth) & (truth <= high + 1e-9))
    assert 0.87 <= covered <= 0.93


def test_the_shift_makes_up_for_a_family_unlike_the_others():
    cases = make_cases(900, seed=3)
    odd = [
        Case(c.site, c.family, c.goal, c.spider, c.percent, 4 * c.targets, c.evidence)
        if c.family == "c"
        else c
        for c in cases
    ]
    assert learn_shifted(odd)[2][0] > learn_shifted(cases)[2][0]
