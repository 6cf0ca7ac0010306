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

from collections.abc import Sequence

from lycosa.documents.layout import TextLine
from lycosa.papers.extraction.segmentation_features import (
    VERSION,
    SegmentLine,
    segmentation_features,
)
from lycosa.papers.extraction.single_crf import SingleCrf

SECTIONS = ("cover", "front", "body", "references", "annex", "acknowledgement")
"""The labels of text: `cover` is a title page before the article, `annex` all that is added."""
FURNITURE = ("head", "page", "footnote")
"""The labels of what is printed beside the text: running heads, page numbers, footnotes."""
RUNNING = frozenset(("head", "page"))
"""The labels of lines that are no text of the document."""
KIND, PART = "segmentation", "lines"
"""The kind of the model file, and the name of its model."""

_MIN_SIZE_CHANGE = 0.04  # of the letter size, below which it is rounding


class Segmenter(SingleCrf):
    """Labels the lines of a document."""

    kind, part, version = KIND, PART, VERSION

    def label(self, lines: Sequence[TextLine]) -> list[str]:
        """Return the label of each line of a document in reading order."""
        return self.label_segments(segment_lines(lines))

    def label_segments(self, lines: Sequence[SegmentLine]) -> list[str]:
        """Return the label of each line, given with the layout that features are made from."""
        return self.model.label(segmentation_features(lines))


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
