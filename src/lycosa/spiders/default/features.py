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
from typing import NamedTuple, TypeAlias
from zlib import crc32

from lycosa.core import Page
from lycosa.spiders.default.words import WordColumns

COLUMNS = 2**16
_MAX_DEPTH = 7  # greater depths and positions share a column
_SHAPE_FACTS = 3  # of the facts, the first; the others are about the position
_MAX_LINKS_FOR_COUNT = 8  # up to so many links, list.count is faster than a Counter
_DIGITS = re.compile(r"\d+")


Bags: TypeAlias = tuple[Sequence[int], ...]
"""The columns of one link: words of each bag, pairs, starts, path, shape, and position last."""


def scaled(bags: Bags) -> Iterator[tuple[Sequence[int], float]]:
    """Yield each bag of a link with the value of its columns, which gives bags equal norms.

    A value is 1 over the root of the size of the bag, so that a long heading does
    not outweigh a short anchor; columns of the position have the value 1.
    """
    *others, position = bags
    yield from ((bag, len(bag) ** -0.5) for bag in others if bag)
    yield position, 1.0


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

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return self._words.nbytes

    def columns(self, page: Page, links: Sequence[int], depth: int) -> list[Bags]:
        """Return the columns of some links of a page at that depth."""
        urls, targets, size = page.tables.urls, page.targets, len(page.targets)
        paths, source = page.content.paths.tolist(), _address(page.url)
        same_path = Counter(paths).__getitem__ if len(links) > _MAX_LINKS_FOR_COUNT else paths.count
        tables = [columns for _, columns in _FACTS]
        found: list[Bags] = []
        for link, words in zip(links, self.words(page, links), strict=True):
            number = paths[link]
            path = self._paths.get(number)
            if path is None:
                path = self._paths[number] = _columns(_path(page.tables.paths[number]))
            address = _address(urls[targets.item(link)])
            facts = _facts(address, source, depth, size, link, same_path(number))
            fact_columns = [columns[fact] for columns, fact in zip(tables, facts, strict=True)]
            shape = _columns(_file(address)) + fact_columns[:_SHAPE_FACTS]
            found.append((*words, path, shape, fact_columns[_SHAPE_FACTS:]))
        return found

    def words(self, page: Page, links: Sequence[int]) -> Iterator[Bags]:
        """Yield the columns of words, of pairs and of starts of words only."""
        return self._words.columns(page, links)

    def named_words(self, page: Page, index: int) -> Iterator[tuple[int, str, str]]:
        """Yield the columns of words of one link, each with its name and its bag."""
        return self._words.named(page, index)

    def named(self, page: Page, index: int, depth: int) -> dict[int, tuple[str, str]]:
        """Return the columns of one link: the feature of each, and its bag."""
        found = {column: (name, bag) for column, name, bag in self.named_words(page, index)}
        paths = page.content.paths
        path = paths.item(index)
        address = _address(page.tables.urls[page.targets.item(index)])
        among = int((paths == path).sum())
        facts = _facts(address, _address(page.url), depth, len(page.targets), index, among)
        texts = [texts[fact] for (texts, _), fact in zip(_FACTS, facts, strict=True)]
        for text in (*_path(page.tables.paths[path]), *_file(address), *texts):
            bag, _, name = text.partition(" ")
            found[_column(text)] = name, bag
        return found


def _column(text: str) -> int:
    return crc32(text.encode("utf-8", "replace")) >> 16


def _columns(texts: Iterable[str]) -> list[int]:
    return [_column(text) for text in texts]


class _Address(NamedTuple):
    """The parts of a URL that are features."""

    host: str
    folder: str
    file: str
    query: bool


def _address(url: str) -> _Address:
    rest, _, query = url.partition("?")
    host, _, path = rest.partition("://")[2].partition("/")
    folder, _, file = path.rpartition("/")
    return _Address(host, folder, file.lower(), bool(query))


def _path(path: str) -> tuple[str, str, str]:
    """Return the features of a tag path: all of it, its last three tags, its last."""
    three = "/".join(path.rsplit("/", 3)[-3:])
    return f"path {path}", f"path {three}", f"path {path.rpartition('/')[2]}"


def _file(address: _Address) -> tuple[str, str]:
    """Return the features of the last part of a URL."""
    file = address.file
    _, dot, kind = file.rpartition(".")
    kind = kind[:6] if dot else "none" if kind else "folder"
    return f"shape type {kind}", f"shape file {_DIGITS.sub('0', file)}"


def _facts(
    address: _Address, source: _Address, depth: int, size: int, link: int, among: int
) -> tuple[int, ...]:
    """Return for each of the `_FACTS` the index of the text that is true."""
    host, folder, _, query = address
    page_host, page_folder, _, _ = source
    below = folder.startswith(page_folder)
    return (
        min(folder.count("/") + 1, 5) if folder else 0,
        query,
        4 * (host == page_host) + 2 * (folder == page_folder) + below,
        min(depth, _MAX_DEPTH),
        size.bit_length(),
        min((link + 1).bit_length(), _MAX_DEPTH),
        among.bit_length(),
    )


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
