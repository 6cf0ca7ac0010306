"""Labels for the words of headers and references, by hidden Markov models.

How printed tokens become words for the model is a *reading*:

* `plain`, after Seymore, McCallum & Rosenfeld 1999: no punctuation, no case,
  no lines; transitions are the most likely ones;
* `printed`: strangers are known by their shape, the mark after a word and the
  end of its line are its place, and transitions are smoothed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from lycosa.errors import UnknownName, UsageError
from lycosa.learn.absolute_discounting import Symbol
from lycosa.learn.hmm_tagger import HmmTagger, Smoothing, Word
from lycosa.learn.state_merging import (
    Structure,
    maximally_specific,
    neighbour_merged,
    one_state_per_class,
    v_merged,
)
from lycosa.papers.extraction.crf import Prediction
from lycosa.papers.extraction.crf_labeller import ITEM_KINDS
from lycosa.papers.extraction.header_features import HeaderLine
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.extraction.tokens import ends_line, final_punctuation, normalise_word, word_shape

StructureBuilder: TypeAlias = Callable[[Sequence[Sequence[str]]], Structure]
"""Makes the states of a model from the labels of the training sequences."""


def neighbours(sequences: Sequence[Sequence[str]]) -> Structure:
    """The neighbour-merged model, where every merging begins."""
    return neighbour_merged(maximally_specific(sequences))


def _bayes_merged(sequences: Sequence[Sequence[str]]) -> Structure:
    # It brings SciPy along, half a second that only who asks for it has to wait.
    from lycosa.learn.bayesian_merging import bayes_merged

    return bayes_merged(v_merged(neighbours(sequences)))


AUTOMATIC: dict[str, StructureBuilder] = {
    "one-state": one_state_per_class,
    "v-merged": lambda sequences: v_merged(neighbours(sequences)),
    "bayes-merged": _bayes_merged,
}
"""The structures that need no person, by name."""


def plain(tokens: Sequence[Token]) -> list[Word]:
    """Words without punctuation, case and lines."""
    return [Word(Symbol(normalise_word(token.text))) for token in tokens]


def printed(tokens: Sequence[Token]) -> list[Word]:
    """Words with their shape, what mark follows them, and whether a line ends there."""
    return [
        Word(
            Symbol(normalise_word(token.text), word_shape(token.text)),
            final_punctuation(token.text) + ("/" if ends_line(tokens, n) else ""),
        )
        for n, token in enumerate(tokens)
    ]


_READINGS: dict[str, tuple[Callable[[Sequence[Token]], list[Word]], Smoothing]] = {
    "plain": (plain, Smoothing(steps=0.0)),
    "printed": (printed, Smoothing()),
}
READINGS = tuple(_READINGS)
"""The names of the readings."""


@dataclass(frozen=True)
class HmmLabeller:
    """A model, whether it is for headers or references, and the reading it was trained with."""

    kind: str
    reading: str
    tagger: HmmTagger
    about: Mapping[str, str] = field(default_factory=dict)
    """What else its file says of it."""

    @classmethod
    def trained(
        cls,
        kind: str,
        items: Sequence[Sequence[Token]],
        build: StructureBuilder,
        reading: str = "printed",
        **about: str,
    ) -> HmmLabeller:
        """Learn from labelled items; words without a label or without letters are left out."""
        if reading not in _READINGS:
            raise UnknownName("reading", reading, READINGS)
        read, smoothing = _READINGS[reading]
        kept = [
            [token for token in item if token.label and normalise_word(token.text)]
            for item in items
        ]
        kept = [item for item in kept if item]
        if not kept:
            raise UsageError(f"No word of these {kind} has a label; tag some and try again.")
        structure = build([[token.label for token in item] for item in kept])
        words = [read(item) for item in kept]
        return cls(kind, reading, HmmTagger.trained(structure, words, smoothing), about)

    def tag(self, tokens: Sequence[Token], layout: Sequence[HeaderLine] = ()) -> list[Prediction]:
        """A label for each token, and how probable it is; the looks of lines are not used.

        A token without letters or digits goes with the one before it.
        """
        read, _ = _READINGS[self.reading]
        tags = iter(
            self.tagger.tag(read([token for token in tokens if normalise_word(token.text)]))
        )
        found = [
            Prediction(*next(tags)) if normalise_word(token.text) else None for token in tokens
        ]
        last = next((guess for guess in found if guess), Prediction("", 0.0))
        out = []
        for guess in found:
            last = guess or last
            out.append(last)
        return out

    def save(self, path: Path) -> None:
        """Write it to a file."""
        self.tagger.save(path, **{**self.about, "kind": self.kind, "reading": self.reading})

    @classmethod
    def load(cls, path: Path) -> HmmLabeller:
        """Read it again; a file that cannot be used is refused."""
        try:
            tagger, about = HmmTagger.load(path)
        except UsageError as fault:
            why = f"{path} cannot be used ({fault.__cause__}); copy or train it again."
            raise UsageError(why) from fault
        kind, reading = about.pop("kind", ""), about.pop("reading", "")
        if kind not in ITEM_KINDS or reading not in READINGS:
            raise UsageError(f"{path} is no model for headers or references; train one.")
        return cls(kind, reading, tagger, about)
