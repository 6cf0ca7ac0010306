"""A database file is created, migrated step by step, or refused with the right sentence."""

import sqlite3
from contextlib import closing, suppress

import pytest

from lycosa.databases import APPLICATION_ID, DatabaseFormat
from lycosa.errors import UsageError

TABLES = """
CREATE TABLE books (
  title TEXT NOT NULL, -- a comment; with a semicolon
  year INTEGER
);
CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


def _add_year(database):
    database.execute("ALTER TABLE books ADD COLUMN year INTEGER")


def _add_notes(database):
    database.execute("CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")


FIRST = DatabaseFormat("a library", 1, "CREATE TABLE books (title TEXT NOT NULL);", "move it")
THIRD = DatabaseFormat("a library", 3, TABLES, "move it", migrations={1: _add_year, 2: _add_notes})


@pytest.fixture
def database():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    yield connection
    connection.close()


def version(database):
    return database.execute("PRAGMA user_version").fetchone()[0]


def test_an_empty_file_gets_the_current_version(database):
    assert THIRD.prepare("library.db", database) == version(database) == 3
    assert database.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    assert THIRD.prepare("library.db", database) == 3


def test_an_older_file_is_migrated_step_by_step_and_keeps_its_rows(database):
    FIRST.prepare("library.db", database)
    database.execute("INSERT INTO books VALUES ('Spiders')")
    assert THIRD.prepare("library.db", database) == version(database) == 3
    assert database.execute("SELECT * FROM books").fetchall() == [("Spiders", None)]
    assert database.execute("SELECT * FROM notes").fetchall() == []


def test_a_failing_step_leaves_the_version_before_it(database):
    def fail(database):
        database.execute("CREATE TABLE halfway (x)")
        raise ZeroDivisionError

    broken = DatabaseFormat("a library", 3, TABLES, "move it", migrations={1: _add_year, 2: fail})
    FIRST.prepare("library.db", database)
    with pytest.raises(ZeroDivisionError):
        broken.prepare("library.db", database)
    assert version(database) == 2
    assert not database.in_transaction
    assert THIRD.prepare("library.db", database) == 3


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("PRAGMA user_version = 9", r"newer Lycosa \(format 9, this one knows 3\): update Lycosa"),
        ("PRAGMA application_id = 7", "is not a library: move it"),
        ("DROP TABLE notes", "lacks the table notes: move it"),
        ("ALTER TABLE books DROP COLUMN year", r"lacks the column books\.year: move it"),
        (
            "CREATE TABLE other (title TEXT NOT NULL, year INTEGER, shelf TEXT NOT NULL); "
            "DROP TABLE books; ALTER TABLE other RENAME TO books",
            r"column books\.shelf that this Lycosa cannot fill",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(database, script, words):
    THIRD.prepare("library.db", database)
    database.executescript(script)
    with pytest.raises(UsageError, match=words) as caught:
        THIRD.prepare("library.db", database)
    assert "\n" not in str(caught.value)


def test_columns_and_tables_that_demand_nothing_do_no_harm(database):
    THIRD.prepare("library.db", database)
    database.executescript("ALTER TABLE books ADD COLUMN shelf TEXT; CREATE TABLE mine (x);")
    assert THIRD.prepare("library.db", database) == 3


def test_another_programs_database_is_not_touched(database):
    database.execute("CREATE TABLE recipes (name)")
    with pytest.raises(UsageError, match="is not a library"):
        THIRD.prepare("library.db", database)
    assert version(database) == 0


class Interrupted(sqlite3.Connection):
    """A connection after whose first read another process creates the database."""

    path = None

    def execute(self, sql, *parameters):
        cursor = super().execute(sql, *parameters)
        if "user_version" not in sql or self.path is None:
            return cursor
        path, self.path = self.path, None
        (row,) = cursor.fetchall()
        other = sqlite3.connect(path, timeout=0, isolation_level=None)
        # It is locked while this connection reads; the next read finds the tables otherwise.
        with closing(other), suppress(sqlite3.OperationalError):
            FIRST.prepare(path, other)
        return super().execute("SELECT ?", row)


def test_a_database_that_another_process_creates_meanwhile_is_recognised(tmp_path):
    path = tmp_path / "library.db"
    with closing(sqlite3.connect(path, isolation_level=None, factory=Interrupted)) as database:
        database.path = path
        assert FIRST.prepare(path, database) == 1
