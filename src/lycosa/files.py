"""Files: a lock on a folder, atomic replacement, and errors translated into one sentence."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from lycosa.errors import StoreError, UsageError

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LOCK_ATTEMPTS = 20
_LOCK_RETRY_SECONDS = 0.01
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


class ErrorAdvice(NamedTuple):
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
    def translate_errors(self, folder: Path) -> Iterator[None]:
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


def _of_the_disk(folder: Path, advice: ErrorAdvice, error: OSError) -> str:
    if error.errno in _DISK_FULL:
        return _full(folder, advice)
    if error.errno in _FORBIDDEN:
        return _read_only(folder)
    return (
        f"{error.filename or folder} cannot be used ({error.strerror}): see to the disk, "
        f"then {advice.unusable}."
    )


def _of_the_database(folder: Path, advice: ErrorAdvice, code: int, error: sqlite3.Error) -> str:
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


def _full(folder: Path, advice: ErrorAdvice) -> str:
    return f"The disk of {folder} is full: make room, then {advice.again}; nothing is lost."


def _read_only(folder: Path) -> str:
    return f"{folder} cannot be written: allow it, or copy the folder to where you may write."


class FileLock:
    """An exclusive lock on a file, held until `release` or the end of the process.

    The lock is an `flock`, which the operating system releases however the
    process ends. The file is never removed, and its presence means nothing;
    the process id in it only tells people which process to look for.

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
                # It has the lock and is about to write its number, or is about to be gone.
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
        """Let another process have it."""
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
