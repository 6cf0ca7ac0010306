"""Benchmark of conditional random fields on headers and references.

Headers: trained on the first 500 of the corpus of Seymore, McCallum & Rosenfeld
1999, measured on the other 435. References: ten folds of the 500. The shipped
models, which were trained on neither, are measured on the same items.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from bench import page
from lycosa.papers.extraction.crf_labeller import CrfLabeller, CrfTraining, train_crf_labeller
from lycosa.papers.extraction.tagged import (
    HEADER_LABELS,
    REFERENCE_LABELS,
    Token,
    read_headers,
    read_references,
)
from lycosa.papers.extraction.tokens import REGION_WORDS, collapse_regions

CORPORA = page.SHARED / "corpora"
TRAINING_HEADERS = 500
FOLDS = 10
TUNING_REFERENCES = 250  # references on which features were selected
HEADERS = CrfTraining(c2=1.0, iterations=100)
REFERENCES = CrfTraining(c2=1.0, iterations=150)

Items = Sequence[Sequence[Token]]


class Tally:
    """Counts of correct words, collapsed regions and whole items."""

    def __init__(self) -> None:
        self.words = self.right = self.counted = self.counted_right = self.items = self.whole = 0
        self.true: Counter[str] = Counter()
        self.predicted: Counter[str] = Counter()
        self.both: Counter[str] = Counter()

    def add(self, truth: Sequence[str], predicted: Sequence[str]) -> None:
        """Count one item."""
        good = [a == b for a, b in zip(truth, predicted, strict=True)]
        self.words += len(truth)
        self.right += sum(good)
        self.items += 1
        self.whole += all(good)
        self.true.update(truth)
        self.predicted.update(predicted)
        self.both.update(a for a, b in zip(truth, good, strict=True) if b)
        start = 0
        for label, run in groupby(truth):
            size = len(list(run))
            correct = sum(good[start : start + size])
            start += size
            # An abstract, an introduction or a page counts as one word: right if most of it is.
            alone = label in REGION_WORDS
            self.counted += 1 if alone else size
            self.counted_right += correct * 2 > size if alone else correct

    @property
    def accuracy(self) -> float:
        """The share of all words that are right, in per cent."""
        return 100 * self.right / self.words

    @property
    def paper(self) -> float:
        """The same with abstract, introduction and page as one word each."""
        return 100 * self.counted_right / self.counted

    @property
    def wholes(self) -> float:
        """The share of items in which every word is right, in per cent."""
        return 100 * self.whole / self.items

    def f1(self, label: str) -> float:
        """The F1 of the words with a label, in per cent."""
        return 200 * self.both[label] / max(self.true[label] + self.predicted[label], 1)


def evaluate(labeller: CrfLabeller, items: Items) -> Tally:
    """Count the correct labels of a labeller on labelled items."""
    tally = Tally()
    for item in items:
        tally.add([t.label for t in item], [found.label for found in labeller.tag(item)])
    return tally


def labelled_words(items: Items) -> list[list[Token]]:
    """Return the items without the words outside tags."""
    return [[token for token in item if token.label] for item in items]


def train(
    kind: str, items: Items, training: CrfTraining, base: CrfLabeller | None = None
) -> tuple[CrfLabeller, float]:
    """Return a trained labeller and the seconds of training."""
    start = time.perf_counter()
    data = train_crf_labeller(kind, items, training=training, base=base)
    return CrfLabeller.from_bytes(data), time.perf_counter() - start


def headers() -> str:
    """The tables of the headers."""
    items = labelled_words(read_headers(CORPORA / "cora-headers" / "tagged_headers.txt"))
    lesson, test = items[:TRAINING_HEADERS], items[TRAINING_HEADERS:]
    short_lesson = [collapse_regions(item) for item in lesson]
    short_test = [collapse_regions(item) for item in test]
    shipped = CrfLabeller.shipped("headers")
    tallies: dict[str, Tally] = {}
    rows = []
    for name, base in (("500 headers", None), ("500 headers on the shipped model", shipped)):
        short, _ = train("headers", short_lesson, HEADERS, base)
        full, seconds = train("headers", lesson, HEADERS, base)
        folds = tallies[f"{name}, folded"] = evaluate(short, short_test)
        whole = tallies[name] = evaluate(full, test)
        rows.append((name, folds.accuracy, whole.paper, whole.accuracy, seconds))
    start = time.perf_counter()
    ours = tallies["shipped"] = evaluate(shipped, test)
    speed = ours.words / (time.perf_counter() - start)
    table = [(name, *(f"{x:.1f}" for x in shares), f"{s:.0f}") for name, *shares, s in rows]
    table.append(("the shipped model alone", "", f"{ours.paper:.1f}", f"{ours.accuracy:.1f}", ""))
    chosen = ["500 headers", "500 headers on the shipped model", "shipped"]
    fields = [
        (label, ours.true[label], *(f"{tallies[name].f1(label):.1f}" for name in chosen))
        for label in HEADER_LABELS
    ]
    head = [
        "taught by",
        "folded",
        "abstract as one word",
        "all words",
        "seconds to teach",
    ]
    return (
        f"Headers: the last {len(test)} of the corpus, {ours.words:,} words; the share of words "
        "with the right label, in per cent. *Folded* is how McCallum et al. 1999 measure: the "
        "abstract, the introduction and the end of the page have been found beforehand and are "
        "one word each for the tagger, too. In the other columns it sees every word; in *abstract "
        "as one word* those three count as one word each, right if most of their words are. "
        f"The shipped model labels {speed:,.0f} words a second on one core.\n\n"
        f"{page.table(head, table)}\n\nF1 of the words of each field where every word is seen, "
        f"in per cent:\n\n{page.table(['field', 'words', *chosen], fields)}"
    )


def ten_folds(items: Items, base: CrfLabeller | None) -> tuple[Tally, Tally, float]:
    """Return the counts on all items and on those not used for tuning, and seconds per fold."""
    every, fresh = Tally(), Tally()
    seconds = 0.0
    for fold in range(FOLDS):
        lesson = [item for n, item in enumerate(items) if n % FOLDS != fold]
        labeller, took = train("references", lesson, REFERENCES, base)
        seconds += took
        for n in range(fold, len(items), FOLDS):
            predicted = [found.label for found in labeller.tag(items[n])]
            truth = [token.label for token in items[n]]
            every.add(truth, predicted)
            if n >= TUNING_REFERENCES:
                fresh.add(truth, predicted)
    return every, fresh, seconds / FOLDS


def references() -> str:
    """The tables of the references."""
    items = labelled_words(read_references(CORPORA / "cora-references" / "tagged_references.txt"))
    shipped = CrfLabeller.shipped("references")
    alone, alone_fresh, alone_seconds = ten_folds(items, None)
    stacked, stacked_fresh, seconds = ten_folds(items, shipped)
    start = time.perf_counter()
    ours = evaluate(shipped, items)
    speed = len(items) / (time.perf_counter() - start)
    shipped_fresh = evaluate(shipped, items[TUNING_REFERENCES:])
    rows = [
        (name, *(f"{x:.1f}" for x in (a.accuracy, a.wholes, b.accuracy, b.wholes)), took)
        for name, a, b, took in (
            ("450 references", alone, alone_fresh, f"{alone_seconds:.0f}"),
            ("450 references on the shipped model", stacked, stacked_fresh, f"{seconds:.0f}"),
            ("the shipped model alone", ours, shipped_fresh, ""),
        )
    ]
    head = [
        "taught by",
        "words",
        "whole",
        f"words, last {TUNING_REFERENCES}",
        f"whole, last {TUNING_REFERENCES}",
        "seconds",
    ]
    fields = [
        (
            label,
            ours.true[label],
            *(f"{t.f1(label):.1f}" for t in (alone, stacked, ours)),
        )
        for label in REFERENCE_LABELS
    ]
    return (
        f"References: {len(items)}, {ours.words:,} words, in ten folds; the share of words with "
        "the right label and of references in which every word has it, in per cent. Features and "
        f"stacking were tried out on the first {TUNING_REFERENCES} only. The shipped model labels "
        f"{speed:,.0f} references a second on one core.\n\n{page.table(head, rows)}\n\n"
        "F1 of the words of each field, in per cent:\n\n"
        + page.table(
            ["field", "words", "450 references", "on the shipped model", "shipped"], fields
        )
    )


def main() -> None:
    """Measure, print and write the part of the page."""
    body = f"{headers()}\n\n{references()}"
    page.write("papers-crf", "Papers: conditional random fields", body, "bench-papers")


if __name__ == "__main__":
    main()
