import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.learn.matrices import feature_matrix, split_channels
from small_pages import MIXED, LinkSpec, examples, page, random_model, sites, tables


@settings(deadline=None, max_examples=40)
@given(sites(), sites(), st.integers(0, 9), st.integers(1, 3))
def test_training_matrix_equals_scoring_features(first, second, seed, least):
    made = examples(MIXED, first, second, least=least)
    model = random_model(made, seed, 3, root=True)
    rows = feature_matrix(made) @ np.concatenate(model.weights)
    shown = [np.empty((0, 3))]
    for site in (first, second):
        reader = model.reader(site[0][0].tables)
        shown += [np.sum(reader.parts(p), axis=0) for p, row in site if row]
    assert rows == pytest.approx(np.concatenate(shown), abs=1e-12)


@settings(deadline=None, max_examples=20)
@given(sites(), st.integers(0, 9))
def test_split_channels_inverts_concatenation(site, seed):
    made = examples(MIXED, site)
    model = random_model(made, seed, 2, root=True)
    parts = split_channels(made, np.concatenate(model.weights))
    assert len(parts) == len(model.weights)
    for part, mine in zip(parts, model.weights, strict=True):
        assert np.array_equal(part, mine)


def test_counts_are_divided_by_the_root_of_the_length():
    shown = page(tables(), [LinkSpec("a a b c"), LinkSpec("b"), LinkSpec()])
    made = examples(MIXED, [(shown, [0.0] * 3)], least=2)
    assert list(made.vocabularies[0].words) == ["a", "b"]  # c is rare but it has length
    assert feature_matrix(made)[:, :2].toarray().tolist() == [[1.0, 0.5], [0.0, 1.0], [0.0, 0.0]]
