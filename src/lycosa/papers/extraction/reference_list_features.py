r"""Binary features of the lines of a list of references, for a conditional random field.

A line is described by its first words, its label or running number and whether that continues
those before it, its indent, the white space above it and how the line before it ends; and each
of these together with the manner of the whole list: labels in brackets, running numbers, hanging
indents or none of them.

>>> from lycosa.documents.plain_text import plain_lines
>>> rows = list_features(plain_lines("[1] A. Lee. Webs. 1999.\n[2] B. Roe."))
>>> "label=bracket" in rows[0], "before:ends=year." in rows[1]
(True, True)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from lycosa.documents.layout import TextLine
from lycosa.papers.extraction.reference_features import reference_word

VERSION = 1
"""The version of the feature set; a model of another version is refused."""

# Links to copies of the work end a reference; they do not begin one.
BRACKET = re.compile(r"\[(?!CrossRef|PubMed|Google|Online|doi)[^\]\[]{1,60}\]", re.IGNORECASE)
"""A label in brackets at the beginning of a line."""
NUMBER = re.compile(r"\(?(\d{1,3})(?:[.)\]:](?!\d)|(?=\s)|(?=[A-Z][a-z]))\s*")
"""A running number at the beginning of a line."""
_AUTHOR = re.compile(
    r"(?:[a-z]{2,3} )*[^\W\d_][\w'\u2019-]+,? (?:[^\W\d_a-z]{1,3}\b|[^\W\d_a-z]\w+[,.])"
    r"|(?:[^\W\d_]\.[ -]?)+ ?[^\W\d_]"
)
_YEAR = re.compile(r"(?<!\d)(?:1[6-9]\d\d|20[0-4]\d)(?!\d)")
_SAME_AUTHOR = re.compile(r"\W*[-\u2010-\u2015_]{1,6}[.,\s]")  # a dash for the names above
_CLOSED = re.compile(r"(?:[.;!?)\]\u201d\"]|\d[a-z]?|\.\S{2,4})\s*$")
_HEADING = re.compile(r"\W*(?:\d+\.?\s*)?(?:references|bibliography|literature|notes)\W*$", re.I)
_MIN_INDENT = 0.4  # of the letter size
_MAX_GAP = 1.35  # of the usual line spacing; more is a block of its own
_MAX_SKIPPED = 2  # numbers that can be missing between two entries
_MANY = 0.1  # the share of lines with a sign from which on it is the manner of the list
_EIGHTHS = 8  # lengths of lines are told in eighths of the longest


def list_features(lines: Sequence[TextLine]) -> list[list[str]]:
    """Return the features of each line of a list of references."""
    if not lines:
        return []
    labels = _labels(lines)
    indents, gaps = _indents(lines), _gaps(lines)
    count = len(lines)
    bracketed = sum(label == "bracket" for label in labels) > _MANY * count
    numbered = sum(label == "next" for label in labels) > _MANY * count
    hanging = sum(indents) > _MANY * count
    blocks = sum(gaps) > _MANY * count
    manner = "bracket" if bracketed else "number" if numbered else "plain"
    layout = f"{'hanging' if hanging else 'flush'}{'+blocks' if blocks else ''}"
    longest = max(len(line.text) for line in lines) or 1
    own = []
    for line, label, indent, gap in zip(lines, labels, indents, gaps, strict=True):
        row = _line(line, longest)
        row += [f"label={label}", f"indent={indent}", f"gap={gap}"]
        own.append(row)
    rows = []
    since = 0
    for n, row in enumerate(own):
        sign = f"{labels[n]}|{indents[n]}|{gaps[n]}"
        before, after = (own[n - 1] if n else ["edge"]), (own[n + 1] if n + 1 < count else ["edge"])
        ended = before[0] if n else "edge"
        since = 0 if n and _YEAR.search(lines[n - 1].text) else since + 1
        rows.append(
            [
                *row,
                *(f"before:{feature}" for feature in before),
                *(f"after:{feature}" for feature in after),
                f"manner={manner}",
                f"manner={manner}|{labels[n]}",
                f"manner={manner}|{layout}|{sign}",
                f"layout={layout}|{indents[n]}|{gaps[n]}",
                f"layout={layout}|{manner}|{row[1]}|{ended}",
                f"{ended}|{row[1]}",
                f"{ended}|{row[1]}|{indents[n]}",
                f"{ended}|{before[3] if n else ''}|{row[3]}",
                f"year={min(since, 4)}",
                f"{before[-1]}|{row[1]}|{row[2]}|{manner}",
                f"{before[-1]}|{row[1]}|{min(since, 4)}|{manner}",
                f"{before[-1]}|{row[1]}|{indents[n]}|{gaps[n]}|{layout}",
                f"first={n == 0}",
            ]
        )
    return rows


def _line(line: TextLine, longest: int) -> list[str]:
    """Return the features of a line alone; the first four are combined with others."""
    text = line.text
    pieces = text.split()[:60]
    words = [reference_word(word) for word in pieces[:3]]
    last = reference_word(pieces[-1]) if pieces else None
    ends = f"{last.form}{last.closing[-1:]}" if last else ""
    stripped = NUMBER.sub("", BRACKET.sub("", text, count=1).strip(), count=1)
    author = "author" if _AUTHOR.match(stripped) or _SAME_AUTHOR.match(text) else "no"
    early = "early" if _YEAR.search(text[:60]) else "late" if _YEAR.search(text) else "none"
    row = [
        f"ends={ends}",
        f"author={author}",
        f"year={early}",
        f"length={_EIGHTHS * len(text) // longest}",
    ]
    for name, word in zip(("one", "two", "three"), words, strict=False):
        row.append(f"{name}={word.opening}{word.form}{word.closing}")
    if words:
        row.append(f"w={words[0].bare}")
        row += [f"is={k}" for k in words[0].lexicons]
    if last:
        row.append(f"last={last.bare}")
    if _HEADING.match(text):
        row.append("heading")
    row.append(f"closed={bool(_CLOSED.search(text))}")
    return row


def _labels(lines: Sequence[TextLine]) -> list[str]:
    """Return the kind of label of each line: bracket, a number, the next number, or none."""
    found = []
    expected = 0
    for line in lines:
        number = NUMBER.match(line.text)
        if BRACKET.match(line.text):
            found.append("bracket")
        elif number is None:
            found.append("none")
        elif expected <= int(number[1]) <= expected + _MAX_SKIPPED and (
            expected or number[1] == "1"
        ):
            found.append("next")
            expected = int(number[1]) + 1
        else:
            found.append("number")
    return found


def blocks(lines: Sequence[TextLine]) -> list[tuple[int, int]]:
    """Return the ranges of lines that form one column of a page."""
    breaks = [
        k + 1 for k, (a, b) in enumerate(pairwise(lines)) if a.page != b.page or b.y > a.y + a.size
    ]
    return list(pairwise([0, *breaks, len(lines)]))


def _indents(lines: Sequence[TextLine]) -> list[bool]:
    """Return whether each line is indented in its column."""
    found = []
    for start, stop in blocks(lines):
        left = min(line.x for line in lines[start:stop])
        found += [line.x > left + _MIN_INDENT * line.size for line in lines[start:stop]]
    return found


def _gaps(lines: Sequence[TextLine]) -> list[bool]:
    """Return whether there is more than the usual white space, or a new column, above each line."""
    steps = [a.y - b.y for a, b in pairwise(lines) if a.page == b.page and a.y - b.y > 0.5 * b.size]
    usual = median(sorted(steps)[: len(steps) // 2 + 1]) if steps else 1.0
    found = [True]
    for above, line in pairwise(lines):
        moved = line.page != above.page or line.y > above.y
        found.append(moved or above.y - line.y > _MAX_GAP * usual)
    return found
