"""Titles in quotation marks, labelled as a whole.

A linear-chain CRF knows the label of the word before, not that a quotation mark is still
open, so it can end a title at a mark inside of it: "Charging; Stage 2". What stands between
the quotation marks around a title is the title.

>>> words = ["3GPP:", '"Charging;', "Stage", '2".', "2019."]
>>> labels = ["tech", "title", "booktitle", "volume", "date"]
>>> found = label_quoted_title(words, [Prediction(label, 0.9) for label in labels])
>>> [prediction.label for prediction in found]
['tech', 'title', 'title', 'title', 'date']
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lycosa.papers.extraction.labeller import Prediction

_CLOSING = {'"': '"', "\u201c": "\u201d", "``": "''", "\u00ab": "\u00bb", "\u201e": "\u201c"}
_OPENING = re.compile(f"[(\\[]?({'|'.join(_CLOSING)})")


def label_quoted_title(words: Sequence[str], found: Sequence[Prediction]) -> list[Prediction]:
    """Return predictions in which each quotation that begins or is mostly title is title only.

    Words keep their confidence. A quotation that is never closed is left as it is.
    """
    predictions = list(found)
    start, mark = 0, ""  # the open quotation, and the mark that closes it
    for n, word in enumerate(words):
        opening = None if mark else _OPENING.match(word)
        if opening:
            start, mark = n, _CLOSING[opening[1]]
        if mark and word.find(mark, opening.end() if opening else 0) >= 0:
            _label_title(predictions, start, n + 1)
            mark = ""
    return predictions


def _label_title(predictions: list[Prediction], start: int, stop: int) -> None:
    span = predictions[start:stop]
    titles = sum(prediction.label == "title" for prediction in span)
    if span[0].label == "title" or 2 * titles > len(span):
        predictions[start:stop] = [prediction._replace(label="title") for prediction in span]
