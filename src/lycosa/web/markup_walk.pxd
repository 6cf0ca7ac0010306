# C types of variables of markup_walk.py, for Cython alone.
import cython

from lycosa.web.outline cimport Outline

cdef int _START, _END, _INLINE_START, _INLINE_END, _VOID, _INLINE_VOID, _ANCHOR, _ANCHOR_END
cdef int _HEADING, _HEADING_END, _IMAGE, _LINK, _TITLE, _RAW, _NESTED, _FOREIGN, _FOREIGN_END
cdef int _COMMENT, _AMBIGUOUS

@cython.locals(
    parts=list, above=list, links=list, headings=list, foreign=int, kind=int, link=Py_ssize_t,
    piece=str, tag=str, closed=str, text=str, href=str, label=str, path=str, end=str,
)
cdef _walk(object pieces, Outline outline, bint nofollow)

@cython.locals(known=Py_ssize_t, level=Py_ssize_t, path=str)
cdef str _path(list above)
