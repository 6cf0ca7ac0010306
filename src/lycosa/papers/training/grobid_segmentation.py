"""Reader of GROBID's segmentation corpus: whole documents with the section of each line.

A file in `tei` has the text with an element around each section, and `<lb/>` where a
line ends; the file of the same name in `raw` has the layout of each line
(`grobid_raw`). Both are aligned by the first words of the lines.

>>> tei = b"<tei><text><front>Spiders<lb/></front><page>1<lb/></page></text></tei>"
>>> [(line.text, label) for line, label in labelled_lines(tei, [])]
[('Spiders', 'front'), ('1', 'page')]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from lycosa.errors import UsageError
from lycosa.papers.extraction.segmentation_features import SegmentLine
from lycosa.papers.training.grobid_archive import archive_files, document_name
from lycosa.papers.training.grobid_raw import RawRow, read_raw

MAX_SHARE_WITHOUT_LABEL = 0.1
"""A document with more lines outside of any section is incomplete, and left out."""

_LABELS = {
    "front": "front",
    "body": "body",
    "listBibl": "references",
    "page": "page",
    "titlePage": "cover",
    "cover": "cover",
    "other": "body",
    "headnote": "head",
    "footnote": "footnote",
    "annex": "annex",
    "availability": "annex",
    "acknowledgement": "acknowledgement",
    "acknowledgment": "acknowledgement",
    "funding": "acknowledgement",
    "toc": "cover",
}
_MAX_SKIPPED_ROWS = 30  # rows that have no line, between two lines that have a row
_ALIGNED_LETTERS = 4  # of the first word, in which a line and its row agree


@dataclass(frozen=True, slots=True)
class SegmentedDocument:
    """A document with the label of each of its lines."""

    name: str
    lines: tuple[SegmentLine, ...]
    labels: tuple[str, ...]


def read_segmentation(path: Path) -> list[SegmentedDocument]:
    """Return the documents of the archive that have a label and a layout, sorted by name."""
    annotated: dict[str, bytes] = {}
    layouts: dict[str, list[RawRow]] = {}
    for file, body in archive_files(path):
        if "/raw/" in file:
            layouts[document_name(file)] = read_raw(body.decode("utf-8", "replace"), "segmentation")
        elif file.endswith(".xml"):
            annotated[document_name(file)] = body
    found = []
    for name in sorted(annotated):
        rows = layouts.get(name)
        if not rows:
            continue
        try:
            pairs = labelled_lines(annotated[name], rows)
        except ElementTree.ParseError as error:
            raise UsageError(f"The document {name} is damaged ({error}); check {path}.") from error
        whole = [(line, label) for line, label in pairs if label]
        if len(pairs) - len(whole) <= MAX_SHARE_WITHOUT_LABEL * len(pairs):
            lines, labels = zip(*whole, strict=True)
            found.append(SegmentedDocument(name, lines, labels))
    return found


def labelled_lines(tei: bytes, rows: Sequence[RawRow]) -> list[tuple[SegmentLine, str]]:
    """Return the lines of an annotated document with their labels, "" where there is none."""
    lines = list(_lines(ElementTree.fromstring(tei)))  # noqa: S314 (a corpus, no foreign input)
    aligned = _align([text for text, _ in lines], rows)
    found: list[tuple[SegmentLine, str]] = []
    page, done = -1, 0
    for (text, label), place in zip(lines, aligned, strict=True):
        line = SegmentLine(text, max(page, 0))
        if place is not None:
            page += sum(row.page == "start" for row in rows[done : place + 1])
            done = place + 1
            row = rows[place]
            line = SegmentLine(text, max(page, 0), row.size_change, row.bold, row.italic)
        found.append((line, label))
    return found


def _lines(root: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """Yield the text of each line, and its label: that of the first of its words."""
    pieces: list[tuple[str, str]] = []
    for piece, label in [*_pieces(root, ""), ("\n", "")]:
        if piece == "\n":
            text = " ".join("".join(part for part, _ in pieces).split())
            if text:
                yield text, next(name for part, name in pieces if part.strip())
            pieces.clear()
        else:
            pieces.append((piece, label))


def _pieces(element: ElementTree.Element, label: str) -> Iterator[tuple[str, str]]:
    """Yield pieces of text with their labels; a line break is a piece of its own."""
    tag = element.tag.rpartition("}")[2]
    if tag == "teiHeader":
        return
    if tag == "lb":
        yield "\n", ""
        return
    name = element.get("type") or element.get("place") or tag
    inner = _LABELS.get(name, label)
    if element.text:
        yield element.text.replace("\n", " "), inner
    for child in element:
        yield from _pieces(child, inner)
        if child.tail:
            yield child.tail.replace("\n", " "), inner


def _align(texts: Sequence[str], rows: Sequence[RawRow]) -> list[int | None]:
    """Return the row of each line; None for a line without one."""
    if len(texts) == len(rows):
        return list(range(len(rows)))
    keys = [row.text[:_ALIGNED_LETTERS] for row in rows]
    found: list[int | None] = []
    begin = 0
    for text in texts:
        key = text.split(" ", 1)[0][:_ALIGNED_LETTERS]
        near = keys[begin : begin + _MAX_SKIPPED_ROWS]
        place = begin + near.index(key) if key in near else None
        found.append(place)
        if place is not None:
            begin = place + 1
    return found
