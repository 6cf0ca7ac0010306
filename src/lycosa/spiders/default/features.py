"""What the house spider knows of a link, as columns: hashes of words, places and shapes.

* words of the anchor, of the URL, near it, in headings above it; pairs of
  neighbours in the URL (`words`);
* the tag path, its last three tags, its last one;
* the shape of the URL: file type, depth, whether it has a query, the name of
  the file without its numbers, and how it relates to the URL of the page;
* the place: how deep the page lies, how many links it has, where among them
  this one stands and how many share its tag path.

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
_DEEPEST = 7
_SHAPES = 3  # of the facts; the others are about the place
_FEW = 8  # for so many links paths are counted one by one
_DIGITS = re.compile(r"\d+")


Bags: TypeAlias = tuple[Sequence[int], ...]
"""The columns of one link: words of each bag, pairs, path, shape, and place the last."""


def scaled(bags: Bags) -> Iterator[tuple[Sequence[int], float]]:
    """Each bag of a link, and the value of its columns: all but the place have the same length.

    Values are 1 over the root of the size of the bag, so that a long heading
    does not drown a short anchor.
    """
    *others, place = bags
    yield from ((bag, len(bag) ** -0.5) for bag in others if bag)
    yield place, 1.0


class Features:
    """Gives links their columns; remembers the hashes of words and tag paths.

    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> home = site.page(int(site.seeds[0]))
    >>> first, second = Features().see(home, [0, 1], depth=0)
    >>> len(set().union(*first)) > 10
    True
    """

    def __init__(self) -> None:
        self._words = WordColumns()
        self._paths: dict[int, list[int]] = {}

    @property
    def nbytes(self) -> int:
        """The memory of the arrays."""
        return self._words.nbytes

    def see(self, page: Page, links: Sequence[int], depth: int) -> list[Bags]:
        """Look at some links of a page that is so many links from the seeds."""
        urls, targets, size = page.tables.urls, page.targets, len(page.targets)
        paths, source = page.content.paths.tolist(), _address(page.url)
        alike = Counter(paths).__getitem__ if len(links) > _FEW else paths.count
        tables = [columns for _, columns in _FACTS]
        found: list[Bags] = []
        for link, words in zip(links, self.words(page, links), strict=True):
            number = paths[link]
            path = self._paths.get(number)
            if path is None:
                path = self._paths[number] = _columns(_path(page.tables.paths[number]))
            address = _address(urls[targets.item(link)])
            facts = _facts(address, source, depth, size, link, alike(number))
            few = [columns[fact] for columns, fact in zip(tables, facts, strict=True)]
            shape = _columns(_file(address)) + few[:_SHAPES]
            found.append((*words, path, shape, few[_SHAPES:]))
        return found

    def words(self, page: Page, links: Sequence[int]) -> Iterator[Bags]:
        """The columns that are words, or pairs of words."""
        return self._words.see(page, links)

    def named_words(self, page: Page, index: int) -> Iterator[tuple[int, str, str]]:
        """Those of one link: each, the word or pair it stands for, and its bag."""
        return self._words.named(page, index)

    def named(self, page: Page, index: int, depth: int) -> dict[int, tuple[str, str]]:
        """The columns of one link: what each stands for, and in which bag it is."""
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
    """A URL taken apart."""

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
    """What a tag path says: all of it, its last three tags, its last."""
    three = "/".join(path.rsplit("/", 3)[-3:])
    return f"path {path}", f"path {three}", f"path {path.rpartition('/')[2]}"


def _file(address: _Address) -> tuple[str, str]:
    """What the last part of a URL says."""
    file = address.file
    _, dot, kind = file.rpartition(".")
    kind = kind[:6] if dot else "none" if kind else "folder"
    return f"shape type {kind}", f"shape file {_DIGITS.sub('0', file)}"


def _facts(
    address: _Address, source: _Address, depth: int, size: int, link: int, among: int
) -> tuple[int, ...]:
    """What else there is to say: for each of the `_FACTS`, which text of it is true."""
    host, folder, _, query = address
    my_host, my_folder, _, _ = source
    below = folder.startswith(my_folder)
    return (
        min(folder.count("/") + 1, 5) if folder else 0,
        query,
        4 * (host == my_host) + 2 * (folder == my_folder) + below,
        min(depth, _DEEPEST),
        size.bit_length(),
        min((link + 1).bit_length(), _DEEPEST),
        among.bit_length(),
    )


def _listed(*texts: str) -> tuple[tuple[str, ...], list[int]]:
    return texts, _columns(texts)


_BITS = range(33)
_FACTS = (
    _listed(*(f"shape depth {n}" for n in range(6))),
    _listed("shape query False", "shape query True"),
    _listed(
        *(
            f"shape same host {host}, folder {folder}, below {below}"
            for host, folder, below in product((False, True), repeat=3)
        )
    ),
    _listed(*(f"place page at depth {n}" for n in range(_DEEPEST + 1))),
    _listed(*(f"place links on the page 2^{n}" for n in _BITS)),
    _listed(*(f"place position 2^{n}" for n in range(_DEEPEST + 1))),
    _listed(*(f"place links of its path 2^{n}" for n in _BITS)),
)
"""What can be said in a few ways: the texts, and their columns."""
