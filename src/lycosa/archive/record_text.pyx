# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The functions of `record_text.py` in C, which are tested against each other."""

from libc.stdlib cimport free
from libc.string cimport memcpy

from lycosa.growing_buffers cimport Text, reserve, write
from lycosa.python_strings cimport (
    PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE, PyUnicode_AsUTF8AndSize,
    PyUnicode_FromKindAndData,
)

import hashlib
import os

DEF DIGEST_BYTES = 20
DEF DIGEST_CHARACTERS = 5 + 32
DEF ID_CHARACTERS = 36

cdef const char *BASE_32 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
cdef const char *HEXADECIMAL = b"0123456789abcdef"


cdef int write_text(Text *buffer, text) except -1:
    """Write a text whose line breaks become spaces."""
    cdef Py_ssize_t count, k
    cdef const char *data
    cdef char *place
    cdef char one
    cdef bytes encoded
    try:
        data = PyUnicode_AsUTF8AndSize(text, &count)
    except UnicodeEncodeError:
        encoded = text.encode("utf-8", "replace")
        data, count = PyBytes_AS_STRING(encoded), PyBytes_GET_SIZE(encoded)
    place = reserve(buffer, count)
    for k in range(count):
        one = data[k]
        place[k] = 32 if one == 13 or one == 10 or one == 0 else one
    buffer.length += count
    return 0


cdef int write_field(Text *buffer, name, value) except -1:
    write_text(buffer, name)
    write(buffer, b": ", 2)
    return write_text(buffer, value)


def serialise_header(str first_line not None, fields, bytes block=b"", bytes end=b""):
    """Return a WARC or HTTP header with its empty line, then a block and what ends it."""
    cdef Text buffer
    cdef Py_ssize_t head, size = PyBytes_GET_SIZE(block), last = PyBytes_GET_SIZE(end)
    cdef char *place
    buffer.data, buffer.kind, buffer.length, buffer.room = NULL, 1, 0, 0
    try:
        write_text(&buffer, first_line)
        for name, value in fields:
            write(&buffer, b"\r\n", 2)
            write_field(&buffer, name, value)
        write(&buffer, b"\r\n\r\n", 4)
        head = buffer.length
        found = PyBytes_FromStringAndSize(NULL, head + size + last)
        place = PyBytes_AS_STRING(found)
        memcpy(place, buffer.data, head)
        memcpy(place + head, PyBytes_AS_STRING(block), size)
        memcpy(place + head + size, PyBytes_AS_STRING(end), last)
        return found
    finally:
        free(buffer.data)


def serialise_lines(fields):
    """Return lines of `name: value`; line breaks in values become spaces."""
    cdef Text buffer
    buffer.data, buffer.kind, buffer.length, buffer.room = NULL, 1, 0, 0
    try:
        for name, value in fields:
            write_field(&buffer, name, value)
            write(&buffer, b"\r\n", 2)
        return PyBytes_FromStringAndSize(buffer.data, buffer.length)
    finally:
        free(buffer.data)


def digest_of(data):
    """Return the digest of some bytes as WARC writes it."""
    cdef bytes sha1 = hashlib.sha1(data, usedforsecurity=False).digest()
    cdef const unsigned char *source = <const unsigned char *> PyBytes_AS_STRING(sha1)
    cdef char text[DIGEST_CHARACTERS]
    cdef unsigned long long bits
    cdef int group, digit
    memcpy(text, b"sha1:", 5)
    for group in range(DIGEST_BYTES // 5):
        bits = 0
        for digit in range(5):
            bits = bits << 8 | source[5 * group + digit]
        for digit in range(8):
            text[5 + 8 * group + digit] = BASE_32[bits >> 5 * (7 - digit) & 31]
    return PyUnicode_FromKindAndData(1, text, DIGEST_CHARACTERS)


def random_id():
    """Return a random UUID (RFC 9562, version 4) as text."""
    cdef bytes drawn = os.urandom(16)
    cdef const unsigned char *source = <const unsigned char *> PyBytes_AS_STRING(drawn)
    cdef char text[ID_CHARACTERS]
    cdef int k, at = 0
    cdef unsigned char one
    for k in range(16):
        if k == 4 or k == 6 or k == 8 or k == 10:
            text[at] = 45  # -
            at += 1
        one = source[k]
        if k == 6:
            one = one & 15 | 64
        elif k == 8:
            one = one & 63 | 128
        text[at], text[at + 1] = HEXADECIMAL[one >> 4], HEXADECIMAL[one & 15]
        at += 2
    return PyUnicode_FromKindAndData(1, text, ID_CHARACTERS)
