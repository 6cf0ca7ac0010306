"""A small core of the tests on another version of Python: `make test-other-python`.

The versions that `pyproject.toml` lists are looked for on the PATH and among those of
pyenv. The newest one that is not ours gets an environment with what users get, at the
versions of the lock file, the wheel without compiled modules, and what tests need.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENVIRONMENT = ROOT / ".venv-other"
CORE = (
    "tests/web",
    "tests/archive",
    "tests/goals",
    "tests/search",
    "tests/cli/test_main.py",
    "tests/cli/test_terminal.py",
    "tests/portal/test_catalogue.py",
)
"""The tests: parsing, archives, goals, multiple-goal search, the command line, a portal."""
TEST_PACKAGES = (
    *("attrs", "hypothesis", "iniconfig", "packaging", "pluggy", "pygments", "pytest"),
    *("pytest-timeout", "six", "sortedcontainers", "warcio"),
)


def tested_versions() -> list[str]:
    """Return the versions of Python that the package claims to support, the newest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = re.findall(r":: Python :: (3\.\d+)\b", "\n".join(project["classifiers"]))
    return sorted(found, key=lambda text: int(text.partition(".")[2]), reverse=True)


def interpreters(version: str) -> Iterator[str]:
    """Yield the interpreters of a version that may be there."""
    if found := shutil.which(f"python{version}"):
        yield found
    for folder in sorted(Path.home().glob(f".pyenv/versions/{version}.*"), reverse=True):
        yield str(folder / "bin" / "python")


def works(interpreter: str, version: str) -> bool:
    """Return whether an interpreter starts, and is of that version."""
    code = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run(  # noqa: S603 - an interpreter of this machine
            [interpreter, "-c", code], capture_output=True, text=True, check=False
        )
    except OSError:
        return False
    return done.stdout.strip() == version


def find_other() -> tuple[str, str] | None:
    """Return the newest other version, and its interpreter; None if there is none."""
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    for version in tested_versions():
        for interpreter in interpreters(version):
            if version != own and works(interpreter, version):
                return version, interpreter
    return None


def pinned(names: tuple[str, ...]) -> list[str]:
    """Return the packages at the versions of the lock file; those that it lacks are left out."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found = (re.search(rf"^{re.escape(name)}==([\w.]+)", lock, re.MULTILINE) for name in names)
    return [each[0] for each in found if each]


def main(wheel: str) -> None:
    """Run the core with an installed wheel, or say that there is no other version."""
    found = find_other()
    if found is None:
        print(f"No other Python than ours of {', '.join(tested_versions())}: nothing is tested.")
        return
    version, interpreter = found
    python = str(ENVIRONMENT / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in (
        [interpreter, "-m", "venv", str(ENVIRONMENT)],
        [*install, "--requirement", "requirements-run.lock"],
        [*install, "--no-deps", *pinned(TEST_PACKAGES)],
        [*install, "--no-deps", "--force-reinstall", wheel],
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *CORE],
    ):  # fmt: skip
        subprocess.run(command, cwd=ROOT, check=True)  # noqa: S603 - commands of this module
    print(f"Python {version}: the core of the tests passes.")


if __name__ == "__main__":
    main(sys.argv[1])
