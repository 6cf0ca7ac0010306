"""Absolute discounting: probabilities add up to one, unknown words have a shape."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.learn.absolute_discounting import Alphabet, Symbol, discount_counts

COUNTS = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=6).map(
    lambda rows: np.array(rows, float)
)


@given(COUNTS, st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_the_probabilities_of_a_column_add_up_to_one(counts, discount):
    assert discount_counts(counts, discount).sum(axis=0) == pytest.approx(1.0)
    base = discount_counts(counts[:, ::-1], 0.5)
    assert discount_counts(counts, discount, base).sum(axis=0) == pytest.approx(1.0)


@given(COUNTS)
def test_probabilities_grow_with_counts_and_are_never_zero(counts):
    shares = discount_counts(counts, 0.5)
    assert (shares > 0).all()
    for column in range(3):
        order = np.argsort(counts[:, column], kind="stable")
        assert (np.diff(shares[order, column]) >= -1e-12).all()


def test_without_discount_probabilities_are_relative_frequencies():
    assert discount_counts(np.array([[3.0], [1.0], [0.0]]), 0.0).T.tolist() == [[0.75, 0.25, 0.0]]


def test_column_without_counts_equals_its_base():
    base = np.array([[0.9], [0.1]])
    assert discount_counts(np.zeros((2, 1)), 0.5, base).tolist() == base.tolist()
    assert discount_counts(np.zeros((2, 1)), 0.5).tolist() == [[0.5], [0.5]]


def test_words_seen_once_count_for_unknown_words_of_their_shape():
    symbols = [Symbol("web", "small"), Symbol("web", "small"), Symbol("Ann", "capital")]
    alphabet = Alphabet.of(symbols)
    counts = alphabet.counts(symbols, np.array([0, 1, 1], np.int32), 2)
    rows = {name: counts[n].tolist() for name, n in (alphabet.words | alphabet.shapes).items()}
    assert rows == {"web": [1, 1], "Ann": [0, 1], "small": [0, 0], "capital": [0, 1]}
    (stranger,) = alphabet.numbers([Symbol("Bob", "capital")])
    assert stranger == alphabet.shapes["capital"]
    assert alphabet.numbers([Symbol("?", "odd")]).tolist() == [len(alphabet) - 1]
