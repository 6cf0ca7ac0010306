from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.learn.linear_model import softmax
from small_pages import LINKS, MIXED, LinkSpec, examples, page, random_model, sites, tables


@settings(deadline=None, max_examples=40)
@given(
    sites(), LINKS.filter(bool), st.integers(0, 9), st.booleans(), st.sampled_from([0.1, 1, 500])
)
def test_probabilities_and_values(site, new, seed, root, slope):
    model = random_model(examples(MIXED, site), seed, 4, root, slope)
    shown = page(tables("zy"), new)
    reader = model.reader(shown.tables)
    probabilities = reader.probabilities(shown)
    assert probabilities.shape == (len(new), 4)
    assert (probabilities >= 0).all()
    assert probabilities.sum(axis=1) == pytest.approx(1)
    exponents = slope * (np.sum(reader.parts(shown), axis=0) + model.bias)
    for row, mine in zip(probabilities, exponents.tolist(), strict=True):
        shares = [exp(e - max(mine)) for e in mine]
        assert row.tolist() == pytest.approx([share / sum(shares) for share in shares])
    values = reader.values(shown)
    assert values == pytest.approx((probabilities * model.means).sum(axis=1))
    hair = 1e-12
    assert (values >= model.means.min() - hair).all()
    assert (values <= model.means.max() + hair).all()


def test_the_root_of_a_channels_length_counts_unknown_words_too():
    shown = page(tables(), [LinkSpec("a"), LinkSpec("a x x x"), LinkSpec()])
    made = examples(MIXED, [(page(tables(), [LinkSpec("a")]), [1.0])])
    model = random_model(made, 0, 2, root=True)
    anchors = model.reader(shown.tables).parts(shown)[0]
    assert anchors.tolist() == pytest.approx(np.array([1, 0.5, 0])[:, None] * model.weights[0][0])


def test_softmax_of_large_sums():
    assert softmax(np.array([[1e5, 1e5 - 1], [-1e5, 1e5]])).tolist() == [
        pytest.approx([1 / (1 + np.exp(-1)), 1 / (1 + np.e)]),
        [0.0, 1.0],
    ]
