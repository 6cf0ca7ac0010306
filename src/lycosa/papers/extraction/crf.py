"""Linear-chain conditional random fields (Lafferty, McCallum & Pereira 2001).

A field labels a sequence of rows; a row is the features one element has. The
work is done by CRFsuite. Its model files can crash a process when they are
damaged, so they are never opened as they are: a model travels in a file of
ours that names its parts with their sizes and checksums, and nothing that does
not match is shown to CRFsuite. That guards against damage, not against malice:
load models only from people you trust.

>>> field = train([[["w=spider"], ["w=1999"]]] * 3, [["title", "date"]] * 3)
>>> [guess.label for guess in field.tag([["w=spider"], ["w=1999"]])]
['title', 'date']
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pycrfsuite

from lycosa.errors import UsageError

Row: TypeAlias = list[str]
"""The features of one element of a sequence: those it has, as strings."""

FORMAT = "lycosa crf 1"
MAX_MODEL_BYTES = 10**8
"""A model file that is larger is refused."""

_MAGIC = FORMAT.encode() + b"\n"
_MOST_ABOUT = 10**5
_LEAST = 48  # bytes: the head of any model of CRFsuite


class Prediction(NamedTuple):
    """A label, and the probability that it is right."""

    label: str
    confidence: float


class Crf:
    """A trained field."""

    def __init__(self, model: bytes) -> None:
        self.model = model
        self._tagger = pycrfsuite.Tagger()
        self._tagger.open_inmemory(model)

    def __reduce__(self) -> tuple[type[Crf], tuple[bytes]]:
        return type(self), (self.model,)

    @property
    def labels(self) -> list[str]:
        """The labels it knows."""
        return sorted(self._tagger.labels())

    def tag(self, rows: Sequence[Row]) -> list[Prediction]:
        """The likeliest labels of a sequence as a whole, each with its own probability."""
        if not rows:
            return []
        labels = self._tagger.tag(rows)
        marginal = self._tagger.marginal
        return [Prediction(label, marginal(label, i)) for i, label in enumerate(labels)]


def train(
    sequences: Iterable[Sequence[Row]],
    labels: Iterable[Sequence[str]],
    *,
    c1: float = 0.0,
    c2: float = 1.0,
    iterations: int = 150,
    least: int = 1,
) -> Crf:
    """A field that was shown labelled sequences.

    `c1` and `c2` weigh the L1 and L2 penalties; a feature that was seen less
    than `least` times with a label has no weight for it.
    """
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.select("lbfgs")
    trainer.set_params({"c1": c1, "c2": c2, "max_iterations": iterations, "feature.minfreq": least})
    shown = 0
    for rows, mine in zip(sequences, labels, strict=True):
        if rows:
            trainer.append(rows, mine)
            shown += 1
    if not shown:
        raise UsageError("There is nothing to learn from; give at least one labelled item.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        trainer.train(str(path))
        return Crf(path.read_bytes())


def pack(fields: Mapping[str, Crf], about: Mapping[str, Any]) -> bytes:
    """A model file: what it is, and the fields it has."""
    parts = [
        {"name": name, "size": len(f.model), "sha256": hashlib.sha256(f.model).hexdigest()}
        for name, f in fields.items()
    ]
    head = _about({**about, "parts": parts})
    return b"".join([_MAGIC, head, b"\n", *(f.model for f in fields.values())])


def _about(about: Mapping[str, Any]) -> bytes:
    return json.dumps(about, sort_keys=True).encode()


def unpack(data: bytes, name: str = "The model") -> tuple[dict[str, Crf], dict[str, Any]]:
    """The fields of a model file and what it says of itself; `name` is for complaints.

    >>> unpack(b"lCRF and so on")
    Traceback (most recent call last):
    lycosa.errors.UsageError: The model is not a model file of this version; train it again.
    """
    if not data.startswith(_MAGIC):
        raise UsageError(f"{name} is not a model file of this version; train it again.")
    head, newline, _ = data[len(_MAGIC) : len(_MAGIC) + _MOST_ABOUT].partition(b"\n")
    damaged = UsageError(f"{name} is damaged; copy or train it again.")
    start = len(_MAGIC) + len(head) + 1
    fields: dict[str, Crf] = {}
    try:
        about = json.loads(head)
        if _about(about) != head:
            raise damaged
        for part in about.pop("parts"):
            model = data[start : start + part["size"]]
            start += part["size"]
            whole = _LEAST <= len(model) == part["size"]
            if not whole or hashlib.sha256(model).hexdigest() != part["sha256"]:
                raise damaged
            fields[str(part["name"])] = Crf(model)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
        raise damaged from fault
    if start != len(data) or not newline:
        raise damaged
    return fields, about


def load(path: Path) -> tuple[dict[str, Crf], dict[str, Any]]:
    """The fields of a model file on disk and what it says of itself."""
    try:
        if path.stat().st_size > MAX_MODEL_BYTES:
            raise UsageError(f"{path} is larger than any model should be; train it again.")
        data = path.read_bytes()
    except OSError as fault:
        raise UsageError(f"{path} cannot be read ({fault}); check the path.") from fault
    return unpack(data, str(path))
