"""The programs of PostgreSQL on this machine: found, and run by a user that PostgreSQL accepts.

They are looked for on PATH, where Debian keeps them, and in the `pgserver`
package, which carries PostgreSQL in a wheel. PostgreSQL refuses to run as
root; started by root, its programs run as an unprivileged user.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from lycosa.errors import LycosaError, UsageError

PROGRAMS = ("initdb", "pg_ctl", "postgres")
UNPRIVILEGED_USERS = ("postgres", "nobody")
"""Users that root runs PostgreSQL as, the first that exists."""

_DEBIAN = Path("/usr/lib/postgresql")
_OTHERS_MAY_ENTER = 0o001
_VERSION = re.compile(r"\) (\d+)")
_log = logging.getLogger("lycosa.cluster")


def find_binaries(version: str | None = None) -> Path:
    """Return the folder of PostgreSQL's programs, of one major version if one is given."""
    found = list(_folders())
    for folder in found:
        if version is None or version == _major(folder):
            return folder
    if found:
        raise UsageError(
            f"The data was written by PostgreSQL {version}, which is not on this machine: "
            f"install PostgreSQL {version}."
        )
    raise UsageError(
        "PostgreSQL was not found: install its server (Debian: apt install postgresql), or the "
        "one that comes as a Python package (pip install 'lycosa[cluster]')."
    )


def _folders() -> Iterator[Path]:
    """Yield the folders that have all programs."""
    places = [Path(place) for place in os.get_exec_path()]
    # Debian keeps the programs of its versions off PATH; the newest first.
    places += sorted(_DEBIAN.glob("*/bin"), key=_debian_version, reverse=True)
    if (package := importlib.util.find_spec("pgserver")) and package.origin:
        places.append(Path(package.origin).parent / "pginstall" / "bin")
    for place in places:
        # PostgreSQL finds its other files beside the real program, not beside a link to it.
        folders = {(place / name).resolve().parent for name in PROGRAMS}
        if len(folders) == 1:
            folder = folders.pop()
            if all(os.access(folder / name, os.X_OK) for name in PROGRAMS):
                yield folder


def _debian_version(folder: Path) -> int:
    return int(folder.parent.name) if folder.parent.name.isdigit() else 0


def _major(folder: Path) -> str:
    shown = subprocess.run(  # noqa: S603
        [folder / "postgres", "--version"], capture_output=True, text=True, check=True
    ).stdout
    found = _VERSION.search(shown)
    return found[1] if found else shown


class ServerUser:
    """The user that the programs of PostgreSQL run as: this one, or for root another.

    `folder` is where the server keeps its files. Everything that is given to the
    user by `own` lies in it.
    """

    def __init__(self, folder: Path) -> None:
        self.entry = _unprivileged() if os.geteuid() == 0 else None
        if self.entry is None:
            return
        for parent in (folder, *folder.parents):
            if parent.exists() and not parent.stat().st_mode & _OTHERS_MAY_ENTER:
                raise UsageError(
                    f"PostgreSQL does not run as root, and the user {self.entry.pw_name} cannot "
                    f"enter {parent}: choose a folder elsewhere (/srv, /var/lib), or allow it "
                    f"(chmod o+x {parent})."
                )

    def own(self, path: Path) -> None:
        """Give a file or folder to the user."""
        if self.entry is not None:
            os.chown(path, self.entry.pw_uid, self.entry.pw_gid)

    def reachable(self, binaries: Path, copies: Path) -> Path:
        """Return a folder of the programs that the user may run.

        Programs in a folder that others cannot enter, as a virtual environment
        below /root, are copied into `copies` with what belongs to them.
        """
        if self.entry is None or all(
            parent.stat().st_mode & _OTHERS_MAY_ENTER for parent in (binaries, *binaries.parents)
        ):
            return binaries
        installation = binaries.parent
        # Programs of a wheel find their libraries relative to themselves, beside the package.
        package = installation.parent
        copied = copies / package.name / installation.name
        if not copied.exists():
            part = copied.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(installation, part, symlinks=True)
            for libraries in package.parent.glob(f"{package.name}.libs"):
                shutil.copytree(libraries, copies / libraries.name, dirs_exist_ok=True)
            part.rename(copied)
        return copied / binaries.name

    def run(self, command: Sequence[str | Path], *, seconds: float = 120) -> str:
        """Run a program to its end and return what it printed; raise an error if it failed."""
        names = [str(part) for part in command]
        try:
            done = subprocess.run(  # noqa: S603
                names,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=seconds,
                check=True,
                cwd="/",  # the caller's folder may be closed to the user
                user=self.entry and self.entry.pw_uid,
                group=self.entry and self.entry.pw_gid,
                extra_groups=self.entry and [],
            )
        except subprocess.CalledProcessError as error:
            _log.debug("%s failed.", names[0], exc_info=True)
            raise LycosaError(_failure(names[0], error.stdout)) from error
        except subprocess.TimeoutExpired as error:
            _log.debug("%s took too long.", names[0], exc_info=True)
            raise LycosaError(_failure(names[0], f"not done after {seconds:.0f} s")) from error
        return done.stdout


def _unprivileged() -> pwd.struct_passwd:
    for name in UNPRIVILEGED_USERS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise UsageError(
        "PostgreSQL does not run as root, and there is no user to run it as: create one named "
        "postgres, or start the cluster as another user than root."
    )


def _failure(program: str, output: str) -> str:
    lines = output.strip().splitlines() or ["no message"]
    return f"{Path(program).name} failed: {' '.join(line.strip() for line in lines[-3:])}"
