# C types of outline.py, for Cython alone.

cdef class Outline:
    cdef public object title, base
    cdef public list text, hrefs, paths, headings, starts, stops, head_above, head_starts, head_stops
    cdef public Py_ssize_t marks
    cdef public list _chain

    cpdef Py_ssize_t open_link(self, str href, str path)
    cpdef close_link(self, Py_ssize_t link)
    cpdef Py_ssize_t open_heading(self, Py_ssize_t level)
    cpdef close_heading(self, Py_ssize_t heading)
