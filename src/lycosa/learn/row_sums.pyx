# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums over sparse rows: `row_sums.py` with its loops in C.

The order of all additions is that of the Python module, so that both give the same numbers; they
are tested against each other.
"""

from array import array

import numpy as np

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

from lycosa.learn.link_arrays cimport doubles_of

DEF PLAIN_ROW = 255
PLAIN = PLAIN_ROW
PackedRows = tuple


cdef struct Numbers:
    # The numbers of an array: valid as long as the array is there and keeps its size.
    void *data
    Py_ssize_t length


cdef Numbers numbers_of(object array, Py_ssize_t size) except *:
    """Return the numbers of an array that must take so many bytes each."""
    cdef Py_buffer view
    cdef Numbers found
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    found.data, found.length = view.buf, view.len // size
    cdef Py_ssize_t item = view.itemsize
    PyBuffer_Release(&view)
    if item != size:
        raise TypeError("an array has numbers of another size")
    return found


def load_libraries():
    """Load nothing: a `RowMatrix` is in C."""


cdef class RowMatrix:
    """Multiplies vectors with the binary matrix of some rows, and with its transpose."""

    cdef object _starts, _words
    cdef Numbers starts, words
    cdef Py_ssize_t _columns

    def __init__(self, starts, words, Py_ssize_t columns):
        self._starts = np.ascontiguousarray(starts, np.int64)
        self._words = np.ascontiguousarray(words, np.int32)
        self.starts, self.words = numbers_of(self._starts, 8), numbers_of(self._words, 4)
        self._columns = columns
        check_rows(self.starts, self.words, columns)

    def times(self, weights):
        """Return for each row the sum of the weights of its columns."""
        weights = np.ascontiguousarray(weights, np.float64)
        if len(weights) != self._columns:
            raise ValueError("there must be a weight for each column")
        return row_sums(self.starts, self.words, <double *> numbers_of(weights, 8).data)

    def back_times(self, values):
        """Return for each column the sum of the values of the rows that have it."""
        values = np.ascontiguousarray(values, np.float64)
        if len(values) != self.starts.length - 1:
            raise ValueError("there must be a value for each row")
        found = np.zeros(self._columns)
        cdef double *sums = <double *> numbers_of(found, 8).data
        cdef double *given = <double *> numbers_of(values, 8).data
        cdef int64_t *starts = <int64_t *> self.starts.data
        cdef int32_t *words = <int32_t *> self.words.data
        cdef Py_ssize_t row, at
        cdef double value
        for row in range(self.starts.length - 1):
            value = given[row]
            for at in range(starts[row], starts[row + 1]):
                sums[words[at]] += value
        return found

    def weighted_back_times(self, weights, terms, factors):
        """Return `factors * (times(weights) + terms)`, and `back_times` of it, in one pass."""
        weights = np.ascontiguousarray(weights, np.float64)
        terms = np.ascontiguousarray(terms, np.float64)
        factors = np.ascontiguousarray(factors, np.float64)
        if len(weights) != self._columns:
            raise ValueError("there must be a weight for each column")
        if not len(terms) == len(factors) == self.starts.length - 1:
            raise ValueError("there must be a value for each row")
        found, values = np.zeros(self._columns), np.empty(len(terms))
        cdef double *sums = <double *> numbers_of(found, 8).data
        cdef double *to = <double *> numbers_of(values, 8).data
        cdef double *weight = <double *> numbers_of(weights, 8).data
        cdef double *term = <double *> numbers_of(terms, 8).data
        cdef double *factor = <double *> numbers_of(factors, 8).data
        cdef int64_t *starts = <int64_t *> self.starts.data
        cdef int32_t *words = <int32_t *> self.words.data
        cdef Py_ssize_t row, at
        cdef double value
        for row in range(self.starts.length - 1):
            value = 0.0
            for at in range(starts[row], starts[row + 1]):
                value += weight[words[at]]
            value = factor[row] * (value + term[row])
            to[row] = value
            for at in range(starts[row], starts[row + 1]):
                sums[words[at]] += value
        return values, found


cdef int check_rows(Numbers starts, Numbers words, Py_ssize_t columns) except -1:
    """Raise a `ValueError` for rows that would be read or written beyond their arrays."""
    cdef int64_t *begin = <int64_t *> starts.data
    cdef int32_t *word = <int32_t *> words.data
    cdef int64_t before = 0
    cdef Py_ssize_t k
    if starts.length < 1 or begin[0] < 0 or begin[starts.length - 1] > words.length:
        raise ValueError("rows start beyond their columns")
    for k in range(starts.length):
        if begin[k] < before:
            raise ValueError("rows do not follow each other")
        before = begin[k]
    for k in range(words.length):
        if word[k] < 0 or word[k] >= columns:
            raise ValueError("there is no such column")
    return 0


cdef object row_sums(Numbers starts, Numbers words, double *weights):
    found = np.empty(starts.length - 1)
    cdef double *sums = <double *> numbers_of(found, 8).data
    cdef int64_t *begin = <int64_t *> starts.data
    cdef int32_t *word = <int32_t *> words.data
    cdef Py_ssize_t row, at
    cdef double total
    for row in range(starts.length - 1):
        total = 0.0
        for at in range(begin[row], begin[row + 1]):
            total += weights[word[at]]
        sums[row] = total
    return found


def sums_of_rows(starts, words, weights):
    """Return for each row the sum of the weights of its columns."""
    starts, words = np.ascontiguousarray(starts, np.int64), np.ascontiguousarray(words, np.int32)
    weights = np.ascontiguousarray(weights, np.float64)
    cdef Numbers begin = numbers_of(starts, 8), word = numbers_of(words, 4)
    check_rows(begin, word, len(weights))
    return row_sums(begin, word, <double *> numbers_of(weights, 8).data)


def few_sums(rows, inputs, weights):
    """Return for each of a few rows the sum of the weights of its columns and inputs, and the base."""
    cdef Numbers columns, given = numbers_of(weights, 8)
    cdef double *of = <double *> given.data
    cdef double *own
    cdef double total, more
    cdef Py_ssize_t at, count, column
    cdef list found = []
    cdef tuple values
    if len(rows) != len(inputs):
        raise ValueError("there must be inputs for each row")
    for row, values in zip(rows, inputs):
        count = len(values)
        if not 0 < count < given.length:
            raise ValueError("there must be a weight for each input")
        own = of + given.length - count - 1
        more = own[0] * <double> values[0]
        for at in range(1, count):
            more += own[at] * <double> values[at]
        total = 0.0
        if isinstance(row, array):
            columns = numbers_of(row, 2)
            for at in range(columns.length):
                column = (<uint16_t *> columns.data)[at]
                if column >= given.length:
                    raise IndexError("there is no such column")
                total += of[column]
        else:
            for column in row:
                if not 0 <= column < given.length:
                    raise IndexError("there is no such column")
                total += of[column]
        found.append(total + (more + own[count]))
    return found


def add_inputs(sums, inputs, weights):
    """Return the sums of many rows with those of their inputs and the base, as `few_sums` does."""
    sums, inputs = np.ascontiguousarray(sums, np.float64), np.ascontiguousarray(inputs, np.float64)
    cdef Py_ssize_t rows = len(sums), count = inputs.shape[1], row, at
    cdef Numbers every = numbers_of(weights, 8)
    if not 0 < count < every.length:
        raise ValueError("there must be a weight for each input")
    found = np.empty(rows)
    cdef double *own = <double *> every.data + every.length - count - 1
    cdef double *to = doubles_of(found, rows)
    cdef double *before = doubles_of(sums, rows)
    cdef double *values = doubles_of(inputs, rows * count)
    cdef double more
    for row in range(rows):
        more = own[0] * values[0]
        for at in range(1, count):
            more += own[at] * values[at]
        to[row] = before[row] + (more + own[count])
        values += count
    return found


cdef struct Store:
    Numbers first, size, frequent, plain, packed, columns
    bint is_long  # whether the numbers of `first` take eight bytes


cdef Store store_of(rows) except *:
    cdef Store store
    first, size, frequent, plain, packed, columns = rows
    store.is_long = first.itemsize == 8
    store.first = numbers_of(first, 8 if store.is_long else 4)
    store.size, store.frequent = numbers_of(size, 1), numbers_of(frequent, 1)
    store.plain, store.packed = numbers_of(plain, 2), numbers_of(packed, 1)
    store.columns = numbers_of(columns, 2)
    return store


cdef Py_ssize_t read_row(Store *store, Py_ssize_t number, int32_t *to) except -1:
    """Copy the columns of a row; return their number."""
    if not 0 <= number < store.first.length:
        raise IndexError("there is no such row")
    cdef Py_ssize_t size = (<uint8_t *> store.size.data)[number]
    cdef Py_ssize_t short = (<uint8_t *> store.frequent.data)[number], k
    cdef int64_t first
    if not size:
        return 0  # packing leaves such a row out: where it began may be beyond the end
    if store.is_long:
        first = (<int64_t *> store.first.data)[number]
    else:
        first = (<uint32_t *> store.first.data)[number]
    cdef uint16_t *plain
    cdef uint16_t *columns = <uint16_t *> store.columns.data
    cdef uint8_t *packed
    if short == PLAIN_ROW:
        if first + size > store.plain.length:
            raise IndexError("a row ends beyond the store")
        plain = <uint16_t *> store.plain.data + first
        for k in range(size):
            to[k] = plain[k]
        return size
    if short > size or first + 2 * size - short > store.packed.length:
        raise IndexError("a row ends beyond the store")
    packed = <uint8_t *> store.packed.data + first
    for k in range(short):
        if packed[k] >= store.columns.length:
            raise IndexError("there is no such frequent column")
        to[k] = columns[packed[k]]
    for k in range(short, size):
        to[k] = packed[k] | packed[k + size - short] << 8
    return size


def sums_of_packed(rows, numbers, weights):
    """Return for each row of these numbers the sum of the weights of its columns."""
    numbers = np.ascontiguousarray(numbers, np.int32)
    weights = np.ascontiguousarray(weights, np.float64)
    if len(weights) < 65536:
        raise ValueError("there must be a weight for each column")
    found = np.empty(len(numbers))
    cdef Store store = store_of(rows)
    cdef Numbers chosen = numbers_of(numbers, 4)
    cdef double *sums = <double *> numbers_of(found, 8).data
    cdef double *weight = <double *> numbers_of(weights, 8).data
    cdef int32_t[256] row
    cdef Py_ssize_t k, at, size
    cdef double total
    for k in range(chosen.length):
        size = read_row(&store, (<int32_t *> chosen.data)[k], row)
        total = 0.0
        for at in range(size):
            total += weight[row[at]]
        sums[k] = total
    return found


def read_packed(rows, numbers):
    """Return the rows of these numbers: where each starts, and the columns of all."""
    numbers = np.ascontiguousarray(numbers, np.int32)
    sizes = rows[1].take(numbers)
    starts = np.zeros(len(numbers) + 1, np.int64)
    sizes.cumsum(dtype=np.int64, out=starts[1:])
    words = np.empty(starts[-1], np.int32)
    cdef Store store = store_of(rows)
    cdef Numbers chosen = numbers_of(numbers, 4)
    cdef int32_t *to = <int32_t *> numbers_of(words, 4).data
    cdef Py_ssize_t k
    for k in range(chosen.length):
        to += read_row(&store, (<int32_t *> chosen.data)[k], to)
    return starts, words
