"""Training of the models that come with the package.

`python -m lycosa.papers.training CORPORA` trains all of them on the corpora in a folder
and on synthetic papers (`papers.synthetic`). The same version of python-crfsuite gives
the same bytes again. `models/README.txt` names the corpora with their licences.

Items of Cora are not used, because Cora is what the models are measured on: see
`training.overlap`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from lycosa.errors import UnknownName
from lycosa.papers.extraction.crf_labeller import CrfTraining, train_crf_labeller
from lycosa.papers.extraction.header_features import line_labels
from lycosa.papers.extraction.labeller import HeaderLine
from lycosa.papers.extraction.name_labeller import train_name_labeller
from lycosa.papers.extraction.place_labeller import (
    PLACE_LABELS,
    place_runs,
    train_place_labeller,
)
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.extraction.tagged import read_headers as read_tagged_headers
from lycosa.papers.extraction.tokens import PAGE
from lycosa.papers.synthetic import generate_headers
from lycosa.papers.synthetic.headers import INTRODUCTIONS
from lycosa.papers.training.grobid_headers import (
    AnnotatedHeader,
    read_affiliations,
    read_headers,
)
from lycosa.papers.training.grobid_names import AuthorLists, read_author_lists
from lycosa.papers.training.layout_completion import complete_layout
from lycosa.papers.training.name_variants import add_icons, family_first, one_name_a_line
from lycosa.papers.training.overlap import ShingleIndex
from lycosa.papers.training.recombination import recombine
from lycosa.papers.training.reference_model import train_reference_lists, train_references
from lycosa.papers.training.segmenter import real_documents, train_segmenter

Affiliations: TypeAlias = Sequence[tuple[str, list[list[Token]]]]
"""The names of documents, each with the labelled words of its affiliations."""

SEED = 1
HEADERS = 200
"""The number of synthetic headers that the shipped model was trained on."""
NO_LAYOUT_SHARE = 0.3
"""The share of real headers that are given without layout, as those of plain text are."""
COLUMNS_SHARE = 0.5
"""The share of author lists that are also given with one name a line."""
FAMILY_FIRST_SHARE = ICONS_SHARE = 0.25
"""The shares of author lists that are also given with family names first, or with icons."""
SIZES_SHARE = 0.4
"""The share of real headers whose layout is completed by sizes."""

_HEADERS = CrfTraining(c1=0.1, c2=0.5, iterations=60, min_count=2)


def train_shipped_model(kind: str, corpora: Path) -> bytes:
    """Train a model on the corpora in a folder, and return its file."""
    if kind not in TRAINERS:
        raise UnknownName("kind of shipped model", kind, TRAINERS)
    return TRAINERS[kind](corpora)


def _headers(corpora: Path) -> bytes:
    return train_headers(
        real_headers(corpora), real_author_lists(corpora), real_affiliations(corpora)
    )


def _names(corpora: Path) -> bytes:
    return train_names(real_author_lists(corpora))


def _places(corpora: Path) -> bytes:
    return train_places(real_headers(corpora), real_affiliations(corpora))


def _segmentation(corpora: Path) -> bytes:
    documents = real_documents(corpora)
    lines = sum(len(document.lines) for document in documents)
    return train_segmenter(documents, data=f"{len(documents)} documents of GROBID, {lines} lines")


TRAINERS: dict[str, Callable[[Path], bytes]] = {
    "headers": _headers,
    "names": _names,
    "places": _places,
    "segmentation": _segmentation,
    "references": train_references,
    "reference-lists": train_reference_lists,
}
"""The functions that train the shipped models, by kind: the name of the file without `.crf`."""


def real_headers(corpora: Path) -> list[AnnotatedHeader]:
    """Read the headers of GROBID's corpus that are not in Cora."""
    cora = read_tagged_headers(corpora / "cora-headers" / "tagged_headers.txt")
    # The introduction and the page are one word each in Cora.
    known = ShingleIndex(
        [token.text for token in item if token.label not in ("intro", "page")] for item in cora
    )
    headers = read_headers(corpora / "grobid" / "header.tar.xz")
    return [
        header for header in headers if not known.has_copy([token.text for token in header.tokens])
    ]


