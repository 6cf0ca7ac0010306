"""The OpenAPI 3.1 document, generated from the declarations of operations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lycosa.portal.api.operation import Operation, Parameter
from lycosa.portal.api.problems import MEDIA
from lycosa.portal.api.schemas import SCHEMAS, named
from lycosa.portal.api.token_operations import (
    SECURITY_SCHEMES,
    TOKEN_OPERATIONS,
    TOKEN_PROBLEMS,
    TokenOperation,
)

VERSION = "1.0.0"
"""Version of the API (not of Lycosa): the major number changes when clients must change."""
PROBLEMS = {
    "BadRequest": (400, "The parameter does not exist, or the portal does not serve this host."),
    "NotFound": (404, "There is no such resource."),
    "NotAllowed": (405, "The method is not possible there: GET, HEAD and OPTIONS mostly are."),
    "TooLong": (414, "The URL is too long."),
    "Unprocessable": (422, "The value of a parameter is invalid."),
    "TooMany": (429, "Too many requests; Retry-After gives the seconds to wait."),
    "Unavailable": (
        503,
        "The portal cannot be read at the moment, for instance during a build; try again.",
    ),
}
"""The error responses: their name in the document, status and meaning."""


def document(
    operations: Iterable[Operation], server: str, title: str, description: str
) -> dict[str, Any]:
    """Return the document as an object to encode as JSON."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": title or "Search",
            "version": VERSION,
            "description": description
            or "A search engine for papers and pages. The API is read-only without a token.",
        },
        "servers": [{"url": server}],
        "paths": _paths(operations),
        "components": {
            "schemas": dict(SCHEMAS),
            "responses": {
                name: _problem(*facts) for name, facts in (PROBLEMS | TOKEN_PROBLEMS).items()
            },
            "securitySchemes": SECURITY_SCHEMES,
            "headers": {
                "ETag": {
                    "description": "Identifies the state of the response, for If-None-Match.",
                    "schema": {"type": "string"},
                },
                "RetryAfter": {
                    "description": "Seconds to wait before the next request.",
                    "schema": {"type": "integer", "minimum": 0},
                },
            },
        },
    }


def _paths(operations: Iterable[Operation]) -> dict[str, Any]:
    found: dict[str, Any] = {each.path: {"get": _operation(each)} for each in operations}
    for each in TOKEN_OPERATIONS:
        found.setdefault(each.path, {})[each.method.lower()] = _token_operation(each)
    return found


def _token_operation(operation: TokenOperation) -> dict[str, Any]:
    found = operation.document()
    for name in operation.problem_names:
        status = (PROBLEMS | TOKEN_PROBLEMS)[name][0]
        found["responses"][str(status)] = _problem_reference(name)
    return found


def _problem_reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/responses/{name}"}


def _operation(operation: Operation) -> dict[str, Any]:
    responses: dict[str, Any] = {
        "200": {
            "description": f"{operation.summary}.",
            "headers": {"ETag": {"$ref": "#/components/headers/ETag"}},
            "content": {operation.media: {"schema": _schema(operation)}},
        },
        "304": {"description": "Nothing has changed since the response with this ETag."},
    }
    if operation.may_redirect:
        responses["301"] = {
            "description": "The work was merged into another; Location is the URL of that work.",
            "headers": {"Location": {"schema": {"type": "string", "format": "uri"}}},
        }
    names = [*PROBLEMS]
    if not operation.parameters:
        names.remove("Unprocessable")
    for name in names:
        responses[str(PROBLEMS[name][0])] = _problem_reference(name)
    return {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.group],
        "parameters": [_parameter(each) for each in operation.parameters],
        "responses": dict(sorted(responses.items())),
    }


def _schema(operation: Operation) -> dict[str, Any]:
    if operation.schema:
        return named(operation.schema)
    return {"type": "string"}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": parameter.name,
        "in": parameter.location,
        "required": parameter.required,
        "description": parameter.description,
        "schema": dict(parameter.schema),
    }
    if parameter.many:
        found |= {"style": "form", "explode": True}
    if parameter.example is not None:
        found["example"] = parameter.example
    return found


def _problem(status: int, words: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "description": words,
        "content": {MEDIA: {"schema": named("Problem")}},
    }
    if status in (429, 503):
        found["headers"] = {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}}
    return found
