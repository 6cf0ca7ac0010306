"""What can be asked: an address, its parameters, and what makes the answer.

An operation is said once. The routes, the checks of parameters, the OpenAPI
document and the page for people are all made of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Semaphore
from typing import Any
from urllib.parse import quote, urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request

from lycosa.errors import UnknownName
from lycosa.portal.api.problems import Problem
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.search import Engine

JSON = "application/json"
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


Absolute = Callable[[Request, str], str]
"""Makes a URL of a path, as the one who asked must write it."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Who can answer: shared by all requests."""

    catalogue: Catalogue
    engine: Engine
    absolute: Absolute
    version: str
    """Of this program."""
    downloads: Semaphore
    """How many more exports may be under way."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was understood."""

    request: Request
    values: Mapping[str, Any]
    sources: Sources

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def catalogue(self) -> Catalogue:
        """What the portal holds."""
        return self.sources.catalogue

    @property
    def engine(self) -> Engine:
        """What finds it."""
        return self.sources.engine

    def url(self, path: str, **query: Any) -> str:
        """The URL of something here; a query has no part that is empty.

        What is in a path is escaped, slashes apart.
        """
        known = {
            key: str(value).lower() if isinstance(value, bool) else value
            for key, value in query.items()
            if value not in (None, "", (), [])
        }
        inside = quote(path.encode("utf-8", "replace"), safe="/-._~")
        found = self.sources.absolute(self.request, inside)
        return f"{found}?{urlencode(known, doseq=True)}" if known else found

    def near(self, path: str, **query: Any) -> str:
        """The same question, put to a path, with some values changed."""
        return self.url(path, **{**self.given, **query})

    @property
    def given(self) -> dict[str, Any]:
        """The values of the query as they were given."""
        return {
            name: self.values[name] for name in self.request.query_params if name in self.values
        }


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that a request gives; what it may be is said as a JSON schema.

    >>> size = Parameter("size", "How many.", {"type": "integer", "minimum": 1, "default": 20})
    >>> size.read([]), size.read(["5"])
    (20, 5)
    >>> size.read(["0"])
    Traceback (most recent call last):
        ...
    lycosa.portal.api.problems.Problem: size is at least 1, not '0'.
    """

    name: str
    words: str
    schema: Mapping[str, Any]
    where: str = "query"
    example: Any = None

    @property
    def required(self) -> bool:
        """Whether a request must have it."""
        optional = "default" in self.schema or self.many
        return self.where == "path" or not optional

    @property
    def many(self) -> bool:
        """Whether it may be given several times."""
        return bool(self.schema["type"] == "array")

    def read(self, given: Sequence[str]) -> Any:
        """The value, from what stands in the address."""
        if self.many:
            if len(given) > self.schema["maxItems"]:
                raise self._wrong(f"is given at most {self.schema['maxItems']} times")
            return tuple(self._one(value, self.schema["items"]) for value in dict.fromkeys(given))
        if len(given) > 1:
            raise self._wrong("is given once")
        if not given:
            if self.required:
                raise self._wrong("is needed")
            return self.schema["default"]
        return self._one(given[0], self.schema)

    def _one(self, text: str, schema: Mapping[str, Any]) -> Any:
        shown = repr(text if len(text) < 50 else text[:50] + "…")
        if schema["type"] == "boolean":
            if text not in ("true", "false"):
                raise self._wrong(f"is true or false, not {shown}")
            return text == "true"
        if schema["type"] == "integer":
            return self._integer(text, shown)
        if "enum" in schema and text not in schema["enum"]:
            raise self._wrong(f"is one of {', '.join(schema['enum'])}, not {shown}")
        if len(text) < schema.get("minLength", 0):
            raise self._wrong("is not empty")
        if len(text) > schema.get("maxLength", len(text)):
            raise self._wrong(f"has at most {schema['maxLength']:,} characters")
        return text

    def _integer(self, text: str, shown: str) -> int:
        if not _INTEGER.fullmatch(text):
            raise self._wrong(f"is a whole number, not {shown}")
        number = int(text)
        if number < self.schema.get("minimum", number):
            raise self._wrong(f"is at least {self.schema['minimum']:,}, not {shown}")
        if number > self.schema.get("maximum", number):
            raise self._wrong(f"is at most {self.schema['maximum']:,}, not {shown}")
        return number

    def _wrong(self, words: str) -> Problem:
        return Problem(422, f"{self.name} {words}.", parameter=self.name)


@dataclass(frozen=True, slots=True)
class Operation:
    """Something to ask for at an address."""

    path: str
    """As OpenAPI writes it: /api/works/{id}."""
    name: str
    words: str
    make: Callable[[Asked], Any]
    """What JSON is made of; or a text, or pieces of bytes, if it is of another media type."""
    answer: str = ""
    """The schema of the JSON, by its name."""
    parameters: tuple[Parameter, ...] = ()
    media: str = JSON
    searches: bool = False
    """Whether the index has a part in it, which follows the catalogue with a little delay."""
    moves: bool = False
    """Whether it may have another address by now."""
    deep: frozenset[str] = field(default=frozenset())
    """Parameters of the path that may hold slashes."""
    file: str = ""
    """The name under which it is saved."""

    @property
    def route(self) -> str:
        """The path as Starlette writes it."""
        path = self.path
        for name in self.deep:
            path = path.replace(f"{{{name}}}", f"{{{name}:path}}")
        return path

    @property
    def group(self) -> str:
        """What it is listed under."""
        return "api" if self.answer else "files"

    def read(self, request: Request) -> dict[str, Any]:
        """The values of all parameters, or a problem."""
        query: QueryParams = request.query_params
        known = [each.name for each in self.parameters if each.where == "query"]
        if self.path.startswith("/api"):
            for name in query:
                if name not in known:
                    error = UnknownName("parameter", name[:50], known)
                    raise Problem(400, str(error), parameter=name[:50])
        return {
            each.name: each.read(
                query.getlist(each.name)
                if each.where == "query"
                else [request.path_params[each.name]]
            )
            for each in self.parameters
        }
