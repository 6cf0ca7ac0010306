# Buffers that grow: numbers on a stack, and text of the width of a string. For Cython alone.
#
# A buffer is empty when all of it is 0. Its owner frees the memory: `items`, `data`.

from libc.stdlib cimport realloc
from libc.string cimport memcpy

from lycosa.python_strings cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ, PyUnicode_WRITE,
)

cdef struct Stack:
    Py_ssize_t *items
    Py_ssize_t count, room


cdef inline int push(Stack *stack, Py_ssize_t item) except -1:
    cdef Py_ssize_t room
    cdef Py_ssize_t *items
    if stack.count == stack.room:
        room = 2 * stack.room + 32
        items = <Py_ssize_t *> realloc(stack.items, room * sizeof(Py_ssize_t))
        if items == NULL:
            raise MemoryError
        stack.items, stack.room = items, room
    stack.items[stack.count] = item
    stack.count += 1
    return 0


cdef struct Text:
    char *data
    int kind  # bytes of a character
    Py_ssize_t length, room  # in characters


cdef inline char *reserve(Text *text, Py_ssize_t count) except NULL:
    """Make room for so many more characters; return where they go."""
    cdef Py_ssize_t room
    cdef char *data
    if text.data == NULL or text.length + count > text.room:
        room = 2 * (text.length + count) + 256
        data = <char *> realloc(text.data, room * text.kind)
        if data == NULL:
            raise MemoryError
        text.data, text.room = data, room
    return text.data + text.length * text.kind


cdef inline int write(Text *text, const char *data, Py_ssize_t count) except -1:
    """Write characters that have the same width."""
    memcpy(reserve(text, count), data, count * text.kind)
    text.length += count
    return 0


cdef inline int write_string(Text *text, str string) except -1:
    """Write a string that has no wider characters than the text."""
    cdef int kind = PyUnicode_KIND(string)
    cdef void *data = PyUnicode_DATA(string)
    cdef Py_ssize_t k, count = PyUnicode_GET_LENGTH(string)
    reserve(text, count)
    for k in range(count):
        PyUnicode_WRITE(text.kind, text.data, text.length + k, PyUnicode_READ(kind, data, k))
    text.length += count
    return 0


cdef inline int write_space(Text *text) except -1:
    reserve(text, 1)
    PyUnicode_WRITE(text.kind, text.data, text.length, ' ')
    text.length += 1
    return 0
