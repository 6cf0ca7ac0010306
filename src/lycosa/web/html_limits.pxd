# C types of variables of html_limits.py, for Cython alone.
import cython

@cython.locals(
    pieces=list, open_names=list, known=dict, known_shapes=dict, kept=Py_ssize_t, at=Py_ssize_t,
    starts=Py_ssize_t, bracket=Py_ssize_t, named=Py_ssize_t, last=Py_ssize_t, inside=str, shape=str,
    name=str, found=tuple, is_end=bint, is_self_closing=bint, plain=bint, admitted=bint, keep=bint,
)
cpdef list _limited_pieces(str html)

@cython.locals(parts=list)
cdef str _shape(str inside)
