"""Labellers by conditional random fields, trained on few synthetic papers."""

from pathlib import Path

import pytest

from lycosa.errors import UnknownName, UsageError
from lycosa.papers.extraction import crf
from lycosa.papers.extraction.crf_labeller import CrfLabeller, CrfTraining, train_crf_labeller
from lycosa.papers.extraction.tagged import Token, read_headers, read_references
from lycosa.papers.synthetic import generate_headers, generate_references
from lycosa.papers.training.shipped import train_shipped_model
from recorded_sites import REAL

CORPORA = REAL.parent / "corpora"
needs_corpora = pytest.mark.skipif(not CORPORA.is_dir(), reason=f"no corpora at {CORPORA}")
QUICK = CrfTraining(iterations=40)


@pytest.fixture(scope="module")
def references():
    return train_crf_labeller("references", generate_references(250, 1), training=QUICK)


@pytest.fixture(scope="module")
def headers():
    sheets = generate_headers(40, 1)
    return train_crf_labeller(
        "headers", [s.tokens for s in sheets], [s.lines for s in sheets], QUICK, data="made-up"
    )


def accuracy(labeller, items):
    pairs = [
        (token.label, prediction.label)
        for item in items
        for token, prediction in zip(item, labeller.tag(item), strict=True)
    ]
    return sum(a == b for a, b in pairs) / len(pairs)


def test_training_on_a_few_synthetic_references_generalises(references):
    assert accuracy(CrfLabeller.from_bytes(references), generate_references(100, 2)) > 0.96


def test_training_on_a_few_synthetic_headers_generalises(headers):
    labeller = CrfLabeller.from_bytes(headers)
    assert labeller.metadata["data"] == "made-up"
    assert accuracy(labeller, [header.tokens for header in generate_headers(30, 2)]) > 0.93


@pytest.mark.parametrize("kind", ["headers", "references"])
def test_shipped_models_are_small_and_label_synthetic_papers(kind):
    labeller = CrfLabeller.shipped(kind)
    assert "made-up" in labeller.metadata["data"]
    items = (
        generate_references(150, 77)
        if kind == "references"
        else [header.tokens for header in generate_headers(40, 77)]
    )
    assert accuracy(labeller, items) > {"headers": 0.96, "references": 0.98}[kind]
    path = Path(crf.__file__).parents[1] / "models" / f"{kind}.crf"
    assert path.stat().st_size <= 8_000_000


def test_stacking_on_a_base_improves_accuracy(references):
    base = CrfLabeller.from_bytes(references)
    lesson, test = generate_references(12, 3), generate_references(80, 4)
    alone = CrfLabeller.from_bytes(train_crf_labeller("references", lesson, training=QUICK))
    stacked = CrfLabeller.from_bytes(
        train_crf_labeller("references", lesson, training=QUICK, base=base)
    )
    assert accuracy(stacked, test) > accuracy(alone, test)
    assert set(stacked.models) == {"words", "made-up words"}
    assert stacked.stages(test[0])["made-up words"] == base.tag(test[0])


def test_headers_can_be_stacked(headers):
    base = CrfLabeller.from_bytes(headers)
    lesson = [header.tokens for header in generate_headers(6, 3)]
    stacked = CrfLabeller.from_bytes(
        train_crf_labeller("headers", lesson, training=QUICK, base=base)
    )
    assert set(stacked.stages(lesson[0])) == {"lines", "words", "made-up lines", "made-up words"}
    with pytest.raises(UsageError, match="stand-alone"):
        train_crf_labeller("headers", lesson, base=stacked)
    with pytest.raises(UsageError, match="stand-alone"):
        train_crf_labeller("references", lesson, base=base)


def test_training_is_repeatable():
    items = generate_headers(6, 9)
    tokens = [header.tokens for header in items]
    assert train_crf_labeller("headers", tokens) == train_crf_labeller("headers", tokens)


def test_trains_on_one_item_and_ignores_unlabelled_words():
    item = [Token("Spiders", "title"), Token("stray"), Token("Lee", "author", 1)]
    labeller = CrfLabeller.from_bytes(train_crf_labeller("headers", [item, [Token("x")]]))
    assert [g.label for g in labeller.tag([item[0], item[2]])] == ["title", "author"]
    assert labeller.tag([]) == []


def test_confidences_are_probabilities(references):
    labeller = CrfLabeller.from_bytes(references)
    for item in generate_references(30, 5):
        assert all(0.0 <= prediction.confidence <= 1.0 + 1e-9 for prediction in labeller.tag(item))


def test_refuses_invalid_arguments_and_files(references, tmp_path):
    with pytest.raises(UsageError, match="has a label"):
        train_crf_labeller("references", [[Token("x")]])
    for call in (
        CrfLabeller.shipped,
        lambda kind: train_shipped_model(kind, tmp_path),
        lambda kind: train_crf_labeller(kind, []),
    ):
        with pytest.raises(UnknownName, match="headers"):
            call("header")
    fields, about = crf.unpack(references)
    with pytest.raises(UsageError, match="another version"):
        CrfLabeller.from_bytes(crf.pack(fields, {**about, "features": -1}))
    for wrong in ({"kind": "headers"}, {"kind": None}, {"kind": ["headers"]}):
        with pytest.raises(UsageError, match="not a model for"):
            CrfLabeller.from_bytes(crf.pack(fields, {**about, **wrong}))
    (tmp_path / "m").write_bytes(references[:-1])
    with pytest.raises(UsageError, match="damaged"):
        CrfLabeller.load(tmp_path / "m")


@pytest.mark.realdata
@needs_corpora
def test_shipped_models_label_real_papers():
    items = read_references(CORPORA / "cora-references" / "tagged_references.txt")[:100]
    items = [[t for t in item if t.label] for item in items]
    assert accuracy(CrfLabeller.shipped("references"), items) > 0.93
    items = read_headers(CORPORA / "cora-headers" / "tagged_headers.txt")[:40]
    items = [[t for t in item if t.label] for item in items]
    assert accuracy(CrfLabeller.shipped("headers"), items) > 0.92
