"""Checkpoints: snapshots of a crawl on disk, from which it is resumed without a full replay.

    checkpoints/tables.log             what only grows: URLs, words, columns
    checkpoints/000000012800.state     the rest, as it was after step 12,800

A checkpoint appends to the log what is new, syncs it, and writes the state to a
new file, which appears whole or not at all. The state says how long the log was
and what its checksum is; bytes beyond that length belong to a checkpoint that
was not finished and are overwritten by the next one. So the process can be
killed at any moment. The last two states are kept: if the newer one is damaged,
the older one is valid, because the log only grew.

Checksums are 128 bits of XXH3, which reads as fast as the memory: they detect
damage, and are no protection against a file that was forged.

>>> import tempfile
>>> from lycosa.snapshots import StateWriter
>>> with tempfile.TemporaryDirectory() as folder:
...     checkpoints = CheckpointFolder(Path(folder))
...     state = StateWriter(checkpoints.lengths)
...     state.strings("urls", ["http://a.example/"])
...     checkpoints.write(7, {"goal": "papers"}, state)
...     found = CheckpointFolder(Path(folder)).latest(max_steps=9)
...     found.steps, found.facts, found.state.strings("urls")
(7, {'goal': 'papers'}, ['http://a.example/'])
"""

from __future__ import annotations

import json
import logging
import os
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import xxhash
from numpy.typing import NDArray

from lycosa.files import replace_file, sync_folder
from lycosa.snapshots import TEXT, LogTail, StateReader, StateWriter

_log = logging.getLogger("lycosa.crawler")

FORMAT = 1
"""The version of the format; a file of another version is not read."""
STAGES = ("logged", "saved", "published")
"""The stages of a checkpoint that `on_stage` is called with: the log was synced, the state
was written to a temporary file, the state was renamed and synced."""
KEPT_STATES = 2
"""The states that are kept, the newest."""

_MAGIC = b"lycosa checkpoint\n"
_HEAD = struct.Struct("<QQ")  # the version, and the length of the JSON text that follows
_RECORD = struct.Struct("<QQ")  # of the log: the number of a log in the state, bytes that follow
_ALIGNMENT = 64  # of arrays in the file
_BLOCK = 1 << 20  # bytes that are hashed or written at once: another thread may run in between
_SEPARATOR = b"\xff"  # of strings: no byte of UTF-8


class Damaged(Exception):
    """A checkpoint that cannot be read; the message says why."""


class _Log(NamedTuple):
    """One log among those in the file: its number, type, elements and bytes."""

    number: int
    type: str
    length: int


class Checkpoint(NamedTuple):
    """A checkpoint that was read."""

    steps: int
    """The number of the last step that it contains."""
    facts: dict[str, Any]
    """What it depends on, as given when it was written."""
    state: StateReader
    """The state of all parts."""


