"""The form that merges two authors, or says which works are by another person of the name."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from lycosa.errors import StoreError, UsageError
from lycosa.portal.corrections import OTHER_AUTHOR, SAME_AUTHOR, is_author_id
from lycosa.portal.message import Message
from lycosa.portal.web.correcting import add_correction, reason_of
from lycosa.portal.web.forms import check_session, read_pairs
from lycosa.portal.web.portal import PRIVATE, Portal, Session
from lycosa.portal.web.sign_in import redirect_to_sign_in

MAX_WORKS = 200
"""Works of an author on the form."""
MAX_PERSONS = 100
"""Persons of one name."""

_log = logging.getLogger("lycosa.portal")


def form(portal: Portal, request: Request) -> Response:
    """Show the form of an author."""
    session = portal.session(request)
    if session is None:
        return redirect_to_sign_in(portal, request, "/correct/author")
    return _render(portal, request, session, request.query_params.get("author", ""))


async def correct(portal: Portal, request: Request) -> Response:
    """Store what the form says."""
    pairs = await read_pairs(request)
    session = check_session(portal, request, dict(pairs))
    return await run_in_threadpool(_store, portal, request, session, pairs)


def _store(
    portal: Portal, request: Request, session: Session, pairs: Sequence[tuple[str, str]]
) -> Response:
    fields = dict(pairs)
    author, account = fields.get("author", ""), session.account.name
    if portal.catalogue.author(author) is None:
        raise HTTPException(404, Message("There is no such author."))
    try:
        other = _last_part(fields.get("same", ""))
        works = [value for name, value in pairs if name == "work"]
        if other and works:
            raise UsageError(Message("Either merge the author, or choose works; not both at once."))
        if other:
            if portal.catalogue.author(other) is None:
                raise UsageError(
                    Message("There is no such author; copy the address of the other page.")
                )
            add_correction(portal, account, SAME_AUTHOR, author, other)
        person = _last_part(fields.get("person", "")) or _free_id(portal, author)
        for work in works:
            add_correction(portal, account, OTHER_AUTHOR, work, f"{author} {person}")
    except UsageError as error:
        _log.debug("correction of an author refused", exc_info=error)
        return _render(portal, request, session, author, reason_of(error))
    except StoreError as error:
        _log.debug("corrections cannot be stored", exc_info=error)
        raise HTTPException(503, reason_of(error)) from error
    kept = len(works) or int(bool(other))
    return RedirectResponse(portal.links.to("/correct/author", author=author, kept=kept), 303)


def _last_part(text: str) -> str:
    """Return an id that may be given as the URL of its page."""
    return text.strip().partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2]


def _free_id(portal: Portal, author: str) -> str:
    """Return an id for another person of the name that none has yet."""
    named = {
        each.value.partition(" ")[2]
        for each in portal.corrections.all()
        if each.kind == OTHER_AUTHOR
    }
    for number in range(2, MAX_PERSONS):
        found = f"{author}-{number}"
        if found not in named and portal.catalogue.author(found) is None:
            return found
    raise UsageError(
        Message(
            "There are %(most)s persons of this name: give the id of one of them.", most=MAX_PERSONS
        )
    )


def _render(
    portal: Portal, request: Request, session: Session, author: str, problem: str = ""
) -> Response:
    found = portal.catalogue.author(author) if is_author_id(author) else None
    if found is None:
        raise HTTPException(404, Message("There is no such author."))
    works = portal.catalogue.author_works(author, MAX_WORKS)
    ids = {work.id for work in works}
    kept = request.query_params.get("kept", "")
    return portal.render(
        request,
        "correct-author",
        status=422 if problem else 200,
        cache_control=PRIVATE,
        author=found,
        works=works,
        problem=problem,
        kept=int(kept) if kept.isdecimal() and len(kept) < 4 else None,
        corrections=[
            each
            for each in portal.corrections.history()[::-1]
            if each.work == author
            or (each.kind == OTHER_AUTHOR and each.work in ids)
            or (each.kind == SAME_AUTHOR and each.value == author)
        ],
        csrf_token=portal.authenticator.csrf_token(session.cookie),
    )
