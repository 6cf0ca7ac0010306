"""Variants of annotated author lists, for styles of print that a corpus has too few of."""

from __future__ import annotations

import random
from collections.abc import Sequence

from lycosa.papers.extraction.name_labeller import LabelledPiece, split_pieces

ICONS = ("(B)", "( )", "(\u2709)", "\u2709", "ID", "iD", "[]", "()", "(&)", "\u2217,", "\u2020")
"""What readers of PDF give for icons of an envelope or an identifier, and for marks."""


def one_name_a_line(pieces: Sequence[LabelledPiece]) -> list[LabelledPiece]:
    """Return an author list with one name a line, without the separators between them.

    >>> lee, comma = LabelledPiece("Lee", "first-family"), LabelledPiece(",", "other")
    >>> [(piece.text, piece.line) for piece in one_name_a_line([lee, comma, lee])]
    [('Lee', 0), ('Lee', 1)]
    """
    lines: list[list[LabelledPiece]] = [[]]
    for piece in pieces:
        if piece.label.startswith("first-") and lines[-1]:
            lines.append([])
        lines[-1].append(piece)
    found = []
    for number, line in enumerate(lines):
        while line and line[-1].label == "other":
            line.pop()
        found += [piece._replace(line=number) for piece in line]
    return found


def family_first(pieces: Sequence[LabelledPiece]) -> list[LabelledPiece]:
    """Return an author list with the family name of each author first, and a comma behind it.

    >>> ann = [LabelledPiece("Ann", "first-given"), LabelledPiece("Lee", "family")]
    >>> [piece.text for piece in family_first(ann)]
    ['Lee', ',', 'Ann']
    """
    found: list[LabelledPiece] = []
    name: list[LabelledPiece] = []
    for piece in [*pieces, LabelledPiece("", "first-")]:
        if piece.label.startswith("first-"):
            found += _turn(name)
            name = []
        name.append(piece)
    return found


def _turn(name: Sequence[LabelledPiece]) -> list[LabelledPiece]:
    """Return the pieces of one name and of what follows it, with the family name first."""
    given = [p._replace(label="given") for p in name if p.label.endswith("given")]
    family = [p._replace(label="family") for p in name if p.label.endswith("family")]
    if not given or not family:
        return list(name)
    rest = [p for p in name if not p.label.endswith(("given", "family"))]
    line = family[0].line
    family[0] = family[0]._replace(label="first-family")
    return [*family, LabelledPiece(",", "other", line), *given, *rest]


def add_icons(pieces: Sequence[LabelledPiece], rng: random.Random) -> list[LabelledPiece]:
    """Return an author list with icons behind some of its names."""
    found: list[LabelledPiece] = []
    for n, piece in enumerate(pieces):
        found.append(piece)
        ends = n + 1 == len(pieces) or not pieces[n + 1].label.endswith(("given", "family"))
        if piece.label.endswith("family") and ends and rng.random() < 0.5:
            icon = split_pieces(rng.choice(ICONS))
            found += [sign._replace(label="mark", line=piece.line) for sign in icon]
    return found
