# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sketches of texts: `sketches.py` in one pass over the words, without a sort."""

import numpy as np

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy

DEF BINS = 16
DEF HASHES_PER_BIN = 32  # enough that hardly any bin is empty


def sketch(tokens):
    """Return the sketch of a text of three words or more: 16 bytes in two halves."""
    cdef Py_buffer view
    cdef uint64_t[BINS] least
    cdef bint[BINS] known
    cdef uint8_t[BINS] found
    cdef uint64_t[2] halves
    cdef uint64_t hash, limit = 0
    cdef Py_ssize_t count, few = 0, at
    cdef int32_t *words
    cdef int k, bin, first
    for k in range(BINS):
        known[k] = False
    tokens = np.ascontiguousarray(tokens, np.int32)
    PyObject_GetBuffer(tokens, &view, PyBUF_SIMPLE)
    try:
        words = <int32_t *> view.buf
        count = view.len // sizeof(int32_t) - 2
        if count < 1:
            raise IndexError("a sketch is of three words at least")
        if count > 4 * BINS * HASHES_PER_BIN:  # the least hash of every bin is below the limit
            limit = BINS * HASHES_PER_BIN * 2**64 // int(count)
        for at in range(count):
            hash = (
                <uint64_t> words[at] * <uint64_t> 0x9E3779B97F4A7C15U
                + <uint64_t> words[at + 1] * <uint64_t> 0xBF58476D1CE4E5B9U
                + <uint64_t> words[at + 2] * <uint64_t> 0x94D049BB133111EBU
            )
            hash ^= hash >> 32
            hash *= <uint64_t> 0xD6E8FEB86659FD93U
            hash ^= hash >> 32
            bin = hash >> 60
            few += (hash << 4) < limit
            if not known[bin] or hash < least[bin]:
                known[bin], least[bin] = True, hash
    finally:
        PyBuffer_Release(&view)
    if 2 * few > BINS * HASHES_PER_BIN:  # fails if the page repeats itself
        for k in range(BINS):
            known[k] = known[k] and (least[k] << 4) < limit
    first = 0
    while not known[first]:
        first += 1
    bin = first  # of the bins from k on the first that is not empty; else the first of all
    for k in range(BINS - 1, -1, -1):
        if known[k]:
            bin = k
        found[k] = <uint8_t> least[bin]
    memcpy(halves, found, BINS)
    return halves[0], halves[1]
