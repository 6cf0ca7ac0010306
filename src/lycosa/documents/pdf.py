"""PDF reader: the words of each page with position, size and style, by PDFium.

PDFium gives characters one by one. Only the positions of the first and the last
character of a word are looked up, and the style once for each text object of
the file, which is several times as fast as looking up every character.
"""

from __future__ import annotations

import ctypes
import logging
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from lycosa.documents.columns import PositionedWord
from lycosa.documents.layout import TextLine, document_lines
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
MAX_WORDS_PER_PAGE = 6_000
"""Words of a page that are read: a map may have any number of them, a page of prose has not."""

# At the codes of ligatures in TeX's fonts, of the old encoding and the new one, Unicode has
# control characters, some of them white space, and a file need not say what they mean.
# PDFium marks a word hyphenated at a line end with \x02.
_WORD = re.compile(r"(?:[^\s\x02]|[\x0b\x0c\x0e\x0f\x1b-\x1f])+\x02?")
_LIGATURE_CODES = str.maketrans(
    {
        "\x0b": "ff", "\x0c": "fi", "\x0e": "ffi", "\x0f": "ffl", "\x1b": "ff", "\x1c": "fi",
        "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl", "\x7f": "-", "\x02": "-",
    }
)  # fmt: skip
# A capitalised word, and what may be marks of footnotes behind it.
_MARKED = re.compile(r"[^\W\d_a-z][^\W\d_]+(?:[-'\u2019][^\W\d_]+)*[^\w\s]*")
_MAX_MARK_SIZE = 0.8  # of a raised letter, as a share of the word before it
_MIN_MARK_RISE = 0.1  # of a raised letter above the baseline, as a share of the font size
_BOLD = re.compile(r"bold|black|heavy|demi|cmbx|cmb\d|cmssbx|medi(?!um)|\.b$|-b$", re.IGNORECASE)
_ITALIC = re.compile(r"italic|oblique|slanted|cmti|cmsl|cmmi|ital\b|-it$", re.IGNORECASE)
_FONT_NAME_BYTES = 128  # of a font's name that are searched for bold and italic
_MIN_FONT_SIZE = 2.0  # points; a font that claims less has another unit
_LETTER_HEIGHT = 0.7  # of the highest letters, as a share of the font size
_MAX_COORDINATE = 20_000.0  # points; no page is larger, whatever a file says


_log = logging.getLogger("lycosa.documents")


class _Style(NamedTuple):
    size: float
    bold: bool
    italic: bool
    turn: int = 0
    """Rotation in quarter turns, counter-clockwise."""
    font: int = 0


