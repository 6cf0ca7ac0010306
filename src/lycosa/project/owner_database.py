"""owner.db: what the owner and the editors of a project have decided, and who did what.

The file is separate from what a crawl or a build writes, because those can be made again and
decisions cannot. It is created by the first decision.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lycosa.databases import DatabaseFormat
from lycosa.lazy_database import LazyDatabase

FILE: Final = "owner.db"
OWNER: Final = "owner"
"""The name of the owner's account."""

FORMAT: Final = DatabaseFormat(
    "a file of decisions",
    1,
    """
-- What is hidden, removed or blocked.
CREATE TABLE exclusions (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  action  TEXT NOT NULL,   -- hide, remove or block
  kind    TEXT NOT NULL,   -- url, host, work or author
  target  TEXT NOT NULL,   -- a host, the id of a work, or the digest of a URL or author
  label   TEXT NOT NULL,   -- as it was given; empty for what was removed
  reason  TEXT NOT NULL,
  account TEXT NOT NULL,   -- that decided it
  time    TEXT NOT NULL,   -- ISO 8601, UTC
  undone  TEXT,            -- when it was withdrawn
  purged  TEXT             -- when the last copy of what was removed was deleted
);

-- Digests by which documents and references of an exclusion are recognised.
CREATE TABLE traces (
  exclusion INTEGER NOT NULL REFERENCES exclusions (id),
  kind      TEXT NOT NULL,   -- document, body, reference, title, identifier or author
  key       TEXT NOT NULL,
  PRIMARY KEY (exclusion, kind, key)
) WITHOUT ROWID;

-- The words of documents that do not belong here, from which the goal learns.
CREATE TABLE lessons (
  exclusion INTEGER NOT NULL REFERENCES exclusions (id),
  document  TEXT NOT NULL,   -- digest of its URL
  words     TEXT NOT NULL,   -- distinct, between spaces
  PRIMARY KEY (exclusion, document)
) WITHOUT ROWID;

CREATE TABLE editors (
  name    TEXT PRIMARY KEY,
  token   TEXT NOT NULL,     -- SHA-256 of it
  created TEXT NOT NULL,
  revoked TEXT               -- when the token was withdrawn
) WITHOUT ROWID;

-- Who changed what; rows are only added.
CREATE TABLE audit (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  time    TEXT NOT NULL,
  account TEXT NOT NULL,
  action  TEXT NOT NULL,
  subject TEXT NOT NULL,     -- the id of a work, author, exclusion, or the name of an editor
  old     TEXT NOT NULL,     -- before and after; empty for what was removed
  new     TEXT NOT NULL
);
CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit BEGIN
  SELECT RAISE(ABORT, 'rows of the audit log are not deleted');
END;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
  WHEN NEW.old != '' OR NEW.new != '' OR NEW.id != OLD.id OR NEW.time != OLD.time
    OR NEW.account != OLD.account OR NEW.action != OLD.action OR NEW.subject != OLD.subject
BEGIN
  SELECT RAISE(ABORT, 'rows of the audit log are not changed');
END;
""",
    "move it elsewhere",
)


def open_owner_database(folder: Path | str) -> LazyDatabase:
    """Open the owner.db of a project."""
    return LazyDatabase(Path(folder) / FILE, FORMAT, "; earlier decisions are unharmed")
