"""Measurement of time and memory: each job runs in a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

import psutil


@dataclass(frozen=True)
class Measured:
    """The JSON object that a job printed, and its peak memory, children included."""

    result: dict[str, Any]
    megabytes: int


def run(module: str, *arguments: str, python: str = sys.executable) -> Measured:
    """Run `python -m module arguments` and sample its memory."""
    command = [python, "-m", module, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        pause = 0.05
        while not done.wait(pause):
            began = time.perf_counter()
            peak = max(peak, _memory(process.pid))
            # Sampling delays a large process, so it may take a fiftieth of the time.
            pause = max(0.05, 50 * (time.perf_counter() - began))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        printed, _ = process.communicate()
    finally:
        done.set()
        watcher.join()
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed with code {process.returncode}")
    return Measured(json.loads(printed), peak // 2**20)


def _memory(pid: int) -> int:
    """Return the private memory of a process and its descendants, plus shared parts once each."""
    total = 0
    try:
        root = psutil.Process(pid)
        for member in (root, *root.children(recursive=True)):
            try:
                total += member.memory_full_info().uss
            except psutil.Error:
                continue
    except psutil.Error:
        return 0
    return total
