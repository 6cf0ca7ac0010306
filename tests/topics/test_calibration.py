"""Calibration: hidden words are removed, and probabilities equal accuracies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.topics.calibration import (
    FOLDS,
    Calibration,
    apply_temperature,
    hide_keywords,
    temperature,
)
from lycosa.topics.rule_list import RuleList
from topics.generated import TREE, documents

RULES = RuleList.of(TREE)


def shares(count, seed, sharp=1.0, leaves=4):
    """Return overconfident shares, and labels drawn by the true ones."""
    chance = np.random.default_rng(seed)
    honest = chance.dirichlet(np.ones(leaves), count).astype(np.float32)
    truth = np.array([chance.choice(leaves, p=row / row.sum()) for row in honest.astype(float)])
    return apply_temperature(honest, 1 / sharp), truth


def test_hidden_words_are_removed_from_their_documents():
    corpus, _ = documents(200, seed=4)
    decided = np.zeros(len(corpus), int)
    for part in hide_keywords(RULES, corpus, TREE.leaves):
        kept = {rule.keyword for rule in part.rules.rules}
        gone = RuleList(tuple(rule for rule in RULES.rules if rule.keyword not in kept))
        assert gone.matches(part.corpus).nnz == 0
        some = part.topics >= 0
        assert (part.topics[some] == RULES.labels(corpus)[some]).all()
        assert set(part.topics[some].tolist()) <= set(TREE.leaves.tolist())
        decided += some
    assert decided.max() == 1


def test_each_leaf_keyword_is_hidden_once_and_inner_topics_keep_theirs():
    corpus, _ = documents(50, seed=4)
    parts = list(hide_keywords(RULES, corpus, TREE.leaves))
    assert len(parts) == FOLDS
    times = {rule.keyword: sum(rule not in p.rules.rules for p in parts) for rule in RULES.rules}
    assert {k: n for k, n in times.items() if n != 1} == {"animal": 0, "machine": 0}


@pytest.mark.parametrize("sharp", [0.5, 1.0, 3.0])
def test_temperature_inverts_overconfidence(sharp):
    made, truth = shares(4000, 1, sharp)
    assert temperature(made, truth) == pytest.approx(sharp, rel=0.2)


def test_calibrated_probability_equals_accuracy():
    made, truth = shares(6000, 2, 3.0)
    found = Calibration.of(made[:3000], truth[:3000]).apply(made[3000:])
    sure, right = found.max(axis=1), found.argmax(axis=1) == truth[3000:]
    for low in (0.3, 0.5, 0.7):
        some = (sure >= low) & (sure < low + 0.2)
        assert right[some].mean() == pytest.approx(sure[some].mean(), abs=0.06)


@given(st.integers(0, 50), st.floats(0.3, 10), st.floats(0, 3), st.floats(-3, 3))
def test_calibration_keeps_sums_and_the_best_leaf(seed, heat, slope, level):
    made, _ = shares(20, seed)
    found = Calibration(heat, slope, np.full(4, level)).apply(made)
    assert found.sum(axis=1) == pytest.approx(1, abs=1e-4)
    best = found[np.arange(20), made.argmax(axis=1)]
    assert (best >= found.max(axis=1) - 1e-5).all()


def test_calibration_keeps_shares_of_inner_topics():
    made, _ = shares(20, 4)
    every = np.hstack([made * 0.5, np.full((20, 1), 0.3, np.float32)])
    found = Calibration(2.0, 1.0, np.zeros(4)).apply(every)
    np.testing.assert_allclose(found[:, 4], 0.3)
    assert found[:, :4].sum(axis=1) == pytest.approx(0.5, abs=1e-4)


def test_calibration_without_data_is_the_identity():
    made, truth = shares(10, 3)
    same = Calibration.of(made[:0], truth[:0])
    np.testing.assert_allclose(same.apply(made), made, atol=1e-5)
