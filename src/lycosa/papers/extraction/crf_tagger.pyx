# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Inference in a conditional random field, without CRFsuite: `crf_tagger.py` in C.

The model file (`crfsuite_file` describes it) has the name of a feature, the numbers of its
weights and the weights in three places, which are not in the cache of the processor when the
words of the next document are labelled. So an index is made of it, in some milliseconds: a hash
table of entries that have a name with its weights. The features of a row are looked up together:
while the entry of one is fetched from memory, the next one is found.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.math cimport exp
from libc.stdint cimport uint16_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy, memset

from lycosa.papers.extraction.crfsuite_file import read_labels, read_offsets

cdef enum:
    CHUNK_BYTES = 12  # the head of a chunk: its name, its size, the number of its entries
    WEIGHT_BYTES = 20  # kind, source, target, and the weight itself
    DATABASE_BYTES = 24  # the head of a constant database
    TABLES = 256  # hash tables of a constant database
    RECORD_BYTES = 8  # the number of a string and its size, which stand before it
    AT_ONCE = 64  # features that are looked up together


cdef extern from *:
    """
    #if defined(__GNUC__)
    #define lycosa_prefetch(place) __builtin_prefetch(place)
    #else
    #define lycosa_prefetch(place)
    #endif
    """
    void lycosa_prefetch(const void *) noexcept


cdef struct Slot:
    uint32_t hash
    uint32_t place  # of the entry, in units of 8 bytes; 0: the slot is free


cdef struct Entry:
    # Followed by the name with a zero, the labels, and at a multiple of 8 bytes the weights.
    uint32_t size, count  # bytes of the name, weights


cdef inline size_t _labels_at(uint32_t size) noexcept:
    """Return where the labels of an entry begin."""
    return sizeof(Entry) + size + (size & 1)


