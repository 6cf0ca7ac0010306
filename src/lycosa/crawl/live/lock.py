"""One process at a time: a lock that the operating system lets go with its holder.

The file is never removed and its presence means nothing; what counts is the
`flock` on it, which ends with the process however that ends. The number
written into it only tells people whom to look for.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from lycosa.errors import UsageError

_TRIES = 20
_PAUSE = 0.01


class Lock:
    """Held from the moment it is made until `release`, or the end of the process."""

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
        for _ in range(_TRIES):
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(self._file, 20, 0).strip()
                if holder.isdigit() and _lives(int(holder)):
                    break
                # It has the lock and is about to write its number, or is about to be gone.
                time.sleep(_PAUSE)
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


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
