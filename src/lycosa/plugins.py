"""Plug-ins: objects named as `package.module:name`, or by an entry point of an installed package.

Loading runs code of the named package. Every failure is a `UsageError` of one
sentence; its cause is logged at debug.

>>> load_reference("collections:OrderedDict", "mapping").__name__
'OrderedDict'
>>> load_reference("collections:Nothing", "mapping")
Traceback (most recent call last):
lycosa.errors.UsageError: The mapping 'collections:Nothing' does not exist: the module \
collections has no 'Nothing'.
"""

from __future__ import annotations

import importlib
import logging
import re
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points

from lycosa.errors import UsageError

_log = logging.getLogger("lycosa.plugins")
_REFERENCE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


def is_reference(text: str) -> bool:
    """Return whether a text has the form `package.module:name`.

    >>> is_reference("mine.goals:is_lab"), is_reference("robot* AND lab")
    (True, False)
    """
    return bool(_REFERENCE.fullmatch(text))


def load_reference(text: str, kind: str) -> object:
    """Import the object that `package.module:name` names; `kind` says what it is, for errors."""
    if not is_reference(text):
        raise UsageError(f"The {kind} {text!r} should be named as 'package.module:name'.")
    module, _, path = text.partition(":")
    try:
        found: object = importlib.import_module(module)
    except Exception as error:  # a module that is imported may raise anything
        _log.debug("The module %s cannot be imported.", module, exc_info=True)
        raise UsageError(
            f"The {kind} {text!r} cannot be loaded: importing {module} raised "
            f"{type(error).__name__}: {error}; install its package, or put its folder on "
            "PYTHONPATH."
        ) from error
    for name in path.split("."):
        try:
            found = getattr(found, name)
        except AttributeError as error:
            raise UsageError(
                f"The {kind} {text!r} does not exist: the module {module} has no {path!r}."
            ) from error
    return found


def installed(group: str) -> Mapping[str, EntryPoint]:
    """Return the entry points of a group that installed packages declare, by name."""
    return {point.name: point for point in entry_points(group=group)}


def load_installed(point: EntryPoint, kind: str) -> object:
    """Load an entry point; `kind` says what it is, for errors."""
    try:
        found: object = point.load()
    except Exception as error:  # a module that is imported may raise anything
        _log.debug("The entry point %s cannot be loaded.", point, exc_info=True)
        package = f" of the package {point.dist.name}" if point.dist else ""
        raise UsageError(
            f"The {kind} {point.name!r}{package} cannot be loaded: {point.value} raised "
            f"{type(error).__name__}: {error}."
        ) from error
    return found
