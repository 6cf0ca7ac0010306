"""Papers placed in a tree of 70 topics by keywords alone: the table of McCallum et al. 1999.

`python -m bench.topics` measures everything and writes its part of
docs/benchmarks.md. The labels of the corpus are read here and nowhere else, and
only to be compared with what was found.
"""

from __future__ import annotations

import csv
import re
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench import measure, page
from lycosa.topics.classifier import Classifier, vocabulary
from lycosa.topics.corpus import Corpus
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.model import TopicModel
from lycosa.topics.rule_list import RuleList
from lycosa.topics.template import read_template

CORA = page.SHARED / "corpora" / "cora-hierarchy"
DRAWS = 2000
STEPS: Sequence[tuple[str, Classifier]] = (
    (
        "naive Bayes on its labels",
        Classifier(rounds=0, shrinkage=False, citations=False, unplaced=False),
    ),
    ("+ EM", Classifier(shrinkage=False, citations=False, unplaced=False)),
    ("+ shrinkage", Classifier(citations=False, unplaced=False)),
    ("+ citations", Classifier(unplaced=False)),
    ("+ unplaced", Classifier()),
)
BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class Score(NamedTuple):
    """A share of documents, with its 95 % bootstrap interval."""

    share: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} ({100 * self.low:.1f} to {100 * self.high:.1f})"


def score(right: NDArray[np.bool_]) -> Score:
    """Return the share of correct documents, with a bootstrap interval.

    >>> score(np.array([True] * 90 + [False] * 10)).share
    0.9
    """
    chance = np.random.default_rng(0)
    # Resampling documents with one of two outcomes is drawing from a binomial distribution.
    shares = chance.binomial(len(right), right.mean(), DRAWS) / len(right)
    low, high = np.quantile(shares, (0.025, 0.975)).tolist()
    return Score(float(right.mean()), low, high)


