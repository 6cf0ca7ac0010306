"""The operations of the API: path, parameters, handler and response schema of each.

An operation is declared once. The routes, the validation of parameters, the
OpenAPI document and the reference page all derive from that declaration.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Semaphore
from typing import Any
from urllib.parse import quote, urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from lycosa.errors import UnknownName
from lycosa.portal.api.problems import Problem
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.search import Engine

JSON = "application/json"
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")

AbsoluteUrl = Callable[[Request, str], str]
"""Returns the absolute URL of a path, as the client of a request reaches it."""
RunInThread = Callable[[Request, Callable[[], Response]], Awaitable[Response]]
"""Runs in a thread what responds to a request."""


@dataclass(frozen=True, slots=True)
class ApiContext:
    """The sources that handlers read from; shared by all requests."""

    catalogue: Catalogue
    """Works, authors, topics and documents."""
    engine: Engine
    """The search engine over the index of the same portal."""
    absolute_url: AbsoluteUrl
    """Makes the URLs in responses absolute, as the client reaches them."""
    version: str
    """The version of Lycosa, part of every ETag."""
    downloads: Semaphore
    """Limits how many exports run at once."""
    run: RunInThread
    """Runs handlers, which may take long."""


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request whose parameters have been validated."""

    http: Request
    """The request as Starlette received it."""
    values: Mapping[str, Any]
    """The value of every parameter of the operation, defaults included."""
    context: ApiContext

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def catalogue(self) -> Catalogue:
        """The works, authors, topics and documents of the portal."""
        return self.context.catalogue

    @property
    def engine(self) -> Engine:
        """The search engine of the portal."""
        return self.context.engine

    def url(self, path: str, **query: Any) -> str:
        """Return the absolute URL of a path with a query, from which empty values are left out.

        The path is percent-encoded, except for its slashes.
        """
        given = {
            key: str(value).lower() if isinstance(value, bool) else value
            for key, value in query.items()
            if value not in (None, "", (), [])
        }
        quoted = quote(path.encode("utf-8", "replace"), safe="/-._~")
        url = self.context.absolute_url(self.http, quoted)
        return f"{url}?{urlencode(given, doseq=True)}" if given else url

    def url_with(self, path: str, **query: Any) -> str:
        """Return the URL of a path with the query of this request, some values replaced."""
        return self.url(path, **{**self.given, **query})

    @property
    def given(self) -> dict[str, Any]:
        """The values of the query parameters that the client sent."""
        return {name: self.values[name] for name in self.http.query_params if name in self.values}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation; its JSON schema says which values are valid.

    >>> size = Parameter("size", "How many.", {"type": "integer", "minimum": 1, "default": 20})
    >>> size.read([]), size.read(["5"])
    (20, 5)
    >>> size.read(["0"])
    Traceback (most recent call last):
        ...
    lycosa.portal.api.problems.Problem: size must be at least 1, not '0'.
    """

    name: str
    description: str
    """A sentence for the OpenAPI document and the reference page."""
    schema: Mapping[str, Any]
    """JSON schema of the value; a query parameter without a `default` is required, unless it is an
    array, which needs `maxItems`."""
    location: str = "query"
    """`query` or `path`, as in OpenAPI."""
    example: Any = None
    """A value shown in the OpenAPI document; None for no example."""

    @property
    def required(self) -> bool:
        """Whether a request must give it."""
        optional = "default" in self.schema or self.many
        return self.location == "path" or not optional

    @property
    def many(self) -> bool:
        """Whether it may be repeated."""
        return bool(self.schema["type"] == "array")

    def read(self, given: Sequence[str]) -> Any:
        """Parse the values that a URL gives; raise `Problem` (422) if they are invalid."""
        if self.many:
            if len(given) > self.schema["maxItems"]:
                raise self._invalid(f"may be given at most {self.schema['maxItems']} times")
            return tuple(self._parse(value, self.schema["items"]) for value in dict.fromkeys(given))
        if len(given) > 1:
            raise self._invalid("may be given only once")
        if not given:
            if self.required:
                raise self._invalid("is required")
            return self.schema["default"]
        return self._parse(given[0], self.schema)

    def _parse(self, text: str, schema: Mapping[str, Any]) -> Any:
        shown = repr(text if len(text) < 50 else text[:50] + "…")
        if schema["type"] == "boolean":
            if text not in ("true", "false"):
                raise self._invalid(f"must be true or false, not {shown}")
            return text == "true"
        if schema["type"] == "integer":
            return self._parse_integer(text, shown)
        if "enum" in schema and text not in schema["enum"]:
            raise self._invalid(f"must be one of {', '.join(schema['enum'])}, not {shown}")
        if len(text) < schema.get("minLength", 0):
            raise self._invalid("must not be empty")
        if len(text) > schema.get("maxLength", len(text)):
            raise self._invalid(f"must have at most {schema['maxLength']:,} characters")
        return text

    def _parse_integer(self, text: str, shown: str) -> int:
        if not _INTEGER.fullmatch(text):
            raise self._invalid(f"must be an integer, not {shown}")
        number = int(text)
        if number < self.schema.get("minimum", number):
            raise self._invalid(f"must be at least {self.schema['minimum']:,}, not {shown}")
        if number > self.schema.get("maximum", number):
            raise self._invalid(f"must be at most {self.schema['maximum']:,}, not {shown}")
        return number

    def _invalid(self, reason: str) -> Problem:
        return Problem(422, f"{self.name} {reason}.", parameter=self.name)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API: GET on one path."""

    path: str
    """With parameters in the notation of OpenAPI: /api/works/{id}."""
    name: str
    """The `operationId` in OpenAPI."""
    summary: str
    """Its heading in the OpenAPI document and on the reference page."""
    handler: Callable[[ApiRequest], Any]
    """Returns what JSON encodes; for other media types a text, or an iterator of bytes."""
    schema: str = ""
    """The name of the JSON schema of the response; empty if the response is not JSON."""
    parameters: tuple[Parameter, ...] = ()
    """In the order of the documentation; paths below /api refuse any other query parameter."""
    media: str = JSON
    """The media type of the response."""
    uses_index: bool = False
    """Whether the response depends on the index, which is updated shortly after the catalogue."""
    may_redirect: bool = False
    """Whether it answers 301 for a work that was merged into another."""
    slashed: frozenset[str] = field(default=frozenset())
    """Path parameters whose value may contain slashes."""
    filename: str = ""
    """The name of the downloaded file; empty if the response is not a download."""

    @property
    def route(self) -> str:
        """The path in the notation of Starlette."""
        path = self.path
        for name in self.slashed:
            path = path.replace(f"{{{name}}}", f"{{{name}:path}}")
        return path

    @property
    def group(self) -> str:
        """The group that documentation lists it in: `api` (JSON) or `files`."""
        return "api" if self.schema else "files"

    def read(self, request: Request) -> dict[str, Any]:
        """Parse all parameters; raise `Problem` if one is unknown or invalid."""
        query: QueryParams = request.query_params
        known = [each.name for each in self.parameters if each.location == "query"]
        if self.path.startswith("/api"):
            for name in query:
                if name not in known:
                    error = UnknownName("parameter", name[:50], known)
                    raise Problem(400, str(error), parameter=name[:50])
        return {
            each.name: each.read(
                query.getlist(each.name)
                if each.location == "query"
                else [request.path_params[each.name]]
            )
            for each in self.parameters
        }
