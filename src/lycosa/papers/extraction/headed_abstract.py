"""Abstracts under a heading of their own, where the labeller took both for a note.

The labeller judges a line by its surroundings: between an unusual box of dates and the end
of the page it may doubt a short abstract, whatever its heading says.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from lycosa.papers.extraction.header_features import opened_section
from lycosa.papers.extraction.labeller import Prediction
from lycosa.papers.extraction.tagged import Token

CONFIDENCE = 0.5
"""Of words that only their heading makes an abstract."""
_MIN_SPACED_LETTERS = 4


def label_headed_abstract(
    tokens: Sequence[Token], predictions: Sequence[Prediction]
) -> list[Prediction]:
    """Return predictions in which the note below a heading `Abstract` is one, if none was found.

    >>> tokens = [Token("Abstract", "", 0), Token("They", "", 1), Token("hunt.", "", 1)]
    >>> [each.label for each in label_headed_abstract(tokens, [Prediction("note", 0.9)] * 3)]
    ['abstract', 'abstract', 'abstract']
    """
    if any(label == "abstract" for label, _ in predictions):
        return list(predictions)
    lines: list[list[int]] = []
    for _, line in groupby(range(len(tokens)), lambda n: tokens[n].line):
        numbers = list(line)
        words = [tokens[n].text for n in numbers]
        if all(predictions[n].label == "note" for n in numbers) and (
            not opened_section(words) if lines else _is_heading(words)
        ):
            lines.append(numbers)
        elif lines:
            break
    found = list(predictions)
    if len(lines) > 1:
        for n in (n for numbers in lines for n in numbers):
            found[n] = Prediction("abstract", CONFIDENCE)
    return found


def _is_heading(words: Sequence[str]) -> bool:
    """Whether a line is the heading of an abstract and nothing else."""
    alone = len(words) == 1
    spaced_out = len(words) >= _MIN_SPACED_LETTERS and all(len(word) == 1 for word in words)
    return (alone or spaced_out) and opened_section(words) == "abstract"
