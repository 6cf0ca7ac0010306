"""Notifications: tell the owner of works that are new, each once."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from lycosa.errors import LycosaError, UsageError
from lycosa.keep.digests import Digest, json_of, mail_of
from lycosa.keep.outbox import Outbox, Pending
from lycosa.keep.sending import post, send_mail
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.search import Engine
from lycosa.project import Project
from lycosa.project.sections import Notify

PAGE_SIZE = 100
"""Works of a query that are asked for at a time."""

MAX_PAGES = 20
"""Pages of results that are looked at: new works are among the first."""

_log = logging.getLogger("lycosa.keep")


def channels_of(notify: Notify) -> list[str]:
    """Return how new works are told of: mail, webhook, both or neither."""
    given = {"mail": notify.mail_to, "webhook": notify.webhook}
    return [name for name, where in given.items() if where]


def notify_owner(project: Project, environment: Mapping[str, str], base_url: str = "") -> int:
    """Send what is new, and what could not be sent before; return how many works it has.

    `environment` has the secrets. At the first call nothing is new. A channel that fails
    does not keep the other one from being used; its error is raised in the end.
    """
    settings = project.notify
    channels = channels_of(settings)
    if not channels:
        raise UsageError(
            f"{project.folder} has nobody to notify: write mail-to or webhook under [notify]."
        )
    catalogue = Catalogue.open(project.folder)
    with Outbox.open(project.folder) as outbox:
        if outbox.is_new:
            outbox.set_baseline()
        new = outbox.new_works()
        if new:
            query = settings.query
            chosen = new if query is None else _matching(project.folder, query, new)
            wanted = set(chosen)
            outbox.add(chosen, channels, [work for work in new if work not in wanted])
        failure: LycosaError | None = None
        told: set[str] = set()
        for pending in outbox.pending():
            try:
                _send(pending, project, catalogue, environment, base_url)
            except LycosaError as error:
                _log.debug("a digest is sent later", exc_info=error)
                failure = error
            else:
                outbox.sent(pending)
                told.update(pending.works)
    if failure is not None:
        raise failure
    return len(told)


def _send(
    pending: Pending,
    project: Project,
    catalogue: Catalogue,
    environment: Mapping[str, str],
    base_url: str,
) -> None:
    settings = project.notify
    works = catalogue.works(pending.works)
    if not works:  # all are gone by now
        return
    title = catalogue.meta.get("title") or project.folder.absolute().name
    digest = Digest(pending.digest, title, base_url.rstrip("/"), works)
    if pending.channel == "webhook":
        post(json_of(digest), settings, environment)
    elif settings.mail_to:
        sender = settings.mail_from or settings.mail_to
        send_mail(mail_of(digest, sender, settings.mail_to), settings, environment)


def _matching(folder: Path, query: str, works: list[str]) -> list[str]:
    """Return those of some works, which were found last, that match a query."""
    engine = Engine.open(folder / "index")
    left, found = set(works), []
    for page in range(1, MAX_PAGES + 1):
        hits = engine.search(query, page=page, size=PAGE_SIZE, sort="found", facets=False).hits
        found += [hit.id for hit in hits if hit.id in left]
        if len(hits) < PAGE_SIZE or len(found) == len(left):
            break
    return found
