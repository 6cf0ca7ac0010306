"""Counts of documents by outcome of the build."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from lycosa.portal.catalogue import FILE


class OutcomeCount(NamedTuple):
    """The number of documents with one outcome that became one kind of work."""

    outcome: str
    kind: str
    documents: int


def count_outcomes(folder: Path) -> list[OutcomeCount]:
    """Return the number of documents by outcome and kind, the most frequent first."""
    query = "SELECT outcome, kind, count(*) FROM documents GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2"
    uri = f"{(folder / FILE).absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as database:
        return [OutcomeCount(*row) for row in database.execute(query)]
