"""Reading of forms, which only pages of this portal may submit."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

from lycosa.portal.message import Message
from lycosa.portal.web.portal import Portal
from lycosa.web.decoding import media_type

MAX_FORM_BYTES = 64 * 1024
"""The largest form of a portal has a tenth of it."""
MAX_FORM_FIELDS = 50
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


def check_same_origin(portal: Portal, request: Request) -> None:
    """Refuse a form that another site made the browser send (CSRF)."""
    if request.headers.get("origin", "") != portal.links.origin(request):
        raise HTTPException(403, Message("This form did not come from a page of this site."))


def check_owner(portal: Portal, request: Request, form: Mapping[str, str]) -> str:
    """Refuse a form that was not shown to the owner; return the session of the owner."""
    check_same_origin(portal, request)
    session = portal.owner_session(request)
    if not session:
        raise HTTPException(403, Message("Sign in as the owner, then try again."))
    if not portal.owner.verify_csrf_token(form.get("csrf_token", ""), session):
        raise HTTPException(
            403, Message("This form is too old; go back, load the page again and retry.")
        )
    return session
