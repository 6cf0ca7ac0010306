"""The reference page of the API, with the content of the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from starlette.requests import Request
from starlette.responses import Response

from lycosa.portal.api import OPERATIONS
from lycosa.portal.api.openapi import PROBLEMS
from lycosa.portal.api.schema_text import describe_schema
from lycosa.portal.api.schemas import SCHEMAS
from lycosa.portal.api.token_operations import TOKEN_OPERATIONS, TOKEN_PROBLEMS
from lycosa.portal.web.portal import Portal

TITLES: Mapping[str, str] = {"api": "JSON", "files": "Feeds, sitemaps and exports"}


def api_reference(portal: Portal, request: Request) -> Response:
    """Render all operations with their parameters and response schemas."""
    groups = groupby(sorted(OPERATIONS, key=lambda each: each.group), key=lambda each: each.group)
    return portal.render(
        request,
        "api-reference",
        groups=[(TITLES[name], list(operations)) for name, operations in groups],
        schemas=[(name, schema) for name, schema in SCHEMAS.items() if "properties" in schema],
        token_operations=TOKEN_OPERATIONS,
        problems=[
            (status, [meaning for _, meaning in some])
            for status, some in groupby(
                sorted((PROBLEMS | TOKEN_PROBLEMS).values()), key=lambda each: each[0]
            )
        ],
        describe_schema=describe_schema,
        base=portal.links.absolute(request, "/").removesuffix("/"),
    )
