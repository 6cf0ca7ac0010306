"""Benchmark of headers and names on GROBID's annotated corpora, in five folds by document.

The labellers of a fold are trained as the shipped ones are, on the documents of the
other folds, and no document that is in Cora is used. The corpora are those of
`training.shipped`: headers, author lists, affiliations.

`python -m bench.papers_headers FOLD ...` measures only these folds and writes nothing.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench import page
from bench.field_measures import SOFT, FieldScores, agree, letters
from lycosa.papers.extraction.author_list import merge_mentions
from lycosa.papers.extraction.crf_labeller import CrfLabeller
from lycosa.papers.extraction.extractor import Extractor, group_fields
from lycosa.papers.extraction.fields import Header
from lycosa.papers.extraction.labeller import Prediction
from lycosa.papers.extraction.name_labeller import LabelledPiece, NameLabeller, join_names
from lycosa.papers.extraction.names import PersonName, parse_names
from lycosa.papers.extraction.place_labeller import PLACE_LABELS, PlaceLabeller
from lycosa.papers.training import shipped
from lycosa.papers.training.grobid_archive import FOLDS, fold_of
from lycosa.papers.training.grobid_headers import AnnotatedHeader
from lycosa.papers.training.grobid_names import AuthorLists

CORPORA = page.SHARED / "corpora"
FIELDS = (
    "title", "authors", "abstract", "affiliation", "email", "keyword", "date", "address",
    "affiliation with address",
)  # fmt: skip
"""The rows of the table; in the last, where an affiliation ends and its address begins is free."""


@dataclass
class Scores:
    """What is counted over all folds."""

    layout: FieldScores = field(default_factory=FieldScores)
    plain: FieldScores = field(default_factory=FieldScores)
    words: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


def measure_fold(
    fold: int,
    headers: Sequence[AnnotatedHeader],
    authors: Sequence[AuthorLists],
    affiliations: shipped.Affiliations,
    scores: Scores,
) -> None:
    """Train on the other folds and count what is right in one."""
    others = [paper for paper in authors if fold_of(paper.name) != fold]
    names = NameLabeller.from_bytes(shipped.train_names(others))
    model = shipped.train_headers(
        [header for header in headers if fold_of(header.name) != fold],
        others,
        [paper for paper in affiliations if fold_of(paper[0]) != fold],
    )
    places = PlaceLabeller.from_bytes(
        shipped.train_places(
            [header for header in headers if fold_of(header.name) != fold],
            [paper for paper in affiliations if fold_of(paper[0]) != fold],
        )
    )
    extractor = Extractor(CrfLabeller.from_bytes(model), names=names, places=places)
    for paper in authors:
        if fold_of(paper.name) == fold:
            _count_names(paper, names, scores.names)
    for header in headers:
        if fold_of(header.name) != fold:
            continue
        truth = gold_header(header, names)
        start = time.perf_counter()
        found = extractor.header(header.lines)
        scores.seconds += time.perf_counter() - start
        _count_fields(truth, found, scores.layout)
        plain = extractor.header([line.text for line in header.lines])
        _count_fields(truth, plain, scores.plain)
        _count_places(truth, found, scores.places)
        _count_words(header, found, scores.words)


def gold_header(header: AnnotatedHeader, names: NameLabeller) -> Header:
    """Return the fields of a header as it was labelled by hand."""
    predictions = [Prediction(token.label, 1.0) for token in header.tokens]
    fields = group_fields(header.tokens, predictions)
    people = merge_mentions(names.names(part.text) for part in fields.get("author", ()))
    return Header(fields, people)


def _count_fields(truth: Header, found: Header, scores: FieldScores) -> None:
    for name in FIELDS:
        match name:
            case "authors":
                pair = _listed(truth.authors), _listed(found.authors)
            case "abstract":
                pair = truth.abstract, found.abstract
            case "email":
                pair = " ".join(truth.emails), " ".join(found.emails)
            case "affiliation with address":
                pair = _places(truth), _places(found)
            case _:
                pair = truth.text(name), found.text(name)
        scores.add(name, *pair)


def _places(header: Header) -> str:
    """Return the text of all affiliations and addresses, in their order."""
    parts = [part for label in PLACE_LABELS for part in header.fields.get(label, ())]
    return " ".join(part.text for part in sorted(parts, key=lambda part: part.start))


def _listed(names: Sequence[PersonName]) -> str:
    return "; ".join(f"{name.given} {name.family}" for name in names)


def _same(one: Sequence[PersonName], two: Sequence[PersonName]) -> bool:
    return [letters(f"{n.given}{n.family}") for n in one] == [
        letters(f"{n.given}{n.family}") for n in two
    ]


def _count_places(truth: Header, found: Header, counts: Counter[str]) -> None:
    """Count single affiliations: each may be found once."""
    wanted = [part.text for part in truth.fields.get("affiliation", ())]
    given = [part.text for part in found.fields.get("affiliation", ())]
    counts["wanted"] += len(wanted)
    counts["given"] += len(given)
    for kind, similarity in (("exact", 1.0), ("right", SOFT)):
        left = list(given)
        for text in wanted:
            match = next((other for other in left if agree(text, other, similarity)), None)
            if match is not None:
                left.remove(match)
                counts[kind] += 1


def _count_words(header: AnnotatedHeader, found: Header, counts: Counter[str]) -> None:
    labels = {n: label for label in found for part in found.fields[label]
              for n in range(part.start, part.stop)}  # fmt: skip
    counts["all"] += len(header.tokens)
    counts["right"] += sum(labels.get(n) == t.label for n, t in enumerate(header.tokens))


def _count_names(paper: AuthorLists, names: NameLabeller, counts: Counter[str]) -> None:
    """Count author lists whose names are all right, in their order."""
    for pieces in paper.lists:
        text = _print(pieces)
        truth = join_names(pieces)
        counts["lists"] += 1
        counts["right"] += _same(names.names(text), truth)
        parsed = [name for line in text.split("\n") for name in parse_names(line)]
        counts["parsed right"] += _same(parsed, truth)


def _print(pieces: Sequence[LabelledPiece]) -> str:
    """Return the pieces of an author list as text."""
    text, line = "", 0
    for piece in pieces:
        joint = "\n" if piece.line > line else "" if piece.text in ".,;)" else " "
        text, line = text + joint + piece.text, piece.line
    return text.strip()


def report(scores: Scores, count: int, lists: int) -> str:
    """Return the part of the page."""

    def share(part: float, whole: float) -> str:
        return f"{part / max(whole, 1):.3f}"

    rows = []
    for name in FIELDS:
        a, b = scores.layout, scores.plain
        cells = [
            share(counts[name], one.wanted[name])
            for one in (a, b)
            for counts in (one.exact, one.soft)
        ]
        rows.append((name, a.wanted[name], *cells[:2], f"{a.f1(name, a.soft):.3f}", *cells[2:]))
    head = [
        "field", "headers with it", "exact", "soft", "soft F1", "exact, no layout",
        "soft, no layout",
    ]  # fmt: skip
    places, names = scores.places, scores.names
    return (
        f"Headers of GROBID's corpus that are not in Cora: {count}, in {FOLDS} folds by document. "
        "The share of the headers that have a field in which it is right: *exact* is equal in "
        "letters and digits (GROBID's evaluation calls that soft), *soft* is an edit distance of "
        "at most a fifth (its Levenshtein match). A field is all its text in the header, the "
        "authors are the list of their names; the labeller of names also "
        "reads the names of the truth, from the words annotated as authors, so that its own errors "
        "are only in the last figures below. F1 also counts the fields that were found in headers "
        "without them. The labels of "
        f"{share(scores.words['right'], scores.words['all'])} of all words are right. "
        f"{count / scores.seconds:.0f} headers a second on one core.\n\n"
        f"{page.table(head, rows)}\n\n"
        "The row of affiliations compares all the affiliations of a header as one text, so that "
        "one wrong line can fail a header with five right ones. GROBID publishes no figure for "
        "affiliations; fields that occur several times are usually counted one by one: of "
        f"{places['wanted']} affiliations {share(places['right'], places['wanted'])} are found "
        f"softly right, and {share(places['right'], places['given'])} of those found are right "
        f"(F1 {share(2 * places['right'], places['wanted'] + places['given'])}); "
        f"exactly right are F1 {share(2 * places['exact'], places['wanted'] + places['given'])}."
        "\n\n"
        f"Author lists of {lists} papers, in the same folds: names of {names['lists']} lists all "
        "right and in order: "
        f"{share(names['right'], names['lists'])} by the labeller of names, "
        f"{share(names['parsed right'], names['lists'])} by the parser of names."
    )


def main(arguments: Sequence[str]) -> None:
    """Measure, print and write the part of the page."""
    headers = shipped.real_headers(CORPORA)
    authors = shipped.real_author_lists(CORPORA)
    affiliations = shipped.real_affiliations(CORPORA)
    scores = Scores()
    chosen = [int(fold) for fold in arguments] or list(range(FOLDS))
    for fold in chosen:
        measure_fold(fold, headers, authors, affiliations, scores)
    count = sum(fold_of(header.name) in chosen for header in headers)
    body = report(scores, count, len(authors))
    if arguments:
        print(body)
    else:
        page.write("papers-headers", "Papers: headers and names", body, "bench-papers")


if __name__ == "__main__":
    main(sys.argv[1:])
