"""Near duplicates by one-permutation hashing: Li, Owen & Zhang 2012; Shrivastava & Li 2014.

The hashes of a page's word triples (Broder 1997) are sorted into 16 bins; the
sketch of the page is one byte of the least hash of each bin, of the next bin
where one is empty. Two bytes in the same place are equal about as likely as a
triple of either page is a triple of both. Pages are near duplicates if all
bytes but one are equal. Of texts of 300 words 97 % are detected with one word
changed, 75 % with three and none with thirty; a SimHash of 64 bits (Charikar
2002; Manku, Jain & Das Sarma 2007) at 3 bits detects 71 and 29 %.

On many sites most of a page is its menu, and sketches alone take articles for
copies of each other. So the hash of the title is combined with the sketch by
XOR, which separates pages with different titles at no cost, and the lengths of
near duplicates must be nearly the same.

If all but one of 16 bytes agree, then one half of the sketch agrees entirely.
So there are two hash tables with chains, one for each half: 65,536 buckets, and
for each page the next one of its bucket. That is 32 bytes for a new page, none
for a duplicate, and half a megabyte at the start.
"""

from __future__ import annotations

from array import array

import xxhash

from lycosa.content import Ints
from lycosa.core import Page
from lycosa.snapshots import StateReader, StateWriter
from lycosa.spiders.traps.sketches import sketch

MAX_LENGTH_DIFFERENCE = 0.02
"""The lengths of near duplicates differ by this share at most."""
MIN_SKETCHED_WORDS = 20
"""A page of fewer words is compared exactly."""
_BUCKETS = 1 << 16
_GOLDEN = 0x9E3779B97F4A7C15  # to find a bucket
_MASK = 2**64 - 1
_LOGS = ("_next", "_halves", "_pages", "_sizes")  # the arrays that only grow


class Duplicates:
    """The index of pages seen so far, which finds near duplicates among them.

    >>> import numpy as np
    >>> from lycosa.content import Content, Table, Tables
    >>> tables = Tables(Table(), Table(["a", "b", "c"]), Table())
    >>> def page(number, words):
    ...     content = Content(tokens=np.array(words, np.int32))
    ...     return Page(number, tables, content=content)
    >>> seen = Duplicates()
    >>> seen.add(page(0, range(300))), seen.add(page(1, [*range(299), 7]))
    (None, 0)
    >>> seen.add(page(2, range(100, 400)))
    """

    def __init__(self) -> None:
        self._heads = array("i", [-1]) * (2 * _BUCKETS)
        self._next = array("i")
        self._halves = array("Q")
        self._pages = array("i")
        self._sizes = array("i")

    def __len__(self) -> int:
        """Return how many pages were new."""
        return len(self._pages)

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        arrays = (self._heads, self._next, self._halves, self._pages, self._sizes)
        return sum(one.itemsize * len(one) for one in arrays)

    def save(self, state: StateWriter) -> None:
        """Save the index."""
        state.array("heads", self._heads)
        for name in _LOGS:
            state.log(name, getattr(self, name))

    def restore(self, state: StateReader) -> None:
        """Take over a saved index."""
        state.fill("heads", self._heads)
        for name in _LOGS:
            state.fill_log(name, getattr(self, name))

    def add(self, page: Page) -> int | None:
        """Return the number of an earlier near duplicate, or None and add the page.

        A page without words is never a duplicate and is not added.
        """
        content = page.content
        size = len(content.tokens)
        if not size:
            return None
        if size < MIN_SKETCHED_WORDS:
            # Two equal halves of a plain hash: it matches only itself.
            one = _hash(content.tokens, _hash(page.targets))
            halves = (one, one)
        else:
            title = _hash(content.tokens[: content.title_size])
            first, second = sketch(content.tokens)
            halves = (first ^ title, second ^ title)
        at = self._find(halves, size)
        if at >= 0:
            return self._pages[at]
        self._insert(halves, page.number, size)
        return None

    def _find(self, halves: tuple[int, int], size: int) -> int:
        after, known = self._next, self._halves
        for half in (0, 1):
            this, other = halves[half], halves[1 - half]
            at = self._heads[_bucket(half, this)]
            while at >= 0:
                if known[2 * at + half] == this:
                    apart = known[2 * at + 1 - half] ^ other
                    # All bits that differ must lie in the byte of the lowest of them.
                    near = not apart or apart >> ((apart & -apart).bit_length() - 1 & ~7) < 256
                    if near and abs(self._sizes[at] - size) <= MAX_LENGTH_DIFFERENCE * size:
                        return at
                at = after[2 * at + half]
        return -1

    def _insert(self, halves: tuple[int, int], page: int, size: int) -> None:
        at = len(self._pages)
        for half in (0, 1):
            bucket = _bucket(half, halves[half])
            self._next.append(self._heads[bucket])
            self._heads[bucket] = at
        self._halves.extend(halves)
        self._pages.append(page)
        self._sizes.append(size)


def _bucket(half: int, value: int) -> int:
    return half * _BUCKETS + ((value * _GOLDEN & _MASK) >> 48)


def _hash(numbers: Ints, seed: int = 0) -> int:
    return xxhash.xxh3_64_intdigest(numbers.tobytes(), seed)
