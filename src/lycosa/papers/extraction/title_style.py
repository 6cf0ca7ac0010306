r"""Correction of the title by its style: all lines of a title have one size.

A labeller easily takes a first author whose name could be words of a title for
the last line of the title. Such a line is smaller than the title and has the style
of the authors below.

>>> lines = [HeaderLine("Fast Gesture", 1.6, True), HeaderLine("Mei Dela", 1.1, False),
...          HeaderLine("Ivan Fox", 1.1, False)]
>>> header = Header({"title": (FieldSpan("Fast Gesture\nMei Dela", 0.9, 0, 4, 0, 1),),
...                  "author": (FieldSpan("Ivan Fox", 1.0, 4, 6, 2, 2),)})
>>> corrected = correct_title_style(header, lines)
>>> corrected.title, [str(name) for name in corrected.authors]
('Fast Gesture', ['Dela, Mei', 'Fox, Ivan'])
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from lycosa.papers.extraction.fields import FieldSpan, Header
from lycosa.papers.extraction.labeller import HeaderLine

_MIN_TITLE_SIZE = 0.85  # of the largest line; smaller lines are not part of the title
_SIZE_TOLERANCE = 0.03  # of the usual size; sizes that differ by less are equal


def correct_title_style(header: Header, lines: Sequence[HeaderLine]) -> Header:
    """Return the header with the title in one style; unchanged if the layout is not known.

    Smaller lines before the title become notes. Smaller lines after it become authors
    if they have the style of the authors below, or if there are no other authors and
    most of the words stay in the title.
    """
    titles, authors = header.fields.get("title", ()), header.fields.get("author", ())
    if not titles:
        return header
    first, *others = titles
    pieces = _split_lines(first)
    sizes = [lines[piece.line].size for piece in pieces if piece.line < len(lines)]
    known = [size for size in sizes if size is not None]
    if len(pieces) < 2 or len(known) < len(pieces):
        return header
    large = [k for k, size in enumerate(known) if size >= _MIN_TITLE_SIZE * max(known)]
    begin, end = large[0], large[-1] + 1
    tail = pieces[end:]
    below = [field for field in authors if field.start == first.stop]
    if authors:
        are_authors = bool(below) and _same_style(tail, lines[below[0].line], lines)
    else:
        # The largest line of a page can also be the name of a journal.
        are_authors = _count_words(tail) < _count_words(pieces[begin:end])
    if not are_authors:
        tail, end = [], len(pieces)
    fields = dict(header.fields)
    fields["title"] = (_join(pieces[begin:end]), *others)
    if begin:
        fields["note"] = (_join(pieces[:begin]), *fields.get("note", ()))
    if tail:
        fields["author"] = (_join(tail), *authors)
    return Header(fields)


def _same_style(
    pieces: Sequence[FieldSpan], other: HeaderLine, lines: Sequence[HeaderLine]
) -> bool:
    """Return whether lines have the style of another line."""
    return all(
        abs((lines[piece.line].size or 0.0) - (other.size or 0.0)) < _SIZE_TOLERANCE
        and lines[piece.line].bold == other.bold
        for piece in pieces
    )


def _count_words(pieces: Sequence[FieldSpan]) -> int:
    return sum(piece.stop - piece.start for piece in pieces)


def _split_lines(field: FieldSpan) -> list[FieldSpan]:
    """Split a field into one for each of its lines."""
    texts = field.text.split("\n")
    if len(texts) != field.last_line - field.line + 1:
        return [field]  # it spans a line without words
    ends = list(accumulate((len(text.split()) for text in texts), initial=field.start))
    return [
        field._replace(
            text=text,
            start=ends[k],
            stop=ends[k + 1],
            line=field.line + k,
            last_line=field.line + k,
        )
        for k, text in enumerate(texts)
    ]


def _join(pieces: Sequence[FieldSpan]) -> FieldSpan:
    """Join consecutive lines into one field."""
    last = pieces[-1]
    text = "\n".join(piece.text for piece in pieces)
    return pieces[0]._replace(text=text, stop=last.stop, last_line=last.last_line)
