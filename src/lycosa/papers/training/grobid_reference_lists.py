"""Reader of GROBID's corpus of reference lists (`reference-segmenter`).

The annotation marks each reference of a list by an element `bibl` in the running text; the
layout tells where lines and blocks begin and which lines are indented. Together they give the
lines of a list with their labels: `begin` for a line where a reference begins, `more` for
its other lines and `other` for lines of no reference, such as the heading. Lines get
coordinates that show the layout that is known: 10 points high, 12 points apart, 20 where a
block begins, indented by 12.

A document whose annotation and layout have different text is left out, unless only one of
them has the heading or what follows the list.

>>> rows = [RawRow("Lee", line="start"), RawRow("Roe", line="start", indented=True)]
>>> data = b"<listBibl><bibl>Lee<lb/> Roe</bibl></listBibl>"
>>> one = parse_reference_list(data, rows, "a.xml")
>>> one.labels, [line.text for line in one.lines]
(('begin', 'more'), ['Lee', 'Roe'])
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from xml.etree.ElementTree import Element

from lycosa.documents.layout import TextLine
from lycosa.papers.training.corpus_xml import local_name, parse_xml
from lycosa.papers.training.grobid_archive import archive_files
from lycosa.papers.training.grobid_raw import RawRow, read_raw

_SIZE, _STEP, _GAP, _INDENT, _LETTER = 10.0, 12.0, 20.0, 12.0, 5.0  # points


class LabelledList(NamedTuple):
    """The lines of a list of references, each with its label."""

    document: str
    lines: tuple[TextLine, ...]
    labels: tuple[str, ...]
    references: int
    """The number of references that begin at the beginning of a line."""


def read_reference_lists(path: Path) -> list[LabelledList]:
    """Read the lists of the corpus's archive."""
    annotations: dict[str, bytes] = {}
    layouts: dict[str, list[RawRow]] = {}
    for name, data in archive_files(path):
        key = PurePosixPath(name).name.removesuffix(".tei.xml")
        if "/tei/" in name and name.endswith(".xml"):
            annotations[key] = data
        elif "/raw/" in name:
            layouts[key] = read_raw(data.decode(errors="replace"), "reference-segmenter")
    found = (
        parse_reference_list(annotations[key], layouts[key], key)
        for key in sorted(annotations.keys() & layouts.keys())
    )
    return [one for one in found if one.lines]


def parse_reference_list(data: bytes, rows: Sequence[RawRow], name: str) -> LabelledList:
    """Return the lines of an annotated list with this layout; none if the two do not agree."""
    root = parse_xml(data, name)
    text, begins = _marked_text(root)
    places = [n for n, c in enumerate(text) if not c.isspace()]
    printed = "".join(text[n] for n in places)
    tokens = ["".join(row.text.split()) for row in rows]
    whole = "".join(tokens)
    shift = whole.find(printed)  # the letters of the layout before the annotation
    if not printed or shift < 0:
        shift = -printed.find(whole)
        if not whole or shift > 0:
            return LabelledList(name, (), (), 0)
    return _labelled(name, rows, tokens, text, places, begins, shift)


def _marked_text(root: Element) -> tuple[str, list[tuple[int, int]]]:
    """Return the text of the lists, and where each reference begins and ends in it."""
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    size = 0

    def add(text: str | None) -> None:
        nonlocal size
        parts.append(text or "")
        size += len(text or "")

    def walk(element: Element) -> None:
        start = size
        if local_name(element) == "lb":
            add(" ")
        add(element.text)
        for child in element:
            walk(child)
            add(child.tail)
        if local_name(element) == "bibl":
            spans.append((start, size))

    for element in root.iter():
        if local_name(element) == "listBibl":
            walk(element)
    return "".join(parts), spans


def _labelled(
    name: str,
    rows: Sequence[RawRow],
    tokens: Sequence[str],
    text: str,
    places: Sequence[int],
    spans: Sequence[tuple[int, int]],
    shift: int,
) -> LabelledList:
    inside = [""] * len(text)
    for start, stop in spans:
        first = next((n for n in range(start, stop) if not text[n].isspace()), stop)
        inside[first:stop] = ["begin", *["more"] * (stop - first - 1)] if stop > first else []
    lines: list[TextLine] = []
    labels: list[str] = []
    y = 0.0
    at = -shift
    starts = [n for n, row in enumerate(rows) if row.line == "start" or n == 0]
    for first, last in zip(starts, [*starts[1:], len(rows)], strict=True):
        size = sum(map(len, tokens[first:last]))
        begin, end = max(at, 0), min(at + size, len(places))
        at += size
        y -= _GAP if rows[first].block == "start" else _STEP
        if begin >= end:
            continue
        line = " ".join(text[places[begin] : places[end - 1] + 1].split())
        x = _INDENT if rows[first].indented else 0.0
        lines.append(TextLine(line, 0, x, y, _LETTER * len(line), _SIZE))
        labels.append(inside[places[begin]] or "other")
    return LabelledList(name, tuple(lines), tuple(labels), labels.count("begin"))
