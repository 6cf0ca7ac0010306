# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Reader of a few links of a page: `link_reader.py` with its loops in C.

The order of all additions is that of the Python module, so that both give the same numbers; they
are tested against each other.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from lycosa.learn.link_arrays cimport (
    Links, Numbers, between, links_of, next_anchor, number, numbers_of, word_at,
)

DEF URL_KIND = 1
DEF HEADS_KIND = 3

WordHashes = WordWeights = PlaceWeights = tuple


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
