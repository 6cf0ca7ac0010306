"""The features of a link as hashed columns: words, tag paths, URL shape and position.

* words of the anchor, of the URL, near the link, in headings above it; pairs of
  neighbouring words in the URL; starts of words of anchor and URL (`words`);
* the tag path, its last three tags, its last one;
* the shape of the URL: file type, depth, whether it has a query, the name of
  the file without its numbers, and how it relates to the URL of the page;
* the position: the depth of the page, its number of links, the position of this
  one among them and how many share its tag path.

All mean the same on every site. A column is 16 bits of a hash (Weinberger et
al. 2009, "Feature Hashing for Large Scale Multitask Learning").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple
from zlib import crc32

from lycosa.core import Page
from lycosa.learn.hashed_model import HashedModel
from lycosa.spiders.default.bags import Bags
from lycosa.spiders.default.link_batch import LinkBatch
from lycosa.spiders.default.link_rows import read_few, read_many
from lycosa.spiders.default.link_shapes import OtherBags, other_bags, split_url
from lycosa.spiders.default.words import WordColumns

COLUMNS = 2**16
_MAX_DEPTH = 7  # greater depths and positions share a column
_FOLDER_DEPTH = 0  # the first fact
_MAX_LINKS_FOR_COUNT = 8  # up to so many links, list.count is faster than a Counter
_MAX_CACHED = 2**14  # folders and names of files whose columns are kept
_DIGITS = re.compile(r"\d+")


class Features:
    """The columns of links, with caches of the hashes of words and tag paths.

    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> home = site.page(int(site.seeds[0]))
    >>> first, second = Features().columns(home, [0, 1], depth=0)
    >>> len(set().union(*first)) > 10
    True
    """

    def __init__(self) -> None:
        self._words = WordColumns()
        self._paths: dict[int, list[int]] = {}
        self._files: dict[str, list[int]] = {}
        self._folders: dict[str, _Folder] = {}

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return self._words.nbytes

    def columns(self, page: Page, links: Sequence[int], depth: int) -> list[Bags]:
        """Return the columns of some links of a page at that depth."""
        others = self._others(page, links, _urls(page, links), depth)
        words = self.words(page, links)
        return [(*bags, *more) for bags, more in zip(words, others, strict=True)]

    def rows(
        self,
        page: Page,
        links: Sequence[int],
        urls: Sequence[str],
        depth: int,
        model: HashedModel | None,
    ) -> tuple[Sequence[Sequence[int]], list[float]]:
        """Return the distinct columns of some links, and their log-odds by a model or 0.

        `urls` are the URLs of these links.
        """
        return read_few(self._words, page, links, self._others(page, links, urls, depth), model)

    def batch(
        self, page: Page, links: Sequence[int], depth: int, urls: Sequence[str] | None = None
    ) -> LinkBatch:
        """Return the columns of many links as arrays; `urls` are their URLs, if at hand."""
        if urls is None:
            urls = _urls(page, links)
        return LinkBatch(
            *read_many(self._words, page, links, self._others(page, links, urls, depth))
        )

    def _others(
        self, page: Page, links: Sequence[int], urls: Sequence[str], depth: int
    ) -> list[OtherBags]:
        """Return the columns of path, shape and position of some links."""
        paths, size = page.content.paths.tolist(), len(page.targets)
        *_, queries, relations, depths, sizes, positions, among = _FACT_COLUMNS
        on_page, of_size = depths[min(depth, _MAX_DEPTH)], sizes[size.bit_length()]
        facts = on_page, of_size, queries[False], queries[True], positions
        same_path = Counter(paths).__getitem__ if len(links) > _MAX_LINKS_FOR_COUNT else paths.count
        source = self._folder(split_url(page.url)[0])

        def path(number: int) -> tuple[list[int], int]:
            return self._path(number, page), among[same_path(number).bit_length()]

        def folder(name: str) -> tuple[int, int]:
            found = self._folder(name)
            return found.column, relations[_relation(found, source)]

        return other_bags(links, urls, paths, self._files, (path, self._file, folder), facts)

    def _path(self, number: int, page: Page) -> list[int]:
        path = self._paths.get(number)
        if path is None:
            path = self._paths[number] = _columns(_path(page.tables.paths[number]))
        return path

    def _file(self, file: str) -> list[int]:
        if len(self._files) >= _MAX_CACHED:
            self._files.clear()
        columns = self._files[file] = _columns(_file(file.lower()))
        return columns

    def _folder(self, name: str) -> _Folder:
        folder = self._folders.get(name)
        if folder is None:
            if len(self._folders) >= _MAX_CACHED:
                self._folders.clear()
            host, _, path = name.partition("://")[2].partition("/")
            column = _FACT_COLUMNS[_FOLDER_DEPTH][_folder_depth(path)]
            folder = self._folders[name] = _Folder(host, path, column)
        return folder

    def words(self, page: Page, links: Sequence[int]) -> Sequence[Bags]:
        """Return the columns of words, of pairs and of starts of words only."""
        return self._words.columns(page, links)

    def named_words(self, page: Page, index: int) -> Iterator[tuple[int, str, str]]:
        """Yield the columns of words of one link, each with its name and its bag."""
        return self._words.named(page, index)

    def named(self, page: Page, index: int, depth: int) -> dict[int, tuple[str, str]]:
        """Return the columns of one link: the feature of each, and its bag."""
        found = {column: (name, bag) for column, name, bag in self.named_words(page, index)}
        paths = page.content.paths
        path = paths.item(index)
        name, file, query = split_url(page.tables.urls[page.targets.item(index)])
        folder, source = self._folder(name), self._folder(split_url(page.url)[0])
        facts = (
            _folder_depth(folder.folder),
            query,
            _relation(folder, source),
            min(depth, _MAX_DEPTH),
            len(page.targets).bit_length(),
            min((index + 1).bit_length(), _MAX_DEPTH),
            int((paths == path).sum()).bit_length(),
        )
        texts = [texts[fact] for (texts, _), fact in zip(_FACTS, facts, strict=True)]
        for text in (*_path(page.tables.paths[path]), *_file(file.lower()), *texts):
            bag, _, name = text.partition(" ")
            found[_column(text)] = name, bag
        return found


def _column(text: str) -> int:
    return crc32(text.encode("utf-8", "replace")) >> 16


def _columns(texts: Iterable[str]) -> list[int]:
    return [_column(text) for text in texts]


class _Folder(NamedTuple):
    """The host and the folder of a URL, and the column of its depth."""

    host: str
    folder: str
    column: int


def _urls(page: Page, links: Sequence[int]) -> list[str]:
    """Return the URLs of some links of a page."""
    urls, targets = page.tables.urls, page.targets
    return [urls[targets.item(link)] for link in links]


def _path(path: str) -> tuple[str, str, str]:
    """Return the features of a tag path: all of it, its last three tags, its last."""
    three = "/".join(path.rsplit("/", 3)[-3:])
    return f"path {path}", f"path {three}", f"path {path.rpartition('/')[2]}"


def _file(file: str) -> tuple[str, str]:
    """Return the features of the last part of a URL, in lower case."""
    _, dot, kind = file.rpartition(".")
    kind = kind[:6] if dot else "none" if kind else "folder"
    return f"shape type {kind}", f"shape file {_DIGITS.sub('0', file)}"


def _folder_depth(folder: str) -> int:
    return min(folder.count("/") + 1, 5) if folder else 0


def _relation(one: _Folder, source: _Folder) -> int:
    """Return how a URL relates to that of the page: same host, same folder, a folder below."""
    below = one.folder.startswith(source.folder)
    return 4 * (one.host == source.host) + 2 * (one.folder == source.folder) + below


def _with_columns(*texts: str) -> tuple[tuple[str, ...], list[int]]:
    return texts, _columns(texts)


_BITS = range(33)
_FACTS = (
    _with_columns(*(f"shape depth {n}" for n in range(6))),
    _with_columns("shape query False", "shape query True"),
    _with_columns(
        *(
            f"shape same host {host}, folder {folder}, below {below}"
            for host, folder, below in product((False, True), repeat=3)
        )
    ),
    _with_columns(*(f"place page at depth {n}" for n in range(_MAX_DEPTH + 1))),
    _with_columns(*(f"place links on the page 2^{n}" for n in _BITS)),
    _with_columns(*(f"place position 2^{n}" for n in range(_MAX_DEPTH + 1))),
    _with_columns(*(f"place links of its path 2^{n}" for n in _BITS)),
)
"""Features with few values: their texts, and their columns."""
_FACT_COLUMNS = [columns for _, columns in _FACTS]
