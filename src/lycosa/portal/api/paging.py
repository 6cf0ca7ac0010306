"""Lists in pages, each with the way to the next.

>>> limit_and_offset(3, 20)
(20, 40)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lycosa.portal.api.operation import ApiRequest, Parameter

SIZE = Parameter(
    "size",
    "How many items a page holds.",
    {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
)
PAGE = Parameter(
    "page",
    "Which page, from 1. Pages after the last are empty.",
    {"type": "integer", "minimum": 1, "maximum": 10_000, "default": 1},
)


def limit_and_offset(page: int, size: int) -> tuple[int, int]:
    """How many are on a page, and how many are before it."""
    return size, (page - 1) * size


def page_json(
    request: ApiRequest,
    path: str,
    total: int,
    items: Iterable[Any],
    links: Mapping[str, str],
    last: int = 10_000,
) -> dict[str, Any]:
    """A page of a list that is at a path; pages after the last one cannot be asked for."""
    page, size = request["page"], request["size"]
    end = min(-(-total // size), last)
    found = {"self": request.url_with(path), **links}
    if page < end:
        found["next"] = request.url_with(path, page=page + 1)
    if page > 1 and end:
        found["previous"] = request.url_with(path, page=min(page - 1, end))
    return {"total": total, "page": page, "size": size, "items": list(items), "links": found}
