"""Worker processes: a pool that survives the death of a worker, and a parallel `map`.

Workers are spawned, not forked, because forking a process that has threads (a
progress bar) may deadlock. Ctrl-C ends a worker at once and without a traceback,
because the parent process reports it. Workers end with their parent, even if it is killed.

>>> list(map_parallel(len, ["a", "bb", "ccc"], jobs=1))
[1, 2, 3]
>>> with WorkerPool(len, jobs=1) as pool:
...     pool.submit("spider").result()
6
"""

from __future__ import annotations

import ctypes
import gc
import logging
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from lycosa.errors import LycosaError
from lycosa.logs import inherit as inherit_logs
from lycosa.parent_death import end_with_parent

_log = logging.getLogger("lycosa.processes")

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

MAX_TASKS_AHEAD = 16
"""Tasks for each process that `map_parallel` submits before their results are asked for."""
GC_THRESHOLDS = 50_000, 20, 50
"""Of a process that leaves few cycles: a collection stops all its threads."""
MAPPED_BYTES = 2**20
"""Of a block of memory: a larger one has pages of its own where `tuned_for_growth` holds."""
_M_MMAP_THRESHOLD = -3  # of mallopt(3)


class Task(Generic[_Result]):
    """A call submitted to a `WorkerPool`.

    `pool` runs the call, and `arguments` are those of the pool's function. They are kept
    until the result is known, because the call is repeated if its worker dies.
    """

    def __init__(self, pool: WorkerPool[_Result], arguments: tuple[Any, ...]) -> None:
        self._pool = pool
        self._arguments = arguments
        self._future = pool._start(arguments)
        self._done = False
        self._value: Any = None

    def result(self) -> _Result:
        """Wait for the call and return its value."""
        if not self._done:
            self._value = self._pool._value(self._future, self._arguments)
            self._done = True
            self._arguments = ()  # which may be large
        value: _Result = self._value
        return value


