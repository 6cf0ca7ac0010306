"""Answers to requests that cannot be served: pages for people, problems (RFC 9457) for programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from lycosa.portal.api.problems import Problem
from lycosa.portal.web.portal import Portal

TITLES = {
    400: "That cannot be understood",
    403: "Not allowed",
    404: "There is nothing here",
    405: "That cannot be done here",
    413: "Too much",
    414: "Too long",
    429: "One moment, please",
    500: "Something went wrong",
    503: "Not at the moment",
}
WORDS = {
    404: "The address may be mistyped, or what was here is gone. Search for it, or begin anew.",
    405: "This address is for reading only.",
    413: "What was sent is larger than anything this site takes.",
    500: "It is not your fault. Whoever runs this site finds out more in its log.",
    503: "The portal cannot be read just now; it may be being built. Try again soon.",
}


_PROGRAMS = re.compile(
    r"/(api(/.*)?|openapi\.json|feed|topic/.*/feed|export/.*|opensearch\.xml|sitemap.*|robots\.txt)",
    re.DOTALL,
)
"""What is read by programs, for whom a page would be noise."""


def error_page(
    portal: Portal,
    request: Request,
    status: int,
    words: str = "",
    *,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Say what is wrong, in the form that was asked for."""
    title = TITLES.get(status, HTTPStatus(status).phrase)
    words = words or WORDS.get(status, "")
    path = request.scope["path"].removeprefix(portal.settings.prefix)
    if _PROGRAMS.fullmatch(path):
        told = "There is nothing at this address." if status == 404 else words or f"{title}."
        return Problem(status, told, headers=headers or {}).response()
    response = portal.render(
        request, "error", status=status, cache_control="no-store", title=title, words=words
    )
    response.headers.update(headers or {})
    return response
