"""Taggers in files, whichever method made them: see `papers.training`.

A file says in its first bytes what made it. It is data that is checked;
nothing in it is run.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from lycosa.errors import UsageError
from lycosa.papers.extraction.crf import MAX_MODEL_BYTES
from lycosa.papers.extraction.crf_labeller import CrfLabeller
from lycosa.papers.extraction.extractor import Labeller
from lycosa.papers.extraction.hmm_labeller import HmmLabeller


class TrainedLabeller(Labeller, Protocol):
    """A labeller that knows what it is for and can be kept in a file."""

    @property
    def kind(self) -> str:
        """Headers or references."""

    def save(self, path: Path, /) -> None:
        """Write it to a file that `load_labeller` reads."""


_LOADERS: dict[bytes, Callable[[Path], TrainedLabeller]] = {
    b"lycosa crf ": CrfLabeller.load,
    b"lycosa hmm ": HmmLabeller.load,
}


def load_labeller(path: Path) -> TrainedLabeller:
    """The tagger in a file, by whichever method.

    >>> load_labeller(Path(__file__))
    Traceback (most recent call last):
    lycosa.errors.UsageError: ...model_files.py is not a model file; make one with `lycosa train`.
    """
    try:
        with path.open("rb") as file:
            head = file.read(max(map(len, _LOADERS)))
        size = path.stat().st_size
    except OSError as fault:
        raise UsageError(f"{path} cannot be read ({fault}); check the path.") from fault
    if size > MAX_MODEL_BYTES:
        raise UsageError(f"{path} is larger than any model should be; train it again.")
    for start, load in _LOADERS.items():
        if head.startswith(start):
            return load(path)
    raise UsageError(f"{path} is not a model file; make one with `lycosa train`.")
