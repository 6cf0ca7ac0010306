"""Steps read back from the archive: the inverse of `records`.

>>> from datetime import UTC
>>> from lycosa.archive.reader import read_member
>>> from lycosa.crawler.http.response import Response
>>> from lycosa.crawler.storage.records import response_records
>>> from lycosa.crawler.storage.store import StoredStep
>>> failed = Response("http://a.example/", datetime(2026, 1, 1, tzinfo=UTC), fault="dns")
>>> step = StoredStep.of(1, failed.url, failed, reward=0, source=0, score=math.inf)
>>> found = archived_step(read_member(response_records(failed, step).members[0]))
>>> found.n, found.url, found.fault, found.score
(1, 'http://a.example/', 'dns', inf)
"""

from __future__ import annotations

import json
import logging
import math
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from lycosa.archive.http_message import parse_response
from lycosa.archive.record import Record, parse_lines
from lycosa.crawler.storage.journal import StepRow
from lycosa.crawler.storage.records import STEP_FIELD
from lycosa.crawler.storage.store import LOST
from lycosa.web.urls import canonical

_log = logging.getLogger("lycosa.crawler")

_STEP_KEY = STEP_FIELD.lower()


class Redirect(NamedTuple):
    """A response that led to another URL."""

    url: str
    location: str


def archived_step(record: Record) -> StepRow | None:
    """Return the step of a record, without its location; None if it belongs to no step.

    A request record gives a step with the fault `lost`: all that is known of a page
    whose response is damaged.
    """
    facts = _facts(record)
    when = _date(record)
    if facts is None or when is None:
        return None
    status, mime, fault, digest = 0, "", None, None
    if record.type == "metadata":
        lines = parse_lines(record.block)
        fault, mime = lines.get("fault", ""), lines.get("type", "")
    elif record.type in ("response", "revisit"):
        response = parse_response(record.block)
        status, mime = response.status, response.type
        digest = record.headers.get("warc-payload-digest")
    elif record.type == "request":
        fault = LOST
    else:
        return None
    n, url, source, reward, score = facts
    return StepRow(
        n, url or record.url, record.url, status, mime, fault,
        0.0 if fault == LOST else reward, source, score, when, None, digest,
    )  # fmt: skip


def redirect_of(record: Record) -> Redirect | None:
    """Return the redirect that a response record holds; None if it holds none."""
    if record.type != "response":
        return None
    response = parse_response(record.block[:_MAX_HEAD_BYTES])
    target = response.headers.get("location")
    if response.status not in (301, 302, 303, 307, 308) or not target:
        return None
    location = canonical(target, record.url)
    return None if location is None else Redirect(record.url, location)


def unnumbered_step(record: Record, n: int, url: str) -> StepRow | None:
    """Return the step of a response of an older archive, which has no step numbers.

    `url` is the URL that was requested. A robots.txt is no step. Which link led to the
    page, and its score and reward, are not in such an archive.
    """
    when = _date(record)
    if record.type != "response" or when is None or urlsplit(record.url).path == "/robots.txt":
        return None
    response = parse_response(record.block)
    return StepRow(
        n, url, record.url, response.status, response.type, None, 0.0, 0, math.inf, when, None,
        record.headers.get("warc-payload-digest"),
    )  # fmt: skip


def is_numbered(warcinfo: Record) -> bool:
    """Return whether the records after a `warcinfo` record carry their steps."""
    return "conformsto" in parse_lines(warcinfo.block)


_MAX_HEAD_BYTES = 1 << 16


def _date(record: Record) -> datetime | None:
    try:
        return datetime.fromisoformat(record.headers.get("warc-date", ""))
    except ValueError:
        _log.debug("A record of %s has no valid date", record.url, exc_info=True)
        return None


def _facts(record: Record) -> tuple[int, str | None, int, float, float] | None:
    """Return number, requested URL, source, reward and score; None without a valid field."""
    value = record.headers.get(_STEP_KEY)
    if value is None:
        return None
    try:
        found: Any = json.loads(value)
        n, source, reward = int(found["n"]), int(found["source"]), float(found["reward"])
        score, url = float(found.get("score", math.inf)), found.get("url")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        _log.debug("A record of %s has no valid step", record.url, exc_info=True)
        return None
    if n < 1 or math.isnan(reward) or math.isnan(score):
        return None
    return n, url if isinstance(url, str) else None, source, reward, score
