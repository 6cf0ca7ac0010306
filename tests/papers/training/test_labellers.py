"""Training of labellers by either method."""

import pytest

from lycosa.errors import UnknownName, UsageError
from lycosa.papers.extraction.labeller import ITEM_KINDS
from lycosa.papers.extraction.model_files import load_labeller
from lycosa.papers.extraction.reference_hmm import train_reference_hmm
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.synthetic import generate_headers, generate_references
from lycosa.papers.training.labellers import METHODS, train_labeller

ITEMS = {
    "headers": [header.tokens for header in generate_headers(12, seed=5)],
    "references": generate_references(30, seed=5),
}


def accuracy(labeller, items):
    pairs = [
        (token.label, prediction.label)
        for item in items
        for token, prediction in zip(item, labeller.tag(item, ()), strict=True)
    ]
    return sum(a == b for a, b in pairs) / len(pairs)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ITEM_KINDS)
def test_trained_labellers_can_be_saved_and_loaded(kind, method, tmp_path):
    labeller = train_labeller(kind, ITEMS[kind], method, data="mine.txt")
    assert accuracy(labeller, ITEMS[kind]) > 0.93
    labeller.save(tmp_path / "model")
    again = load_labeller(tmp_path / "model")
    assert again.kind == kind
    assert again.metadata["data"] == "mine.txt"
    assert again.tag(ITEMS[kind][0], ()) == labeller.tag(ITEMS[kind][0], ())


def test_hidden_markov_models_also_train_on_synthetic_references():
    few, test = ITEMS["references"][:2], ITEMS["references"]
    alone = accuracy(train_reference_hmm(few), test)
    assert accuracy(train_labeller("references", few, "hmm"), test) > max(alone, 0.9)


def test_invalid_arguments_are_refused():
    with pytest.raises(UnknownName, match="no method 'svm'"):
        train_labeller("headers", ITEMS["headers"], "svm")
    with pytest.raises(UnknownName, match="did you mean 'headers'"):
        train_labeller("header", ITEMS["headers"])
    for method in METHODS:
        for items in ([], [[]], [[Token("Spiders")]]):
            with pytest.raises(UsageError, match="label some"):
                train_labeller("references", items, method)
