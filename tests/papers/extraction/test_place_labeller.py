"""Labelling of affiliations and addresses by the shipped model and by small ones."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.papers.extraction import crf
from lycosa.papers.extraction.labeller import Prediction
from lycosa.papers.extraction.place_labeller import (
    PLACE_LABELS,
    PlaceLabeller,
    place_features,
    place_runs,
    train_place_labeller,
)
from lycosa.papers.extraction.tagged import Token

RUN = [Token("MIT,", "affiliation"), Token("Boston", "address")]


@pytest.fixture(scope="module")
def labeller():
    return PlaceLabeller.shipped()


@given(st.lists(st.tuples(st.sampled_from("MIT, * 1 (2) of Rome; USA".split()), st.integers(0, 1))))
def test_every_word_has_a_row(words):
    line, tokens = 0, []
    for text, step in words:
        line += step
        tokens.append(Token(text, "", line))
    assert len(place_features(tokens)) == len(tokens)


@given(st.lists(st.sampled_from([*PLACE_LABELS, "author"])))
def test_runs_have_all_places_and_nothing_else(labels):
    inside = [n for a, b in place_runs(labels) for n in range(a, b)]
    assert inside == [n for n, label in enumerate(labels) if label in PLACE_LABELS]


def test_tells_an_institution_from_its_address(labeller):
    text = "Department of Physics, University of Vienna, Boltzmanngasse 5, 1090 Vienna, Austria"
    tokens = [Token(word) for word in text.split()]
    found = labeller.refine(tokens, [Prediction("affiliation", 0.5)] * len(tokens))
    assert [prediction.label for prediction in found] == ["affiliation"] * 6 + ["address"] * 5


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([*PLACE_LABELS, "author", "email"]),
            st.sampled_from((0.3, 0.5, 0.9, 1.0)),
        ),
        max_size=8,
    )
)
def test_only_places_are_refined_and_confidences_are_probabilities(labeller, pairs):
    predictions = [Prediction(*pair) for pair in pairs]
    refined = labeller.refine([Token("Rome,")] * len(pairs), predictions)
    assert len(refined) == len(predictions)
    for old, new in zip(predictions, refined, strict=True):
        if old.label in PLACE_LABELS:
            assert new.label in PLACE_LABELS
            assert 0.5 <= new.confidence <= 1
        else:
            assert new == old


def test_a_certain_label_stays(labeller):
    certain = [Prediction("affiliation", 1.0)] * 2
    found = labeller.refine([Token("Paris,"), Token("France")], certain)
    assert [prediction.label for prediction in found] == ["affiliation"] * 2


def test_a_model_of_another_kind_is_refused():
    data = train_place_labeller([RUN], data="mine")
    assert PlaceLabeller.from_bytes(data).metadata["data"] == "mine"
    models, metadata = crf.unpack(data)
    with pytest.raises(UsageError, match="not a model for places"):
        PlaceLabeller.from_bytes(crf.pack(models, {**metadata, "kind": "names"}))
    with pytest.raises(UsageError, match="another version"):
        PlaceLabeller.from_bytes(crf.pack(models, {**metadata, "features": -1}))
