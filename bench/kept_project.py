"""The project that is kept in benches: its sites, its settings and its disk."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from lycosa.project import Project

HOSTS = 10
DELAY = 0.5
"""Seconds between two requests to a host."""
DISK_BYTES = 400 << 20


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """Mount a small disk in memory; None where that is not allowed."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "lycosa-bench", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"No small disk: {error}", file=sys.stderr)
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def sites(day_seconds: float, log: Path) -> Iterator[tuple[int, float]]:
    """Serve the sites; yield their port and the time at which the first day begins."""
    command = [sys.executable, "-m", "bench.changing_sites", str(HOSTS), str(day_seconds), str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        try:
            port, begun = json.loads(process.stdout.readline())
            yield port, begun
        finally:
            process.kill()


def project(folder: Path, port: int) -> None:
    """Write the project whose portal is kept."""
    seeds = [f"http://127.0.0.{host + 2}:{port}/" for host in range(HOSTS)]
    made = Project.of_urls(folder, seeds, "url:paper OR url:moved", contact="you@example.org")
    job = made.job
    job = replace(
        job,
        addresses=replace(job.addresses, allow_loopback=True),
        pace=replace(job.pace, delay=DELAY, back_off=0.5, max_back_off=20.0, quarantine=20.0),
        limits=replace(job.limits, read=10.0, total=20.0),
    )
    storage = replace(made.storage, volume=2 << 20, compact_at=4 << 20)
    replace(made, job=job, storage=storage).write()
