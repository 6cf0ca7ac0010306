"""The tools that assistants call, each an operation of the API with a shorter answer.

>>> [tool.name for tool in TOOLS.values()]
['search', 'fetch', 'cites', 'cited_by', 'why']
>>> TOOLS["fetch"].input_schema["required"]
['id']
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.types import Scope

from lycosa.errors import LycosaError, UnknownName
from lycosa.portal.api import OPERATIONS
from lycosa.portal.api.operation import ApiContext, ApiRequest, Operation
from lycosa.portal.api.problems import Problem
from lycosa.portal.search.deadline import SearchTimeout

MAX_ABSTRACT_CHARACTERS: Final = 600
"""Of the abstract of a work in a list; the whole of it is in the answer of `fetch`."""
MAX_CONTEXTS: Final = 3
"""Citing sentences of one work in a list."""
NO_REQUEST: Final[Scope] = {"type": "http", "method": "GET", "headers": []}
"""The scope of a call that comes from no HTTP request."""

Shape = dict[str, Any]
_NAMES = {"query": "q"}  # what assistants expect, and what the API has

_log = logging.getLogger("lycosa.portal")


class ToolAnswer(NamedTuple):
    """The text that a tool answers, JSON or one sentence, and whether it is an error."""

    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its name, what it does, the operation behind it, and what shortens its answer.

    `hidden` are parameters of the operation that callers do not see, with their values;
    `work` is the parameter that has the id of a work.
    """

    name: str
    about: str
    operation: Operation
    shorten: Callable[[Shape], Shape]
    hidden: Mapping[str, str] = field(default_factory=dict)
    work: str = ""

    @property
    def input_schema(self) -> Shape:
        """The JSON schema of the arguments."""
        shown = [each for each in self.operation.parameters if each.name not in self.hidden]
        names = {inner: outer for outer, inner in _NAMES.items()}
        return {
            "type": "object",
            "properties": {
                names.get(each.name, each.name): {
                    **each.schema,
                    "description": each.description,
                }
                for each in shown
            },
            "required": [names.get(each.name, each.name) for each in shown if each.required],
            "additionalProperties": False,
        }

    def call(
        self, arguments: Mapping[str, Any], context: ApiContext, scope: Scope = NO_REQUEST
    ) -> ToolAnswer:
        """Return the answer to a call; `scope` is that of the HTTP request that it came with."""
        try:
            values = {_NAMES.get(name, name): _texts(arguments[name]) for name in arguments}
            if self.work and (named := values.get(self.work)):
                # A work that was merged into another is found under its former id, too.
                moved = named[0].isprintable() and context.catalogue.moved(named[0])
                values[self.work] = [moved or named[0], *named[1:]]
            result = self._run(values, context, scope)
        except Problem as problem:
            _log.debug("the tool %s answers %d", self.name, problem.status)
            return ToolAnswer(problem.detail, is_error=True)
        except SearchTimeout as error:
            _log.warning("the tool %s took too long", self.name)
            return ToolAnswer(str(error), is_error=True)
        except (LycosaError, sqlite3.DatabaseError) as error:
            _log.warning("cannot read the portal for the tool %s", self.name, exc_info=error)
            return ToolAnswer("The portal cannot be read now. Try again later.", is_error=True)
        shortened = self.shorten(result)
        return ToolAnswer(json.dumps(shortened, ensure_ascii=False, separators=(",", ":")))

    def _run(self, values: Mapping[str, list[str]], context: ApiContext, scope: Scope) -> Shape:
        places = [each.name for each in self.operation.parameters if each.location == "path"]
        for name in places:
            if len(values.get(name, [])) != 1:
                raise Problem(422, f"{name} must be given once.")
        query = {name: given for name, given in values.items() if name not in places}
        request = Request(
            {
                **scope,
                "path_params": {name: values[name][0] for name in places},
                "query_string": urlencode(query | dict(self.hidden), doseq=True).encode(),
            }
        )
        found: Shape = self.operation.handler(
            ApiRequest(request, self.operation.read(request), context)
        )
        return found


