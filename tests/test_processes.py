"""Work spread over processes."""

import os
import signal

import pytest
from threadpoolctl import threadpool_info

from lycosa.errors import LycosaError
from lycosa.processes import spread, undivided


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order_and_all_of_them(jobs):
    assert list(spread(abs, range(-50, 50), jobs)) == [abs(n) for n in range(-50, 50)]


def test_parts_are_taken_only_a_few_ahead():
    taken = []

    def parts():
        for n in range(1000):
            taken.append(n)
            yield n

    found = spread(abs, parts(), 2)
    next(found)
    assert len(taken) < 100
    found.close()


def test_a_process_that_is_killed_is_told_in_one_sentence():
    with pytest.raises(LycosaError, match="--jobs 1"):
        list(spread(_die, range(3), 2))


def _die(_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_products_of_matrices_are_made_by_one_thread_and_then_by_as_many_as_before():
    def threads():
        return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]

    before = threads()
    with undivided():
        assert set(threads()) == {1}
    assert threads() == before