class CheckpointFolder:
    """The checkpoints of one crawl, in a folder that is made when it is needed.

    `folder` is that folder, and `on_stage` is called with each of the `STAGES` that was
    reached. One thread at a time may use the object.
    """

    def __init__(self, folder: Path, on_stage: Callable[[str], None] = lambda stage: None) -> None:
        self._folder = folder
        self._on_stage = on_stage
        self._start_over()

    def _start_over(self) -> None:
        self._logs: dict[str, _Log] = {}
        self._size = 0  # of the log, in bytes
        self._hash = xxhash.xxh3_128()  # of the log

    @property
    def lengths(self) -> dict[str, int]:
        """The elements of each log that are saved: what a `StateWriter` starts from."""
        return {name: log.length for name, log in self._logs.items()}

    def latest(self, max_steps: int) -> Checkpoint | None:
        """Return the newest checkpoint of at most so many steps that is not damaged.

        Newer ones are removed, so that the next `write` continues from this one.
        """
        self._start_over()
        self._remove_unfinished()
        for path in reversed(self._states()):
            try:
                return self._open(path, max_steps)
            except (Damaged, OSError, ValueError, LookupError, TypeError, struct.error) as error:
                _log.info("The checkpoint %s is not used: %s", path, error)
                _log.debug("It cannot be read", exc_info=True)
            self._start_over()
            path.unlink(missing_ok=True)
        return None

    def clear(self) -> None:
        """Remove all checkpoints: the next one is written from the beginning."""
        self._start_over()
        if self._folder.is_dir():
            self._remove_unfinished()
            for path in (*self._states(), self._log_path):
                path.unlink(missing_ok=True)

    def write(self, steps: int, facts: Mapping[str, Any], state: StateWriter) -> None:
        """Write the checkpoint after a step; the store must have the step by now.

        `state` was begun with the present `lengths`. If this fails, the last checkpoint
        is still valid and the call may be repeated.
        """
        self._folder.mkdir(exist_ok=True)
        logs, digest, size = self._append(state.logs)
        header = {
            "facts": dict(facts),
            "values": state.values,
            "arrays": {name: [a.dtype.str, a.shape] for name, a in state.arrays.items()},
            "logs": logs,
            "log": [size, digest.hexdigest()],
        }
        path = self._folder / f"{steps:012}.state"
        with replace_file(path) as part:
            _write_state(part, header, state.arrays.values())
            self._on_stage("saved")
        sync_folder(self._folder)
        self._on_stage("published")
        self._logs, self._hash, self._size = logs, digest, size
        for old in self._states()[:-KEPT_STATES]:
            old.unlink(missing_ok=True)

    @property
    def _log_path(self) -> Path:
        return self._folder / "tables.log"

    def _states(self) -> list[Path]:
        return sorted(self._folder.glob("[0-9]" * 12 + ".state"))

    def _remove_unfinished(self) -> None:
        for path in self._folder.glob(".*.state.*.part"):
            path.unlink(missing_ok=True)

    def _append(self, tails: Mapping[str, LogTail]) -> tuple[dict[str, _Log], Any, int]:
        """Append to the log; return the logs in it, its checksum and its size."""
        logs, digest = dict(self._logs), self._hash.copy()
        with self._log_path.open("r+b" if self._size else "wb", buffering=0) as file:
            # An interrupted checkpoint may have left bytes behind the size.
            file.truncate(self._size)
            file.seek(self._size)
            for name, tail in tails.items():
                number = logs[name].number if name in logs else len(logs)
                logs[name] = _Log(number, tail.type, tail.length)
                data = _encoded(tail)
                record = memoryview(_RECORD.pack(number, data.nbytes))
                for block in (record, *_blocks(data)):
                    digest.update(block)
                    _write_all(file, block)
            size = file.tell()
            os.fsync(file.fileno())
        if not self._size:
            sync_folder(self._folder)
        self._on_stage("logged")
        return logs, digest, size

    def _open(self, path: Path, max_steps: int) -> Checkpoint:
        steps = int(path.stem)
        if steps > max_steps:
            raise Damaged(f"the step log ends at step {max_steps:,}")
        header, first = _read_header(path)
        logs = {name: _Log(*log) for name, log in header["logs"].items()}
        size, expected = header["log"]
        with self._log_path.open("rb") as file:
            digest = _hash_of(file, size)
            if digest.hexdigest() != expected:
                raise Damaged("the log does not have its checksum")
            chunks = _chunks(file, size, len(logs))
        self._logs, self._hash, self._size = logs, digest, size
        source = _FileSource(path, self._log_path, header, first, logs, chunks)
        return Checkpoint(steps, header["facts"], StateReader(source))


