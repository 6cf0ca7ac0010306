"""Older versions of Lycosa: their sources, taken from the history, and workers that run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import gettempdir
from typing import Any, TypeAlias

ROOT = Path(__file__).parents[1]

Run: TypeAlias = Callable[[str], dict[str, Any]]
"""Runs one task of a worker."""


def source_at(commit: str) -> Path | None:
    """Return a folder with the sources of a commit below `src`; None without that history."""
    folder = Path(gettempdir()) / f"lycosa-{commit[:12]}"
    if (folder / "src" / "lycosa" / "__init__.py").is_file():
        return folder
    command = ["git", "-C", str(ROOT), "archive", commit, "src"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        print(f"Left out: commit {commit} is not in the history here.")
        return None
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


@contextmanager
def worker(source: Path, script: str, *arguments: str, **variables: str) -> Iterator[Run]:
    """Run a script of this folder with some sources; each line that it reads is a task.

    `variables` are added to the environment.
    """
    path = f"{source / 'src'}{os.pathsep}{ROOT}"
    environment = {**os.environ, "PYTHONPATH": path, **variables}
    command = [sys.executable, "-P", str(ROOT / "bench" / script), *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - pipes
        asked, answers = process.stdin, process.stdout

        def run(task: str) -> dict[str, Any]:
            print(task, file=asked, flush=True)
            line = answers.readline()
            if not line:
                sys.exit(f"{' '.join(command)} failed.")
            result: dict[str, Any] = json.loads(line)
            return result

        yield run
        asked.close()
