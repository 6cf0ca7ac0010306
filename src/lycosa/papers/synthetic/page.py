"""Builder of a first page: labelled tokens, line by line."""

from __future__ import annotations

from dataclasses import dataclass

from lycosa.papers.extraction.labeller import HeaderLine
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.synthetic.text_generator import TextGenerator


@dataclass(frozen=True)
class GeneratedHeader:
    """A generated header: its labelled tokens, and its lines with their layout."""

    tokens: list[Token]
    lines: list[HeaderLine]


class PageBuilder:
    """Collects the tokens and line styles of a page; `gen` decides random choices."""

    def __init__(self, gen: TextGenerator) -> None:
        self.gen = gen
        self.tokens: list[Token] = []
        self.line_styles: list[tuple[str, bool]] = []  # label, and whether it is the first line
        self._line = 0

    def add_line(self, label: str, text: str, *more: tuple[str, str]) -> None:
        """Add a line of one field or of several."""
        words = [
            Token(w, name, self._line) for name, t in ((label, text), *more) for w in t.split()
        ]
        if words:
            self.tokens += words
            self.line_styles.append(
                (label, not self.line_styles or self.line_styles[-1][0] != label)
            )
            self._line += 1

    def add_paragraph(self, label: str, text: str, width: int) -> None:
        """Add a paragraph of one field, broken into lines."""
        self.add_mixed_paragraph([(label, text)], width)

    def add_mixed_paragraph(self, parts: list[tuple[str, str]], width: int) -> None:
        """Add a paragraph of several fields, broken into lines at any word.

        Some lines have double length, as in PDF text where a reader has joined the parts
        of a hyphenated word.
        """
        words = [(label, word) for label, text in parts for word in text.split()]
        line: list[tuple[str, str]] = []
        room = width
        for label, word in words:
            if line and room < len(word):
                self.add_line(*line[0], *line[1:])
                line, room = [], width * (2 if self.gen.maybe(0.06) else 1)
            line.append((label, word))
            room -= len(word) + 1
        if line:
            self.add_line(*line[0], *line[1:])
