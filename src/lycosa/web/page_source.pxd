# Tags, comments and raw text in the source of a page: where each ends. For Cython alone.

from lycosa.python_strings cimport PyUnicode_FindChar, PyUnicode_GET_LENGTH, PyUnicode_READ
from lycosa.web.name_numbers cimport MAX_NAME_CHARACTERS, Names, number_name


cdef inline bint is_blank(unsigned int code) noexcept:
    return code == 32 or code == 10 or code == 9 or code == 13 or code == 12


cdef inline bint is_odd(unsigned int code) noexcept:
    """Return whether a character outside of values may be a blank for one, and none for another."""
    return code > 126 or code < 32 and not is_blank(code)


cdef inline bint is_letter(unsigned int code) noexcept:
    return 65 <= code <= 90 or 97 <= code <= 122


cdef inline Py_ssize_t raw_end(
    str html, int kind, void *data, Py_ssize_t at, const char *name, int length
) except -2:
    """Return where the end tag of raw text is: the size if it has none, -1 if that is unknown."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html)
    cdef unsigned int code
    cdef int k
    while True:
        at = PyUnicode_FindChar(html, '<', at, size, 1)
        if at < 0 or at + length + 2 >= size:
            return size
        at += 1
        if PyUnicode_READ(kind, data, at) != '/':
            continue
        for k in range(length + 1):
            code = PyUnicode_READ(kind, data, at + 1 + k)
            if is_odd(code):
                return -1
            if k < length and code | 32 != <unsigned int> name[k]:
                break
        else:
            if code == '>' or code == '/' or is_blank(code):
                return at - 1


cdef inline Py_ssize_t comment_end(
    str html, int kind, void *data, Py_ssize_t at
) except -2:
    """Return the place after a comment whose text begins at `at`; the size if it has no end."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html)
    at += 2
    while at < size:
        at = PyUnicode_FindChar(html, '>', at, size, 1)
        if at < 0:
            break
        at += 1
        if PyUnicode_READ(kind, data, at - 2) == '-' and PyUnicode_READ(kind, data, at - 3) == '-':
            return at
    return size


cdef inline Py_ssize_t tag_end(
    str html, int kind, void *data, Py_ssize_t at, Names *names, int max_attributes,
    bint *is_self_closing,
) except -2:
    """Return the place after a tag whose name ends at `at`; -1 if the tag is unusual."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html)
    cdef char name[MAX_NAME_CHARACTERS]
    cdef int length, attributes = 0
    cdef unsigned int code
    is_self_closing[0] = False
    while at < size:
        code = PyUnicode_READ(kind, data, at)
        if code == '>':
            return at + 1
        is_self_closing[0] = code == '/'
        if code == '/' or is_blank(code):
            at += 1
            continue
        attributes += 1
        if attributes > max_attributes:
            return -1
        length = 0
        while True:
            if is_odd(code) or length == MAX_NAME_CHARACTERS:
                return -1
            name[length] = <char> code
            length += 1
            at += 1
            if at >= size:
                return -1
            code = PyUnicode_READ(kind, data, at)
            if code == '=' or code == '>' or code == '/' or is_blank(code):
                break
        if number_name(names, name, length) < 0:
            return -1
        while is_blank(code) and at + 1 < size:
            at += 1
            code = PyUnicode_READ(kind, data, at)
        if code != '=':
            continue
        at += 1
        while at < size and is_blank(PyUnicode_READ(kind, data, at)):
            at += 1
        if at >= size:
            return -1
        code = PyUnicode_READ(kind, data, at)
        if code == '"' or code == "'":
            at = PyUnicode_FindChar(html, code, at + 1, size, 1) + 1
            if at <= 0:
                return -1
            continue
        while at < size:
            code = PyUnicode_READ(kind, data, at)
            if code == '>' or is_blank(code):
                break
            if is_odd(code):
                return -1
            at += 1
    return -1
