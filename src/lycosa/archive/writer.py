"""Writing WARC 1.1: records as gzip members, and files of them.

Every record is one gzip member, so that each can be read without the others.
`RecordSerialiser` makes members, for any file; `WarcWriter` writes a whole file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Literal
from uuid import NAMESPACE_URL, uuid5

from lycosa.archive.deflate import compress_member
from lycosa.archive.http_message import serialise_response
from lycosa.archive.record import serialise_record
from lycosa.archive.record_text import digest_of, random_id, serialise_lines
from lycosa.closing import Closing
from lycosa.errors import ArchiveError

HTTP_REQUEST = "application/http; msgtype=request"
HTTP_RESPONSE = "application/http; msgtype=response"
WARC_FIELDS = "application/warc-fields"
"""The Content-Type of a record whose block is an HTTP message, or lines of `name: value`."""


@dataclass(frozen=True, slots=True)
class RecordSerialiser:
    """Makes WARC records, each compressed as one gzip member.

    A record's id is random, unless the caller gives the `offset` that the
    record will have: then the id is derived from the URL, the date, the offset
    and the digest, and the same calls give the same bytes.

    >>> when = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> page = ("http://a.example/", "HTTP/1.1 200 OK", [("Content-Length", "5")], b"Hello")
    >>> member, digest = RecordSerialiser(level=4).response(*page, when)
    >>> digest
    'sha1:677Z5C33WLQJW4ETLJOXQXQMYXM5BK7Q'
    >>> import zlib
    >>> zlib.decompress(member, wbits=31).splitlines()[:2]
    [b'WARC/1.1', b'WARC-Type: response']
    """

    level: int
    """The compression level, 0 to 9, as `compress_member` takes it."""
    timespec: Literal["seconds", "microseconds"] = "microseconds"
    """The precision of WARC-Date."""

    def response(
        self,
        url: str,
        status_line: str,
        headers: Iterable[tuple[str, str]],
        body: bytes,
        date: datetime,
        *,
        address: str = "",
        fields: Mapping[str, str] = MappingProxyType({}),
        offset: int | None = None,
        identity: str | None = None,
    ) -> tuple[bytes, str]:
        """Return the member of an HTTP response, and the digest of its body.

        `address` is the IP address of the server, if it is known; `identity` is
        the id of the record, if others are to refer to it; `fields` are further
        fields of the record.
        """
        digest = digest_of(body)
        fields = {"WARC-Target-URI": url, **fields}
        if address:
            fields["WARC-IP-Address"] = address
        fields["WARC-Payload-Digest"] = digest
        fields["Content-Type"] = HTTP_RESPONSE
        block = serialise_response(status_line, headers, body)
        member = self.record("response", fields, block, date, offset=offset, identity=identity)
        return member, digest

    def conversion(self, url: str, html: bytes, date: datetime, *, of: str) -> bytes:
        """Return the member of a document that was made of the response with the id `of`."""
        fields = {
            "WARC-Target-URI": url,
            "WARC-Refers-To": f"<urn:uuid:{of}>",
            "WARC-Payload-Digest": digest_of(html),
            "Content-Type": "text/html; charset=utf-8",
        }
        return self.record("conversion", fields, html, date)

    def warcinfo(
        self,
        filename: str,
        date: datetime,
        *,
        software: str = "lycosa",
        facts: Mapping[str, str] = MappingProxyType({}),
        offset: int | None = None,
    ) -> bytes:
        """Return the member that describes the records after it, first of all in a file.

        `facts` are further fields, such as `robots`, the policy that the crawl followed.
        """
        lines = {"software": software, "format": "WARC File Format 1.1", **facts}
        fields = {"WARC-Filename": filename, "Content-Type": WARC_FIELDS}
        return self.record("warcinfo", fields, serialise_lines(lines.items()), date, offset=offset)

    def record(
        self,
        type: str,
        fields: Mapping[str, str],
        block: bytes,
        date: datetime,
        *,
        offset: int | None = None,
        identity: str | None = None,
    ) -> bytes:
        """Return the member of a record of any type.

        Type, id, date, digest and length of the record are added to `fields`.
        A date without a time zone is taken as UTC.
        """
        when = date.astimezone(UTC) if date.tzinfo else date
        stamp = when.replace(tzinfo=None).isoformat(timespec=self.timespec) + "Z"
        digest = digest_of(block)
        if identity is None and offset is None:
            identity = random_id()
        elif identity is None:
            seed = f"{fields.get('WARC-Target-URI')} {stamp} {offset} {digest[5:]}"
            identity = str(uuid5(NAMESPACE_URL, seed))
        header = {
            "WARC-Type": type,
            "WARC-Record-ID": f"<urn:uuid:{identity}>",
            "WARC-Date": stamp,
            **fields,
            "WARC-Block-Digest": digest,
            "Content-Length": str(len(block)),
        }
        return compress_member(serialise_record(header, block), self.level)


class WarcWriter(Closing):
    """Writes a `.warc.gz` file from its first record to its last.

    The same calls with the same dates give the same bytes.

    `path` is the file to write, `software` the writer's name and `date` the
    date of the warcinfo record that the file begins with (now, if None).
    """

    def __init__(
        self, path: Path, *, software: str = "lycosa", date: datetime | None = None
    ) -> None:
        if path.suffixes[-2:] != [".warc", ".gz"]:
            raise ArchiveError(f"An archive is written as .warc.gz, not as {path.name!r}.")
        self._serialiser = RecordSerialiser(level=6, timespec="seconds")
        self._file = path.open("wb")
        when = date or datetime.now(UTC)
        self._file.write(self._serialiser.warcinfo(path.name, when, software=software, offset=0))

    def response(
        self,
        url: str,
        body: bytes,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        date: datetime | None = None,
    ) -> int:
        """Write the response of a server; return the offset of the record.

        A Content-Length header is added if there is none.
        """
        offset = self._file.tell()
        pairs = list((headers or {}).items())
        if not any(name.lower() == "content-length" for name, _ in pairs):
            pairs.append(("Content-Length", str(len(body))))
        line = f"HTTP/1.1 {status} {_REASONS.get(status, 'Status')}"
        when = date or datetime.now(UTC)
        member, _ = self._serialiser.response(url, line, pairs, body, when, offset=offset)
        self._file.write(member)
        return offset

    def close(self) -> None:
        """Close the file."""
        self._file.close()


_REASONS = {
    200: "OK", 301: "Moved Permanently", 302: "Found", 304: "Not Modified", 403: "Forbidden",
    404: "Not Found", 410: "Gone", 429: "Too Many Requests", 500: "Internal Server Error",
    503: "Service Unavailable",
}  # fmt: skip
