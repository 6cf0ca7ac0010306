import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.learn.bins import Bins

VALUES = st.lists(st.floats(0, 3) | st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("count", "gamma", "expected"),
    [
        (2, 0.5, [0, 0, 1, 1, 1, 1]),
        (3, 0.5, [0, 0, 1, 1, 2, 2]),
        # The four bins of Rennie & McCallum 1999, section 3: 1, gamma, gamma squared, the rest.
        (4, 0.5, [0, 0, 1, 1, 2, 3]),
        (4, 0.3, [0, 0, 1, 1, 1, 3]),
    ],
)
def test_bins_by_powers(count, gamma, expected):
    bins = Bins.by_powers(count, gamma)
    assert bins.count == count
    assert bins.of(np.array([2.0, 1.0, 0.99, 0.5, 0.3, 0.0])).tolist() == expected


@pytest.mark.parametrize("gamma", [0.1, 0.3, 0.5, 0.7])
def test_rounded_sum_of_powers_at_a_border_is_above_it(gamma):
    bins = Bins.by_powers(5, gamma)
    hair = 1e-12
    assert bins.of(bins.borders * (1 - hair)).tolist() == [0, 1, 2, 3]
    assert bins.of(bins.borders * (1 - 1e-6)).tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_quantiles_divide_the_values_above_0_equally(count):
    values = np.concatenate((np.zeros(17), np.random.default_rng(1).permutation(60) + 1.0))
    sizes = np.bincount(Bins.by_quantiles(count, values).of(values), minlength=count)
    assert sizes[-1] == 17
    assert sizes[:-1].sum() == 60
    assert max(abs(sizes[:-1] - 60 / (count - 1))) <= 1


@pytest.mark.parametrize("values", [[0.0, 0.0], [0.5], [0.5, 0.5, 0.5, 0.0]])
def test_quantiles_of_few_values(values):
    bins = Bins.by_quantiles(4, np.array(values))
    assert bins.count == 4
    of = bins.of(np.array(values)).tolist()
    assert of == [0 if value else 3 for value in values]


@given(VALUES, st.integers(2, 6), st.floats(0.05, 0.95), st.booleans())
def test_a_higher_value_is_never_in_a_lower_bin(values, count, gamma, quantiles):
    array = np.sort(np.array(values))
    bins = Bins.by_quantiles(count, array) if quantiles else Bins.by_powers(count, gamma)
    which = bins.of(array)
    assert (np.diff(which) <= 0).all()
    assert which.min() >= 0
    assert which.max() < count
    assert bins.of(np.array([0.0])).tolist() == [count - 1]


@given(VALUES, st.integers(2, 5), st.floats(0.1, 0.9))
def test_means(values, count, gamma):
    bins = Bins.by_powers(count, gamma)
    array = np.array(values)
    lower = [gamma**k for k in range(count - 1)] + [0.0]
    for k, mean in enumerate(bins.means(array)):
        mine = [value for value, which in zip(values, bins.of(array), strict=True) if which == k]
        assert mean == pytest.approx(np.mean(mine) if mine else lower[k])


@pytest.mark.parametrize("count", [1, 0, -2])
def test_refuses_fewer_than_two_bins(count):
    for make in (
        lambda: Bins.by_powers(count, 0.5),
        lambda: Bins.by_quantiles(count, np.ones(3)),
    ):
        with pytest.raises(UsageError, match="at least 2"):
            make()
