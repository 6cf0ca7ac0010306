"""Values of a crawl's notes, checked: another version may have written them.

>>> as_mapping([1]), as_list("ab"), as_text(7), as_number(True), as_number(10**999), as_integer(2.5)
({}, [], None, 1.0, None, None)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MAX_NUMBER = 1e300  # Lycosa writes no larger number, and no infinity


def as_mapping(value: object) -> Mapping[str, Any]:
    """Return the value if it is a mapping, or else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Return the value if it is a list, or else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str | None:
    """Return the value if it is a text, or else None."""
    return value if isinstance(value, str) else None


def as_number(value: object) -> float | None:
    """Return the value as a float if it is a finite number, or else None."""
    return float(value) if isinstance(value, int | float) and abs(value) < _MAX_NUMBER else None


def as_integer(value: object) -> int | None:
    """Return the value if it is an integer, or else None."""
    return value if isinstance(value, int) else None
