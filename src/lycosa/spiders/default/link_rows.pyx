# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Columns of links in their bags: `link_rows.py` with its loops in C.

The order of columns and of all additions is that of the Python module, so that both give the
same numbers; they are tested against each other.
"""

import numpy as np

from cpython cimport array
from cpython.object cimport PyObject
from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort, realloc
from libc.string cimport memcpy

from lycosa.learn.link_arrays cimport (
    Anchors, Links, Numbers, between, chain, first_of, links_of, next_of, number, numbers_of,
    word_at,
)

from lycosa.spiders.default.words import NEAR, SALTS

BAGS = 9
DEF BAGS_OF_A_LINK = 9
DEF WORD_BAGS = 6
DEF URL_KIND = 1
DEF NEAR_KIND = 2
DEF HEADS_KIND = 3
DEF STARTS_KIND = 4
DEF COLUMNS = 65536
DEF MAX_INSERTIONS = 96  # columns that are sorted by insertion

cdef array.array A_ROW = array.array("H")


cdef struct Columns:
    # The columns of links, one after the other; the reader of a page frees `items`.
    uint16_t *items
    Py_ssize_t count, room


cdef struct Known:
    # The arrays of `WordHashes`.
    Numbers[6] kinds
    Numbers hashes
    uint64_t mix, salt
    uint64_t[4] salts  # of the kinds of words
    PyObject *new
    PyObject *new_start


cdef int reserve(Columns *to, Py_ssize_t more) except -1:
    """Make room for so many more columns."""
    cdef Py_ssize_t room
    cdef uint16_t *items
    if to.count + more > to.room:
        room = 2 * to.room + more + 64
        items = <uint16_t *> realloc(to.items, room * sizeof(uint16_t))
        if items == NULL:
            raise MemoryError
        to.items, to.room = items, room
    return 0


cdef int add_columns(
    Columns *to, Numbers *tokens, Py_ssize_t start, Py_ssize_t stop, Known *known, int kind
) except -1:
    """Append the columns of a range of words; the kinds from `STARTS_KIND` on are of starts."""
    cdef Numbers *every = &known.kinds[kind]
    cdef uint16_t *columns = <uint16_t *> every.data
    cdef uint64_t hash
    cdef Py_ssize_t at
    cdef int32_t word
    cdef uint16_t column
    start, stop = between(0, start, tokens.length), between(0, stop, tokens.length)
    if stop <= start:
        return 0
    reserve(to, stop - start)
    for at in range(start, stop):
        word = word_at(tokens, at)
        if not 0 <= word < every.length:
            raise IndexError("there is no such word")
        column = columns[word]
        if not column and kind >= STARTS_KIND:
            column = (<object> known.new_start)(kind - STARTS_KIND, word)
        elif not column:
            hash = (<uint32_t *> known.hashes.data)[word]
            if hash:
                column = columns[word] = ((hash + 1) * known.mix + known.salts[kind]) >> 48
            else:
                column = (<object> known.new)(kind, word)
        to.items[to.count] = column
        to.count += 1
    return 0


cdef int add_near(
    Columns *to, Links *read, Py_ssize_t anchor, Py_ssize_t near, int sides, Known *known
) except -1:
    """Append the columns of words before an anchor (1), after it (2) or both (3)."""
    cdef Py_ssize_t start = number(&read.start, anchor), stop = number(&read.stop, anchor), before
    if sides & 1:
        before = max(start - near, min(read.title, start))
        add_columns(to, &read.tokens, before, start, known, NEAR_KIND)
    if sides & 2:
        add_columns(to, &read.tokens, stop, stop + near, known, NEAR_KIND)
    return 0


cdef int add_heads(Columns *to, Links *read, Py_ssize_t heading, Known *known) except -1:
    """Append the columns of the title, of a heading and of the headings above it."""
    add_columns(to, &read.tokens, 0, read.title, known, HEADS_KIND)
    while heading >= 0:
        add_columns(
            to, &read.tokens, number(&read.head_start, heading), number(&read.head_stop, heading),
            known, HEADS_KIND,
        )
        heading = number(&read.head_above, heading)
    return 0


cdef int read_link(
    Columns *to, Links *read, Anchors *anchors, Py_ssize_t link, Py_ssize_t near, bint is_few,
    Known *known, others, int32_t *sizes,
) except -1:
    """Append all columns of a link; write the number of each bag."""
    cdef Py_ssize_t first = first_of(anchors, link), anchor, at, before = to.count
    cdef uint32_t *hash = <uint32_t *> known.hashes.data
    cdef uint64_t pair
    cdef int bag
    anchor = first
    while anchor >= 0:
        at = number(&read.start, anchor)
        add_columns(to, &read.tokens, at, number(&read.stop, anchor), known, 0)
        anchor = next_of(anchors, anchor)
    sizes[0] = <int32_t> (to.count - before)
    before = to.count
    cdef Py_ssize_t begin = between(0, number(&read.url_start, link), read.url_tokens.length)
    cdef Py_ssize_t end = between(begin, number(&read.url_stop, link), read.url_tokens.length)
    add_columns(to, &read.url_tokens, begin, end, known, URL_KIND)
    sizes[1] = <int32_t> (to.count - before)
    before = to.count
    anchor = first
    while anchor >= 0:
        add_near(to, read, anchor, near, 3 if is_few else 1, known)
        anchor = next_of(anchors, anchor)
    anchor = -1 if is_few else first
    while anchor >= 0:
        add_near(to, read, anchor, near, 2, known)
        anchor = next_of(anchors, anchor)
    sizes[2] = <int32_t> (to.count - before)
    before = to.count
    anchor = first
    while anchor >= 0:
        add_heads(to, read, number(&read.heading, anchor), known)
        anchor = next_of(anchors, anchor)
    sizes[3] = <int32_t> (to.count - before)
    # The hashes of these words were computed with their columns.
    sizes[4] = <int32_t> max(0, end - begin - 1)
    reserve(to, sizes[4])
    for at in range(begin + 1, end):
        pair = 31 * <uint64_t> hash[word_at(&read.url_tokens, at - 1)]
        pair += 17 * <uint64_t> hash[word_at(&read.url_tokens, at)] + 48
        to.items[to.count] = (pair * known.mix + known.salt) >> 48
        to.count += 1
    before = to.count
    anchor = first
    while anchor >= 0:
        add_columns(
            to, &read.tokens, number(&read.start, anchor), number(&read.stop, anchor),
            known, STARTS_KIND,
        )
        anchor = next_of(anchors, anchor)
    add_columns(to, &read.url_tokens, begin, end, known, STARTS_KIND + 1)
    sizes[5] = <int32_t> (to.count - before)
    bag = WORD_BAGS
    for more in others:
        if bag == BAGS_OF_A_LINK:
            raise ValueError("a link has too many bags")
        sizes[bag] = <int32_t> len(more)
        reserve(to, sizes[bag])
        for at in range(sizes[bag]):
            to.items[to.count] = more[at]
            to.count += 1
        bag += 1
    if bag != BAGS_OF_A_LINK:
        raise ValueError("a link has too few bags")
    return 0


cdef object read_all(
    Columns *to, content, links, bint is_few, hashes, others, int32_t *sizes
):
    """Append the columns of links; write the numbers of their bags."""
    hashed, columns, starts, new, new_start, mixing, salting = hashes
    cdef Known known
    cdef int kind
    for kind, every in enumerate((*columns, *starts)):
        known.kinds[kind] = numbers_of(every, 2)
        if kind < STARTS_KIND:
            known.salts[kind] = SALTS[kind]
    known.new, known.new_start = <PyObject *> new, <PyObject *> new_start
    known.hashes, known.mix, known.salt = numbers_of(hashed, 4), mixing, salting
    if known.hashes.length < max([known.kinds[kind].length for kind in range(STARTS_KIND)]):
        raise ValueError("there must be a hash for every word")
    cdef Links read = links_of(content)
    cdef Anchors anchors
    cdef Py_ssize_t link, near = NEAR, k = 0
    try:
        chain(&read, len(content.paths), &anchors)
        for link, more in zip(links, others, strict=True):
            read_link(
                to, &read, &anchors, link, near, is_few, &known, more,
                sizes + k * BAGS_OF_A_LINK,
            )
            k += 1
    finally:
        free(anchors.first)


cdef array.array distinct_row(uint16_t *items, Py_ssize_t count):
    """Return the distinct columns of a link, sorted."""
    cdef array.array row = array.clone(A_ROW, count, False)
    memcpy(row.data.as_ushorts, items, count * sizeof(uint16_t))
    array.resize(row, distinct(row.data.as_ushorts, count))
    return row


def read_few(words, page, links, others, model):
    """Return the distinct columns of each link, sorted, and its log-odds by a model, else 0."""
    cdef Columns read
    cdef Py_ssize_t count = len(links), k, at, start, begin = 0
    cdef int32_t *sizes = <int32_t *> malloc((count + 1) * BAGS_OF_A_LINK * sizeof(int32_t))
    cdef double *weight = NULL
    cdef double log_odds, bias = 0.0
    cdef int bag
    cdef list rows = [], trained = []
    read.items, read.count, read.room = NULL, 0, 0
    try:
        if sizes == NULL:
            raise MemoryError
        if model is not None:
            weight, bias = weights_of(model.weights), model.bias
        content = page.content
        read_all(&read, content, links, True, words.known(page), others, sizes)
        for k in range(count):
            start = begin
            begin += size_of(sizes + k * BAGS_OF_A_LINK)
            rows.append(distinct_row(read.items + start, begin - start))
            if weight == NULL:
                trained.append(0.0)
                continue
            at = begin - sizes[k * BAGS_OF_A_LINK + BAGS_OF_A_LINK - 1]  # the position
            log_odds = bias + sum_of(read.items + at, begin - at, weight)
            for bag in range(BAGS_OF_A_LINK - 1):
                at = sizes[k * BAGS_OF_A_LINK + bag]
                if at:
                    log_odds += sum_of(read.items + start, at, weight) / sqrt(<double> at)
                start += at
            trained.append(log_odds)
    finally:
        free(sizes)
        free(read.items)
    return rows, trained


cdef double *weights_of(weights) except NULL:
    cdef Numbers found = numbers_of(weights, 8)
    if found.length < COLUMNS or found.stride != sizeof(double):
        raise ValueError("there must be a weight for each column")
    return <double *> found.data


cdef inline Py_ssize_t size_of(int32_t *sizes) noexcept:
    cdef Py_ssize_t found = 0
    cdef int bag
    for bag in range(BAGS_OF_A_LINK):
        found += sizes[bag]
    return found


cdef inline double sum_of(uint16_t *items, Py_ssize_t count, double *weights) noexcept:
    cdef double total = 0.0
    cdef Py_ssize_t at
    for at in range(count):
        total += weights[items[at]]
    return total


def read_many(words, page, links, others):
    """Return the columns of many links: how many each bag has, and all of them by link and bag."""
    cdef Columns read
    sizes = np.empty((len(links), BAGS_OF_A_LINK), np.int32)
    read.items, read.count, read.room = NULL, 0, 0
    try:
        content = page.content
        read_all(
            &read, content, links, False, words.known(page), others,
            <int32_t *> numbers_of(sizes.reshape(-1), 4).data,
        )
        columns = np.empty(read.count, np.uint16)
        if read.count:
            memcpy(numbers_of(columns, 2).data, read.items, read.count * sizeof(uint16_t))
    finally:
        free(read.items)
    return sizes, columns


cdef int compare(const void *one, const void *other) noexcept nogil:
    return <int> (<uint16_t *> one)[0] - <int> (<uint16_t *> other)[0]


cdef void sort(uint16_t *items, Py_ssize_t count) noexcept:
    """Sort the columns of a link."""
    cdef Py_ssize_t at, to
    cdef uint16_t item
    if count > MAX_INSERTIONS:
        qsort(items, count, sizeof(uint16_t), compare)
        return
    for at in range(1, count):
        item = items[at]
        to = at
        while to and items[to - 1] > item:
            items[to] = items[to - 1]
            to -= 1
        items[to] = item


cdef Py_ssize_t distinct(uint16_t *items, Py_ssize_t count) noexcept:
    """Sort columns and drop those that are there twice; return how many are left."""
    cdef Py_ssize_t at, left = 0
    sort(items, count)
    for at in range(count):
        if not at or items[at] != items[left - 1]:
            items[left] = items[at]
            left += 1
    return left


def checked(sizes, columns):
    """Return sizes and columns as arrays in one piece; raise `ValueError` if they do not agree."""
    sizes, columns = np.ascontiguousarray(sizes, np.int32), np.ascontiguousarray(columns, np.uint16)
    if sizes.ndim != 2 or sizes.shape[1] != BAGS_OF_A_LINK or (len(sizes) and sizes.min() < 0):
        raise ValueError("each link has a size of each bag")
    if sizes.sum() != len(columns):
        raise ValueError("there must be a column for each place in a bag")
    return sizes, columns


def distinct_rows(sizes, columns):
    """Return where the row of each link starts, and the distinct columns of all, sorted."""
    sizes, columns = checked(sizes, columns)
    columns = columns.copy()
    starts, words = np.empty(len(sizes) + 1, np.int64), np.empty(len(columns), np.int32)
    cdef Py_ssize_t count = len(sizes), k, at, size, end = 0
    cdef int32_t *bags = <int32_t *> numbers_of(sizes.reshape(-1), 4).data
    cdef uint16_t *items = <uint16_t *> numbers_of(columns, 2).data
    cdef int64_t *start = <int64_t *> numbers_of(starts, 8).data
    cdef int32_t *to = <int32_t *> numbers_of(words, 4).data
    start[0] = 0
    for k in range(count):
        size = size_of(bags + k * BAGS_OF_A_LINK)
        for at in range(distinct(items, size)):
            to[end] = items[at]
            end += 1
        items += size
        start[k + 1] = end
    return starts, words[:end]


def bag_sums(sizes, columns, weights):
    """Return for each bag of each link the sum of the weights of its columns."""
    sizes, columns = checked(sizes, columns)
    sums = np.empty((len(sizes), BAGS_OF_A_LINK))
    cdef Py_ssize_t count = len(sizes) * BAGS_OF_A_LINK, k
    cdef int32_t *bags = <int32_t *> numbers_of(sizes.reshape(-1), 4).data
    cdef uint16_t *items = <uint16_t *> numbers_of(columns, 2).data
    cdef double *found = <double *> numbers_of(sums.reshape(-1), 8).data
    cdef double *weight = weights_of(weights)
    for k in range(count):
        found[k] = sum_of(items, bags[k], weight)
        items += bags[k]
    return sums
