"""Rows of columns are read as they were stored, packed or not."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.learn.link_words import Rows
from lycosa.snapshots import StateReader, StateWriter
from lycosa.spiders.default import row_store
from lycosa.spiders.default.row_store import MAX_COLUMNS, RowStore

URLS = 12
ROW = st.lists(st.one_of(st.integers(0, 40), st.integers(0, 2**16 - 1)), unique=True, max_size=20)
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.integers(0, URLS - 1), ROW),
        st.tuples(st.just("many"), st.sets(st.integers(0, URLS - 1), min_size=1), ROW),
        st.tuples(st.just("remove"), st.integers(0, URLS - 1), st.just([])),
        st.tuples(st.just("tidy"), st.just(0), st.just([])),
        st.tuples(st.just("restore"), st.just(0), st.just([])),
    ),
    max_size=40,
)


def read(store, numbers):
    rows = store.rows(np.array(numbers))
    return [
        sorted(rows.words[start:stop].tolist())
        for start, stop in zip(rows.starts[:-1], rows.starts[1:], strict=True)
    ]


@settings(max_examples=60, deadline=None)
@given(CHANGES)
def test_a_store_has_the_last_row_of_every_url(changes):
    store, known = RowStore(min_plain=10), {}
    store.grow(URLS)
    for change, which, row in changes:
        match change:
            case "set":
                store.set(which, row)
                known[which] = row
            case "many":
                numbers = sorted(which)
                starts = np.arange(len(numbers) + 1) * len(row)
                store.set_many(np.array(numbers), Rows(starts, np.array(row * len(numbers), int)))
                known |= dict.fromkeys(numbers, row)
            case "remove":
                store.remove(np.array([which]))
                known[which] = row
            case "tidy":
                store.tidy()
            case "restore":
                state = StateWriter()
                store.save(state)
                store = RowStore(min_plain=10)
                store.restore(StateReader.of(state))
    order = [*range(URLS), 0]
    assert read(store, order) == [sorted(known.get(number, [])) for number in order]


def test_rows_are_packed_in_blocks_and_take_fewer_bytes(monkeypatch):
    monkeypatch.setattr(row_store, "BLOCK", 7)
    rng = np.random.default_rng(1)
    rows = [
        sorted({*rng.integers(0, 200, 30).tolist(), *rng.integers(0, 2**16, 10).tolist()})
        for _ in range(100)
    ]
    store = RowStore(min_plain=1000)
    empty = store.nbytes
    for number, row in enumerate(rows):
        store.set(number, row)
    before = store.nbytes - empty
    store.tidy()
    assert store.nbytes - empty < 0.75 * before
    store.remove(np.arange(0, 100, 2))
    for number in range(1, 100, 4):
        store.set(number, rows[number][:20])
    store.tidy()
    expected = [
        [] if number % 2 == 0 else row[:20] if number % 4 == 1 else row
        for number, row in enumerate(rows)
    ]
    assert read(store, range(100)) == expected


def test_rows_without_columns_are_empty_after_packing():
    store = RowStore(min_plain=1)
    store.set(0, [7, 8, 9])
    store.set(1, [7, 8])
    store.set(2, [])
    store.tidy()
    store.remove(np.array([1]))
    store.set(0, [5])
    store.tidy()
    assert read(store, [0, 1, 2]) == [[5], [], []]


def test_a_row_that_is_too_long_is_cut():
    store = RowStore()
    store.set(1, range(1000, 1300))
    assert read(store, [1]) == [list(range(1000, 1000 + MAX_COLUMNS))]
