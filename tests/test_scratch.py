"""Arrays in temporary files are as those in memory."""

import resource
import signal
from unittest.mock import patch

import numpy as np
import pytest

from lycosa import scratch
from lycosa.scratch import Scratch


def test_rows_stay_when_an_array_grows_and_when_its_pages_are_released(tmp_path):
    made = Scratch(tmp_path)
    column = made.array(np.int32, 2)
    size = 0
    with patch.object(scratch, "KEPT_BYTES", 0):
        for more in (3, 2000, 10_000):
            rows = column.reserve(size + more)
            rows[size : size + more] = np.arange(more)[:, None]
            size += more
            made.release()
        expected = np.concatenate([np.arange(3), np.arange(2000), np.arange(10_000)])
        assert (column.rows[:size] == expected[:, None]).all()
        assert not column.rows[size:].any()
        places = np.array([5, 2, 11_999])
        assert made.take(column.rows, places).tolist() == column.rows[places].tolist()
    assert list(tmp_path.iterdir()) == []


def test_an_array_that_is_stored_is_a_copy_in_a_file(tmp_path):
    with patch.object(scratch, "MIN_FILE_BYTES", 0):
        given = np.arange(9)
        found = Scratch(tmp_path).stored(given)
        assert found.tolist() == given.tolist()
        assert not np.shares_memory(found, given)
        assert Scratch().stored(given) is given


def test_a_full_disk_is_an_error(tmp_path):
    column = Scratch(tmp_path).array(np.int64)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
        with pytest.raises(OSError, match="File too large"):
            column.reserve(1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