class WorkerPool(Generic[_Result]):
    """A pool of worker processes that survives the death of a worker.

    When a worker dies, every task that was in the pool is run again, alone in a
    process, so that a task which kills its worker costs the other tasks only
    time. A task that kills its second worker too is given up.

    Parameters
    ----------
    function
        Called in the workers; a function of a module, because it is pickled.
    jobs
        The number of workers. With 1, tasks run in this process when they are submitted.
    fallback
        The result of a task that was given up or whose function raised an
        exception; the exception is logged as a warning. Without a fallback the
        exception is raised, and a task that was given up is a `LycosaError`.
    activity
        What the workers do, for that message: "A worker process died twice while {activity}".
    garbage_collection
        Whether workers search for garbage in cycles.
    """

    def __init__(
        self,
        function: Callable[..., _Result],
        jobs: int,
        *,
        fallback: _Result | None = None,
        activity: str = "working",
        garbage_collection: bool = True,
    ) -> None:
        self.jobs = jobs
        self._function = function
        self._fallback = fallback
        self._activity = activity
        self._garbage_collection = garbage_collection
        self._workers: ProcessPoolExecutor | None = None
        self._single: ProcessPoolExecutor | None = None

    def submit(self, *arguments: Any) -> Task[_Result]:
        """Schedule a call of the function with these arguments."""
        return Task(self, arguments)

    def as_completed(self, tasks: Iterable[Task[_Result]]) -> Iterator[Task[_Result]]:
        """Yield tasks in the order in which they are done."""
        waiting = {task._future: task for task in tasks}
        for future in as_completed(waiting):
            yield waiting[future]

    def _start(self, arguments: tuple[Any, ...]) -> Future[_Result]:
        if self.jobs == 1:
            done: Future[_Result] = Future()
            try:
                done.set_result(self._function(*arguments))
            except Exception as error:
                done.set_exception(error)
            return done
        try:
            return self._submit_shared(arguments)
        except BrokenProcessPool:
            self._workers = None
            return self._submit_shared(arguments)

    def _submit_shared(self, arguments: tuple[Any, ...]) -> Future[_Result]:
        with interrupts_blocked():
            if self._workers is None:
                self._workers = self._spawn(self.jobs)
            return self._workers.submit(self._function, *arguments)

    def _value(self, future: Future[_Result], arguments: tuple[Any, ...]) -> _Result:
        try:
            try:
                return future.result()
            except BrokenProcessPool:
                _log.info("A worker died while %s; its task runs again, alone.", self._activity)
                return self._run_alone(arguments)
        except BrokenProcessPool as error:
            if self._fallback is None:
                raise LycosaError(
                    f"A worker process died twice while {self._activity}, perhaps for lack of "
                    "memory: run fewer at once (--jobs 1)."
                ) from error
            _log.warning("A task killed two workers while %s; it is given up.", self._activity)
            return self._fallback
        except Exception:
            if self._fallback is None:
                raise
            # The traceback of the worker is the cause of the exception here.
            _log.warning("A task failed while %s; this is a bug.", self._activity, exc_info=True)
            return self._fallback

    def _run_alone(self, arguments: tuple[Any, ...]) -> _Result:
        with interrupts_blocked():
            if self._single is None:
                self._single = self._spawn(1)
            future = self._single.submit(self._function, *arguments)
        try:
            return future.result()
        except BrokenProcessPool:
            self._single = None
            raise

    def _spawn(self, jobs: int) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(jobs, context, _initialise, (self._garbage_collection,))

    def close(self, *, wait: bool = True) -> None:
        """Cancel the tasks that have not begun and end the workers."""
        pools, self._workers, self._single = (self._workers, self._single), None, None
        for pool in pools:
            if pool is not None:
                pool.shutdown(wait=wait, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close(wait=kind is None)


def map_parallel(
    function: Callable[[_Item], _Result],
    items: Iterable[_Item],
    jobs: int,
    *,
    ahead: int = MAX_TASKS_AHEAD,
    activity: str = "working",
) -> Iterator[_Result]:
    """Yield the function's value of each item, in order; with one job in this process.

    Items are taken as needed, at most `ahead` for each process before their
    results are asked for. The workers do not collect garbage.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    pool = WorkerPool(function, jobs, activity=activity, garbage_collection=False)
    waiting: deque[Task[_Result]] = deque()
    rest = iter(items)
    try:
        while True:
            for item in islice(rest, ahead * jobs - len(waiting)):
                waiting.append(pool.submit(item))
            if not waiting:
                break
            yield waiting.popleft().result()
    finally:
        pool.close(wait=False)


def in_batches(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    """Yield lists of `size` items, the last one perhaps shorter.

    >>> list(in_batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


@contextmanager
def garbage_collection_disabled() -> Iterator[None]:
    """Disable cyclic garbage collection: with millions of objects it takes a third of the time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextmanager
def tuned_for_growth() -> Iterator[None]:
    """Manage memory as suits a process whose state grows all the time.

    Cyclic garbage is collected seldom, because much is allocated and little of it is in
    cycles. Arrays above `MAPPED_BYTES` go back to the system when they are freed, from now
    on: by itself the allocator of glibc soon puts arrays of up to 32 MB into the heap, where
    those that are outgrown leave holes.
    """
    before = gc.get_threshold()
    gc.set_threshold(*map(max, before, GC_THRESHOLDS))
    with suppress(OSError, AttributeError):  # other systems have no such setting
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, MAPPED_BYTES)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Multiply matrices in this thread alone, so that no sum depends on the number of cores.

    With small matrices, or where other processes compute too, the threads of a
    BLAS wait for each other more than they help.
    """
    with threadpool_limits(1, user_api="blas"):
        yield


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Block SIGINT while workers are started: they inherit the mask until they are set up."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _initialise(garbage_collection: bool) -> None:
    """Set a worker up: Ctrl-C ends it without a traceback, because its parent reports it."""
    inherit_logs()
    end_with_parent()
    if not garbage_collection:
        gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
