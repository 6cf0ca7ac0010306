"""Reading of response bodies into documents: papers, pages, or nothing that can be shown.

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
from lycosa.documents.paper_detector import (
    PaperVerdict,
    detect_paper,
    has_reference_heading,
    word_kinds,
)
from lycosa.papers.extraction.fields import ExtractedFields, FieldSpan
from lycosa.papers.extraction.sections import Sections, find_sections
from lycosa.papers.paper import Paper, PaperReader
from lycosa.portal.build.dates import parse_printed_date
from lycosa.portal.build.pages import PageDescription, describe
from lycosa.processes import WorkerPool
from lycosa.web.decoding import decode
from lycosa.web.words import words

MAX_TEXT_CHARACTERS = 1_000_000
"""Of a text that is stored; the rest is cut."""
LANGUAGE_CHARACTERS = 20_000
"""Of a text, from which its language is detected."""
LANGUAGE_SAMPLES = 4
"""Parts, evenly spaced in a longer text, that have so many characters together."""
MIN_BODY_SHARE = 0.1
"""The share of a text that is not references, if its language is that of the document."""
MAX_TITLE_CHARACTERS = 300
"""Of a first line that serves as title."""
MAX_REFERENCES = 2000
"""Of a document that are stored."""

StoredFields = dict[str, list[list[object]]]


class StoredReference(NamedTuple):
    """A row of the table references_, without the document.

    `number` counts from 1 in the list, `page` and `line` (on the page) count from 1. `text` is
    the reference as printed. `fields` is JSON, label to [[text, confidence, page, line], …];
    `contexts` is a JSON list of the sentences that cite it.
    """

    number: int
    text: str
    page: int
    line: int
    fields: str
    contexts: str


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What was read from a body: the columns of the table documents that depend on it."""

    kind: str
    """`paper`, `page`, or `none` if there is no text to show."""
    outcome: str
    """`text`, or the reason why there is none: encrypted, damaged, …"""
    confidence: float = 0.0
    """The probability that it is a paper."""
    title: str = ""
    abstract: str = ""
    """Of a page: its description."""
    date: str = ""
    """ISO 8601 as far as it is known: 1999, 1999-05, or empty."""
    language: str = ""
    """ISO 639-1, or empty."""
    text: str = ""
    """The whole text, at most `MAX_TEXT_CHARACTERS`."""
    fields: str = "{}"
    """JSON of the fields of a paper's header, as in `StoredReference`."""
    references: tuple[StoredReference, ...] = ()
    """Of a paper, at most `MAX_REFERENCES`."""


DAMAGED = ReadDocument("none", "damaged")
"""The result of a document that kills two processes, or at which our code fails."""


class DocumentReader(Closing):
    """Reads bodies one after the other; a subprocess converts them to text."""

    def __init__(self) -> None:
        self._converter = Converter()
        self._papers: PaperReader | None = None

    def read(
        self, body: bytes, type: str, stored: bytes | None = None, name: str = ""
    ) -> ReadDocument:
        """Read a body of this Content-Type; a body that cannot be read has an outcome.

        `stored` is its conversion, if the crawl has made it (`Conversion.to_bytes`). The
        `name` of its file is weak evidence for the year of a paper.
        """
        converted = None if stored is None else Conversion.from_bytes(stored)
        if converted is None:
            converted = self._converter.convert(body, type)
        if converted.outcome != "text":
            return ReadDocument("none", converted.outcome)
        # Most pages are no papers, and labelling the words of a header is slow.
        kinds = word_kinds(converted.text)
        verdict = detect_paper(kinds)
        if verdict.is_paper:
            return self._paper(converted, name, verdict)
        text = _clean(converted.text)
        description = PageDescription(converted.lines[0].text[:MAX_TITLE_CHARACTERS])
        if is_html(body, type):
            description = describe(decode(body, type))
        return ReadDocument(
            "page",
            "text",
            round(verdict.probability, 4),
            _clean(description.title),
            _clean(description.description),
            description.date,
            _language(
                converted,
                find_sections(converted.lines, vocabulary=converted.vocabulary)
                if has_reference_heading(kinds)
                else None,
                description.language,
            ),
            text,
        )

    def _paper(self, converted: Conversion, name: str, verdict: PaperVerdict) -> ReadDocument:
        if self._papers is None:  # its models are slow to load
            self._papers = PaperReader(converter=self._converter)
        sections = find_sections(converted.lines, vocabulary=converted.vocabulary)
        paper = self._papers.extract(converted, name, sections, verdict)
        text = _clean(converted.text)
        return ReadDocument(
            "paper",
            "text",
            round(paper.confidence, 4),
            _clean(paper.header.title),
            _clean(paper.header.abstract),
            _date(paper),
            _language(converted, sections),
            text,
            _json(_stored_fields(paper.header) | _stored_facts(paper)),
            _stored_references(paper),
        )

    def close(self) -> None:
        """End the worker."""
        self._converter.close()


