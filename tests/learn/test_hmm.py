"""Hidden Markov models against enumeration of all paths of small ones."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.learn.hmm import Chain, step_counts

# Few values, so that paths are often equally likely and some are impossible.
SHARES = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@st.composite
def questions(draw):
    states, length = draw(st.integers(1, 3)), draw(st.integers(1, 5))

    def array(*shape):
        size = int(np.prod(shape))
        with np.errstate(divide="ignore"):
            values = np.array(draw(st.lists(SHARES, min_size=size, max_size=size)))
            return np.log(values).reshape(shape)

    chain = Chain(array(states), array(states, states), array(states))
    return chain, array(length, states)


def whole(logarithms: np.ndarray) -> np.ndarray:
    """The same to the base of two: all probabilities here are powers of it."""
    return np.round(logarithms / np.log(2))


def weight(chain: Chain, emissions: np.ndarray, path: tuple[int, ...]) -> float:
    """The logarithm of the probability of one path, term by term as `viterbi` adds them."""
    total = chain.start[path[0]] + emissions[0, path[0]]
    for t in range(1, len(path)):
        total = total + chain.steps[path[t - 1], path[t]] + emissions[t, path[t]]
    return float(total + chain.end[path[-1]])


def every_path(chain: Chain, emissions: np.ndarray):
    return product(range(len(chain.start)), repeat=len(emissions))


@settings(max_examples=300)
@given(questions())
def test_viterbi_path_is_the_best_of_all_paths(question):
    # Whole numbers add up exactly, so that equal means equal.
    chain, emissions = question
    chain = Chain(*(whole(part) for part in (chain.start, chain.steps, chain.end)))
    emissions = whole(emissions)
    path, best = chain.viterbi(emissions)
    weights = {p: weight(chain, emissions, p) for p in every_path(chain, emissions)}
    assert best == max(weights.values())
    if best > -np.inf:
        assert weights[tuple(path.tolist())] == best
        ties = [p for p, w in weights.items() if w == best]
        assert tuple(path.tolist()) == min(ties, key=lambda p: p[::-1])


@settings(max_examples=300)
@given(questions())
def test_posteriors_and_likelihood_are_sums_over_all_paths(question):
    chain, emissions = question
    expected = np.zeros(emissions.shape)
    for path in every_path(chain, emissions):
        share = np.exp(weight(chain, emissions, path))
        expected[np.arange(len(path)), path] += share
    total = expected[0].sum()
    assert np.exp(chain.log_likelihood(emissions)) == pytest.approx(total)
    if total > 0:
        assert chain.posteriors(emissions) == pytest.approx(expected / total)
    else:
        assert (chain.posteriors(emissions) == 1 / emissions.shape[1]).all()


def test_long_sequences_do_not_underflow():
    chain = Chain.trained([[0, 1] * 10], states=2)
    emissions = np.full((5000, 2), -700.0)
    path, best = chain.viterbi(emissions)
    assert path.tolist() == [0, 1] * 2500
    assert np.isfinite(best)
    assert chain.posteriors(emissions)[:, 1] == pytest.approx(np.arange(5000) % 2)


@given(st.lists(st.lists(st.integers(0, 2), max_size=6), min_size=1, max_size=6))
def test_training_is_maximum_likelihood(paths):
    chain = Chain.trained(paths, states=3)
    begun = [path for path in paths if path]
    for state in range(3):
        if begun:
            share = sum(path[0] == state for path in begun) / len(begun)
            assert np.exp(chain.start[state]) == pytest.approx(share)
        leaves = sum(path.count(state) for path in paths)
        for other in range(3):
            pairs = [pair for path in paths for pair in pairwise(path)]
            share = pairs.count((state, other)) / leaves if leaves else 0.0
            assert np.exp(chain.steps[state, other]) == pytest.approx(share)
        ends = sum(path[-1] == state for path in begun)
        assert np.exp(chain.end[state]) == pytest.approx(ends / leaves if leaves else 0.0)


@given(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=6), min_size=1, max_size=6))
def test_escape_makes_every_step_possible_and_keeps_distributions(paths):
    counts = step_counts(paths, 3)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    chain = Chain.of(shares, escape=0.01)
    assert np.isfinite(chain.steps).all()
    assert np.isfinite(chain.end).all()
    assert np.exp(chain.start).sum() == pytest.approx(1.0)
    seen = counts[:3].sum(axis=1) > 0
    sums = np.exp(chain.steps).sum(axis=1) + np.exp(chain.end)
    assert sums[seen] == pytest.approx(1.0)


@pytest.mark.parametrize("shape", [(0, 2), (3, 1), (2,)])
def test_refuses_emissions_of_another_shape(shape):
    chain = Chain.trained([[0, 1]], states=2)
    with pytest.raises(UsageError, match="a column for each state"):
        chain.viterbi(np.zeros(shape))
