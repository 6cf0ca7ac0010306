"""Audit log: who changed what, and when; it is only appended to.

A removal leaves the fact that something was changed, without the content.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, open_owner_database(folder) as database:
...     log = AuditLog(database)
...     log.record("ann", "correct title", "w1", "Spidres", "Spiders")
...     log.record("owner", "hide", "w2")
...     log.redact({"w1"})
...     [(entry.account, entry.action, entry.subject, entry.new) for entry in log.entries()]
[('owner', 'hide', 'w2', ''), ('ann', 'correct title', 'w1', '')]
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import NamedTuple

from lycosa.lazy_database import LazyDatabase, timestamp
from lycosa.project.owner_database import open_owner_database

__all__ = ["AuditEntry", "AuditLog", "open_owner_database", "write_entry"]


class AuditEntry(NamedTuple):
    """One change: its number and time, the account, what was done to what, before and after."""

    id: int
    time: str
    account: str
    action: str
    subject: str
    old: str
    new: str


class AuditLog:
    """The audit log of a project; `database` is its owner.db."""

    def __init__(self, database: LazyDatabase) -> None:
        self._database = database

    def record(self, account: str, action: str, subject: str, old: str = "", new: str = "") -> None:
        """Append an entry."""
        with self._database.transaction() as connection:
            write_entry(connection, account, action, subject, old, new)

    def entries(self, limit: int | None = None) -> list[AuditEntry]:
        """Return the entries, the newest first."""
        query = "SELECT id, time, account, action, subject, old, new FROM audit ORDER BY id DESC"
        rows = self._database.rows(f"{query} LIMIT ?", -1 if limit is None else limit)
        return [AuditEntry(*row) for row in rows]

    def redact(self, subjects: Collection[str]) -> None:
        """Empty what the entries about some subjects say, for good."""
        told = [
            (entry.id,)
            for entry in self.entries()
            if entry.subject in subjects and (entry.old or entry.new)
        ]
        if told:
            with self._database.transaction() as connection:
                connection.executemany("UPDATE audit SET old = '', new = '' WHERE id = ?", told)


def write_entry(
    connection: sqlite3.Connection,
    account: str,
    action: str,
    subject: str,
    old: str = "",
    new: str = "",
) -> None:
    """Append an entry in the transaction of the change that it is about."""
    connection.execute(
        "INSERT INTO audit (time, account, action, subject, old, new) VALUES (?, ?, ?, ?, ?, ?)",
        (timestamp(), account, action, subject, old, new),
    )
