"""Builds in separate processes, to be killed."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
import time
from pathlib import Path

from lycosa.portal.build import BuildProgress, build_portal
from lycosa.portal.search.index import Index
from lycosa.project import Project

FRESH = multiprocessing.get_context("forkserver")
FRESH.set_forkserver_preload(["tests.portal.build.killed", "lycosa.portal.build.reading"])


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Counting(BuildProgress):
    """Counts the events of a build, by stage."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def begin(self, stage, total=None):
        self.events.append(stage)

    def advance(self, parts=1):
        self.events.append("")


class Killing(Counting):
    """Ends the process at one of the events."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self._at = at

    def begin(self, stage, total=None):
        super().begin(stage, total)
        self._look()

    def advance(self, parts=1):
        super().advance(parts)
        self._look()

    def _look(self) -> None:
        if len(self.events) == self._at:
            die()


def at_event(folder: Path, at: int) -> None:
    build_portal(Project.load(folder), progress=Killing(at))


def around_the_commit_of_the_index(folder: Path, when: str) -> None:
    commit = Index.commit

    def killing(index):
        if when == "before":
            die()
        commit(index)
        die()

    Index.commit = killing
    build_portal(Project.load(folder))


def after_a_while(folder: Path, seed: int, cpu_seconds: float) -> None:
    """Kill a build at a random moment of the CPU time that an undisturbed one takes.

    CPU time, because elapsed time depends on the machine and on what else runs there.
    """
    due = time.process_time() + random.Random(seed).uniform(0.02, 0.8) * cpu_seconds

    def soon() -> None:
        while time.process_time() < due:
            time.sleep(0.001)
        die()

    threading.Thread(target=soon, daemon=True).start()
    build_portal(Project.load(folder))


def run(what, *arguments) -> int:
    """Run a build in a process; return its exit code."""
    process = FRESH.Process(target=what, args=arguments)
    process.start()
    process.join(200)
    assert process.exitcode is not None
    return process.exitcode
