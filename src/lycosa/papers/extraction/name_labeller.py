r"""Labeller of author lists by a conditional random field: the parts of each name.

The names of a header stand between marks of footnotes, degrees and roles, in any
order, with or without commas. A CRF labels each piece of the text as a part of a
name or as something else, and a label of its own begins each name.

>>> pieces = [LabelledPiece(piece.text, label) for piece, label in zip(
...     split_pieces("Ann Lee1, Roe"), ["first-given", "family", "mark", "other", "first-family"])]
>>> [str(name) for name in join_names(pieces)]
['Lee, Ann', 'Roe']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lycosa.papers.extraction import crf
from lycosa.papers.extraction.crf import Row
from lycosa.papers.extraction.features import bucket, word_features
from lycosa.papers.extraction.names import PersonName
from lycosa.papers.extraction.single_crf import SingleCrf

VERSION = 1
"""The version of the feature set; a model of another version is refused."""
KIND = "names"
"""The kind of these models in their files."""
MAX_PIECES = 4000
"""The most pieces of an author list that are read."""

# A word with its hyphens, apostrophes and full stops, a number, or one other character.
_PIECE = re.compile(r"[^\W\d_]+(?:(?:\.?[-'\u2010\u2019\u00b4`]|\.)[^\W\d_]+)*\.?|\d+|[^\s\w]|_")
_LETTER = re.compile(r"[^\W\d_]")
_ABBREVIATED = re.compile(r"(?:^|[\s.])\w{1,2}\.$")  # an initial, or a suffix such as Jr.
_NOT_NAME = re.compile(r"[^\w\s.'\u2010\u2019\u00b4`-]|[\d_]")


class LabelledPiece(NamedTuple):
    """A word, a number or a sign of an author list.

    Its labels are given, family, suffix, role, mark and other; the first piece of each
    name has first-given or first-family. `line` counts the lines from 0.
    """

    text: str
    label: str = ""
    line: int = 0


def split_pieces(text: str) -> Iterator[LabelledPiece]:
    r"""Split an author list into pieces without labels.

    >>> [piece.text for piece in split_pieces("J.-P. Lee1,* O'Hara")]
    ['J.-P.', 'Lee', '1', ',', '*', "O'Hara"]
    """
    for number, line in enumerate(text.split("\n")):
        for piece in _PIECE.findall(line):
            yield LabelledPiece(piece, "", number)


def name_features(pieces: Sequence[LabelledPiece]) -> list[Row]:
    """Return the features of each piece of an author list."""
    described = [word_features(piece.text) for piece in pieces]
    commas = bucket(sum(piece.text == "," for piece in pieces))
    upper = sum(piece.text.isupper() and len(piece.text) > 2 for piece in pieces)
    style = [f"commas={commas}", f"upper={3 * upper // max(len(pieces), 1)}"]
    rows = []
    for n, (piece, word) in enumerate(zip(pieces, described, strict=True)):
        row = [*word.features, *style, f"shape={_shape(piece.text)}"]
        row.append(f"first={n == 0 or pieces[n - 1].line != piece.line}")
        row.append(f"last={n + 1 == len(pieces) or pieces[n + 1].line != piece.line}")
        shapes = []
        for d in (-3, -2, -1, 1, 2, 3):
            if 0 <= n + d < len(pieces):
                other = described[n + d]
                shapes.append(_shape(pieces[n + d].text))
                row.append(f"{d}:shape={shapes[-1]}")
                if abs(d) < 3:
                    row += [f"{d}:w={other.bare}", f"{d}:form={other.form}"]
                    row += [f"{d}:is={kind}" for kind in other.lexicons]
            else:
                shapes.append("edge")
                row.append(f"{d}:edge")
        own = _shape(piece.text)
        row += [f"around={shapes[2]}|{own}|{shapes[3]}", f"before={shapes[1]}|{shapes[2]}|{own}"]
        row.append(f"behind={own}|{shapes[3]}|{shapes[4]}")
        rows.append(row)
    return rows


def _shape(text: str) -> str:
    """Return the kind of a piece: a sign as it is, or the shape of a word."""
    if not _LETTER.match(text):
        return "0" if text[0].isdigit() else text
    bare = text.rstrip(".")
    stop = "." if bare != text else ""
    if "." in bare:
        return "A.A" + stop
    if len(bare) == 1:
        return ("A" if bare.isupper() else "a") + stop
    if bare.isupper():
        return ("AA" if len(bare) < 4 else "AAAA") + stop
    if bare.islower():
        return ("aa" if len(bare) < 4 else "aaaa") + stop
    return ("Aa" if bare[1:].islower() else "AaA") + stop


def join_names(pieces: Sequence[LabelledPiece]) -> tuple[PersonName, ...]:
    """Return the names of labelled pieces, in their order; roles and marks are left out."""
    names: list[tuple[list[str], list[str]]] = []
    for piece in pieces:
        kind = piece.label.removeprefix("first-")
        if kind not in ("given", "family", "suffix") or not _LETTER.search(piece.text):
            continue
        is_open = bool(names) and bool(names[-1][0]) and not names[-1][1]
        # A family name behind a given name alone belongs to it, as across a line end.
        if not names or (piece.label != kind and not (is_open and kind == "family")):
            names.append(([], []))
        names[-1][kind != "given"].append(_NOT_NAME.sub("", piece.text))
    return tuple(
        PersonName(_end(family), " ".join(given)) if family else PersonName(_end(given))
        for given, family in names
    )


def _end(words: list[str]) -> str:
    """Return the words of a family name without the full stop that ends a list."""
    text = " ".join(words)
    return text if _ABBREVIATED.search(text) else text.rstrip(".")


class NameLabeller(SingleCrf):
    """A labeller of author lists."""

    kind = part = KIND
    version = VERSION

    def names(self, text: str) -> tuple[PersonName, ...]:
        """Return the names of an author list, in their order; its lines may end names."""
        pieces = list(split_pieces(text))[:MAX_PIECES]
        labels = self.model.tag(name_features(pieces))
        return join_names(
            [p._replace(label=found.label) for p, found in zip(pieces, labels, strict=True)]
        )


def train_name_labeller(lists: Sequence[Sequence[LabelledPiece]], **metadata: str) -> bytes:
    """Train on labelled author lists and return a model file; `metadata` is stored in it."""
    model = crf.train(
        [name_features(pieces) for pieces in lists],
        [[piece.label for piece in pieces] for pieces in lists],
        c1=0.05,
        c2=0.3,
        iterations=100,
        min_count=2,
    )
    return crf.pack({KIND: model}, {**metadata, "kind": KIND, "features": VERSION})
