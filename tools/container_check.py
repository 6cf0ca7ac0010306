"""Check of the container file without a container engine: `make container-check`.

The file is linted, by hadolint if it is installed. Then, as root on Linux, its steps are run in
a copy-on-write view of this machine with a fresh Python: COPY and RUN as they are written, the
entry point as the container's user on a read-only root, without capabilities and without a
network, for a project whose site is generated; until the health check passes.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).parents[1]
FILE = REPOSITORY / "deploy" / "Containerfile"
IGNORE_FILE = REPOSITORY / ".containerignore"
PYTHON = "/opt/container-python"
"""Where the Python of the base image is in the view."""
SITE_PORT = 8765
MAX_HEALTH_SECONDS = 300
MAX_STOP_SECONDS = 60
TOO_EARLY = 3
"""Seconds that the entry point has at least before it is asked to stop."""

Environment = Mapping[str, str]


class Instruction(NamedTuple):
    """One instruction of a container file, its continued lines joined."""

    name: str
    argument: str
    line: int


class Failure(Exception):
    """A step of the container file does not do what it should."""


def instructions(text: str) -> list[Instruction]:
    r"""Return the instructions of a container file.

    >>> instructions("# a comment\nRUN a \\\n && b\n")
    [Instruction(name='RUN', argument='a && b', line=2)]
    """
    found: list[Instruction] = []
    continued = False
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if not words or words.startswith("#"):
            continue
        if continued:
            last = found[-1]
            found[-1] = last._replace(argument=f"{last.argument} {words.rstrip(chr(92)).strip()}")
        else:
            name, _, argument = words.rstrip("\\").strip().partition(" ")
            found.append(Instruction(name.upper(), argument.strip(), number))
        continued = words.endswith("\\")
    return found


def problems(steps: Sequence[Instruction], root: Path = REPOSITORY) -> Iterator[str]:
    """Yield what a container file lacks to run safely; `root` is the build context."""
    last = {step.name: step for step in steps}
    for name in ("FROM", "USER", "HEALTHCHECK", "ENTRYPOINT"):
        if name not in last:
            yield f"there is no {name}"
    for step in steps:
        if step.name == "FROM" and not re.search(r"[:@](?!latest)\S+", step.argument):
            yield f"line {step.line}: the base image has no tag"
        if step.name == "COPY":
            for source in step.argument.split()[:-1]:
                if not source.startswith("--") and not (root / source).exists():
                    yield f"line {step.line}: there is no {source} to copy"
        if step.name in ("ENTRYPOINT", "CMD", "HEALTHCHECK") and _exec_form(step.argument) is None:
            yield f"line {step.line}: {step.name} is run by a shell, which takes the signals"
    if "USER" in last and last["USER"].argument in ("root", "0"):
        yield f"line {last['USER'].line}: the container runs as root"


def _exec_form(argument: str) -> list[str] | None:
    """Return the words of an instruction that is written as a list, or None."""
    found = re.search(r"\[.*\]$", argument)
    try:
        words = json.loads(found[0]) if found else None
    except ValueError:
        return None
    return words if isinstance(words, list) else None


def is_ignored(path: str, rules: Sequence[str]) -> bool:
    """Return whether an ignore file leaves a path out: the last rule that names it decides.

    >>> [is_ignored(path, ["*", "!src"]) for path in ("src/a.py", "docs/a.md")]
    [False, True]
    """
    ignored = False
    for rule in rules:
        name = rule.removeprefix("!").rstrip("/")
        if name in ("*", path) or path.startswith(f"{name}/"):
            ignored = not rule.startswith("!")
    return ignored


class View:
    """A copy-on-write view of this machine at `root`, in which the steps are run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = {
            **{name: value for name, value in os.environ.items() if name.startswith("PIP_")},
            "PATH": f"{PYTHON}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LYCOSA_PURE": "1",  # the base image has no compiler, which this machine may have
            "LANG": "C.UTF-8",
        }

    def run(self, *command: str, user: str | None = None, check: bool = True) -> int:
        """Run a command in the view; return its exit code."""
        done = self.start(*command, user=user).wait()
        if check and done:
            raise Failure(f"{shlex.join(command)} ended with {done}")
        return done

    def start(self, *command: str, user: str | None = None) -> subprocess.Popen[bytes]:
        """Start a command in the view: as root, or as a user without any capability."""
        environment = dict(self.environment)
        prefix = ["chroot", str(self.root)]
        if user:
            environment["HOME"] = "/tmp"  # noqa: S108 - all that the user can write to
            prefix += ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups",
                       "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]  # fmt: skip
        return subprocess.Popen([*prefix, *command], env=environment)  # noqa: S603

    def copy(self, argument: str) -> None:
        """Copy files of the repository, without those that the ignore file names."""
        *sources, target = (word for word in argument.split() if not word.startswith("--"))
        rules = [line for line in _lines(IGNORE_FILE) if line and not line.startswith("#")]
        place = self.root / target.lstrip("/")
        listed = subprocess.run(  # noqa: S603 - git, to read
            ["git", "ls-files", "-z", *sources],  # noqa: S607
            cwd=REPOSITORY, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        for name in filter(None, listed.split("\0")):
            if not is_ignored(name, rules) and (REPOSITORY / name).is_file():
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(REPOSITORY / name, place / name)

    def make_read_only(self, project: Path) -> None:
        """Make everything read-only but /tmp and /project, as `--read-only` does."""
        for name in ("tmp", "project"):
            (self.root / name).mkdir(exist_ok=True)
        _mount("-o", "remount,ro", str(self.root))
        _mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", str(self.root / "tmp"))
        _mount("--bind", str(project), str(self.root / "project"))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)  # noqa: S603, S607


