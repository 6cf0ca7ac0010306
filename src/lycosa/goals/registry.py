"""Goals of other packages: Python objects, `package.module:name` and entry points.

A package declares its goals as entry points of the group `lycosa.goals`:

    [project.entry-points."lycosa.goals"]
    labs = "mine.goals:is_lab"

Such an entry, and a `package.module:name`, may be a goal, a function of a page
that returns its reward, or a class or function without parameters that returns
one of the two.
"""

from __future__ import annotations

import importlib.util
import inspect
import logging
import re
from collections.abc import Callable
from typing import Any

from lycosa.core import Goal
from lycosa.errors import UsageError
from lycosa.goals.function import Function
from lycosa.goals.syntax import FIELDS
from lycosa.plugins import installed, is_reference, load_installed, load_reference

GROUP = "lycosa.goals"
"""The group of entry points that are goals."""

_log = logging.getLogger("lycosa.goals")
_NAME = re.compile(r"[\w.-]+")


def find_goal(text: str) -> Goal | None:
    """Return the goal that a name means; None for a text that is a query.

    The name of an installed goal comes before the query for that word, which
    can still be written as `text:word`.

    >>> find_goal("robot* AND lab"), find_goal("title:robot")
    (None, None)
    """
    if is_reference(text) and _is_module(text.partition(":")[0]):
        return goal_of(load_reference(text, "goal"), text.rpartition(":")[2])
    if _NAME.fullmatch(text) and (point := installed(GROUP).get(text)):
        return goal_of(load_installed(point, "goal"), text)
    return None


def goal_of(value: object, name: str | None = None) -> Goal:
    """Return the goal that a Python object is, or that it makes.

    `name` is the name of a goal made of a function; without it, the function's own.

    >>> goal_of(lambda page: 1.0, "everything").name
    'everything'
    >>> goal_of(3, "three")
    Traceback (most recent call last):
    lycosa.errors.UsageError: 'three' is not a goal: it is 3, and a goal is a function of a page.
    """
    if isinstance(value, Goal) and not isinstance(value, type):
        return value
    name = name or str(getattr(value, "__name__", type(value).__name__))
    if not callable(value):
        raise UsageError(
            f"{name!r} is not a goal: it is {value!r}, and a goal is a function of a page."
        )
    if isinstance(value, type) or _parameters(value) == 0:
        made = _call(value, name)
        if isinstance(made, Goal) and not isinstance(made, type):
            return made
        if not callable(made) or isinstance(made, type):
            raise UsageError(f"{name!r} is not a goal: it returned {made!r}.")
        value = made
    return Function(name, value)


def _call(factory: Callable[[], Any], name: str) -> object:
    try:
        made: object = factory()
    except Exception as error:  # code of another package may raise anything
        _log.debug("The goal %s cannot be made.", name, exc_info=True)
        raise UsageError(
            f"The goal {name!r} cannot be made: it raised {type(error).__name__}: {error}."
        ) from error
    return made


def _parameters(function: Callable[..., Any]) -> int:
    """Return the number of positional parameters that a call must give."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some functions written in C do not tell
        return 1
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in kinds and p.default is p.empty for p in parameters)


def _is_module(name: str) -> bool:
    """Return whether a prefix is meant as a module: `title:robot` is a query."""
    if name in FIELDS:
        return False
    if "." in name:
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False
