from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.learn.link_words import COLUMNS
from lycosa.learn.nearest_neighbours import NearestNeighbours
from word_rows import rows_of

DOUBT = 0.1
WORDS = st.integers(0, 7) | st.just(COLUMNS - 1)
SETS = st.lists(WORDS, max_size=4, unique=True)
VALUES = st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0])
EXAMPLES = st.lists(st.tuples(SETS, VALUES), min_size=1, max_size=10)


def fitted(examples, k: int = 8, room: int = 500) -> NearestNeighbours:
    lists, values = zip(*examples, strict=True)
    near = NearestNeighbours(k, room)
    near.fit(rows_of(lists), np.array(values, float))
    return near


def bounds(examples, k, words) -> tuple[float, float]:
    """Return the least and the largest estimate that ties among neighbours allow."""

    def weight(word):
        return log((1 + len(examples)) / (1 + sum(word in row for row, _ in examples)))

    def length(row):
        return sqrt(sum(weight(word) ** 2 for word in row)) or 1.0

    near = []
    for row, value in examples:
        dot = sum(weight(word) ** 2 for word in set(row) & set(words))
        near.append((round((dot / length(row) / length(words)) ** 2, 9), value))
    mean = sum(value for _, value in examples) / len(examples)
    ends = []
    for sign in (1, -1):
        chosen = sorted(near, key=lambda one: (-one[0], sign * one[1]))[:k]
        total = sum(share * value for share, value in chosen) + DOUBT * mean
        ends.append(total / (sum(share for share, _ in chosen) + DOUBT))
    return ends[0], ends[1]


@given(EXAMPLES, st.integers(1, 12), st.lists(SETS, min_size=1, max_size=5))
def test_the_estimate_is_the_mean_of_the_nearest_by_tfidf_and_squared_cosine(examples, k, asked):
    got = fitted(examples, k=k).predict(rows_of(asked))
    for estimate, words in zip(got.tolist(), asked, strict=True):
        low, high = bounds(examples, k, words)
        assert low - 1e-6 <= estimate <= high + 1e-6


@given(
    st.lists(st.tuples(SETS, VALUES), min_size=1, max_size=14),
    st.integers(2, 8),
    st.lists(SETS, min_size=1, max_size=4),
)
def test_keeps_latest_valuable_examples_up_to_half_and_latest_others(examples, room, asked):
    kept = list(range(len(examples)))
    if len(examples) > room:
        good = [n for n in kept if examples[n][1]][-(room // 2) :]
        rest = [n for n in kept if n not in good]
        kept = sorted(good + rest[len(rest) - (room - len(good)) :])
        assert len(kept) == room
    few, same = fitted(examples, room=room), fitted([examples[n] for n in kept])
    assert few.predict(rows_of(asked)).tolist() == same.predict(rows_of(asked)).tolist()


def test_old_valuable_examples_are_kept():
    examples = [([1], 1.0), *[([2], 0.0)] * 700]
    assert fitted(examples).predict(rows_of([[1], [2]])) == pytest.approx([0.9, 0.0], abs=0.05)


@given(
    st.lists(st.tuples(st.lists(WORDS, max_size=6), VALUES), min_size=1, max_size=10),
    st.integers(1, 4),
    st.lists(st.lists(WORDS, max_size=6), min_size=1, max_size=5),
)
def test_estimates_are_within_the_values_with_repeated_words(examples, k, asked):
    got = fitted(examples, k=k).predict(rows_of(asked))
    values = [value for _, value in examples]
    assert ((got >= min(values) - 1e-9) & (got <= max(values) + 1e-9)).all()


def test_links_without_known_words_get_the_mean():
    near = fitted([([1, 2], 1.0), ([2, 3], 0.0), ([3], 0.0), ([4], 0.0)])
    assert near.predict(rows_of([[], [9], [10, 11]])) == pytest.approx([0.25] * 3)
    assert len(near.predict(rows_of([]))) == 0


def test_batches_equal_single_predictions():
    rng = np.random.default_rng(4)
    examples = [(rng.choice(40, 5, replace=False).tolist(), float(n % 3 == 0)) for n in range(300)]
    asked = [rng.choice(50, n % 7, replace=False).tolist() for n in range(1100)]
    near = fitted(examples)
    single = [float(near.predict(rows_of([words]))[0]) for words in asked]
    assert near.predict(rows_of(asked)) == pytest.approx(single)
    assert len(set(single)) > 300


def test_second_fit_replaces_the_first():
    near = fitted([([1], 1.0), ([2], 0.0)])
    near.fit(rows_of([[1], [2]]), np.array([0.0, 1.0]))
    assert near.predict(rows_of([[1], [2]])).tolist() == (
        fitted([([1], 0.0), ([2], 1.0)]).predict(rows_of([[1], [2]])).tolist()
    )
