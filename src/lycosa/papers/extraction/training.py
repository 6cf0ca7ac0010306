"""Taggers for papers of one's own, by either method.

`crf` is a conditional random field (`papers.labelling`), `hmm` a hidden Markov
model (`papers.hmm_labeller`). Both hear of made-up references beside those
labelled by hand, for that helps both; headers are learned from those alone.

>>> from lycosa.papers.extraction.tagged import NEW_HEADER, parse_tagged
>>> text = "<NEW_HEADER> <title> Web Spiders </title> <author> Ann Lee </author>"
>>> tagger = train("headers", parse_tagged(text, NEW_HEADER), "hmm")
>>> [guess.label for guess in tagger.tag([Token("Spiders"), Token("Lee")], ())]
['title', 'author']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from lycosa.errors import UnknownName, UsageError
from lycosa.papers.extraction.header_hmm import train_headers
from lycosa.papers.extraction.labelling import KINDS, Tagger, train_tagger
from lycosa.papers.extraction.reference_hmm import train_references
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.extraction.taggers import TrainedLabeller
from lycosa.papers.synthetic import print_references

Items: TypeAlias = Sequence[Sequence[Token]]

MADE_UP = 2000
"""Made-up references that are shown to a hidden Markov model."""


def _crf(kind: str, items: Items, data: str) -> TrainedLabeller:
    base = Tagger.shipped(kind) if kind == "references" else None
    return Tagger.from_bytes(train_tagger(kind, items, base=base, data=data))


def _hmm(kind: str, items: Items, data: str) -> TrainedLabeller:
    if kind == "headers":
        return train_headers(items, "m-merged", data=data)
    return train_references([*items, *print_references(MADE_UP, seed=1)], data=data)


METHODS: dict[str, Callable[[str, Items, str], TrainedLabeller]] = {"crf": _crf, "hmm": _hmm}
"""The ways to learn, by name."""


def train(kind: str, items: Items, method: str = "crf", data: str = "") -> TrainedLabeller:
    """A tagger that learned from labelled headers or references; its file keeps `data`."""
    if kind not in KINDS:
        raise UnknownName("kind of text to label", kind, KINDS)
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    if not any(token.label for item in items for token in item):
        raise UsageError(f"No word of these {kind} has a label; tag some and try again.")
    return METHODS[method](kind, items, data)
