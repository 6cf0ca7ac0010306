"""The words of links as columns: 16 bits of a hash of the word and of where it stands.

Words of the anchor, of the URL, near it, in headings above it, and pairs of
neighbours in the URL. They are read one by one: most pages bring one new link
or two, and arrays are dear where there is little to compute.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from zlib import crc32

from lycosa.content import Content, Strings
from lycosa.core import Page
from lycosa.learn.link_words import anchors_of, headings_above

NEAR = 5
WORDS = ("anchor", "url", "near", "heads")
"""The bags that hold words; kinds of columns are numbered in this order, then pairs of words."""
_URL, _PAIR = WORDS.index("url"), len(WORDS)
_LONG = 2**64 - 1
_MIX = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: Fibonacci hashing
_SALTS = [kind * 0xD1342543DE82EF95 & _LONG for kind in (0, 1, 2, 3, 5)]


class WordColumns:
    """Gives the words of a table their columns, each worked out when it is first met."""

    def __init__(self) -> None:
        self._hashes = array("Q")  # of every word; 0: not known
        self._columns = [array("H") for _ in WORDS]  # the same

    @property
    def nbytes(self) -> int:
        """The memory of the arrays."""
        return sum(known.itemsize * len(known) for known in (self._hashes, *self._columns))

    def see(self, page: Page, links: Sequence[int]) -> Iterator[tuple[list[int], ...]]:
        """The columns of some links of a page: those of each bag of words, then those of pairs."""
        self._reach(page.tables.words)
        in_anchor, in_url, in_near, in_heads = self._columns
        hashes, new, salt = self._hashes, self._new, _SALTS[_PAIR]
        last: list[int] = []
        above: list[int] = []
        for anchor, url, near, heads in _read(page.content, links):
            if heads is not last:  # links under one heading share its words
                last, above = heads, [in_heads[word] or new(3, word) for word in heads]
            yield (
                [in_anchor[word] or new(0, word) for word in anchor],
                [in_url[word] or new(1, word) for word in url],
                [in_near[word] or new(2, word) for word in near],
                above,
                # These words stand alone too, so their hashes are known by now.
                [
                    (31 * hashes[one] + 17 * hashes[two] + salt & _LONG) >> 48
                    for one, two in pairwise(url)
                ],
            )

    def named(self, page: Page, link: int) -> Iterator[tuple[int, str, str]]:
        """The columns of one link: each, the word or pair it stands for, and its bag."""
        table = page.tables.words
        (read,), (bags,) = _read(page.content, [link]), self.see(page, [link])
        names = [[table[word] for word in words] for words in read]
        names.append([f"{one} {two}" for one, two in pairwise(names[_URL])])
        for kind, (columns, mine) in enumerate(zip(bags, names, strict=True)):
            bag = WORDS[_URL if kind == _PAIR else kind]
            yield from ((column, name, bag) for column, name in zip(columns, mine, strict=True))

    def _reach(self, table: Strings) -> None:
        """The words that follow are of this table."""
        self._table = table
        more = len(table) - len(self._hashes)
        if more > 0:
            more += len(table) // 4
            for known in (self._hashes, *self._columns):
                known.frombytes(bytes(more * known.itemsize))

    def _new(self, kind: int, word: int) -> int:
        mixed = self._hashes[word]
        if not mixed:
            crc = crc32(self._table[word].encode("utf-8", "replace")) + 1
            mixed = self._hashes[word] = crc * _MIX & _LONG
        column = self._columns[kind][word] = (mixed + _SALTS[kind] & _LONG) >> 48
        return column


def _read(content: Content, links: Sequence[int]) -> Iterator[tuple[list[int], ...]]:
    """The words of each link, one list for each of the `WORDS`, from all of its anchors."""
    tokens, urls, title = content.tokens, content.url_tokens, content.title_size
    start_of, stop_of, heading_of = content.start.item, content.stop.item, content.heading.item
    url_start, url_stop = content.url_start.item, content.url_stop.item
    heads = {-1: tokens[:title].tolist()}
    for link, anchors in zip(links, anchors_of(content, links), strict=True):
        anchor: list[int] = []
        near: list[int] = []
        above: list[int] = []
        for place in anchors:
            start, stop, heading = start_of(place), stop_of(place), heading_of(place)
            before = max(start - NEAR, min(title, start))
            around = tokens[before : stop + NEAR].tolist()
            first, last = start - before, stop - before
            anchor += around[first:last]
            near += around[:first]
            near += around[last:]
            if heading not in heads:
                heads[heading] = heads[-1] + _above(content, heading)
            above = above + heads[heading] if above else heads[heading]
        yield anchor, urls[url_start(link) : url_stop(link)].tolist(), near, above


def _above(content: Content, heading: int) -> list[int]:
    """The words of a heading and of those it stands under."""
    found: list[int] = []
    for start, stop in headings_above(content, heading):
        found += content.tokens[start:stop].tolist()
    return found
