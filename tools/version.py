"""The version of the package, by the newest tag: `python -m tools.version`.

At the tag `v1.2.3` it is 1.2.3, five commits later 1.2.4.dev5. A clone without tags, of
which only the newest commits may be there, has a development version of the first
release; an archive of the source without git has its number 0. In an sdist PKG-INFO says
what it was when that was made. `pyproject.toml` names this file, and the build runs it
outside the package: it imports only the standard library.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIRST_RELEASE = "0.1.0"
_DESCRIPTION = re.compile(r"v(\d+(?:\.\d+)*)-(\d+)-g[0-9a-f]+")


def version(root: Path = ROOT) -> str:
    """Return the version of the source in a folder."""
    recorded = root / "PKG-INFO"
    if recorded.is_file():
        found = re.search(r"^Version: (\S+)$", recorded.read_text(encoding="utf-8"), re.MULTILINE)
        if found:
            return found[1]
    if not (root / ".git").exists():  # nor is that of a folder above ours
        return f"{FIRST_RELEASE}.dev0"
    if described := _git(root, "describe", "--tags", "--long", "--match", "v[0-9]*"):
        return version_of(described)
    return f"{FIRST_RELEASE}.dev{_git(root, 'rev-list', '--count', 'HEAD') or 0}"


def version_of(description: str) -> str:
    """Return the version for what `git describe --long` says.

    >>> version_of("v1.2.3-0-g1a2b3c4"), version_of("v1.2.3-5-g1a2b3c4")
    ('1.2.3', '1.2.4.dev5')
    """
    found = _DESCRIPTION.fullmatch(description)
    if found is None:
        raise ValueError(f"The tag of {description} is not a version such as v1.2.3.")
    numbers, commits = [int(part) for part in found[1].split(".")], found[2]
    if commits != "0":
        numbers[-1] += 1
    text = ".".join(map(str, numbers))
    return text if commits == "0" else f"{text}.dev{commits}"


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - git, to read
            ["git", *arguments],  # noqa: S607
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""  # git is not installed
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    print(version())
