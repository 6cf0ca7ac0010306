"""Records as JSON, each with where else it can be seen."""

from __future__ import annotations

from typing import Any

from lycosa.portal.api.operation import Asked
from lycosa.portal.formats import facts, plain
from lycosa.portal.records import Author, Citation, Copy, Document, Topic, Work
from lycosa.portal.search.results import Facet, Hit, Marked

Shape = dict[str, Any]


def work_sources(work: Work) -> Shape:
    """How sure each field of a work is, and where it is from."""
    return {
        name: {"value": fact.value, "sure": fact.sure, "source": fact.source}
        for name, fact in work.facts.items()
    }


def work_json(asked: Asked, work: Work) -> Shape:
    """A work in a list."""
    return {**facts(work), "links": work_links(asked, work)}


def work_links(asked: Asked, work: Work) -> Shape:
    """Where a work is."""
    return {"self": asked.url(f"/api/works/{work.id}"), "html": asked.url(f"/work/{work.id}")}


def whole_work_json(asked: Asked, work: Work) -> Shape:
    """All about a work."""
    here, page = f"/api/works/{work.id}", f"/work/{work.id}"
    return {
        **facts(work),
        "facts": work_sources(work),
        "citation": plain(work),
        "copies": [copy_json(asked, copy) for copy in asked.catalogue.copies(work.id)],
        "links": {
            **work_links(asked, work),
            "cites": asked.url(f"{here}/cites"),
            "cited_by": asked.url(f"{here}/cited-by"),
            "related": asked.url(f"{here}/related"),
            "graph": asked.url(f"{page}/graph"),
            "bibtex": asked.url(f"{page}.bib"),
            "ris": asked.url(f"{page}.ris"),
            "csl": asked.url(f"{page}.json"),
            "text": asked.url(f"{page}.txt"),
        },
    }


def copy_facts(copy: Copy) -> Shape:
    """What a document is, but its text."""
    return {
        "id": copy.id,
        "url": copy.url,
        "time": copy.time,
        "type": copy.type,
        "bytes": copy.bytes,
        "digest": copy.digest,
        "title": copy.title,
    }


def copy_json(asked: Asked, copy: Copy) -> Shape:
    """A document in a list."""
    return {**copy_facts(copy), "links": _document_links(asked, copy)}


def document_json(asked: Asked, document: Document) -> Shape:
    """A document with its text."""
    links = _document_links(asked, document.copy)
    if document.work:
        links["work"] = asked.url(f"/api/works/{document.work}")
    return {
        **copy_facts(document.copy),
        "kind": document.kind,
        "outcome": document.outcome,
        "sure": document.sure,
        "date": document.date,
        "language": document.language,
        "abstract": document.abstract,
        "text": document.text,
        "work": document.work,
        "links": links,
    }


def _document_links(asked: Asked, copy: Copy) -> Shape:
    return {
        "self": asked.url(f"/api/documents/{copy.id}"),
        "html": asked.url(f"/document/{copy.id}"),
    }


def citation_json(asked: Asked, citation: Citation) -> Shape:
    """A work on the other side of a citation."""
    return {
        "work": work_json(asked, citation.work),
        "number": citation.number,
        "text": citation.text,
        "contexts": list(citation.contexts),
        "sure": citation.sure,
    }


def topic_json(asked: Asked, topic: Topic) -> Shape:
    """A topic of the tree."""
    return {
        "id": topic.id,
        "name": topic.name,
        "parent": topic.parent,
        "note": topic.note,
        "works": topic.works,
        "words": list(topic.words),
        "links": {
            "self": asked.url(f"/api/topics/{topic.id}"),
            "html": asked.url(f"/topic/{topic.id}"),
            "feed": asked.url(f"/topic/{topic.id}/feed"),
        },
    }


def author_json(asked: Asked, author: Author) -> Shape:
    """Somebody."""
    links = {
        "self": asked.url(f"/api/authors/{author.id}"),
        "html": asked.url(f"/author/{author.id}"),
    }
    return {"id": author.id, "name": author.name, "links": links}


def together_json(asked: Asked, work: Work, count: int) -> Shape:
    """A work that has something in common with another, and how much."""
    return {"work": work_json(asked, work), "count": count}


def hit_json(asked: Asked, hit: Hit, work: Work) -> Shape:
    """A work that was found, and what matched."""
    return {
        "work": work_json(asked, work),
        "score": hit.score,
        "title": _pieces(hit.title),
        "snippet": _pieces(hit.snippet),
    }


def facet_json(facet: Facet) -> Shape:
    """A value to narrow results by."""
    return {
        "value": facet.value,
        "label": facet.label,
        "count": facet.count,
        "chosen": facet.chosen,
    }


def _pieces(marked: Marked) -> list[Shape]:
    return [{"text": text, "match": match} for text, match in marked]
