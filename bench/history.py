"""Older versions of Lycosa: their sources, taken from the history of the repository."""

from __future__ import annotations

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import gettempdir

ROOT = Path(__file__).parents[1]


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
