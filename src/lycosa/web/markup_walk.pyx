# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The walk of `markup_walk.py` in C: tags are places in the markup, and not strings.

The text is written into one buffer of the width of the markup. The two modules are tested
against each other.
"""

from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

from lycosa.web import markup as tags
from lycosa.web.markup import (
    OTHER_LINKS,
    AmbiguousMarkup,
    attributes_of,
    escaped_attributes,
    unescape,
)
from lycosa.web.outline import (
    MAX_CLASS_CHARACTERS,
    MAX_ID_CHARACTERS,
    extend_path,
    is_nofollow,
    label_of,
    path_label,
)
from lycosa.web.words import SPACED_MARK

from lycosa.web.outline cimport Outline

cdef extern from "Python.h":
    int PyUnicode_KIND(object)
    void *PyUnicode_DATA(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    unsigned int PyUnicode_READ(int, void *, Py_ssize_t) noexcept
    void PyUnicode_WRITE(int, void *, Py_ssize_t, unsigned int) noexcept
    Py_ssize_t PyUnicode_FindChar(object, unsigned int, Py_ssize_t, Py_ssize_t, int) except -2
    Py_ssize_t PyUnicode_Find(object, object, Py_ssize_t, Py_ssize_t, int) except -2
    object PyUnicode_Substring(object, Py_ssize_t, Py_ssize_t)
    object PyUnicode_FromKindAndData(int, const void *, Py_ssize_t)

cdef int START = tags.START, END = tags.END
cdef int INLINE_START = tags.INLINE_START, INLINE_END = tags.INLINE_END
cdef int VOID = tags.VOID, INLINE_VOID = tags.INLINE_VOID
cdef int ANCHOR = tags.ANCHOR, ANCHOR_END = tags.ANCHOR_END
cdef int HEADING = tags.HEADING, HEADING_END = tags.HEADING_END
cdef int IMAGE = tags.IMAGE, LINK = tags.LINK, TITLE = tags.TITLE
cdef int RAW = tags.RAW, NESTED = tags.NESTED
cdef int FOREIGN = tags.FOREIGN, FOREIGN_END = tags.FOREIGN_END
cdef int COMMENT = tags.COMMENT, AMBIGUOUS = tags.AMBIGUOUS

# The kinds of tags by their names: a hash table that is never changed.
DEF PLACES = 1024
DEF MAX_NAME = 16

cdef struct Named:
    char name[MAX_NAME]
    int length  # 0: the place is free
    int kind

cdef Named places[PLACES]


cdef inline unsigned int place_of(const char *name, int length) noexcept:
    cdef unsigned int hash = length
    cdef int k
    for k in range(length):
        hash = hash * 31 + <unsigned char> name[k]
    return (hash ^ hash >> 10) & (PLACES - 1)


def _prepare():
    """Fill the table."""
    cdef unsigned int at
    for name, kind in tags.KINDS.items():
        data = name.encode()
        assert len(data) <= MAX_NAME
        at = place_of(data, len(data))
        while places[at].length:
            at = (at + 1) & (PLACES - 1)
        memcpy(places[at].name, <const char *> data, len(data))
        places[at].length, places[at].kind = len(data), kind


_prepare()


cdef struct Tag:
    Py_ssize_t start  # after its `<`
    Py_ssize_t name_stop
    Py_ssize_t stop  # where its `>` is
    int kind


cdef struct Numbers:
    Py_ssize_t *items
    Py_ssize_t count, room


cdef int push(Numbers *numbers, Py_ssize_t item) except -1:
    cdef Py_ssize_t room
    cdef Py_ssize_t *items
    if numbers.count == numbers.room:
        room = 2 * numbers.room + 32
        items = <Py_ssize_t *> realloc(numbers.items, room * sizeof(Py_ssize_t))
        if items == NULL:
            raise MemoryError
        numbers.items, numbers.room = items, room
    numbers.items[numbers.count] = item
    numbers.count += 1
    return 0


cdef Py_ssize_t pop(Numbers *numbers) except -2:
    if not numbers.count:
        raise AmbiguousMarkup
    numbers.count -= 1
    return numbers.items[numbers.count]


cdef class _Walk:
    """One walk: its place in the markup, the open elements, and the text so far."""

    cdef str markup
    cdef int kind
    cdef void *data
    cdef Py_ssize_t size
    cdef Outline outline
    cdef bint nofollow
    cdef char *text
    cdef Py_ssize_t length, room  # in characters
    cdef Numbers starts, stops  # the tags of the open elements
    cdef list paths  # the tag paths of the outer ones of them, as far as they were needed
    cdef Numbers links, headings  # the numbers of those that are open; -1 if one is no link
    cdef Py_ssize_t foreign
    cdef str href, identifier, classes, relation  # attributes of the last tag
    cdef Py_ssize_t alternative, alternative_stop

    def __cinit__(self, str markup not None, Outline outline not None, bint nofollow):
        self.markup, self.outline, self.nofollow = markup, outline, nofollow
        self.kind, self.data = PyUnicode_KIND(markup), PyUnicode_DATA(markup)
        self.size = PyUnicode_GET_LENGTH(markup)
        self.paths = []

    def __dealloc__(self):
        free(self.text)
        free(self.starts.items)
        free(self.stops.items)
        free(self.links.items)
        free(self.headings.items)

    cdef inline unsigned int at(self, Py_ssize_t place) noexcept:
        return PyUnicode_READ(self.kind, self.data, place)

    cdef inline Py_ssize_t find(self, unsigned int character, Py_ssize_t start) except -2:
        return PyUnicode_FindChar(self.markup, character, start, self.size, 1)

    cdef bint starts_with(self, Py_ssize_t start, const char *text, Py_ssize_t length) noexcept:
        cdef Py_ssize_t k
        if start + length > self.size:
            return False
        for k in range(length):
            if self.at(start + k) != <unsigned char> text[k]:
                return False
        return True

    # Text

    cdef int reserve(self, Py_ssize_t count) except -1:
        cdef Py_ssize_t room
        cdef char *text
        if self.length + count > self.room:
            room = 2 * (self.length + count) + 256
            text = <char *> realloc(self.text, room * self.kind)
            if text == NULL:
                raise MemoryError
            self.text, self.room = text, room
        return 0

    cdef inline int write(self, Py_ssize_t start, Py_ssize_t stop) except -1:
        """Write a part of the markup."""
        if stop > start:
            self.reserve(stop - start)
            memcpy(
                self.text + self.length * self.kind,
                <char *> self.data + start * self.kind,
                (stop - start) * self.kind,
            )
            self.length += stop - start
        return 0

    cdef int write_string(self, str text) except -1:
        """Write a string that has no wider characters than the markup."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t k, count = PyUnicode_GET_LENGTH(text)
        self.reserve(count)
        for k in range(count):
            PyUnicode_WRITE(
                self.kind, self.text, self.length + k, PyUnicode_READ(kind, data, k)
            )
        self.length += count
        return 0

    cdef inline int write_space(self) except -1:
        self.reserve(1)
        PyUnicode_WRITE(self.kind, self.text, self.length, ' ')
        self.length += 1
        return 0

    cdef inline int write_mark(self) except -1:
        return self.write_string(SPACED_MARK)

    # Tags

    cdef bint read_tag(self, Py_ssize_t start, Tag *tag) except -1:
        """Read the tag after a `<`."""
        cdef Py_ssize_t at = start
        cdef unsigned int code, hash
        cdef int length = 0
        cdef char name[MAX_NAME]
        cdef bint is_short = True
        tag.start = start
        tag.stop = self.find('>', start)
        if tag.stop < 0:
            raise AmbiguousMarkup
        while at < tag.stop:
            code = self.at(at)
            if code == ' ':
                break
            if code > 127 or length == MAX_NAME:
                is_short = False
                at = PyUnicode_FindChar(self.markup, ' ', at, tag.stop, 1)
                if at < 0:
                    at = tag.stop
                break
            name[length] = <char> code
            length += 1
            at += 1
        tag.name_stop = at
        if is_short and length:
            hash = place_of(name, length)
            while places[hash].length:
                if places[hash].length == length and not memcmp(places[hash].name, name, length):
                    tag.kind = places[hash].kind
                    return True
                hash = (hash + 1) & (PLACES - 1)
        code = self.at(start)
        if tag.name_stop == start:
            tag.kind = START
        elif code == '/':
            tag.kind = END
        elif code == '?':
            tag.kind = AMBIGUOUS
        elif code == '!' and self.starts_with(start, "!--", 3):
            tag.kind = COMMENT
        else:
            tag.kind = START
        return True

    cdef str tag_text(self, Tag *tag):
        return PyUnicode_Substring(self.markup, tag.start, tag.stop)

    cdef str name_of(self, Tag *tag):
        return PyUnicode_Substring(self.markup, tag.start, tag.name_stop)

    cdef str value(self, Py_ssize_t start, Py_ssize_t stop):
        """Return an attribute's value, without escapes."""
        cdef str text = PyUnicode_Substring(self.markup, start, stop)
        return unescape(text) if PyUnicode_FindChar(text, '&', 0, stop - start, 1) >= 0 else text

    cdef bint read_attributes(self, Tag *tag) except -1:
        """Read the attributes of a tag; False if one is odd."""
        cdef Py_ssize_t at = tag.name_stop, quote, end, k
        self.href = self.identifier = self.classes = ""
        self.relation = None
        self.alternative = self.alternative_stop = 0
        if PyUnicode_FindChar(self.markup, '"', tag.start, tag.name_stop, 1) >= 0:
            return False
        while True:
            quote = PyUnicode_FindChar(self.markup, '"', at, tag.stop, 1)
            if quote < 0:
                return True
            end = PyUnicode_FindChar(self.markup, '"', quote + 1, tag.stop, 1)
            if end < 0 or quote - at < 3 or self.at(at) != ' ' or self.at(quote - 1) != '=':
                return False
            for k in range(at + 1, quote - 1):
                if self.at(k) == ' ':
                    return False
            at += 1
            if quote - at == 5 and self.starts_with(at, "href", 4):
                self.href = self.value(quote + 1, end)
            elif quote - at == 6 and self.starts_with(at, "class", 5):
                self.classes = self.value(quote + 1, end)
            elif quote - at == 3 and self.starts_with(at, "id", 2):
                self.identifier = self.value(quote + 1, end)
            elif quote - at == 4 and self.starts_with(at, "rel", 3):
                self.relation = self.value(quote + 1, end)
            elif quote - at == 4 and self.starts_with(at, "alt", 3):
                self.alternative, self.alternative_stop = quote + 1, end
            at = end + 1

    cdef int write_alternative(self, Tag *tag) except -1:
        """Write the alternative text of an image, with escapes."""
        if self.read_attributes(tag):
            return self.write(self.alternative, self.alternative_stop)
        return self.write_string(escaped_attributes(self.tag_text(tag)).get("alt", ""))

    cdef str label(self, Tag *tag):
        """Return an element's step in tag paths."""
        if not self.read_attributes(tag):
            return path_label(self.name_of(tag), attributes_of(self.tag_text(tag)))
        return label_of(
            self.name_of(tag),
            self.identifier[:MAX_ID_CHARACTERS],
            self.classes[:MAX_CLASS_CHARACTERS],
        )

    # Elements

    cdef int open(self, Tag *tag) except -1:
        push(&self.starts, tag.start)
        push(&self.stops, tag.stop)
        return 0

    cdef int close(self) except -1:
        pop(&self.starts)
        pop(&self.stops)
        if len(self.paths) > self.starts.count:
            self.paths.pop()
        return 0

    cdef str path(self):
        """Return the tag path of the innermost open element."""
        cdef list paths = self.paths
        cdef Py_ssize_t level = len(paths)
        cdef str path = paths[level - 1] if level else ""
        cdef Tag tag
        while level < self.starts.count:
            tag.start, tag.stop = self.starts.items[level], self.stops.items[level]
            tag.name_stop = PyUnicode_FindChar(self.markup, ' ', tag.start, tag.stop, 1)
            if tag.name_stop < 0:
                tag.name_stop = tag.stop
            path = extend_path(path, self.label(&tag))
            paths.append(path)
            level += 1
        return path

    cdef int open_anchor(self, Tag *tag) except -1:
        cdef Py_ssize_t link = -1
        cdef str label = "a", href, relation
        if self.read_attributes(tag):
            href, relation = self.href, self.relation
            if self.classes or self.identifier:
                label = label_of(
                    label, self.identifier[:MAX_ID_CHARACTERS], self.classes[:MAX_CLASS_CHARACTERS]
                )
        else:
            attributes = attributes_of(self.tag_text(tag))
            href, relation = attributes.get("href", ""), attributes.get("rel")
            label = path_label(label, attributes)
        if href and not (self.nofollow and relation and is_nofollow({"rel": relation})):
            if not self.starts.count:
                raise AmbiguousMarkup
            link = self.outline.open_link(href, extend_path(self.path(), label))
            self.write_mark()
        push(&self.links, link)
        return self.open(tag)

    cdef int close_anchor(self) except -1:
        cdef Py_ssize_t link
        self.close()
        link = pop(&self.links)
        if link >= 0:
            self.outline.close_link(link)
            self.write_mark()
        return 0

    cdef int read_link(self, Tag *tag) except -1:
        """Read an element that may link and is no anchor."""
        name, href, followed, label = OTHER_LINKS[self.tag_text(tag)]
        if name == "area":
            self.write_alternative(tag)
        elif name == "base":
            self.outline.base = self.outline.base or href
            return 0
        if href and (followed or not self.nofollow):
            path = extend_path(self.path(), label)
            self.outline.close_link(self.outline.open_link(href, path))
            self.write_mark()
            self.write_mark()
        return 0

    # What is skipped: each returns the place of the text after it.

    cdef Py_ssize_t after_comment(self, Tag *tag) except -1:
        cdef Py_ssize_t end = PyUnicode_Find(self.markup, "-->", tag.start + 3, self.size, 1)
        if end < 0:
            raise AmbiguousMarkup
        return end + 3

    cdef Py_ssize_t after_raw(self, Tag *tag) except -1:
        cdef Py_ssize_t at = tag.stop + 1, k, length = tag.name_stop - tag.start
        cdef bint is_script = self.starts_with(tag.start, "script", 6) and length == 6
        cdef bint is_commented = False
        while True:
            at = self.find('<', at) + 1
            if at <= 0:
                raise AmbiguousMarkup
            if at + length + 1 < self.size and self.at(at) == '/':
                k = 0
                while k < length and self.at(at + 1 + k) == self.at(tag.start + k):
                    k += 1
                if k == length and self.at(at + 1 + length) == '>':
                    return at + length + 2
            if self.foreign:
                raise AmbiguousMarkup
            is_commented = is_commented or self.starts_with(at, "!--", 3)
            if is_commented and is_script and self.is_script(at):
                raise AmbiguousMarkup

    cdef bint is_script(self, Py_ssize_t at):
        # As Python puts it in lower case, which gives a `k` for the sign of Kelvin.
        return PyUnicode_Substring(self.markup, at, min(at + 6, self.size)).lower() == "script"

    cdef Py_ssize_t after_nested(self, Tag *outer) except -1:
        cdef Tag tag
        cdef Py_ssize_t depth = 1, foreign = self.foreign, at = outer.stop + 1
        cdef Py_ssize_t length = outer.name_stop - outer.start
        cdef str name = self.name_of(outer), inner
        while True:
            at = self.find('<', at) + 1
            if at <= 0:
                raise AmbiguousMarkup
            self.read_tag(at, &tag)
            at = tag.stop + 1
            if tag.kind == COMMENT:
                at = self.after_comment(&tag)
                continue
            inner = self.name_of(&tag)
            if tag.kind == RAW or inner == "iframe":
                self.foreign, foreign = foreign, self.foreign
                try:
                    at = self.after_raw(&tag)
                finally:
                    self.foreign, foreign = foreign, self.foreign
            elif tag.kind == AMBIGUOUS:
                raise AmbiguousMarkup
            elif tag.kind == FOREIGN or tag.kind == FOREIGN_END:
                foreign += 1 if tag.kind == FOREIGN else -1
            elif inner == name:
                depth += 1
            elif tag.stop - tag.start == length + 1 and inner == "/" + name:
                depth -= 1
                if not depth:
                    return at

    cdef Py_ssize_t after_title(self, Tag *tag) except -1:
        cdef Py_ssize_t start = tag.stop + 1
        cdef Py_ssize_t stop = self.find('<', start)
        if stop < 0:
            raise AmbiguousMarkup
        if self.outline.title is None:
            self.outline.title = unescape(PyUnicode_Substring(self.markup, start, stop))
        if not self.starts_with(stop + 1, "/title", 6):
            raise AmbiguousMarkup
        stop += 7
        if stop < self.size:
            if self.at(stop) == '>':
                return stop + 1
            if self.at(stop) != '<':
                raise AmbiguousMarkup
        return stop

    cdef int walk(self) except -1:
        cdef Tag tag
        cdef int kind
        cdef Py_ssize_t text, at = self.find('<', 0) + 1
        while at > 0:
            self.read_tag(at, &tag)
            kind, text = tag.kind, tag.stop + 1
            if kind == START:
                self.open(&tag)
                self.write_space()
            elif kind == END:
                self.close()
                self.write_space()
            elif kind == ANCHOR:
                self.open_anchor(&tag)
            elif kind == ANCHOR_END:
                self.close_anchor()
            elif kind == INLINE_START:
                self.open(&tag)
            elif kind == INLINE_END:
                self.close()
            elif kind == INLINE_VOID:
                pass
            elif kind == COMMENT:
                text = self.after_comment(&tag)
            else:
                self.write_space()
                if kind == VOID:
                    pass
                elif kind == IMAGE:
                    self.write_alternative(&tag)
                    self.write_space()
                elif kind == HEADING:
                    push(&self.headings, self.outline.open_heading(self.at(tag.start + 1) - 48))
                    self.write_mark()
                    self.open(&tag)
                elif kind == HEADING_END:
                    self.close()
                    self.outline.close_heading(pop(&self.headings))
                    self.write_mark()
                elif kind == LINK:
                    self.read_link(&tag)
                    if self.starts_with(tag.start, "iframe", 6):
                        text = self.after_raw(&tag)
                    self.write_space()
                elif kind == TITLE:
                    text = self.after_title(&tag)
                    self.write_space()
                elif kind == RAW:
                    text = self.after_raw(&tag)
                elif kind == NESTED:
                    text = self.after_nested(&tag)
                elif kind == FOREIGN:
                    self.open(&tag)
                    self.foreign += 1
                elif kind == FOREIGN_END:
                    self.close()
                    self.foreign -= 1
                else:
                    raise AmbiguousMarkup
            at = self.find('<', text)
            self.write(text, at if at >= 0 else self.size)
            at += 1
        if self.starts.count:
            raise AmbiguousMarkup
        return 0

    cdef str written(self):
        """Return the text, without escapes."""
        cdef str text = PyUnicode_FromKindAndData(self.kind, self.text, self.length)
        return unescape(text) if self.find('&', 0) >= 0 else text


def walk_markup(str markup not None, Outline outline not None, *, bint nofollow=False):
    """Read the markup of a page; see `markup_walk.py`."""
    cdef _Walk walk = _Walk(markup, outline, nofollow)
    walk.walk()
    outline.text.append(walk.written())
