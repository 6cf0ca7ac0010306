"""Training of labellers on hand-labelled items, by either method.

`crf` is a conditional random field (`extraction.crf_labeller`), `hmm` a hidden Markov
model (`extraction.hmm_labeller`). Both use synthetic references beside the labelled
ones, which improves both; headers are learned from the labelled ones alone.

>>> from lycosa.papers.extraction.tagged import NEW_HEADER, parse_tagged
>>> text = "<NEW_HEADER> <title> Web Spiders </title> <author> Ann Lee </author>"
>>> labeller = train_labeller("headers", parse_tagged(text, NEW_HEADER), "hmm")
>>> [prediction.label for prediction in labeller.tag([Token("Spiders"), Token("Lee")], ())]
['title', 'author']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from lycosa.errors import UnknownName, UsageError
from lycosa.papers.extraction.crf_labeller import CrfLabeller, train_crf_labeller
from lycosa.papers.extraction.header_hmm import train_header_hmm
from lycosa.papers.extraction.labeller import ITEM_KINDS, TrainedLabeller
from lycosa.papers.extraction.reference_hmm import train_reference_hmm
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.synthetic import generate_references

Items: TypeAlias = Sequence[Sequence[Token]]

SYNTHETIC_REFERENCES = 2000
"""The number of synthetic references that a hidden Markov model is trained on."""


def _crf(kind: str, items: Items, data: str) -> TrainedLabeller:
    base = CrfLabeller.shipped(kind) if kind == "references" else None
    return CrfLabeller.from_bytes(train_crf_labeller(kind, items, base=base, data=data))


def _hmm(kind: str, items: Items, data: str) -> TrainedLabeller:
    if kind == "headers":
        return train_header_hmm(items, "m-merged", data=data)
    return train_reference_hmm(
        [*items, *generate_references(SYNTHETIC_REFERENCES, seed=1)], data=data
    )


METHODS: dict[str, Callable[[str, Items, str], TrainedLabeller]] = {"crf": _crf, "hmm": _hmm}
"""The training methods, by name."""


def train_labeller(kind: str, items: Items, method: str = "crf", data: str = "") -> TrainedLabeller:
    """Train a labeller on labelled headers or references.

    `data` is the name of the training data, stored in the model file.
    """
    if kind not in ITEM_KINDS:
        raise UnknownName("kind of text to label", kind, ITEM_KINDS)
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    if not any(token.label for item in items for token in item):
        raise UsageError(f"No word of these {kind} has a label; label some and try again.")
    return METHODS[method](kind, items, data)
