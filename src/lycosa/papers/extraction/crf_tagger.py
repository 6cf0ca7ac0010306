"""Inference in a conditional random field: the best labels of a sequence, and their marginals.

`model` is the content of an undamaged model file of CRFsuite, which applies it here. Where
this module is compiled, `crf_tagger.pyx` reads the same file itself: CRFsuite makes a copy
of every feature, and that takes most of its time. The labels are the same, the marginals
agree to nine digits.

>>> from lycosa.papers.extraction.crfsuite_file import Weights, write_weights
>>> weights = Weights(["title", "date"], ["w=1999"], {(0, 1): 1.5}, {(0, 1): 0.25})
>>> tagger = Tagger(write_weights(weights))
>>> tagger.tag([["w=spider"], ["w=1999"]]), round(tagger.marginal("date", 1), 3)
(['title', 'date'], 0.837)
"""

from __future__ import annotations

from collections.abc import Sequence

import pycrfsuite


class Tagger:
    """Applies a CRF to one sequence after the other."""

    def __init__(self, model: bytes) -> None:
        self._model = model  # CRFsuite makes no copy of it
        self._tagger = pycrfsuite.Tagger()
        self._tagger.open_inmemory(model)

    def labels(self) -> list[str]:
        """Return the labels of the model."""
        found: list[str] = self._tagger.labels()
        return found

    def tag(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Return the most likely labels of a sequence, given the features of its elements."""
        found: list[str] = self._tagger.tag(rows) if rows else []
        return found

    def marginal(self, label: str, i: int) -> float:
        """Return the probability that element `i` of the last sequence has this label."""
        return float(self._tagger.marginal(label, i))
