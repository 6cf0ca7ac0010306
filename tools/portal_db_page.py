"""The reference page of portal.db, generated from the schema."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator

from lycosa.portal.corrections import KINDS
from lycosa.portal.schema import SCHEMA, VERSION

_INTRODUCTION = """\
# portal.db

Written by `make docs` from the schema itself. `lycosa build` keeps what it makes in `portal.db`, \
an SQLite database in WAL mode that any tool opens, also while it is served or built: format \
$version, in `PRAGMA user_version`. [How it is built](../explanation/portal-build.md) says what \
the tables are made from.

```text
sqlite3 robots/portal.db "SELECT title, cited_by FROM works ORDER BY cited_by DESC LIMIT 10"
```

`documents` and `references_` are what was read, and change only when a page is fetched again. All \
other tables are made of them and replaced in one transaction: whoever reads sees one state or the \
next. Write nothing there, the next build would undo it; corrections are kept in `corrections.db`.
"""
_META = """
| key | what |
|---|---|
| `title`, `description` | from [portal] in lycosa.toml |
| `built` | when the tables were made, ISO 8601 |
| `steps` | how many steps the crawl had then |
| `generation` | a number, one more with each state |
| `indexed` | the generation that the index has |
| `state` | a hash of all that the tables depend on |
"""
_TABLE = re.compile(r"^CREATE TABLE IF NOT EXISTS (\w+) \((?: *-- *(.*))?")
_COLUMN = re.compile(r"^  (\w+) .*?-- *(.*)$")


_CORRECTIONS = """\
## corrections.db

What people have corrected, in a database of its own that is never made again: one table, \
`corrections`, with `id`, `kind`, `work` (the id of a work, or of one of its documents), `value`, \
`time` and `undone`, the time at which it was taken back, or NULL. The next build respects those \
that stand, the latest last.

| kind | value |
|---|---|
"""


def portal_db_page() -> str:
    """Return the page as Markdown."""
    kinds = "\n".join(f"| `{kind}` | {about} |" for kind, about in KINDS.items())
    parts = [_INTRODUCTION.replace("$version", str(VERSION)), *_tables(), _CORRECTIONS + kinds]
    return "\n".join(parts).rstrip() + "\n"


def _tables() -> Iterator[str]:
    database = sqlite3.connect(":memory:")
    try:
        database.executescript(SCHEMA)
        for part in SCHEMA.split("\n\n"):
            lines = part.strip().splitlines()
            above = " ".join(line.strip("- ") for line in lines if line.startswith("--"))
            [(table, beside)] = (found.groups() for line in lines if (found := _TABLE.match(line)))
            comments = {m[1]: m[2] for line in lines if (m := _COLUMN.match(line))}
            yield f"## {table}\n"
            if about := (above or beside or "").rstrip("."):
                yield f"{about[0].upper()}{about[1:]}.\n"
            links = {
                row[3]: f"`{row[2]}.{row[4]}`"
                for row in database.execute(f"PRAGMA foreign_key_list({table})")
            }
            yield "| column | type | what |\n|---|---|---|"
            for _, name, type_, needed, _, key in database.execute(f"PRAGMA table_info({table})"):
                notes = [
                    comments.get(name, ""),
                    links.get(name, ""),
                    "part of the key" if key else "",
                ]
                kind = type_.lower() + ("" if needed or key else ", may be NULL")
                yield f"| `{name}` | {kind} | {'; '.join(filter(None, notes))} |"
            yield _META if table == "meta" else ""
    finally:
        database.close()
