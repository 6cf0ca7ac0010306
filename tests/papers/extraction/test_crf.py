"""CRFs predict marginal probabilities, and damaged files never reach CRFsuite."""

import pickle
from contextlib import suppress
from itertools import pairwise, product
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.papers.extraction import crf
from lycosa.papers.extraction.crfsuite_file import read_weights

ROWS = [[["w=a", "first"], ["w=b"], ["w=c"]], [["w=b", "first"], ["w=c"]]]
LABELS = [["x", "y", "z"], ["y", "z"]]


@pytest.fixture(scope="module")
def field():
    return crf.train(ROWS, LABELS)


@pytest.fixture(scope="module")
def packed(field):
    return crf.pack({"words": field}, {"kind": "test"})


def test_labels_its_training_data(field):
    for rows, labels in zip(ROWS, LABELS, strict=True):
        assert [prediction.label for prediction in field.tag(rows)] == labels
    assert field.labels == ["x", "y", "z"]


def test_confidences_are_the_marginals_of_all_labellings(field):
    """Against every labelling there is, weighed by the weights in the model itself."""
    weights = read_weights(field.model)
    states = {
        (weights.attributes[attribute], weights.labels[label]): weight
        for (attribute, label), weight in weights.states.items()
    }
    transitions = {
        (weights.labels[before], weights.labels[label]): weight
        for (before, label), weight in weights.transitions.items()
    }
    rows = ROWS[0]

    def weight(labels):
        total = sum(
            states.get((feature, label), 0.0)
            for row, label in zip(rows, labels, strict=True)
            for feature in row
        )
        return exp(total + sum(transitions.get(step, 0.0) for step in pairwise(labels)))

    every = {labels: weight(labels) for labels in product("xyz", repeat=len(rows))}
    best = max(every, key=lambda labels: every[labels])
    for place, (label, confidence) in enumerate(field.tag(rows)):
        share = sum(w for labels, w in every.items() if labels[place] == label)
        assert label == best[place]
        assert confidence == pytest.approx(share / sum(every.values()), abs=1e-9)


def test_the_confidence_of_a_field_is_that_of_its_beginning_or_its_inside():
    rows = [["w=a"], ["w=b"], ["w=b"]]
    field = crf.train([rows] * 3, [crf.mark_beginnings(["x", "y", "y"])] * 3)
    found = field.tag(rows)
    assert field.labels == ["x", "y"]
    assert [prediction.label for prediction in found] == ["x", "y", "y"]
    marginal = field._tagger.marginal
    assert found[1].confidence == pytest.approx(marginal("B-y", 1) + marginal("I-y", 1))


@given(st.lists(st.sampled_from(["author", "title", "date"])))
def test_beginnings_are_where_the_label_changes(labels):
    marked = crf.mark_beginnings(labels)
    assert [crf.field_of(label) for label in marked] == labels
    begun = [n for n, label in enumerate(marked) if label.startswith(crf.BEGIN)]
    assert begun == [n for n in range(len(labels)) if not n or labels[n] != labels[n - 1]]


def test_an_empty_sequence_has_no_labels(field):
    assert field.tag([]) == []


def test_unknown_features_are_ignored(field):
    assert len(field.tag([["never seen", "\u0000", "é" * 1000], []])) == 2


def test_refuses_empty_training_data():
    with pytest.raises(UsageError, match="nothing to train on"):
        crf.train([[]], [[]])


def test_training_is_repeatable():
    assert crf.train(ROWS, LABELS).model == crf.train(ROWS, LABELS).model


def test_a_model_can_be_saved_and_pickled(field, packed, tmp_path):
    (tmp_path / "model").write_bytes(packed)
    fields, about = crf.load(tmp_path / "model")
    assert about == {"kind": "test"}
    assert fields["words"].tag(ROWS[0]) == field.tag(ROWS[0])
    assert pickle.loads(pickle.dumps(field)).tag(ROWS[0]) == field.tag(ROWS[0])


@given(st.data())
@settings(max_examples=600, deadline=None)
def test_damaged_models_are_refused(field, packed, data):
    place = data.draw(st.integers(0, len(packed) - 1))
    flip = data.draw(st.integers(1, 255))
    damaged = packed[:place] + bytes([packed[place] ^ flip]) + packed[place + 1 :]
    with suppress(UsageError):
        # What passes has changed in what the file says of itself, not in the model.
        fields, about = crf.unpack(damaged)
        assert [f.model for f in fields.values()] == [field.model]
        assert about != {"kind": "test"} or "words" not in fields


@given(st.integers(0, 400))
@settings(max_examples=50, deadline=None)
def test_truncated_files_are_refused(packed, kept):
    with pytest.raises(UsageError):
        crf.unpack(packed[: min(kept, len(packed) - 1)])
    with pytest.raises(UsageError, match="damaged"):
        crf.unpack(packed + b"x" * (kept + 1))


@given(st.binary(max_size=300))
@settings(deadline=None)
def test_arbitrary_bytes_are_refused(data):
    for hostile in (data, b"lycosa crf 1\n" + data):
        with pytest.raises(UsageError):
            crf.unpack(hostile)


def test_a_bare_crfsuite_model_is_refused(field):
    with pytest.raises(UsageError, match="not a model file"):
        crf.unpack(field.model)


def test_a_too_short_model_with_a_valid_checksum_is_refused():
    hollow = crf.Crf.__new__(crf.Crf)
    hollow.model = b"lCRF"
    with pytest.raises(UsageError, match="damaged"):
        crf.unpack(crf.pack({"words": hollow}, {}))


def test_a_missing_file_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        crf.load(tmp_path / "none")


def test_a_required_label_is_given_where_it_is_most_likely():
    texts = [["big"], ["small"]]
    model = crf.train([texts] * 12, [*[["title", "author"]] * 3, *[["note", "note"]] * 9])
    assert [found.label for found in model.tag(texts)] == ["note", "note"]
    found = model.tag(texts, ["title"])
    assert found[0].label == "title"
    assert found[0].confidence < 0.5
    assert [one.label for one in model.tag(texts, ["unknown"])] == ["note", "note"]


def test_a_required_label_takes_nothing_from_another():
    texts = [["big"], ["small"]]
    model = crf.train([texts] * 12, [*[["title", "author"]] * 3, *[["note", "note"]] * 9])
    labels = [found.label for found in model.tag(texts, ["author", "title"])]
    assert labels == [found.label for found in model.tag(texts, ["author"])]
    assert "author" in labels


@given(st.lists(st.floats(0, 1), min_size=1))
def test_the_run_around_the_peak_has_at_least_half_of_it(shares):
    run = crf.around_peak(shares)
    peak = max(shares)
    assert bool(run) == (peak >= crf.MIN_REQUIRED)
    assert all(2 * shares[i] >= peak for i in run)
    assert not run or peak in [shares[i] for i in run]
