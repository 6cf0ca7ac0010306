"""Works: all of them, one, and what is around it."""

from __future__ import annotations

from lycosa.portal.api.operation import Asked, Operation, Parameter
from lycosa.portal.api.paging import PAGE, SIZE, paged, window
from lycosa.portal.api.problems import Moved, Problem
from lycosa.portal.api.shapes import (
    Shape,
    citation_json,
    document_json,
    together_json,
    whole_work_json,
    work_json,
)
from lycosa.portal.records import Citation, Work

ID = Parameter("id", "Of a work.", {"type": "string", "minLength": 1}, "path")
_KIND = Parameter(
    "kind",
    "Only works of these kinds.",
    {
        "type": "array",
        "items": {"type": "string", "enum": ["paper", "page", "cited"]},
        "maxItems": 3,
    },
)
_NAME = {"type": "string", "maxLength": 100, "default": ""}
_NEAR = 10


def wanted(asked: Asked, address: str) -> Work:
    """The work that is asked for; if it has another name now, its address is told."""
    name = asked["id"]
    if found := asked.catalogue.work(name):
        return found
    if new := asked.catalogue.moved(name):
        raise Moved(asked.near(address.format(id=new)))
    raise Problem(404, f"There is no work {name[:50]!r}.")


def works(asked: Asked) -> Shape:
    """A part of all works."""
    after, before, size, kinds = (asked[name] for name in ("after", "before", "size", "kind"))
    found = asked.catalogue.some(*kinds, after=after, before=before, most=size)
    counts = asked.catalogue.counts()
    links = {"self": asked.near("/api/works")}
    if found:
        first, last = found[0].id, found[-1].id
        if asked.catalogue.some(*kinds, after=last, most=1):
            links["next"] = asked.near("/api/works", after=last, before="")
        if asked.catalogue.some(*kinds, before=first, most=1):
            links["previous"] = asked.near("/api/works", after="", before=first)
    return {
        "total": sum(counts.get(kind, 0) for kind in (kinds or counts)),
        "size": size,
        "items": [work_json(asked, work) for work in found],
        "links": links,
    }


def work(asked: Asked) -> Shape:
    """All about a work."""
    return whole_work_json(asked, wanted(asked, "/api/works/{id}"))


def cites(asked: Asked) -> Shape:
    """What a work cites."""
    found = wanted(asked, "/api/works/{id}/cites")
    citations = asked.catalogue.cites(found.id, *window(asked["page"], asked["size"]))
    return _page(asked, found, "cites", found.cites, citations)


def cited_by(asked: Asked) -> Shape:
    """What cites a work."""
    found = wanted(asked, "/api/works/{id}/cited-by")
    citations = asked.catalogue.cited_by(found.id, *window(asked["page"], asked["size"]))
    return _page(asked, found, "cited-by", found.cited_by, citations)


def _page(asked: Asked, work: Work, side: str, total: int, citations: list[Citation]) -> Shape:
    items = [citation_json(asked, each) for each in citations]
    path = f"/api/works/{work.id}"
    links = {"work": asked.url(path), "html": asked.url(f"/work/{work.id}")}
    return paged(asked, f"{path}/{side}", total, items, links)


def related(asked: Asked) -> Shape:
    """What is near a work."""
    found = wanted(asked, "/api/works/{id}/related")
    catalogue, path = asked.catalogue, f"/api/works/{found.id}"
    near = catalogue.works(asked.engine.related(found.id, _NEAR))
    return {
        "related": [work_json(asked, each) for each in near],
        "cocited": [together_json(asked, *each) for each in catalogue.cocited(found.id, _NEAR)],
        "coupled": [together_json(asked, *each) for each in catalogue.coupled(found.id, _NEAR)],
        "links": {"self": asked.url(f"{path}/related"), "work": asked.url(path)},
    }


def document(asked: Asked) -> Shape:
    """A document with its text."""
    found = asked.catalogue.document(asked["id"])
    if found is None:
        raise Problem(404, f"There is no document {asked['id'][:50]!r}.")
    return document_json(asked, found)


OPERATIONS = (
    Operation(
        "/api/works",
        "listWorks",
        "All works, in the order of their ids",
        works,
        "Works",
        (
            _KIND,
            Parameter("after", "List the works that follow this id.", _NAME),
            Parameter("before", "List the works that come before this id.", _NAME),
            SIZE,
        ),
    ),
    Operation("/api/works/{id}", "getWork", "A work", work, "WholeWork", (ID,), moves=True),
    Operation(
        "/api/works/{id}/cites",
        "listCites",
        "What a work cites, in the order of its references",
        cites,
        "Citations",
        (ID, PAGE, SIZE),
        moves=True,
    ),
    Operation(
        "/api/works/{id}/cited-by",
        "listCitedBy",
        "What cites a work, the most cited first",
        cited_by,
        "Citations",
        (ID, PAGE, SIZE),
        moves=True,
    ),
    Operation(
        "/api/works/{id}/related",
        "listRelated",
        "What says the like as a work, is cited together with it, or cites the same",
        related,
        "Related",
        (ID,),
        moves=True,
        searches=True,
    ),
    Operation(
        "/api/documents/{id}",
        "getDocument",
        "A copy of a work, with its text",
        document,
        "Document",
        (Parameter("id", "Of a document.", {"type": "string", "minLength": 1}, "path"),),
    ),
)
