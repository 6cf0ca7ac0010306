"""Sign-in and sign-out of the owner."""

from __future__ import annotations

import logging

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from lycosa.portal.message import Message
from lycosa.portal.web.authentication import COOKIE, SESSION_SECONDS
from lycosa.portal.web.forms import check_same_origin, read_form
from lycosa.portal.web.portal import PRIVATE, Portal

OWNER_PATHS = ("/dashboard", "/correct")
"""Pages that a sign-in may lead to."""
MAX_DESTINATION_LENGTH = 500
"""Characters of the path and query to return to."""

_log = logging.getLogger("lycosa.portal")


def form(portal: Portal, request: Request) -> Response:
    """Render the sign-in form."""
    return _render_form(portal, request, request.query_params.get("then", ""))


async def sign_in(portal: Portal, request: Request) -> Response:
    """Verify the token and set the session cookie."""
    check_same_origin(portal, request)
    fields = await read_form(request)
    then = fields.get("then", "")
    if not portal.owner.verify_token(fields.get("token", "").strip()):
        _log.info("sign-in refused: wrong token")
        problem = Message(
            "This is not the owner's token; it is in the file owner.token in the portal's folder."
        )
        return _render_form(portal, request, then, problem, 403)
    response = RedirectResponse(_destination(portal, then), 303)
    response.set_cookie(
        COOKIE,
        portal.owner.new_session(),
        max_age=SESSION_SECONDS,
        path=portal.links.to("/"),
        secure=portal.links.scheme(request) == "https",
        httponly=True,
        samesite="strict",
    )
    return response


async def sign_out(portal: Portal, request: Request) -> Response:
    """Delete the session cookie."""
    check_same_origin(portal, request)
    response = RedirectResponse(portal.links.to("/"), 303)
    response.delete_cookie(COOKIE, path=portal.links.to("/"), httponly=True, samesite="strict")
    return response


def redirect_to_sign_in(portal: Portal, request: Request, path: str) -> Response:
    """Redirect to the sign-in page, and from there back to a path of the owner."""
    query = request.scope["query_string"].decode("ascii", "replace")
    then = f"{path}?{query}" if query else path
    return RedirectResponse(portal.links.to("/sign-in", then=then), 303)


def _render_form(
    portal: Portal, request: Request, then: str, problem: str = "", status: int = 200
) -> Response:
    return portal.render(
        request,
        "sign-in",
        cache_control=PRIVATE,
        status=status,
        then=then[:MAX_DESTINATION_LENGTH],
        problem=problem,
    )


def _destination(portal: Portal, then: str) -> str:
    """Return where to go after sign-in: a page of the owner, never another site."""
    path, _, query = then.partition("?")
    url = portal.links.to(path if path in OWNER_PATHS else "/dashboard")
    safe = query and path in OWNER_PATHS and query.isascii() and query.isprintable()
    return f"{url}?{query}" if safe else url
