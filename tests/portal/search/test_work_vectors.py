"""Vectors of works over many commits, compared with those of an index that is built at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.portal.search import word_model

from lycosa.portal.search import index, vectors
from lycosa.portal.search.entry import IndexEntry
from lycosa.portal.search.meaning import Meaning
from lycosa.portal.search.sentence_encoder import WorkEncoder
from lycosa.portal.search.vectors import Numbers, VectorTable, pack
from lycosa.portal.search.work_vectors import SentenceVectors

SUBJECTS = ("car engine road", "ship harbour sea", "spider web silk", "bread oven flour")


@pytest.fixture
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare only a part of few works already."""
    monkeypatch.setattr(vectors, "MAX_COMPARED", 100)
    monkeypatch.setattr(vectors, "ROWS_PER_GROUP", 20)


def texts(numbers: range) -> dict[int, str]:
    return {number: f"{SUBJECTS[number % 4]} {number}" for number in numbers}


def no_works() -> Numbers:
    return np.empty(0, np.uint64)


def unexpected() -> None:
    raise AssertionError("all works are read again")


@pytest.mark.usefixtures("small_groups")
def test_works_are_grouped_again_when_they_have_become_many_or_few(tmp_path: Path) -> None:
    sentences = SentenceVectors(WorkEncoder(tmp_path / "x", encode=word_model.encode_texts))
    first = texts(range(50))
    meaning = sentences.updated(Meaning.empty(), {}, no_works(), 50, lambda: iter(first.items()))
    assert len(meaning.table.centres) == 1
    added = texts(range(50, 400))
    meaning = sentences.updated(meaning, added, no_works(), 400, unexpected)
    assert len(meaning.table.centres) == 20
    assert not meaning.table.has_stale_groups
    for number in (0, 77, 399):
        row = meaning.table.vectors(np.array([number], np.uint64))[0]
        found, _ = meaning.table.nearest(row, 1)
        assert found.tolist() == [number]
    removed = np.arange(60, 400, dtype=np.uint64)
    meaning = sentences.updated(meaning, {}, removed, 60, unexpected)
    assert len(meaning.table.centres) == 1
    assert sorted(meaning.table.numbers.tolist()) == list(range(60))


def test_packed_vectors_give_the_same_table() -> None:
    rows = word_model.vectors([*texts(range(30)).values()])
    numbers = np.arange(30, dtype=np.uint64)
    plain, packed = VectorTable.of(numbers, rows), VectorTable.of(numbers, pack(rows))
    assert (plain.rows == packed.rows).all()
    none = no_works()
    changed = plain.changed(none, numbers[:3], rows[3:6])
    assert (changed.rows == plain.changed(none, numbers[:3], pack(rows[3:6])).rows).all()


def test_no_nearest_works_are_none() -> None:
    table = VectorTable.of(np.arange(3, dtype=np.uint64), np.eye(3, dtype=np.float32))
    numbers, cosines = table.nearest(np.eye(3, dtype=np.float32)[0], 0)
    assert (len(numbers), len(cosines)) == (0, 0)


def test_an_index_of_many_works_keeps_the_terms_of_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [
        IndexEntry(f"w{number}", "paper", text, text=text)
        for number, text in texts(range(240)).items()
    ]
    found = []
    for most in (index.MAX_SOURCES, 20):
        monkeypatch.setattr(index, "MAX_SOURCES", most)
        made = index.Index.open(tmp_path / str(most))
        made.update(entries)
        made.commit()
        found.append(Meaning.load(tmp_path / str(most)).table)
    one, two = found
    assert one.numbers.tolist() == two.numbers.tolist()
    assert one.rows.tolist() == two.rows.tolist()
    assert one.rows.any()


def test_a_work_keeps_its_vector_if_its_text_is_the_same(tmp_path: Path) -> None:
    entries = [
        IndexEntry(f"w{number}", "paper", text) for number, text in texts(range(240)).items()
    ]
    made = index.Index.open(tmp_path)
    made.update(entries)
    made.commit()
    before = Meaning.load(tmp_path).table
    # The title is another one only to show that it is not read.
    made.update([replace(entries[0], title="other words", cited_by=7, keeps_vector=True)])
    made.commit()
    after = Meaning.load(tmp_path).table
    assert after.numbers.tolist() == before.numbers.tolist()
    assert after.rows.tolist() == before.rows.tolist()
