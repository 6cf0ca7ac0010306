"""The words of a PDF page with position, size and style.

PDFium gives characters one by one (`lycosa.documents.pdfium_text`). Only the positions of the
first and the last character of a word are looked up, and the style once for each text object
of the file, which is several times as fast as looking up every character.
"""

from __future__ import annotations

import ctypes
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from lycosa.documents.columns import PositionedWord
from lycosa.documents.pdfium_text import Face, TextPage

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


class _Style(NamedTuple):
    size: float
    bold: bool
    italic: bool
    turn: int = 0
    """Rotation in quarter turns, counter-clockwise."""
    font: int = 0


_WordBox: TypeAlias = tuple[str, _Style, float, float, float, float, float]


def page_words(text_page: Any, split_marks: bool = False) -> list[list[PositionedWord]]:
    """Return the words of a page in the order of the file: a list for each direction of text.

    The direction that most words have comes first; there is always one list. With
    `split_marks`, a raised letter behind a name is a word of its own.
    """
    found = _word_boxes(text_page.raw, split_marks)
    turns = Counter([style.turn for _, style, *_ in found])
    heights: dict[int, float] = defaultdict(float)
    for _, style, *_, height in found:
        if style.size < _MIN_FONT_SIZE:
            heights[style.font] = max(heights[style.font], height)
    return [
        [
            PositionedWord(
                word,
                *(_rotate(x, y, right, top, turn) if turn else (x, right, y)),
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


def _text(handle: Any, characters: TextPage) -> str:
    """Return all characters of a page, each at the index that PDFium has it at."""
    from pypdfium2 import raw

    count = max(raw.FPDFText_CountChars(handle), 0)
    buffer = (ctypes.c_ushort * (count + 1))()
    raw.FPDFText_GetText(handle, 0, count, buffer)
    text = bytes(buffer).decode("utf-16-le", "surrogatepass")[:-1]
    if len(text) == count and "\0" not in text:
        return text.replace("\ufffe", "\x02")  # the mark of a hyphenated word, as above
    # Characters that PDFium does not know, or that take two code units, have shifted the rest.
    codes = characters.unicodes()
    return "".join([chr(n) if n <= sys.maxunicode else " " for n in codes])


def _word_boxes(handle: Any, split_marks: bool) -> list[_WordBox]:
    """Return words with their style, the origin of the first letter and the end of the last."""
    characters = TextPage(handle)
    styles = _Styles(characters)
    text = _text(handle, characters)
    spans = [match.span() for match in islice(_WORD.finditer(text), MAX_WORDS_PER_PAGE)]
    if split_marks:
        spans = _split_marks(text, spans, characters, styles)
    firsts = [first for first, _ in spans]
    lasts = [
        max(stop - 2, first) if text[stop - 1] == "\x02" else stop - 1 for first, stop in spans
    ]
    # What begins without a letter may be a footnote mark, which stands higher than the word.
    middles = [
        first if text[first].isalpha() else (first + last + 1) // 2
        for first, last in zip(firsts, lasts, strict=True)
    ]
    boxes = characters.boxes(firsts, middles, lasts)
    known = styles.read([box[0] for box in boxes if box])
    has_codes = any(chr(code) in text for code in _LIGATURE_CODES)
    found: list[_WordBox] = []
    for (first, stop), box in zip(spans, boxes, strict=True):
        if not box:
            continue
        address, begin, height, end, high, bottom = box
        style = known[address]
        # NaN fails this comparison, too.
        if style.size > 0 and abs(begin) + abs(height) + abs(end) + abs(high) < _MAX_COORDINATE:
            word = text[first:stop]
            if has_codes:
                word = word.translate(_LIGATURE_CODES)
            found.append((word, style, begin, height, end, high, high - bottom))
    return found


def _split_marks(
    text: str, spans: Iterable[tuple[int, int]], characters: TextPage, styles: _Styles
) -> list[tuple[int, int]]:
    """Return the ranges of words, those of capitalised ones without the raised letters behind."""
    found: list[tuple[int, int]] = []
    for first, stop in spans:
        found.append((first, stop))
        if stop - first < 3 or not _MARKED.match(text, first, stop):
            continue
        objects = characters.text_objects(range(first, stop))
        if objects[0] and any(address != objects[0] for address in objects):
            mark = _mark_of(objects, styles)
            if mark > 1:  # a small second letter follows a large initial
                ground, height = characters.baselines((first, first + mark))
                size = styles.read(objects[:1])[objects[0]].size
                if height - ground > _MIN_MARK_RISE * size and text[first + mark].islower():
                    found[-1:] = [(first, first + mark), (first + mark, stop)]
    return found


def _mark_of(objects: Sequence[int], styles: _Styles) -> int:
    """Return the first letter that is much smaller than the first of its word; 0 if none is."""
    known = styles.read([address for address in objects if address])
    largest = _MAX_MARK_SIZE * known[objects[0]].size
    smaller = (k for k, address in enumerate(objects) if address and known[address].size < largest)
    return next(smaller, 0)


class _Styles:
    """The styles of the text objects of a page by their addresses; a font is looked at once."""

    def __init__(self, characters: TextPage) -> None:
        self._characters = characters
        self._known: dict[int, _Style] = {}
        self._by_face: dict[Face | None, _Style] = {None: _Style(0.0, False, False)}
        self._fonts: dict[int, tuple[bool, bool]] = {}

    def read(self, addresses: Iterable[int]) -> Mapping[int, _Style]:
        """Return the styles of at least these text objects."""
        new = [address for address in dict.fromkeys(addresses) if address not in self._known]
        for address, face in zip(new, self._characters.faces(new), strict=True):
            if face is not None and face not in self._by_face:
                self._by_face[face] = self._of(*face)
            self._known[address] = self._by_face[face]
        return self._known

    def _of(self, size: float, a: float, b: float, c: float, d: float, font: int) -> _Style:
        points = abs(size) * math.hypot(c, d)
        if not points < _MAX_COORDINATE:
            return _Style(0.0, False, False)
        if font not in self._fonts:
            self._fonts[font] = _face(font)
        slope = math.atan2(b, a)
        turn = round(slope / (math.pi / 2)) % 4 if math.isfinite(slope) else 0
        return _Style(points, *self._fonts[font], turn, font)


def _face(address: int) -> tuple[bool, bool]:
    """Return whether a font is bold and whether it is italic, by its name or its flags."""
    from pypdfium2 import raw

    font = ctypes.cast(address, raw.FPDF_FONT)
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
