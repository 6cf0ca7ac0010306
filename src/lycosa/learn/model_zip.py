"""Model files: a zip of JSON, arrays and words, without pickle.

The comment of the zip is a checksum of everything before it, so that a damaged file is always
detected. `spiders.model_file` and `topics.model_file` define the members.

>>> data = zip_members({"about.json": b"{}", "words.txt": pack_words(["a", "b"])})
>>> with zipfile.ZipFile(io.BytesIO(data)) as archive:
...     unpack_words(read_member(archive, "words.txt"))
['a', 'b']
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.errors import UsageError
from lycosa.files import replace_file

_log = logging.getLogger("lycosa.learn")

ABOUT = "about.json"
"""The first member: format, version and small values."""
MARK = b"sha256 "
"""The beginning of the comment that holds the checksum."""
_NPY = b"\x93NUMPY\x01\x00"
_COMMENT = len(MARK) + 64
_DATE = (1980, 1, 1, 0, 0, 0)  # the same model is the same bytes
READ_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    RuntimeError,
    EOFError,
    MemoryError,
    OSError,
)
"""Exceptions that zipfile, json and numpy raise for a malformed file."""


def pack_words(words: Iterable[str]) -> bytes:
    """Encode words, one on each line; a newline within a word becomes two characters."""
    lines = (word.replace("\\", r"\\").replace("\n", r"\n") + "\n" for word in words)
    return "".join(lines).encode("utf-8", "surrogatepass")


def unpack_words(data: bytes) -> list[str]:
    """Decode what `pack_words` encoded."""
    lines = data.decode("utf-8", "surrogatepass").split("\n")
    if lines.pop():
        raise ValueError("a list of words is cut short")
    if b"\\" not in data:  # most lists: nothing was replaced
        return lines
    halves = (line.split(r"\\") for line in lines)
    return ["\\".join(part.replace(r"\n", "\n") for part in parts) for parts in halves]


def pack_array(array: NDArray[Any], dtype: str = "<f8") -> bytes:
    """Encode an array in numpy's format."""
    file = io.BytesIO()
    np.lib.format.write_array(
        file, np.ascontiguousarray(array, dtype), version=(1, 0), allow_pickle=False
    )
    return file.getvalue()


def unpack_array(data: bytes, shape: tuple[int, ...], dtype: str = "<f8") -> NDArray[Any]:
    """Decode an array of a known shape.

    The header must equal the one that `pack_array` writes: it is never interpreted, so a
    header that declares a larger array reserves no memory.
    """
    begin = 10 + int.from_bytes(data[8:10], "little")
    header = b"".join(data[10:begin].split()).decode("ascii")
    size = str(shape).replace(" ", "")
    expected = f"{{'descr':'{dtype}','fortran_order':False,'shape':{size},}}"
    if data[:8] != _NPY or header != expected:
        raise ValueError("an array has another shape or type than the model")
    native = np.dtype(dtype).newbyteorder("=")
    return require_finite(np.frombuffer(data[begin:], dtype).reshape(shape).astype(native))


def require_finite(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array; raise `ValueError` if a number is not finite."""
    if not np.isfinite(array).all():
        raise ValueError("a number is not finite")
    return array


def zip_members(members: Mapping[str, bytes]) -> bytes:
    """Return the bytes of a model file with these members and its checksum."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # the same on every system
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
        archive.comment = bytes(_COMMENT)
    data = file.getvalue()[:-_COMMENT]
    return data + _comment(data)


def write_model(path: Path, data: bytes) -> None:
    """Write a file completely or not at all; raise `UsageError` if it cannot be written."""
    try:
        with replace_file(path) as part:
            part.write_bytes(data)
    except OSError as error:
        _log.debug("cannot write %s", path, exc_info=True)
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error


@dataclass(frozen=True, slots=True)
class ModelFormat:
    """A kind of model file, and how to read one of it.

    Parameters
    ----------
    name
        The `format` in about.json.
    version
        The newest version that this program reads.
    noun
        What the file contains, for messages: "a spider".
    command
        The command that writes such files: "lycosa train".
    verb
        What to do with a file that cannot be used: "train" it again.
    """

    name: str
    version: int
    noun: str
    command: str
    verb: str

    @contextmanager
    def open(self, path: Path, max_bytes: int) -> Iterator[tuple[zipfile.ZipFile, dict[str, Any]]]:
        """Open a file of at most `max_bytes`, packed and unpacked; yield it and its about.json.

        A `UsageError` says what is wrong with a file that is missing, damaged,
        foreign or newer, also if the block raises one of `READ_ERRORS`.
        """
        data = self._read(path, max_bytes)
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                if sum(info.file_size for info in archive.infolist()) > max_bytes:
                    raise ValueError("its unpacked size exceeds the limit")
                yield archive, self._about(path, archive)
        except READ_ERRORS as error:
            _log.debug("cannot load %s", path, exc_info=True)
            raise UsageError(
                f"{path} cannot be used as {self.noun} ({error}); {self.verb} it again."
            ) from error

    def _read(self, path: Path, max_bytes: int) -> bytes:
        hint = f"give a file that `{self.command}` wrote"
        try:
            with path.open("rb") as file:
                data = file.read(max_bytes + 1)
        except FileNotFoundError:
            raise UsageError(f"There is no file {path}; `{self.command}` writes one.") from None
        except OSError as error:
            _log.debug("cannot read %s", path, exc_info=True)
            raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
        if len(data) > max_bytes:
            raise UsageError(f"{path} is too large to be {self.noun}; {hint}.")
        if data[-_COMMENT:] == _comment(data[:-_COMMENT]):
            return data
        if ABOUT.encode() in data[:64] or MARK in data[-_COMMENT:]:
            raise UsageError(f"{path} is damaged or cut short; copy it or {self.verb} it again.")
        raise UsageError(f"{path} is not {self.noun}; {hint}.")

    def _about(self, path: Path, archive: zipfile.ZipFile) -> dict[str, Any]:
        about: dict[str, Any] = json.loads(read_member(archive, ABOUT))
        if about["format"] != self.name or not isinstance(about["version"], int):
            raise ValueError("its format has another name")
        if about["version"] > self.version:
            raise UsageError(
                f"{path} was made by a newer Lycosa (format {about['version']}, this one reads "
                f"{self.version}); update Lycosa or {self.verb} it again."
            )
        return about


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Read a member, and no more than its declared size.

    `ModelFormat.open` has checked the declared sizes.
    """
    info = archive.getinfo(name)
    if info.compress_type not in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
        raise ValueError(f"{name} has an unknown compression")
    with archive.open(info) as file:
        data = file.read(info.file_size)
    if len(data) != info.file_size:
        raise ValueError(f"{name} is too short")
    return data


def _comment(data: bytes) -> bytes:
    return MARK + hashlib.sha256(data).hexdigest().encode()
