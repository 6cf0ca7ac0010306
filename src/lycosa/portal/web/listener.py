"""The socket that a portal listens on: bound here, or inherited.

A service manager that holds the socket itself (socket activation: systemd's protocol with
LISTEN_PID and LISTEN_FDS) keeps the connections of readers while the server is started
again; so does `lycosa keep`, which gives its socket to the server in the same way. If the
keeper, or the supervisor of the server processes, is killed, those that serve go on for
`LINGER_SECONDS`: by then others serve on the same socket.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import signal
import socket
import threading
from collections.abc import Mapping
from typing import Final

from lycosa.errors import UsageError

FIRST_DESCRIPTOR: Final = 3
"""The descriptor of the inherited socket, by the protocol."""

LINGER_SECONDS: Final = 45.0
"""How long a server on an inherited socket goes on after what has started it was killed."""

_log = logging.getLogger("lycosa.portal")


def open_listener(host: str, port: int) -> socket.socket:
    """Return the inherited socket; without one, a socket bound to an address.

    It does not listen yet: a reader that comes before the server is refused at once.
    """
    return inherited_listener(os.environ) or _bind(host, port)


def inherited_listener(environment: Mapping[str, str]) -> socket.socket | None:
    """Return the socket that was given to this process; None if there is none.

    >>> inherited_listener({"LISTEN_PID": "1", "LISTEN_FDS": "1"}) is None  # it is another's
    True
    """
    if environment.get("LISTEN_PID") != str(os.getpid()):
        return None
    if environment.get("LISTEN_FDS") != "1":
        raise UsageError("The service manager gave more than one socket: configure one.")
    listener = socket.socket(fileno=os.dup(FIRST_DESCRIPTOR))
    listener.set_inheritable(False)
    return listener


def linger_seconds(environment: Mapping[str, str]) -> float:
    """Return how long to go on after the parent was killed: not at all on a socket of one's own."""
    return LINGER_SECONDS if environment.get("LISTEN_PID") == str(os.getpid()) else 0.0


def end_after_linger() -> None:
    """Let SIGUSR1, which says that the parent was killed, end this process after a while."""

    def end(*_: object) -> None:
        timer = threading.Timer(LINGER_SECONDS, os.kill, (os.getpid(), signal.SIGTERM))
        timer.daemon = True
        timer.start()

    signal.signal(signal.SIGUSR1, end)


def address_of(listener: socket.socket) -> str:
    """Return the URL of a listener, without a slash at the end."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - asked for
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def is_loopback(listener: socket.socket) -> bool:
    """Return whether only this machine can connect."""
    return ipaddress.ip_address(listener.getsockname()[0]).is_loopback


def _bind(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise UsageError(f"A port is a number from 0 to 65535, not {port}.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        _log.debug("%s cannot be resolved.", host, exc_info=True)
        raise UsageError(
            f"{host!r} is not an address of this machine ({error.strerror})."
        ) from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
    except OSError as error:
        _log.debug("%s, port %d cannot be used.", host, port, exc_info=True)
        listener.close()
        raise UsageError(
            f"{host}, port {port} cannot be used ({error.strerror}); "
            "choose another port, or 0 for any."
        ) from None
    return listener
