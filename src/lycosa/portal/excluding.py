"""Excluding: what hides, removes or blocks something of a portal, for commands and web pages."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from lycosa.errors import UsageError
from lycosa.portal.build.identity import document_id
from lycosa.portal.build.traces import find_target
from lycosa.portal.corrections import is_author_id
from lycosa.project.exclusions import HIDE, Exclusions
from lycosa.project.owner_database import OWNER
from lycosa.web.urls import canonical


class Subject(NamedTuple):
    """What is excluded: its kind, and a URL, a host or an id."""

    kind: str
    value: str


class Excluded(NamedTuple):
    """The number of a new exclusion, and what it covers in the portal now."""

    number: int
    kind: str
    documents: int
    works: int


def read_subject(text: str) -> Subject:
    """Return the subject that a command names.

    >>> read_subject("https://a.example/x"), read_subject("host:a.example").kind
    (Subject(kind='url', value='https://a.example/x'), 'host')
    >>> read_subject("wgk6w6qzw6gpdjccc").kind, read_subject("author:lee-a").value
    ('work', 'lee-a')
    """
    text = text.strip()
    kind, colon, value = text.partition(":")
    if text.lower().startswith(("http://", "https://")) and canonical(text):
        return Subject("url", text)
    if colon and kind in ("host", "work", "author") and value:
        return Subject(kind, value)
    if text.isascii() and text.isalnum() and text.startswith("w") and len(text) == len(_AN_ID):
        return Subject("work", text)
    raise UsageError(
        f"{text[:80]!r} cannot be excluded: give a URL, host:example.org, work:ID or author:ID; "
        "ids are the last parts of the addresses of their pages."
    )


def exclude(
    folder: Path | str,
    exclusions: Exclusions,
    action: str,
    subject: Subject,
    reason: str,
    *,
    account: str = OWNER,
    teach: bool = False,
) -> Excluded:
    """Hide, remove or block a subject; with `teach`, the goal of the crawl learns from it."""
    if teach and action != HIDE:
        raise UsageError(
            "The goal learns from what is hidden, not from what is removed or blocked."
        )
    if subject.kind == "author" and not is_author_id(subject.value):
        raise UsageError(f"{subject.value[:80]!r} is not the id of an author.")
    target = find_target(folder, subject.kind, subject.value)
    value = target.works[0] if subject.kind == "work" and target.works else subject.value
    shown = target.label if subject.kind in ("work", "author") else ""
    number = exclusions.add(
        action,
        subject.kind,
        value,
        reason=reason,
        account=account,
        label=shown,
        traces=target.traces,
        lessons=target.lessons if teach else None,
    )
    return Excluded(number, subject.kind, len(target.lessons), len(target.works))


_AN_ID = document_id("")
