"""Notes of a crawl read as what they may be: it may be of a later version, or cut short.

>>> as_mapping([1]), as_list("ab"), as_text(7), as_number(True), as_number(10**999), as_integer(2.5)
({}, [], None, 1.0, None, None)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LARGEST = 1e300  # a number beyond it, or no number at all, is not one of ours


def as_mapping(value: object) -> Mapping[str, Any]:
    """A mapping; empty if it is none."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """A list; empty if it is none."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str | None:
    """A text, or None."""
    return value if isinstance(value, str) else None


def as_number(value: object) -> float | None:
    """A number that can be reckoned with, or None."""
    return float(value) if isinstance(value, int | float) and abs(value) < _LARGEST else None


def as_integer(value: object) -> int | None:
    """A whole number, or None."""
    return value if isinstance(value, int) else None
