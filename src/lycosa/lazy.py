"""Lazy exports: a package offers its public names without importing their modules.

A package lists its names twice: under `TYPE_CHECKING`, for type checkers and
readers, and in the table given to `lazy_exports`, which loads a module when
one of its names is first used. Tests compare the two. It keeps `import lycosa`
and `lycosa --help` light however much the package grows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_exports(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package.

    `package` is its `__name__`; `homes` has, for each of its modules, the
    names that come from there, separated by spaces.

    >>> get, names = lazy_exports("lycosa", {"errors": "LycosaError UsageError"})
    >>> names()
    ['LycosaError', 'UsageError']
    >>> get("UsageError").__module__
    'lycosa.errors'
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def get(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{home_of[name]}"), name)
        # The next use finds it without a call; and a module of the same name
        # (lab.experiment has the function experiment) cannot take its place.
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted(home_of)

    return get, names
