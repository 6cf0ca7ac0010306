"""Authentication of the portal's owner: sign-in token, session cookie, CSRF tokens.

The owner types the token in DIR/owner.token into a form once. The browser then
keeps a session cookie that proves knowledge of the token without containing
it; it expires by itself, and with every new token. Forms carry a CSRF token
that no other site can know. Each page has a different one, so that the size of
compressed pages reveals nothing about it (the BREACH attack).

>>> owner = OwnerAuthenticator("a long random token")
>>> session = owner.new_session()
>>> owner.verify_token("a guess"), owner.is_valid_session(session)
(False, True)
>>> owner.verify_csrf_token(owner.csrf_token(session), session)
True
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import logging
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from lycosa.errors import UsageError

TOKEN_FILE = "owner.token"  # noqa: S105 - the name of the file
COOKIE = "lycosa-owner"
SESSION_SECONDS = 7 * 24 * 3600
"""How long a session lasts."""
MIN_TOKEN_LENGTH = 16
"""Characters that a token must have."""

_log = logging.getLogger("lycosa.portal")


class OwnerAuthenticator:
    """Verifies tokens, sessions and forms of the owner.

    Parameters
    ----------
    token
        The owner's token. If it is empty, the portal has no owner and nothing
        is accepted.
    clock
        Returns the time in seconds since the epoch.
    """

    def __init__(self, token: str, clock: Callable[[], float] = time.time) -> None:
        self._token = _digest(token) if token else b""
        self._key = hmac.digest(self._token or secrets.token_bytes(32), b"portal", "sha256")
        self._clock = clock

    def verify_token(self, token: str) -> bool:
        """Return whether this is the owner's token, in constant time."""
        return hmac.compare_digest(_digest(token), self._token)

    def new_session(self) -> str:
        """Return the value of a session cookie, signed and with its expiry time."""
        until = f"{int(self._clock()) + SESSION_SECONDS}.{secrets.token_urlsafe(9)}"
        return f"{until}.{self._sign('proof', until)}"

    def is_valid_session(self, session: str) -> bool:
        """Return whether a session cookie has our signature and has not expired."""
        until, _, signature = session.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign("proof", until).encode()):
            return False
        return int(until.partition(".")[0]) > self._clock()

    def csrf_token(self, session: str) -> str:
        """Return a CSRF token for a form that is shown in a session."""
        salt = secrets.token_urlsafe(9)
        return f"{salt}.{self._sign('form', f'{salt}.{session}')}"

    def verify_csrf_token(self, token: str, session: str) -> bool:
        """Return whether a CSRF token was issued for this session."""
        salt, _, signature = token.partition(".")
        expected = self._sign("form", f"{salt}.{session}")
        return hmac.compare_digest(signature.encode(), expected.encode())

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self._key, f"{purpose}:{text}".encode(), "sha256").hexdigest()


def load_owner_token(folder: Path | str) -> str:
    """Return the token in a portal's folder; create it, readable by its user only, if missing.

    Empty if there is none and the folder is on a read-only disk: the portal has no owner then.
    """
    path = Path(folder) / TOKEN_FILE
    with suppress(FileExistsError):
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise
        except OSError as error:
            _log.debug("cannot create %s", path, exc_info=True)
            if error.errno == errno.EROFS:
                return ""
            raise UsageError(
                f"Cannot write {path} ({error.strerror}), which holds the owner's token: "
                "make the folder writable."
            ) from None
        with os.fdopen(file, "w") as writer:
            writer.write(f"{secrets.token_urlsafe(32)}\n")
    try:
        if path.stat().st_mode & 0o077:
            with suppress(OSError):  # a read-only disk
                path.chmod(0o600)
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        # Without a traceback: a decoding error carries the bytes of the file.
        _log.debug("cannot read %s: %s", path, type(error).__name__)
        raise UsageError(f"Cannot read {path}: delete it to get a new token.") from None
    if len(token) < MIN_TOKEN_LENGTH:
        raise UsageError(
            f"The token in {path} is shorter than {MIN_TOKEN_LENGTH} characters: "
            "delete the file to get a new token."
        )
    return token


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
