"""Training of the models of references that come with the package.

The labeller of words is trained on the references of GROBID and AnyStyle and on synthetic
ones. Cora is what it is measured on, so references of Cora are left out: GROBID's file of
references that come with ParsCit (`grobid_citations.PARSCIT_FILES`), of which Cora is a part,
and every reference whose first letters are those of one of Cora (`letters_of`), which finds
copies with other punctuation and other numbers. Of copies between the corpora one is kept.

The segmenter of reference lists is trained on GROBID's lists, each of them also without its
layout, as in plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from lycosa.documents.layout import TextLine
from lycosa.papers.extraction import crf, reference_list_features
from lycosa.papers.extraction.crf import Crf
from lycosa.papers.extraction.crf_labeller import CrfTraining, train_crf_labeller
from lycosa.papers.extraction.reference_features import reference_word
from lycosa.papers.extraction.reference_list import KIND
from lycosa.papers.extraction.reference_list_features import list_features
from lycosa.papers.extraction.tagged import Token, read_references
from lycosa.papers.synthetic import generate_references
from lycosa.papers.training.annotated_references import AnnotatedReference, distinct, letters_of
from lycosa.papers.training.anystyle import read_anystyle
from lycosa.papers.training.grobid_citations import read_citations
from lycosa.papers.training.grobid_reference_lists import LabelledList, read_reference_lists

COMPARED_LETTERS = 40
"""References that begin with so many equal letters are copies of each other."""
SYNTHETIC_REFERENCES = 2000
"""The number of synthetic references among the training data."""

_SEED = 1
_TRAINING = CrfTraining(c1=0.1, c2=0.5, iterations=100, min_count=2)
_LISTS = CrfTraining(c1=0.05, c2=0.5, iterations=80)


def train_references(corpora: Path) -> bytes:
    """Train on the corpora in a folder, and return a model file."""
    real = real_references(corpora)
    further = anystyle_references(corpora, real)
    data = (
        f"{len(real)} references of GROBID, {len(further)} of AnyStyle, "
        f"{SYNTHETIC_REFERENCES} made-up"
    )
    items = [*(reference.tokens() for reference in real), *further, *synthetic_references()]
    return train_reference_items(items, data)


def train_reference_items(items: Sequence[Sequence[Token]], data: str = "") -> bytes:
    """Train on labelled references with the parameters of the shipped model."""
    return train_crf_labeller("references", items, training=_TRAINING, data=data)


def train_reference_lists(corpora: Path) -> bytes:
    """Train the segmenter on the lists in a folder of corpora, and return a model file."""
    lists = read_reference_lists(corpora / "grobid" / "reference-segmenter.tar.xz")
    model = train_lists(lists)
    metadata = {
        "kind": KIND,
        "features": reference_list_features.VERSION,
        "data": f"{len(lists)} lists of references of GROBID",
    }
    return crf.pack({"lines": model}, metadata)


def train_lists(lists: Iterable[LabelledList]) -> Crf:
    """Train on labelled lists with the parameters of the shipped model."""
    shown = [one for known in lists for one in (known, _without_layout(known))]
    return crf.train(
        [list_features(one.lines) for one in shown],
        [one.labels for one in shown],
        **_LISTS._asdict(),
    )


def _without_layout(one: LabelledList) -> LabelledList:
    lines = (TextLine(line.text, 0, 0.0, -n, len(line.text)) for n, line in enumerate(one.lines))
    return one._replace(lines=tuple(lines))


def real_references(corpora: Path) -> list[AnnotatedReference]:
    """Read the references of GROBID that are not in Cora, each once."""
    cora = _beginnings(_text(item) for item in _cora(corpora))
    found = distinct(read_citations(corpora / "grobid" / "citation.tar.xz"))
    return [reference for reference in found if _beginning(reference.text) not in cora]


def anystyle_references(corpora: Path, known: Iterable[AnnotatedReference]) -> list[list[Token]]:
    """Read the references of AnyStyle that are neither in Cora nor in `known`."""
    others = _beginnings(_text(item) for item in _cora(corpora))
    others |= _beginnings(reference.text for reference in known)
    items = [
        item
        for name in ("core.xml", "gold.xml")
        for item in read_anystyle(corpora / "anystyle" / name)
    ]
    return [item for item in items if _beginning(_text(item)) not in others]


def synthetic_references(count: int = SYNTHETIC_REFERENCES) -> list[list[Token]]:
    """Generate references whose web addresses have the label of corpora after Cora."""
    return [
        [
            token._replace(label="web") if reference_word(token.text).form == "web" else token
            for token in item
        ]
        for item in generate_references(count, _SEED)
    ]


def _cora(corpora: Path) -> list[list[Token]]:
    return read_references(corpora / "cora-references" / "tagged_references.txt")


def _text(item: Iterable[Token]) -> str:
    return " ".join(token.text for token in item)


def _beginnings(texts: Iterable[str]) -> set[str]:
    return {_beginning(text) for text in texts}


def _beginning(text: str) -> str:
    return letters_of(text)[:COMPARED_LETTERS]
