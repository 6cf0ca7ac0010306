"""Signing in as the owner, and out again."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from lycosa.portal.web.authentication import COOKIE, SESSION_SECONDS
from lycosa.portal.web.forms import check_same_origin, read_form
from lycosa.portal.web.portal import PRIVATE, Portal

OWNER_PATHS = ("/dashboard", "/correct")


def form(portal: Portal, request: Request) -> Response:
    """Ask for the token."""
    return _render_form(portal, request, request.query_params.get("then", ""))


async def sign_in(portal: Portal, request: Request) -> Response:
    """Take the token, and give proof of it to the browser."""
    check_same_origin(portal, request)
    fields = await read_form(request)
    then = fields.get("then", "")
    if not portal.owner.verify_token(fields.get("token", "").strip()):
        words = "That is not the owner's token. It is in the file owner.token of the portal."
        return _render_form(portal, request, then, words, 403)
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
    """Make the browser forget."""
    check_same_origin(portal, request)
    response = RedirectResponse(portal.links.to("/"), 303)
    response.delete_cookie(COOKIE, path=portal.links.to("/"), httponly=True, samesite="strict")
    return response


def redirect_to_sign_in(portal: Portal, request: Request, path: str) -> Response:
    """Send somebody who is not the owner to sign in, and back after that."""
    query = request.scope["query_string"].decode("ascii", "replace")
    then = f"{path}?{query}" if query else path
    return RedirectResponse(portal.links.to("/sign-in", then=then), 303)


def _render_form(
    portal: Portal, request: Request, then: str, words: str = "", status: int = 200
) -> Response:
    return portal.render(
        request, "sign-in", cache_control=PRIVATE, status=status, then=then[:500], words=words
    )


def _destination(portal: Portal, then: str) -> str:
    """Where to go on: to a page of the owner's, and nowhere else."""
    path, _, query = then.partition("?")
    inside = portal.links.to(path if path in OWNER_PATHS else "/dashboard")
    safe = query and path in OWNER_PATHS and query.isascii() and query.isprintable()
    return f"{inside}?{query}" if safe else inside
