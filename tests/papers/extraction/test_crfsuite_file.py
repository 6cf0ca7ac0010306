"""The weights of CRFsuite's model files, read and written."""

from __future__ import annotations

import pycrfsuite
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction import crf
from lycosa.papers.extraction.crf_labeller import MODELS
from lycosa.papers.extraction.crfsuite_file import Weights, read_weights, write_weights

NAMES = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40),
    unique=True,
    min_size=1,
    max_size=20,
)


@st.composite
def weights(draw) -> Weights:
    """Weights with any names, sorted as CRFsuite writes them."""
    labels, attributes = draw(NAMES), draw(NAMES)

    def pairs(count: int) -> dict[tuple[int, int], float]:
        keys = st.tuples(st.integers(0, count - 1), st.integers(0, len(labels) - 1))
        found = draw(st.dictionaries(keys, st.floats(allow_nan=False, width=64)))
        return {key: found[key] for key in sorted(found)}

    return Weights(labels, attributes, pairs(len(attributes)), pairs(len(labels)))


@pytest.mark.parametrize("name", ["names", "places", "reference-lists"])
def test_a_file_of_crfsuite_is_the_same_when_written_again(name):
    models, _ = crf.load(MODELS / f"{name}.crf")
    for model in models.values():
        assert write_weights(read_weights(model.model)) == model.model


@given(weights())
def test_what_is_written_is_read(given_weights):
    assert read_weights(write_weights(given_weights)) == given_weights


@given(weights())
def test_crfsuite_knows_every_label_that_is_written(given_weights):
    # Labels are looked up by their hash: one in the wrong place would be an unknown label.
    model = write_weights(given_weights)
    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model)
    assert sorted(tagger.labels()) == sorted(given_weights.labels)
    tagger.set([[given_weights.attributes[0]]])
    for label in given_weights.labels:
        tagger.marginal(label, 0)


@given(NAMES)
def test_crfsuite_finds_every_attribute_that_is_written(attributes):
    states = {(n, n % 2): 50.0 for n in range(len(attributes))}
    field = crf.Crf(write_weights(Weights(["even", "odd"], attributes, states, {})))
    found = field.tag([[attribute] for attribute in attributes])
    assert [prediction.label for prediction in found] == [
        ("even", "odd")[n % 2] for n in range(len(attributes))
    ]
    assert all(prediction.confidence > 0.99 for prediction in found)
