"""The private Ray: on loopback, behind a token, and gone when it is stopped."""

import os
import stat
import subprocess
import sys

import psutil
import pytest

from lycosa.cluster.embedded.ray_head import EmbeddedRay
from lycosa.errors import UsageError

# In a process of its own: a program has one Ray, and tests share theirs.
PROGRAM = """
import os, sys
from pathlib import Path
from lycosa.cluster.embedded.ray_head import EmbeddedRay

EmbeddedRay(Path(sys.argv[1])).connect()
import ray

@ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)
class Worker:
    def process(self):
        return os.getpid()

worker = Worker.remote()
first = ray.get(worker.process.remote())
os.kill(first, 9)
print("restarted", ray.get(worker.process.remote()) != first)
"""


def test_it_is_reached_on_loopback_with_its_token_and_ends_whole(tmp_path):
    pytest.importorskip("ray", reason="ray is not installed: pip install lycosa[cluster]")
    head = EmbeddedRay(tmp_path, cpus=1)
    with pytest.raises(UsageError, match="lycosa cluster up"):
        _ = head.address
    head.start()
    try:
        assert EmbeddedRay(tmp_path).is_running()
        assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM, tmp_path],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert "restarted True" in run.stdout, run.stderr
        leader = head._state()["process"]
        processes = [p for p in psutil.process_iter() if _group(p.pid) == leader]
        assert len(processes) >= 3
        listening = {
            connection.laddr.ip
            for process in processes
            for connection in process.net_connections("tcp")
            if connection.status == psutil.CONN_LISTEN
        }
        assert listening <= {"127.0.0.1", "::ffff:127.0.0.1", "::1"}
    finally:
        head.stop()
    assert not head.is_running()
    assert psutil.wait_procs(processes, timeout=30)[1] == []


def _group(process):
    try:
        return os.getpgid(process)
    except ProcessLookupError:
        return None


def test_the_state_of_another_process_is_not_stopped(tmp_path):
    (tmp_path / "head.json").write_text(
        f'{{"process": {os.getpid()}, "sockets": "{tmp_path}/none", "address": "127.0.0.1:1"}}'
    )
    head = EmbeddedRay(tmp_path)
    assert not head.is_running()
    head.stop()  # would end this process
    assert not (tmp_path / "head.json").exists()
