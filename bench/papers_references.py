"""Benchmark of references: fields by conditional random fields, on corpora of many styles.

Five folds of GROBID's references, by document, without those of Cora and ParsCit
(`training.reference_model`). Each fold is measured with a model that is trained on the
other folds, on AnyStyle's references and on synthetic ones, with the features and the
parameters of the shipped model. They were chosen on fold 0.

`core` is the share of references of which author, title, container (journal or book), year
and numbers (volume with issue, and pages) are all exactly right, compared by letters and
digits, without words that announce a field, such as "pp." and "In".

`python -m bench.papers_references` writes its part of the page, in about half an hour of one
core; `--fold N` measures one fold.
"""

from __future__ import annotations

import argparse
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from bench import page
from lycosa.papers.extraction.crf_labeller import CrfLabeller
from lycosa.papers.extraction.extractor import Extractor
from lycosa.papers.extraction.fields import parse_year
from lycosa.papers.training.annotated_references import AnnotatedReference
from lycosa.papers.training.grobid_archive import FOLDS, fold_of
from lycosa.papers.training.reference_model import (
    anystyle_references,
    real_references,
    synthetic_references,
    train_reference_items,
)

CORPORA = page.SHARED / "corpora"
FIELDS = ("author", "title", "container", "year", "volume", "pages")
_IN = re.compile(r"^\W*(?:in|dans|nel|im|en)\b[\s:]+", re.IGNORECASE)
_EDITORS = re.compile(r"\W*\b(?:eds?|edd|editors?|hrsg|hg|dir)\b\.?\W*$", re.IGNORECASE)
_CUES = re.compile(
    r"(?<![^\W\d_])(?:vols?|volumes?|v|nos?|numbers?|nr|num|n|issue|bd|band|t|tome|fasc|heft|jg|part"
    r"|pp?|pages?|pag|pg|ss?|seiten?|str)(?![^\W\d_])\.?|n[\u00b0\u00ba]"
    r"|[\uc81c\uad8c\ud638\uc9d1\u7b2c\u671f\u53f7\u865f\u5377\u5dfb\u9875\u9801\ucabd\u8f2f]",
    re.IGNORECASE,
)


class Tally:
    """Counts of references of which fields are right."""

    def __init__(self) -> None:
        self.references = self.words = self.right_words = self.core = 0
        self.right: Counter[str] = Counter()
        self.seconds = 0.0

    def __iadd__(self, other: Tally) -> Tally:
        self.references += other.references
        self.words += other.words
        self.right_words += other.right_words
        self.core += other.core
        self.right += other.right
        self.seconds += other.seconds
        return self

    def row(self, name: str) -> list[object]:
        """Return the shares as a row of the table."""
        count = max(self.references, 1)
        return [
            name,
            self.references,
            f"{self.right_words / max(self.words, 1):.3f}",
            f"{self.core / count:.3f}",
            *(f"{self.right[field] / count:.3f}" for field in FIELDS),
        ]


def letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def numbers(text: str) -> str:
    """Return what is left of a volume or of pages without the words that announce them."""
    return letters(_CUES.sub(" ", unicodedata.normalize("NFKC", text)))


def compared(value: Callable[[str], str]) -> dict[str, object]:
    """Return the fields that are compared, given the text of each label."""
    return {
        "author": letters(_EDITORS.sub("", value("author"))),
        "title": letters(value("title")),
        "container": letters(_IN.sub("", f"{value('journal')} {value('booktitle')}".strip())),
        "year": parse_year(value("date")),
        "volume": numbers(value("volume")),
        "pages": numbers(value("pages")),
    }


def evaluate(labeller: CrfLabeller, references: Sequence[AnnotatedReference]) -> Tally:
    """Count the references of which a labeller finds the fields."""
    tally = Tally()
    extractor = Extractor(references=labeller)
    for reference in references:
        tokens = reference.tokens()
        labels = [found.label for found in labeller.tag(tokens)]
        tally.words += len(tokens)
        tally.right_words += sum(
            token.label == label for token, label in zip(tokens, labels, strict=True)
        )
        start = time.process_time()
        found = extractor.reference(reference.text)
        tally.seconds += time.process_time() - start
        truth, mine = compared(reference.value), compared(found.text)
        tally.references += 1
        tally.core += truth == mine
        tally.right.update(field for field in FIELDS if truth[field] == mine[field])
    return tally


def measure(folds: Sequence[int]) -> str:
    """Measure these folds and return the table."""
    references = real_references(CORPORA)
    further = [*anystyle_references(CORPORA, references), *synthetic_references()]
    rows, total = [], Tally()
    training = 0.0
    for fold in folds:
        taught = [one.tokens() for one in references if fold_of(one.document) != fold]
        test = [one for one in references if fold_of(one.document) == fold]
        start = time.process_time()
        model = train_reference_items([*taught, *further])
        training += time.process_time() - start
        tally = evaluate(CrfLabeller.from_bytes(model), test)
        rows.append(tally.row(f"{fold}"))
        print(*rows[-1], f"{len(model):,} bytes", flush=True)
        total += tally
    rows.append(total.row("all"))
    speed = total.references / total.seconds
    head = ["fold", "references", "words", "core", *FIELDS]
    return (
        f"{len(references)} references of GROBID's corpus without those of Cora and ParsCit, in "
        f"{FOLDS} folds by document; beside the other folds {len(further)} references of "
        "AnyStyle and synthetic ones are trained on. The share of words with the right label, "
        "of references of which all of author, title, container, year and numbers are exactly "
        f"right, and of each field. One core labels {speed:,.0f} references a second, and trains "
        f"the model of a fold in {training / len(folds):.0f} s (processor time).\n\n"
        f"{page.table(head, rows)}"
    )


def main() -> None:
    """Measure, print and write the part of the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--fold", type=int, choices=range(FOLDS))
    fold = parser.parse_args().fold
    body = measure(range(FOLDS) if fold is None else [fold])
    if fold is None:
        page.write("papers-references", "Papers: references", body, "bench-papers")
    else:
        print(body)


if __name__ == "__main__":
    main()
