"""The memory of an object and of all that it refers to, by class of the package."""

from __future__ import annotations

import gc
import sys
from collections import defaultdict
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

_SHARED = FunctionType, BuiltinFunctionType, CodeType, FrameType, ModuleType, type
_OURS = "lycosa."


def sizes_by_class(root: object) -> dict[str, int]:
    """Return the bytes of what each class of the package holds.

    An object of another package or of Python counts for the object of ours that refers to it.
    """
    found: defaultdict[str, int] = defaultdict(int)
    seen = {id(root)}
    stack: list[tuple[Any, str]] = [(root, type(root).__name__)]
    while stack:
        each, owner = stack.pop()
        if type(each).__module__.startswith(_OURS):
            owner = type(each).__name__
        is_view = isinstance(each, np.ndarray) and each.base is not None
        found[owner] += 0 if is_view else sys.getsizeof(each)
        for other in gc.get_referents(each):
            if id(other) not in seen and not isinstance(other, _SHARED):
                seen.add(id(other))
                stack.append((other, owner))
    return dict(found)
