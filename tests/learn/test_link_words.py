from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_departments import department
from heading_pages import page as page_of
from heading_pages import pages
from lycosa.core import Page
from lycosa.learn import link_words
from lycosa.learn.link_words import (
    COLUMNS,
    MAX_WORDS_PER_KIND,
    NEAR_WORDS,
    LinkWords,
    anchors_of,
    gather_rows,
)
from small_pages import tables
from small_sites import DictSite
from word_rows import lists_of, rows_of

LISTS = st.lists(st.lists(st.integers(0, COLUMNS - 1), max_size=4), min_size=1, max_size=6)


def columns(page: Page, link: int) -> list[int]:
    """Return the columns of a link by the definition."""
    content = page.content
    text = content.tokens.tolist()
    place = content.owner.tolist().index(link)  # of the first anchor
    start, stop, head = (int(a[place]) for a in (content.start, content.stop, content.heading))
    body = range(content.title_size, len(text))
    near = [
        text[n]
        for n in (*range(start - NEAR_WORDS, start), *range(stop, stop + NEAR_WORDS))
        if n in body
    ]
    heads = text[content.head_start[head] : content.head_stop[head]] if head >= 0 else []
    kinds = [
        text[start:stop][:MAX_WORDS_PER_KIND],
        content.url_tokens[content.url_start[link] : content.url_stop[link]].tolist()[
            -MAX_WORDS_PER_KIND:
        ],
        near[:MAX_WORDS_PER_KIND],
        (heads + text[: content.title_size])[:MAX_WORDS_PER_KIND],
    ]
    return [
        ((4 * word + kind) * 0x9E3779B97F4A7C15) % 2**64 // 2**48
        for kind, words in enumerate(kinds, 1)
        for word in dict.fromkeys(words)  # each once
    ]


def every(page: Page) -> np.ndarray:
    return np.arange(len(page.targets))


def moved(page: Page, more: int) -> Page:
    """Return the page with links to URLs of higher numbers."""
    return Page(page.number, page.tables, page.targets + np.int32(more), page.content)


@given(pages(least=1), st.data())
def test_words_of_links_equal_the_definition(page, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(page.targets))), unique=True))
    links = np.array(sorted(chosen), np.intp)
    memory = LinkWords()
    new = memory.add(page, links)
    assert new.tolist() == page.targets[links].tolist()
    assert lists_of(memory.rows(new)) == [columns(page, link) for link in links.tolist()]
    known = [memory.knows(number) for number in page.targets.tolist()]
    assert known == [link in chosen for link in range(len(page.targets))]


def test_words_come_from_the_first_page_with_a_link_to_each_url():
    site = department()
    memory = LinkWords()
    expected: dict[int, list[int]] = {}
    for number in range(len(site)):
        page = site.page(number)
        targets = page.targets.tolist()
        new = [link for link, target in enumerate(targets) if target not in expected]
        expected |= {targets[link]: columns(page, link) for link in new}
        added = memory.add(page, every(page))
        assert added.tolist() == [targets[link] for link in new]
    numbers = np.array(sorted(expected), np.int32)
    assert lists_of(memory.rows(numbers)) == [expected[n] for n in numbers.tolist()]
    assert all(len(row) <= 4 * MAX_WORDS_PER_KIND for row in expected.values())
    assert (
        max(map(len, expected.values())) > 2 * MAX_WORDS_PER_KIND
    )  # so the bound was put to the test


