"""Labeller of headers and references by conditional random fields.

For references, a `CrfLabeller` has one CRF over words; for headers, one over lines and,
stacked on it, one over words. That of words is a pool of two (`opinion_pool`).
`train_crf_labeller` makes a model file from labelled items, such as those that
`extraction.tagged` reads or `papers.synthetic` generates. A few hundred hand-labelled
items give the best result when they are stacked on a base labeller trained on thousands
of synthetic items: the stacked CRFs take the predictions of the base as features.

>>> from lycosa.papers.synthetic import generate_references
>>> model = train_crf_labeller("references", generate_references(40, seed=1))
>>> labeller = CrfLabeller.from_bytes(model)
>>> words = [Token("Smith,"), Token("J."), Token("(1999).")]
>>> [prediction.label for prediction in labeller.tag(words)]
['author', 'author', 'date']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

from lycosa.errors import UnknownName, UsageError
from lycosa.papers.extraction import crf, features, reference_features
from lycosa.papers.extraction.crf import MODELS, Crf, Row, StoredLabeller, mark_beginnings
from lycosa.papers.extraction.header_features import (
    header_features,
    line_features,
    line_labels,
    line_spans,
    open_words,
)
from lycosa.papers.extraction.labeller import ITEM_KINDS, HeaderLine, Prediction
from lycosa.papers.extraction.opinion_pool import pool
from lycosa.papers.extraction.reference_tokens import split_word
from lycosa.papers.extraction.tagged import Token

_VERSIONS = {"headers": features.VERSION, "references": reference_features.VERSION}
_PARTS = {"headers": ("lines", "words"), "references": ("words",)}
_BASE = "made-up "  # prefix of the models of the base, part of the file format
_REQUIRED = ("title", "author")  # of a header
_FOLDS = 4
_HIGH_CONFIDENCE = 0.9


class CrfTraining(NamedTuple):
    """Training parameters of `crf.train`; the defaults suit a few hundred hand-labelled items.

    Parameters
    ----------
    c1
        Weight of the L1 penalty; a larger one sets more weights to 0 and makes a smaller model.
    c2
        Weight of the L2 penalty; a larger one keeps weights small, against overfitting.
    iterations
        Most iterations of L-BFGS.
    min_count
        A feature that occurs fewer times with a label gets no weight for that label.
    """

    c1: float = 0.0
    c2: float = 1.0
    iterations: int = 150
    min_count: int = 1


@dataclass(frozen=True)
class CrfLabeller(StoredLabeller):
    """A labeller of headers or of references."""

    kind: str
    """One of `ITEM_KINDS`."""
    models: Mapping[str, Crf]
    """The CRFs by their names: `words`, for headers `lines`; those of a base have a prefix."""
    metadata: Mapping[str, Any]
    """The metadata of the model file."""

    @classmethod
    def shipped(cls, kind: str) -> Self:
        """Return the labeller that comes with the package."""
        return cls.load(MODELS / f"{_check_kind(kind)}.crf")

    @classmethod
    def _checked(cls, models: dict[str, Crf], metadata: dict[str, Any], name: str) -> Self:
        kind = metadata.get("kind")
        parts = set(_PARTS.get(str(kind), ()))
        if not parts or set(models) not in (parts, parts | {_BASE + part for part in parts}):
            raise UsageError(f"{name} is not a model for headers or references; train one.")
        crf.check_features(metadata, _VERSIONS[str(kind)], name)
        return cls(str(kind), models, metadata)

    def save(self, path: Path) -> None:
        """Write a model file."""
        path.write_bytes(crf.pack(self.models, self.metadata))

    def tag(self, tokens: Sequence[Token], layout: Sequence[HeaderLine] = ()) -> list[Prediction]:
        """Return a label with its confidence for each token."""
        found = self.stages(tokens, layout)["words"]
        return _whole_words(tokens, found) if self.kind == "references" else found

    def stages(
        self, tokens: Sequence[Token], layout: Sequence[HeaderLine] = ()
    ) -> dict[str, list[Prediction]]:
        """Return the predictions of every CRF for an item; those of `words` are the result.

        In references they are for the parts of words between which a field may end.
        """
        predictions: dict[str, list[Prediction]] = {}
        for prefix in (_BASE, "") if _BASE + "words" in self.models else ("",):
            for part in _PARTS[self.kind]:
                name = prefix + part
                positions = _positions(self.kind, name, tokens, predictions)
                rows = _rows(self.kind, name, tokens, layout, predictions, positions)
                required = _REQUIRED if self.kind == "headers" and part == "words" else ()
                found = self.models[name].tag(rows, required)
                if len(positions) < len(tokens) and part == "words":
                    found = _fill(found, positions, predictions[prefix + "lines"], tokens)
                predictions[name] = found
        return predictions


def _positions(
    kind: str, part: str, tokens: Sequence[Token], predictions: Mapping[str, list[Prediction]]
) -> Sequence[int]:
    """Return the elements that a CRF labels; the others have the label of their line."""
    if kind == "headers" and part.endswith("words"):
        return open_words(tokens, predictions[part.replace("words", "lines")])
    return range(len(tokens))


def _fill(
    found: Sequence[Prediction],
    positions: Sequence[int],
    lines: Sequence[Prediction],
    tokens: Sequence[Token],
) -> list[Prediction]:
    """Return predictions for all words: those found at positions, and those of the lines."""
    spans = zip(line_spans(tokens), lines, strict=True)
    every = [prediction for (a, b), prediction in spans for _ in range(a, b)]
    for position, prediction in zip(positions, found, strict=True):
        every[position] = prediction
    return every


def _rows(
    kind: str,
    part: str,
    tokens: Sequence[Token],
    layout: Sequence[HeaderLine],
    predictions: Mapping[str, list[Prediction]],
    positions: Sequence[int],
) -> list[Row]:
    """Return the features of one CRF of a labeller, given the predictions of those before it."""
    name = part.removeprefix(_BASE)
    if kind == "references":
        rows = reference_features.reference_features(
            [part for token in tokens for part in split_word(token.text)]
        )
    elif name == "lines":
        rows = line_features(tokens, layout)
    else:
        rows = header_features(tokens, predictions[part.replace("words", "lines")], positions)
    base = predictions.get(_BASE + name) if name == part else None
    if base is not None and len(rows) < len(base):
        base = [base[position] for position in positions]
    return rows if base is None else _with_base_predictions(rows, base)


def _whole_words(tokens: Sequence[Token], found: Sequence[Prediction]) -> list[Prediction]:
    """Return the prediction of each token: that of its longest part."""
    predictions = []
    parts = iter(found)
    for token in tokens:
        own = [(len(part), next(parts)) for part in split_word(token.text)]
        predictions.append(max(own, key=lambda pair: pair[0])[1])
    return predictions


def _row_labels(kind: str, item: Sequence[Token], positions: Sequence[int]) -> list[str]:
    """Return the label of each row of the words of an item."""
    if kind == "headers":
        return [item[n].label for n in positions]
    return [token.label for token in item for _ in split_word(token.text)]


def _train_words(
    rows: Sequence[list[Row]], labels: Sequence[list[str]], parameters: Mapping[str, Any]
) -> Crf:
    """Train two CRFs over words, with and without labels of beginnings, and pool them.

    With labels of first words the boundaries of fields are found better, without them more
    words are seen with each label.
    """
    marked = [mark_beginnings(sequence) for sequence in labels]
    return pool([crf.train(rows, known, **parameters) for known in (marked, labels)])


def _with_base_predictions(rows: Sequence[Row], base: Sequence[Prediction]) -> list[Row]:
    """Add the predictions of the base for each row and its neighbours to the features."""
    last = len(base) - 1
    extended = []
    for n, (row, (label, confidence)) in enumerate(zip(rows, base, strict=True)):
        hint = [f"made={label}", f"made={label}{confidence > _HIGH_CONFIDENCE}"]
        before = base[n - 1].label if n else "edge"
        after = base[n + 1].label if n < last else "edge"
        extended.append([*row, *hint, f"made-={before}", f"made+={after}"])
    return extended


def train_crf_labeller(
    kind: str,
    items: Sequence[Sequence[Token]],
    layouts: Sequence[Sequence[HeaderLine]] | None = None,
    training: CrfTraining | None = None,
    base: CrfLabeller | None = None,
    **metadata: str,
) -> bytes:
    """Train on labelled items and return a model file; tokens without a label are left out.

    `layouts` has the lines of each header, if their layout is known. With a `base`,
    such as `CrfLabeller.shipped(kind)`, the predictions of that labeller become
    features, and the file contains the base. `metadata` is stored in the file.
    """
    _check_kind(kind)
    tagged = [[token for token in item if token.label] for item in items]
    pairs = zip(tagged, layouts or [()] * len(tagged), strict=True)
    kept = [(item, layout) for item, layout in pairs if item]
    if not kept:
        raise UsageError(f"No word of these {kind} has a label; label some and try again.")
    if base is not None and (base.kind != kind or _BASE + "words" in base.models):
        raise UsageError(f"The base is not a stand-alone labeller for {kind}; give another.")
    parameters = (training or CrfTraining())._asdict()
    predicted = [
        {_BASE + part: found for part, found in base.stages(item, layout).items()} if base else {}
        for item, layout in kept
    ]
    models = {_BASE + part: model for part, model in base.models.items()} if base else {}

    def positions(part: str) -> list[Sequence[int]]:
        return [
            _positions(kind, part, item, known)
            for (item, _), known in zip(kept, predicted, strict=True)
        ]

    def rows(part: str) -> list[list[Row]]:
        return [
            _rows(kind, part, item, layout, known, chosen)
            for (item, layout), known, chosen in zip(kept, predicted, positions(part), strict=True)
        ]

    if kind == "headers":
        lines = rows("lines")
        labels = [line_labels(item) for item, _ in kept]
        models["lines"] = crf.train(lines, labels, **parameters)
        held_out = _held_out_predictions(lines, labels, models["lines"], parameters)
        for known, predictions in zip(predicted, held_out, strict=True):
            known["lines"] = predictions
    labels = [
        _row_labels(kind, item, chosen)
        for (item, _), chosen in zip(kept, positions("words"), strict=True)
    ]
    models["words"] = _train_words(rows("words"), labels, parameters)
    return crf.pack(models, {**metadata, "kind": kind, "features": _VERSIONS[kind]})


def _held_out_predictions(
    rows: Sequence[list[Row]],
    labels: Sequence[list[str]],
    model: Crf,
    parameters: Mapping[str, Any],
) -> list[list[Prediction]]:
    """Return predictions for each item by a CRF that was not trained on it.

    A stacked CRF would otherwise learn the confidence of the first CRF on its own
    training data, which is too high.
    """
    folds = min(_FOLDS, len(rows))
    if folds < 2:
        return [model.tag(row) for row in rows]
    predictions: list[list[Prediction]] = [[] for _ in rows]
    for fold in range(folds):
        others = [n for n in range(len(rows)) if n % folds != fold]
        other = crf.train([rows[n] for n in others], [labels[n] for n in others], **parameters)
        for n in range(fold, len(rows), folds):
            predictions[n] = other.tag(rows[n])
    return predictions


def _check_kind(kind: str) -> str:
    if kind not in ITEM_KINDS:
        raise UnknownName("kind of text to label", kind, ITEM_KINDS)
    return kind
