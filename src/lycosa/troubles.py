"""What can be wrong with the files of a folder, each said in one sentence."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from lycosa.errors import StoreError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


class Advice(NamedTuple):
    """What to do about the troubles of one kind of folder.

    `file` is its database and `again` what to do once the disk is seen to;
    `damaged` is said of a database that is, with a place for what SQLite says,
    and `unusable` is the end of what is said of any other file.
    """

    file: str
    again: str
    damaged: str
    unusable: str

    @contextmanager
    def explained(self, folder: Path) -> Iterator[None]:
        """Turn what the disk and the database complain about into one `StoreError`."""
        try:
            yield
        except OSError as error:
            raise StoreError(_of_the_disk(folder, self, error)) from error
        except sqlite3.Error as error:
            # Without a code it does not come from the database: a fault of ours.
            code = getattr(error, "sqlite_errorcode", None)
            if code is None:
                raise
            raise StoreError(_of_the_database(folder, self, code & 0xFF, error)) from error


def _of_the_disk(folder: Path, advice: Advice, error: OSError) -> str:
    if error.errno in _FULL:
        return _full(folder, advice)
    if error.errno in _FORBIDDEN:
        return _read_only(folder)
    return (
        f"{error.filename or folder} cannot be used ({error.strerror}): see to the disk, "
        f"then {advice.unusable}."
    )


def _of_the_database(folder: Path, advice: Advice, code: int, error: sqlite3.Error) -> str:
    file = folder / advice.file
    match code:
        case sqlite3.SQLITE_FULL:
            return _full(folder, advice)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return _read_only(folder)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return f"{file} {advice.damaged.format(error)}"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"{file} is locked by another program: close that program first."
    return f"{file} cannot be used ({error}): see to the disk, then {advice.again}."


def _full(folder: Path, advice: Advice) -> str:
    return f"The disk of {folder} is full: make room, then {advice.again}; nothing is lost."


def _read_only(folder: Path) -> str:
    return f"{folder} cannot be written: allow it, or copy the folder to where you may write."
