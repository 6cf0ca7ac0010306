"""portal.db and corrections.db of version 1, with surprises, and of a newer version.

The SQL files in `data` are dumps of databases that version 1 of the format wrote.
"""

import json
import sqlite3
from pathlib import Path

import pytest

from lycosa.databases import APPLICATION_ID
from lycosa.errors import UsageError
from lycosa.portal.build.database import Database
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.corrections import Corrections
from lycosa.portal.exports import jsonl
from lycosa.portal.migrations import PORTAL
from lycosa.portal.schema import VERSION

DATA = Path(__file__).parent / "data"
CURRENT = (
    "ALTER TABLE corrections ADD COLUMN account TEXT NOT NULL DEFAULT 'owner'; "
    "PRAGMA user_version = 2;"
)


def restore(folder: Path, name: str, *statements: str) -> Path:
    """Create a database of version 1 from its dump, and change it."""
    path = folder / f"{name}.db"
    database = sqlite3.connect(path)
    database.executescript((DATA / f"{name}-v1.sql").read_text())
    database.execute("PRAGMA user_version = 1")
    if name == "corrections":
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for statement in statements:
        database.executescript(statement)
    database.close()
    return path


def query(path: Path, text: str):
    database = sqlite3.connect(path)
    try:
        return database.execute(text).fetchall()
    finally:
        database.close()


def execute(path: Path, statement: str) -> None:
    database = sqlite3.connect(path)
    with database:
        database.execute(statement)
    database.close()


def columns(path: Path, table: str) -> set[str]:
    return {row[1] for row in query(path, f"PRAGMA table_info({table})")}


def test_a_portal_of_version_1_is_read_as_it_is(tmp_path):
    path = restore(tmp_path, "portal")
    catalogue = Catalogue.open(tmp_path)
    works = [json.loads(line) for line in b"".join(jsonl(catalogue)).splitlines()]
    assert len(works) == query(path, "SELECT count(*) FROM works")[0][0] > 2
    assert "Spiders that learn to hunt for papers" in {work["title"] for work in works}
    assert query(path, "PRAGMA user_version") == [(1,)], "reading changes nothing"


def test_a_build_migrates_a_portal_of_version_1_and_keeps_its_rows(tmp_path):
    path = restore(tmp_path, "portal")
    names = {table: ", ".join(sorted(columns(path, table))) for table in PORTAL.tables()}
    # Where works get new columns, the build derives all rows again, without its state.
    kept = "WHERE key != 'state'"

    def rows():
        return {
            table: query(path, f"SELECT {some} FROM {table} {kept if table == 'meta' else ''}")
            for table, some in names.items()
        }

    before = rows()
    with Database.open(tmp_path):
        pass
    assert query(path, "PRAGMA user_version") == [(VERSION,)]
    assert query(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert rows() == before


def test_works_without_a_column_of_the_table_are_read_with_its_default(tmp_path):
    path = restore(tmp_path, "portal", "ALTER TABLE works DROP COLUMN volume")
    assert {work.volume for work in Catalogue.open(tmp_path).iter_works()} == {""}
    with Database.open(tmp_path) as database:
        assert database.meta("state") == "", "the next build derives the rows again"
        assert database.meta("generation") == "1"
    assert "volume" in columns(path, "works")
    indexes = query(path, "SELECT name FROM sqlite_master WHERE tbl_name = 'works' AND sql > ''")
    assert {("works_kind",), ("works_cited_by",), ("works_date",)} <= {*indexes}
    assert not query(path, "PRAGMA foreign_key_check")


@pytest.mark.parametrize("table", ["works", "documents", "meta"])
def test_an_unknown_column_does_no_harm(tmp_path, table):
    path = restore(tmp_path, "portal")
    with Database.open(tmp_path):
        pass  # gives works the columns of today
    for statement in (
        f"ALTER TABLE {table} ADD COLUMN remark TEXT",
        "INSERT OR REPLACE INTO meta (key, value) VALUES ('state', 'x')",
    ):
        execute(path, statement)
    count = len([*Catalogue.open(tmp_path).iter_works()])
    with Database.open(tmp_path) as database:
        assert database.meta("state")
        with database.replacing() as replace:
            replace("meta", [("title", "Another")])
    assert len([*Catalogue.open(tmp_path).iter_works()]) == count
    assert "remark" in columns(path, table)


def test_an_unknown_column_that_must_be_filled_is_dropped_from_derived_tables(tmp_path):
    path = restore(
        tmp_path,
        "portal",
        "CREATE TABLE other (old TEXT PRIMARY KEY, new TEXT NOT NULL, why TEXT NOT NULL); "
        "DROP TABLE moved; ALTER TABLE other RENAME TO moved; "
        "INSERT INTO moved VALUES ('w1', 'w2', 'because')",
    )
    with Database.open(tmp_path):
        pass
    assert query(path, "SELECT * FROM moved") == [("w1", "w2")]


def test_a_missing_derived_table_is_named_to_readers_and_made_again_by_a_build(tmp_path):
    path = restore(tmp_path, "portal", "DROP TABLE seminal")
    with pytest.raises(UsageError, match=r"lacks the table seminal: run lycosa build again"):
        Catalogue.open(tmp_path)
    with Database.open(tmp_path) as database:
        assert database.meta("state") == ""
    assert columns(path, "seminal") == {"topic", "position", "work"}
    Catalogue.open(tmp_path)


def test_a_missing_table_of_what_was_read_is_refused(tmp_path):
    restore(tmp_path, "portal", "DROP TABLE references_")
    for opened in (Catalogue.open, Database.open):
        with pytest.raises(UsageError, match=r"lacks the table references_: run lycosa build"):
            opened(tmp_path)


def test_a_newer_portal_is_refused_with_what_this_program_reads(tmp_path):
    path = restore(tmp_path, "portal", "PRAGMA user_version = 99")
    whole = path.read_bytes()
    for opened in (Catalogue.open, Database.open):
        with pytest.raises(
            UsageError, match=rf"newer Lycosa \(format 99, this one knows {VERSION}"
        ):
            opened(tmp_path)
    assert path.read_bytes() == whole


def test_corrections_of_version_1_are_kept(tmp_path):
    path = restore(tmp_path, "corrections", "ALTER TABLE corrections ADD COLUMN who TEXT")
    with Corrections.open(tmp_path) as corrections:
        assert [one.kind for one in corrections.all()] == ["venue", "same"]
        assert [one.kind for one in corrections.history()] == ["venue", "year", "same"]
        assert corrections.add("title", "w1", "A title") == 4
    assert query(path, "SELECT count(*) FROM corrections") == [(4,)]


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("PRAGMA user_version = 9", r"newer Lycosa \(format 9, this one knows 2\): update Lycosa"),
        (
            f"{CURRENT} ALTER TABLE corrections DROP COLUMN time",
            r"lacks the column corrections\.time",
        ),
        ("PRAGMA application_id = 0", "is not a file of corrections: move it elsewhere"),
    ],
)
def test_corrections_that_cannot_be_read_are_refused_and_left_alone(tmp_path, statement, words):
    path = restore(tmp_path, "corrections", statement)
    whole = path.read_bytes()
    with pytest.raises(UsageError, match=words):
        Corrections.open(tmp_path)
    assert path.read_bytes() == whole
