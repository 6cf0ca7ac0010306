# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Scanner of words: `word_scanner.py` with its loop in C, and a hash table of its own.

A word that is known costs no object: its characters are compared with those in the table.
Words are hashed with secret factors, and a word for which many places were looked at is
not remembered, so that no page can make the table slow. The two modules are tested against
each other.
"""

import os

import numpy as np

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

from lycosa.python_strings cimport (
    PyBytes_FromStringAndSize, PyUnicode_DATA, PyUnicode_DecodeLatin1, PyUnicode_GET_LENGTH,
    PyUnicode_KIND, PyUnicode_READ,
)

from lycosa.web.words import MAX_WORD_CHARACTERS, SEPARATED

DEF LONGEST = 64
DEF MAX_PROBES = 32
DEF FIRST_PLACES = 1024
DEF FIRST_BYTES = 8192

assert MAX_WORD_CHARACTERS == LONGEST

cdef unsigned char[256] separated
cdef int _code
for _code in range(256):
    separated[_code] = SEPARATED[_code]

# Secrets of this process.
cdef uint64_t basis = int.from_bytes(os.urandom(8), "little")
cdef uint64_t factor = int.from_bytes(os.urandom(8), "little") | 1


cdef struct Place:
    uint32_t hash
    int32_t number
    uint32_t start
    uint32_t length  # 0: the place is free


cdef class WordScanner:
    """Numbers the words of a text; see `word_scanner.py`."""

    cdef object _table
    cdef object _number
    cdef Py_ssize_t _capacity, _known
    cdef Place *_places
    cdef Py_ssize_t _size  # a power of 2
    cdef unsigned char *_bytes
    cdef Py_ssize_t _used, _room

    def __cinit__(self, table, Py_ssize_t capacity):
        self._table = table
        self._number = table.number
        self._capacity = capacity
        self._known = self._used = 0
        self._size, self._room = FIRST_PLACES, FIRST_BYTES
        self._places = <Place *> calloc(self._size, sizeof(Place))
        self._bytes = <unsigned char *> malloc(self._room)
        if self._places == NULL or self._bytes == NULL:
            raise MemoryError

    def __reduce__(self):
        return WordScanner, (self._table, self._capacity)

    def __dealloc__(self):
        free(self._places)
        free(self._bytes)

    def scan(self, str text):
        """Return the numbers of the words, and the positions of the marks among them, or None."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), at, count = 0
        cdef unsigned int code
        cdef unsigned char letter
        cdef unsigned char[LONGEST] word
        cdef Py_ssize_t size = 0
        cdef uint64_t hash = basis
        cdef list marks = []
        # Between two words there is a character, or the first one has its full length.
        cdef int32_t *numbers = <int32_t *> malloc((length // 2 + 1) * sizeof(int32_t))
        if numbers == NULL:
            raise MemoryError
        try:
            for at in range(length + 1):
                code = PyUnicode_READ(kind, data, at) if at < length else 32
                if code < 256:
                    letter = separated[code]
                elif is_separator(code):
                    letter = 32
                else:
                    return None
                if letter > 32:
                    word[size] = letter
                    hash = (hash ^ letter) * factor
                    size += 1
                    if size < LONGEST:
                        continue
                if size:
                    numbers[count] = self._look_up(word, size, <uint32_t> (hash >> 32))
                    count += 1
                    size = 0
                    hash = basis
                if letter == 0:
                    marks.append(count)
            found = PyBytes_FromStringAndSize(<char *> numbers, count * sizeof(int32_t))
        finally:
            free(numbers)
        return np.frombuffer(found, np.int32), marks

    cdef int32_t _look_up(self, unsigned char *word, Py_ssize_t size, uint32_t hash) except -2:
        cdef Py_ssize_t mask = self._size - 1, at = hash & mask
        cdef Place *place
        cdef int probe
        for probe in range(MAX_PROBES):
            place = &self._places[at]
            if not place.length:
                break
            if (
                place.hash == hash
                and place.length == size
                and not memcmp(self._bytes + place.start, word, size)
            ):
                return place.number
            at = (at + 1) & mask
        cdef int32_t number = self._number(PyUnicode_DecodeLatin1(<char *> word, size, NULL))
        self._add(word, size, hash, number)
        return number

    cdef int _add(self, unsigned char *word, Py_ssize_t size, uint32_t hash, int32_t number) except -1:
        cdef Py_ssize_t at
        cdef int probe
        cdef Place *place
        cdef unsigned char *more
        if self._known >= self._capacity:
            self._clear()
        if 2 * self._known >= self._size:
            self._grow()
        if self._used + size > self._room:
            more = <unsigned char *> realloc(self._bytes, 2 * self._room)
            if more == NULL:
                raise MemoryError
            self._bytes, self._room = more, 2 * self._room
        at = hash & (self._size - 1)
        for probe in range(MAX_PROBES):
            place = &self._places[at]
            if not place.length:
                memcpy(self._bytes + self._used, word, size)
                place.hash, place.number = hash, number
                place.start, place.length = <uint32_t> self._used, <uint32_t> size
                self._used += size
                self._known += 1
                break
            at = (at + 1) & (self._size - 1)
        return 0

    cdef int _clear(self) except -1:
        cdef Place *places = <Place *> calloc(FIRST_PLACES, sizeof(Place))
        if places == NULL:
            raise MemoryError
        free(self._places)
        self._places, self._size = places, FIRST_PLACES
        self._known = self._used = 0
        return 0

    cdef int _grow(self) except -1:
        cdef Py_ssize_t size = 2 * self._size, old, at
        cdef Place *places = <Place *> calloc(size, sizeof(Place))
        if places == NULL:
            raise MemoryError
        for old in range(self._size):
            if self._places[old].length:
                at = self._places[old].hash & (size - 1)
                while places[at].length:
                    at = (at + 1) & (size - 1)
                places[at] = self._places[old]
        free(self._places)
        self._places, self._size = places, size
        return 0


cdef inline bint is_separator(unsigned int code) noexcept:
    """Return whether a character beyond the first 256 is known to be in no word.

    Blanks, dashes and quotes; arrows and mathematical operators; boxes, shapes and signs; emoji.
    """
    return (
        0x2000 <= code < 0x2070
        or 0x2190 <= code < 0x2460
        or 0x2500 <= code < 0x2776
        or 0x1F300 <= code < 0x1FB00
    )
