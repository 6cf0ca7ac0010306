"""Pagination: the parameters of a page, and lists with links to the next and previous page.

>>> limit_and_offset(3, 20)
(20, 40)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lycosa.portal.api.operation import ApiRequest, Parameter

SIZE = Parameter(
    "size",
    "Items per page.",
    {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
)
PAGE = Parameter(
    "page",
    "The number of the page, from 1. Pages after the last are empty.",
    {"type": "integer", "minimum": 1, "maximum": 10_000, "default": 1},
)


def limit_and_offset(page: int, size: int) -> tuple[int, int]:
    """Return the number of items on a page, and of those before it."""
    return size, (page - 1) * size


def page_json(
    request: ApiRequest,
    path: str,
    total: int,
    items: Iterable[Any],
    links: Mapping[str, str],
    last: int = 10_000,
) -> dict[str, Any]:
    """Return a page of a list as JSON, with links to its neighbours.

    `path` is where the list is, `last` the highest page number that the API accepts.
    """
    page, size = request["page"], request["size"]
    end = min(-(-total // size), last)
    found = {"self": request.url_with(path), **links}
    if page < end:
        found["next"] = request.url_with(path, page=page + 1)
    if page > 1 and end:
        found["previous"] = request.url_with(path, page=min(page - 1, end))
    return {"total": total, "page": page, "size": size, "items": list(items), "links": found}
