"""Snapshots: the state of the parts of a crawl as named arrays, strings and JSON values.

A part saves itself into a `StateWriter` and restores itself from a `StateReader`.
The writer copies everything that may change, so that the crawl can go on while
another thread writes the snapshot to disk. What only grows, such as the table
of URLs, is saved as a log: the writer copies what was added since the last
snapshot. Nothing is pickled, so reading a snapshot runs no code of its file.

>>> words, counts = ["spider", "web"], np.array([3, 1])
>>> state = StateWriter()
>>> state.part("table").strings("words", words)
>>> state.array("counts", counts)
>>> state.value("name", "small")
>>> saved = StateReader.of(state)
>>> saved.part("table").strings("words"), saved.array("counts"), saved.value("name")
(['spider', 'web'], array([3, 1]), 'small')
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

TEXT = "text"
"""The type of a log of strings; that of other logs is the name of a numpy type."""

Growing: TypeAlias = "array[Any]"
"""An array of the standard library."""
Numbers: TypeAlias = "NDArray[Any] | array[Any]"
"""Numbers that a snapshot can hold."""


class LogTail(NamedTuple):
    """What was added to a log since the last snapshot."""

    type: str
    """`TEXT`, or the numpy type of the elements."""
    length: int
    """Elements of the whole log."""
    added: NDArray[Any] | list[str]
    """The new elements."""


class StateWriter:
    """Takes in the state of the parts of a crawl; what it has is a copy.

    `lengths` has the length of each log that the last snapshot saved, by its
    full name.
    """

    def __init__(self, lengths: Mapping[str, int] = MappingProxyType({})) -> None:
        self.values: dict[str, Any] = {}
        self.arrays: dict[str, NDArray[Any]] = {}
        self.logs: dict[str, LogTail] = {}
        self._lengths = lengths
        self._prefix = ""

    def part(self, name: str) -> StateWriter:
        """Return a writer of this snapshot whose names begin with `name` and a slash."""
        inner = StateWriter(self._lengths)
        inner.values, inner.arrays, inner.logs = self.values, self.arrays, self.logs
        inner._prefix = f"{self._prefix}{name}/"
        return inner

    def value(self, name: str, value: object) -> None:
        """Save any value that JSON can express; it must not change any more."""
        self.values[self._prefix + name] = value

    def array(self, name: str, numbers: Numbers) -> None:
        """Save all elements of an array."""
        self.arrays[self._prefix + name] = np.array(numbers)

    def log(self, name: str, numbers: Numbers) -> None:
        """Save an array that only grows: its old elements never change."""
        name = self._prefix + name
        # The view must be gone before the array grows again, so it is copied at once.
        added = np.array(np.asarray(numbers)[self._lengths.get(name, 0) :])
        self.logs[name] = LogTail(added.dtype.str, len(numbers), added)

    def length(self, name: str) -> int:
        """Return the elements of a log that the last snapshot saved."""
        return self._lengths.get(self._prefix + name, 0)

    def tail(self, name: str, added: NDArray[Any]) -> None:
        """Save rows that are added to a log behind those that were saved, `length` of them."""
        name = self._prefix + name
        length = self._lengths.get(name, 0) + len(added)
        self.logs[name] = LogTail(added.dtype.str, length, added)

    def strings(self, name: str, strings: Sequence[str]) -> None:
        """Save a list of strings that only grows."""
        name = self._prefix + name
        added = list(strings[self._lengths.get(name, 0) :])
        self.logs[name] = LogTail(TEXT, len(strings), added)

    def keys(self, name: str, numbered: Mapping[str, Any]) -> None:
        """Save the keys of a dict to which keys are only added, in their order."""
        name = self._prefix + name
        added = list(islice(numbered, self._lengths.get(name, 0), None))
        self.logs[name] = LogTail(TEXT, len(numbered), added)


class StateSource(Protocol):
    """Where a `StateReader` reads from, by full names; a `KeyError` if there is no such name."""

    def value(self, name: str, /) -> Any:
        """Return a JSON value."""

    def array(self, name: str, /) -> NDArray[Any]:
        """Return an array that belongs to the caller."""

    def log(self, name: str, /) -> NDArray[Any]:
        """Return a log of numbers that belongs to the caller."""

    def strings(self, name: str, /) -> list[str]:
        """Return a log of strings."""


class StateReader:
    """Gives back what a `StateWriter` took in; `source` has it under full names.

    A name that was not saved is a `KeyError`, another type of numbers a `ValueError`.
    """

    def __init__(self, source: StateSource, prefix: str = "") -> None:
        self._source = source
        self._prefix = prefix

    @classmethod
    def of(cls, state: StateWriter) -> StateReader:
        """Return a reader of a snapshot in memory that has its logs from the beginning."""
        return cls(_MemorySource(state))

    def part(self, name: str) -> StateReader:
        """Return a reader of the names that begin with `name` and a slash."""
        return StateReader(self._source, f"{self._prefix}{name}/")

    def value(self, name: str) -> Any:
        """Return a JSON value."""
        return self._source.value(self._prefix + name)

    def array(self, name: str, like: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return an array; it must have the type and the shape of a row of `like`, if given."""
        found = self._source.array(self._prefix + name)
        if like is not None and (found.dtype, found.shape[1:]) != (like.dtype, like.shape[1:]):
            raise ValueError(f"the array {self._prefix}{name} has another type or shape")
        return found

    def log(self, name: str) -> NDArray[Any]:
        """Return an array that only grew."""
        return self._source.log(self._prefix + name)

    def strings(self, name: str) -> list[str]:
        """Return a list of strings, or the keys of a dict."""
        return self._source.strings(self._prefix + name)

    def fill(self, name: str, numbers: Growing) -> None:
        """Replace the elements of an array of the standard library by a saved array."""
        _fill(numbers, self._source.array(self._prefix + name), self._prefix + name)

    def fill_log(self, name: str, numbers: Growing) -> None:
        """Replace the elements of an array of the standard library by a saved log."""
        _fill(numbers, self._source.log(self._prefix + name), self._prefix + name)


def _fill(numbers: array[Any], found: NDArray[Any], name: str) -> None:
    if found.dtype != np.dtype(numbers.typecode) or found.ndim != 1:
        raise ValueError(f"the array {name} has another type or shape")
    del numbers[:]
    numbers.frombytes(found.data.cast("B") if len(found) else b"")


class _MemorySource:
    """A snapshot in memory as a `StateSource`."""

    def __init__(self, state: StateWriter) -> None:
        self._state = state

    def value(self, name: str) -> Any:
        return self._state.values[name]

    def array(self, name: str) -> NDArray[Any]:
        return self._state.arrays[name].copy()

    def log(self, name: str) -> NDArray[Any]:
        return np.array(self._whole(name).added)

    def strings(self, name: str) -> list[str]:
        return list(self._whole(name).added)

    def _whole(self, name: str) -> LogTail:
        log = self._state.logs[name]
        if len(log.added) != log.length:
            raise KeyError(name)
        return log
