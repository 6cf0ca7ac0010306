"""The page about the API in the documentation, from the operations themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lycosa.portal.api.openapi import PROBLEMS
from lycosa.portal.api.operation import Operation
from lycosa.portal.api.schemas import SCHEMAS

_BEGIN = """\
# The API of a portal

Written by `make docs` from the code itself; a portal has the same page at `/api/docs` and the \
same for machines, OpenAPI 3.1, at `/openapi.json`. \
[How to use the API](../how-to/use-the-api.md) shows it at work.

Everything is for reading (`GET`, `HEAD`), needs no key, and may be read by the pages of other \
sites (`Access-Control-Allow-Origin: *`). Ids are stable: a work that was joined with another \
answers 301 with the address it has now. Every answer has an `ETag`; sent back as \
`If-None-Match` it is answered 304 if nothing has changed since. Lists have `links.next` and \
`links.previous` where there is such a page, and `total`. A parameter that does not exist is \
refused under `/api` and ignored elsewhere.
"""
_TITLES = {"api": "JSON", "files": "Feeds, maps and exports"}


def reference(operations: Iterable[Operation]) -> str:
    """The page."""
    return "\n".join([_BEGIN, *_lines(list(operations))]) + "\n"


def _lines(operations: list[Operation]) -> Iterator[str]:
    yield from ("## What may be wrong", "")
    yield "Told as [Problem](#problem), `application/problem+json` (RFC 9457)."
    yield from ("", "| status | |", "|---|---|")
    yield from (f"| {status} | {words} |" for status, words in sorted(PROBLEMS.values()))
    for group, title in _TITLES.items():
        yield from ("", f"## {title}")
        for each in operations:
            if each.group == group:
                yield from _operation(each)
    yield from ("", "## Answers")
    for name, schema in SCHEMAS.items():
        if "properties" in schema:
            yield from ("", f"### {name}", "", schema["description"])
            yield from ("", "| field | value | |", "|---|---|---|")
            for field, value in schema["properties"].items():
                yield f"| `{field}` | {kind(value)} | {value.get('description', '')} |"


def _operation(operation: Operation) -> Iterator[str]:
    described = "properties" in SCHEMAS.get(operation.answer, {})
    answer = f"[{operation.answer}](#{operation.answer.lower()})" if described else ""
    yield from ("", f"### GET {operation.path}", "")
    yield f"{operation.words}. Answers {answer or f'`{operation.media}`'}."
    if operation.parameters:
        yield from ("", "| parameter | value | |", "|---|---|---|")
    for each in operation.parameters:
        needed = " Needed." if each.required else ""
        yield f"| `{each.name}` | {kind(each.schema)} | {each.words}{needed} |"


def kind(schema: Mapping[str, Any]) -> str:
    """What a value may be, in a few words.

    >>> kind({"type": "array", "items": {"$ref": "#/components/schemas/Work"}})
    'list of Work'
    >>> kind({"type": "integer", "minimum": 1, "maximum": 100, "default": 20})
    'integer from 1 to 100, else 20'
    >>> kind({"type": "string", "enum": ["cited", "new"]})
    'cited or new'
    """
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "maxItems" in schema:
        return f"{kind(schema['items'])}; up to {schema['maxItems']} times"
    if schema["type"] == "array":
        return f"list of {kind(schema['items'])}"
    if isinstance(schema.get("additionalProperties"), Mapping):
        return f"object of {kind(schema['additionalProperties'])}"
    if "enum" in schema:
        words = " or ".join(schema["enum"])
    elif isinstance(schema["type"], list):
        words = " or ".join(schema["type"])
    else:
        words = str(schema["type"])
    if "maximum" in schema:
        words += f" from {schema['minimum']} to {schema['maximum']:,}"
    if "maxLength" in schema:
        words += f" of at most {schema['maxLength']:,} characters"
    if (default := schema.get("default")) not in (None, ""):
        words += f", else {str(default).lower()}"
    return words
