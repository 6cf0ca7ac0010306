# cython: language_level=3, boundscheck=False, wraparound=False
"""Reader of the characters of a page by PDFium: `pdfium_text.py` with its loops in C.

The functions of PDFium are called by their addresses, which ctypes knows, so that nothing is
linked with PDFium. The two modules are tested against each other.
"""

import ctypes

Box = tuple[int, float, float, float, float, float]
Face = tuple[float, float, float, float, float, int]

ctypedef int (*Count)(void *) noexcept
ctypedef unsigned int (*Unicode)(void *, int) noexcept
ctypedef int (*MapError)(void *, int) noexcept
ctypedef void *(*TextObject)(void *, int) noexcept
ctypedef int (*Origin)(void *, int, double *, double *) noexcept
ctypedef int (*CharBox)(void *, int, double *, double *, double *, double *) noexcept
ctypedef int (*Size)(void *, float *) noexcept
ctypedef int (*Matrix)(void *, float *) noexcept
ctypedef void *(*Font)(void *) noexcept


cdef size_t _address(object pointer) except? 0:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


cdef class TextPage:
    """The characters of a page; `handle` is a pointer to an `FPDF_TEXTPAGE`, which stays open."""

    cdef void *_page
    cdef Count _count
    cdef Unicode _unicode
    cdef MapError _map_error
    cdef TextObject _text_object
    cdef Origin _origin
    cdef CharBox _box
    cdef Size _size
    cdef Matrix _matrix
    cdef Font _font

    def __init__(self, handle):
        from pypdfium2 import raw

        self._page = <void *> _address(handle)
        self._count = <Count> _address(raw.FPDFText_CountChars)
        self._unicode = <Unicode> _address(raw.FPDFText_GetUnicode)
        self._map_error = <MapError> _address(raw.FPDFText_HasUnicodeMapError)
        self._text_object = <TextObject> _address(raw.FPDFText_GetTextObject)
        self._origin = <Origin> _address(raw.FPDFText_GetCharOrigin)
        self._box = <CharBox> _address(raw.FPDFText_GetCharBox)
        self._size = <Size> _address(raw.FPDFTextObj_GetFontSize)
        self._matrix = <Matrix> _address(raw.FPDFPageObj_GetMatrix)
        self._font = <Font> _address(raw.FPDFTextObj_GetFont)

    def unicodes(self):
        """Return the code of each character."""
        cdef int k
        return [self._unicode(self._page, k) for k in range(self._count(self._page))]

    def map_errors(self, int step):
        """Return how many of every `step`-th character have no Unicode value."""
        cdef int k, found = 0
        for k in range(0, self._count(self._page), step):
            found += self._map_error(self._page, k) == 1
        return found

    def text_objects(self, indices):
        """Return the address of the text object that each of some characters is of, 0 if none."""
        cdef int k
        return [<size_t> self._text_object(self._page, k) for k in indices]

    def baselines(self, indices):
        """Return the baseline of some characters."""
        cdef double x = 0, y = 0
        cdef int k
        cdef list found = []
        for k in indices:
            self._origin(self._page, k, &x, &y)
            found.append(y)
        return found

    def boxes(self, firsts, middles, lasts):
        """Return the boxes of words, given three of their characters each; None without one."""
        cdef double x = 0, y = 0, left = 0, right = 0, bottom = 0, top = 0, begin
        cdef int first, middle, last
        cdef void *address
        cdef list found = []
        for first, middle, last in zip(firsts, middles, lasts, strict=True):
            if not self._origin(self._page, first, &x, &y):
                found.append(None)
                continue
            begin = x
            if middle != first:
                self._origin(self._page, middle, &x, &y)
            address = self._text_object(self._page, middle)
            if address != NULL and self._box(self._page, last, &left, &right, &bottom, &top):
                found.append((<size_t> address, begin, y, right, top, bottom))
            else:
                found.append(None)
        return found

    def faces(self, addresses):
        """Return the size, matrix and font of text objects; None of one that has none of them."""
        cdef float size = 0
        cdef float[6] matrix
        cdef size_t address
        cdef void *font
        cdef list found = []
        matrix[:] = [0, 0, 0, 0, 0, 0]
        for address in addresses:
            font = NULL
            if self._size(<void *> address, &size) and self._matrix(<void *> address, matrix):
                font = self._font(<void *> address)
            if font == NULL:
                found.append(None)
            else:
                found.append((size, matrix[0], matrix[1], matrix[2], matrix[3], <size_t> font))
        return found
