"""Measurement of time and memory: each job runs in a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from bench.memory_limit import limited


@dataclass(frozen=True)
class Measured:
    """The JSON object that a job printed, and its peak memory, children included.

    `anonymous` is the memory without pages of mapped files, which the system can give up.
    """

    result: dict[str, Any]
    megabytes: int
    anonymous: int = 0


def run(
    module: str, *arguments: str, python: str = sys.executable, limit: int | None = None
) -> Measured:
    """Run `python -m module arguments`, with at most `limit` megabytes; sample its memory."""
    with limited(limit) as within:
        return _run([*within, python, "-m", module, *arguments])


def _run(command: list[str]) -> Measured:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak = anonymous = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal peak, anonymous
        pause = 0.05
        while not done.wait(pause):
            began = time.perf_counter()
            now = _memory(process.pid)
            peak, anonymous = max(peak, now[0]), max(anonymous, now[1])
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
    return Measured(json.loads(printed), peak // 2**20, anonymous // 2**20)


def _memory(pid: int) -> tuple[int, int]:
    """Return the private memory of a process and its descendants, and what of it is anonymous."""
    total = anonymous = 0
    try:
        root = psutil.Process(pid)
        for member in (root, *root.children(recursive=True)):
            try:
                total += member.memory_full_info().uss
                anonymous += _anonymous(member.pid)
            except (psutil.Error, OSError):
                continue
    except psutil.Error:
        return 0, 0
    return total, anonymous


def _anonymous(pid: int) -> int:
    """Return the memory of a process that is not that of files; 0 where it is not told."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return 0
    found = [line.split() for line in status.read_text().splitlines() if "RssAnon" in line]
    return int(found[0][1]) * 1024 if found else 0
