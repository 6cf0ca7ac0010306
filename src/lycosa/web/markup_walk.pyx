# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The walk of `markup_walk.py` in C: tags are places in the markup, and not strings.

The text is written into one buffer of the width of the markup. The two modules are tested
against each other.
"""

from libc.stdlib cimport free

from lycosa.growing_buffers cimport Stack, Text, push, write, write_space, write_string
from lycosa.python_strings cimport (
    PyUnicode_DATA, PyUnicode_Find, PyUnicode_FindChar, PyUnicode_FromKindAndData,
    PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring,
)
from lycosa.web.markup_tags cimport (
    NO_KIND, Attributes, Tag, TagKinds, Value, add_kind, read_attributes, read_tag,
)
from lycosa.web.outline cimport Outline

from lycosa.web import markup as tags
from lycosa.web.markup import (
    OTHER_LINKS, AmbiguousMarkup, attributes_of, escaped_attributes, unescape,
)
from lycosa.web.outline import (
    MAX_CLASS_CHARACTERS, MAX_ID_CHARACTERS, extend_path, is_nofollow, label_of, path_label,
)
from lycosa.web.words import SPACED_MARK

cdef int START = tags.START, END = tags.END
cdef int INLINE_START = tags.INLINE_START, INLINE_END = tags.INLINE_END
cdef int VOID = tags.VOID, INLINE_VOID = tags.INLINE_VOID
cdef int ANCHOR = tags.ANCHOR, ANCHOR_END = tags.ANCHOR_END
cdef int HEADING = tags.HEADING, HEADING_END = tags.HEADING_END
cdef int IMAGE = tags.IMAGE, LINK = tags.LINK, TITLE = tags.TITLE
cdef int RAW = tags.RAW, NESTED = tags.NESTED
cdef int FOREIGN = tags.FOREIGN, FOREIGN_END = tags.FOREIGN_END
cdef int COMMENT = tags.COMMENT, AMBIGUOUS = tags.AMBIGUOUS

cdef TagKinds kinds
for _name, _kind in tags.KINDS.items():
    add_kind(&kinds, _name.encode(), _kind)


cdef Py_ssize_t pop(Stack *stack) except -2:
    if not stack.count:
        raise AmbiguousMarkup
    stack.count -= 1
    return stack.items[stack.count]


cdef class _Walk:
    """One walk: its place in the markup, the open elements, and the text so far."""

    cdef str markup
    cdef int kind
    cdef void *data
    cdef Py_ssize_t size
    cdef Outline outline
    cdef bint nofollow
    cdef Text text
    cdef Stack starts, stops  # the tags of the open elements
    cdef list paths  # the tag paths of the outer ones of them, as far as they were needed
    cdef Stack links, headings  # the numbers of those that are open; -1 if one is no link
    cdef Py_ssize_t foreign
    cdef Attributes attributes  # of the last tag

    def __cinit__(self, str markup not None, Outline outline not None, bint nofollow):
        self.markup, self.outline, self.nofollow = markup, outline, nofollow
        self.kind, self.data = PyUnicode_KIND(markup), PyUnicode_DATA(markup)
        self.size = PyUnicode_GET_LENGTH(markup)
        self.text.kind = self.kind
        self.paths = []

    def __dealloc__(self):
        free(self.text.data)
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

    cdef inline int write_part(self, Py_ssize_t start, Py_ssize_t stop) except -1:
        """Write a part of the markup."""
        if stop > start:
            write(&self.text, <char *> self.data + start * self.kind, stop - start)
        return 0

    cdef inline int write_mark(self) except -1:
        return write_string(&self.text, SPACED_MARK)

    # Tags

    cdef int read_tag(self, Py_ssize_t start, Tag *tag) except -1:
        """Read the tag after a `<`."""
        cdef unsigned int code
        read_tag(self.markup, start, &kinds, tag)
        if tag.stop < 0:
            raise AmbiguousMarkup
        if tag.kind == NO_KIND:
            tag.kind = START
            code = self.at(start)
            if code == '/':
                tag.kind = END
            elif code == '?':
                tag.kind = AMBIGUOUS
            elif code == '!' and self.starts_with(start, "!--", 3):
                tag.kind = COMMENT
        return 0

    cdef str tag_text(self, Tag *tag):
        return PyUnicode_Substring(self.markup, tag.start, tag.stop)

    cdef str name_of(self, Tag *tag):
        return PyUnicode_Substring(self.markup, tag.start, tag.name_stop)

    cdef str value(self, Value value):
        """Return an attribute's value, without escapes."""
        cdef str text = PyUnicode_Substring(self.markup, value.start, value.stop)
        return unescape(text) if PyUnicode_FindChar(text, '&', 0, len(text), 1) >= 0 else text

    cdef int write_alternative(self, Tag *tag) except -1:
        """Write the alternative text of an image, with escapes."""
        if read_attributes(self.markup, tag, &self.attributes):
            return self.write_part(self.attributes.alternative.start, self.attributes.alternative.stop)
        return write_string(
            &self.text, escaped_attributes(self.tag_text(tag)).get("alt", "")
        )

    cdef str label(self, Tag *tag):
        """Return an element's step in tag paths."""
        if not read_attributes(self.markup, tag, &self.attributes):
            return path_label(self.name_of(tag), attributes_of(self.tag_text(tag)))
        return self.label_of_read(self.name_of(tag))

    cdef str label_of_read(self, str name):
        """Return the step of an element whose attributes were read."""
        return label_of(
            name,
            self.value(self.attributes.identifier)[:MAX_ID_CHARACTERS],
            self.value(self.attributes.classes)[:MAX_CLASS_CHARACTERS],
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
        cdef str label, href, relation
        if read_attributes(self.markup, tag, &self.attributes):
            href = self.value(self.attributes.href)
            relation = self.value(self.attributes.relation)
            label = "a"
            if self.attributes.identifier.start or self.attributes.classes.start:
                label = self.label_of_read(label)
        else:
            attributes = attributes_of(self.tag_text(tag))
            href, relation = attributes.get("href", ""), attributes.get("rel")
            label = path_label("a", attributes)
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
                write_space(&self.text)
            elif kind == END:
                self.close()
                write_space(&self.text)
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
                write_space(&self.text)
                if kind == VOID:
                    pass
                elif kind == IMAGE:
                    self.write_alternative(&tag)
                    write_space(&self.text)
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
                    write_space(&self.text)
                elif kind == TITLE:
                    text = self.after_title(&tag)
                    write_space(&self.text)
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
            self.write_part(text, at if at >= 0 else self.size)
            at += 1
        if self.starts.count:
            raise AmbiguousMarkup
        return 0

    cdef str written(self):
        """Return the text, without escapes."""
        cdef str text = PyUnicode_FromKindAndData(self.kind, self.text.data, self.text.length)
        return unescape(text) if self.find('&', 0) >= 0 else text


def walk_markup(str markup not None, Outline outline not None, *, bint nofollow=False):
    """Read the markup of a page; see `markup_walk.py`."""
    cdef _Walk walk = _Walk(markup, outline, nofollow)
    walk.walk()
    outline.text.append(walk.written())
