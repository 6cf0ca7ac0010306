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

from collections.abc import Collection, Sequence
from itertools import accumulate

from lycosa.papers.extraction.fields import FieldSpan, Header
from lycosa.papers.extraction.labeller import HeaderLine

_MIN_TITLE_SIZE = 0.85  # of the largest line; smaller lines are not part of the title
_MIN_DISTINCT_SIZE = 1.15  # of the usual size; a title of this size is in no style of the text
_SURE = 0.5  # the confidence from which on a title is no guess
_SURE_TITLE_WORDS = 8  # a title of more words is not better by its length
_SIZE_TOLERANCE = 0.03  # of the usual size; sizes that differ by less are equal


def correct_title_style(header: Header, lines: Sequence[HeaderLine]) -> Header:
    """Return the header with the title in one style; unchanged if the layout is not known.

    Smaller lines before the title become notes. Smaller lines after it become authors
    if they have the style of the authors below, or if there are no other authors and
    most of the words stay in the title.
    """
    header = extend_title(trim_title(choose_title(header), lines), lines)
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


def choose_title(header: Header) -> Header:
    """Return the header with one run of words as its title; others become notes.

    A second run is mostly the name of a journal, a running head or a title of a
    neighbouring article: the surer one is kept, and of equal ones the longer.
    """
    titles = header.fields.get("title", ())
    if len(titles) < 2:
        return header
    best = max(
        titles, key=lambda part: part.confidence * min(part.stop - part.start, _SURE_TITLE_WORDS)
    )
    others = [part for part in titles if part is not best]
    notes = sorted([*header.fields.get("note", ()), *others], key=lambda part: part.start)
    return Header({**header.fields, "title": (best,), "note": tuple(notes)})


def trim_title(header: Header, lines: Sequence[HeaderLine]) -> Header:
    """Return the header without parts of lines in its title that are in another style.

    A word of a running head above a title is easily taken for its first word.
    """
    titles = header.fields.get("title", ())
    if len(titles) != 1 or titles[0].last_line >= len(lines):
        return header
    pieces = _line_pieces(header)
    own = [piece for label, piece in pieces if label == "title"]
    style = lines[max(own, key=lambda piece: piece.stop - piece.start).line]
    shared = {piece.line for label, piece in pieces if label != "title"} | {
        piece.last_line for label, piece in pieces if label != "title"
    }
    wrong = {p.line for p in own if p.line in shared and not _is_alike(lines[p.line], style)}
    if not wrong or style.size is None:
        return header
    return Header(
        _regroup(
            [
                ("note" if label == "title" and piece.line in wrong else label, piece)
                for label, piece in pieces
            ]
        )
    )


def extend_title(header: Header, lines: Sequence[HeaderLine]) -> Header:
    r"""Return the header with all lines of the block of its title as the title.

    Only a title in larger letters than the text is extended, to lines of the same size
    and weight without white space between them; one that is a guess has whole lines.
    Where only changes of size are known, the block of a title is larger than the lines
    above and below.

    >>> lines = [HeaderLine("Web Spiders in", 1.6, new_block=True),
    ...          HeaderLine("Exponential Families", 1.6, new_block=False), HeaderLine("Ann Lee", 1)]
    >>> header = Header({"title": (FieldSpan("Web Spiders in", 0.9, 0, 3, 0, 0),),
    ...                  "author": (FieldSpan("Exponential Families\nAnn Lee", 0.8, 3, 7, 1, 2),)})
    >>> extended = extend_title(header, lines)
    >>> extended.title, extended.text("author")
    ('Web Spiders in Exponential Families', 'Ann Lee')
    """
    titles = header.fields.get("title", ())
    if len(titles) != 1 or titles[0].last_line >= len(lines):
        return header
    begin, end = titles[0].line, titles[0].last_line
    if lines[begin].size is None:
        return _relabel(header, _larger_block(lines, begin, end))
    style = max((lines[n] for n in range(begin, end + 1)), key=lambda line: line.size or 0.0)
    is_distinct = (style.size or 0.0) >= _MIN_DISTINCT_SIZE
    if not is_distinct and titles[0].confidence > _SURE:
        return header
    if not is_distinct:
        # A guess has whole lines, in the style of the line with the most of its words.
        longest = max(_split_lines(titles[0]), key=lambda piece: piece.stop - piece.start)
        style = lines[longest.line]
    block = {n for n in range(begin, end + 1) if _is_alike(lines[n], style)}
    if not is_distinct:
        return _relabel(header, block, "note")
    while begin - 1 in range(len(lines)) and _continues(lines[begin], lines[begin - 1], style):
        begin -= 1
        block.add(begin)
    while end + 1 in range(len(lines)) and _continues(lines[end + 1], lines[end + 1], style):
        end += 1
        block.add(end)
    return _relabel(header, block)


def _larger_block(lines: Sequence[HeaderLine], begin: int, end: int) -> range:
    """Return the lines of one style around some lines; none if they are not larger than others."""
    while begin and _continues(lines[begin], lines[begin - 1], lines[end]):
        begin -= 1
    while end + 1 < len(lines) and _continues(lines[end + 1], lines[end + 1], lines[begin]):
        end += 1
    smaller_below = end + 1 < len(lines) and lines[end + 1].size_change == -1
    return range(begin, end + 1 if lines[begin].size_change == 1 and smaller_below else begin)


def _relabel(header: Header, block: Collection[int], other: str = "title") -> Header:
    """Return the header with all words of some lines as its title.

    `other` is the label of words that were part of the title and are not in these lines.
    """
    return Header(
        _regroup(
            [
                (
                    "title"
                    if piece.line == piece.last_line and piece.line in block
                    else other
                    if label == "title"
                    else label,
                    piece,
                )
                for label, piece in _line_pieces(header)
            ]
        )
    )


def _line_pieces(header: Header) -> list[tuple[str, FieldSpan]]:
    """Return the fields of a header line by line, with their labels, in reading order."""
    pieces = [
        (label, piece)
        for label, parts in header.fields.items()
        for part in parts
        for piece in _split_lines(part)
    ]
    return sorted(pieces, key=lambda pair: pair[1].start)


def _is_alike(line: HeaderLine, style: HeaderLine) -> bool:
    size, usual = line.size or 0.0, style.size or 0.0
    return abs(size - usual) < _SIZE_TOLERANCE and line.bold == style.bold


def _continues(below: HeaderLine, other: HeaderLine, style: HeaderLine) -> bool:
    """Return whether no white space is above a line, and the other has a style."""
    return below.new_block is False and not below.size_change and _is_alike(other, style)


def _regroup(pieces: Sequence[tuple[str, FieldSpan]]) -> dict[str, tuple[FieldSpan, ...]]:
    """Join neighbouring pieces of one label to fields again."""
    found: dict[str, list[FieldSpan]] = {}
    last = ""
    for label, piece in pieces:
        mine = found.setdefault(label, [])
        if label == last:
            above = mine[-1]
            joint = " " if above.last_line == piece.line else "\n"
            words = above.stop - above.start, piece.stop - piece.start
            total = above.confidence * words[0] + piece.confidence * words[1]
            mine[-1] = above._replace(
                text=above.text + joint + piece.text,
                confidence=total / sum(words),
                stop=piece.stop,
                last_line=piece.last_line,
            )
        else:
            mine.append(piece)
        last = label
    return {label: tuple(parts) for label, parts in found.items()}


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
