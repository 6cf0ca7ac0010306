"""The words of a PDF, each with its place on the page, its size and its style.

PDFium gives characters one by one. Only the first and the last of a word are
asked where they stand, and style is looked up once for each piece of text that
the file sets in one go, which makes it several times as fast as asking all.
"""

from __future__ import annotations

import ctypes
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

MOST_WORDS = 6_000
"""Words of a page that are read: a map may have any number of them, prose has not."""

# Where the fonts of TeX have ligatures, in the old encoding and in the new one, Python sees
# white space; a file need not say what they mean. PDFium marks a cut word with \x02.
_WORD = re.compile(r"(?:[^\s\x02]|[\x0b\x0c\x0e\x0f\x1b-\x1f])+\x02?")
_CODES = str.maketrans(
    {
        "\x0b": "ff", "\x0c": "fi", "\x0e": "ffi", "\x0f": "ffl", "\x1b": "ff", "\x1c": "fi",
        "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl", "\x7f": "-", "\x02": "-",
    }
)  # fmt: skip
_BOLD = re.compile(r"bold|black|heavy|demi|cmbx|cmb\d|cmssbx|medi(?!um)|\.b$|-b$", re.IGNORECASE)
_ITALIC = re.compile(r"italic|oblique|slanted|cmti|cmsl|cmmi|ital\b|-it$", re.IGNORECASE)
_NAME = 128  # bytes of a font's name that tell bold from italic
_SMALLEST = 2.0  # points; a font that claims less counts in units of its own
_HEIGHT = 0.7  # of the size: how high the highest letters are
_FARTHEST = 20_000.0  # points; no page may be larger, whatever a file says


class Word(NamedTuple):
    """A word from `x` to `end` on the baseline `y`, in points; y grows upwards."""

    text: str
    x: float
    end: float
    y: float
    size: float
    bold: bool
    italic: bool


class _Style(NamedTuple):
    size: float
    bold: bool
    italic: bool
    turn: int = 0
    """Quarter turns to the left."""
    font: int = 0


_Place: TypeAlias = tuple[str, _Style, float, float, float, float, float]


def words(page: Any) -> list[Word]:
    """The words of a page in the order of the file, those that run in its main direction."""
    from pypdfium2 import raw

    text_page = page.get_textpage()
    handle = text_page.raw
    found = list(_placed(_text(handle, raw), handle, raw))
    text_page.close()
    turns = Counter(style.turn for _, style, *_ in found)
    main = turns.most_common(1)[0][0] if turns else 0
    heights: dict[int, float] = defaultdict(float)
    for _, style, *_, height in found:
        heights[style.font] = max(heights[style.font], height)
    return [
        Word(
            word,
            *_turned(x, y, right, top, main),
            style.size if style.size >= _SMALLEST else heights[style.font] / _HEIGHT,
            style.bold,
            style.italic,
        )
        for word, style, x, y, right, top, _ in found
        if style.turn == main
    ]


def _text(handle: Any, raw: Any) -> str:
    """All characters of a page, so that each has the number that PDFium knows it by."""
    count = max(raw.FPDFText_CountChars(handle), 0)
    buffer = (ctypes.c_ushort * (count + 1))()
    raw.FPDFText_GetText(handle, 0, count, buffer)
    text = bytes(buffer).decode("utf-16-le", "surrogatepass")[:-1]
    if len(text) == count and "\0" not in text:
        return text.replace("\ufffe", "\x02")  # the mark of a cut word, as numbers have it
    # Characters that PDFium does not know, or that take two places, have shifted the others.
    codes = [raw.FPDFText_GetUnicode(handle, k) for k in range(count)]
    return "".join([chr(n) if n <= sys.maxunicode else " " for n in codes])


def _placed(text: str, handle: Any, raw: Any) -> Iterator[_Place]:
    """Words with their style, where the first letter begins and where the last ends."""
    x, y, left, right, bottom, top = (ctypes.c_double() for _ in range(6))
    origin = ctypes.byref(x), ctypes.byref(y)
    box = ctypes.byref(left), ctypes.byref(right), ctypes.byref(bottom), ctypes.byref(top)
    styles: dict[int, _Style] = {}
    fonts: dict[int, tuple[bool, bool]] = {}
    for n, match in enumerate(_WORD.finditer(text)):
        if n == MOST_WORDS:
            return
        first, last = match.start(), match.end() - 1
        if text[last] == "\x02" and last > first:
            last -= 1
        if not raw.FPDFText_GetCharOrigin(handle, first, *origin):
            continue
        begin = x.value
        middle = first
        if last > first and not text[first].isalpha():
            # A mark of a footnote, maybe, which stands higher than the word.
            middle = (first + last + 1) // 2
            raw.FPDFText_GetCharOrigin(handle, middle, *origin)
        piece = raw.FPDFText_GetTextObject(handle, middle)
        if not piece or not raw.FPDFText_GetCharBox(handle, last, *box):
            continue
        address = ctypes.addressof(piece.contents)
        style = styles.get(address)
        if style is None:
            style = styles[address] = _style(piece, fonts, raw)
        height, end, high = y.value, right.value, top.value
        # What is not a number fails such a comparison, too.
        if style.size > 0 and abs(begin) + abs(height) + abs(end) + abs(high) < _FARTHEST:
            yield match[0].translate(_CODES), style, begin, height, end, high, high - bottom.value


def _style(piece: Any, fonts: dict[int, tuple[bool, bool]], raw: Any) -> _Style:
    size = ctypes.c_float()
    matrix = raw.FS_MATRIX()
    known = raw.FPDFTextObj_GetFontSize(piece, ctypes.byref(size))
    known = known and raw.FPDFPageObj_GetMatrix(piece, ctypes.byref(matrix))
    font = raw.FPDFTextObj_GetFont(piece)
    points = abs(size.value) * math.hypot(matrix.c, matrix.d)
    if not (known and font and points < _FARTHEST):
        return _Style(0.0, False, False)
    address = ctypes.addressof(font.contents)
    if address not in fonts:
        fonts[address] = _face(font, raw)
    slope = math.atan2(matrix.b, matrix.a)
    turn = round(slope / (math.pi / 2)) % 4 if math.isfinite(slope) else 0
    return _Style(points, *fonts[address], turn, address)


def _face(font: Any, raw: Any) -> tuple[bool, bool]:
    """Whether a font is bold, and whether it is italic: its name says so, or its flags do."""
    buffer = ctypes.create_string_buffer(_NAME)
    raw.FPDFFont_GetBaseFontName(font, buffer, _NAME)
    name = buffer.raw.partition(b"\0")[0].decode("ascii", "replace")
    flags = max(raw.FPDFFont_GetFlags(font), 0)
    forced, slanted = 1 << 18, 1 << 6
    return (
        bool(_BOLD.search(name) or flags & forced),
        bool(_ITALIC.search(name) or flags & slanted),
    )


def _turned(x: float, y: float, right: float, top: float, turn: int) -> tuple[float, float, float]:
    """Where a word begins, ends and stands, seen so that its page can be read."""
    match turn:
        case 0:
            return x, right, y
        case 1:
            return y, top, -x
        case 2:
            return -x, -right, -y
    return -y, -top, x
