from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_departments import department
from heading_pages import page as page_of
from heading_pages import pages
from lycosa.core import Page
from lycosa.learn.hashed_model import HashedModel
from lycosa.spiders.default import features as features_module
from lycosa.spiders.default.bags import Bags, log_odds_of, scaled
from lycosa.spiders.default.features import COLUMNS, Features
from lycosa.spiders.default.words import WORDS
from lycosa.web.reader import Reader
from renumbered_site import RenumberedSite
from small_pages import LinkSpec, page, tables
from word_rows import lists_of


def columns(page: Page, depth: int = 1) -> list[set[int]]:
    return rows_of(Features().columns(page, range(len(page.targets)), depth))


def rows_of(seen: list[Bags]) -> list[set[int]]:
    return [set().union(*bags) for bags in seen]


def named(page: Page, depth: int = 1) -> list[tuple[str, int, str]]:
    """Return the features of the links except starts of words: bag, link, name."""
    return [
        (bag, link, name)
        for link in range(len(page.targets))
        for name, bag in Features().named(page, link, depth).values()
        if not name.endswith("*")
    ]


def test_columns_do_not_depend_on_the_numbering_of_tables():
    site = department()
    other = RenumberedSite(site)
    read = 0
    for number in range(60):
        mine, theirs = site.page(number), other.page(other.number(number))
        if len(mine.targets):
            assert columns(mine) == columns(theirs)
            read += len(mine.targets)
    assert read > 300


@given(pages(least=1))
def test_columns_are_exactly_the_named_ones(page):
    for link, row in enumerate(columns(page, 2)):
        assert 0 <= min(row) <= max(row) < COLUMNS
        assert row == Features().named(page, link, 2).keys()


@given(pages(least=1))
def test_scaled_bags_have_norm_one_except_the_position(page):
    for bags in Features().columns(page, range(len(page.targets)), 2):
        *others, (place, whole) = scaled(bags)
        assert [bag for bag, _ in others] + [place] == [bag for bag in bags if bag]
        assert (len(place), whole) == (4, 1)
        for bag, value in others:
            assert len(bag) * value**2 == pytest.approx(1)


@given(pages(least=2))
def test_columns_of_some_links_equal_those_among_all(page):
    all_of_them = columns(page)
    some = range(len(page.targets))[1::2]
    assert rows_of(Features().columns(page, some, 1)) == [all_of_them[link] for link in some]


def test_counting_paths_does_not_depend_on_the_number_of_links():
    shown = page(tables(), [LinkSpec("a", path=f"p{k % 3}") for k in range(40)])
    every = columns(shown)
    for link in range(40):
        (alone,) = rows_of(Features().columns(shown, [link], 1))
        assert alone == every[link]


@given(pages(least=1))
def test_named_words_are_those_of_the_bags(page):
    said = named(page)
    for index in range(len(page.targets)):
        bags = page.link(index, near=5).bags
        for bag in WORDS:
            mine = {name for kind, owner, name in said if (kind, owner) == (bag, index)}
            assert {name for name in mine if " " not in name} == set(bags[bag])


def test_neighbouring_words_of_one_url_are_pairs():
    mine = page(tables(), [LinkSpec("a b c", "x y"), LinkSpec("d", "z")])
    pairs = {(bag, owner, name) for bag, owner, name in named(mine) if bag in WORDS and " " in name}
    assert pairs == {("url", 0, "x y")}


def test_all_anchors_and_their_headings_count():
    mine = page_of(
        tables(), [(1, None, "h"), (0, 0, "a"), (0, 1, "b"), (2, None, "g"), (0, 0, "c")], title="t"
    )
    said = named(mine)
    assert {n for bag, k, n in said if (bag, k) == ("anchor", 0)} == {"a", "c"}
    assert {n for bag, k, n in said if (bag, k) == ("heads", 0)} == {"t", "h", "g"}
    assert {n for bag, k, n in said if (bag, k) == ("heads", 1)} == {"t", "h"}


