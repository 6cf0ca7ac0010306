"""JSON schemas in words, for documentation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def describe_schema(schema: Mapping[str, Any]) -> str:
    """Return a short description of the values that a schema allows.

    >>> describe_schema({"type": "array", "items": {"$ref": "#/components/schemas/Work"}})
    'list of Work'
    >>> describe_schema({"type": "integer", "minimum": 1, "maximum": 100, "default": 20})
    'integer from 1 to 100, default 20'
    >>> describe_schema({"type": "string", "enum": ["cited", "new"]})
    'cited or new'
    """
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(map(describe_schema, schema["anyOf"]))
    if "maxItems" in schema:
        return f"{describe_schema(schema['items'])}; up to {schema['maxItems']} times"
    if schema["type"] == "array":
        return f"list of {describe_schema(schema['items'])}"
    if isinstance(schema.get("additionalProperties"), Mapping):
        return f"object of {describe_schema(schema['additionalProperties'])}"
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
        words += f", default {str(default).lower()}"
    return words
