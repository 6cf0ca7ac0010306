"""Spiders of other packages: `module:attribute` references and entry points.

A reference or an entry point of the group `lycosa.spiders` leads to one of

* a `Spider`, which may have models to train;
* a class of policies whose constructor needs no arguments;
* anything else that returns a policy when it is called with a `Setup`.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from lycosa.core import Policy
from lycosa.errors import LycosaError, UnknownName, UsageError
from lycosa.plugins import installed as entry_points_of
from lycosa.plugins import load_installed, load_reference
from lycosa.spiders.factory import Setup, Spider

GROUP = "lycosa.spiders"
"""The group of entry points in which packages register their spiders."""

_METHODS = ("name", "start", "observe", "score")
_log = logging.getLogger("lycosa.spiders")


def referenced(reference: str) -> Spider:
    """Return the spider of a reference `module:attribute`."""
    return from_object(load_reference(reference, "spider"), reference)


def installed(name: str, known: Iterable[str]) -> Spider:
    """Return the spider of an entry point; `known` are the other names, for the error."""
    found = entry_points_of(GROUP)
    if name not in found:
        raise UnknownName("spider", name, [*known, *found])
    return from_object(load_installed(found[name], "spider"), name)


def from_object(found: Any, name: str) -> Spider:
    """Return a spider made from a `Spider`, a policy class or a function of a `Setup`."""
    if isinstance(found, Spider):
        return replace(found, name=name)
    if not callable(found):
        raise UsageError(
            f"The spider {name!r} is {found!r}; it must be a policy class or a function of a Setup."
        )
    return Spider(name, lambda setup, _: _made(found, name, setup))


def _made(factory: Callable[..., Any], name: str, setup: Setup) -> Policy:
    """Return the policy, checked."""
    try:
        policy = factory() if _needs_nothing(factory) else factory(setup)
    except LycosaError:
        raise
    except Exception as error:  # code of others
        _log.debug("spider %s failed while it was made", name, exc_info=True)
        reason = f"{type(error).__name__}: {error}".rstrip(".")
        raise UsageError(f"The spider {name!r} failed while it was made ({reason}).") from error
    missing = [part for part in _METHODS if not hasattr(policy, part)]
    if missing or isinstance(policy, type):
        raise UsageError(
            f"The spider {name!r} is no policy: what it returned, {policy!r}, has no "
            f"{' and no '.join(missing) or 'state: it is a class'}."
        )
    return policy  # type: ignore[no-any-return]


def _needs_nothing(factory: Callable[..., Any]) -> bool:
    """Return whether a factory is a class that can be called without arguments."""
    if not isinstance(factory, type):
        return False
    try:
        inspect.signature(factory).bind()
    except TypeError:
        return False
    except ValueError:  # a class written in C tells no signature
        return True
    return True
