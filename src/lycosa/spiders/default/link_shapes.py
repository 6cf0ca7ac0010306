"""The bags of links without words: the columns of their tag paths, their URLs and their positions.

`link_shapes.pyx` is the same in C: it finds the parts of a URL without a string for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

OtherBags: TypeAlias = tuple[Sequence[int], Sequence[int], Sequence[int]]
"""The columns of path, shape and position of a link."""


PageFacts: TypeAlias = tuple[int, int, int, int, Sequence[int]]
"""Columns that the links of a page have.

Of the depth of the page, of its number of links, of a URL without and with a query, and of a
position among the links, by the bits of its number; the last one is of all others.
"""


def split_url(url: str) -> tuple[str, str, bool]:
    """Return the folder of a URL with its host, its file, and whether it has a query.

    >>> split_url("http://a.org/~ann/cv.html?lang=en"), split_url("http://a.org")
    (('http://a.org/~ann', 'cv.html', True), ('http://a.org', '', False))
    """
    rest, _, query = url.partition("?")
    name, _, file = rest.rpartition("/")
    return (name, file, bool(query)) if "://" in name else (rest, "", bool(query))


def other_bags(
    links: Sequence[int],
    urls: Sequence[str],
    paths: Sequence[int],
    files: Mapping[str, Sequence[int]],
    find: tuple[
        Callable[[int], tuple[Sequence[int], int]],
        Callable[[str], Sequence[int]],
        Callable[[str], tuple[int, int]],
    ],
    facts: PageFacts,
) -> list[OtherBags]:
    """Return the columns of path, shape and position of some links of a page.

    * `urls`: the URL of each of these links;
    * `paths`: the tag path of every link of the page;
    * `files`: known columns of names of files;
    * `find`: functions that return the columns of a tag path and of the number of links that
      have it, those of the name of a file that is not known, and those of a folder and of its
      relation to the page. Links of a page share paths and folders, so each is called once.
    """
    find_path, find_file, find_folder = find
    on_page, of_size, without_query, with_query, positions = facts
    known_paths: dict[int, tuple[Sequence[int], int]] = {}
    known_folders: dict[str, tuple[int, int]] = {}
    found: list[OtherBags] = []
    for link, url in zip(links, urls, strict=True):
        number = paths[link]
        path = known_paths.get(number)
        if path is None:
            path = known_paths[number] = find_path(number)
        name, file, query = split_url(url)
        of_file = files.get(file)
        if of_file is None:
            of_file = find_file(file)
        folder = known_folders.get(name)
        if folder is None:
            folder = known_folders[name] = find_folder(name)
        shape = [*of_file, folder[0], with_query if query else without_query, folder[1]]
        position = positions[min((link + 1).bit_length(), len(positions) - 1)]
        found.append((path[0], shape, [on_page, of_size, position, path[1]]))
    return found
