"""The cookie that remembers the language that a reader has chosen."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from lycosa.portal.languages import COOKIE, PARAMETER, named_language
from lycosa.portal.web.portal import Portal

MAX_AGE_SECONDS = 365 * 24 * 3600


def remember_language(portal: Portal, request: Request, response: Response) -> Response:
    """Set the cookie on the response to a request that chooses a language; return the response."""
    language = named_language(request.query_params.get(PARAMETER, ""))
    if language is not None:
        response.set_cookie(
            COOKIE,
            language.code,
            max_age=MAX_AGE_SECONDS,
            path=portal.links.to("/"),
            secure=portal.links.scheme(request) == "https",
            httponly=True,
            samesite="lax",
        )
    return response
