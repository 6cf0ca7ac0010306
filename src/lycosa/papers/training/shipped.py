"""Training of the models that come with the package.

They are trained on synthetic papers only (`papers.synthetic`); no corpus is read. The
same version of python-crfsuite gives the same bytes again.
"""

from __future__ import annotations

from collections.abc import Callable

from lycosa.errors import UnknownName
from lycosa.papers.extraction.crf_labeller import CrfTraining, train_crf_labeller
from lycosa.papers.extraction.labeller import ITEM_KINDS
from lycosa.papers.synthetic import generate_headers, generate_references

SEED = 1  # the `data` texts below are part of the shipped files, which must not change
REFERENCES, HEADERS = 5000, 1200
"""The numbers of synthetic items that the shipped models were trained on."""

_REFERENCES = CrfTraining(c1=0.1, c2=0.5, iterations=120, min_count=3)
_HEADERS = CrfTraining(c1=0.06, c2=1.0, iterations=80, min_count=3)


def train_shipped_model(kind: str, count: int | None = None, seed: int = SEED) -> bytes:
    """Train on `count` synthetic items and return a model file; by default the shipped one."""
    trainers: dict[str, Callable[[int], bytes]] = {
        "headers": lambda number: _headers(number, seed),
        "references": lambda number: _references(number, seed),
    }
    if kind not in trainers:
        raise UnknownName("kind of text to label", kind, ITEM_KINDS)
    return trainers[kind](count or {"headers": HEADERS, "references": REFERENCES}[kind])


def _references(count: int, seed: int) -> bytes:
    items = generate_references(count, seed)
    return train_crf_labeller(
        "references", items, training=_REFERENCES, data=f"{count} made-up references, seed {seed}"
    )


def _headers(count: int, seed: int) -> bytes:
    headers = generate_headers(count, seed)
    return train_crf_labeller(
        "headers",
        [header.tokens for header in headers],
        [header.lines for header in headers],
        _HEADERS,
        data=f"{count} made-up headers, seed {seed}",
    )
