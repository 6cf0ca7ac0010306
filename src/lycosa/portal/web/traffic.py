"""Counts of requests and their durations, in memory that server processes share.

Every process writes to a row of its own, so that no lock is needed; what is reported
is the sum of all rows. A process that was started again goes on with the row of its
predecessor: counters never decrease.

>>> traffic = TrafficTable(processes=2)
>>> traffic.row(0).count("search", 200, seconds=0.004, size=1200)
>>> traffic.row(1).count("search", 404, seconds=0.3, size=80)
>>> total = traffic.total()["search"]
>>> total.statuses, total.size, total.requests
((0, 1, 0, 1, 0), 1280, 2)
>>> total.within(0.01)
1
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, MutableSequence
from dataclasses import dataclass
from multiprocessing.context import BaseContext

KINDS = (
    "search", "work", "topic", "author", "document", "graph", "api", "export", "static", "other"
)  # fmt: skip
"""What requests are counted by."""
STATUSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the durations that are counted together; the last count has no bound."""

_SECONDS_AT = len(STATUSES)
_SUM_AT = _SECONDS_AT + len(SECONDS) + 1
_SIZE_AT = _SUM_AT + 1
_WIDTH = _SIZE_AT + 1  # numbers of one kind
_ROW = _WIDTH * len(KINDS)


@dataclass(frozen=True, slots=True)
class Traffic:
    """The requests of one kind since the server was started."""

    statuses: tuple[int, ...]
    """Requests by class of their status, as in `STATUSES`."""
    durations: tuple[int, ...]
    """Requests by duration: within each of `SECONDS` but not the one before, and longer ones."""
    seconds: float
    """The sum of the durations."""
    size: int
    """Bytes of the responses."""

    @property
    def requests(self) -> int:
        """The number of requests."""
        return sum(self.durations)

    def within(self, seconds: float) -> int:
        """Return how many took at most as long as one of `SECONDS`."""
        return sum(self.durations[: SECONDS.index(seconds) + 1])


class TrafficRow:
    """The counts of one process.

    `memory` are the numbers of the table, in which the row begins at `start`.
    """

    def __init__(self, memory: MutableSequence[float], start: int) -> None:
        self._memory = memory
        self._start = start

    def count(self, kind: str, status: int, seconds: float, size: int) -> None:
        """Count a request; one without a response has status 0 and is not counted."""
        if not 100 <= status < 600:
            return
        at = self._start + KINDS.index(kind) * _WIDTH
        memory = self._memory
        memory[at + status // 100 - 1] += 1
        memory[at + _SECONDS_AT + bisect_left(SECONDS, seconds)] += 1
        memory[at + _SUM_AT] += seconds
        memory[at + _SIZE_AT] += size


class TrafficTable:
    """The counts of all processes that serve a portal.

    Parameters
    ----------
    processes
        The number of rows.
    context
        Where the processes are started; None if they share nothing.
    """

    def __init__(self, processes: int = 1, context: BaseContext | None = None) -> None:
        size = processes * _ROW + 1
        self._memory = [0.0] * size if context is None else context.RawArray("d", size)

    def row(self, process: int) -> TrafficRow:
        """Return the row of a process."""
        return TrafficRow(self._memory, process * _ROW)

    @property
    def restarts(self) -> int:
        """How many processes were started again; the supervisor counts them."""
        return int(self._memory[len(self._memory) - 1])

    def count_restart(self) -> None:
        """Count a process that was started again."""
        self._memory[len(self._memory) - 1] += 1

    def total(self) -> Mapping[str, Traffic]:
        """Return the counts of all processes by kind."""
        starts = range(0, len(self._memory) - 1, _ROW)
        found = {}
        for at, kind in enumerate(KINDS):
            columns = [start + at * _WIDTH for start in starts]
            sums = [sum(self._memory[c + k] for c in columns) for k in range(_WIDTH)]
            found[kind] = Traffic(
                tuple(map(int, sums[:_SECONDS_AT])),
                tuple(map(int, sums[_SECONDS_AT:_SUM_AT])),
                sums[_SUM_AT],
                int(sums[_SIZE_AT]),
            )
        return found
