"""The schema of portal.db, an SQLite database that any tool can read.

There are two kinds of tables. `documents` and `references_` hold what was read
from documents; their rows are written once and replaced only by a later visit.
All others are derived from them, and replaced in one transaction when something
was read or corrected: readers see one state or the next, never one in between.

>>> import sqlite3
>>> database = sqlite3.connect(":memory:")
>>> _ = database.executescript(SCHEMA)
>>> database.execute("SELECT count(*) FROM works").fetchone()
(0,)
>>> database.close()
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from lycosa.portal.fields import COLUMNS, FIELDS

VERSION: Final = 2
"""Of the format, in `PRAGMA user_version`.

Version 2 has one column in works for each stored field of the table in `fields`,
and an application id; version 1 had a fixed list of columns, and none.
"""


def _works_table() -> str:
    columns = [(name, FIELDS[name].column, FIELDS[name].spec.about) for name in COLUMNS]
    columns.append(("facts", "TEXT NOT NULL", "JSON: field -> [value, confidence, source]"))
    lines = [
        f"  {name} {column}{',' * (place < len(columns))}{f'  -- {about}' if about else ''}"
        for place, (name, column, about) in enumerate(columns, 1)
    ]
    return "\n".join(["CREATE TABLE IF NOT EXISTS works (", *lines, ");"])


_SCHEMA = """
-- Values about the portal itself: title, description, time of the build, number of steps.
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Every page that the goal of the crawl rewarded, by URL, as of the latest visit.
CREATE TABLE IF NOT EXISTS documents (
  id       TEXT PRIMARY KEY,   -- d and a hash of the URL
  step     INTEGER NOT NULL,   -- of the crawl, in crawl.db
  url      TEXT NOT NULL,      -- canonical, after redirects
  time     TEXT NOT NULL,      -- when it was fetched, ISO 8601
  type     TEXT NOT NULL,      -- MIME type
  bytes    INTEGER NOT NULL,
  digest   TEXT NOT NULL,      -- of the body; equal for equal bodies
  reward   REAL NOT NULL,      -- of the goal of the crawl
  kind     TEXT NOT NULL,      -- paper, page, or none (cannot be shown)
  outcome  TEXT NOT NULL,      -- text, or the reason why there is none (encrypted, noindex, ...)
  sure     REAL NOT NULL,      -- the probability that it is a paper
  title    TEXT NOT NULL,
  abstract TEXT NOT NULL,      -- of a page: its description
  date     TEXT NOT NULL,      -- ISO 8601, as far as it is known: 1999, 1999-05, or empty
  language TEXT NOT NULL,      -- ISO 639-1, or empty
  text     TEXT NOT NULL,      -- the whole text
  fields   TEXT NOT NULL       -- JSON: label -> [[text, confidence, page, line], ...]
);
CREATE INDEX IF NOT EXISTS documents_step ON documents (step, id);
CREATE INDEX IF NOT EXISTS documents_digest ON documents (digest);

-- The lists of references of papers.
CREATE TABLE IF NOT EXISTS references_ (
  document TEXT NOT NULL REFERENCES documents (id),
  number   INTEGER NOT NULL,   -- in the list, from 1
  text     TEXT NOT NULL,      -- as printed
  page     INTEGER NOT NULL,   -- from 1
  line     INTEGER NOT NULL,   -- on the page, from 1
  fields   TEXT NOT NULL,      -- JSON: label -> [[text, confidence, page, line], ...]
  contexts TEXT NOT NULL,      -- JSON: the sentences that cite it
  PRIMARY KEY (document, number)
);

-- Works: a paper in all its copies and versions, a web page, or a work that is only cited.
$works
CREATE INDEX IF NOT EXISTS works_kind ON works (kind, id);
CREATE INDEX IF NOT EXISTS works_cited_by ON works (cited_by DESC, id);
CREATE INDEX IF NOT EXISTS works_date ON works (date DESC, cited_by DESC, id);

