"""Shared examples of the default policy: what crawls of other parts of the same web have learned.

An example is a link that was followed: its columns, its four inputs, and the rate of the page
behind it. Columns are hashes of words and inputs are on one scale, so an example means the same
in every crawl for the same goal. A link that another crawl will follow is described in the same
way, with its depth in the place of the rate.

An example takes some 120 bytes: five numbers of four bytes, the number of columns, and two
bytes for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import Floats
from lycosa.snapshots import StateReader, StateWriter

MAX_SENT = 1000
"""Examples that a crawl gives to others after a fit, the latest."""
MAX_KEPT = 10_000
"""Examples of others that a fit takes into account, the latest."""


class SharedLink(NamedTuple):
    """A link as crawls give it to each other."""

    row: NDArray[np.uint16]
    """Its columns."""
    inputs: NDArray[np.float32]
    """Its four inputs."""
    value: float
    """The rate of the page behind it, or the depth of the link if it was not followed."""

    def to_bytes(self) -> bytes:
        """Serialise.

        >>> link = SharedLink(np.array([3, 9], np.uint16), np.zeros(4, np.float32), 0.5)
        >>> again = SharedLink.from_bytes(link.to_bytes())
        >>> len(link.to_bytes()), again.row.tolist(), again.value
        (24, [3, 9], 0.5)
        """
        numbers = np.append(self.inputs, np.float32(self.value)).astype("<f4")
        return numbers.tobytes() + self.row.astype("<u2").tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> SharedLink:
        """Return what `to_bytes` serialised; raise a `ValueError` if it is anything else."""
        if len(data) < 20 or len(data) % 2:
            raise ValueError("this is not a link of another crawl")
        numbers = np.frombuffer(data, "<f4", 5)
        if not np.isfinite(numbers).all():
            raise ValueError("a link of another crawl has a value that is not finite")
        return cls(np.frombuffer(data, "<u2", offset=20), numbers[:4], float(numbers[4]))


def shared_links(rows: Rows, inputs: Floats, values: Iterable[float]) -> list[bytes]:
    """Serialise links, given their columns, inputs and rates or depths."""
    bounds = zip(rows.starts[:-1].tolist(), rows.starts[1:].tolist(), strict=True)
    return [
        SharedLink(rows.words[a:b].astype(np.uint16), each.astype(np.float32), value).to_bytes()
        for (a, b), each, value in zip(bounds, inputs, values, strict=True)
    ]


class SharedExamples:
    """The latest examples of other crawls.

    >>> examples = SharedExamples()
    >>> link = SharedLink(np.array([3, 9], np.uint16), np.zeros(4, np.float32), 0.5)
    >>> examples.add([link.to_bytes(), link.to_bytes()])
    >>> rows, inputs, rates = examples.joined(Rows(np.zeros(1, np.int64), np.zeros(0, np.int32)),
    ...     np.zeros((0, 4)), np.zeros(0))
    >>> len(rows), rows.words.tolist(), inputs.shape, rates.tolist()
    (2, [3, 9, 3, 9], (2, 4), [0.5, 0.5])
    """

    def __init__(self) -> None:
        self.has_targets = False
        """Whether any of them is worth something."""
        self._links: list[SharedLink] = []

    def __len__(self) -> int:
        return len(self._links)

    def add(self, examples: Sequence[bytes]) -> None:
        """Take in examples."""
        self._links += map(SharedLink.from_bytes, examples)
        del self._links[:-MAX_KEPT]
        self.has_targets = any(link.value > 0 for link in self._links)

    def joined(self, rows: Rows, inputs: Floats, rates: Floats) -> tuple[Rows, Floats, Floats]:
        """Return the examples of a fit with those of others behind them."""
        links = self._links
        sizes = np.array([len(link.row) for link in links])
        starts = np.concatenate((rows.starts, rows.starts[-1] + sizes.cumsum()))
        words = np.concatenate((rows.words, *(link.row for link in links))).astype(np.int32)
        values = np.array([link.value for link in links])
        return (
            Rows(starts, words),
            np.concatenate((inputs, [link.inputs for link in links])),
            np.concatenate((rates, values)),
        )

    def save(self, state: StateWriter) -> None:
        """Save all examples."""
        parts = [link.to_bytes() for link in self._links]
        state.array("sizes", np.array(list(map(len, parts)), np.int64))
        state.array("links", np.frombuffer(b"".join(parts), np.uint8))

    def restore(self, state: StateReader) -> None:
        """Take over saved examples."""
        data, at = state.array("links").tobytes(), 0
        self._links = []
        for size in state.array("sizes").tolist():
            self._links.append(SharedLink.from_bytes(data[at : at + size]))
            at += size
        self.has_targets = any(link.value > 0 for link in self._links)
