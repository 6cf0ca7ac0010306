# The order of numbers in a set of Python, without an object for each. For Cython alone.
#
# CPython keeps the entries of a set in a table of 2**k slots (Objects/setobject.c): a number is
# its own hash, and the order is that of the slots. `link_rows.pyx` uses this only after it has
# seen that it gives what a set gives.

from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memset

DEF LINEAR_PROBES = 9
DEF PERTURB_SHIFT = 5
DEF FEWEST_SLOTS = 8
DEF MOST_SLOTS = 2048
cdef enum:
    MOST_NUMBERS = 1228  # that these slots hold: three in five of them


cdef inline uint32_t *slot_of(uint32_t *slots, uint32_t number, size_t mask) noexcept:
    """Return the slot of a number: that which has it, or the empty one where it goes."""
    cdef size_t perturb = number, at = number & mask, probe, probes
    while True:
        probes = LINEAR_PROBES if at + LINEAR_PROBES <= mask else 0
        for probe in range(probes + 1):
            if not slots[at + probe] or slots[at + probe] == number + 1:
                return slots + at + probe
        perturb >>= PERTURB_SHIFT
        at = (at * 5 + 1 + perturb) & mask


cdef inline Py_ssize_t read_slots(uint32_t *slots, size_t mask, uint16_t *to) noexcept:
    """Copy the numbers in the order of their slots; return how many there are."""
    cdef Py_ssize_t count = 0
    cdef size_t at
    for at in range(mask + 1):
        if slots[at]:
            to[count] = <uint16_t> (slots[at] - 1)
            count += 1
    return count


cdef inline Py_ssize_t order_as_set(uint16_t *numbers, Py_ssize_t count, uint16_t *to) noexcept:
    """Write the distinct numbers in the order of a set that they were added to; count them.

    There must not be more than `MOST_NUMBERS`, and room for all of them.
    """
    cdef uint32_t[MOST_SLOTS] slots
    cdef uint32_t *slot
    cdef size_t mask = FEWEST_SLOTS - 1, size
    cdef Py_ssize_t used = 0, k, other
    memset(slots, 0, FEWEST_SLOTS * sizeof(uint32_t))
    for k in range(count):
        slot = slot_of(slots, numbers[k], mask)
        if slot[0]:
            continue
        slot[0] = <uint32_t> numbers[k] + 1
        used += 1
        if <size_t> used * 5 < mask * 3:
            continue
        read_slots(slots, mask, to)
        size = FEWEST_SLOTS
        while size <= <size_t> used * 4:
            size <<= 1
        mask = size - 1
        memset(slots, 0, size * sizeof(uint32_t))
        for other in range(used):
            slot_of(slots, to[other], mask)[0] = <uint32_t> to[other] + 1
    return read_slots(slots, mask, to)
