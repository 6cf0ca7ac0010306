"""Measuring: time and the memory of a whole family of processes, each job in a fresh one."""

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
    """What a job printed (a JSON object) and the most memory it took, with its children."""

    result: dict[str, Any]
    megabytes: int


def run(module: str, *arguments: str) -> Measured:
    """Run `python -m module arguments` and watch its memory."""
    command = [sys.executable, "-m", module, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        pause = 0.05
        while not done.wait(pause):
            began = time.perf_counter()
            peak = max(peak, _memory(process.pid))
            # Looking holds up a large process, so it may take a fiftieth of the time.
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
    """Memory of its own of a process and all below it; what they share counts once each."""
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