def call_tool(
    name: str, arguments: Mapping[str, Any], context: ApiContext, scope: Scope = NO_REQUEST
) -> ToolAnswer:
    """Return the answer of the tool of a name."""
    if name not in TOOLS:
        return ToolAnswer(str(UnknownName("tool", name[:50], TOOLS)), is_error=True)
    return TOOLS[name].call(arguments, context, scope)


def _texts(value: Any) -> list[str]:
    """Return an argument as a URL gives it; nothing for null."""
    values = value if isinstance(value, list) else [value]
    found = [
        each if isinstance(each, str) else json.dumps(each) for each in values if each is not None
    ]
    return [text.encode("utf-8", "replace").decode() for text in found]


def _work(found: Shape, limit: int = MAX_ABSTRACT_CHARACTERS) -> Shape:
    """Return what an assistant needs of a work, without what is not known."""
    abstract = found["abstract"]
    shown = {
        "id": found["id"],
        "title": found["title"],
        "authors": [author["name"] for author in found["authors"]],
        "year": found["year"],
        "published_in": found["venue"],
        "doi": found["doi"],
        "abstract": abstract if len(abstract) <= limit else f"{abstract[:limit]}…",
        "cited_by": found["cited_by"],
        "only_cited": found["kind"] == "cited",
        "read_at": found["url"],
        "page": _absolute(found["links"]["html"]),
    }
    return {name: value for name, value in shown.items() if value not in ("", None, [], False)}


def _absolute(url: str) -> str:
    """Return a URL, or nothing where the portal has no address."""
    return url if url.startswith(("http://", "https://")) else ""


def _results(found: Shape) -> Shape:
    notes = {name: found[name] for name in ("notice", "suggestion") if found[name]}
    works = [
        {**_work(each["work"]), "snippet": "".join(piece["text"] for piece in each["snippet"])}
        for each in found["items"]
    ]
    return {"total": found["total"], "page": found["page"], **notes, "works": works}


def _whole_work(found: Shape) -> Shape:
    return {
        **_work(found, len(found["abstract"])),
        "citation": found["citation"],
        "cites": found["cites"],
        "topics": [topic["name"] for topic in found["topics"]],
        "licence": found["licence"],
        "copies": [{"url": copy["url"], "type": copy["type"]} for copy in found["copies"]],
    }


def _citations(found: Shape) -> Shape:
    works = [
        {**_work(each["work"]), "sentences": each["contexts"][:MAX_CONTEXTS]}
        for each in found["items"]
    ]
    return {"total": found["total"], "page": found["page"], "works": works}


def _reasons(found: Shape) -> Shape:
    return {**found, "work": _work(found["work"]), "links": {"html": found["links"]["html"]}}


def _tools() -> Iterable[Tool]:
    operations = {each.name: each for each in OPERATIONS}
    yield Tool(
        "search",
        "Search the portal. Returns works with their ids, where each can be read, and its page.",
        operations["search"],
        _results,
        {"facets": "false"},
    )
    yield Tool(
        "fetch",
        "Get a work by id: its abstract, a citation to quote, and the documents to read it in.",
        operations["getWork"],
        _whole_work,
        work="id",
    )
    yield Tool(
        "cites",
        "List the works that a work cites, with the sentences that cite them.",
        operations["listCites"],
        _citations,
        work="id",
    )
    yield Tool(
        "cited_by",
        "List the works that cite a work, the most cited first, with the sentences that cite it.",
        operations["listCitedBy"],
        _citations,
        work="id",
    )
    yield Tool(
        "why",
        "Explain why a work is among the results of a query: the words and signals that matched.",
        operations["explain"],
        _reasons,
        work="work",
    )


TOOLS: Final[Mapping[str, Tool]] = MappingProxyType({tool.name: tool for tool in _tools()})
"""The tools by name."""
