r"""Segmentation of a whole document by a conditional random field over its lines.

The labels are those of GROBID's segmentation (Lopez, "GROBID: Combining Automatic
Bibliographic Data Recognition and Term Extraction for Scholarship Publications", 2009):
the sections of a document, and what is printed on a page beside them.

>>> from lycosa.documents.plain_text import plain_lines
>>> text = "Spiders\nAnn Lee\n1 Introduction\nThey hunt.\nReferences\n[1] B. Roe. Webs. 1998."
>>> len(Segmenter.shipped().label(plain_lines(text)))
6
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

from lycosa.documents.layout import TextLine
from lycosa.papers.extraction import crf
from lycosa.papers.extraction.crf import Crf
from lycosa.papers.extraction.crf_labeller import MODELS
from lycosa.papers.extraction.segmentation_features import (
    VERSION,
    SegmentLine,
    segmentation_features,
)

SECTIONS = ("cover", "front", "body", "references", "annex", "acknowledgement")
"""The labels of text: `cover` is a title page before the article, `annex` all that is added."""
FURNITURE = ("head", "page", "footnote")
"""The labels of what is printed beside the text: running heads, page numbers, footnotes."""
RUNNING = frozenset(("head", "page"))
"""The labels of lines that are no text of the document."""
KIND, PART = "segmentation", "lines"
"""The kind of the model file, and the name of its model."""

_MIN_SIZE_CHANGE = 0.04  # of the letter size, below which it is rounding


@dataclass(frozen=True)
class Segmenter:
    """Labels the lines of a document."""

    model: Crf
    metadata: Mapping[str, Any]
    """The metadata of the model file."""

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "The model") -> Self:
        """Read the content of a model file; `name` is used in error messages."""
        return cls._checked(*crf.unpack(data, name), name)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model file."""
        return cls._checked(*crf.load(path), str(path))

    @classmethod
    def _checked(cls, models: dict[str, Crf], metadata: dict[str, Any], name: str) -> Self:
        model = crf.only_model(models, metadata, kind=KIND, part=PART, version=VERSION, name=name)
        return cls(model, metadata)

    @staticmethod
    @cache
    def shipped() -> Segmenter:
        """Return the segmenter that comes with the package; a process loads it once."""
        return Segmenter.load(MODELS / f"{KIND}.crf")

    def label(self, lines: Sequence[TextLine]) -> list[str]:
        """Return the label of each line of a document in reading order."""
        return self.label_segments(segment_lines(lines))

    def label_segments(self, lines: Sequence[SegmentLine]) -> list[str]:
        """Return the label of each line, given with the layout that features are made from."""
        return [found.label for found in self.model.tag(segmentation_features(lines))]


def segment_lines(lines: Sequence[TextLine]) -> list[SegmentLine]:
    """Return lines with what features are made from; sizes of 1 say that there is no layout.

    >>> found = segment_lines([TextLine("Spiders", size=14.0), TextLine("Ann Lee", size=10.0)])
    >>> [line.size_change for line in found]
    [1, -1]
    """
    if all(line.size == 1.0 for line in lines):
        return [SegmentLine(line.text, line.page) for line in lines]
    found = []
    last = 0.0
    for line in lines:
        step = line.size - last
        change = 0 if abs(step) < _MIN_SIZE_CHANGE * line.size else 1 if step > 0 else -1
        last = line.size
        found.append(SegmentLine(line.text, line.page, change, line.bold, line.italic))
    return found
