"""Compaction of an archive: of its old volumes only what is still needed is kept.

A crawl that goes on for years keeps every version of every page, and a record for each visit
that found no change. Compaction copies what is needed into new volumes and deletes the old
ones. Needed are the latest response of every URL, with its request, and the steps that the
caller names; of responses that belong to no step (robots.txt, redirects) the latest of each
URL. A step whose record is gone stays in the log, with its time, status and digest: a replay
takes it for a page without links.

The process can be killed at any moment. Records are copied and synced in batches; then one
transaction changes where the log finds them. A volume is deleted after the transaction that
took the last step out of it, which names it, so that the next one to open the crawl deletes
it if that was interrupted. What a kill leaves is done by the next compaction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final

import xxhash

from lycosa.archive.http_message import response_of
from lycosa.archive.members import Member, scan_members
from lycosa.crawler.storage.journal import Journal
from lycosa.crawler.storage.records import STEP_FIELD, RecordLocation
from lycosa.crawler.storage.volumes import Volumes
from lycosa.documents.conversion import conversion_key

MIN_GARBAGE: Final = 0.2
"""The least share of a volume that is not needed: less is not worth the copy."""
OVERHEAD_BYTES: Final = 800
"""What a response needs beside its own record, at most: its request, a redirect that led to it."""
BATCH_BYTES: Final = 32 << 20
"""Bytes of records that are copied before a transaction: as many are copied again after a kill."""

_STEP_KEY = STEP_FIELD.lower()

OnVolume = Callable[[int, int], None]
"""Called with the volumes that are done, and all that are to be compacted."""


@dataclass
class CompactionReport:
    """What a compaction has done."""

    before: int
    """The size of the archive before it, in bytes."""
    after: int = 0
    """The size after it."""
    volumes: int = 0
    """Volumes that were compacted."""
    dropped: int = 0
    """Steps whose record was dropped."""


class Compaction:
    """Compacts the archive of a crawl that nobody else has open.

    Parameters
    ----------
    journal, volumes
        The step log and the archive; their owner holds the lock of the crawl.
    needed
        Steps whose records are kept, beside the latest of each URL.
    """

    def __init__(self, journal: Journal, volumes: Volumes, needed: Collection[int]) -> None:
        self._journal = journal
        self._volumes = volumes
        self._kept = journal.latest_steps()
        self._kept.update(needed)
        self._seen: set[int] = set()  # hashes of URLs of responses that belong to no step

    def run(self, on_volume: OnVolume = lambda done, total: None) -> CompactionReport:
        """Compact every volume that has enough garbage, the newest first."""
        sizes = dict(self._volumes.sizes)
        report = CompactionReport(sum(sizes.values()))
        chosen = [file for file in sorted(sizes, reverse=True) if self._is_worth(file, sizes[file])]
        if chosen:
            self._volumes.begin_volume()
        for done, file in enumerate(chosen):
            on_volume(done, len(chosen))
            report.dropped += self._compact(file, sizes[file])
            report.volumes += 1
        on_volume(len(chosen), len(chosen))
        report.after = sum(self._volumes.sizes.values())
        return report

    def _is_worth(self, file: int, size: int) -> bool:
        kept = {
            offset: length for n, offset, length in self._journal.steps_in(file) if n in self._kept
        }
        needed = sum(kept.values()) + OVERHEAD_BYTES * (len(kept) + 1)
        return size - needed > MIN_GARBAGE * size

    def _compact(self, file: int, size: int) -> int:
        """Compact one volume; return how many steps have lost their record."""
        steps: defaultdict[int, list[int]] = defaultdict(list)  # by the offset of their record
        for n, offset, _ in self._journal.steps_in(file):
            steps[offset].append(n)
        needed = {offset for offset, numbers in steps.items() if self._kept.intersection(numbers)}
        moved: list[tuple[list[int], list[Member]]] = []
        waiting = 0
        for numbers, members in self._groups(file, size, steps, needed):
            moved.append((numbers, members))
            waiting += sum(member.length for member in members)
            if waiting >= BATCH_BYTES:
                self._move(file, moved)
                moved, waiting = [], 0
        self._move(file, moved)
        dropped = sum(len(steps[offset]) for offset in steps.keys() - needed)
        superseded = self._superseded(file, size, steps.keys() - needed)
        self._journal.drop_volume(file, superseded)
        self._volumes.delete(file)
        self._journal.forget_dropped()
        return dropped

    def _groups(
        self, file: int, size: int, steps: dict[int, list[int]], needed: Collection[int]
    ) -> Iterator[tuple[list[int], list[Member]]]:
        """Yield the records to keep: the steps of each, and its members in their order."""
        request: Member | None = None
        open_group: tuple[list[int], list[Member]] | None = None
        for member in scan_members(self._volumes.path(file), size):
            if not isinstance(member, Member):
                continue
            kind = member.record.type
            if kind == "conversion" and open_group is not None:
                open_group[1].append(member)  # the rendered document is part of its response
                continue
            if open_group is not None:
                yield open_group
                open_group = None
            if kind == "request":
                request = member
                continue
            before, request = request, None
            if member.offset in needed:
                open_group = steps[member.offset], [*filter(None, (before,)), member]
            elif kind == "response" and _STEP_KEY not in member.record.headers:
                key = xxhash.xxh3_64_intdigest(member.record.url.encode())
                if key not in self._seen:
                    open_group = [], [*filter(None, (before,)), member]
                self._seen.add(key)
        if open_group is not None:
            yield open_group

    def _move(self, file: int, groups: list[tuple[list[int], list[Member]]]) -> None:
        """Copy records to a new volume, and let the log find them there."""
        if not groups:
            return
        written = self._volumes.append(
            [
                [self._read(file, member) for member in members if member.record.type == "request"]
                + [b"".join(self._read(file, m) for m in members if m.record.type != "request")]
                for _, members in groups
            ]
        )
        places = [
            (n, locations[-1])
            for (numbers, _), locations in zip(groups, written, strict=True)
            for n in numbers
        ]
        self._journal.move(places, self._volumes.sizes)

    def _read(self, file: int, member: Member) -> bytes:
        return self._volumes.read(RecordLocation(file, member.offset, member.length))

    def _superseded(self, file: int, size: int, offsets: Collection[int]) -> Iterator[str]:
        """Yield the keys of the conversions of documents whose record is dropped."""
        if not self._journal.has_conversions():
            return
        for member in scan_members(self._volumes.path(file), size):
            if isinstance(member, Member) and member.offset in offsets:
                response = response_of(member.record)
                if response is not None and response.body:
                    yield conversion_key(response.body, response.type)
