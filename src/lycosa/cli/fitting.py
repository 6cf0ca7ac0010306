"""Text that fits the columns of a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterable
from textwrap import wrap
from typing import IO

from rich.cells import cell_len, set_cell_size

from lycosa.reporting.text import printable

DEFAULT_COLUMNS = 80
"""Of a terminal that does not know its size."""
MIN_COLUMNS = 20
"""Lines are not broken into shorter ones, however narrow the terminal is."""


def fit_width(text: str, width: int) -> str:
    """Return untrusted text, safe for a terminal, in at most `width` columns.

    >>> fit_width("A title that is long", 8), fit_width("日本語", 5)
    ('A title…', '日本…')
    """
    # The number of combining marks, which have no width, is bounded too.
    text = printable(text[: 4 * width])
    if width < 1:
        return ""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def break_line(line: str, width: int) -> list[str]:
    """Return a line as lines of at most `width` columns; words and numbers stay whole.

    >>> break_line("1,234 pages, 56 targets", 21)
    ['1,234 pages, 56', 'targets']
    >>> break_line("  https://www.example.org/a-long-path", 21)
    ['  https://www.example.org/a-long-path']
    """
    indent = line[: len(line) - len(line.lstrip())]
    return wrap(
        line.strip(),
        max(width, MIN_COLUMNS),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]


def print_lines(lines: Iterable[str], out: IO[str]) -> None:
    """Print lines at once; a terminal gets them broken between words."""
    if out.isatty():
        try:
            columns = os.get_terminal_size(out.fileno()).columns or DEFAULT_COLUMNS
        except (OSError, ValueError):  # not a terminal of this system
            columns = DEFAULT_COLUMNS
        lines = [part for line in lines for part in break_line(line, columns)]
    print(*lines, sep="\n", file=out, flush=True)
