"""What came of the documents of a portal, counted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from lycosa.portal.catalogue import FILE


class OutcomeCount(NamedTuple):
    """Documents of which the same became."""

    outcome: str
    kind: str
    documents: int


def count_outcomes(folder: Path) -> list[OutcomeCount]:
    """How many documents had each outcome, the most frequent first."""
    query = "SELECT outcome, kind, count(*) FROM documents GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2"
    address = f"{(folder / FILE).absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as database:
        return [OutcomeCount(*row) for row in database.execute(query)]
