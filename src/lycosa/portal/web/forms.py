"""Reading of forms, which only pages of this portal may submit."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

from lycosa.portal.message import Message
from lycosa.portal.web.portal import Portal, Session
from lycosa.web.decoding import media_type

MAX_FORM_BYTES = 64 * 1024
"""The largest form of a portal has a tenth of it."""
MAX_FORM_FIELDS = 50
MAX_ID_DIGITS = 18
"""A longer number is no id of SQLite."""
_log = logging.getLogger("lycosa.portal")
_FORM_TYPE = "application/x-www-form-urlencoded"


async def read_form(request: Request) -> Mapping[str, str]:
    """Return the fields of a form; of several with one name the last."""
    return dict(await read_pairs(request))


async def read_pairs(request: Request) -> list[tuple[str, str]]:
    """Return names and values of a form, in its order."""
    if media_type(request.headers.get("content-type", "")) != _FORM_TYPE:
        raise HTTPException(400, Message("A form was expected."))
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM_BYTES:
            raise HTTPException(413)
    try:
        return parse_qsl(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=MAX_FORM_FIELDS
        )
    except ValueError as error:
        _log.debug("a form cannot be read", exc_info=error)
        raise HTTPException(400, Message("This form cannot be read.")) from None


def submitted_id(form: Mapping[str, str]) -> int | None:
    """Return the number of a row that a form is about; None if it names none.

    >>> submitted_id({"id": "7"}), submitted_id({"id": "x"}), submitted_id({})
    (7, None, None)
    """
    text = form.get("id", "")
    is_number = text.isascii() and text.isdecimal() and len(text) <= MAX_ID_DIGITS
    return int(text) if is_number else None


def check_same_origin(portal: Portal, request: Request) -> None:
    """Refuse a form that another site made the browser send (CSRF)."""
    if request.headers.get("origin", "") != portal.links.origin(request):
        raise HTTPException(403, Message("This form did not come from a page of this site."))


def check_session(
    portal: Portal, request: Request, form: Mapping[str, str], *, owner: bool = False
) -> Session:
    """Refuse a form that was not shown to the owner or an editor; return the session.

    Some are for the `owner` alone.
    """
    check_same_origin(portal, request)
    session = portal.session(request)
    if session is None:
        raise HTTPException(403, Message("Sign in, then try again."))
    if not portal.authenticator.verify_csrf_token(form.get("csrf_token", ""), session.cookie):
        raise HTTPException(
            403, Message("This form is too old; go back, load the page again and retry.")
        )
    if owner:
        check_is_owner(session)
    return session


def check_is_owner(session: Session) -> None:
    """Refuse what only the owner may do."""
    if not session.account.is_owner:
        raise HTTPException(403, Message("Only the owner of the portal may do this."))
