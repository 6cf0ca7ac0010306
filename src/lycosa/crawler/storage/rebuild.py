"""A new step log, built from the records of the archive and what is left of the old log.

The archive has checksums, so it is believed first. The old log adds what only it
knows: rewards that were amended, the URLs of pages whose records are lost, notes, and
the steps of an archive whose records carry none.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lycosa.archive.members import Member
from lycosa.closing import Closing
from lycosa.crawler.storage.archived_steps import (
    archived_step,
    is_numbered,
    redirect_of,
    unnumbered_step,
)
from lycosa.crawler.storage.journal import (
    COLUMNS,
    CREATE_CONVERSIONS,
    FORMAT,
    INDEX_BY_FINAL,
    INSERT_STEP,
    StepRow,
    row_of_values,
    values_of_row,
)
from lycosa.crawler.storage.records import RecordLocation
from lycosa.crawler.storage.salvage import SalvagedJournal
from lycosa.crawler.storage.store import LOST, PAGE_RULES, UNKNOWN_RULES, UNKNOWN_URL

_MAX_REDIRECTS = 100  # of one step, as a guard against circles


@dataclass(frozen=True, slots=True)
class LostPage:
    """A page that the crawl had fetched and that cannot be read any more."""

    n: int
    """The number of its step."""
    url: str | None
    """The requested URL; None if neither archive nor step log has it."""


class RebuiltJournal(Closing):
    """A new `crawl.db`, filled record by record.

    `path` is the file to create, `old` the salvaged log.
    """

    def __init__(self, path: Path, old: SalvagedJournal) -> None:
        path.unlink(missing_ok=True)
        self.path = path
        self.lost: list[LostPage] = []
        """The pages that are lost, once `finish` was called."""
        self.new_pages = 0
        """Pages of the archive that the old log does not have."""
        self.unnumbered = 0
        """Pages whose step numbers were counted, because their records have none."""
        self._old = old
        self._numbered = False
        self._last = 0  # the highest step of the archive so far
        self._redirects: dict[str, str] = {}
        self._between: dict[int, list[str]] = {}
        self._requests: dict[int, StepRow] = {}  # of which the response was not met yet
        self._main: tuple[int, str] | None = None  # step and id of the record just before
        self._database = sqlite3.connect(path, isolation_level=None)
        self._run = self._database.execute
        self._run("PRAGMA journal_mode=OFF")
        self._run("PRAGMA synchronous=OFF")
        self._run("BEGIN")
        FORMAT.create(self._database)
        self._run(INDEX_BY_FINAL)
        self._run(f"CREATE TEMP TABLE old AS SELECT {COLUMNS} FROM steps")  # noqa: S608
        insert = INSERT_STEP.replace("INTO steps", "INTO old")
        self._database.executemany(insert, map(values_of_row, old.rows()))
        self._run("CREATE INDEX temp.old_n ON old (n)")
        self._run('CREATE INDEX temp.old_place ON old (file, "offset")')
        self._old_steps = self._number("SELECT count(*) FROM old")
        self._old_last = self._number("SELECT ifnull(max(n), 0) FROM old")

    def add(self, member: Member, file: int, offset: int) -> None:
        """Add a whole record of the old archive file; it will be at `offset` of the new one."""
        record = member.record
        main, self._main = self._main, None
        if record.type == "warcinfo":
            self._numbered = is_numbered(record)
            return
        if record.type == "conversion":
            # It is one entry with the response just before it.
            if main is not None and record.headers.get("warc-refers-to") == main[1]:
                longer = "UPDATE steps SET length = length + ? WHERE n = ?"
                self._run(longer, (member.length, main[0]))
            return
        step = archived_step(record)
        if step is not None and record.type == "request":
            self._requests[step.n] = step
            return
        if step is None:
            step = self._step_without_number(member, file)
        else:
            self._numbered = True
            step = self._with_old_reward(step)
        if step is not None:
            location = RecordLocation(file, offset, member.length)
            self._insert(step, record.type, location)
            self._main = step.n, record.headers.get("warc-record-id", "")

    def _insert(self, step: StepRow, type: str, location: RecordLocation) -> None:
        n = step.n
        self._requests.pop(n, None)
        if type == "revisit" and step.status != 304:
            found = self._original(step)
            if found is None:
                self._requests[n] = _lost(step)
                return
            step = replace(step, location=found)
        elif step.fault is None:
            step = replace(step, location=location)
        self._between.update(self._redirects_between(step))
        self._last = max(self._last, n)
        self._put(step)

    def _put(self, step: StepRow) -> None:
        self._database.execute(INSERT_STEP, values_of_row(step))

    def _original(self, step: StepRow) -> RecordLocation | None:
        """Return the location of the body that an unchanged page has."""
        query = (
            'SELECT file, "offset", length FROM steps WHERE final = ? AND digest = ? '
            "AND status = 200 AND file IS NOT NULL ORDER BY n DESC LIMIT 1"
        )
        found = self._database.execute(query, (step.final, step.digest)).fetchone()
        return None if found is None else RecordLocation(*found)

    def _step_without_number(self, member: Member, file: int) -> StepRow | None:
        """Return the step of a record that carries none; None if it is not one."""
        record = member.record
        query = f'SELECT {COLUMNS} FROM old WHERE file = ? AND "offset" = ? ORDER BY n'  # noqa: S608
        for values in self._database.execute(query, (file, member.offset)):
            row = row_of_values(values)
            if row.digest == record.headers.get("warc-payload-digest"):
                return row
        if redirect := redirect_of(record):
            self._redirects[redirect.url] = redirect.location
            return None
        if self._numbered or self._old.state == "healthy":
            return None
        first = next((a for a, b in self._redirects.items() if b == record.url), record.url)
        step = unnumbered_step(record, self._last + 1, first)
        self.unnumbered += step is not None
        return step

    def _with_old_reward(self, step: StepRow) -> StepRow:
        """A healthy log knows rewards that were amended after the record was written."""
        found = self._run("SELECT url, reward FROM old WHERE n = ?", (step.n,)).fetchone()
        if found is None:
            self.new_pages += step.fault is None
            return step
        if self._old.state == "healthy" and found[0] == step.url:
            return replace(step, reward=found[1])
        return step

    def _redirects_between(self, step: StepRow) -> dict[int, list[str]]:
        """Return the URLs that redirects went through, without the first and the last."""
        chain = [step.url]
        while chain[-1] != step.final and len(chain) < _MAX_REDIRECTS:
            target = self._redirects.pop(chain[-1], None)
            if target is None:
                return {}
            chain.append(target)
        return {step.n: chain[1:-1]} if len(chain) > 2 else {}

    def finish(self, sizes: Mapping[int, int]) -> None:
        """Add what only the old log knows, and fill the gaps."""
        # A damaged log may give any number: one that is too high would open a gap of millions.
        healthy = self._old.state == "healthy"
        limit = self._old_last if healthy else self._last + self._old_steps
        missing = f"SELECT {COLUMNS} FROM old WHERE n NOT IN (SELECT n FROM steps) AND n <= ?"  # noqa: S608
        for values in self._database.execute(missing, (limit,)).fetchall():
            row = row_of_values(values)
            self._requests.pop(row.n, None)
            if row.fault is None:
                self.lost.append(LostPage(row.n, row.url))
                row = _lost(row)
            self._put(row)
        for n, row in self._requests.items():
            if not self._run("SELECT 1 FROM steps WHERE n = ?", (n,)).fetchone():
                self.lost.append(LostPage(n, row.url))
                self._put(row)
        self._fill_gaps()
        self._database.executemany("INSERT INTO files VALUES (?, ?)", sizes.items())
        self._put_notes()
        conversions = self._old.conversions()
        if (first := next(conversions, None)) is not None:
            self._run(CREATE_CONVERSIONS)
            self._put_conversions([first])
            self._put_conversions(conversions)
        self._run("DROP TABLE temp.old")
        self._run("COMMIT")
        self.lost.sort(key=lambda page: page.n)

    def _fill_gaps(self) -> None:
        """Add a step for every number that is missing: a lost page of unknown URL.

        Numbers stay what they are: the archive, sources and portals refer to them.
        """
        there = {row[0] for row in self._run("SELECT n FROM steps")}
        when = datetime.fromtimestamp(0, UTC)
        for n in range(1, max(there, default=0)):
            if n in there:
                found = self._run("SELECT time FROM steps WHERE n = ?", (n,)).fetchone()
                when = datetime.fromisoformat(found[0])
            else:
                self.lost.append(LostPage(n, None))
                url = f"{UNKNOWN_URL}{n}"
                self._put(StepRow(n, url, url, 0, "", LOST, 0.0, 0, math.inf, when))

    def _put_notes(self) -> None:
        notes = self._old.notes()
        for n, urls in self._between.items():
            notes.setdefault(f"between:{n}", urls)
        # The last requests are unknown, as after a kill: every host may have got one just now.
        time = self._number("SELECT max(time) FROM steps")
        last = 0.0 if time is None else datetime.fromisoformat(time).timestamp()
        saved = notes.get("hosts-saved")
        at = saved.get("at", last) if isinstance(saved, dict) else last
        notes["hosts-saved"] = {"at": at, "exact": False}
        if not isinstance(notes.get("hosts"), dict):
            notes["hosts"] = {}
        if self._old.state != "healthy":
            # Without its note an old crawl would be read without the rules of authors of pages.
            notes.setdefault(PAGE_RULES, UNKNOWN_RULES)
        rows = [(key, json.dumps(value)) for key, value in notes.items()]
        self._database.executemany("INSERT OR REPLACE INTO notes VALUES (?, ?)", rows)

    def _put_conversions(self, pairs: Iterable[tuple[str, bytes]]) -> None:
        self._database.executemany("INSERT OR REPLACE INTO conversions VALUES (?, ?)", pairs)

    @property
    def is_new(self) -> bool:
        """Whether the archive has steps that the old log lacks."""
        return self._last > self._old_last or self.new_pages > 0

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of steps, of pages, and of faults."""
        query = "SELECT count(*), count(file), count(fault) FROM steps"
        steps, pages, faults = self._database.execute(query).fetchone()
        return steps, pages, faults

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _number(self, query: str) -> Any:
        return self._database.execute(query).fetchone()[0]


def _lost(step: StepRow) -> StepRow:
    """Return a step as it is when its page is lost: to be requested again, and not counted."""
    return replace(step, status=0, type="", fault=LOST, reward=0.0, location=None, digest=None)
