from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.learn.decision_tree import DecisionTree
from lycosa.learn.link_words import COLUMNS
from word_rows import rows_of

WORDS = st.integers(0, 5) | st.integers(0, COLUMNS - 1)
LISTS = st.lists(st.lists(WORDS, max_size=5), min_size=1, max_size=12)


def noisy(rule, size: int = 400) -> tuple[list[list[int]], np.ndarray]:
    """Links whose values follow a rule on two words, with random other words."""
    rng = np.random.default_rng(3)
    lists = [
        [*(word for word in (1, 2) if rng.random() < 0.5), *rng.integers(10, 3000, 6).tolist()]
        for _ in range(size)
    ]
    return lists, np.array([float(rule(words)) for words in lists])


def test_learns_a_conjunction_of_two_words():
    lists, values = noisy(lambda words: 1 in words and 2 in words)
    tree = DecisionTree()
    tree.fit(rows_of(lists), values)
    asked = rows_of([[1, 2], [1], [2], [], [1, 2, 50_000]])
    assert tree.predict(asked) == pytest.approx([1.0, 0.0, 0.0, 0.0, 1.0], abs=0.05)


def test_only_the_latest_examples_count():
    lists = [[1], [2]] * 20
    values = np.array([1.0, 0.0] * 10 + [0.0, 1.0] * 10)
    tree = DecisionTree(examples=20)
    tree.fit(rows_of(lists), values)
    assert tree.predict(rows_of([[1], [2]])).tolist() == [0.0, 1.0]


def test_only_the_most_relevant_words_are_split_candidates():
    lists, values = noisy(lambda words: 1 in words)
    tree = DecisionTree(words=1)
    tree.fit(rows_of(lists), values)
    assert tree.predict(rows_of([[1], [2]])).tolist() == [1.0, 0.0]


@settings(max_examples=40)
@given(LISTS, LISTS, st.data())
def test_estimates_are_within_the_values_and_repeatable(lists, asked, data):
    some = st.sampled_from([0.0, 0.25, 1.0])
    size = len(lists)
    values = np.array(data.draw(st.lists(some, min_size=size, max_size=size)))
    said = []
    for _ in range(2):
        tree = DecisionTree(leaf=1)
        tree.fit(rows_of(lists), values)
        said.append(tree.predict(rows_of(asked)))
    assert said[0].tolist() == said[1].tolist()
    assert ((said[0] >= values.min() - 1e-9) & (said[0] <= values.max() + 1e-9)).all()


def test_constant_values_are_predicted():
    tree = DecisionTree()
    tree.fit(rows_of([[1], [2], [3]]), np.full(3, 0.25))
    assert tree.predict(rows_of([[1], [9], []])).tolist() == [0.25] * 3


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sets(st.integers(0, 4)), st.sampled_from([0.0, 0.5, 1.0])), min_size=2)
)
def test_first_split_reduces_the_variance_most(examples):
    lists, values = [sorted(words) for words, _ in examples], np.array([v for _, v in examples])

    def squares(word: int) -> float:
        has = np.array([word in words for words in lists])
        if has.all() or not has.any():
            return float(((values - values.mean()) ** 2).sum())
        return float(sum(((part - part.mean()) ** 2).sum() for part in (values[has], values[~has])))

    tree = DecisionTree(depth=1, leaf=1)
    tree.fit(rows_of(lists), values)
    rest = float(((values - tree.predict(rows_of(lists))) ** 2).sum())
    assert rest == pytest.approx(min(squares(word) for word in range(5)), abs=1e-9)


def test_words_with_equal_hashes_count_once():
    lists = [[1, 1], [1, 1, 2], [2], []] * 10
    values = np.array([1.0, 1.0, 0.0, 0.0] * 10)
    tree = DecisionTree()
    tree.fit(rows_of(lists), values)
    assert tree.predict(rows_of([[1], [2]])).tolist() == [1.0, 0.0]
