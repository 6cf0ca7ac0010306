"""The owner's form for corrections; its inputs derive from the table in `portal.fields`."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from lycosa.errors import LycosaError, StoreError, UsageError
from lycosa.portal.corrections import KINDS, PAIRS, Correction, clean_value
from lycosa.portal.fields import INPUTS, Work
from lycosa.portal.message import Message
from lycosa.portal.web.forms import check_session, read_form, submitted_id
from lycosa.portal.web.portal import PRIVATE, Portal, Session
from lycosa.portal.web.sign_in import redirect_to_sign_in

_COUNTS = [str(count) for count in range(len(KINDS) + 1)]
_log = logging.getLogger("lycosa.portal")


class InvalidInput(NamedTuple):
    """A field of the form whose value was refused, and the reason."""

    field: str
    reason: str


def form(portal: Portal, request: Request) -> Response:
    """Show the form with the current values of a work."""
    session = portal.session(request)
    if session is None:
        return redirect_to_sign_in(portal, request, "/correct")
    work = _find_work(portal, request.query_params.get("work", ""))
    return _render(portal, request, session, work, {}, ())


async def correct(portal: Portal, request: Request) -> Response:
    """Store the corrections of a form."""
    fields = await read_form(request)
    session = check_session(portal, request, fields)
    return await run_in_threadpool(_store, portal, request, session, fields)


async def undo(portal: Portal, request: Request) -> Response:
    """Withdraw a correction."""
    fields = await read_form(request)
    session = check_session(portal, request, fields)
    number = submitted_id(fields)
    if number is not None:
        await run_in_threadpool(undo_correction, portal, session.account.name, number)
    work = fields.get("work", "")
    target = portal.links.to("/correct", work=work) if work else portal.links.to("/dashboard")
    return RedirectResponse(f"{target}#corrections", 303)


def _find_work(portal: Portal, id: str) -> Work:
    catalogue = portal.catalogue
    work = catalogue.work(id) or catalogue.work(catalogue.moved(id) or "")
    if work is None:
        raise HTTPException(404, Message("There is no such work to correct."))
    return work


def add_correction(
    portal: Portal, account: str, kind: str, subject: str, value: str, old: str = ""
) -> int:
    """Store a correction, and note in the audit log who made it."""
    number = portal.corrections.add(kind, subject, value, account)
    portal.audit.record(account, f"correct {kind}", subject, old, value)
    return number


def undo_correction(portal: Portal, account: str, number: int) -> bool:
    """Withdraw a correction, and note in the audit log who did."""
    one = next((each for each in portal.corrections.all() if each.id == number), None)
    if one is None or not portal.corrections.undo(number):
        return False
    portal.audit.record(account, f"undo {one.kind}", one.work, one.value)
    return True


def reason_of(error: LycosaError) -> str:
    """Return the text of an error, for readers in any language if it is a message."""
    return str(error) if not error.args else error.args[0]  # `str` would be a text in English


def _store(
    portal: Portal, request: Request, session: Session, fields: Mapping[str, str]
) -> Response:
    work = _find_work(portal, fields.get("work", ""))
    current = _current_values(portal, work)
    changes, invalid = [], []
    for kind in (*INPUTS, *PAIRS):
        try:
            value = _parse(portal, work, kind, fields.get(kind, current.get(kind, "")))
            if value != current.get(kind, ""):
                changes.append((kind, value))
        except UsageError as error:
            _log.debug("correction of %s refused", kind, exc_info=error)
            invalid.append(InvalidInput(kind, reason_of(error)))
    if invalid:
        return _render(portal, request, session, work, fields, invalid)
    try:
        for kind, value in changes:
            add_correction(
                portal, session.account.name, kind, work.id, value, current.get(kind, "")
            )
    except StoreError as error:
        _log.debug("corrections cannot be stored", exc_info=error)
        raise HTTPException(503, reason_of(error)) from error
    target = portal.links.to("/correct", work=work.id, kept=len(changes))
    return RedirectResponse(f"{target}#corrections", 303)


def _parse(portal: Portal, work: Work, kind: str, text: str) -> str:
    """Return the value of an input as it is stored; empty for a pair that was not given."""
    if kind in PAIRS:
        return _parse_pair(portal, work, kind, text)
    if kind == "authors":
        text = "; ".join(text.splitlines())
    if kind == "topic":
        if text == (work.topics[0].topic if work.topics else ""):
            return text
        if portal.catalogue.topic(text) is None:
            raise UsageError(Message("There is no such topic; choose one of the list."))
    if kind == "title" and not text.strip() and not work.title.strip():
        return ""
    return clean_value(kind, text)


def _parse_pair(portal: Portal, work: Work, kind: str, text: str) -> str:
    """Return the id of the other work or copy, which may be given as the URL of its page."""
    other = text.strip().partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2]
    if not other:
        return ""
    other = clean_value(kind, other)
    if kind == "same":
        if other == work.id:
            raise UsageError(Message("This is the work itself; give the address of the other one."))
        if portal.catalogue.work(other) is None:
            raise UsageError(Message("There is no such work; copy the address of its page."))
    elif other not in {copy.id for copy in portal.catalogue.copies(work.id)}:
        raise UsageError(Message("This is none of its copies; choose one of them."))
    return other


def _current_values(portal: Portal, work: Work) -> dict[str, str]:
    """Return the initial values of the inputs: what was read, and what was corrected since."""
    found = {kind: _text(getattr(work, field.name)) for kind, field in INPUTS.items()}
    for one in _corrections_of(portal, work):
        if one.kind in found and not one.undone:
            found[one.kind] = one.value
    return found


def _text(value: object) -> str:
    """Return the value of a field as the text of its input."""
    match value:
        case None | ():
            return ""
        case tuple() if hasattr(value[0], "topic"):
            return str(value[0].topic)
        case tuple():
            return "; ".join(author.name for author in value)
    return " ".join(str(value).split())


def _corrections_of(portal: Portal, work: Work) -> list[Correction]:
    """Return the corrections of a work, by its id or that of one of its documents."""
    names = {work.id, *(copy.id for copy in portal.catalogue.copies(work.id))}
    return [one for one in portal.corrections.history() if one.work in names]


def _render(
    portal: Portal,
    request: Request,
    session: Session,
    work: Work,
    given: Mapping[str, str],
    invalid: Sequence[InvalidInput],
) -> Response:
    kept = request.query_params.get("kept", "")
    current = _current_values(portal, work) | dict.fromkeys(PAIRS, "")
    return portal.render(
        request,
        "correct",
        status=422 if invalid else 200,
        cache_control=PRIVATE,
        work=work,
        inputs=[(each.spec.input, each) for each in INPUTS.values()],
        values=current | {name: value for name, value in given.items() if name in current},
        wrong=dict(invalid),
        copies=portal.catalogue.copies(work.id),
        topics=portal.catalogue.topics(),
        corrections=_corrections_of(portal, work)[::-1],
        kept=int(kept) if kept in _COUNTS else None,
        csrf_token=portal.authenticator.csrf_token(session.cookie),
    )
