r"""Segmentation of a list of references into its entries.

Entries are separated by labels in brackets, by running numbers or, in lists without
labels, by the layout: hanging indents, white space, or a paragraph for each.

>>> from lycosa.documents.plain_text import plain_lines
>>> text = "[1] A. Lee. Spiders. 1997.\n[2] B. Roe. Webs that\n    catch. 1998."
>>> [(entry.label, entry.text) for entry in split_references(plain_lines(text))]
[('[1]', 'A. Lee. Spiders. 1997.'), ('[2]', 'B. Roe. Webs that catch. 1998.')]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from lycosa.documents.layout import TextLine, join_lines

# Links to copies of the work end a reference; they do not begin one.
_BRACKET = re.compile(r"\[(?!CrossRef|PubMed|Google|Online|doi)[^\]\[]{1,60}\]", re.IGNORECASE)
_NUMBER = re.compile(r"\(?(\d{1,3})(?:[.)\]:](?!\d)|(?=\s))\s*")
_ENDS = re.compile(r"(?:[.\d)\]/]|\.\S{2,4})$")
_BEGINS = re.compile(r"[^\W\d_]", re.UNICODE)
# Without labels, indents and gaps, "Lee, A.", "von Lee, Ann" or "A. Lee" begins an entry.
_AUTHOR = re.compile(r"(?:[a-z]{2,3} )*[^\W\d_][\w'\u2019-]+, [^\W\d_]|[^\W\d_]\.")
_MIN_INDENT = 0.4  # of the letter size
_MAX_SKIPPED_NUMBERS = 2  # numbers that can be missing between two entries
_MAX_LINE_CHARACTERS = 110  # a longer line is a whole paragraph


class ReferenceEntry(NamedTuple):
    """An entry of a list of references as printed."""

    label: str
    """The label before it, such as `[3]`, or ""."""
    text: str
    """The entry without its label, its lines joined."""
    page: int
    """The page where it begins, from 0."""
    line: int
    """The number of its first line in the document, from 0."""
    stop: int
    """The number of the line after its last."""


def split_references(
    lines: Sequence[TextLine], known: frozenset[str] = frozenset(), offset: int = 0
) -> list[ReferenceEntry]:
    """Split a list of references into entries.

    `known` is the vocabulary for joining hyphenated words; lines are numbered from `offset`.
    """
    if not lines:
        return []
    labelled = [starts for starts in (_bracketed(lines), _numbered(lines)) if starts]
    starts = min(labelled, key=lambda s: s[0]) if labelled else _unlabelled(lines)
    end = _end(lines, starts[-1]) if labelled else len(lines)
    found = []
    for a, b in pairwise([*starts, end]):
        text = join_lines(lines[a:b], known)
        label = ""
        if match := _BRACKET.match(text) or _NUMBER.match(text):
            label = match[0].strip()
            text = text[match.end() :].strip()
        if text:
            found.append(ReferenceEntry(label, text, lines[a].page, offset + a, offset + b))
    return found


def _bracketed(lines: Sequence[TextLine]) -> list[int]:
    """Return the lines with labels such as [1] or [Lee97]; none if the list has no labels."""
    starts = [k for k, line in enumerate(lines) if _BRACKET.match(line.text)]
    return starts if starts and starts[0] <= 2 else []


def _numbered(lines: Sequence[TextLine]) -> list[int]:
    """Return the lines with the numbers 1, 2, 3 and so on; none if the list has no numbers."""
    starts: list[int] = []
    expected = 1
    for k, line in enumerate(lines):
        match = _NUMBER.match(line.text)
        if not match:
            continue
        number = int(match[1])
        if expected <= number <= expected + (_MAX_SKIPPED_NUMBERS if starts else 0):
            starts.append(k)
            expected = number + 1
    return starts if starts and starts[0] <= 2 and len(starts) > len(lines) / 12 else []


def _end(lines: Sequence[TextLine], last: int) -> int:
    """Return where the last entry of a labelled list ends: at a gap or at another letter size."""
    step = _usual_spacing(lines)
    usual = median(line.size for line in lines)
    for k in range(last + 1, len(lines)):
        above, line = lines[k - 1], lines[k]
        moved = line.page != above.page or line.y > above.y
        apart = not moved and above.y - line.y > 1.9 * step
        other = abs(line.size - usual) > 0.12 * usual and len(line.text) > 3
        if apart or (other and above.size != line.size) or (moved and _ENDS.search(above.text)):
            return k
    return len(lines)


def _unlabelled(lines: Sequence[TextLine]) -> list[int]:
    """Return the lines where entries begin by their indent, a gap above, or a short line above."""
    starts: list[int] = []
    step = _usual_spacing(lines)
    spaced = any(1.1 * step < gap < 3 * step for gap in _spacings(lines))
    hanging, indented = _indents(lines)
    for begin, end in _blocks(lines):
        block = lines[begin:end]
        left = min(line.x for line in block)
        right = max(line.end for line in block)
        for k in range(begin, end):
            line = lines[k]
            out = line.x <= left + _MIN_INDENT * line.size
            if hanging:
                is_start = out and (
                    k > begin or not starts or _ENDS.search(lines[k - 1].text) is not None
                )
            elif indented:
                is_start = not out
            elif k == begin:
                is_start = not starts or _ENDS.search(lines[k - 1].text) is not None
            else:
                gap = lines[k - 1].y - line.y
                ended = bool(_ENDS.search(lines[k - 1].text))
                is_start = (
                    gap > 1.35 * step
                    or (ended and gap > 1.1 * step)
                    or (not spaced and _follows(lines[k - 1], line, right))
                )
            if is_start and _BEGINS.search(line.text):
                starts.append(k)
    if starts and starts[0] > 0:
        starts.insert(0, 0)
    return starts or [0]


def _blocks(lines: Sequence[TextLine]) -> list[tuple[int, int]]:
    """Return the ranges of lines that form one column of a page."""
    breaks = [
        k + 1 for k, (a, b) in enumerate(pairwise(lines)) if a.page != b.page or b.y > a.y + a.size
    ]
    return list(pairwise([0, *breaks, len(lines)]))


def _indents(lines: Sequence[TextLine]) -> tuple[bool, bool]:
    """Return whether entries have a hanging indent, and whether their first lines are indented."""
    out = inner = after_out = after_in = 0
    for begin, end in _blocks(lines):
        block = lines[begin:end]
        left = min(line.x for line in block)
        right = max(line.end for line in block)
        for above, line in pairwise(block):
            ended = above.end < right - 2 * line.size and bool(_ENDS.search(above.text))
            if line.x > left + _MIN_INDENT * line.size:
                inner += 1
                after_in += ended
            else:
                out += 1
                after_out += ended
    if not out or inner < 0.1 * (out + inner):
        return False, False
    # A new entry follows the short last line of another.
    return (True, False) if after_out / out >= after_in / inner else (False, True)


def _spacings(lines: Sequence[TextLine]) -> list[float]:
    """Return the distances between consecutive baselines, without lines on the same baseline."""
    return [a.y - b.y for a, b in pairwise(lines) if a.page == b.page and a.y - b.y > 0.5 * b.size]


def _usual_spacing(lines: Sequence[TextLine]) -> float:
    """Return the usual line spacing: the lower quartile, as gaps between entries are larger."""
    steps = sorted(_spacings(lines))
    return steps[len(steps) // 4] if steps else 1.0


def _follows(above: TextLine, line: TextLine, right: float) -> bool:
    """Return whether an entry can end with one line and the next line begin another."""
    if not _ENDS.search(above.text):
        return False
    short = above.end < right - 2 * line.size and bool(_AUTHOR.match(line.text))
    return short or len(above.text) > _MAX_LINE_CHARACTERS
