"""The extraction log: how many documents of each host had which fields, by day.

When a site changes its template, what was found in its documents is not found any more. The
build writes a row for each host and day on which documents were read; a cumulative sum
(`lycosa.learn.bernoulli_cusum`) compares the latest days of each field with the host's own
past.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from lycosa.learn.bernoulli_cusum import BernoulliCusum

FIELDS: Final = ("text", "title", "authors", "abstract", "date", "references")
"""What is counted, in the order of the columns of the table."""

_log = logging.getLogger("lycosa.portal")


class TemplateChange(NamedTuple):
    """A field that is found less often in the documents of a host than before."""

    host: str
    field: str
    since: str
    """The first day."""
    before: float
    """The share of documents that had it."""
    after: float

    def __str__(self) -> str:
        return (
            f"{self.host}: {self.field} found in {self.after:.0%} of documents since {self.since}, "
            f"{self.before:.0%} before; its pages may have another layout."
        )


class ExtractionCounts:
    """Counts the documents that a build reads."""

    def __init__(self) -> None:
        self._counts: defaultdict[tuple[str, str], list[int]] = defaultdict(
            lambda: [0] * (1 + len(FIELDS))
        )

    def add(self, url: str, time: str, found: Iterable[bool]) -> None:
        """Count a document: where and when it was fetched, and which `FIELDS` it has."""
        row = self._counts[urlsplit(url).netloc, time[:10]]
        for place, counts in enumerate((True, *found)):
            row[place] += counts

    def rows(self) -> list[tuple[object, ...]]:
        """Return host, day, documents, and the documents with each of the fields."""
        return [(*key, *counts) for key, counts in sorted(self._counts.items())]


def found_fields(
    outcome: str, title: str, abstract: str, date: str, fields: str, references: int
) -> tuple[bool, ...]:
    """Return which of the `FIELDS` a document has.

    >>> found_fields("text", "Spiders", "", "1999", '{"author": [["Ann Lee", 0.9, 1, 2]]}', 0)
    (True, True, True, False, True, False)
    """
    labels = json.loads(fields) if fields else {}
    return (
        outcome == "text", bool(title), bool(labels.get("author")), bool(abstract), bool(date),
        references > 0,
    )  # fmt: skip


def template_changes(folder: Path) -> list[TemplateChange]:
    """Return where extraction has become worse; nothing for a portal without such a log."""
    path = folder / "portal.db"
    if not path.is_file():
        return []
    tests: defaultdict[tuple[str, str], BernoulliCusum] = defaultdict(BernoulliCusum)
    try:
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as database:
            for host, day, read, *found in database.execute(
                "SELECT * FROM extraction ORDER BY day, host"
            ):
                for field, count in zip(FIELDS, found, strict=True):
                    tests[host, field].add(day, count, read)
    except sqlite3.Error as error:
        _log.debug("%s has no extraction log", path, exc_info=error)
        return []
    return [
        TemplateChange(host, field, test.fallen_since, test.before, test.after)
        for (host, field), test in sorted(tests.items())
        if test.fallen_since is not None
    ]
