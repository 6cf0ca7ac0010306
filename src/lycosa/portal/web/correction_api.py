"""Corrections by programs: JSON over HTTP, with the token of the owner or of an editor.

The token is in the header `Authorization: Bearer …`, which no other site can make a browser
send. Every change is noted in the audit log.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from lycosa.errors import StoreError, UsageError
from lycosa.portal.api.token_operations import TOKEN_OPERATIONS
from lycosa.portal.corrections import SAME_AUTHOR
from lycosa.portal.editors import Account
from lycosa.portal.web.correcting import add_correction, undo_correction
from lycosa.portal.web.portal import PRIVATE, Portal

MAX_BODY_BYTES = 64 * 1024

_log = logging.getLogger("lycosa.portal")
_HEADERS = {"Cache-Control": PRIVATE}


async def list_all(portal: Portal, request: Request) -> Response:
    """Return all corrections, oldest first."""
    await run_in_threadpool(_account, portal, request)
    found = await run_in_threadpool(portal.corrections.history)
    return JSONResponse({"corrections": [asdict(one) for one in found]}, headers=_HEADERS)


async def add(portal: Portal, request: Request) -> Response:
    """Store one correction: an object with `kind`, `work` (or `author`) and `value`."""
    account = await run_in_threadpool(_account, portal, request)
    given = await _read(request)
    number = await run_in_threadpool(_add, portal, account, given)
    return JSONResponse({"id": number}, 201, headers=_HEADERS)


async def undo(portal: Portal, request: Request) -> Response:
    """Withdraw a correction."""
    account = await run_in_threadpool(_account, portal, request)
    number = request.path_params["number"]
    if not await run_in_threadpool(undo_correction, portal, account.name, number):
        raise HTTPException(404, "There is no such correction in force.")
    return Response(status_code=204, headers=_HEADERS)


def _account(portal: Portal, request: Request) -> Account:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    account = portal.authenticator.sign_in(token.strip()) if scheme.lower() == "bearer" else None
    if account is None:
        raise HTTPException(
            401,
            "This needs the token of the owner or of an editor.",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return account


async def _read(request: Request) -> Mapping[str, Any]:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise HTTPException(413)
    try:
        given = json.loads(body)
    except (ValueError, RecursionError) as error:
        _log.debug("a correction is not JSON", exc_info=error)
        raise HTTPException(400, "The correction is not JSON.") from None
    if not isinstance(given, dict) or not all(isinstance(each, str) for each in given.values()):
        raise HTTPException(400, "A correction is an object with kind, work and value as texts.")
    return given


def _add(portal: Portal, account: Account, given: Mapping[str, str]) -> int:
    kind, value = given.get("kind", ""), given.get("value", "")
    subject = given.get("author" if kind == SAME_AUTHOR else "work", "")
    catalogue = portal.catalogue
    try:
        if kind == SAME_AUTHOR:
            for author in (subject, value):
                if catalogue.author(author) is None:
                    raise UsageError(f"There is no author {author[:80]!r}.")
        elif catalogue.work(subject) is None:
            raise UsageError(f"There is no work {subject[:80]!r}.")
        if kind == "same" and catalogue.work(value) is None:
            raise UsageError(f"There is no work {value[:80]!r}.")
        if kind == "topic" and catalogue.topic(value) is None:
            raise UsageError(f"There is no topic {value[:80]!r}.")
        return add_correction(portal, account.name, kind, subject, value)
    except StoreError as error:
        _log.debug("corrections cannot be stored", exc_info=error)
        raise HTTPException(503, str(error)) from error
    except UsageError as error:
        _log.debug("a correction is refused", exc_info=error)
        raise HTTPException(422, str(error)) from error


ROUTES: dict[str, dict[str, Callable[[Portal, Request], Awaitable[Response]]]] = {}
"""What responds to each method of each path."""
for _operation, _action in zip(TOKEN_OPERATIONS, (list_all, add, undo), strict=True):
    ROUTES.setdefault(_operation.route, {})[_operation.method] = _action
