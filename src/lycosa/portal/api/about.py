"""The API about itself: what can be asked, and the state of the portal."""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.portal.api.openapi import document
from lycosa.portal.api.operation import Asked, Operation
from lycosa.portal.api.shapes import Shape


def status(asked: Asked) -> Shape:
    """The state of the portal."""
    meta = asked.catalogue.meta
    return {
        "title": meta.get("title", ""),
        "description": meta.get("description", ""),
        "built": meta.get("built", ""),
        "generation": asked.catalogue.generation,
        "version": asked.sources.version,
        "works": asked.catalogue.counts(),
        "links": {"self": asked.url("/api/status"), "html": asked.url("/about")},
    }


def about(others: Sequence[Operation]) -> tuple[Operation, ...]:
    """The operations that tell of the others, and of themselves."""

    def index(asked: Asked) -> Shape:
        meta = asked.catalogue.meta
        return {
            "title": meta.get("title", ""),
            "description": meta.get("description", ""),
            "operations": [
                {
                    "path": each.path,
                    "summary": each.words,
                    "parameters": [parameter.name for parameter in each.parameters],
                }
                for each in every
            ],
            "links": {
                "self": asked.url("/api"),
                "html": asked.url("/"),
                "docs": asked.url("/api/docs"),
                "status": asked.url("/api/status"),
                "openapi": asked.url("/openapi.json"),
            },
        }

    def openapi(asked: Asked) -> Shape:
        meta = asked.catalogue.meta
        # Without a slash at its end, since all paths begin with one.
        server = asked.url("/").removesuffix("/")
        return document(every, server, meta.get("title", ""), meta.get("description", ""))

    own = (
        Operation("/api", "getIndex", "What can be asked", index, "Index"),
        Operation("/api/status", "getStatus", "The state of the portal", status, "Status"),
        Operation("/openapi.json", "getOpenAPI", "The OpenAPI document", openapi, "OpenAPI"),
    )
    every = (*own, *others)
    return own
