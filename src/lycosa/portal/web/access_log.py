"""The access log: one line for each request, in the combined log format.

Client addresses and search terms are personal data: nothing is logged unless the
operator asks for it. Processes append to one file, a line a write, so that lines are
never mixed, and a log that was moved away by a rotation is opened again.
"""

from __future__ import annotations

import logging
import os
from datetime import UTC, datetime
from pathlib import Path

from starlette.requests import Request

from lycosa.errors import UsageError
from lycosa.portal.web.rate_limit import client_address

MAX_FIELD = 2_000
"""Characters of a URL or header in the log."""
STANDARD_OUTPUT = "-"

_log = logging.getLogger("lycosa.portal")


class AccessLog:
    """A file to which requests are appended.

    `name` is the path of the file, or "-" for the standard output.
    """

    def __init__(self, name: str) -> None:
        self._path = None if name == STANDARD_OUTPUT else Path(name)
        self._file = 1
        self._failing = False
        self._identity: tuple[int, int] | None = None
        self._reopen()

    def write(self, request: Request, status: int, size: int, *, trust_proxy: bool) -> None:
        """Append a request; status 0 is one that its client has left.

        A log that cannot be written does not end the service: the requests are not logged.
        """
        client = client_address(request, trust_proxy=trust_proxy) or "-"
        line = format_line(client, datetime.now(UTC), request, status, size)
        try:
            self._reopen()
            os.write(self._file, line.encode("utf-8", "replace"))
        except (OSError, UsageError) as error:
            if not self._failing:
                _log.warning("requests are not logged", exc_info=error)
            self._failing = True
        else:
            self._failing = False

    def _reopen(self) -> None:
        """Open the file, unless it is open and still has its name."""
        if self._path is None:
            return
        try:
            found = os.stat(self._path)
            if self._identity == (found.st_dev, found.st_ino):
                return
        except FileNotFoundError:
            pass  # it is created
        try:
            file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o640)
        except OSError as error:
            raise UsageError(
                f"The access log {self._path} cannot be written ({error.strerror})."
            ) from None
        if self._identity is not None:
            os.close(self._file)
        found = os.fstat(file)
        self._file, self._identity = file, (found.st_dev, found.st_ino)


def format_line(client: str, when: datetime, request: Request, status: int, size: int) -> str:
    """Return the line of a request.

    What a client sends is quoted: it can neither end the line nor its field.
    """
    scope = request.scope
    query = scope["query_string"].decode("latin-1")
    path = scope.get("raw_path", b"").decode("latin-1") + (f"?{query}" if query else "")
    target = f"{scope['method']} {path} HTTP/{scope['http_version']}"
    headers = (request.headers.get(name, "-") for name in ("referer", "user-agent"))
    referer, agent = (_quoted(each) for each in headers)
    moment = when.strftime("%d/%b/%Y:%H:%M:%S +0000")
    return f'{client} - - [{moment}] "{_quoted(target)}" {status} {size} "{referer}" "{agent}"\n'


def _quoted(text: str) -> str:
    r"""Escape what would end a field or a line.

    >>> _quoted('a "b"\n')
    'a \\x22b\\x22\\x0a'
    """
    short = text[:MAX_FIELD]
    return "".join(c if c.isprintable() and c not in '"\\' else f"\\x{ord(c):02x}" for c in short)
