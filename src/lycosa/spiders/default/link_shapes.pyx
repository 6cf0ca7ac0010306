# cython: language_level=3, boundscheck=False, wraparound=False
"""The bags of links without words: `link_shapes.py` with its loop in C."""

from lycosa.python_strings cimport (
    PyUnicode_Find, PyUnicode_FindChar, PyUnicode_GET_LENGTH, PyUnicode_Substring,
)

OtherBags = PageFacts = tuple

cdef struct Parts:
    # Where the folder of a URL ends, and where its file starts and ends.
    Py_ssize_t folder, start, stop
    bint query


cdef Parts parts_of(str url) except *:
    cdef Parts parts
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(url)
    cdef Py_ssize_t mark = PyUnicode_FindChar(url, c"?", 0, length, 1)
    parts.query = mark >= 0 and mark + 1 < length
    parts.stop = length if mark < 0 else mark
    parts.folder = PyUnicode_FindChar(url, c"/", 0, parts.stop, -1)
    if parts.folder >= 0 and PyUnicode_Find(url, "://", 0, parts.folder, 1) >= 0:
        parts.start = parts.folder + 1
    else:
        parts.folder = parts.start = parts.stop
    return parts


def split_url(str url not None):
    """Return the folder of a URL with its host, its file, and whether it has a query."""
    cdef Parts parts = parts_of(url)
    name = PyUnicode_Substring(url, 0, parts.folder)
    return name, PyUnicode_Substring(url, parts.start, parts.stop), bool(parts.query)


def other_bags(links, urls, list paths not None, dict files not None, find, facts):
    """Return the columns of path, shape and position of some links of a page."""
    cdef Parts parts
    cdef Py_ssize_t link, bits, most
    cdef str url
    cdef dict known_paths = {}, known_folders = {}
    cdef list found = [], positions
    cdef tuple path, folder
    find_path, find_file, find_folder = find
    on_page, of_size, without_query, with_query, every_position = facts
    positions = list(every_position)
    most = len(positions) - 1
    if most < 0:
        raise ValueError("there must be a column of a position")
    for link, url in zip(links, urls, strict=True):
        if not 0 <= link < len(paths):
            raise IndexError("there is no such link")
        number = paths[link]
        path = known_paths.get(number)
        if path is None:
            path = known_paths[number] = find_path(number)
        parts = parts_of(url)
        file = PyUnicode_Substring(url, parts.start, parts.stop)
        of_file = files.get(file)
        if of_file is None:
            of_file = find_file(file)
        name = PyUnicode_Substring(url, 0, parts.folder)
        folder = known_folders.get(name)
        if folder is None:
            folder = known_folders[name] = find_folder(name)
        bits = 0
        while link + 1 >> bits:
            bits += 1
        shape = [*of_file, folder[0], with_query if parts.query else without_query, folder[1]]
        place = [on_page, of_size, positions[bits if bits < most else most], path[1]]
        found.append((path[0], shape, place))
    return found
