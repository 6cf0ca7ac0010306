"""The owner's corrections: a form about a work, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from lycosa.errors import StoreError, UsageError
from lycosa.portal.corrections import PAIRS, Correction, checked
from lycosa.portal.records import Work
from lycosa.portal.web.forms import check_owner, sent
from lycosa.portal.web.portal import PRIVATE, Portal
from lycosa.portal.web.sign_in import redirect_to_sign_in

FIELDS = ("title", "authors", "year", "venue", "topic")
_COUNTS = [str(count) for count in range(len(FIELDS) + len(PAIRS) + 1)]


class Wrong(NamedTuple):
    """A field of the form that cannot be taken, and why."""

    field: str
    words: str


def form(portal: Portal, request: Request) -> Response:
    """What is known of a work, to be corrected."""
    session = portal.owner_session(request)
    if not session:
        return redirect_to_sign_in(portal, request, "/correct")
    work = _work(portal, request.query_params.get("work", ""))
    return _shown(portal, request, session, work, {}, ())


async def correct(portal: Portal, request: Request) -> Response:
    """Keep what the owner says."""
    fields = await sent(request)
    session = check_owner(portal, request, fields)
    return await run_in_threadpool(_kept, portal, request, session, fields)


async def undo(portal: Portal, request: Request) -> Response:
    """Take a correction back."""
    fields = await sent(request)
    check_owner(portal, request, fields)
    number = fields.get("id", "")
    if number.isascii() and number.isdecimal() and len(number) < 19:
        await run_in_threadpool(portal.corrections.undo, int(number))
    work = fields.get("work", "")
    place = portal.links.to("/correct", work=work) if work else portal.links.to("/dashboard")
    return RedirectResponse(f"{place}#corrections", 303)


def _work(portal: Portal, id: str) -> Work:
    catalogue = portal.catalogue
    work = catalogue.work(id) or catalogue.work(catalogue.moved(id) or "")
    if work is None:
        raise HTTPException(404, "There is no such work to correct.")
    return work


def _kept(portal: Portal, request: Request, session: str, fields: Mapping[str, str]) -> Response:
    work = _work(portal, fields.get("work", ""))
    known = _known(portal, work)
    changes, wrong = [], []
    for kind in (*FIELDS, *PAIRS):
        try:
            value = _said(portal, work, kind, fields.get(kind, known.get(kind, "")))
            if value != known.get(kind, ""):
                changes.append((kind, value))
        except UsageError as error:
            wrong.append(Wrong(kind, str(error)))
    if wrong:
        return _shown(portal, request, session, work, fields, wrong)
    try:
        for kind, value in changes:
            portal.corrections.add(kind, work.id, value)
    except StoreError as error:
        raise HTTPException(503, str(error)) from error
    place = portal.links.to("/correct", work=work.id, kept=len(changes))
    return RedirectResponse(f"{place}#corrections", 303)


def _said(portal: Portal, work: Work, kind: str, text: str) -> str:
    """The value of a field as it is kept; empty for a pair that is not said."""
    if kind in PAIRS:
        other = text.strip().partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2]
        if not other:
            return ""
        other = checked(kind, other)
        if kind == "same":
            if other == work.id:
                raise UsageError("This is the work itself; give the address of the other one.")
            if portal.catalogue.work(other) is None:
                raise UsageError("There is no such work; copy the address of its page.")
        elif other not in {copy.id for copy in portal.catalogue.copies(work.id)}:
            raise UsageError("This is none of its copies; choose one of them.")
        return other
    if kind == "authors":
        text = "; ".join(text.splitlines())
    if kind == "topic":
        if text == (work.topics[0].topic if work.topics else ""):
            return text
        if portal.catalogue.topic(text) is None:
            raise UsageError("There is no such topic; choose one of the list.")
    if kind == "title" and not text.strip() and not work.title.strip():
        return ""
    return checked(kind, text)


def _known(portal: Portal, work: Work) -> dict[str, str]:
    """What the form begins with: what was read, and what was corrected since."""
    found = {
        "title": " ".join(work.title.split()),
        "authors": "; ".join(author.name for author in work.authors),
        "year": str(work.year or ""),
        "venue": " ".join(work.venue.split()),
        "topic": work.topics[0].topic if work.topics else "",
    }
    for one in _about(portal, work):
        if one.kind in found and not one.undone:
            found[one.kind] = one.value
    return found


def _about(portal: Portal, work: Work) -> list[Correction]:
    """The corrections of a work, by its id or that of a document of it."""
    names = {work.id, *(copy.id for copy in portal.catalogue.copies(work.id))}
    return [one for one in portal.corrections.history() if one.work in names]


def _shown(
    portal: Portal,
    request: Request,
    session: str,
    work: Work,
    given: Mapping[str, str],
    wrong: tuple[Wrong, ...] | list[Wrong],
) -> Response:
    kept = request.query_params.get("kept", "")
    known = _known(portal, work) | dict.fromkeys(PAIRS, "")
    return portal.render(
        request,
        "correct",
        status=422 if wrong else 200,
        cache_control=PRIVATE,
        work=work,
        values=known | {name: value for name, value in given.items() if name in known},
        wrong=dict(wrong),
        copies=portal.catalogue.copies(work.id),
        topics=portal.catalogue.topics(),
        corrections=_about(portal, work)[::-1],
        kept=int(kept) if kept in _COUNTS else None,
        mark=portal.owner.csrf_token(session),
    )
