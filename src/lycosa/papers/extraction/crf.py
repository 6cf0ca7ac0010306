"""Linear-chain conditional random fields (Lafferty, McCallum & Pereira 2001).

A CRF labels a sequence of rows; a row holds the features of one element.
CRFsuite trains the models, and applies them where `crf_tagger` is not compiled. A damaged
model can crash the process that opens it, so models are stored in a container that names
its parts with their sizes and checksums, and only parts that match are opened. The
checksums protect against damage, not against malice: load models only from sources that
you trust.

>>> crf = train([[["w=spider"], ["w=1999"]]] * 3, [["title", "date"]] * 3)
>>> [prediction.label for prediction in crf.tag([["w=spider"], ["w=1999"]])]
['title', 'date']
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeAlias

import pycrfsuite

from lycosa.errors import UsageError
from lycosa.papers.extraction.crf_tagger import Tagger
from lycosa.papers.extraction.labeller import Prediction
from lycosa.reporting.progress import report

Row: TypeAlias = list[str]
"""The features of one element of a sequence, as strings."""

_ITERATION = re.compile(r"Iteration #(\d+)")

MODELS = Path(__file__).parents[1] / "models"
"""The folder of the models that come with the package."""
FORMAT = "lycosa crf 1"
MAX_MODEL_BYTES = 10**8
"""The largest model file that is read."""
MIN_REQUIRED = 0.01
"""The probability that the most likely place of a required label must have."""
BEGIN, INSIDE = "B-", "I-"
"""The marks of the first word of a field and of its other words."""

_log = logging.getLogger("lycosa.papers")

_MAGIC = FORMAT.encode() + b"\n"
_MAX_METADATA_BYTES = 10**5
_MIN_CRFSUITE_BYTES = 48  # the header of a CRFsuite model


class Crf:
    """A trained conditional random field.

    `model` is the content of a CRFsuite model file; it must be undamaged.
    """

    def __init__(self, model: bytes) -> None:
        self.model = model
        self._tagger = Tagger(model)
        self._states: dict[str, list[str]] = {}
        for state in self._tagger.labels():
            self._states.setdefault(field_of(state), []).append(state)

    def __reduce__(self) -> tuple[type[Crf], tuple[bytes]]:
        return type(self), (self.model,)

    @property
    def labels(self) -> list[str]:
        """The labels of the training data, sorted, without marks of beginnings."""
        return sorted(self._states)

    def label(self, rows: Sequence[Row]) -> list[str]:
        """Return the most likely label sequence; faster than `tag`, which adds probabilities."""
        return [field_of(label) for label in self._tagger.tag(rows)]

    def tag(self, rows: Sequence[Row], required: Sequence[str] = ()) -> list[Prediction]:
        """Return the most likely label sequence, each label with its marginal probability.

        If no element has a `required` label, those get it that have it with the
        largest probability, unless even that is very small or they have another of them.
        """
        if not rows:
            return []
        labels = self.label(rows)
        for label in required:
            if label in self._states and label not in labels:
                shares = [self._marginal(label, i) for i in range(len(rows))]
                for i in around_peak(shares):
                    if labels[i] not in required:
                        labels[i] = label
        return [Prediction(label, self._marginal(label, i)) for i, label in enumerate(labels)]

    def _marginal(self, label: str, i: int) -> float:
        first, *others = self._states[label]
        share = self._tagger.marginal(first, i)
        for state in others:
            share += self._tagger.marginal(state, i)
        return share


def mark_beginnings(labels: Sequence[str]) -> list[str]:
    """Return labels that tell the first word of a field from the others (Ramshaw & Marcus 1995).

    Between two labels CRFsuite has one weight, whatever the words are. With these, what
    the words around the beginning of a field look like has weights of its own. `Crf.tag`
    returns the labels without the marks.

    >>> mark_beginnings(["author", "author", "title"])
    ['B-author', 'I-author', 'B-title']
    """
    return [
        f"{INSIDE if n and labels[n - 1] == label else BEGIN}{label}"
        for n, label in enumerate(labels)
    ]


def field_of(state: str) -> str:
    """Return a label without the mark of `mark_beginnings`, if it has one."""
    return state[len(BEGIN) :] if state.startswith((BEGIN, INSIDE)) else state


def around_peak(shares: Sequence[float]) -> range:
    """Return the run of elements around the largest whose share is at least half of it."""
    peak = max(range(len(shares)), key=shares.__getitem__)
    if shares[peak] < MIN_REQUIRED:
        return range(0)
    begin, end = peak, peak + 1
    while begin > 0 and 2 * shares[begin - 1] >= shares[peak]:
        begin -= 1
    while end < len(shares) and 2 * shares[end] >= shares[peak]:
        end += 1
    return range(begin, end)


class _Trainer(pycrfsuite.Trainer):  # type: ignore[misc]
    """A trainer that reports its iterations; it may converge before the last one."""

    iterations = 1

    def message(self, message: str) -> None:
        """Read a line of the log of CRFsuite."""
        if found := _ITERATION.search(message):
            report(int(found[1]), self.iterations)


def train(
    sequences: Iterable[Sequence[Row]],
    labels: Iterable[Sequence[str]],
    *,
    c1: float = 0.0,
    c2: float = 1.0,
    iterations: int = 150,
    min_count: int = 1,
) -> Crf:
    """Train a CRF by L-BFGS on labelled sequences.

    `c1` and `c2` weigh the L1 and L2 penalties. A feature that occurs fewer than
    `min_count` times with a label gets no weight for that label.
    """
    trainer = _Trainer(verbose=False)
    trainer.iterations = iterations
    trainer.select("lbfgs")
    trainer.set_params(
        {"c1": c1, "c2": c2, "max_iterations": iterations, "feature.minfreq": min_count}
    )
    count = 0
    for rows, row_labels in zip(sequences, labels, strict=True):
        if rows:
            trainer.append(rows, row_labels)
            count += 1
    if not count:
        raise UsageError("There is nothing to train on; give at least one labelled item.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        trainer.train(str(path))
        return Crf(path.read_bytes())


def pack(models: Mapping[str, Crf], metadata: Mapping[str, Any]) -> bytes:
    """Return the content of a model file with these models and this metadata."""
    parts = [
        {"name": name, "size": len(f.model), "sha256": hashlib.sha256(f.model).hexdigest()}
        for name, f in models.items()
    ]
    head = _metadata_line({**metadata, "parts": parts})
    return b"".join([_MAGIC, head, b"\n", *(f.model for f in models.values())])


def _metadata_line(metadata: Mapping[str, Any]) -> bytes:
    return json.dumps(metadata, sort_keys=True).encode()


def unpack(data: bytes, name: str = "The model") -> tuple[dict[str, Crf], dict[str, Any]]:
    """Return the models and the metadata of a model file; `name` is used in error messages.

    >>> unpack(b"lCRF and so on")
    Traceback (most recent call last):
    lycosa.errors.UsageError: The model is not a model file of this version; train it again.
    """
    if not data.startswith(_MAGIC):
        raise UsageError(f"{name} is not a model file of this version; train it again.")
    head, newline, _ = data[len(_MAGIC) : len(_MAGIC) + _MAX_METADATA_BYTES].partition(b"\n")
    damaged = UsageError(f"{name} is damaged; copy or train it again.")
    start = len(_MAGIC) + len(head) + 1
    models: dict[str, Crf] = {}
    try:
        metadata = json.loads(head)
        if _metadata_line(metadata) != head:
            raise damaged
        for part in metadata.pop("parts"):
            model = data[start : start + part["size"]]
            start += part["size"]
            whole = _MIN_CRFSUITE_BYTES <= len(model) == part["size"]
            if not whole or hashlib.sha256(model).hexdigest() != part["sha256"]:
                raise damaged
            models[str(part["name"])] = Crf(model)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        _log.debug("Cannot unpack %s", name, exc_info=True)
        raise damaged from error
    if start != len(data) or not newline:
        raise damaged
    return models, metadata


def check_features(metadata: Mapping[str, Any], version: int, name: str) -> None:
    """Refuse a model that was trained with features of another version."""
    if metadata.get("features") != version:
        raise UsageError(f"{name} was trained by another version of Lycosa; train it again.")


def load(path: Path) -> tuple[dict[str, Crf], dict[str, Any]]:
    """Return the models and the metadata of a model file on disk."""
    try:
        if path.stat().st_size > MAX_MODEL_BYTES:
            raise UsageError(f"{path} is larger than any model should be; train it again.")
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error}); check the path.") from error
    return unpack(data, str(path))


class StoredLabeller:
    """A labeller that is read from a model file; a subclass checks what the file has."""

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "The model") -> Self:
        """Read the content of a model file; `name` is used in error messages."""
        return cls._checked(*unpack(data, name), name)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model file."""
        return cls._checked(*load(path), str(path))

    @classmethod
    def _checked(cls, models: dict[str, Crf], metadata: dict[str, Any], name: str) -> Self:
        """Return the labeller of these models; raise `UsageError` if they are of another kind."""
        raise NotImplementedError
