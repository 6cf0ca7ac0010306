# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Correlation clustering: `correlation_clustering.py` with the pairs in a hash table of C."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc, realloc

CERTAIN = 1 << 40

cdef int64_t EXACT = <int64_t> 1 << 53  # integers below are doubles

ctypedef struct Pair:
    uint64_t key  # of the two clusters; the first is the lesser
    int64_t total
    int32_t count  # 0: the place is free, -1: the pair was here
    int32_t changes  # how often it was changed: an older entry of the heap is not valid

ctypedef struct Entry:
    double average  # with the other sign: the least is the first
    int32_t i, j
    int32_t changes

ctypedef struct Neighbours:
    int32_t *nodes  # with some that are gone
    int32_t size, room


cdef void *enough(void *old, size_t size) except NULL:
    cdef void *found = realloc(old, size)
    if found == NULL:
        raise MemoryError
    return found


cdef class Clusters:
    """The pairs of clusters that have weights, a heap of the positive ones, and who is near whom."""

    cdef Pair *pairs
    cdef int64_t used, room  # places of the table, with those of pairs that were here
    cdef Entry *heap
    cdef int64_t entries, heap_room
    cdef Neighbours *near
    cdef int32_t *degrees
    cdef int64_t size

    def __cinit__(self, int64_t size):
        cdef int64_t k
        self.size = size
        self.near = <Neighbours *> enough(NULL, (size + 1) * sizeof(Neighbours))
        for k in range(size):
            self.near[k].nodes, self.near[k].size, self.near[k].room = NULL, 0, 0
        self.degrees = <int32_t *> enough(NULL, (size + 1) * sizeof(int32_t))
        for k in range(size):
            self.degrees[k] = 0
        self._make_table(64)

    def __dealloc__(self):
        cdef int64_t k
        if self.near != NULL:
            for k in range(self.size):
                free(self.near[k].nodes)
        free(self.near)
        free(self.degrees)
        free(self.pairs)
        free(self.heap)

    cdef int _make_table(self, int64_t room) except -1:
        cdef int64_t k
        self.pairs = <Pair *> enough(NULL, room * sizeof(Pair))
        for k in range(room):
            self.pairs[k].count = 0
        self.room, self.used = room, 0

    cdef int64_t _place(self, uint64_t key) noexcept:
        """Return where a pair is in the table, or where it would be."""
        cdef uint64_t mask = self.room - 1
        cdef uint64_t at = key * <uint64_t> 0x9E3779B97F4A7C15U
        at = (at ^ (at >> 32)) & mask
        while self.pairs[at].count != 0 and (
            self.pairs[at].count < 0 or self.pairs[at].key != key
        ):
            at = (at + 1) & mask
        return at

    cdef int _grow(self) except -1:
        """Make the table larger, and leave out what is gone."""
        cdef Pair *old = self.pairs
        cdef int64_t k, at, was = self.room, live = 0
        for k in range(was):
            live += old[k].count > 0
        self._make_table(max(64, 4 * live) if live * 4 > was else was)
        while self.room & (self.room - 1):  # a power of two
            self.room &= self.room - 1
        for k in range(was):
            if old[k].count > 0:
                at = self._place(old[k].key)
                self.pairs[at] = old[k]
                self.used += 1
        free(old)

    cdef uint64_t _key(self, int64_t i, int64_t j) noexcept:
        return i * self.size + j if i < j else j * self.size + i

    cdef int64_t find(self, int64_t i, int64_t j) noexcept:
        """Return the place of a pair; -1 if it has no weight."""
        cdef int64_t at = self._place(self._key(i, j))
        return at if self.pairs[at].count > 0 else -1

    cdef int64_t add(self, int64_t i, int64_t j) except -1:
        """Return the place of a pair that has no weight yet."""
        cdef int64_t at
        if 10 * (self.used + 1) > 7 * self.room:
            self._grow()
        at = self._place(self._key(i, j))
        self.pairs[at].key, self.pairs[at].changes = self._key(i, j), 0
        self.used += 1
        self._append(i, j)
        self._append(j, i)
        return at

    cdef int _append(self, int64_t i, int64_t j) except -1:
        cdef Neighbours *near = &self.near[i]
        if near.size == near.room:
            near.room = 2 * near.room + 4
            near.nodes = <int32_t *> enough(near.nodes, near.room * sizeof(int32_t))
        near.nodes[near.size] = j
        near.size += 1
        self.degrees[i] += 1

    cdef int remove(self, int64_t at, int64_t i, int64_t j) except -1:
        self.pairs[at].count = -1
        self.degrees[i] -= 1
        self.degrees[j] -= 1

    cdef int push(self, int64_t i, int64_t j, Pair *pair) except -1:
        """Add a pair to the heap if its weight is positive."""
        cdef Entry entry
        cdef int64_t at, above
        if pair.total <= 0:
            return 0
        if self.entries == self.heap_room:
            self.heap_room = 2 * self.heap_room + 64
            self.heap = <Entry *> enough(self.heap, self.heap_room * sizeof(Entry))
        if pair.total < EXACT:
            entry.average = -(<double> pair.total / <double> pair.count)
        else:
            entry.average = -(<object> pair.total / <object> pair.count)
        entry.i, entry.j = (i, j) if i < j else (j, i)
        entry.changes = pair.changes
        at = self.entries
        self.entries += 1
        while at:
            above = (at - 1) >> 1
            if not _precedes(&entry, &self.heap[above]):
                break
            self.heap[at] = self.heap[above]
            at = above
        self.heap[at] = entry

    cdef Entry pop(self) noexcept:
        """Return the first entry of the heap, and remove it."""
        cdef Entry found = self.heap[0], last
        cdef int64_t at = 0, below = 1
        self.entries -= 1
        last = self.heap[self.entries]
        while below < self.entries:
            if below + 1 < self.entries and _precedes(&self.heap[below + 1], &self.heap[below]):
                below += 1
            if not _precedes(&self.heap[below], &last):
                break
            self.heap[at] = self.heap[below]
            at, below = below, 2 * below + 1
        self.heap[at] = last
        return found


