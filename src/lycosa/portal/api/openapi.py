"""The OpenAPI 3.1 document, made of the table that the routes are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lycosa.portal.api.operation import Operation, Parameter
from lycosa.portal.api.problems import MEDIA
from lycosa.portal.api.schemas import SCHEMAS, named

VERSION = "1.0.0"
"""Of what is promised: its first number changes when a program that uses it must, too."""
PROBLEMS = {
    "BadRequest": (400, "There is no such parameter, or the host is not served here."),
    "NotFound": (404, "There is nothing of that name."),
    "NotAllowed": (405, "Everything is for reading only."),
    "TooLong": (414, "The address is too long."),
    "Unprocessable": (422, "A parameter has a value that it cannot have."),
    "TooMany": (429, "Too much was asked for at once; Retry-After says how many seconds to wait."),
    "Unavailable": (503, "The portal cannot be read just now; try again soon."),
}
"""What may be wrong: the names of the answers, their status and what it means."""


def document(
    operations: Iterable[Operation], server: str, title: str, description: str
) -> dict[str, Any]:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": title or "Search",
            "version": VERSION,
            "description": description
            or "A search engine of papers and pages. All of it is for reading.",
        },
        "servers": [{"url": server}],
        "paths": {each.path: {"get": _operation(each)} for each in operations},
        "components": {
            "schemas": dict(SCHEMAS),
            "responses": {name: _problem(*facts) for name, facts in PROBLEMS.items()},
            "headers": {
                "ETag": {
                    "description": "Names the state of the answer; send it as If-None-Match.",
                    "schema": {"type": "string"},
                },
                "RetryAfter": {
                    "description": "Seconds to wait.",
                    "schema": {"type": "integer", "minimum": 0},
                },
            },
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    answers: dict[str, Any] = {
        "200": {
            "description": f"{operation.summary}.",
            "headers": {"ETag": {"$ref": "#/components/headers/ETag"}},
            "content": {operation.media: {"schema": _schema(operation)}},
        },
        "304": {"description": "Nothing has changed since."},
    }
    if operation.may_redirect:
        answers["301"] = {
            "description": "The work was joined with another; Location says with which.",
            "headers": {"Location": {"schema": {"type": "string", "format": "uri"}}},
        }
    names = [*PROBLEMS]
    if not operation.parameters:
        names.remove("Unprocessable")
    for name in names:
        answers[str(PROBLEMS[name][0])] = {"$ref": f"#/components/responses/{name}"}
    return {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.group],
        "parameters": [_parameter(each) for each in operation.parameters],
        "responses": dict(sorted(answers.items())),
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
