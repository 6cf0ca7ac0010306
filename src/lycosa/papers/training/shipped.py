"""How the models that come with the package were made, so that they can be made again.

They are taught by made-up papers only (`papers.printing`); no corpus is read.
"""

from __future__ import annotations

from collections.abc import Callable

from lycosa.errors import UnknownName
from lycosa.papers.extraction.crf_labeller import CrfTraining, train_crf_labeller
from lycosa.papers.extraction.labeller import ITEM_KINDS
from lycosa.papers.synthetic import generate_headers, generate_references

SEED = 1
REFERENCES, HEADERS = 5000, 1200
"""How many made-up items of each kind the shipped models were shown."""

_REFERENCES = CrfTraining(c1=0.1, c2=0.5, iterations=120, min_count=3)
_HEADERS = CrfTraining(c1=0.06, c2=1.0, iterations=80, min_count=3)


def train_shipped_model(kind: str, count: int | None = None, seed: int = SEED) -> bytes:
    """A model file that was taught by so many made-up papers, by default as the shipped one was."""
    makers: dict[str, Callable[[int], bytes]] = {
        "headers": lambda number: _headers(number, seed),
        "references": lambda number: _references(number, seed),
    }
    if kind not in makers:
        raise UnknownName("kind of text to label", kind, ITEM_KINDS)
    return makers[kind](count or {"headers": HEADERS, "references": REFERENCES}[kind])


def _references(count: int, seed: int) -> bytes:
    items = generate_references(count, seed)
    return train_crf_labeller(
        "references", items, training=_REFERENCES, data=f"{count} made-up references, seed {seed}"
    )


def _headers(count: int, seed: int) -> bytes:
    sheets = generate_headers(count, seed)
    return train_crf_labeller(
        "headers",
        [sheet.tokens for sheet in sheets],
        [sheet.lines for sheet in sheets],
        _HEADERS,
        data=f"{count} made-up headers, seed {seed}",
    )
