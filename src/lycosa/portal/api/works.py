"""Operations on works: the list, one work, its citations, related works, documents."""

from __future__ import annotations

from lycosa.portal.api.operation import ApiRequest, Operation, Parameter
from lycosa.portal.api.paging import PAGE, SIZE, limit_and_offset, page_json
from lycosa.portal.api.problems import MovedPermanently, Problem
from lycosa.portal.api.shapes import (
    Shape,
    citation_json,
    document_json,
    together_json,
    whole_work_json,
    work_json,
)
from lycosa.portal.records import Citation, Work

ID = Parameter("id", "The id of a work.", {"type": "string", "minLength": 1}, "path")
_KIND = Parameter(
    "kind",
    "Only works of these kinds.",
    {
        "type": "array",
        "items": {"type": "string", "enum": ["paper", "page", "cited"]},
        "maxItems": 3,
    },
)
_ID_SCHEMA = {"type": "string", "maxLength": 100, "default": ""}
MAX_RELATED = 10


def find_work(request: ApiRequest, path: str) -> Work:
    """Return the work that a request names.

    Raise `MovedPermanently` to the given path if it was merged into another work,
    `Problem` (404) if there is none.
    """
    work_id = request["id"]
    if found := request.catalogue.work(work_id):
        return found
    if new := request.catalogue.moved(work_id):
        raise MovedPermanently(request.url_with(path.format(id=new)))
    raise Problem(404, f"There is no work {work_id[:50]!r}.")


def works(request: ApiRequest) -> Shape:
    """Return a page of all works."""
    after, before, size, kinds = (request[name] for name in ("after", "before", "size", "kind"))
    found = request.catalogue.list_works(*kinds, after=after, before=before, limit=size)
    counts = request.catalogue.counts()
    links = {"self": request.url_with("/api/works")}
    if found:
        first, last = found[0].id, found[-1].id
        if request.catalogue.list_works(*kinds, after=last, limit=1):
            links["next"] = request.url_with("/api/works", after=last, before="")
        if request.catalogue.list_works(*kinds, before=first, limit=1):
            links["previous"] = request.url_with("/api/works", after="", before=first)
    return {
        "total": sum(counts.get(kind, 0) for kind in (kinds or counts)),
        "size": size,
        "items": [work_json(request, work) for work in found],
        "links": links,
    }


def work(request: ApiRequest) -> Shape:
    """Return a work with everything known about it."""
    return whole_work_json(request, find_work(request, "/api/works/{id}"))


def cites(request: ApiRequest) -> Shape:
    """Return a page of the works that a work cites."""
    found = find_work(request, "/api/works/{id}/cites")
    citations = request.catalogue.cites(
        found.id, *limit_and_offset(request["page"], request["size"])
    )
    return _page(request, found, "cites", found.cites, citations)


def cited_by(request: ApiRequest) -> Shape:
    """Return a page of the works that cite a work."""
    found = find_work(request, "/api/works/{id}/cited-by")
    citations = request.catalogue.cited_by(
        found.id, *limit_and_offset(request["page"], request["size"])
    )
    return _page(request, found, "cited-by", found.cited_by, citations)


def _page(
    request: ApiRequest, work: Work, side: str, total: int, citations: list[Citation]
) -> Shape:
    items = [citation_json(request, each) for each in citations]
    path = f"/api/works/{work.id}"
    links = {"work": request.url(path), "html": request.url(f"/work/{work.id}")}
    return page_json(request, f"{path}/{side}", total, items, links)


def related(request: ApiRequest) -> Shape:
    """Return works related by content or by citations."""
    found = find_work(request, "/api/works/{id}/related")
    catalogue, path = request.catalogue, f"/api/works/{found.id}"
    similar = catalogue.works(request.engine.related(found.id, MAX_RELATED))
    return {
        "related": [work_json(request, each) for each in similar],
        "cocited": [
            together_json(request, *each) for each in catalogue.cocited(found.id, MAX_RELATED)
        ],
        "coupled": [
            together_json(request, *each) for each in catalogue.coupled(found.id, MAX_RELATED)
        ],
        "links": {"self": request.url(f"{path}/related"), "work": request.url(path)},
    }


def document(request: ApiRequest) -> Shape:
    """Return a document with its text."""
    found = request.catalogue.document(request["id"])
    if found is None:
        raise Problem(404, f"There is no document {request['id'][:50]!r}.")
    return document_json(request, found)


OPERATIONS = (
    Operation(
        "/api/works",
        "listWorks",
        "All works, ordered by id",
        works,
        "Works",
        (
            _KIND,
            Parameter("after", "List the works after this id.", _ID_SCHEMA),
            Parameter("before", "List the works before this id.", _ID_SCHEMA),
            SIZE,
        ),
    ),
    Operation("/api/works/{id}", "getWork", "A work", work, "WholeWork", (ID,), may_redirect=True),
    Operation(
        "/api/works/{id}/cites",
        "listCites",
        "The works that a work cites, in the order of its references",
        cites,
        "Citations",
        (ID, PAGE, SIZE),
        may_redirect=True,
    ),
    Operation(
        "/api/works/{id}/cited-by",
        "listCitedBy",
        "The works that cite a work, the most cited first",
        cited_by,
        "Citations",
        (ID, PAGE, SIZE),
        may_redirect=True,
    ),
    Operation(
        "/api/works/{id}/related",
        "listRelated",
        "Related works: similar in content, cited together with it, or citing the same works",
        related,
        "Related",
        (ID,),
        may_redirect=True,
        uses_index=True,
    ),
    Operation(
        "/api/documents/{id}",
        "getDocument",
        "A copy of a work, with its text",
        document,
        "Document",
        (Parameter("id", "The id of a document.", {"type": "string", "minLength": 1}, "path"),),
    ),
)
