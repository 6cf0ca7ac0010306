"""Sequence tagger by a hidden Markov model (Seymore, McCallum & Rosenfeld 1999).

Every state has a class and shares the emissions of its class. A word may have a `place`, such
as "last of its line". Then each state has a twin for each place, so that transitions depend
on the place: this is how line ends mark the ends of fields.

A tagger consists of counts, and its JSON file stores these.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lycosa.content import Ints
from lycosa.errors import UsageError
from lycosa.learn.absolute_discounting import Alphabet, Symbol, discount_counts
from lycosa.learn.hmm import Chain, Floats, step_counts
from lycosa.learn.state_merging import Structure

_log = logging.getLogger("lycosa.learn")

_FORMAT = "lycosa hmm tagger 1"
MAX_STATES = 4_000  # of a file: a matrix of more steps would not fit into memory


class Observation(NamedTuple):
    """What a tagger observes of a word: its `symbol`, and the name of its `place` on the page.

    Steps between states are counted for each place apart; "" where places do not matter.
    """

    symbol: Symbol
    place: str = ""


class Tag(NamedTuple):
    """The label of a word; `confidence` is the posterior probability of that label."""

    label: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Smoothing:
    """Probability mass for events that training does not show.

    `words` and `steps` are the absolute discounts of the counts of words in a class and of
    steps between states. The mass freed from steps goes to the followers of the state at any
    place, and then to the followers of its class. `escape` is the probability of a step to
    any state; with `escape` and `steps` 0 the chain is the maximum-likelihood one.
    """

    words: float = 0.5
    steps: float = 0.5
    escape: float = 1e-6


@dataclass(frozen=True, eq=False)
class HmmTagger:
    """Hidden Markov model of labelled words: counts of steps between states and of emissions.

    >>> from lycosa.learn.state_merging import one_state_per_class
    >>> words = [Observation(Symbol(text)) for text in "web spiders ann lee".split()]
    >>> structure = one_state_per_class([["title", "title", "author", "author"]])
    >>> tagger = HmmTagger.trained(structure, [words])
    >>> [tag.label for tag in tagger.tag([words[1], words[2], words[3]])]
    ['title', 'author', 'author']
    """

    labels: tuple[str, ...]
    """Names of the classes."""
    classes: tuple[int, ...]
    """Class of each state."""
    places: tuple[str, ...]
    """Known places; the twins of state s are s * len(places), s * len(places) + 1, and so on."""
    steps: Floats
    """Counts of steps between twins, in the layout of `step_counts`."""
    alphabet: Alphabet
    """The symbols of the training words, which number the rows of `emissions`."""
    emissions: Floats
    """Counts of symbols (rows) in classes (columns)."""
    smoothing: Smoothing = Smoothing()
    """How probabilities are estimated from the counts."""

    @classmethod
    def trained(
        cls,
        structure: Structure,
        sequences: Sequence[Sequence[Observation]],
        smoothing: Smoothing = Smoothing(),  # noqa: B008 - it is frozen
    ) -> HmmTagger:
        """Train a tagger; `sequences` are the observations that the structure was learned from."""
        if [len(path) for path in structure.paths] != [len(words) for words in sequences]:
            raise UsageError("The structure was learned from other sequences; give the same ones.")
        flat = [word for words in sequences for word in words]
        if not flat:
            raise UsageError("There are no words to learn from; give labelled sequences.")
        labels = tuple(sorted(set(structure.labels)))
        classes = np.array([labels.index(label) for label in structure.labels], np.int32)
        places = tuple(sorted({word.place for word in flat}))
        twins = [
            [state * len(places) + places.index(w.place) for state, w in zip(*pair, strict=True)]
            for pair in zip(structure.paths, sequences, strict=True)
        ]
        symbols = [word.symbol for word in flat]
        alphabet = Alphabet.of(symbols)
        states = np.array([state for path in structure.paths for state in path])
        return cls(
            labels,
            tuple(classes.tolist()),
            places,
            step_counts(twins, len(classes) * len(places)),
            alphabet,
            alphabet.counts(symbols, classes[states], len(labels)),
            smoothing,
        )

    @cached_property
    def chain(self) -> Chain:
        """Chain of the twins."""
        # The start is one more state, alone in its class and without a twin.
        classes = np.append(self.classes, len(self.labels)).astype(np.int32)
        states = np.append(
            np.repeat(np.arange(len(self.classes)), len(self.places)), len(classes) - 1
        )
        by_state = _sum_groups(self.steps, states, len(classes))
        by_class = _sum_groups(by_state, classes, len(self.labels) + 1)
        discount = self.smoothing.steps
        likely = discount_counts(by_class.T, discount)
        likely = discount_counts(by_state.T, discount, likely[:, classes])
        likely = discount_counts(self.steps.T, discount, likely[:, states])
        return Chain.of(likely.T, self.smoothing.escape)

    @cached_property
    def _log_emissions(self) -> Floats:
        shares = discount_counts(self.emissions, self.smoothing.words)
        return np.asarray(np.log(shares[:, list(self.classes)]))

    def tag(self, words: Sequence[Observation]) -> list[Tag]:
        """Return the label of each word on the most likely path, with its posterior probability."""
        if not words:
            return []
        emitted = self._emitted(words)
        path, _ = self.chain.viterbi(emitted)
        classes = np.repeat(np.array(self.classes), len(self.places))
        found = classes[path]
        confidence = (self.chain.posteriors(emitted) * (classes == found[:, None])).sum(axis=1)
        tags = zip(found.tolist(), confidence.tolist(), strict=True)
        return [Tag(self.labels[label], min(share, 1.0)) for label, share in tags]

    def _emitted(self, words: Sequence[Observation]) -> Floats:
        """Return the emissions of the twins: a twin emits only words at its place."""
        rows = self._log_emissions[self.alphabet.numbers(word.symbol for word in words)]
        every = {place: n for n, place in enumerate(self.places)}
        out = np.full((*rows.shape, len(self.places)), -np.inf)
        for t, word in enumerate(words):
            # An unknown place may be any of the known ones.
            out[t, :, every.get(word.place, slice(None))] = (
                rows[t] if word.place in every else rows[t][:, None]
            )
        return out.reshape(len(words), -1)

    def save(self, path: Path, **about: str) -> None:
        """Write the tagger to a file; `about` is stored with it."""
        body = {
            "about": about,
            "labels": self.labels,
            "classes": self.classes,
            "places": self.places,
            "smoothing": asdict(self.smoothing),
            "words": list(self.alphabet.words),
            "shapes": list(self.alphabet.shapes),
            "steps": _sparse(self.steps),
            "emissions": _sparse(self.emissions),
        }
        text = json.dumps(body, separators=(",", ":"))
        path.write_text(f"{_FORMAT} {_digest(text)}\n{text}\n", encoding="ascii")

    @classmethod
    def load(cls, path: Path) -> tuple[HmmTagger, dict[str, str]]:
        """Read a tagger and what `save` stored about it; raise `UsageError` for a damaged file."""
        try:
            head, text = path.read_text(encoding="ascii").split("\n", 1)
            if head != f"{_FORMAT} {_digest(text.removesuffix(chr(10)))}":
                raise ValueError("its checksum or format is wrong")
            return cls._unpacked(json.loads(text))
        except (OSError, ValueError, TypeError, LookupError, RecursionError) as fault:
            _log.debug("cannot load the tagger %s", path, exc_info=True)
            raise UsageError(
                f"{path} cannot be used as a tagger ({fault}); copy it again or train it again."
            ) from fault

    @classmethod
    def _unpacked(cls, body: dict[str, Any]) -> tuple[HmmTagger, dict[str, str]]:
        labels, classes, places = (tuple(body[k]) for k in ("labels", "classes", "places"))
        alphabet = Alphabet.listed(body["words"], body["shapes"])
        twins = len(classes) * len(places)
        if twins > MAX_STATES or not all(0 <= label < len(labels) for label in classes):
            raise ValueError("its states are inconsistent")
        tagger = cls(
            labels,
            classes,
            places,
            _dense(body["steps"], (twins + 1, twins + 1)),
            alphabet,
            _dense(body["emissions"], (len(alphabet), len(labels))),
            Smoothing(**body["smoothing"]),
        )
        return tagger, dict(body["about"])


def _sum_groups(rows: Floats, groups: Ints, size: int) -> Floats:
    sums = np.zeros((size, rows.shape[1]))
    np.add.at(sums, groups, rows)
    return sums


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _sparse(counts: Floats) -> list[list[float]]:
    rows, columns = counts.nonzero()
    return [rows.tolist(), columns.tolist(), counts[rows, columns].tolist()]


def _dense(parts: list[list[float]], shape: tuple[int, int]) -> Floats:
    rows, columns, values = (np.array(part) for part in parts)
    if not (len(rows) == len(columns) == len(values)):
        raise ValueError("its lists of counts differ in length")
    if len(values) and not (min(rows.min(), columns.min()) >= 0 < values.min() < np.inf):
        raise ValueError("its counts are out of range")
    counts = np.zeros(shape)
    counts[rows.astype(int), columns.astype(int)] = values
    return counts