@contextmanager
def document_pool(jobs: int) -> Iterator[WorkerPool[ReadDocument]]:
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


def _read(body: bytes, type: str, stored: bytes | None = None, name: str = "") -> ReadDocument:
    return _reader().read(body, type, stored, name)


@cache
def _reader() -> DocumentReader:
    """Return the reader that a process keeps; its worker ends when the process does."""
    return DocumentReader()


def _stored_references(paper: Paper) -> tuple[StoredReference, ...]:
    return tuple(
        StoredReference(
            number,
            _clean(one.text),
            one.page + 1,
            one.line + 1,
            _json(_stored_fields(one.fields, one.page, one.line)),
            _json([_clean(context) for context in one.contexts]),
        )
        for number, one in enumerate(paper.references[:MAX_REFERENCES], 1)
    )


def _stored_fields(found: ExtractedFields, page: int = 0, line: int = 0) -> StoredFields:
    return {
        label: [
            [_clean(part.text), round(part.confidence, 4), page + 1, line + part.line + 1]
            for part in parts
        ]
        for label, parts in found.fields.items()
    }


def _stored_facts(paper: Paper) -> StoredFields:
    """Return what the evidence says, by the names of fields; page and line 0 are not printed."""
    return {
        name: [
            [
                _clean(fact.value),
                round(fact.confidence, 4),
                0 if (page := fact.evidence[0].page) is None else page + 1,
                0 if (line := fact.evidence[0].line) is None else line + 1,
            ]
        ]
        for name, fact in paper.facts.items()
    }


def _date(paper: Paper) -> str:
    """Return the printed date of the header if it is of the year of publication, else the year."""
    printed = parse_printed_date(paper.header.text("date"))
    year = str(paper.year or "")
    return printed if printed.startswith(year) else year


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def fields_of(
    parts: Mapping[str, list[tuple[str, float, int, int]]],
) -> dict[str, tuple[FieldSpan, ...]]:
    """Return stored fields as `Header` and `Reference` take them.

    >>> from lycosa.papers.extraction.fields import Header
    >>> header = Header(fields_of({"title": [("Web spiders", 0.9, 1, 1)]}))
    >>> header.title, header.confidence("title")
    ('Web spiders', 0.9)
    """
    return {
        label: tuple(
            FieldSpan(text, confidence, 0, text.count(" ") + text.count("\n") + 1, line, line)
            for text, confidence, _, line in some
        )
        for label, some in parts.items()
    }


def _clean(text: str) -> str:
    """Return a text that any database accepts: no lone surrogates, no zeros, not too long."""
    text = text[:MAX_TEXT_CHARACTERS]
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def _language(converted: Conversion, sections: Sections | None, declared: str = "") -> str:
    """Return the language of a document without its references, which are in many languages.

    `sections` are None if it has none. Where next to nothing is left, the document is a list.
    """
    text = ""
    if sections is not None:
        text = " ".join([line.text for line in (*sections.header, *sections.body)])
    if len(text) < MIN_BODY_SHARE * sum(len(line.text) for line in converted.lines):
        text = converted.text
    return detect_language(words(" ".join(_samples(text))), declared)


def _samples(text: str) -> list[str]:
    """Return parts of a text; the first pages of many a book are in another language."""
    if len(text) <= LANGUAGE_CHARACTERS:
        return [text]
    size = LANGUAGE_CHARACTERS // LANGUAGE_SAMPLES
    step = len(text) // LANGUAGE_SAMPLES
    return [text[n * step : n * step + size] for n in range(LANGUAGE_SAMPLES)]
