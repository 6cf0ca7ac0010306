"""The JSON schemas of all responses, by name; the OpenAPI document includes them.

A response has all properties of its schema and no others. The properties of a
work derive from the table in `portal.fields`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from lycosa.portal.corrections import KINDS
from lycosa.portal.field_spec import WorkField
from lycosa.portal.fields import FIELDS, Author, TopicAssignment
from lycosa.portal.search.explanation import MATCHED_FIELDS

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
PROBABILITY: Schema = {"type": "number", "minimum": 0, "maximum": 1}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}


def _described(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}


def _object(description: str, /, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Schema, description: str = "") -> Schema:
    return {"type": "array", "items": items} | ({"description": description} if description else {})


def _map(values: Schema, description: str) -> Schema:
    return {"type": "object", "additionalProperties": values, "description": description}


def named(name: str) -> Schema:
    """Return a reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def _page(description: str, item: str, /, **more: Schema) -> Schema:
    return _object(
        description,
        **more,
        total=_described(COUNT, "How many there are on all pages."),
        page=_described({"type": "integer", "minimum": 1}, "Which page this is."),
        size=_described({"type": "integer", "minimum": 1}, "How many a page holds."),
        items=_list(named(item)),
        links=named("Links"),
    )


_LINKS = {"links": named("Links")}
_SIGNALS_OR_NULL: Schema = {
    "anyOf": [named("Signals"), {"type": "null"}],
    "description": "Null if works are not ranked by words, or if this one is far behind.",
}
_TYPES: Mapping[Any, Schema] = {
    str: TEXT,
    int: COUNT,
    int | None: {"type": ["integer", "null"]},
    float: NUMBER,
    tuple[Author, ...]: _list(named("Name")),
    tuple[TopicAssignment, ...]: _list(named("Placed")),
}


def _property(field: WorkField) -> Schema:
    found = dict(_TYPES[field.type])
    if field.spec.choices:
        found["enum"] = list(field.spec.choices)
    if about := field.spec.about:
        found["description"] = f"{about[0].upper()}{about[1:]}."
    return found


_WORK: dict[str, Schema] = {
    name: _property(field) for name, field in FIELDS.items() if field.spec.exported
}
_COPY: dict[str, Schema] = {
    "id": TEXT,
    "url": _described(TEXT, "Where it was found."),
    "time": _described(TEXT, "When it was fetched, ISO 8601."),
    "type": _described(TEXT, "Its media type."),
    "bytes": COUNT,
    "digest": _described(TEXT, "Hash of the body; equal for equal bodies."),
    "title": TEXT,
}
_TOPIC: dict[str, Schema] = {
    "id": _described(TEXT, "Its path in the tree."),
    "name": TEXT,
    "parent": {"type": ["string", "null"], "description": "The id of the topic above."},
    "note": TEXT,
    "works": _described(COUNT, "How many are in it and below it."),
    "words": _list(TEXT, "The words that distinguish its works, the most telling first."),
}

