"""Queries for known items."""

from pathlib import Path
from random import Random

import pytest
from bench.relevance_collection import Document, read_collection
from bench.relevance_known_items import (
    KINDS,
    KnownItems,
    mean_reciprocal_rank,
    misspell,
)
from bench.relevance_systems import words
from hypothesis import given
from hypothesis import strategies as st

WORKS = read_collection(Path(__file__).parent / "collection").documents
BY_ID = {work.id: work for work in WORKS}


def distance(one, other):
    """Return the edits between two words; a swap of neighbours is one (Damerau 1964)."""
    if not one or not other:
        return len(one) + len(other)
    if one[0] == other[0]:
        return distance(one[1:], other[1:])
    found = [distance(one[1:], other), distance(one, other[1:]), distance(one[1:], other[1:])]
    if one[:2] == other[1::-1]:
        found.append(distance(one[2:], other[2:]))
    return 1 + min(found)


@given(
    st.text("abc", min_size=5, max_size=7).filter(lambda word: len(set(word)) > 1), st.integers()
)
def test_a_misspelling_is_one_edit(word, seed):
    assert distance(word, misspell(word, Random(seed))) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_queries_are_the_same_in_every_run_and_of_distinct_works(kind):
    queries = KnownItems(WORKS).queries(kind)
    assert queries == KnownItems(list(WORKS)).queries(kind)
    assert len({work for _, work in queries}) == len(queries) > 50
    assert queries != KnownItems(WORKS, seed=5).queries(kind)
    assert len(KnownItems(WORKS, count=7).queries(kind)) == 7


def test_a_part_is_a_run_of_half_the_title():
    for query, work in KnownItems(WORKS).queries("part of the title"):
        title = words(BY_ID[work].title)
        part = query.split()
        assert len(part) == max(3, (len(title) + 1) // 2)
        assert f" {query} " in f" {' '.join(title)} "


def test_a_misspelt_title_differs_in_one_long_word():
    for query, work in KnownItems(WORKS).queries("title with a misspelling"):
        typed, title = query.split(), BY_ID[work].title.split()
        wrong = [(a, b) for a, b in zip(typed, title, strict=True) if a != b]
        assert len(wrong) == 1
        assert len(wrong[0][1]) >= 5


def test_author_year_and_word_are_those_of_the_work():
    for query, work in KnownItems(WORKS).queries("author, year, word"):
        name, year, word = query.split()
        assert BY_ID[work].authors[0].lower().endswith(name)
        assert BY_ID[work].year == int(year)
        assert word in words(BY_ID[work].title)


def test_queries_that_fit_another_work_too_are_left_out():
    works = [
        Document("1", "On learning robots in mazes", "", ("Ann Lee",), 1997),
        Document("2", "On learning robots in mazes", "", ("Bo Ray",), 1998),
        Document("3", "On learning robots in rooms", "", ("Cy Fox",), 1999),
        Document("4", "Rooms and learning robots in them", "mazes", ("Cy Fox",), 1999),
        Document("5", "Short title"),
    ]
    known = KnownItems(works)
    assert {work for _, work in known.queries("whole title")} == {"3", "4"}
    assert {work for _, work in known.queries("part of the title")} == {"3", "4"}
    assert ("learning robots in", "3") not in known.queries("part of the title")
    assert known.queries("author, year, word") == [("fox 1999 them", "4")]


def test_mean_reciprocal_rank():
    ranks = {"a": ["1", "2"], "b": ["1", "2"], "c": []}
    queries = [("a", "1"), ("b", "2"), ("c", "3")]
    assert mean_reciprocal_rank(queries, ranks.__getitem__) == 0.5
