"""Corrections are stored, withdrawn, shared by processes, and refused if they are invalid."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import LycosaError, UnknownName, UsageError
from lycosa.portal.corrections import FILE, KINDS, PAIRS, Corrections, clean_value


def test_reading_creates_no_file(tmp_path):
    with Corrections.open(tmp_path) as corrections:
        assert corrections.all() == []
        assert not corrections.undo(1)
    assert not (tmp_path / FILE).exists()


def test_other_readers_see_an_added_correction(tmp_path):
    with Corrections.open(tmp_path) as early, Corrections.open(tmp_path) as writer:
        before = early.digest()
        number = writer.add("title", "w1", "A title")
        [seen] = early.all()
        assert (seen.id, seen.kind, seen.work, seen.value) == (number, "title", "w1", "A title")
        assert early.digest() != before
    with Corrections.open(tmp_path) as later:
        assert later.all() == [seen]


def test_a_withdrawn_correction_stays_in_the_history(tmp_path):
    with Corrections.open(tmp_path) as corrections:
        first = corrections.add("year", "w1", "1999")
        before = corrections.digest()
        second = corrections.add("year", "w1", "1998")
        assert second > first
        assert corrections.undo(second)
        assert not corrections.undo(second)
        assert not corrections.undo(99)
        assert not corrections.undo(2**70)
        assert [one.id for one in corrections.all()] == [first]
        assert [bool(one.undone) for one in corrections.history()] == [False, True]
        assert corrections.digest() == before


def test_concurrent_writers_lose_nothing(tmp_path):
    with Corrections.open(tmp_path) as one, Corrections.open(tmp_path) as two:
        with ThreadPoolExecutor(8) as pool:
            numbers = list(
                pool.map(lambda n: (one, two)[n % 2].add("venue", f"w{n}", "V"), range(64))
            )
        assert sorted(numbers) == list(range(1, 65))
        assert {each.work for each in one.all()} == {f"w{n}" for n in range(64)}


@pytest.mark.parametrize(
    ("kind", "work", "value"),
    [
        ("title", "w1", "  "),
        ("title", "", "A title"),
        ("title", "w1/../x", "A title"),
        ("title", "w1", "x" * 2001),
        ("year", "w1", "199"),
        ("year", "w1", "nineteen"),
        ("year", "w1", "٢٠٠٠0"),
        ("same", "w1", "w1"),
        ("same", "w1", ""),
        ("different", "w1", "not an id"),
        ("topic", "w1", ""),
    ],
)
def test_refuses_invalid_values_in_one_sentence(tmp_path, kind, work, value):
    with Corrections.open(tmp_path) as corrections:
        with pytest.raises(UsageError) as caught:
            corrections.add(kind, work, value)
        assert "\n" not in str(caught.value)
        assert corrections.all() == []


def test_names_an_unknown_kind():
    with pytest.raises(UnknownName, match="did you mean 'title'"):
        clean_value("titel", "x")


@given(kind=st.sampled_from(sorted(set(KINDS) - set(PAIRS))), value=st.text(max_size=100))
def test_cleaning_a_value_is_idempotent(kind, value):
    try:
        kept = clean_value(kind, value)
    except UsageError:
        return
    assert kept.isprintable()
    assert clean_value(kind, kept) == kept


def test_refuses_a_foreign_or_newer_file(tmp_path):
    (tmp_path / FILE).write_bytes(b"no database at all, but long enough to look like one" * 50)
    with pytest.raises(LycosaError, match="cannot be used"):
        Corrections.open(tmp_path)
    (tmp_path / FILE).unlink()
    with sqlite3.connect(tmp_path / FILE) as foreign:
        foreign.execute("CREATE TABLE people (name)")
    foreign.close()
    with pytest.raises(UsageError, match="is not a file of corrections"):
        Corrections.open(tmp_path)
    (tmp_path / FILE).unlink()
    with Corrections.open(tmp_path) as corrections:
        corrections.add("title", "w1", "x")
    with sqlite3.connect(tmp_path / FILE) as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(UsageError, match="newer"):
        Corrections.open(tmp_path)
