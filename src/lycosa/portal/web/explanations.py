"""The page that explains why a work is among the results of a query."""

from __future__ import annotations

from dataclasses import replace

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from lycosa.portal.message import Message
from lycosa.portal.web.portal import Portal
from lycosa.portal.web.search_request import SearchRequest

MAX_ID_LENGTH = 100
"""Characters of the id of a work; the rest is ignored."""


def explanation(portal: Portal, request: Request) -> Response:
    """Render the explanation of a work for a query."""
    search = replace(SearchRequest.from_params(request.query_params), page=1, sort="relevance")
    work_id = request.query_params.get("work", "")[:MAX_ID_LENGTH]
    work = portal.catalogue.work(work_id)
    if work is None:
        new = portal.catalogue.moved(work_id)
        if new is None:
            raise HTTPException(404)
        return RedirectResponse(portal.links.to("/why", **search.params(), work=new), 301)
    found = portal.engine.explain(search.text, work_id, filters=search.filters)
    if found is None:
        raise HTTPException(
            404, Message("Searches do not find this work, which is only cited here.")
        )
    return portal.render(
        request,
        "why",
        q=search.text,
        work=work,
        found=found,
        results=portal.links.to("/search", **search.params()),
        data=portal.links.to("/api/explain", **search.params(), work=work_id),
    )
