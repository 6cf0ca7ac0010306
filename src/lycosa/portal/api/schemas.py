"""What answers look like, as JSON schemas by name; the OpenAPI document holds them all.

Every property named is always there, and no other one is.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
NUMBER: Schema = {"type": "number"}
TRUTH: Schema = {"type": "boolean"}


def _said(schema: Schema, words: str) -> Schema:
    return {**schema, "description": words}


def _object(words: str, /, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "description": words,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Schema, words: str = "") -> Schema:
    return {"type": "array", "items": items} | ({"description": words} if words else {})


def _map(values: Schema, words: str) -> Schema:
    return {"type": "object", "additionalProperties": values, "description": words}


def named(name: str) -> Schema:
    """A schema that is written elsewhere in the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def _page(words: str, item: str, /, **more: Schema) -> Schema:
    return _object(
        words,
        **more,
        total=_said(COUNT, "How many there are on all pages."),
        page=_said({"type": "integer", "minimum": 1}, "Which page this is."),
        size=_said({"type": "integer", "minimum": 1}, "How many a page holds."),
        items=_list(named(item)),
        links=named("Links"),
    )


_LINKS = {"links": named("Links")}
_WORK: dict[str, Schema] = {
    "id": _said(TEXT, "Stable: a work that was joined with another has moved to it."),
    "kind": {
        "type": "string",
        "enum": ["paper", "page", "cited"],
        "description": "A paper, a web page, or a work that is only cited here.",
    },
    "title": TEXT,
    "authors": _list(named("Name")),
    "year": {"type": ["integer", "null"]},
    "date": _said(TEXT, "ISO 8601 as far as it is known: 1999, 1999-05, or empty."),
    "venue": TEXT,
    "volume": TEXT,
    "pages": TEXT,
    "abstract": TEXT,
    "language": _said(TEXT, "ISO 639-1, or empty."),
    "site": _said(TEXT, "The host of its best copy."),
    "url": _said(TEXT, "Of its best copy, where it was found; empty for what is only cited."),
    "document": _said(TEXT, "The id of its best copy, or empty."),
    "type": _said(TEXT, "The MIME type of its best copy, or empty."),
    "cited_by": _said(COUNT, "By how many works here."),
    "cites": _said(COUNT, "How many works."),
    "rank": _said(NUMBER, "PageRank among citations; 1 is the mean."),
    "topics": _list(named("Placed"), "The most likely first."),
}
_COPY: dict[str, Schema] = {
    "id": TEXT,
    "url": _said(TEXT, "Where it was found."),
    "time": _said(TEXT, "When it was fetched, ISO 8601."),
    "type": _said(TEXT, "Its media type."),
    "bytes": COUNT,
    "digest": _said(TEXT, "Equal for equal bytes."),
    "title": TEXT,
}
_TOPIC: dict[str, Schema] = {
    "id": _said(TEXT, "Its path in the tree."),
    "name": TEXT,
    "parent": {"type": ["string", "null"], "description": "The id of the topic above."},
    "note": TEXT,
    "works": _said(COUNT, "How many are in it and below it."),
    "words": _list(TEXT, "What its works talk about, the most telling first."),
}

