"""What works are made of: the headers of documents, and the references of papers.

A member is known by its number, in the order of steps and of lists. What is
said in it is packed, for there are millions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from lycosa.papers.extraction.fields import Header, Reference
from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.canonical_record import FIELDS
from lycosa.portal.build.database import Database
from lycosa.portal.build.identity import digest, header_name, reference_names
from lycosa.portal.build.reading import fields_of
from lycosa.processes import in_batches, map_parallel

_GAP = "\x1f"
_CUT = _GAP.encode()
_PLACE = {name: place for place, name in enumerate(FIELDS)}
_VENUES = ("journal", "booktitle", "tech", "institution", "publisher")
_ALIKE = 20_000  # characters of a page that must be the same
_AT_ONCE = 200  # documents

_DOCUMENTS = """
SELECT id, kind, digest, fields, CASE kind WHEN 'page' THEN substr(text, 1, ?) ELSE '' END
FROM documents WHERE kind != 'none' ORDER BY step, id
"""
_REFERENCES = """
SELECT r.document, r.text, r.fields FROM documents AS d JOIN references_ AS r
ON r.document = d.id WHERE d.kind = 'paper' ORDER BY d.step, d.id, r.number
"""


class Said(NamedTuple):
    """What a member says: its fields that are not empty, how sure each is, and who it is."""

    fields: Mapping[str, str]
    sure: Mapping[str, float]
    is_header: bool = False


def packed(fields: Mapping[str, str], sure: Mapping[str, float]) -> bytes:
    """Fields, and how sure they are, in few bytes.

    >>> unpacked(packed({"title": "Web spiders"}, {"title": 0.6}), is_header=False)
    Said(fields={'title': 'Web spiders'}, sure={'title': 0.6}, is_header=False)
    """
    texts = [fields.get(name, "").replace(_GAP, " ") for name in FIELDS]
    numbers = bytes([round(255 * sure.get(name, 0.0)) for name in FIELDS])
    return numbers + _GAP.join(texts).encode("utf-8", "replace")


def unpacked(member: bytes, *, is_header: bool) -> Said:
    """What a member says."""
    fields = fields_in(member)
    return Said(fields, {name: member[_PLACE[name]] / 255 for name in fields}, is_header)


def fields_in(member: bytes) -> dict[str, str]:
    """The fields of a member that are not empty."""
    texts = member[len(FIELDS) :].decode().split(_GAP)
    return {name: text for name, text in zip(FIELDS, texts, strict=True) if text}


def is_untitled(member: bytes) -> bool:
    """Whether a member has no title, and so is like nothing else.

    >>> is_untitled(packed({"year": "1999"}, {})), is_untitled(packed({"title": "Flies"}, {}))
    (True, False)
    """
    return not member.split(_CUT, 2)[1]


def ready(members: Sequence[bytes]) -> ReferenceBatch:
    """Members as they are matched; those without a title say nothing."""
    return ReferenceBatch.from_references(
        {} if is_untitled(each) else fields_in(each) for each in members
    )


class Paged(NamedTuple):
    """A document as it is kept, with its references as their texts and fields."""

    document: str
    kind: str
    body: str
    fields: str
    text: str
    references: list[tuple[str, str]]


class Found(NamedTuple):
    """A document and its members: names, and what each says, packed."""

    document: str
    kind: str
    alike: str
    names: list[str]
    said: list[bytes]


@dataclass(slots=True)
class Members:
    """All members; the header of each document is followed by its references."""

    documents: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    alike: list[str] = field(default_factory=list)
    """Documents of a kind with the same are the same work, whatever is said in them."""
    starts: list[int] = field(default_factory=lambda: [0])
    """The members of document k are those from `starts[k]` to before `starts[k + 1]`."""
    names: list[str] = field(default_factory=list)
    packed: list[bytes] = field(default_factory=list)
    """What each says."""

    def __len__(self) -> int:
        return len(self.names)

    def fill(self, database: Database, jobs: int = 1) -> Iterator[ReferenceBatch]:
        """Take in all documents that can be shown: their members as they come."""
        for part, portion in map_parallel(
            found, in_batches(_paged(database), _AT_ONCE), jobs, activity="reading members"
        ):
            for each in part:
                self.add(each)
            yield portion

    def add(self, each: Found) -> None:
        """Take in a document."""
        self.documents.append(each.document)
        self.kinds.append(each.kind)
        self.alike.append(each.alike)
        self.names += each.names
        self.packed += each.said
        self.starts.append(len(self.names))

    def correct(self, number: int, fields: Mapping[str, str]) -> None:
        """Put what a person says in place of some fields of a member."""
        said = unpacked(self.packed[number], is_header=True)
        sure = {**said.sure, **dict.fromkeys(fields, 1.0)}
        self.packed[number] = packed({**said.fields, **fields}, sure)


def _paged(database: Database) -> Iterator[Paged]:
    """Documents, each with its references, from two queries that go hand in hand."""
    listed = groupby(database.rows(_REFERENCES), itemgetter(0))
    waiting = next(listed, None)
    for document, kind, body, fields, text in database.rows(_DOCUMENTS, _ALIKE):
        references: list[tuple[str, str]] = []
        if waiting is not None and waiting[0] == document:
            references = [(row[1], row[2]) for row in waiting[1]]
            waiting = next(listed, None)
        yield Paged(document, kind, body, fields, text, references)


def found(part: list[Paged]) -> tuple[list[Found], ReferenceBatch]:
    """The members of some documents, and all of these as they are matched."""
    every = [_found(each) for each in part]
    return every, ready([member for each in every for member in each.said])


def _found(page: Paged) -> Found:
    header = packed({}, {})
    if page.kind == "paper":
        header = _of_header(Header(fields_of(json.loads(page.fields))))
    said = [_of_reference(Reference(fields_of(json.loads(f)))) for _, f in page.references]
    words = page.text.split()
    return Found(
        page.document,
        page.kind,
        digest(*words) if words else page.body,
        [
            header_name(page.document),
            *reference_names(page.document, (text for text, _ in page.references)),
        ],
        [header, *said],
    )


def _of_header(header: Header) -> bytes:
    fields = {
        "authors": " and ".join(map(str, header.authors)),
        "title": header.title,
        "year": str(header.year or ""),
    }
    sure = {
        "authors": header.confidence("author"),
        "title": header.confidence("title"),
        "year": header.confidence("date"),
    }
    return packed(fields, sure)


def _of_reference(reference: Reference) -> bytes:
    sure = {
        "authors": reference.confidence("author"),
        "title": reference.confidence("title"),
        "year": reference.confidence("date"),
        "venue": max([reference.confidence(x) for x in _VENUES if x in reference], default=0.0),
        "pages": reference.confidence("pages"),
        "volume": reference.confidence("volume"),
    }
    return packed(reference.record(), sure)
