"""The share of requests for revisits, by what revisits and discoveries have brought lately.

What a request brings is worth 1 for each new target and `CHANGED` for a target whose
change it found. Of both kinds of requests a decayed mean is kept, in which a request
counts for half after `HALF_LIFE` others of its kind. The share of revisits is their part
of the sum of both means, and neither falls below `LEAST`: what brings nothing now may
bring something next week, and only requests tell.

>>> effort = Effort()
>>> effort.share
0.5
>>> for _ in range(2000):
...     effort.observe("discovery", 0.0)
...     effort.observe("revisit", 0.2)
>>> round(effort.share, 2)
0.9
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["revisit", "discovery"]

HALF_LIFE: Final = 500.0
"""Requests of its kind after which one counts for half."""
CHANGED: Final = 0.3
"""What a change of a known target is worth; a new target is worth 1."""
LEAST: Final = 0.1
"""The least share of either kind."""
EXPECTED: Final = 0.1
"""What a request of either kind is taken to bring before any was made."""


class Effort:
    """Decides between revisits and discoveries."""

    def __init__(self) -> None:
        self.brought: dict[Kind, float] = {"revisit": EXPECTED, "discovery": EXPECTED}
        """The decayed mean of what a request has brought, by kind."""

    @property
    def share(self) -> float:
        """The share of requests that should be revisits."""
        revisits, discoveries = self.brought["revisit"], self.brought["discovery"]
        total = revisits + discoveries
        part = revisits / total if total > 0 else 0.5
        return min(max(part, LEAST), 1 - LEAST)

    def observe(self, kind: Kind, worth: float) -> None:
        """Record what a request has brought."""
        weight = 1 - 0.5 ** (1 / HALF_LIFE)
        self.brought[kind] += weight * (worth - self.brought[kind])
