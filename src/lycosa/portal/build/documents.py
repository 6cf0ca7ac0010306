"""The first stage of a build: what the crawl wanted becomes documents, each read once.

Steps are taken in their order and committed in portions, so a build that is
killed goes on where it was.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator
from hashlib import sha256

from lycosa.crawler.storage.reader import CrawlReader, LoggedStep
from lycosa.documents.conversion import conversion_key
from lycosa.papers.paper import UNREADABLE
from lycosa.portal.build.database import Database, Row
from lycosa.portal.build.identity import document_id
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.reading import Read, document_pool
from lycosa.portal.build.selection import wanted
from lycosa.processes import Task, WorkerPool

_EVERY = 2.0  # seconds between two commits
_AHEAD = 8  # documents for each job that are read before they can be kept

_MISSING = Read("none", UNREADABLE)


def read_new(
    ledger: CrawlReader, database: Database, progress: BuildProgress, jobs: int = 1
) -> Counter[str]:
    """Read what the crawl has found since the last build: how many there are of each outcome."""
    known = database.steps()
    new = [
        (document, entry)
        for url, entry in wanted(ledger).items()
        if known.get(document := document_id(url)) != entry.n
    ]
    progress.begin("reading documents", len(new))
    outcomes: Counter[str] = Counter()
    committed = time.monotonic()
    with document_pool(min(jobs, max(len(new), 1))) as pool:
        for document, place, found in _found(ledger, database, pool, new):
            database.add(document, place, found)
            outcomes[found.outcome] += 1
            progress.advance()
            if time.monotonic() - committed > _EVERY:
                database.commit()
                committed = time.monotonic()
    database.commit()
    return outcomes


def _found(
    ledger: CrawlReader,
    database: Database,
    pool: WorkerPool[Read],
    new: list[tuple[str, LoggedStep]],
) -> Iterator[tuple[str, Row, Read]]:
    """Each document with its place and what it is; equal bodies are read once."""
    waiting: deque[tuple[str, Row, Task[Read] | Read]] = deque()
    in_flight: dict[tuple[str, str], Task[Read]] = {}

    def first() -> tuple[str, Row, Read]:
        document, place, found = waiting.popleft()
        if isinstance(found, Task):
            found = found.result()
            in_flight.pop((place[5], place[3]), None)
        return document, place, found

    for document, entry in new:
        answer = ledger.answer(entry)
        body = answer.body if answer else b""
        kind = entry.type.partition(";")[0].strip().lower()
        key = sha256(body).hexdigest(), kind
        place = (entry.n, entry.final, entry.time, kind, len(body), key[0], entry.reward)
        found: Task[Read] | Read | None = in_flight.get(key) if answer else _MISSING
        if found is None:
            found = database.duplicate(*key)
        if found is None:
            stored = ledger.conversion(conversion_key(body, entry.type))
            found = in_flight[key] = pool.submit(body, entry.type, stored)
        waiting.append((document, place, found))
        while len(waiting) > _AHEAD * pool.jobs:
            yield first()
    while waiting:
        yield first()
