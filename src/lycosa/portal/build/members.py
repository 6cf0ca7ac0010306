"""The members of works: headers of documents, and references of papers.

The fields of a member are packed into bytes, because there are millions of members.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from lycosa.papers.extraction.fields import ExtractedFields, Header, Reference
from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.canonical_record import FIELDS as MATCHED_FIELDS
from lycosa.papers.matching.identifiers import find_decisive
from lycosa.portal.build.author_rules import canonical_of
from lycosa.portal.build.database import Database
from lycosa.portal.build.identity import document_id, header_name, reference_names
from lycosa.portal.build.reading import fields_of
from lycosa.portal.fields import FIELDS as WORK_FIELDS
from lycosa.web.digests import digest

FURTHER_FIELDS = tuple(
    name for name, each in WORK_FIELDS.items() if each.spec.extracted and name not in MATCHED_FIELDS
)
"""The fields of the table that are extracted, but not compared to match members."""
MEMBER_FIELDS = (*MATCHED_FIELDS, *FURTHER_FIELDS)
IDENTIFIERS = ("doi", "arxiv")
"""Of the further fields, those that decide in matching."""
IDENTIFIER_CONFIDENCE = 0.95
"""Of an identifier in the printed text of a reference."""
COMPARED_CHARACTERS = 20_000
"""Two pages whose texts begin with as many equal characters are the same work."""
_SEPARATOR = "\x1f"
_PLACE = {name: place for place, name in enumerate(MEMBER_FIELDS)}
_VENUE_LABELS = WORK_FIELDS["venue"].spec.extracted

_DOCUMENTS = """
SELECT id, step, kind, digest, fields, CASE kind WHEN 'page' THEN substr(text, 1, ?) ELSE '' END
FROM documents WHERE kind != 'none' ORDER BY step, id
"""
_REFERENCES = """
SELECT r.document, r.text, r.fields FROM documents AS d JOIN references_ AS r
ON r.document = d.id WHERE d.kind = 'paper' ORDER BY d.step, d.id, r.number
"""
_DOCUMENT = _DOCUMENTS.replace("ORDER BY step, id", "AND id = ?")
_REFERENCES_OF = "SELECT text, fields FROM references_ WHERE document = ? ORDER BY number"


class MemberRecord(NamedTuple):
    """The unpacked fields of a member.

    `fields` has the fields that are not empty, and `confidence` the confidence of each, from 0
    to 1. `is_header` is whether the member is the header of a document, not a reference.
    """

    fields: Mapping[str, str]
    confidence: Mapping[str, float]
    is_header: bool = False


def pack(fields: Mapping[str, str], confidence: Mapping[str, float]) -> bytes:
    """Pack fields and their confidences, the latter with eight bits each.

    >>> unpack(pack({"title": "Web spiders"}, {"title": 0.6}), is_header=False)
    MemberRecord(fields={'title': 'Web spiders'}, confidence={'title': 0.6}, is_header=False)
    """
    texts = [fields.get(name, "").replace(_SEPARATOR, " ") for name in MEMBER_FIELDS]
    numbers = bytes([round(255 * confidence.get(name, 0.0)) for name in MEMBER_FIELDS])
    return numbers + _SEPARATOR.join(texts).encode("utf-8", "replace")


def unpack(member: bytes, *, is_header: bool) -> MemberRecord:
    """Unpack a member."""
    fields = unpack_fields(member)
    confidence = {name: member[_PLACE[name]] / 255 for name in fields}
    return MemberRecord(fields, confidence, is_header)


def unpack_fields(member: bytes) -> dict[str, str]:
    """Return the fields of a member that are not empty."""
    texts = member[len(MEMBER_FIELDS) :].decode().split(_SEPARATOR)
    return {name: text for name, text in zip(MEMBER_FIELDS, texts, strict=True) if text}


def is_untitled(member: bytes) -> bool:
    """Whether a member has no title, and so matches nothing but its identifiers.

    >>> is_untitled(pack({"year": "1999"}, {})), is_untitled(pack({"title": "Flies"}, {}))
    (True, False)
    """
    return not member[len(MEMBER_FIELDS) :].split(_SEPARATOR.encode(), 2)[1]


def matching_batch(
    members: Sequence[bytes], sources: Sequence[int] | None = None
) -> ReferenceBatch:
    """Return members as they are matched, with the list of references that each stands in."""
    return ReferenceBatch.from_references(map(matched_fields, members), sources)


def matched_fields(member: bytes) -> dict[str, str]:
    """Return the fields by which a member is matched; without a title, only its identifiers.

    >>> matched_fields(pack({"year": "1999", "doi": "10.5555/12"}, {}))
    {'doi': '10.5555/12'}
    """
    fields = unpack_fields(member)
    matched = (*MATCHED_FIELDS, *IDENTIFIERS) if "title" in fields else IDENTIFIERS
    return {name: fields[name] for name in matched if name in fields}


class StoredDocument(NamedTuple):
    """A document of portal.db with its references, as read for matching."""

    document: str
    """Its id."""
    kind: str
    """`paper` or `page`."""
    body_digest: str
    """Equal for equal bodies."""
    fields: str
    """Those of the header, as JSON."""
    text: str
    """The first `COMPARED_CHARACTERS` of a page; empty for a paper."""
    references: list[tuple[str, str]]
    """The printed text and the fields (JSON) of each."""
    step: int = 0
    """Of the crawl, at which it was read."""


class DocumentMembers(NamedTuple):
    """The members of a document, header first."""

    document: str
    """The id of the document."""
    kind: str
    """`paper` or `page`."""
    content_key: str
    """Digest of the words of a page; of the body where there are none."""
    names: list[str]
    """The stable name of each member, from which the id of a work is taken."""
    packed: list[bytes]
    """The fields of each member, see `pack`."""
    canonical: str | None = None
    """The id of the document that its author names as the one to show."""
    step: int = 0
    """Of the crawl, at which it was read."""


def stored_documents(
    database: Database, chosen: Iterable[str] | None = None
) -> Iterator[StoredDocument]:
    """Yield documents that can be shown, in the order of steps; all, or those `chosen`."""
    if chosen is None:
        yield from _all_stored_documents(database)
        return
    for document in chosen:
        if (row := database.one(_DOCUMENT, COMPARED_CHARACTERS, document)) is not None:
            _, step, kind, body_digest, fields, text = row
            listed = database.rows(_REFERENCES_OF, document) if kind == "paper" else ()
            references = [(text, fields) for text, fields in listed]
            yield StoredDocument(document, kind, body_digest, fields, text, references, step)


def _all_stored_documents(database: Database) -> Iterator[StoredDocument]:
    """Yield documents with their references, from two queries in the same order."""
    lists = groupby(database.rows(_REFERENCES), itemgetter(0))
    next_list = next(lists, None)
    for document, step, kind, body_digest, fields, text in database.rows(
        _DOCUMENTS, COMPARED_CHARACTERS
    ):
        references: list[tuple[str, str]] = []
        if next_list is not None and next_list[0] == document:
            references = [(row[1], row[2]) for row in next_list[1]]
            next_list = next(lists, None)
        yield StoredDocument(document, kind, body_digest, fields, text, references, step)


def extract_members(
    documents: list[StoredDocument],
) -> tuple[list[DocumentMembers], ReferenceBatch]:
    """Return the members of some documents, and all of them as they are matched."""
    found = [_document_members(document) for document in documents]
    sources: list[int] = []
    for each in found:
        # A number for the list of the document: the same in all processes.
        number = xxh3_64_intdigest(each.document.encode("utf-8", "replace")) >> 1
        sources += [-1, *[number] * (len(each.packed) - 1)]
    return found, matching_batch([member for each in found for member in each.packed], sources)


def _document_members(stored: StoredDocument) -> DocumentMembers:
    header = pack({}, {})
    if stored.kind == "paper":
        header = _pack_header(Header(fields_of(json.loads(stored.fields))))
    references = [
        _pack_reference(Reference(fields_of(json.loads(fields))), text)
        for text, fields in stored.references
    ]
    words = stored.text.split()
    named = canonical_of(stored.fields)
    return DocumentMembers(
        stored.document,
        stored.kind,
        digest(*words) if words else stored.body_digest,
        [
            header_name(stored.document),
            *reference_names(stored.document, (text for text, _ in stored.references)),
        ],
        [header, *references],
        None if named is None else document_id(named),
        stored.step,
    )


def _pack_header(header: Header) -> bytes:
    # What the evidence says is stored under the names of fields; older portals have none.
    dated = "year" if "year" in header else "date"
    fields = {
        "authors": " and ".join(map(str, header.authors)),
        "title": header.title,
        "year": header.text("year") or str(header.year or ""),
        "venue": header.text("venue"),
    }
    confidence = {
        "authors": header.confidence("author"),
        "title": header.confidence("title"),
        "year": header.confidence(dated),
        "venue": header.confidence("venue"),
    }
    return _pack_with_further(header, fields, confidence)


def _pack_reference(reference: Reference, text: str) -> bytes:
    venues = [reference.confidence(label) for label in _VENUE_LABELS if label in reference]
    confidence = {
        "authors": reference.confidence("author"),
        "title": reference.confidence("title"),
        "year": reference.confidence("date"),
        "venue": max(venues, default=0.0),
        "pages": reference.confidence("pages"),
        "volume": reference.confidence("volume"),
    }
    fields = reference.record()
    identifiers = find_decisive({"printed": text}).fields()
    fields |= identifiers
    confidence |= dict.fromkeys(identifiers, IDENTIFIER_CONFIDENCE)
    return _pack_with_further(reference, fields, confidence)


def _pack_with_further(
    found: ExtractedFields, fields: dict[str, str], confidence: dict[str, float]
) -> bytes:
    """Pack fields together with the further ones that the table extracts."""
    for name in FURTHER_FIELDS:
        label = next((x for x in WORK_FIELDS[name].spec.extracted if x in found), None)
        if label is not None:
            fields[name] = found.text(label)
            confidence[name] = found.confidence(label)
    return pack(fields, confidence)
