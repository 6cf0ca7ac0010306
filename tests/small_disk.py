"""A disk that is soon full: a small file system in memory, which only root can make."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """Make a folder that is a disk of this size, such as `600k`; skip the test if that fails."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "lycosa-test", str(folder)]
    mount = shutil.which("mount") and subprocess.run(command, capture_output=True, check=False)
    if not mount or mount.returncode:
        pytest.skip("a small file system can only be made by root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
