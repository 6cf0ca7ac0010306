"""The interface of labellers: what they take, what they predict, what can be saved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from lycosa.papers.extraction.tagged import Token

ITEM_KINDS = ("headers", "references")
"""The kinds of item that can be labelled."""


class Prediction(NamedTuple):
    """A label, and the confidence in it: the probability that it is right."""

    label: str
    confidence: float


class HeaderLine(NamedTuple):
    """A line of text of a header with its layout; None where the layout is not known."""

    text: str
    size: float | None = None
    """The size of its letters, as a multiple of the usual size on the page."""
    bold: bool | None = None
    """Whether most of its letters are bold."""
    centred: bool | None = None
    """Whether it is centred between the margins of the header."""
    gap: float | None = None
    """The white space above, as a multiple of the usual line spacing."""
    italic: bool | None = None
    """Whether most of its letters are italic."""
    size_change: int | None = None
    """1 if its letters are larger than those of the line above, -1 if smaller, else 0."""
    new_block: bool | None = None
    """Whether white space or a change of style separates it from the line above."""


class Labeller(Protocol):
    """A model that gives each word of a header or of a reference a label."""

    def tag(self, tokens: Sequence[Token], layout: Sequence[HeaderLine], /) -> list[Prediction]:
        """Return a label with its confidence for each token; `layout` may be empty."""


class TrainedLabeller(Labeller, Protocol):
    """A labeller that knows its kind of item and can be saved to a model file."""

    @property
    def kind(self) -> str:
        """One of `ITEM_KINDS`."""

    def save(self, path: Path, /) -> None:
        """Write a file that `load_labeller` reads."""
