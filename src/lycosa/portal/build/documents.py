"""The first stage of a build: read the pages that the goal rewarded, each once.

Steps are read in their order and committed in batches, so that a build that was
killed continues where it was.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Protocol

from lycosa.crawler.storage.reader import CrawlReader, LoggedStep
from lycosa.documents.conversion import conversion_key
from lycosa.papers.paper import UNREADABLE
from lycosa.portal.build.author_rules import HIDDEN, AuthorRules, with_canonical
from lycosa.portal.build.database import Database, Row
from lycosa.portal.build.identity import document_id
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.reading import ReadDocument, document_pool
from lycosa.portal.build.selection import Selection, select_steps
from lycosa.portal.build.withholding import Withholding
from lycosa.portal.extraction_log import ExtractionCounts, found_fields
from lycosa.processes import Task, WorkerPool
from lycosa.project.exclusions import ExclusionRules
from lycosa.web.decoding import media_type

COMMIT_INTERVAL_SECONDS = 2.0
MAX_AHEAD_PER_JOB = 8
"""Documents that are read before those in front of them are stored."""

EXCLUDED = "excluded"
"""The outcome of a document that the owner has excluded."""
RULES = "rules"
"""The key in the table meta of the rules by which all documents were read."""

_NO_BODY = ReadDocument("none", UNREADABLE)
DEPARTED = ReadDocument("none", "gone")
"""The result of a document that is not shown any more."""


class ReadElsewhere(Protocol):
    """Documents that are read by other processes or machines, before the build asks for them."""

    def prepare(self, steps: Sequence[LoggedStep], progress: BuildProgress) -> None:
        """Read the pages of these steps; those that are left out are read by the build."""

    def find(self, digest: str, kind: str, name: str) -> ReadDocument | None:
        """Return what `DocumentReader.read` gives for a body; None if it was not read.

        The body is given by its SHA-256, with its MIME type and the name of its file.
        """


def read_new(
    crawl: CrawlReader,
    database: Database,
    progress: BuildProgress,
    jobs: int = 1,
    rules: AuthorRules = AuthorRules(),  # noqa: B008 - immutable
    elsewhere: ReadElsewhere | None = None,
    gone_after: timedelta = timedelta.max,
    withholding: Withholding | None = None,
) -> Counter[str]:
    """Read what the crawl has found since the last build; return the number of each outcome.

    What is gone for longer than `gone_after` is not shown any more.
    All is read again if the last build followed other `rules`; equal bodies are not, nor
    what was read `elsewhere`. What `withholding` covers is left out, and documents that the
    goal does not want any more are deleted.
    """
    withholding = withholding or Withholding(ExclusionRules())
    stored = database.steps()
    known = stored if database.meta(RULES) == repr(rules) else {}
    selected = select_steps(crawl, withholding.covers_url)
    departed = departed_documents(selected, gone_after)
    shown = {
        document_id(url): entry for url, entry in selected.steps.items() if url not in departed
    }
    database.delete_documents(
        sorted(stored.keys() - shown.keys() - set(map(document_id, departed)))
    )
    new = [(document, entry) for document, entry in shown.items() if known.get(document) != entry.n]
    database.set_tombstones(
        (document_id(url), entry.time)
        for url, entry in selected.gone.items()
        if url not in departed
    )
    for url, entry in departed.items():
        if known.get(document := document_id(url), entry.n) != entry.n:
            place = entry.n, url, entry.time, "", 0, "", 0.0
            database.add(document, place, DEPARTED)
    if elsewhere is not None:
        elsewhere.prepare([entry for _, entry in new], progress)
    progress.begin("reading documents", len(new))
    outcomes: Counter[str] = Counter()
    counts = ExtractionCounts()

    def commit() -> None:
        nonlocal counts
        database.count_extraction(counts.rows())
        database.commit()
        counts = ExtractionCounts()

    committed = time.monotonic()
    with document_pool(min(jobs, max(len(new), 1))) as pool:
        for document, place, found in _read_in_order(crawl, database, pool, new, rules, elsewhere):
            if found is not HIDDEN:
                facts = found.outcome, found.title, found.abstract, found.date, found.fields
                counts.add(place[1], place[2], found_fields(*facts, len(found.references)))
            allowed = withholding.apply(database, document, place[5], found)
            if allowed is None:
                database.delete_documents([document])
                outcomes[EXCLUDED] += 1
            else:
                database.add(document, place, allowed)
                outcomes[allowed.outcome] += 1
            progress.advance()
            if time.monotonic() - committed > COMMIT_INTERVAL_SECONDS:
                commit()
                committed = time.monotonic()
    commit()
    return outcomes


def departed_documents(
    selected: Selection, gone_after: timedelta, now: datetime | None = None
) -> dict[str, LoggedStep]:
    """Return the documents that are not shown any more, with the steps that found this.

    They have moved to where another document is, or are gone for longer than `gone_after`.
    """
    now = now or datetime.now(UTC)
    gone = {
        url: entry
        for url, entry in selected.gone.items()
        if now - datetime.fromisoformat(entry.time) > gone_after
    }
    return {**selected.merged, **gone}


def _read_in_order(
    crawl: CrawlReader,
    database: Database,
    pool: WorkerPool[ReadDocument],
    new: list[tuple[str, LoggedStep]],
    rules: AuthorRules,
    elsewhere: ReadElsewhere | None,
) -> Iterator[tuple[str, Row, ReadDocument]]:
    """Yield documents with their columns step to reward, and content; read equal bodies once."""
    waiting: deque[tuple[str, Row, Task[ReadDocument] | ReadDocument, str | None]] = deque()
    in_flight: dict[tuple[str, str], Task[ReadDocument] | ReadDocument] = {}

    def next_document() -> tuple[str, Row, ReadDocument]:
        document, place, found, canonical = waiting.popleft()
        if in_flight.get(key := (place[5], place[3])) is found:
            del in_flight[key]
        if isinstance(found, Task):
            found = found.result()
        return document, place, with_canonical(found, canonical)

    for document, entry in new:
        response = crawl.answer(entry)
        body = response.body if response else b""
        kind = media_type(entry.type)
        key = sha256(body).hexdigest(), kind
        place = (entry.n, entry.final, entry.time, kind, len(body), key[0], entry.reward)
        asked = rules.read(entry.final, entry.type, response)
        found: Task[ReadDocument] | ReadDocument | None = (
            in_flight.get(key) if response else _NO_BODY
        )
        if asked.noindex:
            found = HIDDEN
        if found is None:
            found = database.duplicate(*key)
        name = entry.final.partition("?")[0].rpartition("/")[2]
        if found is None and elsewhere is not None:
            found = elsewhere.find(*key, name)
            if found is not None:  # equal bodies are read once: by the name of the first
                in_flight[key] = found
        if found is None:
            stored = crawl.conversion(conversion_key(body, entry.type))
            found = in_flight[key] = pool.submit(body, entry.type, stored, name)
        waiting.append((document, place, found, asked.canonical))
        while len(waiting) > MAX_AHEAD_PER_JOB * pool.jobs:
            yield next_document()
    while waiting:
        yield next_document()
