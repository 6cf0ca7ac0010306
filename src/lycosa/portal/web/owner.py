"""The owner of a portal: whoever knows the token in DIR/owner.token.

The token is typed into a form once. What the browser keeps is not the token but
proof that it was known, which ends by itself and with every new token. Forms
have a mark of their own that no other site can know; each page has another
one, so that nothing can be learned from the size of compressed pages.

>>> owner = Owner("a token that nobody guesses")
>>> proof = owner.proof()
>>> owner.accepts("a guess"), owner.knows(proof), owner.confirms(owner.mark(proof), proof)
(False, True, True)
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from lycosa.errors import UsageError

FILE = "owner.token"
COOKIE = "lycosa-owner"
SECONDS = 7 * 24 * 3600
"""For how long somebody stays signed in."""
SHORTEST = 16
"""Characters of a token that somebody chose."""


class Owner:
    """Knows the owner again."""

    def __init__(self, token: str, clock: Callable[[], float] = time.time) -> None:
        self._token = _digest(token) if token else b""
        self._key = hmac.digest(self._token or secrets.token_bytes(32), b"portal", "sha256")
        self._clock = clock

    def accepts(self, token: str) -> bool:
        """Whether it is the owner's token; how long this takes tells nothing."""
        return hmac.compare_digest(_digest(token), self._token)

    def proof(self) -> str:
        """What the owner's browser shows with every request."""
        until = f"{int(self._clock()) + SECONDS}.{secrets.token_urlsafe(9)}"
        return f"{until}.{self._sign('proof', until)}"

    def knows(self, proof: str) -> bool:
        """Whether a proof is ours and still holds."""
        until, _, signature = proof.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign("proof", until).encode()):
            return False
        return int(until.partition(".")[0]) > self._clock()

    def mark(self, proof: str) -> str:
        """A mark for a form that is shown to whoever has the proof."""
        salt = secrets.token_urlsafe(9)
        return f"{salt}.{self._sign('form', f'{salt}.{proof}')}"

    def confirms(self, mark: str, proof: str) -> bool:
        """Whether a form was ours."""
        salt, _, signature = mark.partition(".")
        expected = self._sign("form", f"{salt}.{proof}")
        return hmac.compare_digest(signature.encode(), expected.encode())

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self._key, f"{purpose}:{text}".encode(), "sha256").hexdigest()


def owners_token(folder: Path | str) -> str:
    """The token in a folder, which is made if there is none; nobody else may read it."""
    path = Path(folder) / FILE
    with suppress(FileExistsError):
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise
        except OSError as error:
            raise UsageError(
                f"{path} cannot be written ({error.strerror}): the owner's token is kept there."
            ) from None
        with os.fdopen(file, "w") as writer:
            writer.write(f"{secrets.token_urlsafe(32)}\n")
    try:
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise UsageError(f"{path} cannot be read: delete it, and a new one is made.") from None
    if len(token) < SHORTEST:
        raise UsageError(
            f"The token in {path} is shorter than {SHORTEST} characters: "
            "delete the file, and a new one is made."
        )
    return token


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
