"""Error responses: pages for people, problem documents (RFC 9457) for programs."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Mapping
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from lycosa.errors import LycosaError
from lycosa.portal.api.problems import Problem
from lycosa.portal.message import Message
from lycosa.portal.web.portal import DEFAULT_FACTS, Portal

TITLES: Mapping[int, str] = {
    400: Message("Bad request"),
    403: Message("Not allowed"),
    404: Message("Page not found"),
    405: Message("Method not allowed"),
    413: Message("Form too large"),
    414: Message("URL too long"),
    429: Message("Too many requests"),
    500: Message("Server error"),
    503: Message("Temporarily unavailable"),
}
DETAILS: Mapping[int, str] = {
    404: Message(
        "The address may be mistyped, or the page no longer exists. Try searching for it."
    ),
    405: Message("This address is read-only."),
    413: Message("The form is larger than this site accepts."),
    500: Message("This is an error of the server, not yours. Its log has the details."),
    503: Message(
        "The portal cannot be read at the moment; a build may be running. Try again soon."
    ),
}
_log = logging.getLogger("lycosa.portal")
_PROGRAM_PATHS = re.compile(
    r"/(api(/.*)?|openapi\.json|feed|topic/.*/feed|export/.*|opensearch\.xml|sitemap.*|robots\.txt)",
    re.DOTALL,
)
"""Paths that programs read; they get a problem document instead of a page."""


def error_page(
    portal: Portal,
    request: Request,
    status: int,
    detail: str = "",
    *,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the response for an error: a page, or a problem document under a path for programs."""
    title = TITLES.get(status, HTTPStatus(status).phrase)
    detail = detail or DETAILS.get(status, "")
    path = request.scope["path"].removeprefix(portal.settings.prefix)
    if _PROGRAM_PATHS.fullmatch(path):
        sentence = "There is nothing at this URL." if status == 404 else detail or f"{title}."
        return Problem(status, sentence, headers=headers or {}).response()
    response = portal.render(
        request,
        "error",
        status=status,
        cache_control="no-store",
        portal=_facts(portal),
        title=title,
        detail=detail,
    )
    response.headers.update(headers or {})
    return response


def _facts(portal: Portal) -> Mapping[str, str]:
    """Return the title and so on of a portal; defaults if the cause of the error hides them."""
    try:
        return portal.facts()
    except (LycosaError, sqlite3.DatabaseError):
        _log.debug("cannot read the title of the portal", exc_info=True)
        return DEFAULT_FACTS
