r"""Files to lines: PDF, PostScript, HTML and plain text, each as it is or in gzip.

The bytes come from strangers, so they are read in the worker process of
`lycosa.documents.plain_text`: whatever they hold, the result is a `Conversion` with a
named outcome. Lines come back as JSON.

>>> with Converter() as converter:
...     converter.convert(b"Web spiders\nAnn Lee", "text/plain").lines[1].text
'Ann Lee'
"""

from __future__ import annotations

import json
import re
import unicodedata
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lycosa.documents.ghostscript import NoGhostscript, is_postscript, to_pdf
from lycosa.documents.layout import (
    TextLine,
    document_lines,
    joined,
    vocabulary,
    without_running_heads,
)
from lycosa.documents.markup import html_lines, is_html, plain_lines
from lycosa.documents.pdfium import Word, words
from lycosa.documents.plain_text import Document, Documents, chosen, fault, is_pdf, unpacked
from lycosa.errors import UsageError
from lycosa.web.decoding import decode

_LIGATURES = str.maketrans(
    {
        "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl",
        "\ufb05": "st", "\ufb06": "st", "\xad": "-", "\u2010": "-", "\u2011": "-", "\xa0": " ",
    }
)  # fmt: skip
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")
_ACCENTS = {
    "\xb4": "\u0301", "`": "\u0300", "\xa8": "\u0308", "\u02c6": "\u0302", "\u02dc": "\u0303",
    "\u02c7": "\u030c", "\u02d8": "\u0306", "\u02da": "\u030a", "\u02d9": "\u0307",
    "\u02dd": "\u030b", "\xb8": "\u0327",
}  # fmt: skip
# TeX prints an accent first and the letter over it.
_ACCENTED = re.compile(r"([\xb4\xa8\u02c6\u02dc\u02c7\u02d8\u02da\u02d9\u02dd]|(?<=\w)`)([^\W\d_])")
# PDFium may set them apart, within a word or, if it lost the place, between words.
_APART = re.compile(r"(?<=[^\W\d_]) ([\xb4\xa8\u02c6\u02dc\u02c7\u02d8\u02da]) (?=[a-z])")
_STRAY = re.compile(r"(?:^| )[\xb4\xa8\u02c6\u02dc\u02c7\u02d8\u02da](?= |$)")
_CEDILLA = re.compile(r"([cstCST])\xb8|\xb8([cstCST])")
_DOTLESS = str.maketrans("\u0131\u0237", "ij")


@dataclass(frozen=True, slots=True)
class Conversion:
    """The lines of a document in reading order; none unless the outcome is `text`."""

    lines: tuple[TextLine, ...]
    outcome: str
    pages: int = 0
    """How many pages it has, read or not."""

    @property
    def text(self) -> str:
        """All of its text as one; words cut at the end of a line are whole."""
        return joined(self.lines, vocabulary(self.lines))


class Converter(Documents):
    """Turns files into lines, one after the other, in a worker process.

    The limits are those of `Documents`; it may be used from any thread.
    """

    READER = f"{__name__}:read"

    def convert(self, body: bytes, type: str = "") -> Conversion:
        """The lines of a body of this MIME type; nothing that it may hold makes this raise."""
        found = self.text(body, type)
        if found.outcome != "text":
            return Conversion((), found.outcome)
        pages, rows = json.loads(found.text)
        return Conversion(tuple(TextLine(*row) for row in rows), "text", pages)

    def file(self, path: Path | str) -> Conversion:
        """The lines of a file."""
        try:
            body = Path(path).read_bytes()
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
        return self.convert(body)


def read(body: bytes, kind: str, first: int, last: int, size: int) -> Document:
    """The lines of a body as JSON, in this very process: what the worker does."""
    if body.startswith(b"\x1f\x8b"):
        kind = ""  # that of the wrapping; and only one is taken off, or there were no end
        try:
            body = unpacked(body, size)
        except zlib.error:
            return Document("", "damaged")
    if is_postscript(body):
        try:
            body, whole = to_pdf(body, size)
        except NoGhostscript:
            return Document("", "no-ghostscript")
        found = _pdf(body, first, last)
        return found if found.text or whole else Document("", "damaged")
    if is_pdf(body, kind):
        return _pdf(body, first, last)
    if b"\0" in body[:1024]:
        return Document("", "no-text")
    if is_html(body, kind):
        lines = html_lines(decode(body, kind))
    else:
        lines = plain_lines(decode(body, kind))
    return _document(lines, 1 + max((line.page for line in lines), default=0))


def _pdf(body: bytes, first: int, last: int) -> Document:
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        return Document("", fault(error))
    count = len(document)
    pages: dict[int, list[Word]] = {}
    for number in chosen(count, first, last):
        with suppress(pdfium.PdfiumError):
            page = document[number]
            pages[number] = words(page)
            page.close()
    return _document(document_lines(pages), count) if pages else Document("", "damaged")


def _document(lines: list[TextLine], pages: int) -> Document:
    clean = [line._replace(text=text) for line in lines if (text := spelled(line.text))]
    rows = without_running_heads(clean)
    return Document(json.dumps([pages, rows]), "text") if rows else Document("", "no-text")


def spelled(text: str) -> str:
    r"""A text with its ligatures spelled out, its accents on their letters, nothing unprintable.

    >>> spelled("e\ufb03cient Poincar\xb4e \x01 na\xa8\u0131ve")
    'efficient Poincaré naïve'
    """
    if text.isascii() and text.isprintable() and "`" not in text:
        return text.strip()
    text = _STRAY.sub("", _APART.sub(r"\1", text.translate(_LIGATURES)))
    text = _ACCENTED.sub(_composed, text)
    text = _CEDILLA.sub(lambda m: _with("\xb8", m[1] or m[2]), text)
    return " ".join(_CONTROL.sub(" ", text).split())


def _composed(match: re.Match[str]) -> str:
    return _with(match[1], match[2])


def _with(accent: str, letter: str) -> str:
    whole = unicodedata.normalize("NFC", letter.translate(_DOTLESS) + _ACCENTS[accent])
    return whole if len(whole) == 1 else accent + letter
