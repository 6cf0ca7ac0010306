from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.search import encodings
from lycosa.portal.search.encodings import HEADER_BYTES, Encodings

MODEL, SIZE = "a model", 4
RECORD_BYTES = 8 + 8 + SIZE


def row(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(-127, 128, SIZE).astype(np.int8)


def opened(path: Path) -> Encodings:
    return Encodings(path, MODEL, SIZE)


def fill(kept: Encodings, texts: dict[int, int]) -> None:
    rows = np.array([row(text) for text in texts.values()], np.int8).reshape(-1, SIZE)
    kept.append([*texts], [*texts.values()], rows)


BATCHES = st.lists(
    st.dictionaries(st.integers(0, 5) | st.integers(0, 2**64 - 1), st.integers(0, 9))
)


@given(BATCHES, st.booleans())
def test_the_last_vector_of_a_work_counts(tmp_path_factory, batches, reopen: bool) -> None:
    path = tmp_path_factory.mktemp("kept") / "encodings.bin"
    kept = opened(path)
    expected: dict[int, int] = {}
    for batch in batches:
        fill(kept, batch)
        expected |= batch
        if reopen:
            kept = opened(path)
    assert len(kept) == len(expected)
    assert kept.outdated(expected) == []
    assert kept.outdated({n: text + 1 for n, text in expected.items()}) == [*expected]
    found = kept.rows([*expected])
    assert found.tolist() == [row(text).tolist() for text in expected.values()]


@pytest.mark.parametrize("lost", range(1, RECORD_BYTES + 1))
def test_half_a_record_at_the_end_is_dropped(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "encodings.bin"
    fill(opened(path), {1: 10, 2: 20})
    path.write_bytes(path.read_bytes()[:-lost])
    kept = opened(path)
    assert kept.outdated({1: 10, 2: 20}) == [2]
    fill(kept, {3: 30})
    assert opened(path).rows([1, 3]).tolist() == [row(10).tolist(), row(30).tolist()]


@pytest.mark.parametrize(
    "other", [b"", b"short", b"x" * 500, f"lycosa encodings 1\nother\n{SIZE}\n".encode()]
)
def test_a_file_of_something_else_is_replaced(tmp_path: Path, other: bytes) -> None:
    path = tmp_path / "encodings.bin"
    path.write_bytes(other)
    assert len(opened(path)) == 0
    assert path.stat().st_size == HEADER_BYTES


def test_vectors_of_another_model_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / "encodings.bin"
    fill(opened(path), {1: 10})
    assert len(Encodings(path, "a newer model", SIZE)) == 0


def test_a_file_that_is_mostly_unused_is_written_anew(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(encodings, "MIN_COMPACTED", 10)
    path = tmp_path / "encodings.bin"
    kept = opened(path)
    fill(kept, {number: number for number in range(12)})
    kept.compact(range(6))
    assert path.stat().st_size == HEADER_BYTES + 12 * RECORD_BYTES, "half is in use"
    fill(kept, {0: 100})
    kept.compact([0, 1, 2, 99])
    assert path.stat().st_size == HEADER_BYTES + 3 * RECORD_BYTES
    for each in (kept, opened(path)):
        assert each.outdated({0: 100, 1: 1, 2: 2, 3: 3}) == [3]
        assert each.rows([0, 2]).tolist() == [row(100).tolist(), row(2).tolist()]
    fill(kept, {7: 70})
    assert opened(path).rows([7, 0]).tolist() == [row(70).tolist(), row(100).tolist()]
