"""The API about itself: what can be request, and the state of the portal."""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.portal.api.openapi import document
from lycosa.portal.api.operation import ApiRequest, Operation
from lycosa.portal.api.shapes import Shape


def status(request: ApiRequest) -> Shape:
    """The state of the portal."""
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
    """The operations that tell of the others, and of themselves."""

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
                for each in every
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
        # Without a slash at its end, since all paths begin with one.
        server = request.url("/").removesuffix("/")
        return document(every, server, meta.get("title", ""), meta.get("description", ""))

    own = (
        Operation("/api", "getIndex", "What can be request", index, "Index"),
        Operation("/api/status", "getStatus", "The state of the portal", status, "Status"),
        Operation("/openapi.json", "getOpenAPI", "The OpenAPI document", openapi, "OpenAPI"),
    )
    every = (*own, *others)
    return own
