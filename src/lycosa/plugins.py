"""Plug-ins: objects named as `package.module:name`, or by an entry point of an installed package.

Loading runs code of the named package. Every failure is a `UsageError` of one
sentence; its cause is logged at debug.

>>> load_reference("collections:OrderedDict", "mapping").__name__
'OrderedDict'
>>> load_reference("collections:Nothing", "mapping")
Traceback (most recent call last):
lycosa.errors.UsageError: The mapping 'collections:Nothing' cannot be imported (AttributeError: \
module 'collections' has no attribute 'Nothing'): check the name, and that its package is \
installed or its folder on PYTHONPATH.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from functools import reduce
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from lycosa.errors import UsageError

_log = logging.getLogger("lycosa.plugins")
_REFERENCE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


def is_reference(text: str) -> bool:
    """Return whether a text has the form `package.module:name`.

    >>> is_reference("mine.goals:is_lab"), is_reference("robot* AND lab")
    (True, False)
    """
    return bool(_REFERENCE.fullmatch(text))


def load_reference(text: str, kind: str) -> Any:
    """Import the object that `package.module:name` names; `kind` says what it is, for errors."""
    if not is_reference(text):
        raise UsageError(f"The {kind} {text!r} should be named as 'package.module:name'.")
    module, _, path = text.partition(":")
    return _load(kind, text, lambda: reduce(getattr, path.split("."), import_module(module)))


def installed(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group that installed packages declare, by name."""
    return {point.name: point for point in entry_points(group=group)}


def load_installed(point: EntryPoint, kind: str) -> Any:
    """Load an entry point; `kind` says what it is, for errors."""
    return _load(kind, f"{point.name} ({point.value})", point.load)


def _load(kind: str, name: str, find: Callable[[], Any]) -> Any:
    try:
        return find()
    except Exception as error:  # importing runs code of other packages
        _log.debug("The %s %s cannot be imported.", kind, name, exc_info=True)
        reason = f"{type(error).__name__}: {error}".rstrip(".")
        raise UsageError(
            f"The {kind} {name!r} cannot be imported ({reason}): check the name, and that its "
            "package is installed or its folder on PYTHONPATH."
        ) from error
