"""Formats and migrations of portal.db and corrections.db.

portal.db is derived data: where a migration cannot tell a value, the next build
computes it from the crawl and the corrections. corrections.db is the work of
people: a migration keeps every row.

To change a format, raise its version, change its schema, and add a function
that brings a database of the version before to the new one.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from lycosa.databases import APPLICATION_ID, DatabaseFormat
from lycosa.portal.schema import SCHEMA, VERSION

CORRECTIONS_VERSION: Final = 2
READ_TABLES: Final = ("documents", "references_")
"""The tables of what was read from documents; all others are derived from them."""

_log = logging.getLogger("lycosa.portal")


def _works_by_fields(database: sqlite3.Connection) -> None:
    """From 1 to 2: give works the columns of the table of fields."""
    reshape(database, ["works"])


PORTAL: Final = DatabaseFormat(
    "a portal",
    VERSION,
    SCHEMA,
    "move it elsewhere, then run lycosa build again",
    ", or delete the file and run lycosa build again",
    "run lycosa build again",
    migrations={1: _works_by_fields},
    application_ids=(APPLICATION_ID, 0),  # version 1 carried none
)


def _names_of_accounts(database: sqlite3.Connection) -> None:
    """From 1 to 2: say who made a correction; before there were editors, the owner did."""
    database.execute("ALTER TABLE corrections ADD COLUMN account TEXT NOT NULL DEFAULT 'owner'")


CORRECTIONS: Final = DatabaseFormat(
    "a file of corrections",
    CORRECTIONS_VERSION,
    """
CREATE TABLE corrections (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  kind   TEXT NOT NULL,
  work   TEXT NOT NULL,   -- the id of a work or of one of its documents, or of an author
  value  TEXT NOT NULL,
  time   TEXT NOT NULL,   -- ISO 8601, UTC
  undone TEXT,            -- when it was withdrawn
  account TEXT NOT NULL DEFAULT 'owner'  -- that made it
);
""",
    "move it elsewhere",
    migrations={1: _names_of_accounts},
)


def prepare_portal(path: Path, database: sqlite3.Connection) -> None:
    """Create, migrate or repair portal.db for a build; refuse what is not a portal.

    Tables that are derived from documents are recreated where they or their
    columns are missing; the build then derives their rows again.
    """
    if PORTAL.identify(path, database):
        PORTAL.upgrade(path, database)
        database.execute("BEGIN IMMEDIATE")
        try:
            derived = [table for table in PORTAL.tables() if table not in READ_TABLES]
            if changed := reshape(database, derived):
                _log.info("%s: tables to be derived again: %s", path, ", ".join(changed))
            database.execute("COMMIT")
        except BaseException:
            database.execute("ROLLBACK")
            raise
    PORTAL.prepare(path, database)


def reshape(database: sqlite3.Connection, tables: Iterable[str]) -> list[str]:
    """Give tables the columns of the current schema; return those that were changed.

    Columns that both have are copied, new ones are empty. Unknown ones are
    dropped where a new row could not fill them, and kept otherwise. Without its
    `state`, the next build derives all rows again.
    """
    wrong = {
        name.partition(".")[0]
        for name in (*PORTAL.missing(database), *PORTAL.unknown_required(database))
    }
    changed = [table for table in tables if table in wrong]
    for table in changed:
        old = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        create, *indexes = _definitions(table)
        # The order that SQLite advises: a rename of the old table would change
        # the references of other tables to it.
        database.execute(create.replace(f"TABLE {table} ", f"TABLE {table}_new ", 1))
        new = database.execute(f"PRAGMA table_info({table}_new)").fetchall()
        if old:
            names = ", ".join(row[1] for row in new)
            values = ", ".join(row[1] if row[1] in old else _empty(row) for row in new)
            database.execute(
                f"INSERT INTO {table}_new ({names}) SELECT {values} FROM {table}"  # noqa: S608
            )
            database.execute(f"DROP TABLE {table}")
        database.execute(f"ALTER TABLE {table}_new RENAME TO {table}")
        for statement in indexes:
            database.execute(statement)
    if changed and "meta" not in PORTAL.missing(database):
        database.execute("DELETE FROM meta WHERE key = 'state'")
    return changed


def _definitions(table: str) -> list[str]:
    """Return the statements that create a table and its indexes."""
    database = sqlite3.connect(":memory:")
    try:
        database.executescript(SCHEMA)
        query = (
            "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL "
            "ORDER BY type = 'index'"
        )
        return [row[0] for row in database.execute(query, (table,))]
    finally:
        database.close()


def _empty(column: tuple[Any, ...]) -> str:
    """Return the SQL literal of an empty value of a column."""
    _, _, kind, required, _, _ = column
    return "NULL" if not required else "''" if kind == "TEXT" else "0"
