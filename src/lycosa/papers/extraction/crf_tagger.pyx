# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Inference in a conditional random field, without CRFsuite: `crf_tagger.py` in C.

Weights stay in the content of the model file (`crfsuite_file` describes it), which is not
copied and not indexed anew, so that a model is open at once. A feature is looked up in the
constant database of attributes, as CRFsuite does.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.math cimport exp
from libc.stdint cimport uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy, memset

from lycosa.papers.extraction.crfsuite_file import read_labels, read_offsets

cdef enum:
    CHUNK_BYTES = 12  # the head of a chunk: its name, its size, the number of its entries
    WEIGHT_BYTES = 20  # kind, source, target, and the weight itself
    DATABASE_BYTES = 24  # the head of a constant database
    TABLES = 256  # hash tables of a constant database
    RECORD_BYTES = 8  # the number of a string and its size, which stand before it


cdef inline uint32_t _number(const unsigned char *place) noexcept:
    cdef uint32_t value
    memcpy(&value, place, 4)  # numbers are not aligned
    return value


cdef inline uint32_t _rotate(uint32_t value, int bits) noexcept:
    return (value << bits) | (value >> (32 - bits))


cdef uint32_t _hash(const unsigned char *key, Py_ssize_t size) noexcept:
    """Return the hash of a key that is not empty: Jenkins 2006, lookup3, `hashlittle`."""
    cdef uint32_t a, b, c
    cdef uint32_t[3] last
    a = b = c = <uint32_t> 0xDEADBEEF + <uint32_t> size
    while size > 12:
        a += _number(key)
        b += _number(key + 4)
        c += _number(key + 8)
        a -= c; a ^= _rotate(c, 4); c += b
        b -= a; b ^= _rotate(a, 6); a += c
        c -= b; c ^= _rotate(b, 8); b += a
        a -= c; a ^= _rotate(c, 16); c += b
        b -= a; b ^= _rotate(a, 19); a += c
        c -= b; c ^= _rotate(b, 4); b += a
        key += 12
        size -= 12
    memset(last, 0, 12)
    memcpy(last, key, size)
    a += last[0]
    b += last[1]
    c += last[2]
    c ^= b; c -= _rotate(b, 14)
    a ^= c; a -= _rotate(c, 11)
    b ^= a; b -= _rotate(a, 25)
    c ^= b; c -= _rotate(b, 16)
    a ^= c; a -= _rotate(c, 4)
    b ^= a; b -= _rotate(a, 14)
    c ^= b; c -= _rotate(b, 24)
    return c


