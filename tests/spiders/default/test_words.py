from __future__ import annotations

import re
from itertools import pairwise
from zlib import crc32

import numpy as np
from hypothesis import given

from heading_pages import pages
from lycosa.core import Page
from lycosa.spiders.default.words import NEAR, WORDS, WordColumns
from small_pages import LinkSpec, page, tables

ALL = 2**64


def mixed(word: str) -> int:
    return (crc32(word.encode()) + 1) * 0x9E3779B97F4A7C15


def column(hashed: int, kind: int) -> int:
    return (hashed + kind * 0xD1342543DE82EF95) % ALL >> 48


def by_definition(page: Page, link: int) -> list[set[int]]:
    """The hashes that stored models depend on, so they must never change."""
    bags = page.link(link, near=NEAR).bags
    found = [{column(mixed(word), k) for word in bags[bag]} for k, bag in enumerate(WORDS)]
    pairs = {column(31 * mixed(one) + 17 * mixed(two), 5) for one, two in pairwise(bags["url"])}
    starts = {
        column(mixed(re.sub("[0-9]", "", word)[:5] or "0"), 6 + k)
        for k, bag in enumerate(["anchor", "url"])
        for word in bags[bag]
    }
    return [*found, pairs, starts]


@given(pages(least=1))
def test_columns_follow_the_definition(page):
    links = range(len(page.targets))
    for link, bags in enumerate(WordColumns().columns(page, links)):
        assert [set(bag) for bag in bags] == by_definition(page, link)


@given(pages(least=1))
def test_repeats_and_names_are_in_the_same_order(page):
    words = WordColumns()
    links = range(len(page.targets))
    first = list(words.columns(page, links))
    assert list(words.columns(page, links)) == first
    for link, bags in enumerate(first):
        named = list(words.named(page, link))
        assert [found for found, _, _ in named] == [found for bag in bags for found in bag]


def test_forms_of_a_word_share_the_column_of_their_start():
    forms = page(tables(), [LinkSpec(word, word) for word in ("tutorial5", "tutorials", "tuition")])
    one, two, other = (set(bags[-1]) for bags in WordColumns().columns(forms, range(3)))
    assert one == two
    assert len(one) == 2, "anchor and URL differ"
    assert not one & other


def test_grows_with_the_table():
    words, mine = WordColumns(), tables()
    list(words.columns(page(mine, [LinkSpec("a")]), [0]))
    before = words.nbytes
    later = page(mine, [LinkSpec(" ".join(f"w{k}" for k in range(3000)))])
    (bags,) = words.columns(later, [0])
    assert words.nbytes > before + 3000 * 16 - 100
    assert set(bags[0]) == by_definition(later, 0)[0]


@given(pages(least=1))
def test_a_batch_has_the_columns_of_its_links_one_by_one(page):
    for links in (range(len(page.targets)), range(len(page.targets))[::2]):
        alone = list(WordColumns().columns(page, links))
        for words in (first := WordColumns(), first):  # hashed now, and known
            batch = words.batch(page, np.array(links))
            for link, bags in enumerate(alone):
                found = [columns[owner == link].tolist() for owner, columns in batch]
                assert list(map(sorted, found)) == list(map(sorted, bags))


def test_a_batch_of_links_without_words_is_empty():
    bare = page(tables(), [LinkSpec(), LinkSpec()])
    batch = WordColumns().batch(bare, np.arange(2))
    assert [(len(owner), len(columns)) for owner, columns in batch] == [(0, 0)] * 6
