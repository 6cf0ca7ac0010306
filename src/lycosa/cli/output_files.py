"""Files that commands write: checked before the work, written completely or not at all."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lycosa.errors import UsageError
from lycosa.files import replace_file

_log = logging.getLogger("lycosa.cli")


def check_writable(path: Path) -> None:
    """Raise `UsageError` if a file cannot be written, before the work that fills it."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder; give the name of a file in it.")
    if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise UsageError(
            f"{path} cannot be written; give a file in a folder that exists and that you may write."
        )


@contextmanager
def write_file(path: Path) -> Iterator[Path]:
    """Give a temporary path to write to, which replaces the file at the end.

    After an error the old file, if there was one, is unchanged. A device or a pipe, such as
    /dev/null, must not be replaced by a file: it is written in place.
    """
    try:
        if path.exists() and not path.is_file():
            yield path
            return
        with replace_file(path.resolve() if path.is_symlink() else path) as part:
            yield part
    except OSError as error:
        _log.debug("%s cannot be written.", path, exc_info=True)
        raise UsageError(
            f"{path} cannot be written ({error.strerror}); give another file."
        ) from error
