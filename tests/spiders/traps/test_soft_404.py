from __future__ import annotations

import pytest

from lycosa.spiders.traps.soft_404 import SHORT, Soft404
from worded import Worded, page, tables


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
def test_a_title_that_says_so_is_believed(title):
    assert Soft404().says(page(tables(), [Worded("home " * SHORT)], title))


@pytest.mark.parametrize(
    "title", ["cs 404 compilers", "lost and found", "error correcting codes", "such is life", ""]
)
def test_other_titles_are_not(title):
    assert not Soft404().says(page(tables(), [], title))


def test_the_text_is_believed_on_a_short_page_only():
    short = [Worded("sorry this page does not exist")]
    long = [*short, *[Worded("word")] * SHORT]
    assert Soft404().says(page(tables(), short))
    assert not Soft404().says(page(tables(), long))


def test_words_that_are_new_in_the_table_are_noticed():
    soft, mine = Soft404(), tables()
    assert not soft.says(page(mine, [], "home"))
    assert soft.says(page(mine, [], "not found"))
    assert soft.says(page(mine, [], "error 404"))
