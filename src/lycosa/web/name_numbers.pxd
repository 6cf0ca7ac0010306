# Numbers of names: a hash table of a fixed size that refuses what does not fit in. For Cython alone.
#
# Names come from pages, so they are hashed with secrets, which whoever makes a table gives it.

from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy

DEF PLACES = 2048

cdef enum:
    MAX_NAMES = 512
    MAX_NAME_CHARACTERS = 64

cdef struct Name:
    uint64_t hash
    int number
    int length  # 0: the place is free
    char text[MAX_NAME_CHARACTERS]

cdef struct Names:
    Name places[PLACES]
    int count
    uint64_t basis, factor  # the secrets; the second is odd


cdef inline int number_name(Names *names, const char *text, int length) noexcept:
    """Return the number of a name, a new one if it is not known; -1 if there are too many."""
    cdef uint64_t hash = names.basis
    cdef int k
    for k in range(length):
        hash = (hash ^ <unsigned char> text[k]) * names.factor
        hash ^= hash >> 29
    cdef int at = <int> (hash & (PLACES - 1))
    while names.places[at].length:
        if (
            names.places[at].hash == hash
            and names.places[at].length == length
            and not memcmp(names.places[at].text, text, length)
        ):
            return names.places[at].number
        at = (at + 1) & (PLACES - 1)
    if names.count >= MAX_NAMES:
        return -1
    names.places[at].hash = hash
    names.places[at].length = length
    memcpy(names.places[at].text, text, length)
    names.places[at].number = names.count
    names.count += 1
    return names.count - 1
