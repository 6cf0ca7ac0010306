"""The WARC records of a fetched response.

A response is two records, the request and the response, each one gzip member; a
page that has not changed is a `revisit` record in the place of the response; a
fault is a `metadata` record. A rendered document is a `conversion` record, which
follows the response at once: the two are one entry of the step log.

Records of a step carry the field `Lycosa-Step`, from which `lycosa repair` rebuilds
the step log: the number of the step, its source, score and reward, and the
requested URL if redirects led elsewhere.

The body is stored decoded, so the headers are those of `Response.stored`: in
their order, repeated ones included, with the headers of the transfer renamed.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from lycosa.archive.http_message import ArchivedResponse, response_of, serialise_response
from lycosa.archive.reader import read_members
from lycosa.archive.record_text import digest_of, random_id, serialise_header, serialise_lines
from lycosa.archive.writer import (
    HTTP_REQUEST,
    HTTP_RESPONSE,
    WARC_FIELDS,
    RecordSerialiser,
)
from lycosa.crawler.http.response import Response
from lycosa.crawler.storage.store import StoredStep

COMPRESSION_LEVEL = 4
"""The default compression level: see the table in docs/explanation/state.md."""

STEP_FIELD = "Lycosa-Step"
"""The field of a record that holds its step, as JSON."""

NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
SAME_PAYLOAD = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
"""The profiles of `revisit` records (WARC 1.1, 6.7): the server answered 304, or sent the
same body again."""


class RecordLocation(NamedTuple):
    """The position of a record in the archive: number of the file, offset and length in bytes."""

    file: int
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Original:
    """The earlier response that an unchanged page repeats."""

    when: datetime
    digest: str
    location: RecordLocation


class ResponseRecords(NamedTuple):
    """The records of one response, in the order in which they are written."""

    members: list[bytes]
    """Each is one gzip member; that of a rendered document is joined to that of its response."""
    main: int | None
    """The index of the record that the step log names; None if it names none of them."""
    digest: str | None
    """The digest of the body; None with a fault."""
    location: RecordLocation | None = None
    """Of the record with the body, if an earlier response has it."""


def response_records(
    fetched: Response,
    step: StoredStep | None = None,
    original: Original | None = None,
    level: int = COMPRESSION_LEVEL,
) -> ResponseRecords:
    """Return the records of a response, or of the fault of a step.

    `step` is the step it belongs to, if any. `original` is the last response with a body
    from the same URL, if there is one: a response that repeats it becomes a `revisit`.

    >>> from lycosa.archive.reader import read_member
    >>> when = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> sent = (("Host", "a.example"),)
    >>> page = Response("http://a.example/", when, 200, body=b"Hello", request=sent)
    >>> found = response_records(page)
    >>> [read_member(member).type for member in found.members], found.main, found.digest
    (['request', 'response'], 1, 'sha1:677Z5C33WLQJW4ETLJOXQXQMYXM5BK7Q')
    """
    serialiser = RecordSerialiser(level)
    common = {} if step is None else {STEP_FIELD: step_value(step)}
    if fetched.fault is not None:
        return ResponseRecords([_fault_record(serialiser, fetched, common)], None, None)
    identity = random_id()
    members = []
    if fetched.request:
        members.append(_request_record(serialiser, fetched, identity, common))
    line = _status_line(fetched)
    if original is not None and fetched.rendered is None:
        not_modified = fetched.status == 304
        if not_modified or original.digest == digest_of(fetched.body):
            profile = NOT_MODIFIED if not_modified else SAME_PAYLOAD
            members.append(_revisit_record(serialiser, fetched, line, original, profile, common))
            if not_modified:
                return ResponseRecords(members, len(members) - 1, original.digest)
            return ResponseRecords(members, None, original.digest, original.location)
    member, digest = serialiser.response(
        fetched.url,
        line,
        fetched.stored,
        fetched.body,
        fetched.when,
        address=fetched.address,
        fields=common,
        identity=identity,
    )
    if fetched.rendered is not None:
        member += serialiser.conversion(fetched.url, fetched.rendered, fetched.when, of=identity)
    members.append(member)
    return ResponseRecords(members, len(members) - 1, digest)


def step_value(step: StoredStep) -> str:
    """Return the value of the field `Lycosa-Step`.

    >>> when = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> page = Response("http://a.example/b", when, 200)
    >>> step_value(StoredStep.of(7, "http://a.example/a", page, reward=1, source=3, score=0.5))
    '{"n":7,"source":3,"reward":1.0,"score":0.5,"url":"http://a.example/a"}'
    """
    # Half of the time of an encoder: this is written with every record.
    text = f'{{"n":{step.n},"source":{step.source},"reward":{float(step.reward)!r}'
    if math.isfinite(step.score):  # that of a seed is infinite, which JSON cannot express
        text += f',"score":{float(step.score)!r}'
    if step.url != step.final:
        text += f',"url":{json.dumps(step.url)}'
    return text + "}"


def read_response(members: bytes, digest: str | None = None) -> ArchivedResponse | None:
    """Return the response in the main record of `response_records`; None if it is damaged.

    Its body is the rendered document, if there is one. With a `digest` a
    response whose body has another one counts as damaged.

    >>> page = Response("http://a.example/", datetime.now(UTC), 200, body=b"1", rendered=b"2")
    >>> read_response(response_records(page).members[0]).body
    b'2'
    """
    records = read_members(members)
    first = next(records, None)
    if first is None or (digest and first.headers.get("warc-payload-digest") != digest):
        return None
    response, second = response_of(first), next(records, None)
    if response is None or second is None or second.type != "conversion":
        return response
    return replace(response, body=second.block)


def _fault_record(serialiser: RecordSerialiser, fetched: Response, common: dict[str, str]) -> bytes:
    lines = {"fault": str(fetched.fault)}
    if fetched.type:
        lines["type"] = fetched.type
    fields = {"WARC-Target-URI": fetched.url, **common, "Content-Type": WARC_FIELDS}
    return serialiser.record("metadata", fields, serialise_lines(lines.items()), fetched.when)


def _request_record(
    serialiser: RecordSerialiser, fetched: Response, of: str, common: dict[str, str]
) -> bytes:
    path = fetched.url.partition("://")[2].partition("/")[2]
    block = serialise_header(f"GET /{path} HTTP/1.1", fetched.request)
    fields = {
        "WARC-Target-URI": fetched.url,
        "WARC-Concurrent-To": f"<urn:uuid:{of}>",
        **common,
        "Content-Type": HTTP_REQUEST,
    }
    return serialiser.record("request", fields, block, fetched.when)


def _revisit_record(
    serialiser: RecordSerialiser,
    fetched: Response,
    line: str,
    original: Original,
    profile: str,
    common: dict[str, str],
) -> bytes:
    date = original.when.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
    fields = {
        "WARC-Target-URI": fetched.url,
        **common,
        "WARC-Profile": profile,
        "WARC-Refers-To-Target-URI": fetched.url,
        "WARC-Refers-To-Date": f"{date}Z",
        "WARC-Payload-Digest": original.digest,
        "Content-Type": HTTP_RESPONSE,
    }
    if fetched.address:
        fields["WARC-IP-Address"] = fetched.address
    block = serialise_response(line, fetched.stored, b"")
    return serialiser.record("revisit", fields, block, fetched.when)


def _status_line(fetched: Response) -> str:
    """Return the status line as sent, or a valid one in its place."""
    words = fetched.line.split(None, 2)
    if len(words) > 1 and words[0].startswith("HTTP/") and words[1] == str(fetched.status):
        return fetched.line
    return f"HTTP/1.1 {fetched.status} Status"
