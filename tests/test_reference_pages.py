"""The generators of reference pages cover everything that they document."""

import sqlite3

from tools.portal_db_page import portal_db_page
from tools.project_page import project_page

from lycosa.portal.schema import SCHEMA
from lycosa.project.sections import KEYS


def test_portal_db_page_lists_every_table_and_column_in_order():
    database = sqlite3.connect(":memory:")
    database.executescript(SCHEMA)
    found = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
    tables = [row[0] for row in database.execute(found)]
    parts = portal_db_page().split("\n## ")[1:-1]
    assert [part.partition("\n")[0] for part in parts] == tables
    for table, part in zip(tables, parts, strict=True):
        rows = [line.split("`")[1] for line in part.splitlines() if line.startswith("| `")]
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        assert rows[: len(columns)] == columns
    database.close()


def test_portal_db_page_has_the_comments_of_the_schema():
    assert "| `step` | integer | of the crawl, in crawl.db |" in portal_db_page()
    assert (
        "| `document` | text, may be NULL | the id of its best copy; none for what is only cited |"
        in (portal_db_page())
    )


def test_project_page_lists_every_key_with_its_default():
    text = project_page()
    for key in KEYS.values():
        assert f"| `{key.name}` | " in text.partition(f"## [{key.section}]")[2]
    assert "| `delay` | `1` |" in text
