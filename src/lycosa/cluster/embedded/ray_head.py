"""A private Ray on this machine: head and workers on the loopback interface, behind a token.

It runs until it is stopped, not only as long as the program that started it.
Nothing outside this machine can reach it, and other users of the machine need
its token, which lies in a file that only its owner can read: whoever can talk
to a Ray can run programs as its user.

    ray = EmbeddedRay(Path("cluster/ray"))
    ray.start()
    ray.connect()  # this program may now use Ray
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final, Self

from lycosa.errors import LycosaError, UsageError
from lycosa.files import replace_file

START_SECONDS: Final = 60
STOP_SECONDS: Final = 3
"""How long Ray may take to end by itself before it is killed."""
OBJECT_STORE_BYTES: Final = 200_000_000
"""What passes between tasks is a list of keys; pages and documents go through files."""

HEALTH_CHECKS: Final = {
    # A dead node is noticed after 3 failures, 0.5 s apart, instead of after 5, 3 s apart.
    "RAY_health_check_initial_delay_ms": "500",
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_timeout_ms": "1000",
    "RAY_health_check_failure_threshold": "3",
}
"""Settings by which an actor is back about 2 s after its node died, not 16 s."""

_log = logging.getLogger("lycosa.cluster")


class EmbeddedRay:
    """A private Ray on this machine.

    Parameters
    ----------
    folder
        Where its token, log and process id are kept. Sockets lie in a folder below the
        system's temporary one, because their paths have at most 107 bytes.
    cpus
        How many tasks may run at a time; without it, as many as the machine has cores.
    """

    def __init__(self, folder: Path, *, cpus: int | None = None) -> None:
        self.folder = folder.absolute()
        self._cpus = cpus
        self._state_file = self.folder / "head.json"
        self._token = self.folder / "token"
        self._head: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """The address of the head."""
        state = self._state()
        if state is None:
            raise UsageError(
                f"There is no Ray in {self.folder}: start one with `lycosa cluster up`."
            )
        return str(state["address"])

    @property
    def log(self) -> Path:
        """The file that the head logs to."""
        return self.folder / "head.log"

    def environment(self) -> dict[str, str]:
        """Return the variables that a program needs before it imports `ray`."""
        return {
            **HEALTH_CHECKS,
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": str(self._token),
            "RAY_USAGE_STATS_ENABLED": "0",
            # Without this Ray replaces the loopback address by one that others can reach.
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
            # By default workers are nicer than everything else on the machine, and on a busy
            # one they would not even renew their leases in time.
            "RAY_worker_niceness": "0",
        }

    def start(self) -> None:
        """Start Ray unless it runs."""
        if self.is_running():
            return
        self.stop()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._write_token()
        sockets = Path(tempfile.mkdtemp(prefix="lycosa-ray-"))
        command = [
            *(sys.executable, "-c", "from ray.scripts.scripts import main; main()"),
            *("start", "--head", "--block", "--node-ip-address=127.0.0.1", "--port=0"),
            *("--include-dashboard=false", "--disable-usage-stats", f"--temp-dir={sockets}"),
            f"--object-store-memory={OBJECT_STORE_BYTES}",
        ]
        if self._cpus is not None:
            command.append(f"--num-cpus={self._cpus}")
        with self.log.open("w") as log:
            head = self._head = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | self.environment(),
                start_new_session=True,
                cwd="/",
            )
        state = {"process": head.pid, "sockets": str(sockets), "address": ""}
        self._write_state(state)
        try:
            state["address"] = self._wait_for_address(head, sockets)
        except BaseException:
            self.stop()
            raise
        self._write_state(state)

    def connect(self, namespace: str = "lycosa") -> None:
        """Connect this program to Ray; before that it must not have imported `ray`."""
        os.environ.update(self.environment())
        import ray

        ray.init(
            address=self.address,
            namespace=namespace,
            logging_level=logging.ERROR,
            log_to_driver=False,
        )

    def stop(self) -> None:
        """End every process of this Ray, and of no other."""
        state = self._state()
        if state is None:
            return
        if self._is_ours(state):
            _end_group(int(state["process"]))
        if self._head is not None:
            self._head.wait()  # a child stays in the table of processes until then
        shutil.rmtree(str(state["sockets"]), ignore_errors=True)
        self._state_file.unlink(missing_ok=True)

    def is_running(self) -> bool:
        """Return whether the head runs."""
        state = self._state()
        return state is not None and bool(state["address"]) and self._is_ours(state)

    def _wait_for_address(self, head: subprocess.Popen[bytes], sockets: Path) -> str:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            started = "Ray runtime started" in self.log.read_text(errors="replace")
            # Ray may write its address after that line.
            if started and (address := _content(sockets / "ray_current_cluster")):
                return address
            if head.poll() is not None:
                break
            time.sleep(0.05)
        last = self.log.read_text(errors="replace").strip().splitlines()[-1:]
        raise LycosaError(f"Ray did not start: {' '.join(last)} Its log is {self.log}.")

    def _write_token(self) -> None:
        if not self._token.exists():
            with replace_file(self._token) as part:
                part.touch(mode=0o600)
                part.write_text(secrets.token_hex(32))

    def _state(self) -> dict[str, Any] | None:
        try:
            state: dict[str, Any] = json.loads(self._state_file.read_text())
        except FileNotFoundError:
            return None
        return state

    def _write_state(self, state: dict[str, Any]) -> None:
        with replace_file(self._state_file) as part:
            part.write_text(json.dumps(state))

    def _is_ours(self, state: dict[str, Any]) -> bool:
        """Return whether the process still is the one that was started here.

        The name of its folder of sockets is in its arguments; a process id alone
        may belong to another program by now.
        """
        try:
            arguments = Path(f"/proc/{state['process']}/cmdline").read_bytes()
        except OSError:
            return False
        return str(state["sockets"]).encode() in arguments

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _content(path: Path) -> str:
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        return ""


def _end_group(leader: int) -> None:
    """Ask all processes of a group to end, and kill those that do not."""
    deadline = time.monotonic() + STOP_SECONDS
    try:
        os.killpg(leader, signal.SIGTERM)
        while _is_alive(leader) and time.monotonic() < deadline:
            time.sleep(0.05)
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _is_alive(process: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
