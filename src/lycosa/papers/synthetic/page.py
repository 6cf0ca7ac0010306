"""A page that is being set, and what comes off the press."""

from __future__ import annotations

from dataclasses import dataclass

from lycosa.papers.extraction.labeller import HeaderLine
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.synthetic.text_generator import TextGenerator


@dataclass(frozen=True)
class GeneratedHeader:
    """A printed header: its words, and its lines with what is known of their looks."""

    tokens: list[Token]
    lines: list[HeaderLine]


class PageBuilder:
    """A page that is being set."""

    def __init__(self, muse: TextGenerator) -> None:
        self.muse = muse
        self.tokens: list[Token] = []
        self.looks: list[tuple[str, bool]] = []
        self._line = 0

    def put(self, label: str, text: str, *more: tuple[str, str]) -> None:
        """A line, of one field or of several."""
        words = [
            Token(w, name, self._line) for name, t in ((label, text), *more) for w in t.split()
        ]
        if words:
            self.tokens += words
            self.looks.append((label, not self.looks or self.looks[-1][0] != label))
            self._line += 1

    def fill(self, label: str, text: str, width: int) -> None:
        """A paragraph, broken into lines."""
        self.flow([(label, text)], width)

    def flow(self, parts: list[tuple[str, str]], width: int) -> None:
        """A paragraph of several fields, broken into lines wherever they end.

        Now and then two lines come off the press as one, as they do where a
        reader of PDF has mended a cut word.
        """
        words = [(label, word) for label, text in parts for word in text.split()]
        line: list[tuple[str, str]] = []
        room = width
        for label, word in words:
            if line and room < len(word):
                self.put(*line[0], *line[1:])
                line, room = [], width * (2 if self.muse.maybe(0.06) else 1)
            line.append((label, word))
            room -= len(word) + 1
        if line:
            self.put(*line[0], *line[1:])
