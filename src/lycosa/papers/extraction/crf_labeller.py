"""Labels for the words of headers and references, by conditional random fields.

A `CrfLabeller` is what a model file holds: for references one field over words, for
headers one over lines and, stacked on it, one over words. `train_crf_labeller` makes
a model file from labelled items, such as `papers.tagged` reads or
`papers.printing` prints. A few hundred items by hand teach most when they need
not teach everything: they are stacked on a tagger that has seen thousands of
made-up ones, and learn how far to believe it.

>>> from lycosa.papers.synthetic import generate_references
>>> model = train_crf_labeller("references", generate_references(40, seed=1))
>>> tagger = CrfLabeller.from_bytes(model)
>>> [guess.label for guess in tagger.tag([Token("Smith,"), Token("J."), Token("(1999).")])]
['author', 'author', 'date']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

from lycosa.errors import UnknownName, UsageError
from lycosa.papers.extraction import crf
from lycosa.papers.extraction.crf import Crf, Prediction, Row
from lycosa.papers.extraction.features import VERSION, reference_features
from lycosa.papers.extraction.header_features import (
    HeaderLine,
    header_features,
    line_features,
    line_labels,
)
from lycosa.papers.extraction.tagged import Token

ITEM_KINDS = ("headers", "references")
"""What can be labelled."""

MODELS = Path(__file__).parents[1] / "models"
"""Where the models are that come with the package; they learned from made-up papers only."""

_PARTS = {"headers": ("lines", "words"), "references": ("words",)}
_MADE = "made-up "
_FOLDS = 4
_SURE = 0.9


class CrfTraining(NamedTuple):
    """How hard to learn; see `crf.train`. The usual values suit a few hundred items by hand."""

    c1: float = 0.0
    c2: float = 1.0
    iterations: int = 150
    least: int = 1


@dataclass(frozen=True)
class CrfLabeller:
    """Labels the words of headers or of references."""

    kind: str
    fields: Mapping[str, Crf]
    about: Mapping[str, Any]

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "The model") -> Self:
        """What a model file holds; `name` is for complaints."""
        return cls._made(*crf.unpack(data, name), name)

    @classmethod
    def load(cls, path: Path) -> Self:
        """What a model file on disk holds."""
        return cls._made(*crf.load(path), str(path))

    @classmethod
    def shipped(cls, kind: str) -> Self:
        """The tagger that comes with the package."""
        return cls.load(MODELS / f"{_known(kind)}.crf")

    @classmethod
    def _made(cls, fields: dict[str, Crf], about: dict[str, Any], name: str) -> Self:
        kind = about.get("kind")
        parts = set(_PARTS.get(str(kind), ()))
        if not parts or set(fields) not in (parts, parts | {_MADE + part for part in parts}):
            raise UsageError(f"{name} is no model for headers or references; train one.")
        if about.get("features") != VERSION:
            raise UsageError(f"{name} was trained by another version of Lycosa; train it again.")
        return cls(str(kind), fields, about)

    def save(self, path: Path) -> None:
        """Write it to a file."""
        path.write_bytes(crf.pack(self.fields, self.about))

    def tag(self, tokens: Sequence[Token], layout: Sequence[HeaderLine] = ()) -> list[Prediction]:
        """A label for each word, with the probability that it is right."""
        return self.stages(tokens, layout)["words"]

    def stages(
        self, tokens: Sequence[Token], layout: Sequence[HeaderLine] = ()
    ) -> dict[str, list[Prediction]]:
        """What each field of the tagger makes of an item; the last word is `words`."""
        said: dict[str, list[Prediction]] = {}
        for made in (_MADE, "") if _MADE + "words" in self.fields else ("",):
            for part in _PARTS[self.kind]:
                rows = _rows(self.kind, made + part, tokens, layout, said)
                said[made + part] = self.fields[made + part].tag(rows)
        return said


def _rows(
    kind: str,
    part: str,
    tokens: Sequence[Token],
    layout: Sequence[HeaderLine],
    said: Mapping[str, list[Prediction]],
) -> list[Row]:
    """What one field of a tagger sees, given what those before it have said."""
    own = part.removeprefix(_MADE)
    if kind == "references":
        rows = reference_features([token.text for token in tokens])
    elif own == "lines":
        rows = line_features(tokens, layout)
    else:
        rows = header_features(tokens, said[part.replace("words", "lines")])
    hints = said.get(_MADE + own) if own == part else None
    return rows if hints is None else _hinted(rows, hints)


def _hinted(rows: Sequence[Row], hints: Sequence[Prediction]) -> list[Row]:
    """Rows that also know what another field has said of them and of their neighbours."""
    last = len(hints) - 1
    found = []
    for n, (row, (label, confidence)) in enumerate(zip(rows, hints, strict=True)):
        hint = [f"made={label}", f"made={label}{confidence > _SURE}"]
        before = hints[n - 1].label if n else "edge"
        after = hints[n + 1].label if n < last else "edge"
        found.append([*row, *hint, f"made-={before}", f"made+={after}"])
    return found


def train_crf_labeller(
    kind: str,
    items: Sequence[Sequence[Token]],
    layouts: Sequence[Sequence[HeaderLine]] | None = None,
    training: CrfTraining | None = None,
    base: CrfLabeller | None = None,
    **about: str,
) -> bytes:
    """A model file that was taught by labelled items; words without a label are left out.

    `layouts` has the lines of each header where their looks are known. With a
    `base`, such as `CrfLabeller.shipped(kind)`, what that tagger says is taken as a
    hint, and the file holds it too. What is said in `about` is kept in the file.
    """
    _known(kind)
    tagged = [[token for token in item if token.label] for item in items]
    pairs = zip(tagged, layouts or [()] * len(tagged), strict=True)
    kept = [(item, place) for item, place in pairs if item]
    if not kept:
        raise UsageError(f"No word of these {kind} has a label; tag some and try again.")
    if base is not None and (base.kind != kind or _MADE + "words" in base.fields):
        raise UsageError(f"The base is no tagger for {kind} that stands alone; give another.")
    how = (training or CrfTraining())._asdict()
    said = [
        {_MADE + part: guesses for part, guesses in base.stages(item, place).items()}
        if base
        else {}
        for item, place in kept
    ]
    fields = {_MADE + part: field for part, field in base.fields.items()} if base else {}

    def rows(part: str) -> list[list[Row]]:
        return [
            _rows(kind, part, item, place, mine)
            for (item, place), mine in zip(kept, said, strict=True)
        ]

    if kind == "headers":
        lines = rows("lines")
        labels = [line_labels(item) for item, _ in kept]
        fields["lines"] = crf.train(lines, labels, **how)
        for mine, guesses in zip(said, _honest(lines, labels, fields["lines"], how), strict=True):
            mine["lines"] = guesses
    fields["words"] = crf.train(
        rows("words"), [[token.label for token in item] for item, _ in kept], **how
    )
    return crf.pack(fields, {**about, "kind": kind, "features": VERSION})


def _honest(
    rows: Sequence[list[Row]], labels: Sequence[list[str]], field: Crf, how: Mapping[str, Any]
) -> list[list[Prediction]]:
    """What is said of items by a field that was not shown them.

    Who is stacked on a field must not learn how sure it is of its own lessons.
    """
    folds = min(_FOLDS, len(rows))
    if folds < 2:
        return [field.tag(row) for row in rows]
    guesses: list[list[Prediction]] = [[] for _ in rows]
    for fold in range(folds):
        others = [n for n in range(len(rows)) if n % folds != fold]
        other = crf.train([rows[n] for n in others], [labels[n] for n in others], **how)
        for n in range(fold, len(rows), folds):
            guesses[n] = other.tag(rows[n])
    return guesses


def _known(kind: str) -> str:
    if kind not in ITEM_KINDS:
        raise UnknownName("kind of text to label", kind, ITEM_KINDS)
    return kind
