# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Check of limits: `OpenElements` and `html_limits` in C, for pages that they do not change.

The elements that are open are numbers, and the sets of `open_elements` are rows of bytes by
these numbers. Whatever is unusual is left to `html_limits`: a page for which True is returned
is one that it returns as it is. The two modules are tested against each other.
"""

import os

from libc.string cimport memcpy, memset

from lycosa.python_strings cimport (
    PyUnicode_DATA, PyUnicode_FindChar, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ,
)
from lycosa.web.name_numbers cimport MAX_NAME_CHARACTERS, Names, number_name
from lycosa.web.page_source cimport comment_end, is_blank, is_letter, is_odd, raw_end, tag_end

from lycosa.web import open_elements as rules

# The elements that this module can follow; pages with more are left to the other one.
DEF MAX_OPEN = 256
# Links and raw text are opened at any depth, but not one in another.
DEF ROOM = MAX_OPEN + 16
DEF MAX_KNOWN = 160

# What an element is.
DEF VOID = 1
DEF FORMATTING = 2
DEF ROOT = 4
DEF IGNORED = 8
DEF RAW = 16
DEF FOREIGN = 32
DEF TABLE_PART = 64
DEF CLOSES_TOP = 128
DEF CLOSES = 256
DEF TAKEN_AWAY = 512

ctypedef unsigned char Row[MAX_KNOWN + 1]  # the last column is that of all other names

cdef int kind_of[MAX_KNOWN + 1]
cdef Row end_blocking[MAX_KNOWN + 1]
cdef Row closed[MAX_KNOWN + 1]
cdef Row closing_blocking[MAX_KNOWN + 1]
cdef Row of_tables
cdef Names known_names
cdef int unknown  # the number from which on names are not in any set
cdef int number_of_a, number_of_table, number_of_frameset, number_of_plaintext

# Secrets of this process.
known_names.basis = int.from_bytes(os.urandom(8), "little")
known_names.factor = int.from_bytes(os.urandom(8), "little") | 1


cdef void fill(unsigned char *row, names):
    memset(row, 0, MAX_KNOWN + 1)
    for name in names:
        data = name.encode()
        row[number_name(&known_names, data, len(data))] = 1


def _prepare():
    """Write the rules of `open_elements` into rows."""
    global unknown, number_of_a, number_of_table, number_of_frameset, number_of_plaintext
    kinds = {
        VOID: rules._VOID, FORMATTING: rules._FORMATTING, ROOT: rules._ROOTS,
        IGNORED: rules._IGNORED, RAW: rules.RAW, FOREIGN: rules._FOREIGN,
        TABLE_PART: rules._TABLE_PARTS, CLOSES_TOP: rules._CLOSES_TOP, CLOSES: rules._CLOSES,
        TAKEN_AWAY: ("a", "form"), 0: rules._NOT_FOREIGN | rules._SCOPES,
    }
    names = sorted({name for some in kinds.values() for name in some} | {"option"})
    cdef int number
    for name in names:
        data = name.encode()
        number = number_name(&known_names, data, len(data))
        assert number < MAX_KNOWN
        kind_of[number] = sum(kind for kind, some in kinds.items() if name in some)
    unknown = len(names)
    kind_of[unknown] = 0
    for number, name in enumerate([*names, ""]):
        fill(end_blocking[number], rules._BLOCKING.get(name, rules._SPECIAL))
        siblings, blocking = rules._CLOSES.get(name, ((), ()))
        fill(closing_blocking[number], blocking)
        fill(closed[number], (
            *siblings, *rules._CLOSES_TOP.get(name, ()), *rules._CLOSES_PARTS.get(name, ()),
        ))
    fill(of_tables, rules._TABLE_SCOPES)
    number_of_a, number_of_table = names.index("a"), names.index("table")
    number_of_frameset, number_of_plaintext = names.index("frameset"), names.index("plaintext")
    # The scope of what is taken away is that of blocks.
    for name in ("a", "form"):
        fill(end_blocking[names.index(name)], rules._SCOPES)


_prepare()

cdef int MAX_UNCLOSED = rules.MAX_UNCLOSED
cdef int MAX_ROOTS = rules.MAX_ROOTS


cdef class _Elements:
    """`OpenElements`, for tags that are kept: `start` and `end` are False for all others.

    Here are the tables of names as well, which are too large for the stack of a thread.
    """

    cdef Names elements, attributes
    cdef int names[ROOM]
    cdef int unclosed[16]
    cdef int depth, max_depth, formatting, foreign, roots

    def __cinit__(self, int max_depth):
        self.max_depth = max_depth
        memcpy(&self.elements, &known_names, sizeof(Names))

    cdef inline int row(self, int name) noexcept:
        return name if name < unknown else unknown

    cdef void cut(self, int at) noexcept:
        while self.depth > at:
            self.depth -= 1
            self.foreign -= (kind_of[self.row(self.names[self.depth])] & FOREIGN) != 0

    cdef bint push(self, int name, int limit) noexcept:
        if self.depth >= limit:
            return False
        self.names[self.depth] = name
        self.depth += 1
        self.foreign += (kind_of[self.row(name)] & FOREIGN) != 0
        return True

    cdef bint has(self, int name) noexcept:
        cdef int at
        for at in range(self.depth):
            if self.names[at] == name:
                return True
        return False

    cdef int find(self, int name, unsigned char *blocking) noexcept:
        """Return the place of the innermost element of a name; -1 if another is in the way."""
        cdef int at = self.depth - 1
        while at >= 0:
            if self.names[at] == name:
                return at
            if blocking[self.row(self.names[at])]:
                return -1
            at -= 1
        return -1

    cdef int find_any(self, unsigned char *some, unsigned char *blocking) noexcept:
        cdef int at = self.depth - 1
        while at >= 0:
            if some[self.row(self.names[at])]:
                return at
            if blocking[self.row(self.names[at])]:
                return -1
            at -= 1
        return -1

    cdef bint start(self, int name, bint self_closing) noexcept:
        cdef int row = self.row(name)
        cdef int kind = kind_of[row]
        cdef int at
        if kind & FORMATTING:
            if self.formatting >= MAX_UNCLOSED:
                return False
            self.unclosed[self.formatting] = name
            self.formatting += 1
            return True
        if kind & ROOT:
            self.roots += 1
            return self.roots <= MAX_ROOTS
        if self.foreign and self_closing:
            return True
        if kind & RAW:
            if self.foreign or self.has(number_of_frameset):
                return False
            return self.push(name, ROOM)
        if not self.foreign:
            if kind & (VOID | IGNORED):
                return True
            if kind & TABLE_PART:
                at = self.find(number_of_table, of_tables)
                if at < 0:
                    return False
                at += 1
                while at < self.depth and not closed[row][self.row(self.names[at])]:
                    at += 1
                self.cut(at)
                return self.push(name, self.max_depth)
            if kind & CLOSES_TOP:
                if self.depth and closed[row][self.row(self.names[self.depth - 1])]:
                    self.cut(self.depth - 1)
            elif kind & CLOSES:
                at = self.find_any(closed[row], closing_blocking[row])
                if at >= 0:
                    self.cut(at)
            if name == number_of_a:
                return self.push(name, ROOM)
        return self.push(name, self.max_depth)

    cdef bint end(self, int name) noexcept:
        cdef int row = self.row(name)
        cdef int kind = kind_of[row]
        cdef int at
        if self.depth and self.names[self.depth - 1] == name and not kind & VOID:
            self.cut(self.depth - 1)
            return True
        if kind & FORMATTING:
            for at in range(self.formatting):
                if self.unclosed[at] == name:
                    self.formatting -= 1
                    while at < self.formatting:
                        self.unclosed[at] = self.unclosed[at + 1]
                        at += 1
                    break
            return True
        if kind & ROOT:
            self.roots += 1
            return self.roots <= MAX_ROOTS
        if kind & VOID:
            return True
        at = self.find(name, end_blocking[row])
        if at < 0:
            return not self.has(name)
        if kind & TAKEN_AWAY:
            self.depth -= 1
            while at < self.depth:
                self.names[at] = self.names[at + 1]
                at += 1
        else:
            self.cut(at)
        return True


def is_within_limits(str html not None, int depth, int attributes, int start_tags):
    """Return True if the limits are known to change nothing; see `limit_check.py`."""
    cdef int kind = PyUnicode_KIND(html)
    cdef void *data = PyUnicode_DATA(html)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html), at = 0
    cdef unsigned int code
    cdef int length, name, starts = 0
    cdef bint is_end, is_self_closing = False
    cdef char text[MAX_NAME_CHARACTERS]
    cdef _Elements elements = _Elements(min(depth, MAX_OPEN))
    while True:
        at = PyUnicode_FindChar(html, '<', at, size, 1) + 1
        if at <= 0 or at + 1 >= size:
            return True
        code = PyUnicode_READ(kind, data, at)
        if (
            code == '!'
            and at + 2 < size
            and PyUnicode_READ(kind, data, at + 1) == '-'
            and PyUnicode_READ(kind, data, at + 2) == '-'
        ):
            at = comment_end(html, kind, data, at + 3)
            continue
        is_end = code == '/'
        if is_end:
            at += 1
            code = PyUnicode_READ(kind, data, at)
        if not is_letter(code):
            continue
        length = 0
        while code != '>' and code != '/' and not is_blank(code):
            if is_odd(code) or length == MAX_NAME_CHARACTERS:
                return False
            text[length] = <char> (code | 32 if is_letter(code) else code)
            length += 1
            at += 1
            if at >= size:
                return False
            code = PyUnicode_READ(kind, data, at)
        name = number_name(&elements.elements, text, length)
        at = tag_end(
            html, kind, data, at, &elements.attributes, attributes, &is_self_closing
        )
        if name < 0 or at < 0:
            return False
        if is_end:
            if not elements.end(name):
                return False
            continue
        starts += 1
        if starts > start_tags or not elements.start(name, is_self_closing):
            return False
        if name < unknown and kind_of[name] & RAW:
            if name == number_of_plaintext:
                return True
            at = raw_end(html, kind, data, at, text, length)
            if at < 0:
                return False
