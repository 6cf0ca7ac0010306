# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Reader of a few links of a page: `link_reader.py` with its loops in C.

The order of all additions is that of the Python module, so that both give the same numbers; they
are tested against each other.
"""

from cpython.buffer cimport PyBUF_STRIDED_RO, PyBuffer_Release, PyObject_GetBuffer
from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

DEF URL_KIND = 1
DEF HEADS_KIND = 3

WordHashes = WordWeights = PlaceWeights = tuple


cdef struct Numbers:
    # The numbers of an array: valid as long as the array is there and keeps its size.
    char *data
    Py_ssize_t length, item, stride


cdef Numbers numbers_of(object array, Py_ssize_t size=0) except *:
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


cdef Links links_of(content) except *:
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


cdef int add_columns(
    list to, Numbers *tokens, Py_ssize_t start, Py_ssize_t stop, Numbers *known, new, int kind
) except -1:
    """Append the columns of a range of words."""
    cdef uint16_t *columns = <uint16_t *> known.data
    cdef Py_ssize_t at
    cdef int32_t word
    for at in range(between(0, start, tokens.length), between(0, stop, tokens.length)):
        word = word_at(tokens, at)
        if not 0 <= word < known.length:
            raise IndexError("there is no such word")
        to.append(columns[word] or new(kind, word))
    return 0


def read_columns(content, links, Py_ssize_t near, known):
    """Return the columns of each link: of the bags of its words, of pairs and of starts."""
    hashes, columns, starts, new, new_start, mixing, salting = known
    in_anchor, in_url, in_near, in_heads = columns
    anchor_starts, url_starts = starts
    cdef Links read = links_of(content)
    cdef Numbers anchor_known = numbers_of(in_anchor, 2), url_known = numbers_of(in_url, 2)
    cdef Numbers near_known = numbers_of(in_near, 2), heads_known = numbers_of(in_heads, 2)
    cdef Numbers anchor_start = numbers_of(anchor_starts, 2)
    cdef Numbers url_start = numbers_of(url_starts, 2), hashed = numbers_of(hashes, 4)
    if hashed.length < url_known.length:
        raise ValueError("there must be a hash for every word")
    cdef uint32_t *hash = <uint32_t *> hashed.data
    cdef uint64_t mix = mixing, salt = salting, pair
    cdef Py_ssize_t link, place, start, stop, heading, before, at, begin, end
    cdef list anchor, url, beside, above, pairs, begins, head
    cdef dict heads = {}
    cdef list found = []
    for link in links:
        anchor, url, beside, pairs, begins = [], [], [], [], []
        above = None
        place = next_anchor(&read, link, 0)
        while place >= 0:
            start, stop = number(&read.start, place), number(&read.stop, place)
            before = max(start - near, min(read.title, start))
            add_columns(anchor, &read.tokens, start, stop, &anchor_known, new, 0)
            add_columns(begins, &read.tokens, start, stop, &anchor_start, new_start, 0)
            add_columns(beside, &read.tokens, before, start, &near_known, new, 2)
            add_columns(beside, &read.tokens, stop, stop + near, &near_known, new, 2)
            heading = number(&read.heading, place)
            head = heads.get(heading)
            if head is None:
                head = heads[heading] = []
                add_columns(head, &read.tokens, 0, read.title, &heads_known, new, HEADS_KIND)
                at = heading
                while at >= 0:
                    begin, end = number(&read.head_start, at), number(&read.head_stop, at)
                    add_columns(head, &read.tokens, begin, end, &heads_known, new, HEADS_KIND)
                    at = number(&read.head_above, at)
            above = head if above is None else above + head
            place = next_anchor(&read, link, place + 1)
        begin = between(0, number(&read.url_start, link), read.url_tokens.length)
        end = between(begin, number(&read.url_stop, link), read.url_tokens.length)
        add_columns(url, &read.url_tokens, begin, end, &url_known, new, URL_KIND)
        add_columns(begins, &read.url_tokens, begin, end, &url_start, new_start, 1)
        # The hashes of these words were computed with their columns.
        for at in range(begin + 1, end):
            pair = 31 * <uint64_t> hash[word_at(&read.url_tokens, at - 1)]
            pair += 17 * <uint64_t> hash[word_at(&read.url_tokens, at)] + 48
            pairs.append((pair * mix + salt) >> 48)
        found.append((anchor, url, beside, [] if above is None else above, pairs, begins))
    return found


cdef inline double worth(double *sums, Py_ssize_t size, Py_ssize_t start, Py_ssize_t stop) noexcept:
    return sums[between(0, stop, size)] - sums[between(0, start, size)]


cdef inline double saturated(double value) noexcept:
    return value / (1 + value)


cdef double weight_of(Numbers *words, Py_ssize_t at, Numbers *codes, Numbers *values) except -1:
    cdef int32_t word = word_at(words, at)
    cdef uint8_t code
    if not 0 <= word < codes.length:
        raise IndexError("there is no such word")
    code = (<uint8_t *> codes.data)[word]
    if code >= values.length:
        raise IndexError("there is no such weight")
    return (<double *> values.data)[code]


def keyword_scores(content, links, text, url, by):
    """Return the score of each link by words in and around it, and on its page."""
    cdef Links read = links_of(content)
    text_codes, text_values = text
    in_url_codes, in_url_values = url
    cdef Numbers codes = numbers_of(text_codes, 1), values = numbers_of(text_values, 8)
    cdef Numbers url_codes = numbers_of(in_url_codes, 1), url_values = numbers_of(in_url_values, 8)
    cdef double near_weight, headings_weight, page_weight
    cdef Py_ssize_t width, size = read.tokens.length
    near_weight, headings_weight, page_weight, width = by
    cdef Py_ssize_t link, place, start, stop, heading, at
    cdef double total = 0.0, about_page, best, anchor, near, above, value, in_url, in_title
    cdef list scores = []
    cdef double *sums = <double *> malloc((size + 1) * sizeof(double))
    if sums == NULL:
        raise MemoryError
    try:
        sums[0] = 0.0
        for at in range(size):
            total += weight_of(&read.tokens, at, &codes, &values)
            sums[at + 1] = total
        about_page = page_weight * saturated(total / sqrt(<double> max(1, size)))
        in_title = worth(sums, size, 0, read.title)
        for link in links:
            best = 0.0
            place = next_anchor(&read, link, 0)
            while place >= 0:
                start, stop = number(&read.start, place), number(&read.stop, place)
                anchor = worth(sums, size, start, stop)
                near = worth(sums, size, max(start - width, read.title), stop + width) - anchor
                above = 0.0
                heading = number(&read.heading, place)
                at = heading
                while at >= 0:
                    above += worth(
                        sums, size, number(&read.head_start, at), number(&read.head_stop, at)
                    )
                    at = number(&read.head_above, at)
                # As in Python, where a link without headings has the words of the title alone.
                above = in_title + above if heading >= 0 else in_title
                value = (
                    saturated(anchor)
                    + near_weight * saturated(near)
                    + headings_weight * saturated(above)
                )
                best = max(best, value)
                place = next_anchor(&read, link, place + 1)
            in_url = 0.0
            start = between(0, number(&read.url_start, link), read.url_tokens.length)
            stop = between(start, number(&read.url_stop, link), read.url_tokens.length)
            for at in range(start, stop):
                in_url += weight_of(&read.url_tokens, at, &url_codes, &url_values)
            scores.append(best + saturated(in_url) + about_page)
    finally:
        free(sums)
    return scores
