from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.content import Content
from lycosa.core import Page
from lycosa.spiders.traps.duplicates import (
    MAX_LENGTH_DIFFERENCE,
    MIN_SKETCHED_WORDS,
    Duplicates,
    sketch,
)
from small_pages import tables

TABLES = tables()
WORDS = np.random.default_rng(0).integers(0, 5000, 600).astype(np.int32)


def page(number: int, words, links=(), title: int = 0) -> Page:
    content = Content(tokens=np.array(words, np.int32), title_size=title)
    return Page(number, TABLES, np.array(links, np.int32), content)


def changed(words, *places: int):
    words = np.array(words)
    words[list(places)] += 6000
    return words


SKETCHES = st.lists(
    st.tuples(
        st.sampled_from([bytes(16), bytes(range(16)), b"\xff" * 16]),
        st.lists(st.tuples(st.integers(0, 15), st.integers(0, 255)), max_size=2),
        st.integers(100, 104),
    ),
    max_size=30,
)


@given(SKETCHES)
def test_finds_exactly_the_sketches_that_differ_in_at_most_one_byte(rows):
    seen = Duplicates()
    kept: list[tuple[bytes, int]] = []
    for base, changes, size in rows:
        bytes_ = bytearray(base)
        for place, value in changes:
            bytes_[place] = value
        halves = int.from_bytes(bytes_[:8]), int.from_bytes(bytes_[8:])
        near = [
            sum(a != b for a, b in zip(bytes_, other, strict=True)) <= 1
            and abs(length - size) <= MAX_LENGTH_DIFFERENCE * size
            for other, length in kept
        ]
        at = seen._find(halves, size)
        assert (at >= 0) == any(near)
        if at >= 0:
            assert near[at]
        else:
            seen._insert(halves, len(kept), size)
            kept.append((bytes(bytes_), size))


def test_sketch_similarity_estimates_the_jaccard_index_of_triples():
    rng = np.random.default_rng(3)
    equal, places = 0, 0
    for _ in range(200):
        words = rng.integers(0, 5000, 400)
        other = words.copy()
        other[300:] = rng.integers(5000, 10_000, 100)  # 298 triples of both, 498 of either
        one, two = (np.array(sketch(w), np.uint64).view(np.uint8) for w in (words, other))
        equal += int((one == two).sum())
        places += 16
    assert equal / places == pytest.approx(298 / 498, abs=0.04)


def triples(words):
    """Return the hash of every three consecutive words, by definition."""
    factors = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
    found = []
    for three in zip(words.tolist(), words[1:].tolist(), words[2:].tolist(), strict=False):
        mixed = sum(word * factor for word, factor in zip(three, factors, strict=True)) % 2**64
        mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93 % 2**64
        found.append(mixed ^ mixed >> 32)
    return np.array(found, np.uint64)


def test_sketch_of_a_long_page_covers_all_its_triples():
    words = np.random.default_rng(4).integers(0, 50_000, 20_000).astype(np.int32)
    hashes = np.sort(triples(words))
    bins = [hashes[hashes >> np.uint64(60) == n].min() for n in range(16)]
    assert np.array(sketch(words), np.uint64).tobytes() == np.array(bins).astype(np.uint8).tobytes()


def test_same_words_are_a_duplicate_of_the_first_page():
    seen = Duplicates()
    assert seen.add(page(7, WORDS)) is None
    assert seen.add(page(8, WORDS, links=[1, 2])) == 7
    assert seen.add(page(9, WORDS)) == 7
    assert len(seen) == 1


def test_tolerates_one_changed_word_but_not_every_tenth():
    found = 0
    for start in range(0, 300, 10):
        words = WORDS[start : start + 300]
        seen = Duplicates()
        seen.add(page(0, words))
        assert seen.add(page(1, changed(words, *range(0, 300, 10)))) is None
        found += seen.add(page(2, changed(words, 150))) == 0
    assert found >= 26  # of 30


def test_pages_with_different_titles_are_not_duplicates():
    seen = Duplicates()
    seen.add(page(0, WORDS, title=3))
    assert seen.add(page(1, changed(WORDS, 1), title=3)) is None
    assert seen.add(page(2, changed(WORDS, 300), title=3)) == 0


def test_articles_that_share_a_long_menu_are_not_duplicates():
    seen = Duplicates()
    menu = WORDS[:280]
    rng = np.random.default_rng(1)
    for number in range(200):
        article = rng.integers(10_000, 20_000, 30)
        assert seen.add(page(number, [*article[:5], *menu, *article], title=5)) is None


@given(st.lists(st.integers(0, 3), min_size=1, max_size=MIN_SKETCHED_WORDS - 1), st.integers(0, 18))
def test_short_pages_are_compared_exactly_by_words_and_links(words, place):
    seen = Duplicates()
    other = list(words)
    other[place % len(words)] += 1
    assert seen.add(page(0, words, links=[5])) is None
    assert seen.add(page(1, other, links=[5])) is None
    assert seen.add(page(2, words, links=[6])) is None
    assert seen.add(page(3, words, links=[5])) == 0


def test_pages_without_words_are_ignored():
    seen = Duplicates()
    assert seen.add(page(0, [])) is None
    assert seen.add(page(1, [])) is None
    assert len(seen) == 0


def test_pages_that_repeat_a_few_words_are_compared_like_others():
    seen = Duplicates()
    for number, length in enumerate((1, 2, 3)):
        words = list(range(number, number + length)) * (9000 // length)
        assert seen.add(page(number, words)) is None
        assert seen.add(page(10, words)) == number


def test_a_new_page_takes_32_bytes_and_a_duplicate_none():
    seen = Duplicates()
    before = seen.nbytes
    rng = np.random.default_rng(2)
    for number in range(50):
        words = rng.integers(0, 9000, 100)
        seen.add(page(number, words))
        seen.add(page(number + 50, words))
    assert seen.nbytes - before == pytest.approx(32 * 50)