class _FileSource:
    """A checkpoint on disk as a `StateSource`; each array is read when it is asked for."""

    def __init__(
        self,
        path: Path,
        log_path: Path,
        header: Mapping[str, Any],
        first: int,
        logs: Mapping[str, _Log],
        chunks: list[list[tuple[int, int]]],
    ) -> None:
        self._path = path
        self._log_path = log_path
        self._values = header["values"]
        self._arrays: dict[str, tuple[int, np.dtype[Any], tuple[int, ...]]] = {}
        for name, (kind, shape) in header["arrays"].items():
            first += -first % _ALIGNMENT
            dtype, count = np.dtype(kind), int(np.prod(shape, dtype=np.int64))
            self._arrays[name] = (first, dtype, tuple(shape))
            first += count * dtype.itemsize
        self._logs = logs
        self._chunks = chunks  # by the number of a log: offset and size

    def value(self, name: str) -> Any:
        return self._values[name]

    def array(self, name: str) -> NDArray[Any]:
        offset, dtype, shape = self._arrays[name]
        count = int(np.prod(shape, dtype=np.int64))
        return np.fromfile(self._path, dtype, count, offset=offset).reshape(shape)

    def log(self, name: str) -> NDArray[Any]:
        log = self._logs[name]
        if log.type == TEXT:
            raise ValueError(f"the log {name} has strings")
        found = np.empty(log.length, np.dtype(log.type))
        view, at = _bytes_of(found), 0
        with self._log_path.open("rb", buffering=0) as file:
            for offset, size in self._chunks[log.number]:
                file.seek(offset)
                at += file.readinto(view[at : at + size]) or 0
        if at != found.nbytes:
            raise ValueError(f"the log {name} has another length")
        return found

    def strings(self, name: str) -> list[str]:
        log = self._logs[name]
        if log.type != TEXT:
            raise ValueError(f"the log {name} has numbers")
        found: list[str] = []
        with self._log_path.open("rb", buffering=0) as file:
            for offset, size in self._chunks[log.number]:
                file.seek(offset)
                parts = file.read(size).split(_SEPARATOR)
                parts.pop()  # the separator is behind every string
                found += [str(part, "utf-8", "surrogatepass") for part in parts]
        if len(found) != log.length:
            raise ValueError(f"the log {name} has another length")
        return found


def _encoded(tail: LogTail) -> memoryview:
    if tail.type != TEXT:
        return _bytes_of(np.asarray(tail.added))
    parts = [str(text).encode("utf-8", "surrogatepass") for text in tail.added]
    return memoryview(_SEPARATOR.join((*parts, b"")))


def _bytes_of(array: NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(array).data.cast("B") if array.size else memoryview(bytearray())


def _blocks(data: memoryview) -> Iterator[memoryview]:
    for start in range(0, data.nbytes, _BLOCK):
        yield data[start : start + _BLOCK]


def _write_all(file: IO[bytes], block: bytes | memoryview) -> None:
    rest = memoryview(block)
    while rest:
        rest = rest[file.write(rest) :]


def _write_state(path: Path, header: Mapping[str, Any], arrays: Iterable[NDArray[Any]]) -> None:
    text = json.dumps(header).encode()
    digest, size = xxhash.xxh3_128(), 0
    with path.open("wb", buffering=0) as file:
        parts = [memoryview(_MAGIC + _HEAD.pack(FORMAT, len(text)) + text)]
        parts += map(_bytes_of, arrays)
        for part in parts:
            padding = memoryview(bytes(-size % _ALIGNMENT))
            size += padding.nbytes + part.nbytes
            for block in (padding, *_blocks(part)):
                digest.update(block)
                _write_all(file, block)
        _write_all(file, digest.digest())


def _read_header(path: Path) -> tuple[dict[str, Any], int]:
    """Return the header of a state, and where it ends; the checksum was verified."""
    with path.open("rb") as file:
        head = file.read(len(_MAGIC) + _HEAD.size)
        if not head.startswith(_MAGIC) or len(head) < len(_MAGIC) + _HEAD.size:
            raise Damaged("it is not a checkpoint")
        version, length = _HEAD.unpack_from(head, len(_MAGIC))
        if version != FORMAT:
            raise Damaged(f"it has the format {version}, and this program reads {FORMAT}")
        file.seek(0)
        size = path.stat().st_size - xxhash.xxh3_128().digest_size
        if size < len(head) or _hash_of(file, size).digest() != file.read():
            raise Damaged("it does not have its checksum")
        file.seek(len(head))
        return json.loads(file.read(length)), len(head) + length


def _hash_of(file: IO[bytes], size: int) -> Any:
    """Return the checksum of the next bytes of a file."""
    digest = xxhash.xxh3_128()
    while size > 0:
        block = file.read(min(size, _BLOCK))
        if not block:
            raise Damaged(f"it is {size:,} bytes too short")
        digest.update(block)
        size -= len(block)
    return digest


def _chunks(file: IO[bytes], size: int, logs: int) -> list[list[tuple[int, int]]]:
    """Return where the parts of each log are in the file."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(logs)]
    offset = 0
    while offset < size:
        file.seek(offset)
        number, length = _RECORD.unpack(file.read(_RECORD.size))
        offset += _RECORD.size
        found[number].append((offset, length))
        offset += length
    return found
