"""What can be wrong with the files of a portal, each said in one sentence."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lycosa.errors import StoreError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Turn what the disk and the database complain about into one `StoreError`."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StoreError(_full(folder)) from error
        if error.errno in _FORBIDDEN:
            raise StoreError(_read_only(folder)) from error
        raise StoreError(
            f"{error.filename or folder} cannot be used ({error.strerror}): see to the disk, "
            "then build again; nothing is lost."
        ) from error
    except sqlite3.Error as error:
        # Without a code it does not come from the database: a fault of ours.
        code = getattr(error, "sqlite_errorcode", None)
        if code is None:
            raise
        raise StoreError(_of_the_database(folder, code & 0xFF, error)) from error


def _of_the_database(folder: Path, code: int, error: sqlite3.Error) -> str:
    file = folder / "portal.db"
    match code:
        case sqlite3.SQLITE_FULL:
            return _full(folder)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return _read_only(folder)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return f"{file} is damaged or no database ({error}): delete it and build again."
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"{file} is locked by another program: close that program first."
    return f"{file} cannot be used ({error}): see to the disk, then build again."


def _full(folder: Path) -> str:
    return f"The disk of {folder} is full: make room, then build again; nothing is lost."


def _read_only(folder: Path) -> str:
    return f"{folder} cannot be written: allow it, or copy the folder to where you may write."
