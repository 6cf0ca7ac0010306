r"""Segmentation of a list of references into its entries.

A conditional random field labels each line (`reference_list_features`): `begin` where an entry
begins, `more` for its other lines, `other` for lines of no entry, such as running heads and what
follows the list. It is trained on lists with labels in brackets, with running numbers and
without labels, with and without layout (`training.reference_model`).

>>> from lycosa.documents.plain_text import plain_lines
>>> text = "[1] A. Lee. Spiders. 1997.\n[2] B. Roe. Webs that\n    catch. 1998."
>>> [(entry.label, entry.text) for entry in split_references(plain_lines(text))]
[('[1]', 'A. Lee. Spiders. 1997.'), ('[2]', 'B. Roe. Webs that catch. 1998.')]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from lycosa.documents.layout import TextLine, join_lines
from lycosa.papers.extraction.reference_list_features import (
    BRACKET,
    NUMBER,
    VERSION,
    list_features,
)
from lycosa.papers.extraction.single_crf import SingleCrf

KIND = "reference-lists"
"""The kind of the model, and the name of its file."""


class _LineLabeller(SingleCrf):
    kind, part, version = KIND, "lines", VERSION


class ReferenceEntry(NamedTuple):
    """An entry of a list of references as printed."""

    label: str
    """The label before it, such as `[3]`, or ""."""
    text: str
    """The entry without its label, its lines joined."""
    page: int
    """The page where it begins, from 0."""
    line: int
    """The number of its first line in the document, from 0."""
    stop: int
    """The number of the line after its last."""


def split_references(
    lines: Sequence[TextLine], known: frozenset[str] = frozenset(), offset: int = 0
) -> list[ReferenceEntry]:
    """Split a list of references into entries.

    `known` is the vocabulary for joining hyphenated words; lines are numbered from `offset`.
    """
    labels = label_lines(lines)
    starts = [n for n, label in enumerate(labels) if label == "begin"]
    end = _end(lines, labels, starts)
    found = []
    for a, b in pairwise([*(n for n in starts if n < end), end]):
        own = [n for n in range(a, b) if labels[n] != "other"]
        text = join_lines([lines[n] for n in own], known)
        label = ""
        if match := BRACKET.match(text) or NUMBER.match(text):
            label = match[0].strip()
            text = text[match.end() :].strip()
        if text:
            entry = ReferenceEntry(label, text, lines[a].page, offset + a, offset + own[-1] + 1)
            found.append(entry)
    return found


def _end(lines: Sequence[TextLine], labels: Sequence[str], starts: Sequence[int]) -> int:
    """Return where the list ends: with lines of no entry, after the last entry.

    The last entry of a list with labels has one; what seems to be an entry later is not.
    """
    signed = [n for n in starts if BRACKET.match(lines[n].text) or NUMBER.match(lines[n].text)]
    last = max(signed if 2 * len(signed) > len(starts) else starts, default=0)
    return next((n for n in range(last, len(labels)) if labels[n] == "other"), len(labels))


def label_lines(lines: Sequence[TextLine]) -> list[str]:
    """Return the label of each line of a list of references: `begin`, `more` or `other`."""
    found = _LineLabeller.shipped().model.tag(list_features(lines))
    return [prediction.label for prediction in found]
