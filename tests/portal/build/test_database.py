"""Derived tables are replaced in one transaction, writing only rows that differ."""

import sqlite3
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.errors import ContractError
from lycosa.portal.build.database import KEYS, Database
from lycosa.portal.build.reading import ReadDocument, StoredReference
from lycosa.portal.schema import BUILD_SCHEMA, SCHEMA

NAMES = st.text(max_size=3).map(lambda t: t.encode("utf-8", "replace").decode().replace("\0", ""))
PAIRS = st.dictionaries(st.tuples(NAMES, st.integers(-3, 3)), st.tuples(NAMES, NAMES), max_size=30)
PLACE = (1, "http://a.example/", "2026-01-01", "text/plain", 5, "00", 1.0)


def authorship(some):
    return sorted((*key, *value) for key, value in some.items())


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    with Database.open(tmp_path_factory.mktemp("database")) as database:
        yield database


@given(old=PAIRS, new=PAIRS)
def test_a_replaced_table_has_exactly_the_new_rows(database, old, new):
    with database.replacing() as replace:
        replace("authorship", authorship(old))
    with database.replacing() as replace:
        changed = replace("authorship", authorship(new))
    assert sorted(database.rows("SELECT * FROM authorship")) == authorship(new)
    assert changed == sum(old.get(k) != new.get(k) for k in old.keys() | new.keys())


def test_many_rows_are_compared_in_batches(database):
    for step in (1, 2, 3):
        rows = [(f"k{n:05}", str(n % step)) for n in range(0, 6000, step)]
        with database.replacing() as replace:
            replace("meta", rows)
        assert sorted(database.rows("SELECT * FROM meta")) == rows
    with database.replacing() as replace:
        assert replace("meta", rows) == 0


def test_refuses_unsorted_rows_and_changes_nothing(database):
    with database.replacing() as replace:
        replace("meta", [("a", "1")])
    with pytest.raises(ContractError, match="sorted"), database.replacing() as replace:
        replace("meta", [("b", "1"), ("a", "2")])
    assert list(database.rows("SELECT * FROM meta")) == [("a", "1")]


def test_readers_see_the_old_state_until_the_commit(tmp_path):
    with Database.open(tmp_path) as database:
        with database.replacing() as replace:
            replace("meta", [("state", "old")])
        reader = sqlite3.connect(f"file:{tmp_path}/portal.db?mode=ro", uri=True)
        try:
            with suppress(ZeroDivisionError), database.replacing() as replace:
                replace("meta", [("state", "never")])
                assert reader.execute("SELECT value FROM meta").fetchall() == [("old",)]
                raise ZeroDivisionError
            assert reader.execute("SELECT value FROM meta").fetchall() == [("old",)]
            with database.replacing() as replace:
                replace("meta", [("state", "new")])
            assert reader.execute("SELECT value FROM meta").fetchall() == [("new",)]
        finally:
            reader.close()


def test_a_document_replaces_its_earlier_version(tmp_path):
    references = [StoredReference(n, f"[{n}]", 1, n, "{}", "[]") for n in (1, 2)]
    first = ReadDocument("paper", "text", 0.9, "One", references=tuple(references))
    with Database.open(tmp_path) as database:
        database.add("d1", PLACE, first)
        assert database.duplicate("00", "text/plain") == first
        assert database.duplicate("00", "text/html") is None
        database.add("d1", (2, *PLACE[1:5], "11", 1.0), ReadDocument("page", "text", 0.1, "Two"))
        database.commit()
        assert database.duplicate("00", "text/plain") is None
        assert database.steps() == {"d1": 2}
        assert database.one("SELECT count(*) FROM references_") == (0,)


def test_uncommitted_documents_are_discarded(tmp_path):
    with Database.open(tmp_path) as database:
        database.add("d1", PLACE, ReadDocument("page", "text"))
    with Database.open(tmp_path) as database:
        assert database.steps() == {}


def test_keys_match_the_schema():
    database = sqlite3.connect(":memory:")
    database.executescript(SCHEMA + BUILD_SCHEMA)
    for table, size in KEYS.items():
        keys = [row[5] for row in database.execute(f"PRAGMA table_info({table})")]
        assert keys == [*range(1, size + 1), *[0] * (len(keys) - size)]
    every = {
        row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
    }
    assert every == {*KEYS, "documents", "extraction", "references_", "withheld"}
    database.close()
