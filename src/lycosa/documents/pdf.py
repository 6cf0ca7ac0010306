"""PDF reader: the lines of a document with position, size and style, by PDFium.

The words of each page (`lycosa.documents.pdf_words`) become lines in reading order
(`lycosa.documents.layout`); pages without text are recognised (`lycosa.documents.scans`).
"""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

from lycosa.documents.columns import PositionedWord
from lycosa.documents.layout import TextLine, document_lines
from lycosa.documents.pdf_words import page_words
from lycosa.documents.pdfium_text import TextPage
from lycosa.documents.scans import NoTesseract, is_scan, recognise_pages
from lycosa.documents.unicode_maps import add_unicode_maps

INFORMATION = ("Title", "Author", "Subject", "Keywords", "CreationDate")
"""The entries of a PDF's information dictionary that are read."""
MAX_INFORMATION_CHARACTERS = 1_000
"""Of one entry; some programs write the abstract there."""
SAMPLED_CHARACTERS = 150
"""Of a page, which are asked for their Unicode value; each question takes half a microsecond."""
MAX_UNMAPPED_SHARE = 0.02
"""Of the characters of a document; with more, the glyph names of its fonts are looked at."""
MIN_SCANNED_SHARE = 0.5
"""Of the pages of a document, from which on scanned pages are recognised; fewer are figures."""
STAMPED_PAGES = 2
"""First pages whose rotated words are read: archives print a stamp along the margin."""

_log = logging.getLogger("lycosa.documents")


class UnreadablePdf(Exception):
    """A PDF that cannot be opened, or none of whose pages can be read.

    `outcome` is `encrypted`, `damaged`, or `scanned` where Tesseract is not installed.
    """

    def __init__(self, outcome: str) -> None:
        super().__init__(outcome)
        self.outcome = outcome


class PdfText(NamedTuple):
    """The text of a PDF.

    `lines` are those of the pages that were read, `pages` counts all pages. `stamps` are the
    lines of the first pages that run in another direction than the text. `information` has
    the entries of the information dictionary that are not empty.
    """

    lines: list[TextLine]
    pages: int
    stamps: list[TextLine]
    information: dict[str, str]


def read_pdf(body: bytes, first: int, last: int) -> PdfText:
    """Read the text of the first and the last pages of a PDF.

    Where many characters have no Unicode value, fonts get one from their glyph names.
    """
    found, unmapped = _read(body, first, last)
    if unmapped > MAX_UNMAPPED_SHARE and (mapped := add_unicode_maps(body)):
        try:
            again, _ = _read(mapped, first, last)
        except UnreadablePdf:
            _log.debug("A PDF is damaged by the Unicode maps of its fonts.", exc_info=True)
        else:
            return again
    return found


def _read(body: bytes, first: int, last: int) -> tuple[PdfText, float]:
    """Return the text of a PDF, and the share of its characters without a Unicode value."""
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        raise UnreadablePdf(_open_outcome(error)) from error
    count = len(document)
    pages: dict[int, list[PositionedWord]] = {}
    stamps: list[TextLine] = []
    broken: Exception | None = None
    sampled = unmapped = 0
    scanned: list[int] = []
    for number in page_numbers(count, first, last):
        try:
            page = document[number]
            text_page = page.get_textpage()
            characters, errors = _sample_errors(text_page.raw)
            sampled, unmapped = sampled + characters, unmapped + errors
            # The marks of authors stand on the first pages; elsewhere indices are left alone.
            pages[number], *others = page_words(text_page, number < STAMPED_PAGES)
            if is_scan(page, pages[number]):
                scanned.append(number)
            if number < STAMPED_PAGES:
                stamps += [line for words in others for line in document_lines({number: words})]
            text_page.close()
            page.close()
        except pdfium.PdfiumError as error:
            broken = error
    if not pages:
        raise UnreadablePdf("damaged") from broken
    if len(scanned) >= MIN_SCANNED_SHARE * len(pages):
        pages |= _recognised(document, scanned, has_text=len(scanned) < len(pages))
    found = PdfText(document_lines(pages), count, stamps, _information(document))
    return found, unmapped / max(sampled, 1)


def _recognised(
    document: Any, scanned: list[int], *, has_text: bool
) -> dict[int, list[PositionedWord]]:
    """Return the words of scanned pages; none without Tesseract if other pages have text."""
    try:
        return recognise_pages(document, scanned)
    except NoTesseract as error:
        if has_text:
            return {}
        raise UnreadablePdf("scanned") from error


def _sample_errors(handle: Any) -> tuple[int, int]:
    """Return how many characters of a page were looked at, and how many have no Unicode value."""
    from pypdfium2 import raw

    count = max(raw.FPDFText_CountChars(handle), 0)
    step = max(count // SAMPLED_CHARACTERS, 1)
    return len(range(0, count, step)), TextPage(handle).map_errors(step)


def _information(document: Any) -> dict[str, str]:
    entries = {name: document.get_metadata_value(name) for name in INFORMATION}
    return {name: text[:MAX_INFORMATION_CHARACTERS] for name, text in entries.items() if text}


def page_numbers(count: int, first: int, last: int) -> list[int]:
    """Return the numbers of the `first` and the `last` of `count` pages.

    >>> page_numbers(9, 2, 1), page_numbers(3, 2, 2)
    ([0, 1, 8], [0, 1, 2])
    """
    ends = (*range(min(first, count)), *range(max(count - last, 0), count))
    return list(dict.fromkeys(ends))


def _open_outcome(error: Exception) -> str:
    from pypdfium2.raw import FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY

    locked = getattr(error, "err_code", None) in (FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY)
    return "encrypted" if locked else "damaged"
