"""The pages of a work: what is known of it, how to cite it, and the citations around it."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from lycosa.portal.exports import EXPORTS
from lycosa.portal.fields import FIELDS
from lycosa.portal.formats import bibtex, coins, highwire, plain
from lycosa.portal.records import Work
from lycosa.portal.web.citation_graph import layout_graph
from lycosa.portal.web.portal import SHARED, Portal

CITES, CITED_BY, NEAR = 100, 30, 8
"""How many of each are on the page."""
AROUND = 24
"""Works in the picture besides the one it is about."""


def work(portal: Portal, request: Request) -> Response:
    """All about a work."""
    found = find_or_redirect(portal, request, "/work/{}")
    if isinstance(found, Response):
        return found
    catalogue = portal.catalogue
    copies = catalogue.copies(found.id)
    return portal.render(
        request,
        "work",
        work=found,
        copies=copies,
        best=next((copy for copy in copies if copy.id == found.document), None),
        cites=catalogue.cites(found.id, CITES),
        cited_by=catalogue.cited_by(found.id, CITED_BY),
        cocited=[(other, count) for other, count in catalogue.cocited(found.id, NEAR) if count > 1],
        related=catalogue.works(portal.engine.related(found.id, NEAR)),
        plain=plain(found),
        bibtex=bibtex([found]),
        coins=coins(found),
        tags=list(highwire(found)),
        formats=[each for each in EXPORTS.values() if each.write_one],
        details=[
            (each.label, getattr(found, name))
            for name, each in FIELDS.items()
            if each.spec.detail and getattr(found, name)
        ],
        labels={name: each.label for name, each in FIELDS.items()},
        canonical=portal.links.absolute(request, f"/work/{found.id}"),
    )


def graph(portal: Portal, request: Request) -> Response:
    """The citations around a work, as a picture and as a list."""
    found = find_or_redirect(portal, request, "/work/{}/graph")
    if isinstance(found, Response):
        return found
    works, edges = portal.catalogue.around(found.id, AROUND)
    names = {each.id: each for each in works}
    return portal.render(
        request,
        "graph",
        work=found,
        picture=layout_graph(found.id, works, edges),
        cites=[names[cited] for citing, cited in edges if citing == found.id],
        cited_by=[names[citing] for citing, cited in edges if cited == found.id],
    )


def citation(portal: Portal, request: Request, *, ending: str) -> Response:
    """A work for a program that keeps references."""
    found = find_or_redirect(portal, request, "/work/{}." + ending)
    if isinstance(found, Response):
        return found
    found_format = EXPORTS[ending]
    assert found_format.write_one is not None  # noqa: S101 - only these have a route
    name = f'inline; filename="{found.id}.{ending}"'
    headers = {"Cache-Control": SHARED, "Content-Disposition": name}
    return Response(
        found_format.write_one(found),
        headers=headers,
        media_type=f"{found_format.media_type}; charset=utf-8",
    )


def find_or_redirect(portal: Portal, request: Request, address: str) -> Work | Response:
    """The work that a request is about, or where it is now."""
    name = request.path_params["id"]
    found = portal.catalogue.work(name)
    if found is not None:
        return found
    new = portal.catalogue.moved(name)
    if new is None:
        raise HTTPException(404)
    return RedirectResponse(portal.links.to(address.format(new)), 301)