@contextmanager
def view_of_this_machine() -> Iterator[View]:
    """Mount a view of this machine; what is written to it is in memory and lost at the end."""
    with tempfile.TemporaryDirectory() as name:
        _mount("-t", "tmpfs", "tmpfs", name)
        upper, work, root = (Path(name) / part for part in ("upper", "work", "root"))
        for folder in (upper, work, root):
            folder.mkdir()
        upper.chmod(0o755)
        _mount("-t", "overlay", "overlay", str(root),
               "-o", f"lowerdir=/,upperdir={upper},workdir={work}")  # fmt: skip
        _mount("--rbind", "/dev", str(root / "dev"))
        _mount("-t", "proc", "proc", str(root / "proc"))
        if Path("/etc/resolv.conf").is_file():
            shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
        try:
            yield View(root)
        finally:
            subprocess.run(["umount", "--lazy", "--recursive", name], check=False)  # noqa: S603, S607


def _install_python(view: View) -> None:
    """Put a fresh Python, of the version that runs this, where the base image has its own."""
    view.run(os.path.realpath(sys.executable), "-m", "venv", PYTHON)
    # The container's user must be able to enter the folders above it.
    for folder in Path(os.path.realpath(sys.executable)).parents:
        place = view.root / str(folder).lstrip("/")
        place.chmod(place.stat().st_mode | 0o555)


def _enter_own_network() -> None:
    """Leave the network of this machine for one that has only the loopback interface."""
    new_network = 0x40000000  # os.unshare is there only since Python 3.12
    if ctypes.CDLL(None, use_errno=True).unshare(new_network):
        raise Failure(f"no network of our own: {os.strerror(ctypes.get_errno())}")
    up_and_running = 0x1 | 0x40
    with socket.socket() as one:
        fcntl.ioctl(one, 0x8914, struct.pack("16sH14s", b"lo", up_and_running, b""))


