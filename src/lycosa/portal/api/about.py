"""Operations that describe the API: its index, its status and the OpenAPI document."""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.portal.api.openapi import document
from lycosa.portal.api.operation import ApiRequest, Operation
from lycosa.portal.api.shapes import Shape


def status(request: ApiRequest) -> Shape:
    """Return the state of the portal."""
    meta = request.catalogue.meta
    return {
        "title": meta.get("title", ""),
        "description": meta.get("description", ""),
        "built": meta.get("built", ""),
        "generation": request.catalogue.generation,
        "version": request.context.version,
        "works": request.catalogue.counts(),
        "links": {"self": request.url("/api/status"), "html": request.url("/about")},
    }


def about(others: Sequence[Operation]) -> tuple[Operation, ...]:
    """Return the operations that describe all operations, themselves included."""

    def index(request: ApiRequest) -> Shape:
        meta = request.catalogue.meta
        return {
            "title": meta.get("title", ""),
            "description": meta.get("description", ""),
            "operations": [
                {
                    "path": each.path,
                    "summary": each.summary,
                    "parameters": [parameter.name for parameter in each.parameters],
                }
                for each in operations
            ],
            "links": {
                "self": request.url("/api"),
                "html": request.url("/"),
                "docs": request.url("/api/docs"),
                "status": request.url("/api/status"),
                "openapi": request.url("/openapi.json"),
            },
        }

    def openapi(request: ApiRequest) -> Shape:
        meta = request.catalogue.meta
        # Without a trailing slash, since all paths begin with one.
        server = request.url("/").removesuffix("/")
        return document(operations, server, meta.get("title", ""), meta.get("description", ""))

    own = (
        Operation("/api", "getIndex", "The operations of the API", index, "Index"),
        Operation("/api/status", "getStatus", "State of the portal", status, "Status"),
        Operation("/openapi.json", "getOpenAPI", "The OpenAPI document", openapi, "OpenAPI"),
    )
    operations = (*own, *others)
    return own
