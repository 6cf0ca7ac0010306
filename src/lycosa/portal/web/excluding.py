"""The form by which the owner and editors hide, remove or block something."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from lycosa.errors import StoreError, UsageError
from lycosa.portal.excluding import exclude as add_exclusion
from lycosa.portal.excluding import read_subject
from lycosa.portal.web.forms import check_is_owner, check_session, read_form, submitted_id
from lycosa.portal.web.portal import PRIVATE, Portal, Session
from lycosa.portal.web.sign_in import redirect_to_sign_in
from lycosa.project.exclusions import ACTIONS, HIDE, REMOVE

_log = logging.getLogger("lycosa.portal")


def form(portal: Portal, request: Request) -> Response:
    """Show the form, filled in with what is to be excluded."""
    session = portal.session(request)
    if session is None:
        return redirect_to_sign_in(portal, request, "/exclude")
    return _render(portal, request, session, {"what": request.query_params.get("what", "")})


async def exclude(portal: Portal, request: Request) -> Response:
    """Store an exclusion."""
    fields = await read_form(request)
    session = check_session(portal, request, fields)
    return await run_in_threadpool(_store, portal, request, session, fields)


async def undo(portal: Portal, request: Request) -> Response:
    """Withdraw an exclusion; what the owner has removed, only the owner admits again."""
    fields = await read_form(request)
    session = check_session(portal, request, fields)
    number = submitted_id(fields)
    if number is not None:
        await run_in_threadpool(_undo, portal, session, number)
    return RedirectResponse(f"{portal.links.to('/dashboard')}#exclusions", 303)


def _undo(portal: Portal, session: Session, number: int) -> None:
    one = next((each for each in portal.exclusions.all() if each.id == number), None)
    if one is None:
        return
    if one.action == REMOVE:
        check_is_owner(session)
    portal.exclusions.undo(number, session.account.name)


def _store(
    portal: Portal, request: Request, session: Session, fields: Mapping[str, str]
) -> Response:
    action = fields.get("action", HIDE)
    if action == REMOVE:
        check_is_owner(session)
    try:
        add_exclusion(
            portal.folder,
            portal.exclusions,
            action,
            read_subject(fields.get("what", "")),
            fields.get("reason", ""),
            account=session.account.name,
            teach=bool(fields.get("teach")) and action == HIDE,
        )
    except UsageError as error:
        _log.debug("exclusion refused", exc_info=error)
        return _render(portal, request, session, fields, str(error))
    except StoreError as error:
        _log.debug("exclusions cannot be stored", exc_info=error)
        raise HTTPException(503, str(error)) from error
    return RedirectResponse(f"{portal.links.to('/dashboard')}#exclusions", 303)


def _render(
    portal: Portal,
    request: Request,
    session: Session,
    given: Mapping[str, str],
    problem: str = "",
) -> Response:
    allowed = [action for action in ACTIONS if action != REMOVE or session.account.is_owner]
    return portal.render(
        request,
        "exclude",
        status=422 if problem else 200,
        cache_control=PRIVATE,
        actions=allowed,
        given={"what": "", "action": HIDE, "reason": "", "teach": "", **given},
        problem=problem,
        csrf_token=portal.authenticator.csrf_token(session.cookie),
    )
