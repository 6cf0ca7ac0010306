"""Feature vectors of normal forms: arrays of fixed width for comparing many pairs at once.

A set of letter trigrams is a Bloom filter (Bloom 1970), so the intersection of two sets is
counted in a few machine words. Title, authors, first author and venue have a filter
each; year, pages and volume are numbers, and identifiers are hashed. A form takes 334
bytes, whatever the length of its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from lycosa.papers.matching.normal_form import NormalForm

TITLE_BITS, AUTHORS_BITS, FIRST_AUTHOR_BITS, VENUE_BITS = 1024, 256, 64, 64
"""The sizes of the Bloom filters; a title has about fifty trigrams."""
KINDS = ("", "meeting", "journal", "report", "thesis", "book")
BANDS = 8
"""The MinHash bands of a title, a key each; titles that share half of their 4-grams share one."""
_ROWS_PER_BAND = 2
_NAME_SEPARATOR = b"\1\1"  # two bytes, so that no trigram spans two names
_HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_FILTER_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
# Multiply-shift hashing (Dietzfelbinger et al. 1997) in place of random permutations.
_FACTORS = np.random.default_rng(1).integers(
    1, 2**63, BANDS * _ROWS_PER_BAND, np.uint64
) | np.uint64(1)

Rows = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class FeatureVectors:
    """The feature vectors of many normal forms: row k of every array belongs to form k.

    A value that the form does not have is 0.
    """

    title: Rows
    """Bloom filters of the trigrams of titles."""
    title_size: Rows
    """Bits set in `title`; `author_size`, `first_size` and `venue_size` likewise."""
    letters: Rows
    """Characters of the normalised title."""
    parts: Rows
    """Hash of the part numbers in the title."""
    authors: Rows
    """Bloom filters of the trigrams of all family names."""
    author_size: Rows
    first: Rows
    """Bloom filters of the bigrams of the first author's family name."""
    first_size: Rows
    initial: Rows
    """Code point of the first author's initial."""
    year: Rows
    """As in the normal form, like pages and volume."""
    first_page: Rows
    last_page: Rows
    volume: Rows
    venue: Rows
    """Bloom filters of the stems of the venue."""
    venue_size: Rows
    kind: Rows
    """Index into `KINDS`."""
    waiting: Rows
    """Whether the work is forthcoming."""
    doi: Rows
    """Hash of the DOI; `preprint` likewise."""
    preprint: Rows
    keys: Rows
    """The blocking keys, 64 bits each; 0 for no key."""

    def __len__(self) -> int:
        return len(self.year)

    @classmethod
    def empty(cls, size: int = 0) -> FeatureVectors:
        """Return zero vectors for `size` forms."""
        blank = compute_vectors([_EMPTY_FORM])
        columns = (getattr(blank, field.name) for field in fields(cls))
        return cls(*(np.zeros((size, *column.shape[1:]), column.dtype) for column in columns))

    def put(
        self, start: int, other: FeatureVectors, chosen: NDArray[np.bool_] | None = None
    ) -> None:
        """Copy other vectors, or the `chosen` ones, into the rows from `start` on."""
        for field in fields(self):
            rows = getattr(other, field.name)
            rows = rows if chosen is None else rows[chosen]
            getattr(self, field.name)[start : start + len(rows)] = rows

    def head(self, size: int) -> FeatureVectors:
        """Return the vectors of the first `size` forms; they are not copied."""
        return FeatureVectors(*(column[:size] for column in self.columns()))

    def columns(self) -> list[Rows]:
        """Return all arrays, in the order of the attributes."""
        return [getattr(self, field.name) for field in fields(self)]

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(column.nbytes for column in self.columns())


