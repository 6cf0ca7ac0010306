"""A build has idle priority while the portal is served."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from lycosa.portal.priority import is_served, lower_priority, serving

SERVES = """
import sys, time
from pathlib import Path
from lycosa.portal.priority import serving
with serving(Path(sys.argv[1])):
    print("now", flush=True)
    time.sleep(60)
"""


def test_a_portal_is_served_until_the_last_server_ends(tmp_path):
    with serving(tmp_path):
        with serving(tmp_path):
            assert is_served(tmp_path)
        assert is_served(tmp_path)
    assert not is_served(tmp_path)


def test_a_killed_server_releases_its_lock(tmp_path):
    command = [sys.executable, "-c", SERVES, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout.readline() == "now\n"
        assert is_served(tmp_path)
        server.kill()
        server.wait()
    assert not is_served(tmp_path)


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="the scheduler has no such class here")
def test_children_of_a_build_inherit_idle_priority_while_the_portal_is_served(tmp_path):
    def schedulers() -> tuple[int, int]:
        code = "import os; print(os.sched_getscheduler(0))"
        child = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        return os.sched_getscheduler(0), int(child.stdout)

    usual = schedulers()
    with lower_priority(tmp_path):
        assert schedulers() == usual
    with serving(tmp_path), lower_priority(tmp_path):
        assert schedulers() == (os.SCHED_IDLE, os.SCHED_IDLE)
    assert schedulers() == usual


STARVES = """
import os, sys, threading
from pathlib import Path
from lycosa.portal import priority
priority.WATCH_SECONDS = 0.05
priority.STARVED_SECONDS = float(sys.argv[2])
priority.STARVED_RATIO = 0.0
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
busy = os.fork()
if not busy:
    while True:
        pass
try:
    with priority.serving(Path(sys.argv[1])), priority.lower_priority(Path(sys.argv[1])):
        for _ in range(10_000_000):
            if os.sched_getscheduler(0) == os.SCHED_OTHER:
                break
        print(os.sched_getscheduler(0) == os.SCHED_OTHER, os.getpriority(os.PRIO_PROCESS, 0))
finally:
    os.kill(busy, 9)
    os.wait()
"""


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="the scheduler has no such class here")
def test_a_build_that_gets_no_idle_time_is_not_idle_any_more(tmp_path):
    command = [sys.executable, "-c", STARVES, str(tmp_path), "0.2"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["True", "10"]
