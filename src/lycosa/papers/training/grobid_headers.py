r"""Reader of GROBID's header corpus: labelled words in lines, with their layout.

An annotation is TEI: elements label words, and `<lb/>` ends a line. White space
beside a tag may be indentation of the file, so a comma that stands alone after a tag
belongs to the word before it. The file of the same name in the folder `raw` has the
tokens of the page with their layout (`grobid_raw`); both are aligned token by token.

>>> text = '''<tei><text><front><docTitle><titlePart>Web spiders<lb/></titlePart></docTitle>
... <byline><docAuthor>Ann Lee</docAuthor></byline>, E-mail: <email>ann@x.edu</email>
... </front></text></tei>'''
>>> header = parse_header("a", text)
>>> [(token.text, token.label, token.line) for token in header.tokens[1:3]]
[('spiders', 'title', 0), ('Ann', 'author', 1)]
>>> [(token.text, token.label) for token in header.tokens[3:]]
[('Lee,', 'author'), ('E-mail:', 'email'), ('ann@x.edu', 'email')]
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError, XMLParser

from lycosa.papers.extraction.labeller import HeaderLine
from lycosa.papers.extraction.place_labeller import PLACE_LABELS
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.training.grobid_archive import archive_files, document_name
from lycosa.papers.training.grobid_raw import RawRow, read_raw

_LABELS = {
    "titlePart": "title", "docAuthor": "author", "affiliation": "affiliation",
    "address": "address", "email": "email", "date": "date", "keyword": "keyword",
    "keywords": "keyword", "phone": "phone", "ptr": "web", "idno": "pubnum", "degree": "degree",
    "div": "abstract", "note": "note", "reference": "note", "page": "note", "title": "note",
    "editor": "note", "meeting": "note", "publisher": "note",
}  # fmt: skip
_OTHER = "note"
_HEADINGS = {
    "abstract": re.compile(r"abstracts?|summary|r\xe9sum\xe9|zusammenfassung|resumen|resumo"),
    "keyword": re.compile(r"keywords?(?:andphrases)?|indexterms|motscl\xe9s|palabrasclave"),
    "email": re.compile(r"emails?|emailaddress(?:es)?"),
    "phone": re.compile(r"(?:tele)?phone|tel|fax"),
}
"""The headings that stand before the elements of a label, by their letters only."""

_MAX_HEADING_WORDS = 12  # of a heading, whose letters may be spaced out
_GLUED = re.compile(r"[.,;:)\]]+")
_MARK = re.compile(r"(?:\d{1,2}|[a-z*\u2217\u2020\u2021\xa7\xb6#])(?:\s*,\s*(?:\d{1,2}|\*))*")
_PIECE = re.compile(r"\w+|[^\w\s]")
_MAX_SKIPPED = 40  # tokens of the layout without a counterpart in the annotation, in one place

_log = logging.getLogger("lycosa.papers")


@dataclass(frozen=True)
class AnnotatedHeader:
    """A header of the corpus: its labelled words, and its lines with their layout."""

    name: str
    """The name of its document."""
    tokens: list[Token]
    lines: list[HeaderLine]


class _Word:
    """A word of an annotation.

    `breaks` is whether a line ends before it, and `element` counts the affiliations up to it.
    """

    __slots__ = ("breaks", "element", "label", "text")

    def __init__(self, text: str, label: str, breaks: bool, element: int) -> None:
        self.text, self.label, self.breaks, self.element = text, label, breaks, element


def read_headers(archive: Path) -> list[AnnotatedHeader]:
    """Read the headers of an archive, sorted by name; damaged files are left out."""
    annotations: dict[str, str] = {}
    layouts: dict[str, str] = {}
    for path, content in archive_files(archive):
        text = content.decode("utf-8", "replace")
        if "/tei/" in path:
            annotations[document_name(path)] = text
        elif "/raw/" in path:
            layouts[document_name(path)] = text
    found = []
    for name, text in sorted(annotations.items()):
        try:
            header = parse_header(name, text, layouts.get(name, ""))
        except ParseError:
            _log.debug("The annotation of %s is not XML", name, exc_info=True)
            continue
        if header.tokens:
            found.append(header)
    return found


def parse_header(name: str, annotation: str, layout: str = "") -> AnnotatedHeader:
    """Parse an annotation, with the layout in the file of the folder `raw`, if there is one."""
    words = _label_headings(_glue(_parse(annotation)))
    rows = _align(words, read_raw(layout, "header"))
    ended = False  # a line of a single token has no row that starts it
    for word, own in zip(words, rows, strict=True):
        if own:
            word.breaks = word.breaks or ended or own[0].line == "start"
            ended = own[-1].line == "end"
    lines = _lines(words)
    tokens = [
        Token(word.text, word.label, number)
        for number, (a, b) in enumerate(lines)
        for word in words[a:b]
    ]
    texts = [" ".join(word.text for word in words[a:b]) for a, b in lines]
    if not any(rows):
        return AnnotatedHeader(name, tokens, [HeaderLine(text) for text in texts])
    styles = _styles([[row for own in rows[a:b] for row in own] for a, b in lines])
    described = [HeaderLine(text, **style) for text, style in zip(texts, styles, strict=True)]
    return AnnotatedHeader(name, tokens, described)


def parse_affiliations(annotation: str) -> list[list[Token]]:
    """Parse a file of the corpus of affiliations: the labelled words of each, in lines.

    >>> text = '''<tei><analytic><affiliation><marker>1</marker> <orgName>MIT</orgName>, <lb/>
    ... <address><settlement>Boston</settlement></address></affiliation></analytic></tei>'''
    >>> [(token.text, token.label, token.line) for token in parse_affiliations(text)[0]]
    [('1', 'affiliation', 0), ('MIT,', 'affiliation', 0), ('Boston', 'address', 1)]
    """
    found: list[list[Token]] = []
    number, line = -1, 0
    for word in _glue(_parse(annotation, "analytic")):
        if word.label not in PLACE_LABELS:
            continue
        if word.element != number:
            number, line = word.element, 0
            found.append([])
        elif word.breaks:
            line += 1
        found[-1].append(Token(word.text, word.label, line))
    return found


def read_affiliations(archive: Path) -> list[tuple[str, list[list[Token]]]]:
    """Read the affiliations of each document of an archive, sorted; damaged files are left out."""
    found = []
    for path, content in archive_files(archive):
        try:
            places = parse_affiliations(content.decode("utf-8", "replace"))
        except ParseError:
            _log.debug("The annotation %s is not XML", path, exc_info=True)
            continue
        found.append((document_name(path), places))
    return sorted(found)


def _parse(annotation: str, root: str = "front") -> list[_Word]:
    parser = XMLParser(target=_Annotation(root))  # noqa: S314 (a corpus that a person chose)
    parser.feed(annotation)
    words: Any = parser.close()  # what the target returns
    return list(words)


class _Annotation:
    """A target of the XML parser that collects the labelled words in an element."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._affiliations = 0
        self.words: list[_Word] = []
        self._labels = [""]
        self._text: list[str] = []
        self._breaks = False
        self._open = 0  # elements, from the root on

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element; it labels its words."""
        self._flush()
        name = tag.rpartition("}")[2]
        if self._open or name == self._root:
            self._open += 1
        self._breaks = self._breaks or name == "lb"
        self._affiliations += name == "affiliation"
        label = _LABELS.get(name, "")
        self._labels.append(label or self._labels[-1])

    def data(self, text: str) -> None:
        """Collect text."""
        if self._open:
            self._text.append(text)

    def end(self, tag: str) -> None:
        """Close an element."""
        self._flush()
        self._open -= bool(self._open)
        self._labels.pop()

    def close(self) -> list[_Word]:
        """Return all words."""
        return self.words

    def _flush(self) -> None:
        for text in "".join(self._text).split():
            self.words.append(_Word(text, self._labels[-1], self._breaks, self._affiliations))
            self._breaks = False
        self._text.clear()


def _glue(words: Sequence[_Word]) -> list[_Word]:
    """Join punctuation that stands alone to the word before it."""
    glued: list[_Word] = []
    for word in words:
        if glued and not word.breaks and _GLUED.fullmatch(word.text):
            glued[-1].text += word.text
        else:
            glued.append(word)
    return glued


def _label_headings(words: list[_Word]) -> list[_Word]:
    """Give headings the label of the element below them, and other words without one a default."""
    start = 0
    for label, run in groupby(words, lambda word: word.label):
        stop = start + len(list(run))
        if not label and stop < len(words):
            begin = _heading(words[max(start, stop - _MAX_HEADING_WORDS) : stop], words[stop].label)
            for word in words[stop - begin : stop]:
                word.label = words[stop].label
        start = stop
    for word in words:
        word.label = word.label or _OTHER
    return words


def _heading(words: Sequence[_Word], label: str) -> int:
    """Return how many of the last words are the heading of an element with a label."""
    pattern = _HEADINGS.get(label)
    if pattern is None:
        return 0
    for count in range(len(words), 0, -1):
        text = re.sub(r"[\W_]+", "", "".join(word.text for word in words[-count:])).lower()
        if pattern.fullmatch(text):
            return count
    return 0


def _align(words: Sequence[_Word], rows: Sequence[RawRow]) -> list[list[RawRow]]:
    """Return the tokens of the layout that each word consists of; none where they differ."""
    found: list[list[RawRow]] = []
    at = 0
    for word in words:
        own = []
        for piece in _PIECE.findall(word.text):
            # A lone sign is everywhere; only a written word is a reason to skip tokens.
            window = _MAX_SKIPPED if len(piece) > 2 else 2
            for k in range(at, min(at + window, len(rows))):
                if rows[k].text == piece:
                    own.append(rows[k])
                    at = k + 1
                    break
        found.append(own)
    return found


def _lines(words: Sequence[_Word]) -> list[tuple[int, int]]:
    """Return the range of words of each line; a mark alone belongs to the line below it."""
    starts = [n for n, word in enumerate(words) if n == 0 or word.breaks]
    kept: list[int] = []
    for n, start in enumerate(starts):
        above = starts[n - 1] if n else start
        is_mark = n and start == above + 1 and _MARK.fullmatch(words[above].text)
        if not (is_mark and kept and kept[-1] == above):
            kept.append(start)
    return list(pairwise([*kept, len(words)]))


def _styles(lines: Sequence[Sequence[RawRow]]) -> Iterator[dict[str, Any]]:
    """Yield the style of each line.

    The layout has changes of size from token to token only. Counted up and down they
    give each token a level, and a line the level of most of its tokens, which a
    superscript does not change.
    """
    level, above, ended = 0, 0, True
    for rows in lines:
        levels = []
        for row in rows:
            level += row.size_change
            levels.append(level)
        own = Counter(levels).most_common(1)[0][0] if levels else above
        yield {
            "bold": 2 * sum(row.bold for row in rows) > len(rows),
            "italic": 2 * sum(row.italic for row in rows) > len(rows),
            "size_change": (own > above) - (own < above),
            "new_block": ended or any(row.block == "start" for row in rows),
        }
        ended = rows[-1].block == "end" if rows else False
        above = own
