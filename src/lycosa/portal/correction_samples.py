"""Corrections as training data: headers and references with their words labelled.

A corrected field is looked for in the text that it was read from: the first lines of a copy of
the work, and every reference to it. Where it is found, its words get its label, and the other
fields keep the labels that they were read with. What is not found there teaches nothing, and
is left out.

>>> words = label_words(["Spiders that hunt", "Ann Lee"], [("title", "spiders that hunt")])
>>> [(token.text, token.label) for token in words[:2]], words[-1]
([('Spiders', 'title'), ('that', 'title')], Token(text='Lee', label='', line=1))
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from lycosa.papers.extraction.tagged import (
    ADDRESS_LABELS,
    HEADER_LABELS,
    REFERENCE_LABELS,
    Token,
)
from lycosa.portal.catalogue import FILE, Catalogue
from lycosa.portal.corrections import Correction, Corrections
from lycosa.portal.read_only import ReadOnlyDatabase

MAX_HEADER_LINES: Final = 40
"""Lines of a document in which its header is looked for."""
HEADER_FIELDS: Final[Mapping[str, str]] = MappingProxyType(
    {"title": "title", "authors": "author", "year": "date"}
)
REFERENCE_FIELDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "title": "title", "authors": "author", "year": "date", "venue": "journal",
        "volume": "volume", "pages": "pages",
    }
)  # fmt: skip
"""The labels of corrected fields."""

_MARKUP = re.compile(r"</?[A-Za-z_]+>|\+L\+")  # words that a tagged file cannot have

Fields = Sequence[tuple[str, str]]


def corrected_headers(folder: Path) -> Iterator[list[Token]]:
    """Yield the headers of works that were corrected."""
    database = ReadOnlyDatabase(folder / FILE)
    for work, given in _corrected(folder, HEADER_FIELDS).items():
        query = "SELECT text, fields FROM copies JOIN documents ON id = document WHERE work = ?"
        for text, fields in database.all(query, work):
            lines = [line for line in text.split("\n") if line.strip()][:MAX_HEADER_LINES]
            item = _sample(lines, json.loads(fields), given, HEADER_LABELS)
            if item is not None:
                yield item


def corrected_references(folder: Path) -> Iterator[list[Token]]:
    """Yield the references to works that were corrected."""
    database = ReadOnlyDatabase(folder / FILE)
    for work, given in _corrected(folder, REFERENCE_FIELDS).items():
        query = (
            "SELECT text, fields FROM cited JOIN references_ USING (document, number) "
            "WHERE work = ? ORDER BY document, number"
        )
        for text, fields in database.all(query, work):
            labels = (*REFERENCE_LABELS, *ADDRESS_LABELS)
            item = _sample([text], json.loads(fields), given, labels)
            if item is not None:
                yield item


def label_words(lines: Sequence[str], fields: Fields) -> list[Token]:
    """Return the words of some lines, labelled by the fields whose words are found in them."""
    words = [
        (word, k)
        for k, line in enumerate(lines)
        for word in line.split()
        if not _MARKUP.search(word)
    ]
    plain = [_plain(word) for word, _ in words]
    labels = [""] * len(words)
    for label, text in fields:
        for start, end in _places(plain, [_plain(word) for word in text.split()]):
            if not any(labels[start:end]):
                labels[start:end] = [label] * (end - start)
                break
    return [Token(word, label, k) for (word, k), label in zip(words, labels, strict=True)]


def _corrected(folder: Path, labels: Mapping[str, str]) -> dict[str, dict[str, list[str]]]:
    """Return the corrected values of works, by the labels of their words."""
    catalogue = Catalogue.open(folder)
    found: dict[str, dict[str, list[str]]] = {}
    with Corrections.open(folder) as corrections:
        for one in corrections.all():
            if one.kind in labels and one.value:
                work = _work_of(catalogue, one)
                values = one.value.split("; ") if one.kind == "authors" else [one.value]
                found.setdefault(work, {})[labels[one.kind]] = values
    return found


def _work_of(catalogue: Catalogue, one: Correction) -> str:
    document = catalogue.document(one.work)
    if document is not None and document.work:
        return document.work
    return catalogue.moved(one.work) or one.work


def _sample(
    lines: Sequence[str],
    read: Mapping[str, Sequence[Sequence[Any]]],
    given: Mapping[str, Sequence[str]],
    known: Sequence[str],
) -> list[Token] | None:
    """Return labelled words; None if no corrected field is found in them."""
    # A journal that was corrected may have been read as the book that a paper is in.
    replaced = {*given, *(["booktitle"] if "journal" in given else [])}
    extracted = [
        (label, str(part[0]))
        for label, parts in read.items()
        if label in known and label not in replaced
        for part in parts
    ]
    corrected = [(label, text) for label, texts in given.items() for text in texts]
    if not any(token.label for token in label_words(lines, corrected)):
        return None
    return label_words(lines, [*corrected, *extracted])


def _places(words: Sequence[str], wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where some words follow each other."""
    size = len(wanted)
    if not size or not any(wanted):
        return
    for start in range(len(words) - size + 1):
        if words[start] == wanted[0] and words[start : start + size] == wanted:
            yield start, start + size


def _plain(word: str) -> str:
    """Return a word without case and without punctuation at its ends."""
    return word.strip(".,;:()[]\"'“”").casefold()
