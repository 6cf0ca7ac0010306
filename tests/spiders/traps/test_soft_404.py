from __future__ import annotations

import pytest

from lycosa.spiders.traps.soft_404 import MAX_SHORT_PAGE_WORDS, Soft404
from small_pages import LinkSpec, page, tables


@pytest.mark.parametrize(
    "title",
    [
        "404 not found",
        "404",
        "error 404",
        "page not found my department",
        "the requested file could not be found not found",
        "no such page",
        "this page no longer exists",
        "document missing",
    ],
)
def test_error_phrases_in_the_title_match(title):
    assert Soft404().matches(page(tables(), [LinkSpec("home " * MAX_SHORT_PAGE_WORDS)], title))


@pytest.mark.parametrize(
    "title", ["cs 404 compilers", "lost and found", "error correcting codes", "such is life", ""]
)
def test_other_titles_do_not_match(title):
    assert not Soft404().matches(page(tables(), [], title))


def test_error_phrases_in_the_text_match_on_short_pages_only():
    short = [LinkSpec("sorry this page does not exist")]
    long = [*short, *[LinkSpec("word")] * MAX_SHORT_PAGE_WORDS]
    assert Soft404().matches(page(tables(), short))
    assert not Soft404().matches(page(tables(), long))


def test_finds_hint_words_added_to_the_table_later():
    soft, table = Soft404(), tables()
    assert not soft.matches(page(table, [], "home"))
    assert soft.matches(page(table, [], "not found"))
    assert soft.matches(page(table, [], "error 404"))
