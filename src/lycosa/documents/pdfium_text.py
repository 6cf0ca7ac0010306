"""Reader of the characters of a page by PDFium, many of them at a time.

PDFium is called for each character or text object. A call from Python takes ten times as
long as what it does, so where Lycosa is compiled (`lycosa.compiled`), `pdfium_text.pyx` takes
the place of this module: the same class, whose loops are in C.

>>> import pypdfium2
>>> document = pypdfium2.PdfDocument.new()
>>> page = TextPage(document.new_page(200, 100).get_textpage().raw)
>>> page.unicodes(), page.boxes([], [], [])
([], [])
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

Box: TypeAlias = tuple[int, float, float, float, float, float]
"""The address of a text object, and where a word is: start, baseline, end, top and bottom."""
Face: TypeAlias = tuple[float, float, float, float, float, int]
"""The font size of a text object, the first four entries of its matrix, and its font's address."""

_POINTER, _INT = ctypes.c_void_p, ctypes.c_int


class _Functions(NamedTuple):
    """Functions of PDFium that take and return addresses as integers."""

    count: Callable[..., int]
    unicode: Callable[..., int]
    map_error: Callable[..., int]
    text_object: Callable[..., int | None]
    origin: Callable[..., int]
    box: Callable[..., int]
    size: Callable[..., int]
    matrix: Callable[..., int]
    font: Callable[..., int | None]


class TextPage:
    """The characters of a page; `handle` is a pointer to an `FPDF_TEXTPAGE`, which stays open."""

    def __init__(self, handle: Any) -> None:
        self._page = ctypes.cast(handle, _POINTER).value
        self._call = _functions()

    def unicodes(self) -> list[int]:
        """Return the code of each character."""
        unicode, page = self._call.unicode, self._page
        return [unicode(page, k) for k in range(self._call.count(page))]

    def map_errors(self, step: int) -> int:
        """Return how many of every `step`-th character have no Unicode value."""
        error, page = self._call.map_error, self._page
        return sum(error(page, k) == 1 for k in range(0, self._call.count(page), step))

    def text_objects(self, indices: Sequence[int]) -> list[int]:
        """Return the address of the text object that each of some characters is of, 0 if none."""
        text_object, page = self._call.text_object, self._page
        return [text_object(page, k) or 0 for k in indices]

    def baselines(self, indices: Sequence[int]) -> list[float]:
        """Return the baseline of some characters."""
        x, y = ctypes.c_double(), ctypes.c_double()
        places = ctypes.addressof(x), ctypes.addressof(y)
        found = []
        for k in indices:
            self._call.origin(self._page, k, *places)
            found.append(y.value)
        return found

    def boxes(
        self, firsts: Sequence[int], middles: Sequence[int], lasts: Sequence[int]
    ) -> list[Box | None]:
        """Return the boxes of words, given three of their characters each; None without one.

        A word begins at its first character and ends with its last. It has the text object and
        the baseline of the middle one, which may be the first.
        """
        x, y, left, right, bottom, top = (ctypes.c_double() for _ in range(6))
        place = tuple(map(ctypes.addressof, (x, y)))
        sides = tuple(map(ctypes.addressof, (left, right, bottom, top)))
        origin, box, page = self._call.origin, self._call.box, self._page
        found: list[Box | None] = []
        for first, middle, last in zip(firsts, middles, lasts, strict=True):
            if not origin(page, first, *place):
                found.append(None)
                continue
            begin = x.value
            if middle != first:
                origin(page, middle, *place)
            address = self._call.text_object(page, middle)
            if address and box(page, last, *sides):
                found.append((address, begin, y.value, right.value, top.value, bottom.value))
            else:
                found.append(None)
        return found

    def faces(self, addresses: Iterable[int]) -> list[Face | None]:
        """Return the size, matrix and font of text objects; None of one that has none of them."""
        size, matrix = ctypes.c_float(), (ctypes.c_float * 6)()
        references = ctypes.addressof(size), ctypes.addressof(matrix)
        found: list[Face | None] = []
        for address in addresses:
            known = self._call.size(address, references[0])
            known = known and self._call.matrix(address, references[1])
            font = self._call.font(address) if known else None
            a, b, c, d, _, _ = matrix
            found.append((size.value, a, b, c, d, font) if font else None)
        return found


@cache
def _functions() -> _Functions:
    """Return the functions of PDFium, which is loaded with the first page."""
    from pypdfium2 import raw

    def function(named: Any, result: Any, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(named, _POINTER).value or 0)

    return _Functions(
        function(raw.FPDFText_CountChars, _INT, _POINTER),
        function(raw.FPDFText_GetUnicode, ctypes.c_uint, _POINTER, _INT),
        function(raw.FPDFText_HasUnicodeMapError, _INT, _POINTER, _INT),
        function(raw.FPDFText_GetTextObject, _POINTER, _POINTER, _INT),
        function(raw.FPDFText_GetCharOrigin, _INT, _POINTER, _INT, *[_POINTER] * 2),
        function(raw.FPDFText_GetCharBox, _INT, _POINTER, _INT, *[_POINTER] * 4),
        function(raw.FPDFTextObj_GetFontSize, _INT, _POINTER, _POINTER),
        function(raw.FPDFPageObj_GetMatrix, _INT, _POINTER, _POINTER),
        function(raw.FPDFTextObj_GetFont, _POINTER, _POINTER),
    )
