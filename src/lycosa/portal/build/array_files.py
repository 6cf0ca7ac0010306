"""Files of named arrays, which are memory-mapped when they are read.

A file has the arrays one after the other, then an index of them with facts that JSON can hold,
and the size of the index. It is written under another name and renamed, so that it is there
as a whole or not at all.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as name:
...     path, two = Path(name) / "some.arrays", [np.arange(2), np.arange(1)]
...     write_arrays(path, [("ones", np.ones(3)), ("two", two)], {"n": 1})
...     arrays, facts = read_arrays(path, Scratch())
...     {name: array.tolist() for name, array in arrays.items()}, facts
({'ones': [1.0, 1.0, 1.0], 'two': [0, 1, 0]}, {'n': 1})
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lycosa.files import replace_file
from lycosa.scratch import Scratch

ALIGNMENT = 64
"""Bytes; every array begins at a multiple of it."""
BYTES_AT_ONCE = 64_000_000
"""Bytes of an array that are written at once."""
SIZE_BYTES = 8
"""Of the size of the index, the last bytes of a file."""

Pieces: TypeAlias = NDArray[Any] | list[NDArray[Any]]
"""An array, or the pieces of one."""


def write_arrays(
    path: Path,
    arrays: Iterable[tuple[str, Pieces]],
    facts: Mapping[str, Any],
    written: Callable[[], None] = lambda: None,
) -> None:
    """Write arrays, one after the other, and facts; `written` is called after each part."""
    with replace_file(path) as part, part.open("wb") as file:
        index = {
            name: _write(file, array if isinstance(array, list) else [array], written)
            for name, array in arrays
        }
        end = json.dumps({"arrays": index, "facts": facts}).encode()
        file.write(end + len(end).to_bytes(SIZE_BYTES, "little"))


def read_arrays(path: Path, scratch: Scratch) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the arrays of a file, memory-mapped, and the facts; OSError or ValueError if not.

    Their pages leave memory with those of `scratch`.
    """
    with path.open("rb") as file:
        whole = np.frombuffer(scratch.mapped(file, access=mmap.ACCESS_READ), np.uint8)
    size = int.from_bytes(whole[-SIZE_BYTES:].tobytes(), "little")
    if size > len(whole) - SIZE_BYTES:
        raise ValueError("the file is damaged")
    found = json.loads(whole[len(whole) - SIZE_BYTES - size : -SIZE_BYTES].tobytes())
    arrays = {}
    for name, (descr, shape, start, size) in found["arrays"].items():
        part = whole[start : start + size]
        arrays[name] = part.view(np.dtype(descr)).reshape(shape)
    return arrays, found["facts"]


def _write(
    file: BinaryIO, pieces: list[NDArray[Any]], written: Callable[[], None]
) -> tuple[str, list[int], int, int]:
    """Write an array; return its type, shape, place and size."""
    file.write(bytes(-file.tell() % ALIGNMENT))
    start, first = file.tell(), pieces[0]
    for piece in pieces:
        rows = max(BYTES_AT_ONCE // max(piece[:1].nbytes, 1), 1)
        for at in range(0, len(piece), rows):
            file.write(np.ascontiguousarray(piece[at : at + rows], first.dtype).data)
            written()
    shape = [sum(map(len, pieces)), *first.shape[1:]]
    return first.dtype.str, shape, start, file.tell() - start