SCHEMAS: Mapping[str, Schema] = MappingProxyType(
    {
        "Links": _map(
            {"type": "string", "format": "uri"},
            "Where else to look: self is this resource, html its page, next and previous are "
            "present if there is such a page.",
        ),
        "Problem": {
            "type": "object",
            "description": "A refused request (RFC 9457).",
            "properties": {
                "type": TEXT,
                "title": TEXT,
                "status": {"type": "integer"},
                "detail": _described(TEXT, "What is wrong, in one sentence."),
                "parameter": _described(TEXT, "The invalid parameter, if it is one."),
            },
            "required": ["type", "title", "status", "detail"],
            "additionalProperties": False,
        },
        "Name": _object("An author, named as the work has it.", id=TEXT, name=TEXT),
        "Placed": _object(
            "A topic of a work, and its confidence.", id=TEXT, name=TEXT, sure=PROBABILITY
        ),
        "Fact": _object(
            "A field of a work.",
            value=TEXT,
            sure=_described(NUMBER, "Confidence, from 0 to 1."),
            source=_described(
                TEXT, "Its source: header, references, person, or the id of a document."
            ),
        ),
        "Work": _object("A work in a list.", **_WORK, **_LINKS),
        "WholeWork": _object(
            "A work with facts and copies.",
            **_WORK,
            facts=_map(named("Fact"), "Confidence and source of each field."),
            citation=_described(TEXT, "The work as one line of text."),
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
        "Correction": _object(
            "A correction by the owner or an editor.",
            id=COUNT,
            kind=_described(TEXT, "A field, same, different, same-author or other-author."),
            work=_described(TEXT, "The id of a work or document; for same-author, of an author."),
            value=_described(TEXT, "The right value, or the other id."),
            time=_described(TEXT, "When it was made, ISO 8601."),
            undone=_described(TEXT, "When it was withdrawn; empty if it is in force."),
            who=_described(TEXT, "The account that made it."),
        ),
        "Corrections": _object("All corrections.", corrections=_list(named("Correction"))),
        "NewCorrection": {
            **_object(
                "A correction to make.",
                kind=_described({"type": "string", "enum": list(KINDS)}, "What is corrected."),
                work=_described(TEXT, "The id of the work; not for same-author."),
                author=_described(TEXT, "The id of the author, for same-author alone."),
                value=_described(TEXT, "The right value, or the other id."),
            ),
            "required": ["kind", "value"],
        },
        "AddedCorrection": _object("The correction that was made.", id=COUNT),
        "NewWorks": _page("A page of works, those that were found last first.", "Work"),
        "Copy": _object("A document of a work.", **_COPY, **_LINKS),
        "Document": _object(
            "A document with its text.",
            **_COPY,
            kind=_described(TEXT, "paper, page, or none."),
            outcome=_described(TEXT, "text, or the reason why there is none."),
            sure=_described(NUMBER, "The probability that it is a paper."),
            date=TEXT,
            language=TEXT,
            abstract=TEXT,
            text=TEXT,
            work=_described(TEXT, "The id of the work that it is a copy of, or empty."),
            **_LINKS,
        ),
        "Citation": _object(
            "A citation, seen from one of its two works.",
            work=named("Work"),
            number=_described(COUNT, "In the list of references; 0 if it is not known."),
            text=_described(TEXT, "The reference as it was printed."),
            contexts=_list(TEXT, "The sentences that cite."),
            sure=_described(NUMBER, "The probability that this work is meant."),
        ),
        "Citations": _page("A page of citations.", "Citation"),
        "Together": _object(
            "A work that has citations in common with another.", work=named("Work"), count=COUNT
        ),
        "Related": _object(
            "Works related to a work.",
            related=_list(named("Work"), "Works with similar text."),
            cocited=_list(named("Together"), "Works cited together with it, and by how many."),
            coupled=_list(named("Together"), "Works that cite the same, and how many of these."),
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
        "Author": _object("An author.", id=TEXT, name=TEXT, **_LINKS),
        "Coauthor": _object(
            "A co-author, and the number of common works.", author=named("Author"), count=COUNT
        ),
        "AuthorWorks": _page(
            "An author, and a page of their works, the newest first.",
            "Work",
            author=named("Author"),
            coauthors=_list(named("Coauthor")),
        ),
        "Piece": _object("A piece of a text, and whether it matched.", text=TEXT, match=BOOLEAN),
        "Hit": _object(
            "A search result.",
            work=named("Work"),
            score=NUMBER,
            title=_list(named("Piece"), "The title in pieces."),
            snippet=_list(named("Piece"), "The passage that matches most of the query, in pieces."),
            signals=_SIGNALS_OR_NULL,
        ),
        "Signals": _object(
            "What the score of a work is made of; numbers are shares of the best text score.",
            text=_described(NUMBER, "Of the words."),
            meaning=_described(NUMBER, "Of the closeness in meaning."),
            citations=_described(NUMBER, "Of the citations."),
            age=_described(NUMBER, "Of the year."),
            all_words=_described(BOOLEAN, "Whether it has all words, and so comes before others."),
            exact=_described(BOOLEAN, "Whether the query is its title or identifier."),
            by_meaning=_described(BOOLEAN, "Whether it has none of the words."),
        ),
        "WordMatch": _object(
            "A word of a query, and where a work has it.",
            word=TEXT,
            fields=_list({"type": "string", "enum": list(MATCHED_FIELDS)}),
            part=_described(BOOLEAN, "Whether it is a part of a compound that the work lacks."),
        ),
        "Explanation": _object(
            "Why a work is among the results of a query.",
            q=_described(TEXT, "The query."),
            work=named("Work"),
            matches=_described(BOOLEAN, "Whether it is among the results."),
            words=_list(named("WordMatch"), "The words that rank works."),
            missing=_list(TEXT, "Those that the work does not have."),
            ignored=_list(TEXT, "Words that were not searched."),
            pairs=_list(_list(TEXT), "Neighbouring words that are neighbours in the work."),
            title_phrase=_described(BOOLEAN, "Whether the title has all words in their order."),
            conditions=_described(TEXT, "What the query requires of all results, or empty."),
            signals=_SIGNALS_OR_NULL,
            sentences=_list(TEXT, "All of this in plain sentences."),
            **_LINKS,
        ),
        "Facet": _object(
            "A value of a facet, to filter results by.",
            value=TEXT,
            label=TEXT,
            count=COUNT,
            chosen=BOOLEAN,
        ),
        "Results": _page(
            "A page of search results.",
            "Hit",
            q=_described(TEXT, "The query."),
            notice=_described(TEXT, "What was wrong with the query and what was searched instead."),
            complete={
                "type": ["integer", "null"],
                "minimum": 0,
                "description": "How many have all words; null if no words rank the results.",
            },
            approximate=_described(BOOLEAN, "Whether the total is an estimate."),
            suggestion=_described(
                TEXT, "A query that finds more, spelt nearly the same, or empty."
            ),
            facets=_map(_list(named("Facet")), "By the names of the parameters that filter."),
        ),
        "Completions": _object("Completions of a prefix.", q=TEXT, completions=_list(TEXT)),
        "Suggestions": {
            "type": "array",
            "description": "A prefix and its completions, in the format of OpenSearch.",
            "items": {"anyOf": [TEXT, _list(TEXT)]},
            "minItems": 2,
            "maxItems": 2,
        },
        "Status": _object(
            "The state of the portal.",
            title=TEXT,
            description=TEXT,
            built=_described(TEXT, "When, ISO 8601."),
            generation=_described(TEXT, "Changes with each build that changed something."),
            version=_described(TEXT, "Of Lycosa."),
            works=_map(COUNT, "How many there are of each kind."),
            **_LINKS,
        ),
        "Index": _object(
            "The operations of the API.",
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
