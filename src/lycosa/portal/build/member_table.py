"""All members of a portal, in columns that can be kept in files.

A member is identified by its number, in the order of steps and of lists.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.portal.build.database import Database
from lycosa.portal.build.members import (
    DocumentMembers,
    extract_members,
    is_untitled,
    matched_fields,
    pack,
    stored_documents,
    unpack,
)
from lycosa.portal.build.packed_members import NameColumn, PackedColumn
from lycosa.processes import in_batches, map_parallel
from lycosa.scratch import Scratch

DOCUMENTS_PER_BATCH = 200

Numbers = NDArray[np.int64]
Columns = Iterator[tuple[str, Any]]


@dataclass(slots=True)
class Members:
    """All members; the header of each document is followed by its references."""

    documents: NameColumn = field(default_factory=NameColumn)
    """The id of each document, in the order of steps."""
    steps: array[int] = field(default_factory=lambda: array("q"))
    """The step of the crawl at which each was read."""
    kinds: list[str] = field(default_factory=list)
    """The kind of each document: `paper` or `page`."""
    content_keys: NameColumn = field(default_factory=NameColumn)
    """Documents of a kind with equal keys are one work, whatever their fields say."""
    starts: array[int] = field(default_factory=lambda: array("q", [0]))
    """The members of document k are those from `starts[k]` to before `starts[k + 1]`."""
    canonicals: dict[int, str] = field(default_factory=dict)
    """Of documents whose author names another one to show, its id."""
    names: NameColumn = field(default_factory=NameColumn)
    """The stable name of each member."""
    packed: PackedColumn = field(default_factory=PackedColumn)
    """The fields of each member, see `members.pack`."""
    unmatched: bytearray = field(default_factory=bytearray)
    """1 for members with neither title nor identifier, which match nothing."""

    @classmethod
    def stored(cls, scratch: Scratch) -> Members:
        """Return no members yet; those that are added are in arrays that `scratch` makes."""
        names, documents, keys = (NameColumn(scratch=scratch) for _ in range(3))
        return cls(documents, content_keys=keys, names=names, packed=PackedColumn(scratch=scratch))

    def __len__(self) -> int:
        return len(self.names)

    def fill(
        self, database: Database, jobs: int = 1, chosen: Iterable[str] | None = None
    ) -> Iterator[ReferenceBatch]:
        """Add all documents that can be shown, or those `chosen`; yield members in batches."""
        batches = in_batches(stored_documents(database, chosen), DOCUMENTS_PER_BATCH)
        for documents, batch in map_parallel(extract_members, batches, jobs):
            for each in documents:
                self.add(each)
            yield batch

    def add(self, each: DocumentMembers) -> None:
        """Add the members of a document."""
        if each.canonical is not None:
            self.canonicals[len(self.documents)] = each.canonical
        self.documents.append(each.document)
        self.steps.append(each.step)
        self.kinds.append(each.kind)
        self.content_keys.append(each.content_key)
        self.names.extend(each.names)
        for member in each.packed:
            self.packed.append(member)
            self.unmatched.append(_is_unmatched(member))
        self.starts.append(len(self.names))

    def correct(self, number: int, fields: Mapping[str, str]) -> None:
        """Replace some fields of a member by corrected ones."""
        record = unpack(self.packed[number], is_header=True)
        confidence = {**record.confidence, **dict.fromkeys(fields, 1.0)}
        self.packed[number] = member = pack({**record.fields, **fields}, confidence)
        self.unmatched[number] = _is_unmatched(member)

    def sources(self) -> Numbers:
        """Return the number of the list that each member stands in; -1 for headers."""
        starts = np.array(self.starts, np.int64)
        found = np.repeat(np.arange(len(self.documents)), np.diff(starts))
        found[starts[:-1]] = -1
        return found

    # Columns

    def columns(self) -> Columns:
        """Yield the name and the array of each column, some of them in pieces."""
        named = [self.canonicals.get(k, "") for k in range(len(self.documents))]
        yield "documents", self.documents.array
        yield "content_keys", self.content_keys.array
        for name, texts in (("kinds", self.kinds), ("canonicals", named)):
            yield name, _encoded(texts)
        yield "steps", np.array(self.steps, np.int64)
        yield "starts", np.array(self.starts, np.int64)
        yield "names", self.names.array
        yield "unmatched", np.frombuffer(bytes(self.unmatched), np.uint8)
        yield "packed", self.packed.pieces
        yield "packed_starts", self.packed.starts
        yield "packed_sizes", self.packed.sizes

    @classmethod
    def from_columns(cls, columns: Mapping[str, NDArray[Any]]) -> Members:
        """Return members from their columns."""
        texts = {
            name: [each.decode() for each in columns[name].tolist()]
            for name in ("kinds", "canonicals")
        }
        return cls(
            NameColumn.of(columns["documents"]),
            array("q", columns["steps"].tobytes()),
            texts["kinds"],
            NameColumn.of(columns["content_keys"]),
            array("q", columns["starts"].tobytes()),
            {k: named for k, named in enumerate(texts["canonicals"]) if named},
            NameColumn.of(columns["names"]),
            PackedColumn.of([columns["packed"]], columns["packed_starts"], columns["packed_sizes"]),
            bytearray(columns["unmatched"].tobytes()),
        )

    def merged(self, kept: Sequence[int], other: Members) -> tuple[Members, Numbers]:
        """Return some documents of these members and all of others, in the order of steps.

        `kept` are numbers of documents, in order. The second result is the new number of
        each of these members, -1 for members of documents that are not kept.
        """
        place = np.full(len(self), -1)
        found = Members()
        starts, sizes, names, documents, keys = [], [], [], [], []
        data = self.packed.pieces
        offset = sum(map(len, data))
        number = count = 0
        for mine, some in _runs(self, kept, other):
            source = self if mine else other
            first, last = source.starts[some.start], source.starts[some.stop]
            if mine:
                place[first:last] = np.arange(number, number + last - first)
            names.append(source.names.array[first:last])
            starts.append(source.packed.starts[first:last] + (0 if mine else offset))
            sizes.append(source.packed.sizes[first:last])
            found.unmatched += source.unmatched[first:last]
            for k in some if source.canonicals else ():
                if k in source.canonicals:
                    found.canonicals[count + k - some.start] = source.canonicals[k]
            ends = np.array(source.starts[some.start + 1 : some.stop + 1]) + (number - first)
            found.starts.frombytes(ends.tobytes())
            found.steps += source.steps[some.start : some.stop]
            found.kinds += source.kinds[some.start : some.stop]
            documents.append(source.documents.array[some.start : some.stop])
            keys.append(source.content_keys.array[some.start : some.stop])
            count += len(some)
            number += last - first
        found.names, found.documents, found.content_keys = (
            NameColumn.of(np.concatenate([np.empty(0, "S1"), *parts]))
            for parts in (names, documents, keys)
        )
        found.packed = PackedColumn.of(
            [*data, *other.packed.pieces],
            np.concatenate([np.empty(0, np.int64), *starts]),
            np.concatenate([np.empty(0, np.int32), *sizes]),
        )
        return found, place


def _runs(one: Members, kept: Sequence[int], other: Members) -> Iterator[tuple[bool, range]]:
    """Yield runs of documents of one table or the other, so that all are in the order of steps."""
    mine, others = np.array(kept, np.int64), np.arange(len(other.documents))
    numbers = np.concatenate((mine, others))
    is_mine = np.arange(len(numbers)) < len(mine)
    steps = np.concatenate((np.array(one.steps)[mine], np.array(other.steps)))
    documents = np.concatenate((one.documents.array[mine], other.documents.array))
    order = np.lexsort((documents, steps))
    numbers, is_mine = numbers[order], is_mine[order]
    follows = (np.diff(numbers) == 1) & (is_mine[1:] == is_mine[:-1])
    cuts = [0, *(np.flatnonzero(~follows) + 1).tolist(), len(numbers)]
    for start, end in pairwise(cuts):
        if end > start:
            first = int(numbers[start])
            yield bool(is_mine[start]), range(first, first + end - start)


def _is_unmatched(member: bytes) -> bool:
    return is_untitled(member) and not matched_fields(member)


def _encoded(texts: Iterable[str]) -> NDArray[np.bytes_]:
    return np.array([text.encode("utf-8", "replace") for text in texts], "S")
