"""Log output: where records of the `lycosa` loggers go, in this process and its workers.

Every top-level package logs to one logger, `lycosa.crawler`, `lycosa.portal` and
so on, by the standard `logging` module. A program that uses Lycosa as a library
configures those as any others. The command line calls `configure`, which also
leaves the settings in the environment, so that worker processes write to the
same place (`inherit`).

No secret reaches a log: `Redaction` masks what looks like one in every record,
whichever module wrote it.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from pathlib import Path

from lycosa.errors import UsageError

FORMAT = "%(asctime)s %(levelname)-7s %(process)d %(name)s: %(message)s"
LEVEL_VARIABLE = "LYCOSA_LOG_LEVEL"
FILE_VARIABLE = "LYCOSA_LOG_FILE"

_MASK = r"\1***"
_SECRETS = (
    # user:password@ of a URL
    (re.compile(r"(\w+://)[^/\s@]+@"), r"\1***@"),
    (re.compile(r"((?:proxy-)?authorization['\"]?\s*[:=]\s*['\"]?)[^'\"\r\n,}]+", re.I), _MASK),
    (re.compile(r"((?:set-)?cookie['\"]?\s*[:=]\s*['\"]?)[^'\"\r\n}]+", re.I), _MASK),
    (
        re.compile(r"((?:token|password|passwd|secret|api_?key)['\"]?\s*[:=]\s*['\"]?)[^\s'\"&,}]+",
                   re.I),
        _MASK,
    ),
)  # fmt: skip


def redacted(text: str) -> str:
    """Return a text with everything masked that looks like a secret.

    >>> redacted("GET http://me:hunter2@a.example/?token=abc&page=2")
    'GET http://***@a.example/?token=***&page=2'
    >>> redacted("Authorization: Bearer abc")
    'Authorization: ***'
    """
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


class Redaction(logging.Formatter):
    """A formatter that masks secrets in the message and in the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the formatted record without secrets."""
        return redacted(super().format(record))


def configure(verbosity: int = 0, file: Path | None = None) -> None:
    """Send log records to stderr and, all of them, to a file.

    `verbosity` is how much goes to stderr: 0 warnings, 1 also what happens,
    2 also every error that was handled, with its traceback. A file gets
    everything, appended.
    """
    level = {0: logging.WARNING, 1: logging.INFO}.get(verbosity, logging.DEBUG)
    _install(level, file)
    # Last, so that workers do not inherit what failed here.
    os.environ[LEVEL_VARIABLE] = str(level)
    if file is not None:
        os.environ[FILE_VARIABLE] = str(file.absolute())
    else:
        os.environ.pop(FILE_VARIABLE, None)


def inherit() -> None:
    """Do in a worker process what `configure` did in its parent, if it was called there."""
    if level := os.environ.get(LEVEL_VARIABLE):
        file = os.environ.get(FILE_VARIABLE)
        _install(int(level), Path(file) if file else None)


def is_verbose() -> bool:
    """Whether stderr gets more than warnings, so that nothing else should be drawn there."""
    return int(os.environ.get(LEVEL_VARIABLE, logging.WARNING)) < logging.WARNING


def _install(level: int, file: Path | None) -> None:
    logger = logging.getLogger("lycosa")
    for handler in logger.handlers[:]:
        logger.removeHandler(handler)
        handler.close()
    screen = logging.StreamHandler(sys.stderr)
    screen.setLevel(level)
    handlers: list[logging.Handler] = [screen]
    if file is not None:
        try:
            handlers.append(logging.FileHandler(file, encoding="utf-8"))
        except OSError as error:
            raise UsageError(
                f"The log file {file} cannot be written ({error.strerror}); "
                "give another one with --log-file."
            ) from error
    for handler in handlers:
        handler.setFormatter(Redaction(FORMAT))
        logger.addHandler(handler)
    logger.setLevel(logging.DEBUG if file is not None else level)
    logger.propagate = False