def real_author_lists(corpora: Path) -> list[AuthorLists]:
    """Read the author lists of GROBID's corpus that are not in Cora."""
    cora = read_tagged_headers(corpora / "cora-headers" / "tagged_headers.txt")
    known = ShingleIndex([token.text for token in item if token.label == "author"] for item in cora)
    return [
        paper
        for paper in read_author_lists(corpora / "grobid" / "name-header.tar.xz")
        if not any(known.has_copy([piece.text for piece in one]) for one in paper.lists)
    ]


def real_affiliations(corpora: Path) -> Affiliations:
    """Read the affiliations of each document of GROBID's corpus that is not in Cora."""
    cora = read_tagged_headers(corpora / "cora-headers" / "tagged_headers.txt")
    known = ShingleIndex(
        [token.text for token in item if token.label in PLACE_LABELS] for item in cora
    )
    return [
        (name, places)
        for name, places in read_affiliations(corpora / "grobid" / "affiliation-address.tar.xz")
        if not known.has_copy([token.text for place in places for token in place])
    ]


def train_headers(
    real: Sequence[AnnotatedHeader],
    authors: Sequence[AuthorLists] = (),
    affiliations: Affiliations = (),
    synthetic: int = HEADERS,
) -> bytes:
    """Train a labeller on real, recombined and synthetic headers, and return its file.

    Every second real header is also given with other authors and affiliations.
    """
    rng = random.Random(SEED)
    items, layouts = [], []
    lists = [one for paper in authors for one in paper.lists]
    places = [place for _, place in affiliations if place]
    chosen = real[::2] if lists and places else []
    recombined = [recombine(header, lists, places, rng) for header in chosen]
    for header in [*real, *recombined]:
        tokens, lines = _end_header(header, rng)
        kind = rng.random()
        if kind < NO_LAYOUT_SHARE:
            lines = [HeaderLine(line.text) for line in lines]
        elif kind < NO_LAYOUT_SHARE + SIZES_SHARE:
            lines = complete_layout(lines, line_labels(tokens)[: len(lines)], rng)
        items.append(tokens)
        layouts.append(lines)
    for made in generate_headers(synthetic, SEED):
        items.append(made.tokens)
        layouts.append(made.lines)
    data = (
        f"{len(real)} headers, {len(authors)} author lists and {len(affiliations)} lists of "
        f"affiliations of GROBID's corpora, {synthetic} made-up headers"
    )
    return train_crf_labeller("headers", items, layouts, _HEADERS, data=data)


def _end_header(
    header: AnnotatedHeader, rng: random.Random
) -> tuple[list[Token], list[HeaderLine]]:
    """Return a header with what the extractor reads at its end: a heading, or the end of a page."""
    number = len(header.lines)
    if rng.random() < 0.5:
        return [*header.tokens, Token(PAGE, "page", number)], header.lines
    text = rng.choice(INTRODUCTIONS)
    heading = [Token(word, "intro", number) for word in text.split()]
    known = bool(header.lines) and header.lines[-1].bold is not None
    line = HeaderLine(text, bold=True, size_change=1, new_block=True) if known else HeaderLine(text)
    return [*header.tokens, *heading], [*header.lines, line]


def train_names(real: Sequence[AuthorLists]) -> bytes:
    """Train a labeller on author lists, and return its file.

    Lists are also given with one name a line and without the punctuation between
    them, as authors stand in columns; some with the family names first, and some with
    signs that stand for an icon behind a name.
    """
    rng = random.Random(SEED)
    lists = [one for paper in real for one in paper.lists]
    more = [
        *(one_name_a_line(one) for one in lists if rng.random() < COLUMNS_SHARE),
        *(family_first(one) for one in lists if rng.random() < FAMILY_FIRST_SHARE),
        *(add_icons(one, rng) for one in lists if rng.random() < ICONS_SHARE),
    ]
    data = f"author lists of {len(real)} papers of GROBID's corpus"
    return train_name_labeller([*lists, *more], data=data)


def train_places(real: Sequence[AnnotatedHeader], affiliations: Affiliations) -> bytes:
    """Train a labeller on the affiliations of headers and of other papers, and return its file."""
    runs = [
        header.tokens[a:b]
        for header in real
        for a, b in place_runs([token.label for token in header.tokens])
    ]
    for _, places in affiliations:
        tokens: list[Token] = []
        for place in places:
            line = tokens[-1].line + 1 if tokens else 0
            tokens += [token._replace(line=line + token.line) for token in place]
        if tokens:
            runs.append(tokens)
    data = f"affiliations of {len(real)} headers and {len(affiliations)} papers of GROBID's corpora"
    return train_place_labeller(runs, data=data)
