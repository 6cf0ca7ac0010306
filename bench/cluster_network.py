"""Networks between workers and servers that can be cut: a relay, and a network namespace."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

DATABASE_NET, WEB_NET = "100.126", "100.127"
"""The first halves of addresses of networks within a carrier (RFC 6598): a proxy may have one."""


class Relay:
    """Forwards connections to a server, until it is cut: then nothing arrives any more.

    `host` and `port` are those of the server, `listen` is the address of the relay.
    """

    def __init__(self, host: str, port: int, listen: str = "127.0.0.1") -> None:
        self._target = host, port
        self._listener = socket.create_server((listen, 0))
        self.port = self._listener.getsockname()[1]
        self.is_cut = False
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        """Accept no more connections."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts them
        self._listener.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                try:
                    server = socket.create_connection(self._target)
                except OSError:  # PostgreSQL is restarted
                    client.close()
                    continue
                ends = client, server
                threading.Thread(target=self._forward, args=ends, daemon=True).start()

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        """Copy in both directions until both have ended."""
        with client, server:
            back = threading.Thread(target=self._copy, args=(server, client), daemon=True)
            back.start()
            self._copy(client, server)
            back.join()

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                while self.is_cut:
                    time.sleep(0.02)
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@dataclass(frozen=True)
class Namespace:
    """A network namespace with two links to this machine, one for PostgreSQL and one for the web.

    Each link is a pair of virtual devices. A process in the namespace has no other network.
    """

    name: str
    database_host: str
    """The address of this machine at the link for PostgreSQL."""
    web_host: str
    """The address of this machine at the link for the web."""

    @property
    def prefix(self) -> tuple[str, ...]:
        """The beginning of a command that runs a program in the namespace."""
        # Not `ip netns exec`, which would hide the disks that are mounted later.
        return "nsenter", f"--net=/run/netns/{self.name}"

    def cut(self) -> None:
        """Take the link to PostgreSQL down."""
        _ip("link", "set", _device(self.name, 0), "down")

    def join(self) -> None:
        """Take the link to PostgreSQL up again."""
        _ip("link", "set", _device(self.name, 0), "up")


@contextmanager
def network_namespace() -> Iterator[Namespace]:
    """Make a network namespace; raises an `OSError` where that is not possible.

    Names and addresses are made of the process id, so that several processes can have one each.
    """
    number = os.getpid() % (1 << 14)
    name, place = f"lycosa-{number}", f"{number // 64}.{number % 64 * 4 + 1}"
    found = Namespace(name, f"{DATABASE_NET}.{place}", f"{WEB_NET}.{place}")
    for program in ("ip", "nsenter"):
        if shutil.which(program) is None:
            raise OSError(f"There is no program `{program}`.")
    try:
        _ip("netns", "add", name)
        for link, host in enumerate((found.database_host, found.web_host)):
            here, there = _device(name, link), f"there{link}"
            other = host.rpartition(".")[0] + f".{number % 64 * 4 + 2}"
            _ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
            _ip("address", "add", f"{host}/30", "dev", here)
            _ip("link", "set", here, "up")
            _ip("-n", name, "address", "add", f"{other}/30", "dev", there)
            _ip("-n", name, "link", "set", there, "up")
        yield found
    finally:
        with suppress(OSError):
            _ip("netns", "delete", name)  # and its devices


def _device(name: str, link: int) -> str:
    return f"ly{name.rpartition('-')[2]}-{link}"


def _ip(*arguments: str) -> None:
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"ip {' '.join(arguments)}: {done.stderr.strip()}")
