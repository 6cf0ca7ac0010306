"""From the body of an answer to a document: a paper, a page, or nothing that can be shown.

>>> with DocumentReader() as reader:
...     page = reader.read(b"<title>Spiders</title><p>They hunt at night.", "text/html")
...     page.kind, page.title, page.text
...     reader.read(b"%PDF-1.4 and then nothing", "application/pdf").outcome
('page', 'Spiders', 'They hunt at night.')
'damaged'
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from lycosa.closing import Closing
from lycosa.documents.conversion import Conversion, Converter
from lycosa.documents.formats import is_html
from lycosa.documents.language import detect_language
from lycosa.documents.paper_detector import detect_paper
from lycosa.papers.extraction.fields import ExtractedFields, FieldSpan
from lycosa.papers.extraction.sections import find_sections
from lycosa.papers.paper import Paper, PaperReader
from lycosa.portal.build.dates import printed_date
from lycosa.portal.build.pages import Description, describe
from lycosa.processes import WorkerPool
from lycosa.web.decoding import decode
from lycosa.web.words import words

LONGEST = 1_000_000
"""Characters of a text that are kept."""

_SPOKEN = 20_000  # characters by which the language is told
_LINE = 300  # characters of a title that is but the first line
_MOST = 2000  # references of a document that are kept

Parts = dict[str, list[list[object]]]


class Listed(NamedTuple):
    """A reference as it is kept: its columns but the document."""

    number: int
    text: str
    page: int
    line: int
    fields: str
    contexts: str


@dataclass(frozen=True, slots=True)
class Read:
    """What became of a body."""

    kind: str
    outcome: str
    sure: float = 0.0
    title: str = ""
    abstract: str = ""
    date: str = ""
    language: str = ""
    text: str = ""
    fields: str = "{}"
    references: tuple[Listed, ...] = ()


DAMAGED = Read("none", "damaged")
"""The result of a document that kills two processes, or at which our code fails."""


class DocumentReader(Closing):
    """Reads bodies one after the other; a subprocess converts them to text."""

    def __init__(self) -> None:
        self._converter = Converter()
        self._papers: PaperReader | None = None

    def read(self, body: bytes, type: str, stored: bytes | None = None) -> Read:
        """Read a body of this Content-Type; a body that cannot be read has an outcome.

        `stored` is its conversion, if the crawl has made it (`Conversion.to_bytes`).
        """
        converted = None if stored is None else Conversion.from_bytes(stored)
        if converted is None:
            converted = self._converter.convert(body, type)
        if converted.outcome != "text":
            return Read("none", converted.outcome)
        # Most pages are no papers, and to label the words of a header takes a while.
        verdict = detect_paper(converted.lines, find_sections(converted.lines))
        if verdict.is_paper:
            return self._paper(converted)
        text = _clean(converted.text)
        said = Description(converted.lines[0].text[:_LINE])
        if is_html(body, type):
            said = describe(decode(body, type))
        return Read(
            "page",
            "text",
            round(verdict.probability, 4),
            _clean(said.title),
            _clean(said.description),
            said.date,
            _language(text) or said.language,
            text,
        )

    def _paper(self, converted: Conversion) -> Read:
        if self._papers is None:  # its models take a while to load
            self._papers = PaperReader(converter=self._converter)
        paper = self._papers.extract(converted)
        text = _clean(converted.text)
        return Read(
            "paper",
            "text",
            round(paper.confidence, 4),
            _clean(paper.header.title),
            _clean(paper.header.abstract),
            printed_date(paper.header.text("date")),
            _language(text),
            text,
            _json(_parts(paper.header)),
            _listed(paper),
        )

    def close(self) -> None:
        """End the worker."""
        self._converter.close()


@contextmanager
def document_pool(jobs: int) -> Iterator[WorkerPool[Read]]:
    """Open a pool of processes that read documents; with one job, this process reads them.

    >>> with document_pool(jobs=1) as pool:
    ...     pool.submit(b"Spiders hunt.", "text/plain").result().text
    'Spiders hunt.'
    """
    try:
        with WorkerPool(_read, jobs, fallback=DAMAGED, activity="reading documents") as pool:
            yield pool
    finally:
        if jobs == 1:
            _reader().close()


def _read(body: bytes, type: str, stored: bytes | None = None) -> Read:
    return _reader().read(body, type, stored)


@cache
def _reader() -> DocumentReader:
    """Return the reader that a process keeps; its worker ends when the process does."""
    return DocumentReader()


def _listed(paper: Paper) -> tuple[Listed, ...]:
    return tuple(
        Listed(
            number,
            _clean(one.text),
            one.page + 1,
            one.line + 1,
            _json(_parts(one.fields, one.page, one.line)),
            _json([_clean(context) for context in one.contexts]),
        )
        for number, one in enumerate(paper.references[:_MOST], 1)
    )


def _parts(found: ExtractedFields, page: int = 0, line: int = 0) -> Parts:
    return {
        label: [
            [_clean(part.text), round(part.confidence, 4), page + 1, line + part.line + 1]
            for part in parts
        ]
        for label, parts in found.fields.items()
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def fields_of(
    parts: Mapping[str, list[tuple[str, float, int, int]]],
) -> dict[str, tuple[FieldSpan, ...]]:
    """The fields in what is kept of them, for `Header` and `Reference`.

    >>> from lycosa.papers.extraction.fields import Header
    >>> header = Header(fields_of({"title": [("Web spiders", 0.9, 1, 1)]}))
    >>> header.title, header.confidence("title")
    ('Web spiders', 0.9)
    """
    return {
        label: tuple(
            FieldSpan(text, sure, 0, text.count(" ") + text.count("\n") + 1, line, line)
            for text, sure, _, line in some
        )
        for label, some in parts.items()
    }


def _clean(text: str) -> str:
    """A text that any database takes: no halves of characters, no zeros, not too much of it."""
    text = text[:LONGEST]
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def _language(text: str) -> str:
    return detect_language(words(text[:_SPOKEN]))
