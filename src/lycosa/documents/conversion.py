r"""Conversion of documents to lines of text with their layout.

PDF, PostScript, HTML and plain text are read, each as it is or compressed by
gzip. The bytes are untrusted, so a `DocumentWorker` reads them: whatever they
are, the result is a `Conversion` with a named outcome.

>>> with Converter() as converter:
...     converter.convert(b"Web spiders\nAnn Lee", "text/plain").lines[1].text
'Ann Lee'
"""

from __future__ import annotations

import json
import logging
import traceback
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lycosa.documents.characters import repair_characters
from lycosa.documents.formats import (
    gunzip,
    is_binary,
    is_gzip,
    is_html,
    is_pdf,
    is_postscript,
)
from lycosa.documents.layout import TextLine, join_lines, line_vocabulary, remove_running_heads
from lycosa.documents.pdf import UnreadablePdf, read_pdf
from lycosa.documents.plain_text import plain_lines
from lycosa.documents.postscript import NoGhostscript, to_pdf
from lycosa.documents.worker import DocumentWorker, ReaderResult
from lycosa.errors import UsageError
from lycosa.web.decoding import decode, media_type

CONVERTER_VERSION = 4
"""Raised whenever the same bytes give other lines, so that no stored conversion is stale."""

MARGIN_PAGES = 4
"""First pages of which the lines outside the text are kept."""
MAX_MARGIN_LINES = 60
"""Lines outside the text that are kept."""

_log = logging.getLogger("lycosa.documents")
_STORED_OUTCOMES = ("text", "no-text", "encrypted")


@dataclass(frozen=True)
class Conversion:
    """The lines of a document in reading order; none unless the outcome is `text`."""

    lines: tuple[TextLine, ...]
    outcome: str
    """`text`, or the name of what prevented the conversion, such as `damaged`."""
    pages: int = 0
    """How many pages the document has, read or not."""
    margin: tuple[TextLine, ...] = ()
    """Lines of the first pages outside the text: running heads, page numbers, rotated stamps."""
    information: Mapping[str, str] = field(default_factory=dict)
    """What the file says about itself: the entries `pdf.INFORMATION` of a PDF."""

    @property
    def text(self) -> str:
        """The text as one string; words hyphenated at a line end are joined."""
        return self._text

    @property
    def vocabulary(self) -> frozenset[str]:
        """The words inside the lines, by which hyphenated words are joined."""
        return self._vocabulary

    @cached_property
    def _text(self) -> str:
        return join_lines(self.lines, self.vocabulary)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return line_vocabulary(self.lines)

    @property
    def is_final(self) -> bool:
        """Whether another attempt would give the same: time and memory limits may not recur."""
        return self.outcome in _STORED_OUTCOMES

    def to_bytes(self) -> bytes:
        """Serialise, compressed."""
        rows = [self.outcome, self.pages, self.lines, self.margin, dict(self.information)]
        return zlib.compress(json.dumps(rows, separators=(",", ":")).encode(), 6)

    @classmethod
    def from_bytes(cls, data: bytes) -> Conversion | None:
        """Return the conversion that `to_bytes` serialised; None if the data is damaged.

        >>> lines = (TextLine("Web spiders", size=12.0, bold=True),)
        >>> Conversion.from_bytes(Conversion(lines, "text", 1).to_bytes()).lines == lines
        True
        """
        try:
            outcome, pages, *content = json.loads(zlib.decompress(data))
            return cls(_lines(content[0]), str(outcome), int(pages), *_surroundings(*content[1:]))
        except (zlib.error, ValueError, TypeError, IndexError):
            _log.debug("A stored conversion is damaged.", exc_info=True)
            return None


def conversion_key(body: bytes, type: str) -> str:
    """Return the key under which the conversion of a body is stored.

    It has the version of the converter, the MIME type and the digest of the
    body: all that the lines depend on, with the default limits.

    >>> conversion_key(b"", "Application/PDF; x=y")[:30]
    '4:application/pdf:e3b0c44298fc'
    """
    return f"{CONVERTER_VERSION}:{media_type(type)}:{sha256(body).hexdigest()}"


class Converter(DocumentWorker):
    """Converts documents one after the other in a subprocess.

    The limits are those of `DocumentWorker`; it may be used from any thread.
    """

    def convert(self, body: bytes, type: str = "") -> Conversion:
        """Convert a body of this MIME type; no content of a body makes this raise."""
        result = self.read(body, type)
        if result.outcome != "text":
            return Conversion((), result.outcome)
        pages, rows, *surroundings = json.loads(result.content)
        return Conversion(_lines(rows), "text", pages, *_surroundings(*surroundings))

    def convert_file(self, path: Path | str) -> Conversion:
        """Convert a file."""
        try:
            body = Path(path).read_bytes()
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
        return self.convert(body)


def read_document(body: bytes, kind: str, first: int, last: int, size: int) -> ReaderResult:
    """Return the lines of a body as JSON: the reader that the subprocess of `Converter` calls.

    `kind` is its MIME type; the other parameters are those of a `DocumentReader`.
    """
    if is_gzip(body):
        kind = ""  # it was that of the gzip file, of which only one layer is removed
        try:
            body = gunzip(body, size)
        except zlib.error:
            return _failure("damaged")
    whole = True
    if is_postscript(body):
        try:
            body, whole = to_pdf(body, size)
        except NoGhostscript:
            return _failure("no-ghostscript")
        kind = "application/pdf"
    if is_pdf(body, kind):
        try:
            found = read_pdf(body, first, last)
        except UnreadablePdf as error:
            return _failure(error.outcome if whole else "damaged")
        result = _result(found.lines, found.pages, found.stamps, found.information)
        return result if result.content or whole else ReaderResult(b"", "damaged")
    if is_binary(body):
        return ReaderResult(b"", "no-text")
    text = decode(body, kind)
    if is_html(body, kind):
        # Imported here: with all that it needs, that takes as long as everything else, and
        # most documents are PDFs.
        from lycosa.documents.html import html_lines

        lines = html_lines(text)
    else:
        lines = plain_lines(text)
    return _result(lines, 1 + max((line.page for line in lines), default=0))


def _failure(outcome: str) -> ReaderResult:
    """Return an outcome with the traceback of the exception that is being handled."""
    return ReaderResult(b"", outcome, traceback.format_exc())


def _result(
    lines: Sequence[TextLine],
    pages: int,
    stamps: Sequence[TextLine] = (),
    information: Mapping[str, str] = MappingProxyType({}),
) -> ReaderResult:
    every = _repaired(lines)
    rows = remove_running_heads(every)
    if not rows:
        return ReaderResult(b"", "no-text")
    kept = set(map(id, rows))
    heads = [line for line in every if line.page < MARGIN_PAGES and id(line) not in kept]
    margin = [*_repaired(stamps), *heads][:MAX_MARGIN_LINES]
    said = {name: repair_characters(text) for name, text in information.items()}
    return ReaderResult(json.dumps([pages, rows, margin, said]).encode(), "text")


def _repaired(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return lines with their characters repaired, without those that have none."""
    repaired = ((line, repair_characters(line.text)) for line in lines)
    return [line._replace(text=text) for line, text in repaired if text]


def _lines(rows: Sequence[Sequence[Any]]) -> tuple[TextLine, ...]:
    return tuple(TextLine(*row) for row in rows)


def _surroundings(
    margin: Sequence[Sequence[Any]], information: Mapping[str, str]
) -> tuple[tuple[TextLine, ...], dict[str, str]]:
    return _lines(margin), dict(information)