SCHEMAS: Mapping[str, Schema] = MappingProxyType(
    {
        "Links": _map(
            {"type": "string", "format": "uri"},
            "Where else to look; self is this, html a page for people, next and previous are "
            "there if there is such a page.",
        ),
        "Problem": {
            "type": "object",
            "description": "What is wrong with a request (RFC 9457).",
            "properties": {
                "type": TEXT,
                "title": TEXT,
                "status": {"type": "integer"},
                "detail": _said(TEXT, "A sentence for people."),
                "parameter": _said(TEXT, "The one that is wrong, if it is one."),
            },
            "required": ["type", "title", "status", "detail"],
            "additionalProperties": False,
        },
        "Name": _object("Somebody, as a work has the name.", id=TEXT, name=TEXT),
        "Placed": _object(
            "A topic of a work, and how sure that is.", id=TEXT, name=TEXT, sure=SHARE
        ),
        "Fact": _object(
            "A field of a work.",
            value=TEXT,
            sure=_said(NUMBER, "How sure it is, from 0 to 1."),
            source=_said(TEXT, "Where it is from: header, references, person, or a document."),
        ),
        "Work": _object("A work in a list.", **_WORK, **_LINKS),
        "WholeWork": _object(
            "All about a work.",
            **_WORK,
            facts=_map(named("Fact"), "Where each field is from."),
            citation=_said(TEXT, "As a person would type it."),
            copies=_list(named("Copy")),
            **_LINKS,
        ),
        "Works": _object(
            "A part of all works, in the order of their ids.",
            total=COUNT,
            size=COUNT,
            items=_list(named("Work")),
            **_LINKS,
        ),
        "Copy": _object("A document of a work.", **_COPY, **_LINKS),
        "Document": _object(
            "A document with its text.",
            **_COPY,
            kind=_said(TEXT, "paper, page, or none."),
            outcome=_said(TEXT, "text, or why there is none."),
            sure=_said(NUMBER, "The probability that it is a paper."),
            date=TEXT,
            language=TEXT,
            abstract=TEXT,
            text=TEXT,
            work=_said(TEXT, "The id of the work that it is a copy of, or empty."),
            **_LINKS,
        ),
        "Citation": _object(
            "A citation, seen from one of its two works.",
            work=named("Work"),
            number=_said(COUNT, "In the list of references; 0 if it is not known."),
            text=_said(TEXT, "The reference as it was printed."),
            contexts=_list(TEXT, "The sentences that cite."),
            sure=_said(NUMBER, "How sure it is that this work is meant."),
        ),
        "Citations": _page("A page of citations.", "Citation"),
        "Together": _object(
            "A work that has citations in common with another.", work=named("Work"), count=COUNT
        ),
        "Related": _object(
            "What is near a work.",
            related=_list(named("Work"), "Works that say the like."),
            cocited=_list(named("Together"), "Cited together with it, and by how many."),
            coupled=_list(named("Together"), "Citing the same, and how much of it."),
            **_LINKS,
        ),
        "Topic": _object("A topic of the tree.", **_TOPIC, **_LINKS),
        "Topics": _object(
            "The tree, each topic before those below it.", items=_list(named("Topic")), **_LINKS
        ),
        "TopicWorks": _page(
            "A topic, and a page of its works.",
            "Work",
            topic=named("Topic"),
            below=_list(named("Topic"), "The topics right below it."),
        ),
        "Author": _object("Somebody who wrote works.", id=TEXT, name=TEXT, **_LINKS),
        "Coauthor": _object(
            "With whom somebody wrote, and how often.", author=named("Author"), count=COUNT
        ),
        "AuthorWorks": _page(
            "Somebody, and a page of their works, the newest first.",
            "Work",
            author=named("Author"),
            coauthors=_list(named("Coauthor")),
        ),
        "Piece": _object("A piece of a text, and whether it matched.", text=TEXT, match=TRUTH),
        "Hit": _object(
            "A work that was found.",
            work=named("Work"),
            score=NUMBER,
            title=_list(named("Piece"), "The title in pieces."),
            snippet=_list(named("Piece"), "The part that has most of the query, in pieces."),
        ),
        "Facet": _object(
            "A value to narrow results by.", value=TEXT, label=TEXT, count=COUNT, chosen=TRUTH
        ),
        "Results": _page(
            "A page of what was found.",
            "Hit",
            q=_said(TEXT, "The query."),
            notice=_said(TEXT, "What could not be understood and what was done instead."),
            suggestion=_said(TEXT, "A query that finds more, spelt nearly the same, or empty."),
            facets=_map(_list(named("Facet")), "By the names of the parameters that narrow."),
        ),
        "Completions": _object("What may be meant.", q=TEXT, completions=_list(TEXT)),
        "Suggestions": {
            "type": "array",
            "description": "What was typed, and what may be meant, as browsers want it.",
            "items": {"anyOf": [TEXT, _list(TEXT)]},
            "minItems": 2,
            "maxItems": 2,
        },
        "Status": _object(
            "The state of the portal.",
            title=TEXT,
            description=TEXT,
            built=_said(TEXT, "When, ISO 8601."),
            generation=_said(TEXT, "Another one after each build that changed something."),
            version=_said(TEXT, "Of the program."),
            works=_map(COUNT, "How many there are of each kind."),
            **_LINKS,
        ),
        "Index": _object(
            "What can be asked.",
            title=TEXT,
            description=TEXT,
            operations=_list(
                _object("An operation.", path=TEXT, summary=TEXT, parameters=_list(TEXT))
            ),
            **_LINKS,
        ),
        "OpenAPI": {"type": "object", "description": "This document."},
    }
)
