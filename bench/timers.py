"""Timers around methods: the CPU time of each part of a program, without that of parts it calls."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeAlias

Methods: TypeAlias = Mapping[str, Sequence[tuple[type, str]]]
"""The methods of each part: a class, and the names of its methods with spaces between."""

REST = "rest"


@contextmanager
def timed(parts: Methods) -> Iterator[dict[str, float]]:
    """Measure some methods; yield the seconds of each part, which are complete at the end.

    A method must return what it computed: the time of a generator would count for its reader.
    """
    seconds: dict[str, float] = defaultdict(float)
    stack, last, clock = [REST], time.process_time(), time.process_time

    def change(part: str | None) -> None:
        """Count the time until now for the present part; another begins, or the one before."""
        nonlocal last
        now = clock()
        seconds[stack[-1]] += now - last
        last = now
        if part is None:
            stack.pop()
        else:
            stack.append(part)

    def measured(method: Callable[..., Any], part: str) -> Callable[..., Any]:
        @wraps(method)
        def run(*arguments: Any, **named: Any) -> Any:
            change(part)
            try:
                return method(*arguments, **named)
            finally:
                change(None)

        return run

    replaced = [
        (owner, name, part)
        for part, methods in parts.items()
        for owner, names in methods
        for name in names.split()
    ]
    originals = [(owner, name, getattr(owner, name)) for owner, name, _ in replaced]
    try:
        for owner, name, part in replaced:
            setattr(owner, name, measured(getattr(owner, name), part))
        yield seconds
        change(REST)
    finally:
        for owner, name, method in originals:
            setattr(owner, name, method)
