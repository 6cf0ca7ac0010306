"""Layout analysis: words on pages become lines in reading order.

Words become segments, `lycosa.documents.columns` sorts segments into columns,
and segments of a column that share a baseline become lines.

>>> words = [
...     PositionedWord("Web", 72, 92, 700, 10, True, False),
...     PositionedWord("spiders", 95, 130, 700, 10, True, False),
...     PositionedWord("hunt.", 72, 95, 688, 10, False, False),
... ]
>>> [(line.text, line.bold) for line in document_lines({0: words})]
[('Web spiders', True), ('hunt.', False)]
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from lycosa.documents.columns import (
    MAX_WORD_GAP,
    PositionedWord,
    Segment,
    find_gutter,
    group_rows,
    shared_gutters,
    split_columns,
)

# Distances are shares of the font size.
_MAX_SEGMENT_GAP = 3.0  # between two segments of a line
_MAX_INDEX_SHIFT = 0.55  # of a sub- or superscript from the baseline it belongs to
_MIN_BLOCK_GAP = 1.4  # below a block of title and authors, above columns
_MAX_COLUMN_RISE = 2.0  # of the top of a column over the heading of the abstract beside it
_MAX_PROSE_SEGMENTS = 3000  # a page with more is a map or a plot; indices do not matter there
_OPENING = re.compile(r"abstract|summary|(?:[1i][.:]?\s*)?introduction", re.IGNORECASE)
_RUN_IN = re.compile(r"(?:abstract|summary)\s*[:.\u2013\u2014-]", re.IGNORECASE)
_LABEL = re.compile(r"\[[^\]\s]{1,20}\]|\(?\d{1,3}[.)]|\d{1,3}|[\u2022\u2013\u2217*-]")
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"[-\u2013\u2014\s]*(?:\d{1,4}|[ivxlc]{1,6})[-\u2013\u2014\s]*", re.I)
_EDGE_BASELINES = 3  # at the top and at the bottom of a page, where running heads are
_MAX_HEAD_DRIFT = 4.0  # points by which a running head may move from page to page
_HYPHENS = "-\u00ad\u2010"
_HYPHENATED = re.compile(rf"([^\W\d_]+)[{_HYPHENS}]$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class TextLine(NamedTuple):
    """A line of a document with its position and style.

    `page` counts from 0. The line begins at `x` on the baseline `y`, which grows
    upwards, and is `width` wide; `size` is its font size; all are in points. `bold`
    and `italic` are True if more than half of its characters are. In a document
    without layout `x` and `width` count characters, `y` counts lines as negative
    numbers, and `size` is 1.
    """

    text: str
    page: int = 0
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    size: float = 1.0
    bold: bool = False
    italic: bool = False

    @property
    def end(self) -> float:
        """The position of the line's end."""
        return self.x + self.width


def document_lines(pages: Mapping[int, Iterable[PositionedWord]]) -> list[TextLine]:
    """Return the lines of a document in reading order, given the words of each page."""
    by_page = {page: _attach_indices(_segments(words)) for page, words in pages.items()}
    shared = shared_gutters(list(by_page.values()))
    return [
        line for page, segments in by_page.items() for line in _page_lines(segments, page, shared)
    ]


def _page_lines(segments: list[Segment], page: int, shared: Sequence[float]) -> list[TextLine]:
    cut = find_gutter(segments, shared)
    above = _title_block(segments) if cut is not None and page == 0 else []
    ids = set(map(id, above))
    below = [s for s in segments if id(s) not in ids]
    columns = [*split_columns(above, cut, shared), *split_columns(below, cut, shared)]
    return [_line(segment, page) for column in columns for segment in _merge_rows(column)]


def _segments(words: Iterable[PositionedWord]) -> list[Segment]:
    """Group words that follow each other in the file on one baseline."""
    runs: list[list[PositionedWord]] = []
    last: PositionedWord | None = None
    for word in words:
        if (
            last
            and abs(word.y - last.y) < 0.2 * last.size
            and -0.5 * last.size < word.x - last.end < MAX_WORD_GAP * max(last.size, word.size)
        ):
            runs[-1].append(word)
        else:
            runs.append([word])
        last = word
    return [_segment(run) for run in runs]


def _segment(words: list[PositionedWord]) -> Segment:
    # One pass: a document has several segments for each of its lines.
    _, start, end, y, size, _, _ = words[0]
    is_mixed = False
    for _, x, stop, baseline, height, _, _ in words:
        start = x if x < start else start
        end = stop if stop > end else end
        is_mixed = is_mixed or baseline != y or height != size
    if is_mixed:
        letters: dict[tuple[float, float], int] = defaultdict(int)
        for w in words:
            letters[w.y, w.size] += len(w.text)
        y, size = max(letters, key=letters.__getitem__)
    return Segment(words, start, end, y, size)