def run_steps(steps: Sequence[Instruction]) -> None:
    """Run the steps of a container file, and its entry point until it is healthy."""
    last = {step.name: step for step in steps}
    with view_of_this_machine() as view, tempfile.TemporaryDirectory() as project:
        run_step: dict[str, Callable[[str], object]] = {
            "FROM": lambda _: _install_python(view),
            "COPY": view.copy,
            "RUN": lambda command: view.run("sh", "-c", command),
        }
        for step in steps:
            started = time.monotonic()
            if step.name in run_step:
                run_step[step.name](step.argument)
                print(f"{step.name} {step.argument[:60]}: {time.monotonic() - started:.0f} s")
        user = last["USER"].argument
        view.make_read_only(Path(project))
        view.run("chown", user, "/project")
        _enter_own_network()
        if view.run("touch", "/etc/written", user=user, check=False) == 0:
            raise Failure("the root is not read-only")
        _keep_a_project(view, user, last)


def _keep_a_project(view: View, user: str, last: Mapping[str, Instruction]) -> None:
    entry = _exec_form(last["ENTRYPOINT"].argument) or []
    health = _exec_form(last["HEALTHCHECK"].argument) or []
    site = view.start("lycosa", "generate", "--serve", "--quiet", "--sites", "1",
                      "--pages", "100", "--port", str(SITE_PORT), user=user)  # fmt: skip
    address = f"http://127.0.0.1:{SITE_PORT}"
    keeper = None
    try:
        view.run("sh", "-c", _PROJECT.format(address=address), user=user)
        keeper = view.start(*entry, user=user)
        started = time.monotonic()
        while view.run(*health, user=user, check=False):
            if keeper.poll() is not None:
                raise Failure(f"the entry point ended with {keeper.returncode}")
            if time.monotonic() - started > MAX_HEALTH_SECONDS:
                raise Failure("the health check never passed")
            time.sleep(1)
        print(f"HEALTHCHECK passes after {time.monotonic() - started:.0f} s")
        if Path(f"/proc/{keeper.pid}").stat().st_uid == 0:
            raise Failure("the entry point runs as root")
        time.sleep(TOO_EARLY)
        stop = last["STOPSIGNAL"].argument if "STOPSIGNAL" in last else "SIGTERM"
        keeper.send_signal(signal.Signals[stop])
        print(f"{stop}: the entry point ended with {keeper.wait(MAX_STOP_SECONDS)}")
    finally:
        for process in filter(None, (keeper, site)):
            process.kill()
            process.wait()


_PROJECT = """
cd /tmp && lycosa new made --template papers --url {address}/ --contact you@example.org >/dev/null
sed -e 's/^# *loopback *=.*/loopback = true/' -e 's/^loopback *=.*/loopback = true/' \\
    -e 's/^#* *delay *=.*/delay = 0/' -e 's/^#* *pages *=.*/pages = 60/' \\
    made/lycosa.toml >/project/lycosa.toml
"""


def lint(steps: Sequence[Instruction]) -> None:
    """Raise `Failure` if the container file has a problem."""
    if found := list(problems(steps)):
        raise Failure("; ".join(found))
    hadolint = shutil.which("hadolint", path=f"{REPOSITORY}/.venv-package/bin:{os.environ['PATH']}")
    if hadolint is None:
        print("hadolint is not installed: only our own rules were checked.")
    elif subprocess.run([hadolint, str(FILE)], check=False).returncode:  # noqa: S603
        raise Failure("hadolint found problems")
    else:
        print("hadolint finds nothing.")


def main(arguments: Sequence[str]) -> None:
    """Lint the container file and run its steps."""
    steps = instructions(FILE.read_text(encoding="utf-8"))
    if "--inside" in arguments:
        run_steps(steps)
        return
    lint(steps)
    if os.geteuid() or shutil.which("unshare") is None:
        print("The steps are run only by root on Linux: they were linted, not run.")
        return
    # A namespace of its own for mounts and processes: nothing of it survives.
    inside = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
              sys.executable, "-m", "tools.container_check", "--inside"]  # fmt: skip
    if subprocess.run(inside, cwd=REPOSITORY, check=False).returncode:  # noqa: S603
        raise Failure("a step of the container file failed")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Failure as failure:
        sys.exit(f"{FILE.name}: {failure}")
