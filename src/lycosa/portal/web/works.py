"""Pages of a work: its record, its citation formats, its citation graph."""

from __future__ import annotations

import json
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from lycosa.portal.exports import EXPORTS
from lycosa.portal.fields import FIELDS
from lycosa.portal.formats import bibtex, coins, highwire, plain
from lycosa.portal.languages import Language
from lycosa.portal.records import Work
from lycosa.portal.schema_org import json_ld, script_text
from lycosa.portal.signposting import LINKSET, link_header, link_set, work_links
from lycosa.portal.web.citation_graph import RADII, SCALES, layout_graph
from lycosa.portal.web.portal import SHARED, Portal
from lycosa.portal.web.search_request import parse_page_number

MAX_CITES, MAX_CITED_BY, MAX_RELATED = 100, 30, 8
"""Works in each list on the page."""
MAX_OPEN_CITED_BY = 5
"""Citing works before the references; others are folded away."""
MAX_GRAPH_WORKS = 24
"""Works in the citation graph besides the central one."""


def work(portal: Portal, request: Request) -> Response:
    """Render the page of a work."""
    found = find_or_redirect(portal, request, "/work/{}")
    if isinstance(found, Response):
        return found
    catalogue = portal.catalogue
    copies = catalogue.copies(found.id)
    absolute = partial(portal.links.absolute, request)
    page = absolute(f"/work/{found.id}")
    response = portal.render(
        request,
        "work",
        work=found,
        copies=copies,
        best=next((copy for copy in copies if copy.id == found.document), None),
        cites=catalogue.cites(found.id, MAX_CITES),
        cited_by=catalogue.cited_by(found.id, MAX_CITED_BY),
        max_open=MAX_OPEN_CITED_BY,
        cocited=[
            (other, count) for other, count in catalogue.cocited(found.id, MAX_RELATED) if count > 1
        ],
        related=catalogue.works(portal.engine.related(found.id, MAX_RELATED)),
        plain=plain(found),
        bibtex=bibtex([found]),
        coins=coins(found),
        tags=list(highwire(found)),
        formats=[each for each in EXPORTS.values() if each.write_one],
        details=_details(found, portal.language(request)),
        labels={name: each.label for name, each in FIELDS.items()},
        canonical=page,
        linked_data=script_text(
            json_ld(found, page, lambda author: absolute(f"/author/{author}"), copies)
        ),
    )
    response.headers["Link"] = link_header(work_links(found, copies, absolute))
    return response


def _details(work: Work, language: Language) -> list[tuple[str, str]]:
    """Return the labels and values of the fields that are listed below the title."""
    found = []
    for name, field in FIELDS.items():
        value = getattr(work, name)
        if field.spec.detail and value:
            # Other values are numbers and names, which are the same in all languages.
            value = language.translate(field.shown(value)) if field.spec.names else value
            found.append((field.label, value))
    return found


def linkset(portal: Portal, request: Request) -> Response:
    """Return all typed links of the page of a work, which its Link header may not have room for."""
    found = find_or_redirect(portal, request, "/work/{}/linkset")
    if isinstance(found, Response):
        return found
    absolute = partial(portal.links.absolute, request)
    links = work_links(found, portal.catalogue.copies(found.id), absolute)
    body = json.dumps(link_set(absolute(f"/work/{found.id}"), links), ensure_ascii=False)
    return Response(
        body.encode("utf-8", "replace"),
        headers={"Cache-Control": SHARED},
        media_type=LINKSET,
    )


def graph(portal: Portal, request: Request) -> Response:
    """Render the citation graph around a work, as an image and as a list."""
    found = find_or_redirect(portal, request, "/work/{}/graph")
    if isinstance(found, Response):
        return found
    works, edges = portal.catalogue.neighbourhood(found.id, MAX_GRAPH_WORKS)
    by_id = {each.id: each for each in works}
    scale = parse_page_number(request.query_params.get("scale", ""), max(SCALES))
    return portal.render(
        request,
        "graph",
        work=found,
        graph=layout_graph(found.id, works, edges, scale),
        radii=RADII,
        scale=scale,
        max_scale=max(SCALES),
        cites=[by_id[cited] for citing, cited in edges if citing == found.id],
        cited_by=[by_id[citing] for citing, cited in edges if cited == found.id],
    )


def citation(portal: Portal, request: Request, *, extension: str) -> Response:
    """Return a work in a citation format, for reference managers."""
    found = find_or_redirect(portal, request, "/work/{}." + extension)
    if isinstance(found, Response):
        return found
    found_format = EXPORTS[extension]
    assert found_format.write_one is not None  # noqa: S101 - only these have a route
    name = f'inline; filename="{found.id}.{extension}"'
    headers = {"Cache-Control": SHARED, "Content-Disposition": name}
    return Response(
        found_format.write_one(found),
        headers=headers,
        media_type=f"{found_format.media_type}; charset=utf-8",
    )


def find_or_redirect(portal: Portal, request: Request, path: str) -> Work | Response:
    """Return the work that a request names, or the redirect to the one it was merged into."""
    work_id = request.path_params["id"]
    found = portal.catalogue.work(work_id)
    if found is not None:
        return found
    new = portal.catalogue.moved(work_id)
    if new is None:
        raise HTTPException(404)
    return RedirectResponse(portal.links.to(path.format(new)), 301)
