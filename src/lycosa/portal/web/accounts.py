"""Pages of the owner about people: the editors of the portal, and the audit log."""

from __future__ import annotations

import logging

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from lycosa.errors import StoreError, UsageError
from lycosa.portal.web.forms import check_is_owner, check_session, read_form
from lycosa.portal.web.portal import PRIVATE, Portal, Session
from lycosa.portal.web.sign_in import redirect_to_sign_in

MAX_ENTRIES = 500
"""Entries of the audit log on the page; `lycosa audit` has all of them."""

_log = logging.getLogger("lycosa.portal")


def editors(portal: Portal, request: Request) -> Response:
    """Show the editors, and the form for another one."""
    session = portal.session(request)
    if session is None:
        return redirect_to_sign_in(portal, request, "/editors")
    check_is_owner(session)
    return _render(portal, request, session)


async def add(portal: Portal, request: Request) -> Response:
    """Add an editor, and show the token, this once."""
    fields = await read_form(request)
    session = check_session(portal, request, fields, owner=True)
    name = fields.get("name", "").strip()
    try:
        token = await run_in_threadpool(portal.editors.add, name)
    except UsageError as error:
        _log.debug("editor refused", exc_info=error)
        return _render(portal, request, session, problem=str(error), name=name)
    except StoreError as error:
        _log.debug("editors cannot be stored", exc_info=error)
        raise HTTPException(503, str(error)) from error
    return _render(portal, request, session, token=token, name=name)


async def revoke(portal: Portal, request: Request) -> Response:
    """Revoke the token of an editor, which ends the sessions."""
    fields = await read_form(request)
    check_session(portal, request, fields, owner=True)
    await run_in_threadpool(portal.editors.revoke, fields.get("name", ""))
    return RedirectResponse(portal.links.to("/editors"), 303)


def audit(portal: Portal, request: Request) -> Response:
    """Show who changed what, the newest first."""
    session = portal.session(request)
    if session is None:
        return redirect_to_sign_in(portal, request, "/audit")
    check_is_owner(session)
    return portal.render(
        request,
        "audit",
        cache_control=PRIVATE,
        entries=portal.audit.entries(MAX_ENTRIES),
        most=MAX_ENTRIES,
    )


def _render(
    portal: Portal,
    request: Request,
    session: Session,
    *,
    token: str = "",
    name: str = "",
    problem: str = "",
) -> Response:
    return portal.render(
        request,
        "editors",
        status=422 if problem else 200,
        cache_control=PRIVATE,
        editors=portal.editors.all(),
        token=token,
        name=name,
        problem=problem,
        csrf_token=portal.authenticator.csrf_token(session.cookie),
    )
