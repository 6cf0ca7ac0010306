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
import logging
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

from lycosa.closing import Closing
from lycosa.errors import StoreError, UnknownName, UsageError
from lycosa.portal.fields import INPUTS
from lycosa.portal.migrations import CORRECTIONS

_log = logging.getLogger("lycosa.portal")

FILE: Final = "corrections.db"

PAIRS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "same": "the id of a work that is the same",
        "different": "the id of a work, or of a document, that is another one",
    }
)
"""The kinds of corrections that are about two works."""

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {name: spec.about for name, each in INPUTS.items() if (spec := each.spec.input)} | {**PAIRS}
)
"""What can be corrected, and what the value is then; the fields are those of the table."""

MAX_VALUE_CHARACTERS: Final = 2000
LOCK_TIMEOUT_SECONDS: Final = 30.0

_COLUMNS = "id, kind, work, value, time, ifnull(undone, '')"


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of one field of a work, or about two works."""

    id: int
    """Its number in corrections.db; later corrections have larger ones."""
    kind: str
    """One of `KINDS`: a field, `same` or `different`."""
    work: str
    """The id of a work or of one of its documents."""
    value: str
    """The right value; empty if the work has none. For `same` and `different`, the other id."""
    time: str
    """When it was made: ISO 8601, UTC."""
    undone: str = ""
    """When it was withdrawn; empty while it is in force."""


class Corrections(Closing):
    """The corrections of one portal, safe to share among threads and processes.

    `path` is that of corrections.db, which is created with the first correction.
    Open it with `Corrections.open`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        # Reading creates no file, so that a read-only folder can be read.
        self._on_disk = path.exists()
        self._database = _connect(path, path if self._on_disk else ":memory:")

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Open the corrections of the portal in a folder."""
        path = Path(folder) / FILE
        with _translate_errors(path):
            return cls(path)

    def add(self, kind: str, work: str, value: str) -> int:
        """Add a correction and return its number; only its value is checked, not the work."""
        work, value = work.strip(), clean_value(kind, value)
        _check_id(work)
        if kind in PAIRS and work == value:
            raise UsageError(f"A work cannot be {kind} as itself; give the id of another one.")
        row = (kind, work, value, _now())
        with self._lock, _translate_errors(self._path):
            self._attach(create=True)
            added = self._database.execute(
                "INSERT INTO corrections (kind, work, value, time) VALUES (?, ?, ?, ?)", row
            )
            return int(added.lastrowid or 0)

    def undo(self, number: int) -> bool:
        """Withdraw a correction; return False if none of that number is in force."""
        query = "UPDATE corrections SET undone = ? WHERE id = ? AND undone IS NULL"
        if not 0 < number < 2**63:
            return False
        with self._lock, _translate_errors(self._path):
            return self._database.execute(query, (_now(), number)).rowcount > 0

    def all(self) -> list[Correction]:
        """Return the corrections in force, oldest first."""
        return [one for one in self.history() if not one.undone]

    def history(self) -> list[Correction]:
        """Return all corrections, withdrawn ones included, oldest first."""
        with self._lock, _translate_errors(self._path):
            self._attach(create=False)
            query = f"SELECT {_COLUMNS} FROM corrections ORDER BY id"  # noqa: S608
            return [Correction(*row) for row in self._database.execute(query)]

    def digest(self) -> str:
        """Return a hash of the corrections in force, which tells a build whether they changed."""
        facts = [(one.id, one.kind, one.work, one.value) for one in self.all()]
        return hashlib.sha256(repr(facts).encode("utf-8", "replace")).hexdigest()[:32]

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _attach(self, *, create: bool) -> None:
        """Switch from memory to the file, if it exists by now or is to be created."""
        if not self._on_disk and (create or self._path.exists()):
            database = _connect(self._path, self._path)
            self._database.close()
            self._database, self._on_disk = database, True


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
            f"A correction has at most {MAX_VALUE_CHARACTERS:,} characters; shorten it."
        )
    if not value and not _is_optional(kind):
        raise UsageError(f"The correction is empty; give {KINDS[kind]}.")
    if kind == "year" and value and not (value.isdecimal() and 1000 <= int(value) <= 2999):
        raise UsageError(f"A year has four digits, such as 1999; {value[:20]!r} has not.")
    if kind in PAIRS:
        _check_id(value)
    return value


def _is_optional(kind: str) -> bool:
    spec = INPUTS[kind].spec.input if kind in INPUTS else None
    return spec is not None and spec.optional


def _check_id(text: str) -> None:
    if not text or len(text) > 100 or not (text.isascii() and text.isalnum()):
        raise UsageError(
            f"{text[:40]!r} is not the id of a work; it is the last part of its address."
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _connect(path: Path, name: Path | str) -> sqlite3.Connection:
    # The lock of `Corrections` lets one thread at a time use the connection.
    database = sqlite3.connect(
        name, timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        CORRECTIONS.prepare(path, database)
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) is None:
            raise
        _log.debug("%s cannot be used", path, exc_info=error)
        raise StoreError(
            f"{path} cannot be used ({error}): check the disk and the permissions; "
            "earlier corrections are unharmed."
        ) from error