CREATE TABLE IF NOT EXISTS copies (
  document TEXT PRIMARY KEY REFERENCES documents (id),
  work     TEXT NOT NULL REFERENCES works (id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS copies_of ON copies (work);

CREATE TABLE IF NOT EXISTS cited (            -- the work that a reference means
  document TEXT NOT NULL,
  number   INTEGER NOT NULL,
  work     TEXT NOT NULL REFERENCES works (id),
  sure     REAL NOT NULL,
  PRIMARY KEY (document, number)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS cited_work ON cited (work);

CREATE TABLE IF NOT EXISTS citations (        -- between works, each pair once
  citing TEXT NOT NULL REFERENCES works (id),
  cited  TEXT NOT NULL REFERENCES works (id),
  PRIMARY KEY (citing, cited)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS citations_cited ON citations (cited, citing);

CREATE TABLE IF NOT EXISTS authors (
  id     TEXT PRIMARY KEY,     -- lee-a: family name and initial, for a URL
  name   TEXT NOT NULL,        -- the most frequent of its full forms
  works  INTEGER NOT NULL      -- their number, without those that are only cited
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS authorship (
  work     TEXT NOT NULL REFERENCES works (id),
  position INTEGER NOT NULL,   -- from 1
  author   TEXT NOT NULL REFERENCES authors (id),
  name     TEXT NOT NULL,      -- as this work has it
  PRIMARY KEY (work, position)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS authorship_author ON authorship (author, work);

CREATE TABLE IF NOT EXISTS topics (           -- the tree, in the order of its file
  id       TEXT PRIMARY KEY,   -- machine-learning/neural-networks: a path for a URL
  parent   TEXT,               -- NULL at the top
  position INTEGER NOT NULL,   -- in preorder
  name     TEXT NOT NULL,
  note     TEXT NOT NULL,
  works    INTEGER NOT NULL,   -- in it and below it
  words    TEXT NOT NULL       -- JSON: the words that distinguish its works, the most telling first
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS placed (           -- the topics of works, the most likely first
  work  TEXT NOT NULL REFERENCES works (id),
  topic TEXT NOT NULL REFERENCES topics (id),
  sure  REAL NOT NULL,
  PRIMARY KEY (work, topic)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS placed_topic ON placed (topic, work);

CREATE TABLE IF NOT EXISTS seminal (          -- the most influential works of each topic
  topic    TEXT NOT NULL REFERENCES topics (id),
  position INTEGER NOT NULL,
  work     TEXT NOT NULL REFERENCES works (id),
  PRIMARY KEY (topic, position)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS moved (            -- former ids of works and authors, for old links
  old TEXT PRIMARY KEY,
  new TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS indexed (          -- hashes of each work that the index holds
  work   TEXT PRIMARY KEY,
  digest TEXT NOT NULL
) WITHOUT ROWID;
"""

SCHEMA: Final = _SCHEMA.replace("$works", _works_table())
"""The script that creates all tables and indexes of an empty portal.db."""

BUILD_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS reindex (          -- works to be compared with the index
  work   TEXT PRIMARY KEY
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS classified (       -- works that have been given topics, or none
  work   TEXT PRIMARY KEY,
  digest TEXT NOT NULL                        -- of what decided about them
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS withheld (         -- documents without references that are excluded
  document  TEXT NOT NULL REFERENCES documents (id),
  exclusion INTEGER NOT NULL,                 -- in owner.db
  PRIMARY KEY (document, exclusion)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS history (          -- works with a document, those that are gone included
  work    TEXT PRIMARY KEY,
  digest  TEXT NOT NULL,                      -- of what harvesters are told about it
  topics  TEXT NOT NULL,                      -- the ids of its topics, each between spaces
  found   TEXT NOT NULL,                      -- when its first copy was fetched, ISO 8601
  changed TEXT NOT NULL,                      -- by which build, in UTC to the second
  gone    INTEGER NOT NULL                    -- 1 if the portal has it no longer
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS history_found ON history (found, work);
CREATE INDEX IF NOT EXISTS history_changed ON history (changed, work);

CREATE TABLE IF NOT EXISTS tombstones (       -- documents whose URL answers 404 or 410
  document TEXT PRIMARY KEY,
  since    TEXT NOT NULL                      -- when that was first seen, ISO 8601
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS extraction (       -- documents read, and those with each field
  host TEXT NOT NULL,
  day  TEXT NOT NULL,                         -- on which they were fetched
  read INTEGER NOT NULL,
  text INTEGER NOT NULL, title INTEGER NOT NULL, authors INTEGER NOT NULL,
  abstract INTEGER NOT NULL, date INTEGER NOT NULL, "references" INTEGER NOT NULL,
  PRIMARY KEY (host, day)
) WITHOUT ROWID;
"""
"""The script that creates the tables that a build needs for the next one.

A portal without them is complete, and readers must do without; a build adds them.
"""

READ_FIELDS: Final = tuple(name for name, each in FIELDS.items() if each.column or each.spec.select)
"""The fields of a work in one row of `select_works`; authors and topics are in other tables."""


def select_works(stored: Collection[str], tables: Collection[str]) -> str:
    """Return the query that reads works, without a condition.

    `stored` are the columns of the table works, and `tables` all tables; a field that an
    older portal.db lacks is read as its default.
    """
    expressions = []
    for name in READ_FIELDS:
        field = FIELDS[name]
        lacks_table = field.spec.table and field.spec.table not in tables
        if lacks_table or (field.column and name not in stored):
            expressions.append("NULL" if field.default is None else repr(field.default))
        else:
            expressions.append(field.spec.select or f"works.{name}")
    join = "FROM works LEFT JOIN documents ON documents.id = document"
    return f"SELECT {', '.join(expressions)} {join} "