def test_links_with_one_anchor_have_the_words_of_their_bags():
    mine = tables()
    pieces = [(0, None, "far far w1 w2 w3 w4 w5"), (0, 0, "my paper"), (0, None, "x y")]
    page = page_of(mine, pieces)
    link = page.link(0, NEAR_WORDS)
    memory = LinkWords()
    memory.add(page, every(page))
    shown = [(1, link.bags["anchor"]), (3, link.bags["near"])]
    assert link.bags["near"] == ("w1", "w2", "w3", "w4", "w5", "x", "y")
    numbers = [4 * mine.words.find(word) + kind for kind, bag in shown for word in bag]
    mixed = [number * 0x9E3779B97F4A7C15 % 2**64 // 2**48 for number in numbers]
    assert lists_of(memory.rows(page.targets)) == [mixed]


def test_same_word_of_another_kind_is_another_column():
    page = page_of(tables(), [(1, None, "web"), (0, 0, "web"), (0, None, "web")], ["web"])
    memory = LinkWords()
    memory.add(page, every(page))
    (row,) = lists_of(memory.rows(page.targets))
    assert len(set(row)) == 4  # anchor, URL, near (twice) and heading


def test_second_page_does_not_change_stored_words():
    mine = tables()
    first, second = (page_of(mine, [(0, 0, text)]) for text in ("a b", "c d e"))
    memory = LinkWords()
    memory.add(first, every(first))
    before = lists_of(memory.rows(first.targets))
    assert memory.add(second, every(second)).tolist() == []
    assert lists_of(memory.rows(first.targets)) == before == [columns(first, 0)]


def test_arrays_grow_for_high_numbers_and_many_words():
    mine = tables()
    memory = LinkWords()
    before = memory.nbytes
    shown = [
        moved(
            page_of(mine, [(0, 0, f"w{more} " * MAX_WORDS_PER_KIND), (0, 1, "b")], ["u v w"]), more
        )
        for more in (0, 1020, 1023, 5000, 70_000)
    ]
    for page in shown:
        memory.add(page, every(page))
    for page in shown:
        assert lists_of(memory.rows(page.targets)) == [columns(page, 0), columns(page, 1)]
    assert memory.nbytes > before
    assert memory.knows(70_001)
    assert not memory.knows(70_002)
    assert not memory.knows(10**9)


def test_seeds_are_unknown_and_pages_without_links_add_nothing():
    site = DictSite({"seed": ["a"], "a": []})
    memory = LinkWords()
    for number in range(len(site)):
        page = site.page(number)
        memory.add(page, every(page))
    assert [memory.knows(number) for number in range(len(site))] == [False, True]
    assert len(memory.rows(np.empty(0, np.int32))) == 0


@given(LISTS, st.data())
def test_take_returns_rows_in_any_order_and_repeatedly(rows, data):
    order = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=8))
    made = rows_of(rows)
    assert lists_of(made) == rows
    assert made.owners.tolist() == [k for k, row in enumerate(rows) for _ in row]
    taken = made.take(np.array(order, np.int64))
    assert len(taken) == len(order)
    assert lists_of(taken) == [rows[k] for k in order]


@given(st.lists(st.integers(0, COLUMNS - 1), min_size=1, max_size=20), st.data())
def test_gathered_rows_are_slices(words, data):
    ends = st.lists(st.integers(0, len(words)), min_size=2, max_size=2).map(sorted)
    pieces = data.draw(st.lists(ends, max_size=6))
    begin, end = np.array(pieces, np.int64).reshape(-1, 2).T
    rows = gather_rows(np.array(words, np.uint16), begin, end - begin)
    assert lists_of(rows) == [words[a:b] for a, b in pieces]
    assert rows.words.dtype == np.int32


@given(LISTS)
def test_compact_rows_have_the_same_columns_without_unused_ones(lists):
    columns, rows = rows_of(lists).compact()
    assert columns.tolist() == sorted({word for row in lists for word in row})
    assert [[columns.item(place) for place in row] for row in lists_of(rows)] == lists


@given(pages(least=1), st.data())
def test_anchors_belong_to_their_links(page, data):
    links = data.draw(st.lists(st.integers(0, len(page.targets) - 1)))
    owner = page.content.owner
    found = [list(anchors) for anchors in anchors_of(page.content, links)]
    assert found == [(owner == link).nonzero()[0].tolist() for link in links]


@given(pages(least=1))
def test_anchors_of_few_links_are_those_among_many(page):
    links = range(len(page.targets))
    every = anchors_of(page.content, links)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(link_words, "_ANCHORS_PER_SEARCH", 0)
        searched = anchors_of(page.content, links)
    by_definition = [np.flatnonzero(page.content.owner == link).tolist() for link in links]
    assert [list(one) for one in every] == by_definition
    assert [list(one) for one in searched] == by_definition
