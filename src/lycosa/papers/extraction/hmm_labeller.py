"""Labeller of headers and references by hidden Markov models.

A *reading* is the way in which tokens become observations of the model:

* `plain`, after Seymore, McCallum & Rosenfeld 1999: without punctuation, case and
  line ends; transitions are maximum-likelihood estimates;
* `printed`: unknown words are estimated by their shape, the punctuation after a word
  and the end of its line are its position, and transitions are smoothed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from lycosa.errors import UnknownName, UsageError
from lycosa.learn.absolute_discounting import Symbol
from lycosa.learn.hmm_tagger import HmmTagger, Observation, Smoothing
from lycosa.learn.state_merging import (
    Structure,
    maximally_specific,
    merge_neighbours,
    merge_v,
    one_state_per_class,
)
from lycosa.papers.extraction.labeller import ITEM_KINDS, HeaderLine, Prediction
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.extraction.tokens import ends_line, final_punctuation, normalise_word, word_shape

_log = logging.getLogger("lycosa.papers")

StructureBuilder: TypeAlias = Callable[[Sequence[Sequence[str]]], Structure]
"""A function from the label sequences of the training data to the states of a model."""


def neighbour_merged_structure(sequences: Sequence[Sequence[str]]) -> Structure:
    """Return the neighbour-merged model, from which all other merging starts."""
    return merge_neighbours(maximally_specific(sequences))


def _bayes_merged(sequences: Sequence[Sequence[str]]) -> Structure:
    # Imported here because it loads SciPy, which takes half a second.
    from lycosa.learn.bayesian_merging import merge_bayesian

    return merge_bayesian(merge_v(neighbour_merged_structure(sequences)))


AUTOMATIC: dict[str, StructureBuilder] = {
    "one-state": one_state_per_class,
    "v-merged": lambda sequences: merge_v(neighbour_merged_structure(sequences)),
    "bayes-merged": _bayes_merged,
}
"""The structures that are learned without manual merges, by name."""


def _plain_observations(tokens: Sequence[Token]) -> list[Observation]:
    """Return words without punctuation, case and line ends."""
    return [Observation(Symbol(normalise_word(token.text))) for token in tokens]


def _printed_observations(tokens: Sequence[Token]) -> list[Observation]:
    """Return words with their shape, the punctuation after them, and whether a line ends there."""
    return [
        Observation(
            Symbol(normalise_word(token.text), word_shape(token.text)),
            final_punctuation(token.text) + ("/" if ends_line(tokens, n) else ""),
        )
        for n, token in enumerate(tokens)
    ]


_READINGS: dict[str, tuple[Callable[[Sequence[Token]], list[Observation]], Smoothing]] = {
    "plain": (_plain_observations, Smoothing(steps=0.0)),
    "printed": (_printed_observations, Smoothing()),
}
READINGS = tuple(_READINGS)
"""The names of the readings."""


@dataclass(frozen=True)
class HmmLabeller:
    """A labeller of headers or of references."""

    kind: str
    """One of `ITEM_KINDS`."""
    reading: str
    """One of `READINGS`: the one that the model was trained with."""
    tagger: HmmTagger
    """The trained hidden Markov model, over observations of that reading."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Further metadata of the model file."""

    @classmethod
    def trained(
        cls,
        kind: str,
        items: Sequence[Sequence[Token]],
        build_structure: StructureBuilder,
        reading: str = "printed",
        **metadata: str,
    ) -> HmmLabeller:
        """Train on labelled items; tokens without a label or without letters are left out."""
        if reading not in _READINGS:
            raise UnknownName("reading", reading, READINGS)
        read, smoothing = _READINGS[reading]
        kept = [
            [token for token in item if token.label and normalise_word(token.text)]
            for item in items
        ]
        kept = [item for item in kept if item]
        if not kept:
            raise UsageError(f"No word of these {kind} has a label; label some and try again.")
        structure = build_structure([[token.label for token in item] for item in kept])
        words = [read(item) for item in kept]
        return cls(kind, reading, HmmTagger.trained(structure, words, smoothing), metadata)

    def tag(self, tokens: Sequence[Token], layout: Sequence[HeaderLine] = ()) -> list[Prediction]:
        """Return a label with its confidence for each token; `layout` is not used.

        A token without letters or digits gets the prediction of the token before it.
        """
        read, _ = _READINGS[self.reading]
        tags = iter(
            self.tagger.tag(read([token for token in tokens if normalise_word(token.text)]))
        )
        found = [
            Prediction(*next(tags)) if normalise_word(token.text) else None for token in tokens
        ]
        last = next((prediction for prediction in found if prediction), Prediction("", 0.0))
        predictions = []
        for prediction in found:
            last = prediction or last
            predictions.append(last)
        return predictions

    def save(self, path: Path) -> None:
        """Write a model file."""
        self.tagger.save(path, **{**self.metadata, "kind": self.kind, "reading": self.reading})

    @classmethod
    def load(cls, path: Path) -> HmmLabeller:
        """Read a model file; raise `UsageError` if it cannot be used."""
        try:
            tagger, metadata = HmmTagger.load(path)
        except UsageError as error:
            _log.debug("Cannot read the model %s", path, exc_info=True)
            message = f"{path} cannot be used ({error.__cause__}); copy or train it again."
            raise UsageError(message) from error
        kind, reading = metadata.pop("kind", ""), metadata.pop("reading", "")
        if kind not in ITEM_KINDS or reading not in READINGS:
            raise UsageError(f"{path} is not a model for headers or references; train one.")
        return cls(kind, reading, tagger, metadata)