cdef inline size_t _weights_at(uint32_t size, uint32_t count) noexcept:
    """Return where the weights of an entry begin."""
    return (_labels_at(size) + count * sizeof(uint16_t) + 7) & ~<size_t> 7


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

    cdef const unsigned char *_file  # while the model is read
    cdef const unsigned char *_features
    cdef char *_entries
    cdef Slot *_slots
    cdef uint32_t _mask  # one less than the number of slots
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
        self._entries, self._slots, self._back = NULL, NULL, NULL
        self._rows = self._room = 0

    def __dealloc__(self):
        free(self._transitions)
        free(self._states)
        free(self._alpha)
        free(self._beta)
        free(self._scale)
        free(self._back)
        free(self._entries)
        free(self._slots)

    def __init__(self, bytes model):
        offsets = read_offsets(model)
        self._file = model
        self._features = self._file + <size_t> offsets.features + CHUNK_BYTES
        self._labels = read_labels(model)
        self._numbers = {label: n for n, label in enumerate(self._labels)}
        self._count = len(self._labels)
        self._transitions = <double *> _resized(
            self._transitions, 2 * self._count * self._count * sizeof(double)
        )
        self._read_transitions(self._file + <size_t> offsets.label_weights + CHUNK_BYTES)
        self._make_index(
            self._file + <size_t> offsets.attributes,
            self._file + <size_t> offsets.attribute_weights + CHUNK_BYTES,
        )
        self._file = self._features = NULL

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

    cdef int _make_index(
        self, const unsigned char *attributes, const unsigned char *references
    ) except -1:
        """Make entries of the constant database of attributes, and slots that lead to them."""
        cdef const unsigned char *table
        cdef const unsigned char *bucket
        cdef const unsigned char *record
        cdef const unsigned char *numbers
        cdef Py_ssize_t turn, n
        cdef uint32_t k, size, count, names = 0, at
        cdef size_t end = 8  # place 0 is that of a free slot
        for turn in range(2):  # at first the sizes are added up
            if turn:
                self._mask = 1
                while self._mask < 2 * names:
                    self._mask = 2 * self._mask + 1
                self._entries = <char *> _resized(self._entries, end)
                self._slots = <Slot *> _resized(self._slots, (self._mask + 1) * sizeof(Slot))
                memset(self._slots, 0, (self._mask + 1) * sizeof(Slot))
                end = 8
            for n in range(TABLES):
                table = attributes + DATABASE_BYTES + 8 * n
                for k in range(_number(table + 4)):
                    bucket = attributes + _number(table) + <size_t> 8 * k
                    if not _number(bucket + 4):
                        continue
                    record = attributes + _number(bucket + 4)
                    size = _number(record + 4)
                    numbers = self._file + _number(references + <size_t> 4 * _number(record))
                    count = _number(numbers)
                    if turn:
                        at = _number(bucket) & self._mask
                        while self._slots[at].place:
                            at = (at + 1) & self._mask
                        self._slots[at] = Slot(_number(bucket), <uint32_t> (end // 8))
                        self._make_entry(
                            self._entries + end, record + RECORD_BYTES, size, numbers + 4, count
                        )
                    end += _weights_at(size, count) + count * sizeof(double)
                    names += 1
        return 0

    cdef void _make_entry(
        self, char *place, const unsigned char *name, uint32_t size,
        const unsigned char *numbers, uint32_t count,
    ) noexcept:
        cdef uint16_t *labels = <uint16_t *> (place + _labels_at(size))
        cdef double *weights = <double *> (place + _weights_at(size, count))
        cdef const unsigned char *weight
        cdef uint32_t k
        (<Entry *> place).size, (<Entry *> place).count = size, count
        memcpy(place + sizeof(Entry), name, size)
        for k in range(count):
            weight = self._features + <size_t> WEIGHT_BYTES * _number(numbers + 4 * k)
            labels[k] = <uint16_t> _number(weight + 8)
            memcpy(&weights[k], weight + 12, 8)

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
            self._add_features(rows[t], self._states + t * self._count)
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

    cdef int _add_features(self, list features, double *scores) except -1:
        """Add the weights of features to the scores of the labels of their element."""
        cdef const char *names[AT_ONCE]
        cdef uint32_t[AT_ONCE] sizes
        cdef uint32_t[AT_ONCE] hashes
        cdef Py_ssize_t size, first, k, count
        cdef uint32_t at
        for first in range(0, len(features), AT_ONCE):
            count = min(len(features) - first, AT_ONCE)
            for k in range(count):
                names[k] = PyUnicode_AsUTF8AndSize(features[first + k], &size)
                sizes[k] = <uint32_t> size + 1  # with the zero at its end
                hashes[k] = _hash(<const unsigned char *> names[k], size + 1)
                lycosa_prefetch(&self._slots[hashes[k] & self._mask])
            for k in range(count):
                at = hashes[k] & self._mask
                while self._slots[at].place and self._slots[at].hash != hashes[k]:
                    at = (at + 1) & self._mask
                lycosa_prefetch(self._entries + <size_t> 8 * self._slots[at].place)
            for k in range(count):
                self._add_weights(names[k], sizes[k], hashes[k], scores)
        return 0

    cdef void _add_weights(
        self, const char *name, uint32_t size, uint32_t hash, double *scores
    ) noexcept:
        """Add the weights of a feature, if it has some."""
        cdef uint32_t at = hash & self._mask, k
        cdef char *entry
        cdef uint16_t *labels
        cdef double *weights
        while self._slots[at].place:
            if self._slots[at].hash == hash:
                entry = self._entries + <size_t> 8 * self._slots[at].place
                if (<Entry *> entry).size == size and not memcmp(entry + sizeof(Entry), name, size):
                    labels = <uint16_t *> (entry + _labels_at(size))
                    weights = <double *> (entry + _weights_at(size, (<Entry *> entry).count))
                    for k in range((<Entry *> entry).count):
                        scores[labels[k]] += weights[k]
                    return
            at = (at + 1) & self._mask

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