def compute_vectors(forms: Sequence[NormalForm]) -> FeatureVectors:
    """Compute the feature vectors of normal forms.

    >>> from lycosa.papers.matching.normal_form import normalise
    >>> titles = ("Weak learners", "Weak learner")
    >>> two = compute_vectors([normalise({"title": title}) for title in titles])
    >>> two.title_size.tolist(), int(np.bitwise_count(two.title[0] & two.title[1]).sum())
    ([10, 9], 9)
    """
    titles = [form.title.encode() for form in forms]
    families = [[name.family.encode() for name in form.names] for form in forms]
    firsts = [each[0] if each else b"" for each in families]
    authors = [_NAME_SEPARATOR.join((b"", *each, b"")) if each else b"" for each in families]
    title = _bloom_filters(titles, 3, TITLE_BITS)
    people = _bloom_filters(authors, 3, AUTHORS_BITS)
    first = _bloom_filters(
        [b"\1" + one + b"\1" if one else b"" for one in firsts], 2, FIRST_AUTHOR_BITS
    )
    places = [b"".join([word.encode()[:3].ljust(3) for word in form.venue]) for form in forms]
    venue = _bloom_filters(places, 3, VENUE_BITS, step=3)
    numbers = [(f.year, f.first_page, f.last_page, f.volume, len(f.title)) for f in forms]
    year, first_page, last_page, volume, letters = np.array(numbers, np.int32).reshape(-1, 5).T
    family = np.array([_hash(one[:5]) for one in firsts], np.uint64)
    opening = np.array([_hash(one[:12]) for one in titles], np.uint64)
    alone = _key(13, opening, family)
    doi = _identifier_hashes([form.doi for form in forms])
    preprint = _identifier_hashes([form.preprint for form in forms])
    return FeatureVectors(
        title=title,
        title_size=_bit_counts(title),
        letters=letters.astype(np.int16),
        parts=np.array([_hash(" ".join(f.parts).encode()) & 0xFFFF for f in forms], np.uint16),
        authors=people,
        author_size=_bit_counts(people),
        first=first[:, 0],
        first_size=_bit_counts(first),
        initial=np.array([_initial(form) for form in forms], np.uint16),
        year=year.astype(np.int16),
        first_page=first_page,
        last_page=last_page,
        volume=volume,
        venue=venue[:, 0],
        venue_size=_bit_counts(venue),
        kind=np.array([KINDS.index(form.kind) for form in forms], np.uint8),
        waiting=np.array([form.waiting for form in forms], bool),
        doi=doi.astype(np.uint32),
        preprint=preprint.astype(np.uint32),
        keys=np.column_stack(
            [
                *_title_keys(titles),
                _key(9, opening),
                _key(10, family, year),
                _key(11, family, first_page),
                _key(12, first_page, last_page, year),
                # A key for forms with neither title nor numbers.
                np.where((opening > 0) | (year > 0) | (first_page > 0), np.uint64(0), alone),
                _key(14, doi),
                _key(15, preprint),
            ]
        ),
    )


_EMPTY_FORM = NormalForm("", (), (), 0, 0, 0, 0, (), "")


def _initial(form: NormalForm) -> int:
    return min(ord(form.names[0].initial or "\0"), 0xFFFF) if form.names else 0


def _identifier_hashes(identifiers: Sequence[str]) -> NDArray[np.uint64]:
    return np.array(
        [_hash(one.encode("utf-8", "replace")) if one else 0 for one in identifiers], np.uint64
    )


def _hash(text: bytes) -> int:
    """Return a hash of a text; 0 only for the empty text."""
    return xxhash.xxh3_64_intdigest(text) | 1 if text else 0


def _key(kind: int, *columns: NDArray[Any]) -> NDArray[np.uint64]:
    """Combine columns into one blocking key, 0 where one of them is 0."""
    key = np.full(len(columns[0]), kind, np.uint64)
    known = np.ones(len(key), bool)
    for column in columns:
        key = (key ^ column.astype(np.uint64)) * _HASH_FACTOR
        key ^= key >> np.uint64(29)
        known &= column > 0
    return np.where(known, key | np.uint64(1), np.uint64(0))


def _ngrams(texts: Sequence[bytes], n: int, step: int = 1) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return all n-grams of bytes as numbers, and the text of each; short texts are padded."""
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


def _bloom_filters(texts: Sequence[bytes], n: int, width: int, step: int = 1) -> NDArray[np.uint64]:
    """Return a Bloom filter of the n-grams of each text."""
    grams, owner = _ngrams(texts, n, step)
    marks = np.zeros((len(texts), width), np.uint8)
    marks[owner, (grams * _FILTER_FACTOR) >> np.uint64(64 - int(width).bit_length() + 1)] = 1
    return np.packbits(marks, axis=1).view(np.uint64)


def _bit_counts(rows: NDArray[np.uint64]) -> NDArray[np.int16]:
    return np.asarray(np.bitwise_count(rows).sum(axis=1), np.int16)


def _title_keys(titles: Sequence[bytes]) -> list[NDArray[np.uint64]]:
    """Return MinHash keys (Broder 1997): each band hashes the minima of two hash functions."""
    grams, owner = _ngrams(titles, 4)
    known = np.array([len(title) > 0 for title in titles], bool)
    starts = np.searchsorted(owner, np.flatnonzero(known))
    least = np.zeros((len(_FACTORS), len(titles)), np.uint64)
    grams = (grams + np.uint64(1)) * _HASH_FACTOR
    grams ^= grams >> np.uint64(31)
    for k, factor in enumerate(_FACTORS):
        if len(starts):
            least[k, known] = np.minimum.reduceat((grams * factor) >> np.uint64(24), starts)
    bands = least.reshape(BANDS, _ROWS_PER_BAND, len(titles)) + known
    return [_key(1 + band, *rows) for band, rows in enumerate(bands)]
