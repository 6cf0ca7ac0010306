"""Encodings: a file with the vectors of works that took long to compute.

The file is a header, which names the model, and records of fixed size that are
only ever appended: the number of a work, a hash of the text that was encoded,
and the vector. Of several records of a work the last one counts. A process that
is killed loses what it has not appended; half a record at the end is dropped.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     found = Encodings(Path(folder) / "encodings.bin", "a model", dimensions=2)
...     found.append([7], [100], np.array([[3, 4]], np.int8))
...     found.outdated({7: 100, 8: 200}), found.rows([7]).tolist()
([8], [[3, 4]])
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lycosa.files import replace_file

HEADER_BYTES: Final = 64
FORMAT: Final = "lycosa encodings 1"
MAX_UNUSED_SHARE: Final = 0.5
"""A file of which more than this share of records is unused is written anew."""
MIN_COMPACTED: Final = 1_000
"""Records of the smallest file that is."""

Rows = NDArray[np.int8]


class Encodings:
    """The vectors in a file, which is created if there is none.

    Parameters
    ----------
    path
        The file.
    model
        Identifies what computes the vectors; a file of another model is replaced.
    dimensions
        The length of a vector.
    """

    def __init__(self, path: Path, model: str, dimensions: int) -> None:
        self._path = path
        self._record = np.dtype([("number", "<u8"), ("text", "<u8"), ("row", "i1", (dimensions,))])
        header = f"{FORMAT}\n{model}\n{dimensions}\n".encode()
        self._header = header[:HEADER_BYTES].ljust(HEADER_BYTES)
        if not self._has_header():
            self._write(np.empty(0, self._record))
        size = path.stat().st_size - HEADER_BYTES
        self._count = size // self._record.itemsize
        os.truncate(path, HEADER_BYTES + self._count * self._record.itemsize)
        self._places: dict[int, tuple[int, int]] = {}
        """The hash of the text and the place of the record of each work."""
        records = self._records()
        self._remember(records["number"].tolist(), records["text"].tolist(), 0)

    def __len__(self) -> int:
        return len(self._places)

    def outdated(self, texts: Mapping[int, int]) -> list[int]:
        """Return the works without a vector of their text, given its hash."""
        return [
            number for number, text in texts.items() if self._places.get(number, (-1,))[0] != text
        ]

    def append(self, numbers: Sequence[int], texts: Sequence[int], rows: Rows) -> None:
        """Append the vectors of works with the hashes of their texts, and write them to disk."""
        records = np.empty(len(numbers), self._record)
        records["number"], records["text"], records["row"] = numbers, texts, rows
        with self._path.open("ab") as file:
            file.write(records.tobytes())
            file.flush()
            os.fsync(file.fileno())
        self._remember(numbers, texts, self._count)
        self._count += len(records)

    def rows(self, numbers: Sequence[int]) -> Rows:
        """Return the vectors of works that have one."""
        places = [self._places[number][1] for number in numbers]
        return np.asarray(self._records()["row"][places], np.int8)

    def compact(self, used: Collection[int], *, always: bool = False) -> None:
        """Write the file anew without the records of other works, if most are unused.

        With `always` it is written even if few are.
        """
        kept = sorted(self._places[number][1] for number in used if number in self._places)
        unused = self._count - len(kept)
        few = self._count < MIN_COMPACTED or unused <= MAX_UNUSED_SHARE * self._count
        if few and not (always and unused):
            return
        records = np.array(self._records()[kept])
        self._write(records)
        self._count = len(records)
        self._places = {}
        self._remember(records["number"].tolist(), records["text"].tolist(), 0)

    def _has_header(self) -> bool:
        if not self._path.is_file():
            return False
        with self._path.open("rb") as file:
            return file.read(HEADER_BYTES) == self._header

    def _write(self, records: NDArray[np.void]) -> None:
        with replace_file(self._path) as part:
            part.write_bytes(self._header + records.tobytes())

    def _records(self) -> NDArray[np.void]:
        if not self._count:
            return np.empty(0, self._record)
        return np.memmap(self._path, self._record, "r", HEADER_BYTES, (self._count,))

    def _remember(self, numbers: Sequence[int], texts: Sequence[int], start: int) -> None:
        for place, (number, text) in enumerate(zip(numbers, texts, strict=True), start):
            self._places[number] = text, place
