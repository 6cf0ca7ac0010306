"""Editors: people whom the owner lets correct a portal, each with a token that can be revoked.

A token is shown once; owner.db has its SHA-256 alone. It is as long as a key, so a slow hash
would add nothing.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, open_owner_database(folder) as database:
...     editors = Editors(database)
...     token = editors.add("ann")
...     before = editors.find(token)
...     _ = editors.revoke("ann")
...     before.name, before.is_owner, editors.find(token)
('ann', False, None)
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final, NamedTuple

from lycosa.errors import UsageError
from lycosa.lazy_database import LazyDatabase, timestamp
from lycosa.project.audit_log import write_entry
from lycosa.project.owner_database import OWNER, open_owner_database

__all__ = ["Account", "Editor", "Editors", "open_owner_database", "token_digest"]

TOKEN_BYTES: Final = 32
MAX_EDITORS: Final = 1000

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,38}[a-z0-9])?")


class Account(NamedTuple):
    """A person who may sign in: the owner, who may do everything, or an editor.

    `key` is the digest of the token, from which the keys of sessions are derived.
    """

    name: str
    key: bytes

    @property
    def is_owner(self) -> bool:
        """Whether this account may remove works, and manage accounts."""
        return self.name == OWNER


class Editor(NamedTuple):
    """An editor: the name, and when the token was made and revoked (empty if it is valid)."""

    name: str
    created: str
    revoked: str


class Editors:
    """The editors of a portal; `database` is its owner.db."""

    def __init__(self, database: LazyDatabase) -> None:
        self._database = database

    def add(self, name: str) -> str:
        """Add an editor, or give one whose token was revoked a new one; return the token."""
        if not _NAME.fullmatch(name) or name == OWNER:
            raise UsageError(
                f"{name[:50]!r} cannot be the name of an editor: write letters a to z, digits, "
                "dots, hyphens and underscores, at most 40."
            )
        known = {editor.name: editor for editor in self.all()}
        if name in known and not known[name].revoked:
            raise UsageError(
                f"There is an editor {name!r}: revoke the token first, or choose another."
            )
        if len(known) >= MAX_EDITORS:
            raise UsageError(f"A portal has at most {MAX_EDITORS:,} editors.")
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO editors (name, token, created) VALUES (?, ?, ?)",
                (name, token_digest(token).hex(), timestamp()),
            )
            write_entry(connection, OWNER, "add editor", name)
        return token

    def revoke(self, name: str) -> bool:
        """Revoke the token of an editor; return False if there is no valid one."""
        if not any(editor.name == name and not editor.revoked for editor in self.all()):
            return False
        with self._database.transaction() as connection:
            query = "UPDATE editors SET revoked = ?, token = '' WHERE name = ?"
            connection.execute(query, (timestamp(), name))
            write_entry(connection, OWNER, "revoke editor", name)
        return True

    def all(self) -> list[Editor]:
        """Return all editors by name, also those whose tokens were revoked."""
        query = "SELECT name, created, ifnull(revoked, '') FROM editors ORDER BY name"
        return [Editor(*row) for row in self._database.rows(query)]

    def account(self, name: str) -> Account | None:
        """Return the account of an editor; None if there is no valid token."""
        return next((each for each in self._accounts() if each.name == name), None)

    def find(self, token: str) -> Account | None:
        """Return the account of a token; the time does not tell how near a guess is."""
        digest = token_digest(token)
        found = None
        for account in self._accounts():
            if hmac.compare_digest(account.key, digest):
                found = account
        return found

    def _accounts(self) -> list[Account]:
        rows = self._database.rows("SELECT name, token FROM editors WHERE revoked IS NULL")
        return [Account(name, bytes.fromhex(token)) for name, token in rows]


def token_digest(token: str) -> bytes:
    """Return the SHA-256 of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