def labels(hierarchy: Hierarchy) -> NDArray[np.int32]:
    """Return the labels of the corpus: the number of each document's leaf."""
    paths = {plain(hierarchy.path(leaf)): leaf for leaf in hierarchy.leaves.tolist()}
    with (CORA / "papers.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return np.array([paths[plain(row["leaf"])] for row in rows], np.int32)


def plain(path: str) -> str:
    """Return a path as in the corpus, with underscores for other characters than letters.

    >>> plain("Data Structures, Algorithms and Theory/Sorting")
    'Data_Structures__Algorithms_and_Theory/Sorting'
    """
    return re.sub(r"[^A-Za-z/]", "_", path)


def tops(hierarchy: Hierarchy) -> NDArray[np.int32]:
    """Return the first-level ancestor of each topic."""
    chains = [hierarchy.ancestors(number) for number in range(len(hierarchy))]
    return np.array([chain[max(len(chain) - 2, 0)] for chain in chains], np.int32)


def change(right: NDArray[np.bool_], before: NDArray[np.bool_]) -> str:
    """Return the gain over the previous step, with a paired bootstrap interval."""
    gain = right.astype(np.float64) - before
    chance = np.random.default_rng(0)
    # A paper is lost, kept or won; resampling papers is drawing how many of each.
    parts = [(gain == value).mean() for value in (-1, 0, 1)]
    draws = chance.multinomial(len(gain), parts, DRAWS) @ np.array([-1, 0, 1]) / len(gain)
    low, high = np.quantile(draws, (0.025, 0.975)).tolist()
    return f"{100 * gain.mean():+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"


class Step(NamedTuple):
    """A row of the ablation, its model, and the seconds of the fit."""

    cells: list[str]
    model: TopicModel | None
    seconds: float


def steps(hierarchy: Hierarchy, corpus: Corpus, truth: NDArray[np.int32]) -> Iterator[Step]:
    """Run the ablation: accuracy on leaves and on the first level; unplaced counts as wrong."""
    top = tops(hierarchy)
    model, seconds, before = None, 0.0, None
    for name, classifier in (("rule list", None), *STEPS):
        if classifier is None:
            found = RuleList.of(hierarchy).labels(corpus)
        else:
            began = time.perf_counter()
            model = classifier.fit(hierarchy, corpus)
            seconds = time.perf_counter() - began
            found = model.documents.leaves()
        right, placed = found == truth, found >= 0
        gain = "" if before is None else change(right, before)
        first = score(placed & (top[found] == top[truth]))
        share = f"{100 * placed.mean():.0f}"
        yield Step([name, str(score(right)), gain, str(first), share], model, seconds)
        before = right


def chosen_by(
    name: str, classifier: Classifier, model: TopicModel, hierarchy: Hierarchy, corpus: Corpus
) -> list[str]:
    """Return two measures that need no label.

    How often a document whose keyword was hidden and struck out is placed
    where it says, and how often the topic of a document is what keywords say of
    those it cites or is cited by. The second says nothing where citations are used.
    """
    right = []
    for learned, part in classifier.learn_with_hidden(hierarchy, corpus, vocabulary(corpus)):
        some = part.topics >= 0
        best = hierarchy.leaves[learned.shares[some, : len(hierarchy.leaves)].argmax(axis=1)]
        right.append(best == part.topics[some])
    rules = RuleList.of(hierarchy).labels(corpus)
    ends = corpus.citations.tocoo()
    citing, cited = np.r_[ends.row, ends.col], np.r_[ends.col, ends.row]
    labelled = rules[cited] >= 0
    agree = (model.documents.leaves()[citing] == rules[cited])[labelled].mean()
    cell = "" if classifier.citations else f"{100 * agree:.1f}"
    return [name, str(score(np.concatenate(right))), cell]


def calibration(model: TopicModel, truth: NDArray[np.int32]) -> Iterator[list[str]]:
    """Return the accuracy of the best leaf by band of its probability."""
    sure = model.documents.shares.max(axis=1)
    right = model.documents.leaves() == truth
    for low, high in pairwise(BINS):
        some = (sure >= low) & ((sure < high) | (high == 1.0))
        if some.any():
            yield [
                f"{low:.1f} to {high:.1f}",
                f"{some.sum():,}",
                f"{100 * sure[some].mean():.0f}",
                str(score(right[some])),
            ]


def body() -> Iterator[str]:
    """Write the parts of the page."""
    hierarchy = read_template("computer-science")
    corpus = Corpus.read(CORA / "papers.tsv", CORA / "citations.tsv")
    truth = labels(hierarchy)
    done = list(steps(hierarchy, corpus, truth))
    yield (
        f"{len(corpus):,} real papers (Cora: words of the title in no order, "
        f"{corpus.citations.nnz:,} citations) in {len(hierarchy.leaves)} leaves. Nothing was "
        "labelled: the tree has keywords only. Per cent right, with 95 % intervals over papers:"
    )
    yield page.table(("", "leaf", "gain", "first level", "placed"), [step.cells for step in done])
    yield (
        "Parameters were chosen by two measures that need no label. Hidden keywords: one of four "
        "is hidden and its words struck out of the papers that hold it; per cent of these papers "
        "that are placed where the hidden keyword says. Neighbours: per cent of citations where "
        "the topic found for one paper is what a keyword says of the other."
    )
    models = [step.model for step in done if step.model is not None]
    rows = [
        chosen_by(name, classifier, model, hierarchy, corpus)
        # Hidden keywords tell nothing of the last step, which places documents or does not.
        for (name, classifier), model in zip(STEPS[:-1], models[:-1], strict=True)
    ]
    yield page.table(("", "hidden keywords", "neighbours"), rows)
    model = models[-1]
    yield (
        "With all steps, how probable the best leaf is said to be (calibrated with hidden "
        f"keywords, temperature {model.calibration.temperature:.2f}) and how often it is right:"
    )
    head = ("probability", "papers", "on average", "right")
    yield page.table(head, list(calibration(model, truth)))
    yield (
        "Rounds: what EM makes likely, as a logarithm for each word (words are discounted and "
        "keywords add to it, so it is no likelihood of the text; citations are not in it), and "
        "per cent of papers that moved:"
    )
    yield page.table(
        ("round", *(name for name, _ in STEPS[1:])),
        list(rounds(models[1:])),
    )
    seconds = [f"{step.cells[0]} {step.seconds:.0f} s" for step in done[1:]]
    yield f"Time, with two fits more each to calibrate it: {', '.join(seconds)}."
    yield speed()


def rounds(models: Sequence[TopicModel]) -> Iterator[list[str]]:
    """Return a row for each round of EM."""
    for number in range(max(len(model.history) for model in models)):
        cells = [
            f"{m.history[number].likelihood:.4f}, {100 * m.history[number].moved:.1f}"
            if number < len(m.history)
            else ""
            for m in models
        ]
        yield [str(number), *cells]


def speed() -> str:
    """Measure time and memory on a large generated corpus, in a separate process."""
    done = measure.run("bench.topics_speed")
    facts = done.result
    return (
        f"{facts['documents']:,} generated documents of {facts['words']} words in "
        f"{facts['leaves']} leaves, {facts['rounds']} rounds of EM with shrinkage: "
        f"{facts['seconds']:.0f} s by the "
        f"clock, {facts['processor']:.0f} s of the processor (others may have used the machine), "
        f"{done.megabytes:,} MB at the most, {facts['corpus']:,} MB before the fit; "
        f"{100 * facts['right']:.1f} % right."
    )


if __name__ == "__main__":
    page.write("topics", "Papers to topics", "\n\n".join(body()))
