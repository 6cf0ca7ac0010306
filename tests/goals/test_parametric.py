import pytest
from hypothesis import given
from hypothesis import strategies as st

from goals.queries import PageWords, page, tables
from lycosa.core import Page
from lycosa.errors import UsageError
from lycosa.goals import LinkCount, OfType, WordCount
from small_sites import DictSite

PAGE = DictSite({"a": ["b", "c"]}).page(0)


@given(st.integers(0, 4), st.none() | st.integers(0, 4))
def test_counts_are_within_both_ends(least, most):
    if most is not None and most < least:
        for kind in (LinkCount, WordCount):
            with pytest.raises(UsageError, match="No page has from"):
                kind(least, most)
        return
    sample = page(tables(), PageWords(title=["a"], body=["b"]))
    fits = least <= 2 and (most is None or most >= 2)
    assert LinkCount(least, most)(PAGE) == fits
    assert WordCount(least, most)(sample) == fits


def test_links_are_counted_without_reading_the_page():
    def read():
        raise AssertionError

    unread = Page(0, PAGE.tables, PAGE.targets, read)
    assert LinkCount(1)(unread) == 1


@pytest.mark.parametrize(
    ("wanted", "type", "reward"),
    [
        ("text/html", "text/html", 1),
        ("Text/HTML", "text/html", 1),
        ("text/html", "text/html5", 0),
        ("text/*", "text/plain", 1),
        ("text/*", "texture/plain", 0),
        ("text/*", "", 0),
    ],
)
def test_types(wanted, type, reward):
    assert OfType(wanted)(Page(0, PAGE.tables, type=type)) == reward


@pytest.mark.parametrize("type", ["pdf", "*/pdf", "text/", "text/h*", "text/html; charset=x"])
def test_refuses_other_texts_than_types(type):
    with pytest.raises(UsageError, match="is not a MIME type; write it like"):
        OfType(type)


def test_failed_pages_have_no_reward():
    failed = Page(0, PAGE.tables, PAGE.targets, type="text/html", error="timeout")
    assert [goal(failed) for goal in (OfType("text/*"), LinkCount(), WordCount())] == [0, 0, 0]
    assert [repr(OfType("text/*")), repr(LinkCount(2))] == [
        "OfType('text/*')",
        "LinkCount(2, None)",
    ]


def test_refuses_senseless_ranges():
    with pytest.raises(UsageError, match="not negative"):
        WordCount(-1)
