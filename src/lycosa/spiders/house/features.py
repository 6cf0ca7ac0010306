"""What the house spider knows of a link, as columns: hashes of words, places and shapes.

* words of the anchor, of the URL, near it, in headings above it; pairs of
  neighbours in anchor and URL;
* the tag path, its last three tags, its last one;
* the shape of the URL: file type, depth, whether it has a query, the name of
  the file without its numbers, and how it relates to the URL of the page;
* the place: how deep the page lies, how many links it has, where among them
  this one stands and how many share its tag path; the page itself, and the
  page together with the tag path, so that what was learned of a link holds for
  its brothers.

All but the last two mean the same on every site. A column is 16 bits of a hash
(Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Content, Strings
from lycosa.core import Page
from lycosa.learn.link_words import Rows

COLUMNS = 2**16
NEAR = 5
WORDS = ("anchor", "url", "near", "heads")
"""The bags that hold words; kinds of columns are numbered in this order, then pairs of words."""
_PAIR = len(WORDS)
_ALONE = -1
_BROTHERS = 2  # columns of that kind, the last
_SCALES = np.repeat(np.array([3.0, 5.0, 1.0]) ** -0.5, (3, 5, 4))  # of path, shape, place
_DEEPEST = 7
_DIGITS = re.compile(r"\d+")
_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio: Fibonacci hashing
_SALTS = np.arange(2 * _PAIR, dtype=np.uint64) * np.uint64(0xD1342543DE82EF95)

Longs = NDArray[np.int64]


class Words(NamedTuple):
    """The words of links one after the other, and pairs of words: owner, kind, column of each."""

    first: list[int]
    second: list[int]
    owners: Longs
    kinds: Longs
    columns: Longs

    def named(self, table: Strings) -> Iterator[tuple[int, str, str]]:
        """Each column, the word or pair it stands for, and its bag."""
        parts = zip(
            self.columns.tolist(), self.first, self.second, self.kinds.tolist(), strict=True
        )
        for column, one, two, kind in parts:
            text = table[one] if two == _ALONE else f"{table[one]} {table[two]}"
            yield column, text, WORDS[kind % _PAIR]


class Seen(NamedTuple):
    """What was seen of some links: their words, and a row of other columns for each."""

    words: Words
    others: Longs

    def rows(self, *, brothers: bool = True) -> Rows:
        """The columns of each link, each once.

        Without those of `brothers`, they mean the same on every site.
        """
        count = len(self.others)
        others = self.others if brothers else self.others[:, :-_BROTHERS]
        base = np.arange(count + 1) * COLUMNS
        keys = np.concatenate(
            (self.words.owners * COLUMNS + self.words.columns, (others + base[:-1, None]).ravel())
        )
        keys.sort()
        keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))]
        return Rows(keys.searchsorted(base), (keys % COLUMNS).astype(np.int32))

    def scaled(self) -> tuple[Longs, Longs, NDArray[np.float64]]:
        """Owner, column and value of all but the brothers, each bag scaled to the same length.

        Values are 1 over the root of the size of the bag, so that a long
        heading does not drown a short anchor.
        """
        words, count = self.words, len(self.others)
        bags = words.owners * (2 * _PAIR) + words.kinds
        sizes = np.bincount(bags, minlength=1)
        others = self.others[:, :-_BROTHERS]
        owners = np.concatenate((words.owners, np.repeat(np.arange(count), others.shape[1])))
        values = np.concatenate((sizes.take(bags) ** -0.5, np.tile(_SCALES, count)))
        return owners, np.concatenate((words.columns, others.ravel())), values


class Features:
    """Gives links their columns; remembers the hashes of words and tag paths.

    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> home = site.page(int(site.seeds[0]))
    >>> rows = Features().see(home, np.arange(2), depth=0).rows()
    >>> len(rows), bool(np.diff(rows.starts).min() > 10)
    (2, True)
    """

    def __init__(self) -> None:
        self._hashes = _Hashes()
        self._paths: dict[int, list[int]] = {}

    def see(self, page: Page, links: NDArray[np.intp], depth: int) -> Seen:
        """Look at some links of a page that is so many links from the seeds."""
        others = []
        texts = _others(page, links, depth)
        for path, said in zip(page.content.paths[links].tolist(), texts, strict=True):
            tags = self._paths.get(path)
            if tags is None:
                text = page.tables.paths[path]
                tags = self._paths[path] = [_column(part) for part in _tags(text)]
            others.append(tags + [_column(text) for text in said])
        return Seen(self.words(page, links), np.array(others, np.int64))

    def named(self, page: Page, index: int, depth: int) -> dict[int, tuple[str, str]]:
        """The columns of one link: what each stands for, and in which bag it is."""
        link = np.array([index])
        table = page.tables.words
        found = {column: (name, bag) for column, name, bag in self.words(page, link).named(table)}
        tags = _tags(page.tables.paths[page.content.paths.item(index)])
        for text in (*tags, *_others(page, link, depth)[0]):
            bag, _, name = text.partition(" ")
            found[_column(text)] = name, bag
        return found

    def words(self, page: Page, links: NDArray[np.intp]) -> Words:
        """The columns that are words.

        One link after the other, because most pages bring a few new ones or
        none among many.
        """
        content = page.content
        first: list[int] = []
        ones: list[int] = []
        twos: list[int] = []
        spans: list[tuple[int, int, int]] = []  # owner, kind, size
        pairs: list[tuple[int, int, int]] = []
        tokens, urls, title = content.tokens, content.url_tokens, content.title_size
        heads: dict[int, list[int]] = {-1: tokens[:title].tolist()}
        places = _places(content, links)
        url_start, url_stop = content.url_start[links].tolist(), content.url_stop[links].tolist()
        for owner, anchors in enumerate(places):
            for start, stop, heading in anchors:
                before = max(start - NEAR, min(title, start))
                around = tokens[before : stop + NEAR].tolist()
                anchor = around[start - before : stop - before]
                above = heads.get(heading)
                if above is None:
                    above = heads[heading] = heads[-1] + _above(content, heading)
                near = around[: start - before] + around[stop - before :]
                for kind, found in ((0, anchor), (2, near), (3, above)):
                    first += found
                    spans.append((owner, kind, len(found)))
                ones += anchor[:-1]
                twos += anchor[1:]
                pairs.append((owner, _PAIR, max(len(anchor) - 1, 0)))
            found = urls[url_start[owner] : url_stop[owner]].tolist()
            first += found
            spans.append((owner, 1, len(found)))
            ones += found[:-1]
            twos += found[1:]
            pairs.append((owner, _PAIR + 1, max(len(found) - 1, 0)))
        owners, kinds, sizes = np.array(spans + pairs, np.int64).T
        plain = self._hashes.of(page.tables.words, np.array(first, np.int64))
        # Pairs stand among the words too, so their hashes are known by now.
        one, two = (self._hashes.known(np.array(part, np.int64)) for part in (ones, twos))
        every = np.concatenate((plain, one * np.uint64(31) + two * np.uint64(17)))
        spread = np.repeat(kinds, sizes)
        columns = ((every * _MIX + _SALTS.take(spread)) >> np.uint64(48)).astype(np.int64)
        seconds = [_ALONE] * len(first) + twos
        return Words(first + ones, seconds, np.repeat(owners, sizes), spread, columns)


class _Hashes:
    """The hashes of the words of a table, each worked out when it is first met."""

    def __init__(self) -> None:
        self._array = np.zeros(1024, np.uint64)  # 0: not known

    def of(self, table: Strings, words: Longs) -> NDArray[np.uint64]:
        if len(words) and (most := int(words.max())) >= len(self._array):
            room = np.zeros(most + most // 4 + 1 - len(self._array), np.uint64)
            self._array = np.concatenate((self._array, room))
        found = self._array.take(words)
        new = words[found == 0]
        if len(new):
            for number in set(new.tolist()):
                self._array[number] = crc32(table[number].encode("utf-8", "replace")) + 1
            found = self._array.take(words)
        return found

    def known(self, words: Longs) -> NDArray[np.uint64]:
        """The same of words that were met before."""
        return self._array.take(words)


def _column(text: str) -> int:
    return crc32(text.encode("utf-8", "replace")) >> 16


def _tags(path: str) -> tuple[str, str, str]:
    """What a tag path says: all of it, its last three tags, its last."""
    three = "/".join(path.rsplit("/", 3)[-3:])
    return f"path {path}", f"path {three}", f"path {path.rpartition('/')[2]}"


def _places(content: Content, links: NDArray[np.intp]) -> list[list[tuple[int, int, int]]]:
    """For each link where its anchors begin and end, and the heading of each."""
    if len(content.owner) == len(content.paths):  # one anchor each, in the order of the links
        parts = content.start[links], content.stop[links], content.heading[links]
        return [[place] for place in zip(*(part.tolist() for part in parts), strict=True)]
    mine = np.full(len(content.paths), -1)
    mine[links] = np.arange(len(links))
    found: list[list[tuple[int, int, int]]] = [[] for _ in links]
    which = mine[content.owner]
    for k in np.flatnonzero(which >= 0).tolist():
        place = content.start.item(k), content.stop.item(k), content.heading.item(k)
        found[which.item(k)].append(place)
    return found


def _above(content: Content, heading: int) -> list[int]:
    """The words of a heading and of those it stands under."""
    found: list[int] = []
    while heading >= 0:
        found += content.tokens[content.head_start[heading] : content.head_stop[heading]].tolist()
        heading = content.head_above.item(heading)
    return found


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


def _others(page: Page, links: NDArray[np.intp], depth: int) -> list[tuple[str, ...]]:
    """What else there is to say of each link; the last two are shared by its brothers."""
    urls, paths = page.tables.urls, page.content.paths
    source = _address(page.url)
    among = np.bincount(paths)[paths[links]].tolist()
    page_depth = f"place page at depth {min(depth, _DEEPEST)}"
    many = f"place links on the page 2^{len(page.targets).bit_length()}"
    number = page.number
    found: list[tuple[str, ...]] = []
    for link, target, path, siblings in zip(
        links.tolist(), page.targets[links].tolist(), paths[links].tolist(), among, strict=True
    ):
        address = _address(urls[target])
        _, dot, kind = address.file.rpartition(".")
        host, folder = address.host == source.host, address.folder == source.folder
        below = address.folder.startswith(source.folder)
        found.append(
            (
                f"shape type {kind[:6] if dot else 'none' if kind else 'folder'}",
                f"shape depth {min(address.folder.count('/') + bool(address.folder), 5)}",
                f"shape query {address.query}",
                f"shape file {_DIGITS.sub('0', address.file)}",
                f"shape same host {host}, folder {folder}, below {below}",
                page_depth,
                many,
                f"place position 2^{min((link + 1).bit_length(), _DEEPEST)}",
                f"place links of its path 2^{siblings.bit_length()}",
                f"brothers page {number}",
                f"brothers path {path} of page {number}",
            )
        )
    return found
