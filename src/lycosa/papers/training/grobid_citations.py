"""Reader of GROBID's corpus of references (`citation`).

A file is XML; each element `bibl` is a reference whose fields are child elements in mixed
text: `author`, `title` with the level a (article), m (book), j (journal) or s (series), `date`,
`biblScope` for volume, issue and pages, and others. The labels are those of tagged references
and two more, `web` and `identifier`. Volume and issue have one label, `volume`.

The title of a book (level m) is the `title` of a reference that has no title of level a,
unless "in" stands before it or it is of a meeting; else it is the `booktitle`.

>>> data = b"<bibl><author>A. Lee</author>: <title level='m'>Spiders</title>.</bibl>"
>>> [reference.marks for reference in parse_citations(data, "a.xml")]
[(Mark(start=0, stop=6, label='author'), Mark(start=8, stop=15, label='title'))]
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from xml.etree.ElementTree import Element

from lycosa.papers.training.annotated_references import AnnotatedReference, Mark
from lycosa.papers.training.corpus_xml import local_name, parse_xml
from lycosa.papers.training.grobid_archive import archive_files

PARSCIT_FILES = frozenset({"citations.xml"})
"""Files with the references of Cora and of other sets that come with ParsCit."""

_LABELS = {
    "author": "author",
    "authors": "author",
    "date": "date",
    "year": "date",
    "month": "date",
    "editor": "editor",
    "publisher": "publisher",
    "pubplace": "location",
    "note": "note",
    "notes": "note",
    "ptr": "web",
    "idno": "identifier",
    "orgname": "institution",
    "page": "pages",
    "volumes": "volume",
}
_TITLES = {"a": "title", "m": "book", "j": "journal", "s": "series"}
_SCOPES = {
    "pp": "pages", "page": "pages", "pages": "pages", "vol": "volume", "volume": "volume",
    "issue": "volume", "chapter": "volume", "date": "date",
}  # fmt: skip
_IN = re.compile(r"\b(?:in|dans|nel|im)\b\W*$", re.IGNORECASE)
_MEETING = re.compile(
    r"\W*(?:in[: ]|proc|acte|tagung|.*\b(?:conference|workshop|symposium|congress)\b)", re.I
)


def read_citations(path: Path, without: Iterable[str] = PARSCIT_FILES) -> list[AnnotatedReference]:
    """Read the references of the corpus's archive, except the files of the names `without`."""
    left_out = frozenset(without)
    return [
        reference
        for name, data in archive_files(path)
        if name.endswith(".xml") and PurePosixPath(name).name not in left_out
        for reference in parse_citations(data, PurePosixPath(name).name)
    ]


def parse_citations(data: bytes, name: str) -> list[AnnotatedReference]:
    """Parse the references of one file; `name` is the document's."""
    root = parse_xml(data, name)
    found = []
    for element in root.iter():
        if local_name(element) == "bibl":
            text, marks = _flat(element)
            if marks:
                found.append(AnnotatedReference(text, _without_book(text, marks), name))
    return found


def _label(element: Element) -> str:
    """Return the label of an element, "" for one that is no field."""
    name, given = local_name(element).lower(), element.attrib
    if name == "title":
        return _TITLES.get(given.get("level", given.get("leve", "")), "title")
    if name == "biblscope":
        kind = given.get("unit") or given.get("type") or given.get("level") or ""
        return _SCOPES.get(kind.strip().lower(), "volume")
    if name == "note" and given.get("type") == "report":
        return "tech"
    if name == "idno" and given.get("type") == "report":
        return "tech"
    if name == "orgname" and given.get("type") == "collaboration":
        return "author"
    return _LABELS.get(name, "")


def _flat(element: Element) -> tuple[str, list[Mark]]:
    """Return the text of a reference with single spaces, and its fields."""
    parts: list[str] = []
    marks: list[Mark] = []
    size, spaced = 0, True

    def add(text: str | None) -> None:
        nonlocal size, spaced
        for piece in re.split(r"(\s+)", text or ""):
            if not piece:
                continue
            blank = piece.isspace()
            if not blank:
                parts.append(piece)
                size += len(piece)
            elif not spaced:
                parts.append(" ")
                size += 1
            spaced = blank

    add(element.text)
    for child in element:
        text = _text(child)
        own = text.strip()
        # Spaces at the ends of an element are not part of its field.
        add(text[: len(text) - len(text.lstrip())])
        start = size
        add(own)
        if own and (label := _label(child)):
            marks.append(Mark(start, size, label))
        add(text[len(text.rstrip()) :] if own else "")
        add(child.tail)
    return "".join(parts).rstrip(), marks


def _text(element: Element) -> str:
    """Return the text of an element, a space for the end of each line."""
    found = [element.text or ""]
    for child in element:
        found += [" ", "".join(child.itertext()), child.tail or ""]
    return "".join(found)


def _without_book(text: str, marks: list[Mark]) -> tuple[Mark, ...]:
    """Replace the labels `book` and `series` by those of tagged references."""
    titled = any(mark.label == "title" for mark in marks)
    held = any(mark.label in ("book", "journal") for mark in marks)
    found = []
    for mark in marks:
        label = mark.label
        if label == "book":
            is_title = not (
                titled
                or _IN.search(text[max(mark.start - 9, 0) : mark.start])
                or _MEETING.match(text[mark.start : mark.stop])
            )
            label = "title" if is_title else "booktitle"
            titled = titled or is_title
        elif label == "series":
            label = "note" if held else "booktitle"
        found.append(mark._replace(label=label))
    return tuple(found)
