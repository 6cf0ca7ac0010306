"""Redacted settings of a crawl: without secrets, for reports."""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

_log = logging.getLogger("lycosa.project")

HIDDEN = "(not shown)"

# Rather hide too many: headers, for example, may contain cookies and passwords.
_SECRET = re.compile(
    r"pass(wor[dt]|phrase|wd)?$|secret|token|webhook|credential|cookie|header|proxy|auth|login|user"
    r"|(^|[_-])(api|private|access)?[_-]?key$",
    re.IGNORECASE,
)
_USER_INFO = re.compile(r"(?<=://)[^/?#\s]*@")


def read_redacted(file: Path) -> dict[str, str]:
    """Return the redacted settings of a file by dotted key; empty if there is no file."""
    try:
        return redact(tomllib.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        _log.debug("%s cannot be read.", file, exc_info=True)
        return {file.name: "(cannot be read)"}


def redact(values: Mapping[str, object]) -> dict[str, str]:
    """Return settings as texts by dotted key, without values that may be secret.

    >>> redact({"goal": "papers", "fetch": {"delay": 2.0, "proxy": "http://me:pw@p.example"}})
    {'goal': 'papers', 'fetch.delay': '2.0', 'fetch.proxy': '(not shown)'}
    >>> redact({"seeds": ["http://me:pw@a.example/"], "cookies": True})
    {'seeds': 'http://a.example/', 'cookies': 'yes'}
    """
    return dict(_flat(values, ""))


def _flat(values: Mapping[str, object], above: str) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        key = above + name
        if _SECRET.search(name):
            # Whether something is enabled is not a secret.
            yield key, _text(value) if isinstance(value, bool) else HIDDEN
        elif isinstance(value, Mapping):
            yield from _flat(value, f"{key}.")
        elif isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
            yield from _flat({str(number): each for number, each in enumerate(value)}, f"{key}.")
        else:
            yield key, _text(value)


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _USER_INFO.sub("", str(value))