def test_a_word_has_different_columns_in_different_bags():
    mine = page_of(tables(), [(1, None, "a"), (0, None, "a"), (0, 0, "a")], ["a"], "a")
    found = {(bag, name) for bag, _, name in named(mine) if bag in WORDS}
    assert found == {(bag, "a") for bag in WORDS}, "each has a column of its own"


def test_links_without_words_have_position_and_shape():
    bare = page(tables(), [LinkSpec(), LinkSpec()])
    assert {bag for bag, _, _ in named(bare)} == {"path", "shape", "place"}
    assert all(len(row) > 8 for row in columns(bare))


def test_links_of_a_list_of_urls_are_described_by_their_urls():
    urls = ["http://h/a/1.ps", "http://h/b/?q=1", "http://other/"]
    listing = Reader().link_list("http://h/map.xml", urls, "text/xml")
    said = named(listing)
    shapes = [{n for bag, k, n in said if (bag, k) == ("shape", link)} for link in range(3)]
    assert "type ps" in shapes[0]
    assert "file 0.ps" in shapes[0]
    assert "query True" in shapes[1]
    assert "type folder" in shapes[2]
    assert any("same host False" in shape for shape in shapes[2])


@pytest.mark.parametrize(
    "url",
    ["http://h", "mailto:x", "", "http://h/%ff/\udc80", "http://h/" + "a/" * 500, "http://h/.x?"],
)
def test_accepts_malformed_urls(url):
    mine = page(tables(), [LinkSpec("a")])
    urls = mine.tables.urls
    mine.targets = np.array([urls.number(url)], np.int32)  # type: ignore[attr-defined]
    assert len(columns(mine)[0]) > 8


def test_hashes_words_added_later():
    features, mine = Features(), tables(f"filler{n}" for n in range(2000))
    first = page(mine, [LinkSpec("filler1")])
    features.columns(first, [0], 0)
    later = page(mine, [LinkSpec("b c d e f g h")])
    assert rows_of(features.columns(later, [0], 0)) == columns(later, 0)


def test_depth_counts_up_to_a_maximum():
    mine = page(tables(), [LinkSpec("a")])
    assert columns(mine, 1) != columns(mine, 2)
    assert columns(mine, 50) == columns(mine, 90)


@given(pages(least=1), st.integers(0, 9))
def test_a_batch_equals_its_links_one_by_one(page, depth):
    links = np.arange(len(page.targets))[::-1][::2][::-1]
    every = Features().columns(page, links.tolist(), depth)
    batch = Features().batch(page, links.tolist(), depth)
    assert len(batch) == len(links)
    assert lists_of(batch.rows()) == [sorted(row) for row in rows_of(every)]
    weights = np.random.default_rng(depth).normal(size=COLUMNS)
    model = HashedModel(weights, 0.0, 1.0, 1.0, 0.0)
    alone = [log_odds_of(model, bags) for bags in every]
    assert batch.scaled_sums(weights).tolist() == pytest.approx(alone)


PARTS = st.lists(
    st.sampled_from(["http:", "/", "//", "h", "A.Ps", "x1", "?", "#", "."]), max_size=9
)
URLS = st.lists(st.one_of(PARTS.map("".join), PARTS.map(lambda p: "http://h/" + "".join(p))))


@given(URLS, st.integers(1, 4))
def test_cached_folders_and_files_give_the_features_of_each_url(urls, size):
    numbers = sorted(set(urls))
    mine = page(tables(), [LinkSpec("a")] * len(numbers))
    table = mine.tables.urls
    mine.targets = np.array([table.number(url) for url in numbers], np.int32)  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(features_module, "_MAX_CACHED", size)
        features = Features()
        found = features.columns(mine, range(len(numbers)), 1)
    for link, row in enumerate(rows_of(found)):
        assert row == Features().named(mine, link, 1).keys()
