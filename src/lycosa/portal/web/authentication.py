"""Authentication of the owner and of editors: tokens, session cookies, CSRF tokens.

The owner types the token in DIR/owner.token into a form once, an editor the one that the owner
has given out. The browser then keeps a session cookie that proves knowledge of the token
without containing it; it expires by itself, and with the token. Forms carry a CSRF token
that no other site can know. Each page has a different one, so that the size of compressed
pages reveals nothing about it (the BREACH attack).

>>> authenticator = Authenticator("a long random token")
>>> session = authenticator.new_session(authenticator.sign_in("a long random token"))
>>> authenticator.sign_in("a guess"), authenticator.account(session).name
(None, 'owner')
>>> authenticator.verify_csrf_token(authenticator.csrf_token(session), session)
True
"""

from __future__ import annotations

import errno
import hmac
import logging
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from lycosa.errors import UsageError
from lycosa.portal.editors import Account, Editors, token_digest
from lycosa.project.owner_database import OWNER

TOKEN_FILE = "owner.token"  # noqa: S105 - the name of the file
COOKIE = "lycosa-owner"
SESSION_SECONDS = 7 * 24 * 3600
"""How long a session lasts."""
MIN_TOKEN_LENGTH = 16
"""Characters that a token must have."""

_log = logging.getLogger("lycosa.portal")


class Authenticator:
    """Verifies tokens, sessions and forms of the owner and of editors.

    Parameters
    ----------
    token
        The owner's token. If it is empty, the portal has no owner, and only editors sign in.
    editors
        The editors; None if there are none.
    clock
        Returns the time in seconds since the epoch.
    """

    def __init__(
        self, token: str, editors: Editors | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._owner = Account(OWNER, token_digest(token)) if token else None
        self._editors = editors
        self._clock = clock

    def verify_token(self, token: str) -> bool:
        """Return whether this is the owner's token, in constant time."""
        known = self._owner.key if self._owner else secrets.token_bytes(32)
        return hmac.compare_digest(token_digest(token), known)

    def sign_in(self, token: str) -> Account | None:
        """Return the account of a token."""
        if self.verify_token(token):
            return self._owner
        return self._editors.find(token) if self._editors is not None else None

    def new_session(self, account: Account) -> str:
        """Return the value of a session cookie: the account, its expiry time, and a signature."""
        until = f"{int(self._clock()) + SESSION_SECONDS}.{secrets.token_urlsafe(9)}"
        text = f"{account.name}:{until}"
        return f"{text}.{_sign(account, 'proof', text)}"

    def account(self, session: str) -> Account | None:
        """Return the account of a session cookie that has our signature and has not expired.

        A session ends with the token: its signature is made with it.
        """
        text, _, signature = session.rpartition(".")
        name, _, until = text.partition(":")
        account = self._find(name)
        if account is None:
            return None
        if not hmac.compare_digest(signature.encode(), _sign(account, "proof", text).encode()):
            return None
        return account if int(until.partition(".")[0]) > self._clock() else None

    def csrf_token(self, session: str) -> str:
        """Return a CSRF token for a form that is shown in a session."""
        account = self._find(session.partition(":")[0])
        if account is None:
            return ""
        salt = secrets.token_urlsafe(9)
        return f"{salt}.{_sign(account, 'form', f'{salt}.{session}')}"

    def verify_csrf_token(self, token: str, session: str) -> bool:
        """Return whether a CSRF token was issued for this session."""
        account = self._find(session.partition(":")[0])
        if account is None:
            return False
        salt, _, signature = token.partition(".")
        expected = _sign(account, "form", f"{salt}.{session}")
        return hmac.compare_digest(signature.encode(), expected.encode())

    def _find(self, name: str) -> Account | None:
        if name == OWNER:
            return self._owner
        return self._editors.account(name) if self._editors is not None else None


def _sign(account: Account, purpose: str, text: str) -> str:
    key = hmac.digest(account.key, b"portal", "sha256")
    return hmac.new(key, f"{purpose}:{text}".encode("utf-8", "replace"), "sha256").hexdigest()


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
