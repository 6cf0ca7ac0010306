# Arrays as numbers of C, among them those of a page's links and words. For Cython alone.

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_STRIDED_RO, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport malloc

cdef struct Numbers:
    # The numbers of an array: valid as long as the array is there and keeps its size.
    char *data
    Py_ssize_t length, item, stride


cdef inline Numbers numbers_of(object array, Py_ssize_t size=0) except *:
    """Return the numbers of an array, which must take so many bytes each, else four or eight."""
    cdef Py_buffer view
    cdef Numbers found
    PyObject_GetBuffer(array, &view, PyBUF_STRIDED_RO)
    found.data, found.item = <char *> view.buf, view.itemsize
    found.length, found.stride = view.len // view.itemsize, view.strides[0]
    PyBuffer_Release(&view)
    if found.item != size and (size or (found.item != 4 and found.item != 8)):
        raise TypeError("an array has numbers of another size")
    return found


cdef inline double *doubles_of(object array, Py_ssize_t count) except? NULL:
    """Return the numbers of an array in one piece that must have so many."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    cdef Py_ssize_t item = view.itemsize, length = view.len
    cdef double *found = <double *> view.buf
    PyBuffer_Release(&view)
    if item != sizeof(double) or length != count * item:
        raise ValueError(f"there must be {count} numbers of eight bytes")
    return found


cdef inline Py_ssize_t number(Numbers *array, Py_ssize_t at) except? -2:
    """Return a number of an array."""
    if not 0 <= at < array.length:
        raise IndexError("there is no such number")
    if array.item == 4:
        return (<int32_t *> (array.data + at * array.stride))[0]
    return (<int64_t *> (array.data + at * array.stride))[0]


cdef inline int32_t word_at(Numbers *tokens, Py_ssize_t at) noexcept:
    return (<int32_t *> (tokens.data + at * tokens.stride))[0]


cdef inline Py_ssize_t between(Py_ssize_t low, Py_ssize_t value, Py_ssize_t high) noexcept:
    return low if value < low else high if value > high else value


cdef struct Links:
    Numbers tokens, start, stop, heading, owner, url_tokens, url_start, url_stop
    Numbers head_start, head_stop, head_above
    Py_ssize_t title
    bint single  # whether every link has one anchor


cdef inline Links links_of(content) except *:
    cdef Links links
    links.tokens, links.url_tokens = numbers_of(content.tokens, 4), numbers_of(content.url_tokens, 4)
    links.start, links.stop = numbers_of(content.start), numbers_of(content.stop)
    links.heading, links.owner = numbers_of(content.heading), numbers_of(content.owner)
    links.url_start = numbers_of(content.url_start)
    links.url_stop = numbers_of(content.url_stop)
    links.head_start = numbers_of(content.head_start)
    links.head_stop = numbers_of(content.head_stop)
    links.head_above = numbers_of(content.head_above)
    links.title = between(0, content.title_size, links.tokens.length)
    links.single = links.owner.length == len(content.paths)
    return links


cdef inline Py_ssize_t next_anchor(Links *links, Py_ssize_t link, Py_ssize_t at) except -2:
    """Return the first anchor of a link from one on; -1 if there is none."""
    if links.single:
        return link if at <= link else -1
    while at < links.owner.length:
        if number(&links.owner, at) == link:
            return at
        at += 1
    return -1


cdef struct Anchors:
    # The anchors of each link as a chain, or nothing if each has one.
    int32_t *first
    int32_t *after
    Py_ssize_t links


cdef inline int chain(Links *read, Py_ssize_t links, Anchors *to) except -1:
    """Find the anchors of each link; the caller frees `first`."""
    cdef Py_ssize_t at, link, count = read.owner.length
    to.first = NULL
    if read.single:
        return 0
    to.first = <int32_t *> malloc((links + count + 1) * sizeof(int32_t))
    if to.first == NULL:
        raise MemoryError
    to.after, to.links = to.first + links, links
    for link in range(links):
        to.first[link] = -1
    for at in range(count - 1, -1, -1):
        link = number(&read.owner, at)
        if not 0 <= link < links:
            raise IndexError("there is no such link")
        to.after[at] = to.first[link]
        to.first[link] = <int32_t> at
    return 0


cdef inline Py_ssize_t first_of(Anchors *anchors, Py_ssize_t link) except -2:
    if anchors.first == NULL:
        return link
    if not 0 <= link < anchors.links:
        raise IndexError("there is no such link")
    return anchors.first[link]


cdef inline Py_ssize_t next_of(Anchors *anchors, Py_ssize_t anchor) noexcept:
    return -1 if anchors.first == NULL else anchors.after[anchor]
