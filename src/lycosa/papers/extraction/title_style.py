r"""A title is set in one style: what a labeller took for its first or last line is put right.

The labeller sees each line by itself, so a first author whose name could be
words of a title is easily taken for the end of it. But then that line is smaller
than the title and set like the authors below.

>>> lines = [HeaderLine("Fast Gesture", 1.6, True), HeaderLine("Mei Dela", 1.1, False),
...          HeaderLine("Ivan Fox", 1.1, False)]
>>> header = Header({"title": (FieldSpan("Fast Gesture\nMei Dela", 0.9, 0, 4, 0, 1),),
...                  "author": (FieldSpan("Ivan Fox", 1.0, 4, 6, 2, 2),)})
>>> better = correct_title_style(header, lines)
>>> better.title, [str(name) for name in better.authors]
('Fast Gesture', ['Dela, Mei', 'Fox, Ivan'])
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from lycosa.papers.extraction.fields import FieldSpan, Header
from lycosa.papers.extraction.header_features import HeaderLine

_SMALLER = 0.85  # of the size of the title: no line of the same title is
_SAME = 0.03  # of the usual size: sizes that differ by less are one


def correct_title_style(header: Header, lines: Sequence[HeaderLine]) -> Header:
    """The header with the title in one style; the same where the layout is not known.

    Smaller lines before the title are notes. Smaller lines after it are authors
    if they are set like the authors below, or if there are no others and most of
    the words stay in the title.
    """
    titles, authors = header.fields.get("title", ()), header.fields.get("author", ())
    if not titles:
        return header
    first, *others = titles
    pieces = _by_line(first)
    sizes = [lines[piece.line].size for piece in pieces if piece.line < len(lines)]
    known = [size for size in sizes if size is not None]
    if len(pieces) < 2 or len(known) < len(pieces):
        return header
    large = [k for k, size in enumerate(known) if size >= _SMALLER * max(known)]
    begin, end = large[0], large[-1] + 1
    tail = pieces[end:]
    below = [field for field in authors if field.start == first.stop]
    if authors:
        theirs = bool(below) and _alike(tail, lines[below[0].line], lines)
    else:
        # The largest line of a page may also be the name of a journal.
        theirs = _words(tail) < _words(pieces[begin:end])
    if not theirs:
        tail, end = [], len(pieces)
    fields = dict(header.fields)
    fields["title"] = (_whole(pieces[begin:end]), *others)
    if begin:
        fields["note"] = (_whole(pieces[:begin]), *fields.get("note", ()))
    if tail:
        fields["author"] = (_whole(tail), *authors)
    return Header(fields)


def _alike(pieces: Sequence[FieldSpan], other: HeaderLine, lines: Sequence[HeaderLine]) -> bool:
    """Whether lines are set like another one."""
    return all(
        abs((lines[piece.line].size or 0.0) - (other.size or 0.0)) < _SAME
        and lines[piece.line].bold == other.bold
        for piece in pieces
    )


def _words(pieces: Sequence[FieldSpan]) -> int:
    return sum(piece.stop - piece.start for piece in pieces)


def _by_line(field: FieldSpan) -> list[FieldSpan]:
    """A field as one for each of its lines."""
    texts = field.text.split("\n")
    if len(texts) != field.last_line - field.line + 1:
        return [field]  # a line without words is in between
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


def _whole(pieces: Sequence[FieldSpan]) -> FieldSpan:
    """Lines that follow each other as one field again."""
    last = pieces[-1]
    text = "\n".join(piece.text for piece in pieces)
    return pieces[0]._replace(text=text, stop=last.stop, last_line=last.last_line)
