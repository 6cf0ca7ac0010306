"""From text to fields: the header of a paper, and its references.

>>> reference = Extractor().reference("[3] A. Lee and B. Roe. Spiders that learn. "
...     "Machine Learning, 12(2):101-120, May 1997.")
>>> reference.title, reference.year, reference.pages
('Spiders that learn', 1997, (101, 120))
>>> [str(name) for name in reference.authors]
['Lee, A.', 'Roe, B.']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Protocol

from lycosa.papers.extraction.crf import Prediction
from lycosa.papers.extraction.crf_labeller import CrfLabeller
from lycosa.papers.extraction.fields import FieldSpan, Header, Reference
from lycosa.papers.extraction.header_features import HeaderLine, announced_section
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.extraction.tokens import PAGE

MOST_WORDS = 3000
"""Words of a header, and of a reference, that are read; what follows is neither."""

_NUMBERED = re.compile(r"^\s*(?:\[[^\]\s]{1,20}\]|\(\d{1,3}\)|\d{1,3}\.(?=\s))\s*")
_GLUED = re.compile(r"(?<=[\d)]):(?=\d+\s*[-\u2010-\u2015]|\d+[.,]?(?:\s|$))")
_LONGEST_HEADING = 6


class Labeller(Protocol):
    """Gives each word a label: what `Extractor` needs of a tagger."""

    def tag(self, tokens: Sequence[Token], layout: Sequence[HeaderLine], /) -> list[Prediction]:
        """A label for each word, with the probability that it is right."""


class Extractor:
    """Finds the fields of headers and references.

    Both taggers are conditional random fields that come with the package,
    unless others are given.
    """

    def __init__(self, headers: Labeller | None = None, references: Labeller | None = None) -> None:
        self._headers: Labeller = headers or CrfLabeller.shipped("headers")
        self._references: Labeller = references or CrfLabeller.shipped("references")

    def header(self, lines: Iterable[HeaderLine | str]) -> Header:
        """The fields of a header, from the lines of a paper's first page.

        What follows the heading of the introduction is not read.
        """
        layout = [HeaderLine(line) if isinstance(line, str) else line for line in lines]
        tokens: list[Token] = []
        for number, line in enumerate(layout):
            words = line.text.split()
            tokens += [Token(word, "", number) for word in words]
            if len(words) <= _LONGEST_HEADING and announced_section(words) == "intro" and number:
                break
            if len(tokens) > MOST_WORDS:
                del tokens[MOST_WORDS:]
                break
        else:
            if tokens:
                tokens.append(Token(PAGE, "", len(layout)))
        return Header(_fields(tokens, self._headers.tag(tokens, layout)))

    def reference(self, text: str) -> Reference:
        """The fields of a reference, from its text with or without a number before it."""
        text = _GLUED.sub(": ", _NUMBERED.sub("", text, count=1))
        tokens = [
            Token(word, "", number)
            for number, line in enumerate(text.splitlines())
            for word in line.split()
        ][:MOST_WORDS]
        return Reference(_fields(tokens, self._references.tag(tokens, ())))


def _fields(
    tokens: Sequence[Token], guesses: Sequence[Prediction]
) -> dict[str, tuple[FieldSpan, ...]]:
    found: dict[str, list[FieldSpan]] = {}
    numbers = range(len(tokens))
    for label, run in groupby(numbers, lambda n: guesses[n].label):
        mine = list(run)
        start, stop = mine[0], mine[-1] + 1
        lines = [
            " ".join(token.text for token in line)
            for _, line in groupby(tokens[start:stop], lambda token: token.line)
        ]
        sure = sum(guesses[n].confidence for n in mine) / len(mine)
        part = FieldSpan(
            "\n".join(lines), sure, start, stop, tokens[start].line, tokens[stop - 1].line
        )
        found.setdefault(label, []).append(part)
    return {label: tuple(parts) for label, parts in found.items()}
