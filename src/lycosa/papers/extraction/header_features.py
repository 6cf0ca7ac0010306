"""What a labeller sees of a header: first its lines, then its words.

The lines of a header are labelled before its words, for most lines belong to
one field, and a line says more than a word: all its words, how long it is, and
where the page has announced_section an abstract. The words then see the labels of
their line and of the lines neighbour_features, with how sure they are, and settle what is
left: where in a line an affiliation ends and an address begins. This is
stacking (Wolpert 1992); Peng & McCallum 2004 have the features.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from lycosa.papers.extraction.crf import Prediction, Row
from lycosa.papers.extraction.features import (
    WordFeatures,
    bucket,
    group_features,
    neighbour_features,
    word_features,
)
from lycosa.papers.extraction.tagged import Token

_MARKS = {
    "abstract": "abstract",
    "+abstract+": "abstract",
    "summary": "abstract",
    "keywords": "keyword",
    "keyword": "keyword",
    "introduction": "intro",
    "+intro+": "intro",
    "motivation": "intro",
    "+page+": "page",
}
_NUMBERS = ("number", "initials", "digits", "letter", "ordinal")
_SHARES = 4
_SURE = 0.9


class HeaderLine(NamedTuple):
    """A line of a page. What is not known of the layout is None.

    `size` is that of its letters and `gap` the white space above, both as a
    multiple of what is usual on the page.
    """

    text: str
    size: float | None = None
    bold: bool | None = None
    centred: bool | None = None
    gap: float | None = None


def line_spans(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Where each line with words begins and ends among the tokens.

    >>> line_spans([Token("A"), Token("Spider", line=0), Token("Joe", line=2)])
    [(0, 2), (2, 3)]
    """
    starts = [i for i, t in enumerate(tokens) if i == 0 or t.line != tokens[i - 1].line]
    return list(pairwise([*starts, len(tokens)]))


def line_labels(tokens: Sequence[Token]) -> list[str]:
    """The label that most words of each line have."""
    return [
        Counter(t.label for t in tokens[a:b]).most_common(1)[0][0] for a, b in line_spans(tokens)
    ]


def line_features(tokens: Sequence[Token], layout: Sequence[HeaderLine] = ()) -> list[Row]:
    """The features of each line of a header; `layout` has its lines where it is known."""
    lines = [[word_features(t.text) for t in tokens[a:b]] for a, b in line_spans(tokens)]
    numbers = [tokens[a].line for a, _ in line_spans(tokens)]
    longest = max(map(len, lines), default=1)
    marks = [_mark(line) for line in lines]
    bags = [sorted({word.low for word in line}) for line in lines]
    kept = [
        [
            *group_features(line),
            f"mark={mark}",
            f"share={_SHARES * len(line) // longest}",
            f"head={line[0].low}",
            f"tail={line[-1].end}",
        ]
        for line, mark in zip(lines, marks, strict=True)
    ]
    after, since = "top", 0
    rows = []
    for n, line in enumerate(lines):
        if marks[n]:
            after, since = marks[n], 0
        row = list(kept[n])
        row += [f"form={form}" for form in sorted({word.form for word in line})]
        row += [
            f"n={bucket(n)}",
            f"left={bucket(len(lines) - n)}",
            f"long={bucket(len(line))}",
            f"after={after}",
            f"after={after}{min(since, 4)}",
            f"pattern={' '.join(word.form for word in line[:5])}",
            f"two={' '.join(word.low for word in line[:2])}",
        ]
        row += [f"w={low}" for low in bags[n]]
        row += [f"ww={a.low} {b.low}" for a, b in pairwise(line)]
        for d in (-2, -1, 1, 2):
            if 0 <= n + d < len(lines):
                row += [f"{d}:{feature}" for feature in kept[n + d]]
                if abs(d) == 1:
                    row += [f"{d}:w={low}" for low in bags[n + d]]
            else:
                row.append(f"{d}:edge")
        row += _layout(layout[numbers[n]]) if numbers[n] < len(layout) else []
        rows.append(row)
        since += 1
    return rows


def announced_section(words: Sequence[str]) -> str:
    """The part of the paper that a line announces, "" if none.

    >>> announced_section(["1.", "Introduction"]), announced_section(["Key", "words:", "spiders"])
    ('intro', 'keyword')
    """
    return _mark([word_features(word) for word in words[:3]]) if words else ""


def _mark(line: Sequence[WordFeatures]) -> str:
    """The part of the paper that the first words of a line announce."""
    for k, word in enumerate(line[:3]):
        low = re.split(r"[^\w+]", word.low)[0]
        if low in _MARKS and (k == 0 or line[0].form in _NUMBERS):
            return _MARKS[low]
    pair = " ".join(word.low for word in line[:2])
    return "keyword" if re.match(r"(key|index|general) (words?|terms|phrases)", pair) else ""


def _layout(line: HeaderLine) -> Row:
    row = []
    if line.size is not None:
        row.append(f"size={round(4 * min(line.size, 3.0))}")
    if line.bold is not None:
        row.append(f"bold={line.bold}")
    if line.centred is not None:
        row.append(f"centred={line.centred}")
    if line.gap is not None:
        row.append(f"gap={round(2 * min(line.gap, 4.0))}")
    return row


def header_features(tokens: Sequence[Token], guesses: Sequence[Prediction]) -> list[Row]:
    """The features of each word of a header, given a guess for each of its lines."""
    words = [word_features(token.text) for token in tokens]
    lines = line_spans(tokens)
    rows = []
    for n, (a, b) in enumerate(lines):
        shared = _guessed(guesses, n)
        shared += [f"line:{kind}" for kind in group_features(words[a:b])]
        shared += [f"long={bucket(b - a)}", f"n={bucket(n)}"]
        label = guesses[n].label
        for i in range(a, b):
            word = words[i]
            rows.append(
                [
                    *word.own,
                    *shared,
                    *neighbour_features(words, i),
                    *(f"{label}&is={kind}" for kind in word.kinds),
                    f"{label}&form={word.form}",
                    f"{label}&w={word.low}",
                    f"in={bucket(i - a)}",
                    f"last={min(b - 1 - i, 3)}",
                ]
            )
    return rows


def _guessed(guesses: Sequence[Prediction], n: int) -> Row:
    row = []
    for d in (-1, 0, 1):
        if 0 <= n + d < len(guesses):
            label, confidence = guesses[n + d]
            row += [f"{d}line={label}", f"{d}line={label}{confidence > _SURE}"]
        else:
            row.append(f"{d}line=edge")
    return row
