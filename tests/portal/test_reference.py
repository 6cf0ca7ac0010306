"""The page about portal.db."""

import sqlite3

from lycosa.portal.reference import reference
from lycosa.portal.schema import SCHEMA


def test_it_names_every_table_and_column_in_order():
    database = sqlite3.connect(":memory:")
    database.executescript(SCHEMA)
    found = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
    tables = [row[0] for row in database.execute(found)]
    parts = reference().split("\n## ")[1:-1]
    assert [part.partition("\n")[0] for part in parts] == tables
    for table, part in zip(tables, parts, strict=True):
        rows = [line.split("`")[1] for line in part.splitlines() if line.startswith("| `")]
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        assert rows[: len(columns)] == columns
    database.close()


def test_what_the_schema_says_of_a_column_is_there():
    assert "| `step` | integer | of the crawl, in crawl.db |" in reference()
    assert "| `document` | text, may be NULL | its best copy; NULL for what is only cited |" in (
        reference()
    )