cdef bint _precedes(Entry *one, Entry *two) noexcept:
    if one.average != two.average:
        return one.average < two.average
    return one.i < two.i or (one.i == two.i and one.j < two.j)


def cluster_greedily(size, weights, constraints=None):
    """Return the cluster of each of `size` nodes; a cluster has the number of its least node.

    Weights are triples of two nodes and an integer. All weights together are below 2**63.
    """
    cdef Clusters clusters = Clusters(size)
    cdef int64_t i, j, k, at, other, weight, n
    cdef Pair both
    cdef Entry first
    for i, j, weight in weights:
        if not (0 <= i < clusters.size and 0 <= j < clusters.size and i != j):
            raise IndexError("a weight is that of two of the nodes")
        at = clusters.find(i, j)
        if at < 0:
            at = clusters.add(i, j)
        clusters.pairs[at].total, clusters.pairs[at].count = weight, 1
        clusters.pairs[at].changes += 1
        clusters.push(i, j, &clusters.pairs[at])
    into = list(range(size))
    while clusters.entries:
        first = clusters.pop()
        i, j = first.i, first.j
        at = clusters.find(i, j)
        if at < 0 or clusters.pairs[at].changes != first.changes:
            continue  # merged or changed since
        if constraints is not None and clusters.pairs[at].total < CERTAIN // 2:
            if not constraints.allow(i, j):
                continue
        if clusters.degrees[i] < clusters.degrees[j]:
            i, j = j, i
        into[j] = i
        if constraints is not None:
            constraints.join(i, j)
        clusters.remove(at, i, j)
        for n in range(clusters.near[j].size):
            k = clusters.near[j].nodes[n]
            at = clusters.find(j, k)
            if at < 0:  # it is gone
                continue
            both = clusters.pairs[at]
            clusters.remove(at, j, k)
            other = clusters.find(i, k)
            if other < 0:
                other = clusters.add(i, k)
                clusters.pairs[other].total, clusters.pairs[other].count = 0, 0
            clusters.pairs[other].total += both.total
            clusters.pairs[other].count += both.count
            clusters.pairs[other].changes += 1
            clusters.push(i, k, &clusters.pairs[other])
        free(clusters.near[j].nodes)
        clusters.near[j].nodes, clusters.near[j].size, clusters.near[j].room = NULL, 0, 0
    return _least_members(into)


def _least_members(into):
    least = {}
    clusters = []
    for node in range(len(into)):
        root = node
        while into[root] != root:
            into[root] = into[into[root]]
            root = into[root]
        clusters.append(least.setdefault(root, node))
    return clusters
