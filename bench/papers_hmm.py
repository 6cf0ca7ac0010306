"""Benchmark of hidden Markov models on headers and references (McCallum et al. 1999, table 1).

Headers: trained on the first 500, tested on the other 435. All choices were made by
cross-validation within the first 500 (`chosen`); all structures and readings are
shown. References: ten folds of the 500.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from bench import page
from lycosa.papers.extraction.header_hmm import STRUCTURES, train_header_hmm
from lycosa.papers.extraction.hmm_labeller import AUTOMATIC, READINGS, HmmLabeller
from lycosa.papers.extraction.reference_hmm import train_reference_hmm
from lycosa.papers.extraction.tagged import HEADER_LABELS, Token, read_headers, read_references
from lycosa.papers.extraction.tokens import collapse_regions, normalise_word
from lycosa.papers.synthetic import generate_references

CORPORA = page.SHARED / "corpora"
TRAINING = 500
NAMES = {
    "one-state": "one state per class",
    "v-merged": "V-merged",
    "m-merged": "M-merged",
    "bayes-merged": "Bayes-merged",
}
PAPER = {"one-state": (17, 149, 89.8), "m-merged": (36, 164, 91.1), "v-merged": (155, 402, 90.2)}
GENERATED = 2000
Items = Sequence[Sequence[Token]]
Train = Callable[[Items], HmmLabeller]


class Result(NamedTuple):
    """Pairs of true and given labels, and of confidence and success, over all words."""

    pairs: Counter[tuple[str, str]]
    confidences: list[tuple[float, bool]]

    @property
    def accuracy(self) -> float:
        """The share of words whose label was found, in per cent."""
        right = sum(n for (true, given), n in self.pairs.items() if true == given)
        return 100 * right / sum(self.pairs.values())


def evaluate(labeller: HmmLabeller, items: Items) -> Result:
    """Label the words of items whose labels are known."""
    result = Result(Counter(), [])
    for item in items:
        known = [token for token in item if token.label and normalise_word(token.text)]
        for token, tag in zip(known, labeller.tag(known), strict=True):
            result.pairs[token.label, tag.label] += 1
            result.confidences.append((tag.confidence, token.label == tag.label))
    return result


def cross_validate(train: Train, items: Items, folds: int, extra: Items = ()) -> Result:
    """Label every item by a model trained on the other folds and on `extra`."""
    whole = Result(Counter(), [])
    for fold in range(folds):
        others = [item for n, item in enumerate(items) if n % folds != fold]
        result = evaluate(train([*others, *extra]), items[fold::folds])
        whole.pairs.update(result.pairs)
        whole.confidences.extend(result.confidences)
    return whole


def by_class(result: Result, labels: Iterable[str]) -> str:
    """Return a table of the words of each class: found, right, and confused with."""
    rows = []
    for label in labels:
        given = Counter({g: n for (true, g), n in result.pairs.items() if true == label})
        taken = sum(n for (_, g), n in result.pairs.items() if g == label)
        right, total = given.pop(label, 0), sum(given.values())
        wrong = ", ".join(f"{g} {n}" for g, n in given.most_common(3))
        total += right
        rows.append(
            [
                label,
                total,
                f"{100 * right / total:.1f}",
                f"{100 * right / max(taken, 1):.1f}",
                wrong,
            ]
        )
    return page.table(["class", "words", "found %", "right when said %", "taken for"], rows)


def by_confidence(result: Result) -> str:
    """Return a table of the accuracy by confidence."""
    rows = []
    borders = (0.0, 0.5, 0.8, 0.95, 0.99, 1.01)
    for low, high in itertools.pairwise(borders):
        some = [right for confidence, right in result.confidences if low <= confidence < high]
        upper = f"to {high}" if high < 1 else "and more"
        rows.append([f"{low} {upper}", len(some), f"{100 * sum(some) / max(len(some), 1):.1f}"])
    return page.table(["confidence", "words", "right %"], rows)


def headers() -> str:
    """Return table 1 of the paper, and the same with the reading `printed`."""
    whole = read_headers(CORPORA / "cora-headers" / "tagged_headers.txt")
    items = [collapse_regions(item) for item in whole]
    training, test = items[:TRAINING], items[TRAINING:]
    rows = []
    best: tuple[float, Result | None] = (0.0, None)
    for reading in READINGS:
        for structure, name in NAMES.items():
            train = _header_training(structure, reading)
            chosen = cross_validate(train, training, 5).accuracy
            result = evaluate(train(training), test)
            built = STRUCTURES[structure](
                [[t.label for t in item if t.label and normalise_word(t.text)] for item in training]
            )
            paper = PAPER.get(structure) if reading == "plain" else None
            rows.append(
                [
                    reading,
                    name,
                    built.states,
                    built.transitions,
                    f"{chosen:.1f}",
                    f"**{result.accuracy:.1f}**",
                    "{} states, {} transitions, {}".format(*paper) if paper else "",
                ]
            )
            print(*rows[-1], flush=True)
            best = max(best, (chosen, result), key=lambda pair: pair[0])
    head = ["reading", "structure", "states", "transitions", "5 folds %", "test %", "the paper has"]
    assert best[1] is not None  # noqa: S101
    full = [collapse_regions(item, ("intro", "page")) for item in whole]
    unfolded = evaluate(train_header_hmm(full[:TRAINING]), full[TRAINING:])
    counts = [
        sum(bool(t.label and normalise_word(t.text)) for i in part for t in i)
        for part in (training, test)
    ]
    return "\n\n".join(
        [
            f"Headers: {counts[0]:,} words to learn from, {counts[1]:,} to test (the paper has "
            "23,557 and 20,308). Accuracy is the share of words given their label; abstract, "
            "introduction and page are a word each.",
            page.table(head, rows),
            f"The same with all words of the abstract counted (one state per class, printed): "
            f"{unfolded.accuracy:.1f} % of {sum(unfolded.pairs.values()):,} test words.",
            "The test words by class, for the row that is best in five folds:",
            by_class(best[1], HEADER_LABELS),
            by_confidence(best[1]),
        ]
    )


def references() -> str:
    """Return the results of ten folds of the tagged references, with and without synthetic ones."""
    items = read_references(CORPORA / "cora-references" / "tagged_references.txt")
    synthetic = generate_references(GENERATED, seed=1)
    rows = []
    best: tuple[float, Result | None] = (0.0, None)
    for reading in READINGS:
        for structure in AUTOMATIC:
            train = _reference_training(structure, reading)
            result = cross_validate(train, items, 10)
            rows.append([reading, NAMES[structure], "the other folds", f"{result.accuracy:.1f}"])
            best = max(best, (result.accuracy, result), key=lambda pair: pair[0])
            print(*rows[-1], flush=True)
    train = _reference_training("one-state", "printed")
    alone, both = evaluate(train(synthetic), items), cross_validate(train, items, 10, synthetic)
    for name, result in ((f"{GENERATED:,} made up", alone), ("both", both)):
        rows.append(["printed", NAMES["one-state"], name, f"{result.accuracy:.1f}"])
    assert best[1] is not None  # noqa: S101
    labels = sorted({true for true, _ in best[1].pairs})
    return "\n\n".join(
        [
            f"References: {sum(best[1].pairs.values()):,} words of {len(items)}, ten folds.",
            page.table(["reading", "structure", "learned from", "accuracy %"], rows),
            "By class, for the best row of ten folds:",
            by_class(best[1], labels),
        ]
    )


def _header_training(structure: str, reading: str) -> Train:
    return lambda items: train_header_hmm(items, structure, reading)


def _reference_training(structure: str, reading: str) -> Train:
    return lambda items: train_reference_hmm(items, structure, reading)


if __name__ == "__main__":
    page.write(
        "papers-hmm",
        "Fields by hidden Markov models",
        headers() + "\n\n" + references(),
        target="bench-papers",
    )