cdef class Tagger:
    """Applies a CRF to one sequence after the other."""

    cdef bytes _model
    cdef const unsigned char *_file
    cdef const unsigned char *_features
    cdef const unsigned char *_attributes
    cdef const unsigned char *_references
    cdef list _labels
    cdef dict _numbers
    cdef int _count
    cdef double *_transitions  # scores, then their exponentials
    cdef Py_ssize_t _rows, _room
    cdef bint _has_marginals
    cdef double *_states  # a row of scores for each element, then of their exponentials
    cdef double *_alpha
    cdef double *_beta
    cdef double *_scale
    cdef int *_back  # the best label before each label

    def __cinit__(self):
        self._transitions = self._states = self._alpha = self._beta = self._scale = NULL
        self._back = NULL
        self._rows = self._room = 0

    def __dealloc__(self):
        free(self._transitions)
        free(self._states)
        free(self._alpha)
        free(self._beta)
        free(self._scale)
        free(self._back)

    def __init__(self, bytes model):
        offsets = read_offsets(model)
        self._model = model
        self._file = model
        self._features = self._file + <size_t> offsets.features + CHUNK_BYTES
        self._attributes = self._file + <size_t> offsets.attributes
        self._references = self._file + <size_t> offsets.attribute_weights + CHUNK_BYTES
        self._labels = read_labels(model)
        self._numbers = {label: n for n, label in enumerate(self._labels)}
        self._count = len(self._labels)
        self._transitions = <double *> _resized(
            self._transitions, 2 * self._count * self._count * sizeof(double)
        )
        self._read_transitions(self._file + <size_t> offsets.label_weights + CHUNK_BYTES)

    cdef void _read_transitions(self, const unsigned char *lists) noexcept:
        cdef int i, n, count = self._count
        cdef uint32_t k
        cdef const unsigned char *entry
        cdef const unsigned char *weight
        memset(self._transitions, 0, count * count * sizeof(double))
        for i in range(count):
            entry = self._file + _number(lists + 4 * i)
            for k in range(_number(entry)):
                weight = self._features + <size_t> WEIGHT_BYTES * _number(entry + 4 + 4 * k)
                memcpy(&self._transitions[i * count + _number(weight + 8)], weight + 12, 8)
        for n in range(count * count):
            self._transitions[count * count + n] = exp(self._transitions[n])

    def labels(self):
        """Return the labels of the model."""
        return list(self._labels)

    def tag(self, rows):
        """Return the most likely labels of a sequence, given the features of its elements."""
        cdef Py_ssize_t t, size = len(rows)
        if not size:
            return []
        self._reserve(size)
        self._rows = size
        self._has_marginals = False
        memset(self._states, 0, size * self._count * sizeof(double))
        for t in range(size):
            for feature in rows[t]:
                self._add_feature(feature, self._states + t * self._count)
        return self._best_path()

    def marginal(self, str label, Py_ssize_t i):
        """Return the probability that element `i` of the last sequence has this label."""
        cdef int number = self._numbers[label]
        if not 0 <= i < self._rows:
            raise IndexError(f"The last sequence has no element {i}.")
        if not self._has_marginals:
            self._forward_backward()
            self._has_marginals = True
        cdef Py_ssize_t place = i * self._count + number
        return self._alpha[place] * self._beta[place] / self._scale[i]

    cdef int _reserve(self, Py_ssize_t size) except -1:
        """Have room for a sequence."""
        cdef Py_ssize_t cells = size * self._count
        if size > self._room:
            self._states = <double *> _resized(self._states, cells * sizeof(double))
            self._alpha = <double *> _resized(self._alpha, cells * sizeof(double))
            self._beta = <double *> _resized(self._beta, cells * sizeof(double))
            self._scale = <double *> _resized(self._scale, size * sizeof(double))
            self._back = <int *> _resized(self._back, cells * sizeof(int))
            self._room = size
        return 0

    cdef int _add_feature(self, str feature, double *scores) except -1:
        """Add the weights of a feature to the scores of the labels of its element."""
        cdef Py_ssize_t size
        cdef const char *key = PyUnicode_AsUTF8AndSize(feature, &size)
        cdef const unsigned char *record = self._find(<const unsigned char *> key, size + 1)
        cdef const unsigned char *entry
        cdef const unsigned char *weight
        cdef double value
        cdef uint32_t k
        if record != NULL:
            entry = self._file + _number(self._references + <size_t> 4 * _number(record))
            for k in range(_number(entry)):
                weight = self._features + <size_t> WEIGHT_BYTES * _number(entry + 4 + 4 * k)
                memcpy(&value, weight + 12, 8)
                scores[_number(weight + 8)] += value
        return 0

    cdef const unsigned char *_find(self, const unsigned char *key, Py_ssize_t size) noexcept:
        """Return the record of an attribute, given with the zero behind it; NULL without one."""
        cdef uint32_t value = _hash(key, size)
        cdef const unsigned char *table = self._attributes + DATABASE_BYTES + 8 * (value % TABLES)
        cdef uint32_t count = _number(table + 4), place, offset
        cdef const unsigned char *buckets = self._attributes + _number(table)
        cdef const unsigned char *record
        if not count:
            return NULL
        place = (value >> 8) % count
        while True:
            offset = _number(buckets + <size_t> 8 * place + 4)
            if not offset:
                return NULL
            if _number(buckets + <size_t> 8 * place) == value:
                record = self._attributes + offset
                if _number(record + 4) == size and not memcmp(record + RECORD_BYTES, key, size):
                    return record
            place = (place + 1) % count

    cdef list _best_path(self):
        """Return the labels of the path with the largest score (Viterbi 1967)."""
        cdef Py_ssize_t t
        cdef int i, j, best, count = self._count
        cdef double score, largest
        cdef double *before
        cdef double *now = self._alpha  # reused: the scores of the best paths so far
        memcpy(now, self._states, count * sizeof(double))
        for t in range(1, self._rows):
            before = now
            now = self._alpha + t * count
            for j in range(count):
                best, largest = 0, before[0] + self._transitions[j]
                for i in range(1, count):
                    score = before[i] + self._transitions[i * count + j]
                    if score > largest:
                        best, largest = i, score
                self._back[t * count + j] = best
                now[j] = largest + self._states[t * count + j]
        best = 0
        for j in range(1, count):
            if now[j] > now[best]:
                best = j
        found = [self._labels[best]] * self._rows
        for t in range(self._rows - 1, 0, -1):
            best = self._back[t * count + best]
            found[t - 1] = self._labels[best]
        return found

    cdef void _forward_backward(self) noexcept:
        """Compute the forward and backward scores, scaled at every element (Rabiner 1989)."""
        cdef Py_ssize_t t
        cdef int i, j, count = self._count
        cdef double total, share
        cdef double *transitions = self._transitions + count * count
        cdef double *states
        cdef double *now
        for t in range(self._rows):
            states = self._states + t * count
            share = states[0]
            for j in range(1, count):
                share = max(share, states[j])
            for j in range(count):  # a common factor does not matter, an overflow would
                states[j] = exp(states[j] - share)
            now = self._alpha + t * count
            if t:
                memset(now, 0, count * sizeof(double))
                for i in range(count):
                    share = self._alpha[(t - 1) * count + i]
                    for j in range(count):
                        now[j] += share * transitions[i * count + j]
                for j in range(count):
                    now[j] *= states[j]
            else:
                memcpy(now, states, count * sizeof(double))
            total = 0.0
            for j in range(count):
                total += now[j]
            self._scale[t] = 1.0 / total if total > 0 else 1.0
            for j in range(count):
                now[j] *= self._scale[t]
        for j in range(count):
            self._beta[(self._rows - 1) * count + j] = self._scale[self._rows - 1]
        for t in range(self._rows - 2, -1, -1):
            states = self._states + (t + 1) * count
            now = self._beta + (t + 1) * count
            for i in range(count):
                total = 0.0
                for j in range(count):
                    total += transitions[i * count + j] * states[j] * now[j]
                self._beta[t * count + i] = total * self._scale[t]


cdef void *_resized(void *memory, size_t size) except NULL:
    cdef void *found = realloc(memory, size)
    if found == NULL:
        raise MemoryError
    return found
