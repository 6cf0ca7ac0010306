from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.portal.search.tiny_model import write_tensors

from lycosa.portal.search.safetensors import MAX_HEADER_BYTES, read_tensors


def test_arrays_of_floats_are_read_by_name(tmp_path: Path) -> None:
    written = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "numbers": np.arange(4),
        "b": np.array([7.5], np.float32),
    }
    write_tensors(tmp_path / "x", written)
    found = read_tensors(tmp_path / "x")
    assert set(found) == {"a", "b"}
    assert found["a"].tolist() == written["a"].tolist()
    assert found["b"].tolist() == [7.5]


@given(st.binary(max_size=200))
def test_other_files_are_refused_with_a_sentence(tmp_path_factory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("files") / "x"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not a file of arrays"):
        read_tensors(path)


@pytest.mark.parametrize("damage", ["short", "shape", "offsets"])
def test_a_damaged_file_is_refused(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "x"
    write_tensors(path, {"a": np.arange(6, dtype=np.float32)})
    whole = path.read_bytes()
    damaged = {
        "short": whole[:-4],
        "shape": whole.replace(b'"shape": [6]', b'"shape": [7]'),
        "offsets": whole.replace(b"[0, 24]", b"[0, 23]"),
    }
    path.write_bytes(damaged[damage])
    with pytest.raises(ValueError, match="not a file of arrays"):
        read_tensors(path)


def test_a_header_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes((MAX_HEADER_BYTES + 1).to_bytes(8, "little") + b"{}")
    with pytest.raises(ValueError, match="too long"):
        read_tensors(path)
