# Tags of markup: where they and the values of their attributes are, and their kinds by their
# names. For Cython alone.
#
# The names that have a kind are in a hash table that is filled once.

from libc.string cimport memcmp, memcpy, memset

from lycosa.python_strings cimport (
    PyUnicode_DATA, PyUnicode_FindChar, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ,
)

DEF PLACES = 1024

cdef enum:
    MAX_TAG_NAME = 16
    NO_KIND = -1

cdef struct TagKind:
    char name[MAX_TAG_NAME]
    int length  # 0: the place is free
    int kind

cdef struct TagKinds:
    TagKind places[PLACES]


cdef inline unsigned int _place_of(const char *name, int length) noexcept:
    cdef unsigned int hash = length
    cdef int k
    for k in range(length):
        hash = hash * 31 + <unsigned char> name[k]
    return (hash ^ hash >> 10) & (PLACES - 1)


cdef inline int add_kind(TagKinds *kinds, bytes name, int kind) except -1:
    cdef unsigned int at = _place_of(name, len(name))
    if len(name) > MAX_TAG_NAME:
        raise ValueError(f"a known tag is longer than {MAX_TAG_NAME} bytes: {name!r}")
    while kinds.places[at].length:
        at = (at + 1) & (PLACES - 1)
    memcpy(kinds.places[at].name, <const char *> name, len(name))
    kinds.places[at].length, kinds.places[at].kind = len(name), kind
    return 0


cdef inline int kind_of(TagKinds *kinds, const char *name, int length) noexcept:
    """Return the kind of a tag; `NO_KIND` if its name is not known."""
    cdef unsigned int at = _place_of(name, length)
    while kinds.places[at].length:
        if kinds.places[at].length == length and not memcmp(kinds.places[at].name, name, length):
            return kinds.places[at].kind
        at = (at + 1) & (PLACES - 1)
    return NO_KIND


cdef struct Tag:
    Py_ssize_t start  # after its `<`
    Py_ssize_t name_stop
    Py_ssize_t stop  # where its `>` is; -1 if it has none
    int kind  # `NO_KIND` if its name is not known


cdef inline int read_tag(str markup, Py_ssize_t start, TagKinds *kinds, Tag *tag) except -1:
    """Read the tag after a `<`."""
    cdef int encoding = PyUnicode_KIND(markup), length = 0
    cdef void *data = PyUnicode_DATA(markup)
    cdef Py_ssize_t at = start
    cdef unsigned int code
    cdef char name[MAX_TAG_NAME]
    tag.start, tag.kind = start, NO_KIND
    tag.stop = PyUnicode_FindChar(markup, '>', start, PyUnicode_GET_LENGTH(markup), 1)
    while at < tag.stop:
        code = PyUnicode_READ(encoding, data, at)
        if code == ' ':
            break
        if code > 127 or length == MAX_TAG_NAME:  # none that is known
            at = PyUnicode_FindChar(markup, ' ', at, tag.stop, 1)
            tag.name_stop = tag.stop if at < 0 else at
            return 0
        name[length] = <char> code
        length += 1
        at += 1
    tag.name_stop = at
    if length:
        tag.kind = kind_of(kinds, name, length)
    return 0


cdef struct Value:
    Py_ssize_t start, stop  # 0 if there is none


cdef struct Attributes:
    Value href, classes, identifier, relation, alternative


cdef inline bint is_named(
    int encoding, void *data, Py_ssize_t start, Py_ssize_t stop, const char *name, int length
) noexcept:
    cdef int k
    if stop - start != length:
        return False
    for k in range(length):
        if PyUnicode_READ(encoding, data, start + k) != <unsigned char> name[k]:
            return False
    return True


cdef inline bint read_attributes(str markup, Tag *tag, Attributes *found) except -1:
    """Find the values of a tag's attributes; return False if one is odd."""
    cdef int encoding = PyUnicode_KIND(markup)
    cdef void *data = PyUnicode_DATA(markup)
    cdef Py_ssize_t at = tag.name_stop, quote, k
    cdef Value value
    memset(found, 0, sizeof(Attributes))
    if PyUnicode_FindChar(markup, '"', tag.start, tag.name_stop, 1) >= 0:
        return False
    while True:
        quote = PyUnicode_FindChar(markup, '"', at, tag.stop, 1)
        if quote < 0:
            return True
        value.start = quote + 1
        value.stop = PyUnicode_FindChar(markup, '"', quote + 1, tag.stop, 1)
        if value.stop < 0 or quote - at < 3 or PyUnicode_READ(encoding, data, at) != ' ':
            return False
        if PyUnicode_READ(encoding, data, quote - 1) != '=':
            return False
        for k in range(at + 1, quote - 1):
            if PyUnicode_READ(encoding, data, k) == ' ':
                return False
        if is_named(encoding, data, at + 1, quote - 1, "href", 4):
            found.href = value
        elif is_named(encoding, data, at + 1, quote - 1, "class", 5):
            found.classes = value
        elif is_named(encoding, data, at + 1, quote - 1, "id", 2):
            found.identifier = value
        elif is_named(encoding, data, at + 1, quote - 1, "rel", 3):
            found.relation = value
        elif is_named(encoding, data, at + 1, quote - 1, "alt", 3):
            found.alternative = value
        at = value.stop + 1
