"""A wheel or sdist, installed in an environment of its own and used: `make package`.

`python -m tools.installed_package FILE` installs the file with what it needs, and runs a small
demo with the installed command, from a folder without the source. `--brief` leaves out the demo.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

COMMANDS = (
    "--version",
    "--help",
    "new papers --url https://cs.example.org/ --contact a@example.org",
    "generate web --sites 1 --pages 100",
)
"""What the installed command must be able to do."""
DEMO = "demo demo --check"
"""It does everything."""


def check(package: Path, *, brief: bool = False) -> None:
    """Install a package and run its command; raise `CalledProcessError` if something fails."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = folder / "environment"
        _run(folder, sys.executable, "-m", "venv", str(environment))
        python = str(environment / "bin" / "python")
        # Most modules are never imported, and to compile one takes longer than to copy it.
        install = (python, "-m", "pip", "install", "--quiet", "--no-compile")
        _run(folder, *install, str(package.resolve()))
        for command in (*COMMANDS, *([] if brief else [DEMO])):
            _run(folder, str(environment / "bin" / "lycosa"), *command.split())
    print(f"{package.name}: installed and used")


def _run(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, check=True)  # noqa: S603 - commands of this module


if __name__ == "__main__":
    files = [argument for argument in sys.argv[1:] if argument != "--brief"]
    for file in files:
        check(Path(file), brief="--brief" in sys.argv)
