"""Corrections by people, kept in corrections.db beside the portal.

corrections.db is a separate SQLite file because portal.db can be built again
and corrections cannot. Rows are never changed, except that withdrawing a
correction records when. The next build applies the corrections that are in
force: they override everything that was read.

A correction names a work by its id, or by the id of one of its documents. The
id of a work is that of a document or reference in it, so a correction follows
what it was made about when works are merged or split.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, Corrections.open(folder) as corrections:
...     wrong = corrections.add("year", "w1", "1979")
...     _ = corrections.add("authors", "w1", "Ann Lee; Bob  Roe;")
...     _ = corrections.add("same", "w1", "w2")
...     corrections.undo(wrong)
...     [(one.kind, one.work, one.value) for one in corrections.all()]
True
[('authors', 'w1', 'Ann Lee; Bob Roe'), ('same', 'w1', 'w2')]
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

from lycosa.closing import Closing
from lycosa.errors import UnknownName, UsageError
from lycosa.lazy_database import LazyDatabase, timestamp
from lycosa.portal.fields import INPUTS
from lycosa.portal.message import Message
from lycosa.portal.migrations import CORRECTIONS
from lycosa.project.owner_database import OWNER

FILE: Final = "corrections.db"

PAIRS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "same": "the id of a work that is the same",
        "different": "the id of a work, or of a document, that is another one",
    }
)
"""The kinds of corrections that are about two works."""

SAME_AUTHOR: Final = "same-author"
"""The kind of a correction that two authors are one person."""
OTHER_AUTHOR: Final = "other-author"
"""The kind of a correction that an author of one work is another person of that name."""
AUTHORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        SAME_AUTHOR: "the id of the author that both are",
        OTHER_AUTHOR: "the id of the author, a space, and the id of the person that it is",
    }
)
"""The kinds of corrections that are about authors."""

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {name: spec.about for name, each in INPUTS.items() if (spec := each.spec.input)}
    | {**PAIRS, **AUTHORS}
)
"""What can be corrected, and what the value is then; the fields are those of the table."""

MAX_VALUE_CHARACTERS: Final = 2000

_AUTHOR_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+){0,20}")
_COLUMNS = "id, kind, work, value, time, ifnull(undone, ''), account"


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of one field of a work, or about two works."""

    id: int
    """Its number in corrections.db; later corrections have larger ones."""
    kind: str
    """One of `KINDS`: a field, `same` or `different`, `same-author` or `other-author`."""
    work: str
    """The id of a work or of one of its documents; for `same-author`, of an author."""
    value: str
    """The right value; empty if the work has none. For `same` and `different`, the other id."""
    time: str
    """When it was made: ISO 8601, UTC."""
    undone: str = ""
    """When it was withdrawn; empty while it is in force."""
    who: str = OWNER
    """The name of the account that made it."""


