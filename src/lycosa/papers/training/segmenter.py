"""Training of the segmentation of whole documents (`extraction.segmentation`).

Nine lines of ten are body text. The middle of long bodies is left out of training,
except for a part, which makes training several times faster. So that one model serves
PDFs, whose running heads the conversion has removed, and text without layout or pages,
each document is trained on as it is or as one of these variants, by turns.

>>> from lycosa.papers.extraction.segmentation import Segmenter
>>> line, cited = SegmentLine("Spiders hunt"), SegmentLine("[1] A. Lee. 1997.")
>>> document = SegmentedDocument("a", (line, cited) * 9, ("body", "references") * 9)
>>> Segmenter.from_bytes(train_segmenter([document])).label_segments([line, cited])
['body', 'references']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lycosa.papers.extraction import crf
from lycosa.papers.extraction.crf import Row
from lycosa.papers.extraction.crf_labeller import CrfTraining
from lycosa.papers.extraction.segmentation import KIND, PART
from lycosa.papers.extraction.segmentation_features import (
    VERSION,
    SegmentLine,
    segmentation_features,
)
from lycosa.papers.extraction.tagged import read_headers
from lycosa.papers.training.grobid_segmentation import SegmentedDocument, read_segmentation
from lycosa.papers.training.overlap import ShingleIndex

TRAINING = CrfTraining(c1=0.3, c2=0.3, iterations=70, min_count=5)
"""Chosen on the first fold."""

_CORA_NAME = re.compile(r"\d{1,3}\._")  # as of papers from the headers of Cora
_NEAR_LINES = 40  # of another section, within which body lines are always trained on
_STRETCH_LINES = 80  # of a long body that are trained on, or left out, together
_TRAINED_STRETCHES = 5  # one of so many is trained on
_VARIANTS = 10
_WITHOUT_HEADS = (5, 6, 7, 9)  # of the variants
_WITHOUT_LAYOUT = (8, 9)
_WITHOUT_PAGES = (9,)

Lesson = tuple[list[Row], list[str]]


def real_documents(corpora: Path) -> list[SegmentedDocument]:
    """Read the documents of GROBID's corpus that are not in Cora.

    They are told by their names, and by headers that are also among those of Cora.
    """
    cora = read_headers(corpora / "cora-headers" / "tagged_headers.txt")
    # The introduction and the page are one word each in Cora.
    known = ShingleIndex(
        [token.text for token in item if token.label not in ("intro", "page")] for item in cora
    )
    return [
        document
        for document in read_segmentation(corpora / "grobid" / "segmentation.tar.xz")
        if not (_CORA_NAME.match(document.name) or known.has_copy(_front_words(document)))
    ]


def _front_words(document: SegmentedDocument) -> list[str]:
    pairs = zip(document.lines, document.labels, strict=True)
    return [w for line, label in pairs if label in ("cover", "front") for w in line.text.split()]


def train_segmenter(
    documents: Sequence[SegmentedDocument], training: CrfTraining = TRAINING, **metadata: str
) -> bytes:
    """Train on labelled documents and return a model file, in which `metadata` is stored."""
    lessons: list[Lesson] = []
    for number, document in enumerate(documents):
        variant = vary(document, number)
        lessons += _thin(segmentation_features(variant.lines), variant.labels)
    model = crf.train(
        (rows for rows, _ in lessons), (labels for _, labels in lessons), **training._asdict()
    )
    return crf.pack({PART: model}, {**metadata, "kind": KIND, "features": VERSION})


def vary(document: SegmentedDocument, number: int) -> SegmentedDocument:
    """Return a document as it is, or without running heads, layout or pages, by its number."""
    variant = number % _VARIANTS
    pairs: Iterable[tuple[SegmentLine, str]] = zip(document.lines, document.labels, strict=True)
    if variant in _WITHOUT_HEADS:
        pairs = ((line, label) for line, label in pairs if label not in ("head", "page"))
    if variant in _WITHOUT_LAYOUT:
        pairs = (
            (SegmentLine(line.text, 0 if variant in _WITHOUT_PAGES else line.page), label)
            for line, label in pairs
        )
    kept = list(pairs)
    return SegmentedDocument(
        document.name, tuple(line for line, _ in kept), tuple(label for _, label in kept)
    )


def _thin(rows: Sequence[Row], labels: Sequence[str]) -> Iterator[Lesson]:
    """Yield the parts of a document to train on."""
    near = _near_others(labels)
    part: Lesson = ([], [])
    for n, (row, label) in enumerate(zip(rows, labels, strict=True)):
        if near[n] or (n // _STRETCH_LINES) % _TRAINED_STRETCHES == 0:
            part[0].append(row)
            part[1].append(label)
        elif part[0]:
            yield part
            part = ([], [])
    if part[0]:
        yield part


def _near_others(labels: Sequence[str]) -> list[bool]:
    """Return for each line whether a line that is neither body nor running head is near."""
    near = [False] * len(labels)
    covered = 0
    for n, label in enumerate(labels):
        if label not in ("body", "head", "page"):
            for k in range(
                max(n - _NEAR_LINES, covered), min(n + _NEAR_LINES, len(labels) - 1) + 1
            ):
                near[k] = True
            covered = min(n + _NEAR_LINES, len(labels) - 1) + 1
    return near
