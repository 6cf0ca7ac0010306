"""Forms as small arrays of fixed width, so that many pairs are compared at once.

A set of letter triples is a row of bits (Bloom 1970): what two sets have in
common is counted in a few machine words. Title, authors, first author and
venue have a row each; year, pages and volume are numbers. A form takes 310
bytes, however long its text was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from lycosa.papers.matching.normal_form import NormalForm

TITLE, AUTHORS, FIRST, VENUE = 1024, 256, 64, 64
"""Bits of each row; titles have fifty triples or so."""
KINDS = ("", "meeting", "journal", "report", "thesis", "book")
BANDS = 8
"""Keys of a title; two titles share one of them if their four-letter sequences agree by half."""
_ROWS = 2
_GAP = b"\1\1"  # no triple spans two names
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SPREAD = np.uint64(0xBF58476D1CE4E5B9)
# Multiply-shift hashing (Dietzfelbinger et al. 1997) in place of random permutations.
_FACTORS = np.random.default_rng(1).integers(1, 2**63, BANDS * _ROWS, np.uint64) | np.uint64(1)

Rows = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class FeatureVectors:
    """The sketches of many forms, one in each row of every array."""

    title: Rows
    title_size: Rows
    letters: Rows
    parts: Rows
    authors: Rows
    author_size: Rows
    first: Rows
    first_size: Rows
    initial: Rows
    year: Rows
    first_page: Rows
    last_page: Rows
    volume: Rows
    venue: Rows
    venue_size: Rows
    kind: Rows
    waiting: Rows
    keys: Rows
    """What it is found by: 64 bits each, 0 where there is nothing to find it by."""

    def __len__(self) -> int:
        return len(self.year)

    @classmethod
    def empty(cls, size: int = 0) -> FeatureVectors:
        """Room for so many forms."""
        blank = compute_vectors([_NOTHING])
        columns = (getattr(blank, field.name) for field in fields(cls))
        return cls(*(np.zeros((size, *column.shape[1:]), column.dtype) for column in columns))

    def put(
        self, start: int, other: FeatureVectors, chosen: NDArray[np.bool_] | None = None
    ) -> None:
        """Write others, or those that are chosen, into the rows from `start` on."""
        for field in fields(self):
            rows = getattr(other, field.name)
            rows = rows if chosen is None else rows[chosen]
            getattr(self, field.name)[start : start + len(rows)] = rows

    def grown(self, size: int) -> FeatureVectors:
        """The same with room for more."""
        more = FeatureVectors.empty(size)
        more.put(0, self)
        return more

    @property
    def nbytes(self) -> int:
        """The memory of the arrays."""
        return sum(getattr(self, field.name).nbytes for field in fields(self))


def compute_vectors(forms: Sequence[NormalForm]) -> FeatureVectors:
    """The sketches of some forms.

    >>> from lycosa.papers.matching.normal_form import normalise
    >>> titles = ("Weak learners", "Weak learner")
    >>> two = compute_vectors([normalise({"title": title}) for title in titles])
    >>> two.title_size.tolist(), int(np.bitwise_count(two.title[0] & two.title[1]).sum())
    ([10, 9], 9)
    """
    titles = [form.title.encode() for form in forms]
    families = [[name.family.encode() for name in form.names] for form in forms]
    firsts = [each[0] if each else b"" for each in families]
    authors = [_GAP.join((b"", *each, b"")) if each else b"" for each in families]
    title = _bits(titles, 3, TITLE)
    people = _bits(authors, 3, AUTHORS)
    first = _bits([b"\1" + one + b"\1" if one else b"" for one in firsts], 2, FIRST)
    places = [b"".join([word.encode()[:3].ljust(3) for word in form.venue]) for form in forms]
    venue = _bits(places, 3, VENUE, step=3)
    numbers = [(f.year, f.first_page, f.last_page, f.volume, len(f.title)) for f in forms]
    year, first_page, last_page, volume, letters = np.array(numbers, np.int32).reshape(-1, 5).T
    family = np.array([_hash(one[:5]) for one in firsts], np.uint64)
    opening = np.array([_hash(one[:12]) for one in titles], np.uint64)
    alone = _key(13, opening, family)
    return FeatureVectors(
        title=title,
        title_size=_sizes(title),
        letters=letters.astype(np.int16),
        parts=np.array([_hash(" ".join(f.parts).encode()) & 0xFFFF for f in forms], np.uint16),
        authors=people,
        author_size=_sizes(people),
        first=first[:, 0],
        first_size=_sizes(first),
        initial=np.array([_initial(form) for form in forms], np.uint16),
        year=year.astype(np.int16),
        first_page=first_page,
        last_page=last_page,
        volume=volume,
        venue=venue[:, 0],
        venue_size=_sizes(venue),
        kind=np.array([KINDS.index(form.kind) for form in forms], np.uint8),
        waiting=np.array([form.waiting for form in forms], bool),
        keys=np.column_stack(
            [
                *_title_keys(titles),
                _key(9, opening),
                _key(10, family, year),
                _key(11, family, first_page),
                _key(12, first_page, last_page, year),
                # With neither title nor numbers there is only this.
                np.where((opening > 0) | (year > 0) | (first_page > 0), np.uint64(0), alone),
            ]
        ),
    )


_NOTHING = NormalForm("", (), (), 0, 0, 0, 0, (), "")


def _initial(form: NormalForm) -> int:
    return min(ord(form.names[0].initial or "\0"), 0xFFFF) if form.names else 0


def _hash(text: bytes) -> int:
    """A hash of a text, never 0 unless there is none."""
    return xxhash.xxh3_64_intdigest(text) | 1 if text else 0


def _key(kind: int, *columns: NDArray[Any]) -> NDArray[np.uint64]:
    """One key from several columns, 0 where one of them is."""
    key = np.full(len(columns[0]), kind, np.uint64)
    known = np.ones(len(key), bool)
    for column in columns:
        key = (key ^ column.astype(np.uint64)) * _MIX
        key ^= key >> np.uint64(29)
        known &= column > 0
    return np.where(known, key | np.uint64(1), np.uint64(0))


def _grams(texts: Sequence[bytes], n: int, step: int = 1) -> tuple[NDArray[Any], NDArray[Any]]:
    """All sequences of n bytes as numbers, and whose they are; short texts are padded."""
    padded = [text.ljust(n) if text else text for text in texts]
    sizes = np.array([len(text) for text in padded], np.int64)
    counts = np.maximum(sizes - n + step, 0) // step
    letters = np.frombuffer(b"".join(padded), np.uint8)
    owner = np.repeat(np.arange(len(texts)), counts)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    place = np.repeat(np.cumsum(sizes) - sizes, counts) + step * within
    grams = np.zeros(len(owner), np.uint64)
    for k in range(n):
        grams = (grams << np.uint64(8)) | letters[place + k]
    return grams, owner


def _bits(texts: Sequence[bytes], n: int, width: int, step: int = 1) -> NDArray[np.uint64]:
    """For each text a row of bits, set where one of its sequences hashes to."""
    grams, owner = _grams(texts, n, step)
    marks = np.zeros((len(texts), width), np.uint8)
    marks[owner, (grams * _SPREAD) >> np.uint64(64 - int(width).bit_length() + 1)] = 1
    return np.packbits(marks, axis=1).view(np.uint64)


def _sizes(rows: NDArray[np.uint64]) -> NDArray[np.int16]:
    return np.asarray(np.bitwise_count(rows).sum(axis=1), np.int16)


def _title_keys(titles: Sequence[bytes]) -> list[NDArray[np.uint64]]:
    """MinHash bands (Broder 1997): each a hash of the least of two hashes of the sequences."""
    grams, owner = _grams(titles, 4)
    known = np.array([len(title) > 0 for title in titles], bool)
    starts = np.searchsorted(owner, np.flatnonzero(known))
    least = np.zeros((len(_FACTORS), len(titles)), np.uint64)
    grams = (grams + np.uint64(1)) * _MIX
    grams ^= grams >> np.uint64(31)
    for k, factor in enumerate(_FACTORS):
        if len(starts):
            least[k, known] = np.minimum.reduceat((grams * factor) >> np.uint64(24), starts)
    bands = least.reshape(BANDS, _ROWS, len(titles)) + known
    return [_key(1 + band, *rows) for band, rows in enumerate(bands)]
