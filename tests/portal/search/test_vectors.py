"""The table of vectors, against brute force."""

import numpy as np
import pytest

from lycosa.portal.search import vectors
from lycosa.portal.search.vectors import VectorTable


def unit_rows(count, size, seed=0):
    rows = np.random.default_rng(seed).standard_normal((count, size)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_nearest_are_those_of_brute_force():
    rows = unit_rows(300, 16)
    numbers = np.random.default_rng(1).permutation(300).astype(np.uint64)
    table = VectorTable.of(numbers, rows)
    for query in unit_rows(20, 16, seed=2):
        found, cosines = table.nearest(query, 10)
        expected = np.sort(rows @ query)[::-1][:10]
        assert np.allclose(cosines, expected, atol=0.03)
        assert np.allclose(table.cosines(query, found), cosines, atol=1e-5)


def test_groups_find_most_of_the_nearest(monkeypatch):
    monkeypatch.setattr(vectors, "MAX_COMPARED", 500)
    monkeypatch.setattr(vectors, "ROWS_PER_GROUP", 50)
    centres = unit_rows(40, 16)
    chance = np.random.default_rng(3)
    rows = centres[chance.integers(0, 40, 4000)] + 0.3 * unit_rows(4000, 16, seed=4)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    table = VectorTable.of(np.arange(4000, dtype=np.uint64), rows)
    hits = 0
    for query in rows[:50]:
        found, _ = table.nearest(query, 10)
        hits += len({*found.tolist()} & {*np.argsort(-(rows @ query))[:10].tolist()})
    assert hits >= 450


@pytest.mark.parametrize("size", [5, 200])
def test_changes_give_the_same_vectors_as_a_new_table(size):
    rows, numbers = unit_rows(size, 8), np.arange(size, dtype=np.uint64)
    table = VectorTable.of(numbers, rows)
    fresh = unit_rows(3, 8, seed=5)
    changed = table.changed(numbers[:1], np.array([2, 900, 901], np.uint64), fresh)
    expected = dict(zip(numbers.tolist(), rows, strict=True))
    expected |= dict(zip((2, 900, 901), fresh, strict=True))
    del expected[0]
    keys = np.array(sorted(expected), np.uint64)
    assert len(changed) == len(expected)
    assert np.allclose(changed.vectors(keys), [expected[int(k)] for k in keys], atol=0.01)
    assert not changed.vectors(np.array([0, 12345], np.uint64)).any()


def test_an_empty_table_has_no_neighbours():
    table = VectorTable.of(np.empty(0, np.uint64), np.empty((0, 4), np.float32))
    assert table.nearest(np.ones(4, np.float32), 5)[0].tolist() == []
    assert not table.vectors(np.array([1], np.uint64)).any()