def _attach_indices(segments: list[Segment]) -> list[Segment]:
    """Join each sub- or superscript to the segment that it belongs to."""
    if len(segments) >= _MAX_PROSE_SEGMENTS:
        return segments
    tall = max((s.size for s in segments), default=0.0)
    rows: dict[int, list[int]] = defaultdict(list)
    step = max(tall, 1.0)
    for k, one in enumerate(segments):
        rows[int(one.y // step)].append(k)
    homes = list(range(len(segments)))
    for k, one in enumerate(segments):
        if one.end - one.x > 4 * one.size:
            continue
        row = int(one.y // step)
        best = None
        for r in (row - 1, row, row + 1):
            for j in rows.get(r, ()):
                other = segments[j]
                if (
                    other.size <= 1.15 * one.size
                    or abs(one.y - other.y) > _MAX_INDEX_SHIFT * other.size
                ):
                    continue
                gap = min(abs(one.x - other.end), abs(other.x - one.end))
                if gap < 0.35 * other.size and (best is None or gap < best[0]):
                    best = (gap, j)
        if best:
            homes[k] = best[1]
    joined: dict[int, list[PositionedWord]] = {}
    for k, one in enumerate(segments):
        home = k
        while homes[home] != home:  # each is larger than the one before, so this ends
            home = homes[home]
        joined.setdefault(home, []).extend(one.words)
    return [_segment(sorted(group, key=lambda w: w.x)) for group in joined.values()]


def _title_block(segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments above the abstract, or the introduction, of a first page.

    Authors may stand side by side there; a white gap must separate the block
    from the columns.
    """
    for segment in sorted(segments, key=lambda s: -s.y):
        text = " ".join(w.text for w in segment.words)
        if _OPENING.fullmatch(text.strip(":.")) or _RUN_IN.match(text):
            # The column beside it may begin a little higher, without the space above a heading.
            level, size = segment.y, segment.size
            for y in sorted(s.y for s in segments if s.y > segment.y + 0.1 * size):
                if y - level > _MIN_BLOCK_GAP * size:
                    return [s for s in segments if s.y >= y]
                if y - segment.y > _MAX_COLUMN_RISE * size:
                    break
                level = y
            return []
    return []


def _merge_rows(column: list[Segment]) -> list[Segment]:
    """Merge the segments of a column that are on one line, from top to bottom."""
    lines: list[Segment] = []
    for row in group_rows(column):
        groups = [[row[0]]]
        for a, b in pairwise(row):
            near = b.x - a.end < _MAX_SEGMENT_GAP * max(a.size, b.size)
            if near or (len(a.words) == 1 and _LABEL.fullmatch(a.words[0].text)):
                groups[-1].append(b)
            else:
                groups.append([b])
        lines += [_segment([w for s in group for w in s.words]) for group in groups]
    return lines


def _line(segment: Segment, page: int) -> TextLine:
    texts: list[str] = []
    whole = bold = italic = 0
    for text, _, _, _, _, is_bold, is_italic in segment.words:
        texts.append(text)
        whole += len(text)
        bold += len(text) if is_bold else 0
        italic += len(text) if is_italic else 0
    return TextLine(
        " ".join(texts),
        page,
        round(segment.x, 1),
        round(segment.y, 1),
        round(segment.end - segment.x, 1),
        round(segment.size, 1),
        2 * bold > whole,
        2 * italic > whole,
    )


def remove_running_heads(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines without those repeated at the same position of page after page.

    >>> page = [TextLine("Spiders", n, 0, 800) for n in range(3)]
    >>> body = [TextLine(f"Text {'abc'[n]}", n, 0, 700 - k) for n in range(3) for k in range(9)]
    >>> sorted({line.text for line in remove_running_heads([*page, *body])})
    ['Text a', 'Text b', 'Text c']
    """
    pages: dict[int, list[int]] = defaultdict(list)
    for k, line in enumerate(lines):
        pages[line.page].append(k)
    if len(pages) < 2:
        return list(lines)
    groups: dict[tuple[str, bool], list[int]] = defaultdict(list)
    removed: set[int] = set()
    for members in pages.values():
        heights = sorted({lines[k].y for k in members})
        edge = min(_EDGE_BASELINES, len(heights) // 2)
        if not edge:
            continue
        foot, head = heights[edge - 1], heights[-edge]
        for k in members:
            line = lines[k]
            if line.y <= foot or line.y >= head:
                groups[_DIGITS.sub("0", line.text), line.y >= head].append(k)
                if line.y in (heights[0], heights[-1]) and _PAGE_NUMBER.fullmatch(line.text):
                    removed.add(k)
    enough = 2 if len(pages) < 4 else 3
    for group in groups.values():
        place = median(lines[k].y for k in group)
        steady = [k for k in group if abs(lines[k].y - place) < _MAX_HEAD_DRIFT]
        if len({lines[k].page for k in steady}) >= enough:
            removed.update(steady)
    return [line for k, line in enumerate(lines) if k not in removed]


def join_lines(lines: Iterable[TextLine], known: frozenset[str] = frozenset()) -> str:
    """Join lines into one text; words hyphenated at a line end are joined.

    The hyphen stays if the word is `known` with it and not without it.

    >>> join_lines([TextLine("A hyphen-"), TextLine("ation of state-"), TextLine("of-the-art")])
    'A hyphenation of stateof-the-art'
    >>> join_lines([TextLine("of state-"), TextLine("of-the-art")], frozenset({"state-of"}))
    'of state-of-the-art'
    """
    pieces: list[str] = []
    for line in lines:
        text = line.text.strip()
        if not text:
            continue
        cut = None
        if pieces and pieces[-1][-1] in _HYPHENS:  # of most lines nothing more is looked at
            cut = _HYPHENATED.search(pieces[-1])
        if cut and (head := _FIRST_WORD.match(text)):
            low = cut[1].lower(), head[0].lower()
            if head[0][0].islower() and not ("-".join(low) in known and "".join(low) not in known):
                pieces[-1] = pieces[-1][:-1]
        elif pieces:
            pieces.append(" ")
        pieces.append(text)
    return "".join(pieces)


def line_vocabulary(lines: Iterable[TextLine]) -> frozenset[str]:
    """Return the words inside the lines of a document, compounds also by their first two parts."""
    # No word goes beyond its line: all lines are searched at once.
    found = set(_WORDS.findall("\n".join([line.text for line in lines]).lower()))
    compounds = ["-".join(word.split("-")[:2]) for word in found if "-" in word]
    return frozenset(found.union(compounds))
