"""Files: a lock on a folder, atomic replacement, and translation of errors."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from lycosa.errors import StoreError, UsageError

_log = logging.getLogger("lycosa.files")

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LOCK_ATTEMPTS = 20
_LOCK_RETRY_SECONDS = 0.01
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


class ErrorAdvice(NamedTuple):
    """Advice for the errors of one kind of folder, from which their messages are made.

    `file` is the name of its database. `again` says what to do once the disk
    works again; `damaged` is the message about a damaged database, with `{}` for
    the error of SQLite; `unusable` ends the message about any other file.
    """

    file: str
    again: str
    damaged: str
    unusable: str

    @contextmanager
    def translate_errors(self, folder: Path) -> Iterator[None]:
        """Raise errors of the operating system and of SQLite as a `StoreError` of one sentence."""
        try:
            yield
        except OSError as error:
            _log.debug("A file in %s cannot be used.", folder, exc_info=True)
            raise StoreError(_disk_message(folder, self, error)) from error
        except sqlite3.Error as error:
            # An error without a code does not come from the database: it is a bug of ours.
            code = getattr(error, "sqlite_errorcode", None)
            if code is None:
                raise
            _log.debug("The database %s in %s failed.", self.file, folder, exc_info=True)
            raise StoreError(_database_message(folder, self, code & 0xFF, error)) from error


def _disk_message(folder: Path, advice: ErrorAdvice, error: OSError) -> str:
    if error.errno in _DISK_FULL:
        return _full_message(folder, advice)
    if error.errno in _FORBIDDEN:
        return _read_only_message(folder)
    return (
        f"{error.filename or folder} cannot be used ({error.strerror}): check the disk, "
        f"then {advice.unusable}."
    )


def _database_message(folder: Path, advice: ErrorAdvice, code: int, error: sqlite3.Error) -> str:
    file = folder / advice.file
    match code:
        case sqlite3.SQLITE_FULL:
            return _full_message(folder, advice)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return _read_only_message(folder)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return f"{file} {advice.damaged.format(error)}"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"{file} is locked by another program: close that program first."
    return f"{file} cannot be used ({error}): check the disk, then {advice.again}."


def _full_message(folder: Path, advice: ErrorAdvice) -> str:
    return f"The disk of {folder} is full: make room, then {advice.again}; nothing is lost."


def _read_only_message(folder: Path) -> str:
    return (
        f"{folder} cannot be written: change its permissions, or copy it to a folder that you "
        "may write."
    )


class FileLock:
    """An exclusive lock on a file, held until `release` or the end of the process.

    The lock is an `flock`, which the operating system releases however the
    process ends. The file is never removed, and its presence means nothing;
    the process id in it is for messages only.

    `path` is the file to lock; it is created if it does not exist.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            self._take(path)
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)
        except BaseException:
            self.release()
            raise

    def _take(self, path: Path) -> None:
        for _ in range(_LOCK_ATTEMPTS):
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(self._file, 20, 0).strip()
                if holder.isdigit() and _is_alive(int(holder)):
                    break
                # Its holder is about to write its process id, or to end.
                time.sleep(_LOCK_RETRY_SECONDS)
            else:
                return
        holder = os.pread(self._file, 20, 0).strip()
        who = f"process {holder.decode()}" if holder.isdigit() else "another process"
        raise UsageError(
            f"{path.parent} is in use by {who}: wait for it or stop it, "
            "or crawl into another folder."
        )

    def release(self) -> None:
        """Release the lock."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Write a file that appears whole or not at all.

    Yields a temporary path in the same folder; if the block succeeds, its
    content is synced to disk and renamed to `path`, else it is removed.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = Path(folder) / "a.txt"
    ...     with replace_file(target) as part:
    ...         _ = part.write_text("whole")
    ...     target.read_text(), [p.name for p in Path(folder).iterdir()]
    ('whole', ['a.txt'])
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Sync the directory entries of a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