_WordBox: TypeAlias = tuple[str, _Style, float, float, float, float, float]


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
    some = range(0, count, max(count // SAMPLED_CHARACTERS, 1))
    return len(some), sum(raw.FPDFText_HasUnicodeMapError(handle, k) == 1 for k in some)


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


def page_words(text_page: Any, split_marks: bool = False) -> list[list[PositionedWord]]:
    """Return the words of a page in the order of the file: a list for each direction of text.

    The direction that most words have comes first; there is always one list. With
    `split_marks`, a raised letter behind a name is a word of its own.
    """
    from pypdfium2 import raw

    handle = text_page.raw
    found = list(_word_boxes(_text(handle, raw), handle, raw, split_marks))
    turns = Counter(style.turn for _, style, *_ in found)
    heights: dict[int, float] = defaultdict(float)
    for _, style, *_, height in found:
        heights[style.font] = max(heights[style.font], height)
    return [
        [
            PositionedWord(
                word,
                *_rotate(x, y, right, top, turn),
                style.size if style.size >= _MIN_FONT_SIZE else _letter_size(heights[style.font]),
                style.bold,
                style.italic,
            )
            for word, style, x, y, right, top, _ in found
            if style.turn == turn
        ]
        for turn, _ in turns.most_common()
    ] or [[]]


def _letter_size(height: float) -> float:
    return height / _LETTER_HEIGHT


def _text(handle: Any, raw: Any) -> str:
    """Return all characters of a page, each at the index that PDFium has it at."""
    count = max(raw.FPDFText_CountChars(handle), 0)
    buffer = (ctypes.c_ushort * (count + 1))()
    raw.FPDFText_GetText(handle, 0, count, buffer)
    text = bytes(buffer).decode("utf-16-le", "surrogatepass")[:-1]
    if len(text) == count and "\0" not in text:
        return text.replace("\ufffe", "\x02")  # the mark of a hyphenated word, as above
    # Characters that PDFium does not know, or that take two code units, have shifted the rest.
    codes = [raw.FPDFText_GetUnicode(handle, k) for k in range(count)]
    return "".join([chr(n) if n <= sys.maxunicode else " " for n in codes])


def _word_boxes(text: str, handle: Any, raw: Any, split_marks: bool) -> Iterator[_WordBox]:
    """Yield words with their style, the origin of the first letter and the end of the last."""
    x, y, left, right, bottom, top = (ctypes.c_double() for _ in range(6))
    origin = ctypes.byref(x), ctypes.byref(y)
    box = ctypes.byref(left), ctypes.byref(right), ctypes.byref(bottom), ctypes.byref(top)
    styles: dict[int, _Style] = {}
    read_style = _StyleReader(raw)
    object_of, origin_of = raw.FPDFText_GetTextObject, raw.FPDFText_GetCharOrigin

    def style_of(index: int) -> _Style | None:
        piece = object_of(handle, index)
        if not piece:
            return None
        address = ctypes.addressof(piece.contents)
        found = styles.get(address)
        if found is None:
            found = styles[address] = read_style(piece)
        return found

    def parts(first: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield the ranges of a word and of the raised letters behind it."""
        base = style_of(first) if _MARKED.match(text, first, stop) else None
        if base is None:
            yield first, stop
            return
        raw.FPDFText_GetCharOrigin(handle, first, *origin)
        ground = y.value
        for k in range(first + 1, stop):
            mark = style_of(k)
            if mark and mark.size < _MAX_MARK_SIZE * base.size:
                raw.FPDFText_GetCharOrigin(handle, k, *origin)
                is_raised = y.value - ground > _MIN_MARK_RISE * base.size
                # A small second letter follows a large initial.
                if is_raised and text[k].islower() and k > first + 1:
                    yield from ((first, k), (k, stop))
                    return
                break
        yield first, stop

    for n, match in enumerate(_WORD.finditer(text)):
        if n == MAX_WORDS_PER_PAGE:
            return
        for first, stop in parts(*match.span()) if split_marks else (match.span(),):
            last = stop - 1
            if text[last] == "\x02" and last > first:
                last -= 1
            if not origin_of(handle, first, *origin):
                continue
            begin = x.value
            middle = first
            if last > first and not text[first].isalpha():
                # It may be a footnote mark, which stands higher than the word.
                middle = (first + last + 1) // 2
                raw.FPDFText_GetCharOrigin(handle, middle, *origin)
            style = style_of(middle)
            if style is None or not raw.FPDFText_GetCharBox(handle, last, *box):
                continue
            height, end, high = y.value, right.value, top.value
            # NaN fails this comparison, too.
            if style.size > 0 and abs(begin) + abs(height) + abs(end) + abs(high) < _MAX_COORDINATE:
                word = text[first:stop]
                yield (
                    # The codes are not printable, which is faster to see than to replace them.
                    word if word.isprintable() else word.translate(_LIGATURE_CODES),
                    style,
                    begin,
                    height,
                    end,
                    high,
                    high - bottom.value,
                )


class _StyleReader:
    """Reads the styles of the text objects of a page; a font is looked at once."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._fonts: dict[int, tuple[bool, bool]] = {}
        # Filled by every call: to make them anew takes as long as to fill them.
        self._size, self._matrix = ctypes.c_float(), raw.FS_MATRIX()
        self._references = ctypes.byref(self._size), ctypes.byref(self._matrix)

    def __call__(self, piece: Any) -> _Style:
        raw, matrix = self._raw, self._matrix
        size_reference, matrix_reference = self._references
        known = raw.FPDFTextObj_GetFontSize(piece, size_reference)
        known = known and raw.FPDFPageObj_GetMatrix(piece, matrix_reference)
        font = raw.FPDFTextObj_GetFont(piece) if known else None
        points = abs(self._size.value) * math.hypot(matrix.c, matrix.d)
        if not (font and points < _MAX_COORDINATE):
            return _Style(0.0, False, False)
        address = ctypes.addressof(font.contents)
        if address not in self._fonts:
            self._fonts[address] = _face(font, raw)
        slope = math.atan2(matrix.b, matrix.a)
        turn = round(slope / (math.pi / 2)) % 4 if math.isfinite(slope) else 0
        return _Style(points, *self._fonts[address], turn, address)


def _face(font: Any, raw: Any) -> tuple[bool, bool]:
    """Return whether a font is bold and whether it is italic, by its name or its flags."""
    buffer = ctypes.create_string_buffer(_FONT_NAME_BYTES)
    raw.FPDFFont_GetBaseFontName(font, buffer, _FONT_NAME_BYTES)
    name = buffer.raw.partition(b"\0")[0].decode("ascii", "replace")
    flags = max(raw.FPDFFont_GetFlags(font), 0)
    forced, slanted = 1 << 18, 1 << 6
    return (
        bool(_BOLD.search(name) or flags & forced),
        bool(_ITALIC.search(name) or flags & slanted),
    )


def _rotate(x: float, y: float, right: float, top: float, turn: int) -> tuple[float, float, float]:
    """Return start, end and baseline of a word on a page rotated so that it can be read."""
    match turn:
        case 0:
            return x, right, y
        case 1:
            return y, top, -x
        case 2:
            return -x, -right, -y
    return -y, -top, x
