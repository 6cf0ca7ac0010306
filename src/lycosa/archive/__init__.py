"""Web archives: WARC files, HTTP messages and content codings, read and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.archive.archive import Archive
    from lycosa.archive.content_encoding import BrokenCoding, decode_body, decoder_for
    from lycosa.archive.http_message import ArchivedResponse, response_of
    from lycosa.archive.reader import ReadReport, read_member, read_warc, read_warc_at
    from lycosa.archive.record import Record
    from lycosa.archive.writer import RecordSerialiser, WarcWriter

_HOMES = {
    "archive": "Archive",
    "content_encoding": "BrokenCoding decode_body decoder_for",
    "http_message": "ArchivedResponse response_of",
    "reader": "ReadReport read_member read_warc read_warc_at",
    "record": "Record",
    "writer": "RecordSerialiser WarcWriter",
}

__all__ = [
    "Archive",
    "ArchivedResponse",
    "BrokenCoding",
    "ReadReport",
    "Record",
    "RecordSerialiser",
    "WarcWriter",
    "decode_body",
    "decoder_for",
    "read_member",
    "read_warc",
    "read_warc_at",
    "response_of",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
