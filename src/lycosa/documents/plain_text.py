"""Plain-text reader: lines with their indentation."""

from __future__ import annotations

from lycosa.documents.layout import TextLine

_TAB_WIDTH = 8


def plain_lines(text: str) -> list[TextLine]:
    r"""Return the lines of plain text; a form feed ends a page, and `x` is the indentation.

    >>> [(line.text, line.page, line.x) for line in plain_lines("Spiders\n   hunt\fat night")]
    [('Spiders', 0, 0), ('hunt', 0, 3), ('at night', 1, 0)]
    """
    lines = []
    for page, part in enumerate(text.split("\f")):
        for n, raw in enumerate(part.splitlines()):
            line = raw.expandtabs(_TAB_WIDTH)
            words = line.strip()
            if words:
                indent = len(line) - len(line.lstrip())
                lines.append(TextLine(words, page, indent, -float(n), len(words)))
    return lines
