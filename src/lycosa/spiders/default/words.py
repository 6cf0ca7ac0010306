"""The words of links as columns: 16 bits of a hash of the word and its bag.

Words of the anchor, of the URL, near the link and in the headings above it; pairs of
neighbouring words in the URL; and the starts of words of anchor and URL, their first
letters without digits, which forms of a word have in common. Links are read one by one: most
pages have one or two new links, for which numpy arrays are slower than lists.
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
"""Words before and after an anchor that count as near."""
WORDS = ("anchor", "url", "near", "heads")
"""The bags that hold words; kinds of columns are numbered in this order."""
STARTS = ("anchor", "url")
"""The bags whose words have columns for their starts, too."""
START_LETTERS = 5
_ANCHOR, _URL = map(WORDS.index, STARTS)
_PAIR, _START = len(WORDS), len(WORDS) + 1  # further kinds; starts have one for each bag
_DIGITS = str.maketrans("", "", "0123456789")
_MASK = 2**64 - 1
_MIX = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: Fibonacci hashing
_SALTS = [kind * 0xD1342543DE82EF95 & _MASK for kind in (0, 1, 2, 3, 5, 6, 7)]


class WordColumns:
    """The columns of the words of a table, each computed when it is first needed."""

    def __init__(self) -> None:
        self._hashes = array("Q")  # of every word; 0: not computed
        self._columns = [array("H") for _ in WORDS]  # of every word in every bag; 0: not computed
        self._starts = [array("H") for _ in STARTS]  # the same for starts

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(known.itemsize * len(known) for known in self._arrays)

    @property
    def _arrays(self) -> tuple[array[int], ...]:
        return self._hashes, *self._columns, *self._starts

    def columns(self, page: Page, links: Sequence[int]) -> Iterator[tuple[list[int], ...]]:
        """Yield the columns of some links of a page: of each bag, of pairs, of starts."""
        self._grow(page.tables.words)
        in_anchor, in_url, in_near, in_heads = self._columns
        anchor_starts, url_starts = self._starts
        start = self._new_start
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
                # The hashes of these words were computed with their columns.
                [
                    (31 * hashes[one] + 17 * hashes[two] + salt & _MASK) >> 48
                    for one, two in pairwise(url)
                ],
                [anchor_starts[word] or start(_ANCHOR, word) for word in anchor]
                + [url_starts[word] or start(_URL, word) for word in url],
            )

    def named(self, page: Page, link: int) -> Iterator[tuple[int, str, str]]:
        """Yield the columns of one link, each with its word, pair or start, and its bag."""
        table = page.tables.words
        (read,), (bags,) = _read(page.content, [link]), self.columns(page, [link])
        anchor, url, near, heads = ([table[word] for word in bag] for bag in read)
        pairs = [f"{one} {two}" for one, two in pairwise(url)]
        kinds = [*zip(WORDS, (anchor, url, near, heads), strict=True), ("url", pairs)]
        for columns, (bag, names) in zip(bags, kinds, strict=False):  # starts are left
            yield from ((column, name, bag) for column, name in zip(columns, names, strict=True))
        owned = zip(STARTS, (anchor, url), strict=True)
        starts = [(f"{start_of(word)}*", bag) for bag, words in owned for word in words]
        yield from ((column, *start) for column, start in zip(bags[_START], starts, strict=True))

    def _grow(self, table: Strings) -> None:
        """Use this table from now on, with room for all its words."""
        self._table = table
        added = len(table) - len(self._hashes)
        if added > 0:
            added += len(table) // 4
            for known in self._arrays:
                known.frombytes(bytes(added * known.itemsize))

    def _new_start(self, kind: int, word: int) -> int:
        """Compute the column of the start of a word in one of the `STARTS`."""
        mixed = _mixed(start_of(self._table[word]))
        column = self._starts[kind][word] = (mixed + _SALTS[_START + kind] & _MASK) >> 48
        return column

    def _new(self, kind: int, word: int) -> int:
        """Compute the column of a word in one kind of bag."""
        mixed = self._hashes[word]
        if not mixed:
            mixed = self._hashes[word] = _mixed(self._table[word])
        column = self._columns[kind][word] = (mixed + _SALTS[kind] & _MASK) >> 48
        return column


def _mixed(text: str) -> int:
    """Return a hash of 64 bits that is not 0."""
    return (crc32(text.encode("utf-8", "replace")) + 1) * _MIX & _MASK


def start_of(word: str) -> str:
    """Return the first letters of a word, without digits; 0 for a number.

    >>> start_of("tutorial5"), start_of("tutors"), start_of("1999")
    ('tutor', 'tutor', '0')
    """
    return word.translate(_DIGITS)[:START_LETTERS] or "0"


def _read(content: Content, links: Sequence[int]) -> Iterator[tuple[list[int], ...]]:
    """Yield the words of each link, one list for each of the `WORDS`, from all its anchors."""
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
    """Return the words of a heading and of the headings above it."""
    found: list[int] = []
    for start, stop in headings_above(content, heading):
        found += content.tokens[start:stop].tolist()
    return found
