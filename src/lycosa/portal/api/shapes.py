"""Records as JSON, each with links to where else it can be read."""

from __future__ import annotations

from typing import Any

from lycosa.portal.api.operation import ApiRequest
from lycosa.portal.exports import EXPORTS
from lycosa.portal.formats import plain, work_record
from lycosa.portal.records import Author, Citation, Copy, Document, TopicRecord, Work
from lycosa.portal.search.explanation import Explanation
from lycosa.portal.search.ranker import Signals
from lycosa.portal.search.results import FacetValue, HighlightedText, Hit

Shape = dict[str, Any]


def work_sources(work: Work) -> Shape:
    """Return the value, confidence and source of each field of a work."""
    return {
        name: {"value": fact.value, "sure": fact.confidence, "source": fact.source}
        for name, fact in work.facts.items()
    }


def work_json(request: ApiRequest, work: Work) -> Shape:
    """Return a work of a list."""
    return {**work_record(work), "links": work_links(request, work)}


def work_links(request: ApiRequest, work: Work) -> Shape:
    """Return the links of a work."""
    return {"self": request.url(f"/api/works/{work.id}"), "html": request.url(f"/work/{work.id}")}


def whole_work_json(request: ApiRequest, work: Work) -> Shape:
    """Return everything about a work."""
    here, page = f"/api/works/{work.id}", f"/work/{work.id}"
    return {
        **work_record(work),
        "facts": work_sources(work),
        "citation": plain(work),
        "copies": [copy_json(request, copy) for copy in request.catalogue.copies(work.id)],
        "links": {
            **work_links(request, work),
            "cites": request.url(f"{here}/cites"),
            "cited_by": request.url(f"{here}/cited-by"),
            "related": request.url(f"{here}/related"),
            "graph": request.url(f"{page}/graph"),
            **{
                each.name: request.url(f"{page}.{each.ending}")
                for each in EXPORTS.values()
                if each.write_one
            },
        },
    }


def copy_record(copy: Copy) -> Shape:
    """Return the fields of a document, without its text."""
    return {
        "id": copy.id,
        "url": copy.url,
        "time": copy.time,
        "type": copy.type,
        "bytes": copy.bytes,
        "digest": copy.digest,
        "title": copy.title,
    }


def copy_json(request: ApiRequest, copy: Copy) -> Shape:
    """Return a document of a list."""
    return {**copy_record(copy), "links": _document_links(request, copy)}


def document_json(request: ApiRequest, document: Document) -> Shape:
    """Return a document with its text."""
    links = _document_links(request, document.copy)
    if document.work:
        links["work"] = request.url(f"/api/works/{document.work}")
    return {
        **copy_record(document.copy),
        "kind": document.kind,
        "outcome": document.outcome,
        "sure": document.confidence,
        "date": document.date,
        "language": document.language,
        "abstract": document.abstract,
        "text": document.text,
        "work": document.work,
        "links": links,
    }


def _document_links(request: ApiRequest, copy: Copy) -> Shape:
    return {
        "self": request.url(f"/api/documents/{copy.id}"),
        "html": request.url(f"/document/{copy.id}"),
    }


def citation_json(request: ApiRequest, citation: Citation) -> Shape:
    """Return a citation, with its other work."""
    return {
        "work": work_json(request, citation.work),
        "number": citation.number,
        "text": citation.text,
        "contexts": list(citation.contexts),
        "sure": citation.confidence,
    }


def topic_json(request: ApiRequest, topic: TopicRecord) -> Shape:
    """Return a topic of the tree."""
    return {
        "id": topic.id,
        "name": topic.name,
        "parent": topic.parent,
        "note": topic.note,
        "works": topic.works,
        "words": list(topic.words),
        "links": {
            "self": request.url(f"/api/topics/{topic.id}"),
            "html": request.url(f"/topic/{topic.id}"),
            "feed": request.url(f"/topic/{topic.id}/feed"),
        },
    }


def author_json(request: ApiRequest, author: Author) -> Shape:
    """Return an author."""
    links = {
        "self": request.url(f"/api/authors/{author.id}"),
        "html": request.url(f"/author/{author.id}"),
    }
    return {"id": author.id, "name": author.name, "links": links}


def together_json(request: ApiRequest, work: Work, count: int) -> Shape:
    """Return a work that shares citations with another, and how many."""
    return {"work": work_json(request, work), "count": count}


def hit_json(request: ApiRequest, hit: Hit, work: Work) -> Shape:
    """Return a search result: a work, and what matched."""
    return {
        "work": work_json(request, work),
        "score": hit.score,
        "title": _pieces(hit.title),
        "snippet": _pieces(hit.snippet),
        "signals": hit.signals and _signals(hit.signals),
    }


def explanation_json(request: ApiRequest, found: Explanation, work: Work) -> Shape:
    """Return why a work is among the results of the query of a request."""
    return {
        "q": request["q"],
        "work": work_json(request, work),
        "matches": found.matches,
        "words": [
            {"word": each.word, "fields": list(each.fields), "part": each.is_part}
            for each in found.words
        ],
        "missing": list(found.missing),
        "ignored": list(found.ignored),
        "pairs": [list(pair) for pair in found.pairs],
        "title_phrase": found.title_phrase,
        "conditions": found.conditions,
        "signals": found.signals and _signals(found.signals),
        "sentences": found.sentences,
        "links": {
            "self": request.url_with("/api/explain"),
            "html": request.url_with("/why"),
            "search": request.url_with("/api/search", work=""),
        },
    }


def _signals(signals: Signals) -> Shape:
    return {
        "text": signals.text,
        "meaning": signals.meaning,
        "citations": signals.citations,
        "age": signals.age,
        "all_words": signals.complete,
        "exact": signals.exact,
        "by_meaning": signals.by_meaning,
    }


def facet_json(facet: FacetValue) -> Shape:
    """Return a facet value."""
    return {
        "value": facet.value,
        "label": facet.label,
        "count": facet.count,
        "chosen": facet.chosen,
    }


def _pieces(marked: HighlightedText) -> list[Shape]:
    return [{"text": text, "match": match} for text, match in marked]
