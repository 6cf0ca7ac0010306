"""Benchmark of the segmentation of whole documents on GROBID's corpus, in five folds by document.

The segmenter of a fold is trained as the shipped one is, on the documents of the other
folds; no document that is in Cora is used. Features and training parameters were chosen
on the first fold. Each document is also measured as conversions give it, without running
heads and page numbers, and as plain text without layout.

`python -m bench.papers_segmentation FOLD ...` measures only these folds and writes nothing.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from statistics import median

from bench import page
from lycosa.documents.conversion import Converter
from lycosa.papers.extraction.segmentation import FURNITURE, SECTIONS, Segmenter
from lycosa.papers.extraction.segmentation_features import SegmentLine
from lycosa.papers.training.grobid_archive import FOLDS, fold_of
from lycosa.papers.training.grobid_segmentation import SegmentedDocument
from lycosa.papers.training.segmenter import real_documents, train_segmenter

CORPORA = page.SHARED / "corpora"
PAPERS = page.SHARED / "papers"
LABELS = (*SECTIONS, *FURNITURE)
LINES_OF_TWENTY_PAGES = 1000


class Tally:
    """Counts of lines with the right label."""

    def __init__(self) -> None:
        self.true: Counter[str] = Counter()
        self.predicted: Counter[str] = Counter()
        self.both: Counter[str] = Counter()
        self.shares: list[float] = []

    def add(self, truth: Sequence[str], predicted: Sequence[str]) -> None:
        """Count one document."""
        right = [a for a, b in zip(truth, predicted, strict=True) if a == b]
        self.true.update(truth)
        self.predicted.update(predicted)
        self.both.update(right)
        self.shares.append(len(right) / max(len(truth), 1))

    @property
    def accuracy(self) -> float:
        """The share of lines with the right label."""
        return self.both.total() / max(self.true.total(), 1)

    def f1(self, label: str) -> float:
        """The F1 of the lines with a label."""
        return 2 * self.both[label] / max(self.true[label] + self.predicted[label], 1)


def without_heads(document: SegmentedDocument) -> SegmentedDocument:
    """Return a document without running heads and page numbers."""
    pairs = zip(document.lines, document.labels, strict=True)
    kept = [(line, label) for line, label in pairs if label not in ("head", "page")]
    lines, labels = zip(*kept, strict=True) if kept else ((), ())
    return SegmentedDocument(document.name, lines, labels)


def as_plain_text(document: SegmentedDocument) -> SegmentedDocument:
    """Return a document without layout and pages."""
    lines = tuple(SegmentLine(line.text) for line in document.lines)
    return SegmentedDocument(document.name, lines, document.labels)


VARIANTS = {
    "as annotated": lambda document: document,
    "without running heads": without_heads,
    "without layout and pages": as_plain_text,
}


def measure_fold(
    fold: int, documents: Sequence[SegmentedDocument], tallies: dict[str, Tally]
) -> float:
    """Train on the other folds, count what is right in one, and return the seconds of training."""
    start = time.perf_counter()
    others = [document for document in documents if fold_of(document.name) != fold]
    segmenter = Segmenter.from_bytes(train_segmenter(others))
    seconds = time.perf_counter() - start
    for document in documents:
        if fold_of(document.name) == fold:
            for name, vary in VARIANTS.items():
                variant = vary(document)
                tallies[name].add(variant.labels, segmenter.label_segments(variant.lines))
    return seconds


def speed() -> float:
    """Return the milliseconds for 20 pages of real PDFs, of the shipped model."""
    with Converter() as converter:
        files = sorted(PAPERS.glob("*.pdf"))
        documents = [converter.convert_file(path).lines for path in files]
    segmenter = Segmenter.shipped()
    best = []
    for lines in documents:
        if lines:
            start = time.process_time()
            segmenter.label(lines)
            best.append((time.process_time() - start) / len(lines))
    return 1000 * LINES_OF_TWENTY_PAGES * median(best)


def report(tallies: dict[str, Tally], documents: int, seconds: float) -> str:
    """Return the section of the page."""
    whole = tallies["as annotated"]
    rows = [
        (
            name,
            f"{tally.true.total():,}",
            f"{tally.accuracy:.4f}",
            f"{tally.f1('references'):.4f}",
            f"{sum(tally.shares) / max(len(tally.shares), 1):.4f}",
        )
        for name, tally in tallies.items()
    ]
    labels = [
        (label, f"{whole.true[label]:,}", *(f"{t.f1(label):.3f}" for t in tallies.values()))
        for label in LABELS
    ]
    head = ("documents", "lines", "line accuracy", "F1 of references", "mean over documents")
    return (
        f"{documents} documents of GROBID's segmentation corpus without those of Cora, in "
        f"{FOLDS} folds by document; training of a fold takes {seconds:.0f} seconds. Features and "
        "training parameters were chosen on the first fold, which is among them.\n\n"
        f"{page.table(head, rows)}\n\nF1 of the lines of each label:\n\n"
        f"{page.table(('label', 'lines', *tallies), labels)}"
    )


def main(arguments: Sequence[str]) -> None:
    """Measure, print and write the part of the page."""
    documents = real_documents(CORPORA)
    folds = [int(fold) for fold in arguments] or range(FOLDS)
    tallies = {name: Tally() for name in VARIANTS}
    seconds = [measure_fold(fold, documents, tallies) for fold in folds]
    body = report(tallies, len(documents), sum(seconds) / len(seconds))
    if arguments:
        print(body)
        return
    body += f"\n\nThe shipped model needs {speed():.0f} ms of CPU for 20 pages (1,000 lines)."
    page.write("papers-segmentation", "Papers: segmentation of documents", body, "bench-papers")


if __name__ == "__main__":
    main(sys.argv[1:])