class Corrections(Closing):
    """The corrections of one portal, safe to share among threads and processes.

    `path` is that of corrections.db, which is created with the first correction.
    Open it with `Corrections.open`.
    """

    def __init__(self, path: Path) -> None:
        self._database = LazyDatabase(path, CORRECTIONS, "; earlier corrections are unharmed")

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Open the corrections of the portal in a folder."""
        return cls(Path(folder) / FILE)

    def add(self, kind: str, work: str, value: str, who: str = OWNER) -> int:
        """Add a correction and return its number; only its value is checked, not the work."""
        work, value = work.strip(), clean_value(kind, value)
        check_id(work, kind)
        if kind in PAIRS and work == value:
            raise UsageError(Message("This is the work itself; give the id of another one."))
        if kind == SAME_AUTHOR and work == value:
            raise UsageError(Message("This is the same author; give the id of another one."))
        row = (kind, work, value, timestamp(), who)
        with self._database.transaction() as database:
            added = database.execute(
                "INSERT INTO corrections (kind, work, value, time, account) VALUES (?, ?, ?, ?, ?)",
                row,
            )
            return int(added.lastrowid or 0)

    def undo(self, number: int) -> bool:
        """Withdraw a correction; return False if none of that number is in force."""
        query = "UPDATE corrections SET undone = ? WHERE id = ? AND undone IS NULL"
        if not 0 < number < 2**63 or not self.history():
            return False
        with self._database.transaction() as database:
            return database.execute(query, (timestamp(), number)).rowcount > 0

    def all(self) -> list[Correction]:
        """Return the corrections in force, oldest first."""
        return [one for one in self.history() if not one.undone]

    def history(self) -> list[Correction]:
        """Return all corrections, withdrawn ones included, oldest first."""
        query = f"SELECT {_COLUMNS} FROM corrections ORDER BY id"  # noqa: S608
        return [Correction(*row) for row in self._database.rows(query)]

    def digest(self) -> str:
        """Return a hash of the corrections in force, which tells a build whether they changed."""
        facts = [(one.id, one.kind, one.work, one.value) for one in self.all()]
        return hashlib.sha256(repr(facts).encode("utf-8", "replace")).hexdigest()[:32]

    def purge(self, ids: Collection[str]) -> None:
        """Delete the corrections of works and documents that were removed, for good."""
        gone = [one.id for one in self.history() if one.work in ids or one.value in ids]
        if gone:
            with self._database.transaction() as database:
                query = "DELETE FROM corrections WHERE id = ?"
                database.executemany(query, ((number,) for number in gone))
            self._database.vacuum()

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def clean_value(kind: str, value: str) -> str:
    """Return a value as it is stored, or raise a `UsageError` that says what is wrong with it.

    >>> clean_value("title", "  Spiders   that learn ")
    'Spiders that learn'
    """
    if kind not in KINDS:
        raise UnknownName("kind of correction", kind, KINDS)
    value = " ".join("".join(c if c.isprintable() else " " for c in value).split())
    if kind == "authors":
        value = "; ".join(name for name in map(str.strip, value.split(";")) if name)
    if len(value) > MAX_VALUE_CHARACTERS:
        raise UsageError(
            Message(
                "A correction has at most %(most)s characters; shorten it.",
                most=MAX_VALUE_CHARACTERS,
            )
        )
    if not value and not _is_optional(kind):
        raise UsageError(Message("This correction must not be empty."))
    if kind == "year" and value and not (value.isdecimal() and 1000 <= int(value) <= 2999):
        raise UsageError(
            Message("A year has four digits, such as 1999; “%(year)s” has not.", year=value[:20])
        )
    if kind in PAIRS:
        check_id(value, kind)
    if kind in AUTHORS:
        ids = value.split(" ")
        if len(ids) != 1 + (kind == OTHER_AUTHOR) or not all(map(is_author_id, ids)):
            raise _no_author_id(value)
    return value


def _is_optional(kind: str) -> bool:
    spec = INPUTS[kind].spec.input if kind in INPUTS else None
    return spec is not None and spec.optional


def check_id(text: str, kind: str) -> None:
    """Refuse what cannot be the id that a correction of a kind is about."""
    if kind == SAME_AUTHOR:
        if not is_author_id(text):
            raise _no_author_id(text)
    elif not text or len(text) > 100 or not (text.isascii() and text.isalnum()):
        raise UsageError(
            Message(
                "“%(id)s” is not the id of a work; it is the last part of its address.",
                id=text[:40],
            )
        )


def _no_author_id(text: str) -> UsageError:
    return UsageError(
        Message(
            "“%(id)s” is not the id of an author; it is the last part of its address.",
            id=text[:80],
        )
    )


def is_author_id(text: str) -> bool:
    """Return whether a text can be the id of an author.

    >>> is_author_id("lee-a"), is_author_id("Lee, A.")
    (True, False)
    """
    return _AUTHOR_ID.fullmatch(text) is not None
