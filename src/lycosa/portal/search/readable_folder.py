"""A folder of an index that can be opened even if its disk is read-only.

tantivy creates a lock file beside an index before it reads it. Where that is not
allowed, it is given a temporary folder of links to the files instead; the locks are
there, and whoever may write the index goes on replacing its files.
"""

from __future__ import annotations

import errno
import logging
import os
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from weakref import finalize

LOCK = ".tantivy-meta.lock"
"""The file that tantivy locks while it opens or reloads an index."""

_log = logging.getLogger("lycosa.portal")


class ReadableFolder:
    """The folder that tantivy reads: the index itself, or links to its files.

    `index` is the folder of the index.
    """

    def __init__(self, index: Path) -> None:
        self.path = index
        """The folder to give to tantivy."""
        self._index = index.absolute()
        self._linked = not _is_writable(index)
        if self._linked:
            self.path = Path(mkdtemp(prefix="lycosa-index-"))
            finalize(self, rmtree, self.path, ignore_errors=True)
            self.refresh()

    def refresh(self) -> None:
        """Link the files that a commit has added since, and forget those that it has removed."""
        if not self._linked:
            return
        here = {name for name in os.listdir(self._index) if not name.endswith(".lock")}
        there = {name for name in os.listdir(self.path) if not name.endswith(".lock")}
        for name in here - there:
            os.symlink(self._index / name, self.path / name)
        for name in there - here:
            os.unlink(self.path / name)


def _is_writable(index: Path) -> bool:
    try:
        os.close(os.open(index / LOCK, os.O_RDWR | os.O_CREAT, 0o644))
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise
        _log.debug("%s is read-only", index, exc_info=error)
        return False
    return True
