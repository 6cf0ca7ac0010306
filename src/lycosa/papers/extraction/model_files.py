"""Loader of labellers from model files of any method (see `papers.training`).

The first bytes of a file name its method. Files contain data that is checked; no
code is loaded from them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lycosa.errors import UsageError
from lycosa.papers.extraction.crf import MAX_MODEL_BYTES
from lycosa.papers.extraction.crf_labeller import CrfLabeller
from lycosa.papers.extraction.hmm_labeller import HmmLabeller
from lycosa.papers.extraction.labeller import TrainedLabeller

_LOADERS: dict[bytes, Callable[[Path], TrainedLabeller]] = {
    b"lycosa crf ": CrfLabeller.load,
    b"lycosa hmm ": HmmLabeller.load,
}


def load_labeller(path: Path) -> TrainedLabeller:
    """Load the labeller in a model file.

    >>> load_labeller(Path(__file__))
    Traceback (most recent call last):
    lycosa.errors.UsageError: ...model_files.py is not a model file; make one with `lycosa train`.
    """
    try:
        with path.open("rb") as file:
            head = file.read(max(map(len, _LOADERS)))
        size = path.stat().st_size
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error}); check the path.") from error
    if size > MAX_MODEL_BYTES:
        raise UsageError(f"{path} is larger than any model should be; train it again.")
    for start, load in _LOADERS.items():
        if head.startswith(start):
            return load(path)
    raise UsageError(f"{path} is not a model file; make one with `lycosa train`.")
