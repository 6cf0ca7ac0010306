"""Safetensors: arrays with names in one file that holds nothing else.

The file is eight bytes with the length of a header, the header as JSON, and the
numbers of the arrays one after the other. Nothing in it can be executed, as a
pickle could be, and it is mapped into memory: processes share it, and an array
of which a few rows are used is not read as a whole.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MAX_HEADER_BYTES: Final = 10_000_000
"""The longest header that is read."""

Array = NDArray[np.float32]


def read_tensors(path: Path) -> dict[str, Array]:
    """Return the arrays of 32-bit floats of a file by name, as views of the mapped file.

    Raise ValueError if it is not such a file.
    """
    try:
        raw = np.memmap(path, np.uint8, "r")
        size = int.from_bytes(raw[:8].tobytes(), "little")
        if size > MAX_HEADER_BYTES:
            raise ValueError("its header is too long")
        header: Any = json.loads(raw[8 : 8 + size].tobytes())
        return {
            name: _array(raw[8 + size :], entry)
            for name, entry in header.items()
            if name != "__metadata__" and entry["dtype"] == "F32"
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{path} is not a file of arrays in the safetensors format: {error}"
        ) from error


def _array(body: NDArray[np.uint8], entry: Any) -> Array:
    start, stop = entry["data_offsets"]
    return np.asarray(body[start:stop].view("<f4").reshape(entry["shape"]))
