"""Worker processes."""

import gc
import logging
import os
import platform
import signal
import subprocess
import sys

import numpy as np
import psutil
import pytest
from threadpoolctl import threadpool_info

from lycosa.errors import LycosaError
from lycosa.processes import WorkerPool, map_parallel, single_threaded_blas, tuned_for_growth


@pytest.mark.parametrize("jobs", [1, 2])
def test_map_parallel_yields_all_results_in_order(jobs):
    assert list(map_parallel(abs, range(-50, 50), jobs)) == [abs(n) for n in range(-50, 50)]


def test_map_parallel_takes_few_items_ahead():
    taken = []

    def items():
        for n in range(1000):
            taken.append(n)
            yield n

    results = map_parallel(abs, items(), 2)
    next(results)
    assert len(taken) < 100
    results.close()


def test_map_parallel_reports_a_task_that_kills_its_workers():
    with pytest.raises(LycosaError, match="--jobs 1"):
        list(map_parallel(_die, range(3), 2))


def _die(_):
    os.kill(os.getpid(), signal.SIGKILL)


def _die_of_three(number):
    if number == 3:
        _die(number)
    return number


def test_pool_gives_up_only_the_task_that_kills_its_workers(caplog):
    with WorkerPool(_die_of_three, 2, fallback=-1, activity="counting") as pool:
        tasks = [pool.submit(number) for number in range(6)]
        assert [task.result() for task in tasks] == [0, 1, 2, -1, 4, 5]
        assert pool.submit(6).result() == 6, "the pool works on"
    assert "killed two workers while counting" in caplog.text


def _die_once(path):
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return "alive"
    return _die(path)


def test_pool_runs_a_task_again_when_its_worker_died(tmp_path):
    with WorkerPool(_die_once, 2) as pool:
        assert pool.submit(tmp_path / "died").result() == "alive"


POOL = """
import time
from lycosa.processes import WorkerPool

if __name__ == "__main__":
    with WorkerPool(time.sleep, 2) as pool:
        pool.submit(0).result()
        tasks = [pool.submit(0), pool.submit(1000)]  # one worker has nothing to do
        tasks[0].result()
        print("working", flush=True)
        tasks[1].result()
"""


def test_workers_end_with_a_parent_that_is_killed(tmp_path):
    (tmp_path / "pool.py").write_text(POOL)
    with subprocess.Popen([sys.executable, tmp_path / "pool.py"], stdout=subprocess.PIPE) as parent:
        assert parent.stdout.readline() == b"working\n"
        workers = psutil.Process(parent.pid).children(recursive=True)
        assert len(workers) >= 2
        parent.kill()
    _, left = psutil.wait_procs(workers, timeout=60)
    assert not left


def _fail(number):
    raise ZeroDivisionError(f"at {number}")


@pytest.mark.parametrize("jobs", [1, 2])
def test_pool_logs_the_traceback_of_a_task_that_fails(jobs, caplog):
    with WorkerPool(_fail, jobs, fallback="none") as pool:
        assert pool.submit(7).result() == "none"
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert "ZeroDivisionError: at 7" in caplog.text
    assert "in _fail" in caplog.text, "the traceback of the worker"


@pytest.mark.parametrize("jobs", [1, 2])
def test_pool_without_a_fallback_raises_what_a_task_raises(jobs):
    with WorkerPool(_fail, jobs) as pool, pytest.raises(ZeroDivisionError, match="at 7"):
        pool.submit(7).result()


@pytest.mark.parametrize("jobs", [1, 2])
def test_tasks_are_yielded_as_they_are_completed(jobs):
    with WorkerPool(abs, jobs) as pool:
        tasks = [pool.submit(-number) for number in range(9)]
        assert sorted(task.result() for task in pool.as_completed(tasks)) == list(range(9))


def test_blas_runs_single_threaded_and_then_as_before():
    np.ones((2, 2)) @ np.ones((2, 2))  # which loads a BLAS

    def threads():
        return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]

    before = threads()
    with single_threaded_blas():
        assert set(threads()) == {1}
    assert threads() == before


_FREED_ARRAYS = """
import contextlib, sys
import numpy as np, psutil
from lycosa.processes import tuned_for_growth

with tuned_for_growth() if sys.argv[1] == "tuned" else contextlib.nullcontext():
    np.ones(2**21)  # from now on glibc by itself puts arrays of up to 16 MB into the heap
    rows = [(np.ones(2**19), np.ones(2**13)) for _ in range(25)]
    before = psutil.Process().memory_info().rss
    kept = [small for _, small in rows]
    del rows
    print((before - psutil.Process().memory_info().rss) // 2**20)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs the allocator of glibc")
def test_tuned_for_growth_gives_freed_arrays_back_to_the_system():
    def freed(tuned):
        command = [sys.executable, "-c", _FREED_ARRAYS, "tuned" if tuned else ""]
        return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    assert freed(True) > 90  # of 100 MB
    assert freed(False) < 30


def test_tuned_for_growth_restores_the_garbage_collector():
    before = gc.get_threshold()
    with tuned_for_growth():
        assert gc.get_threshold() > before
    assert gc.get_threshold() == before
