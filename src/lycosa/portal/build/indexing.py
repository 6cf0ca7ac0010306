"""The last stage of a build: the index is told of works that have changed.

The table `indexed` knows what the index holds. Before the index is changed, the
works to be changed are marked there; after it, what they are now. A build that
is killed between the two leaves marks, and the next one does it again.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from lycosa.portal.build.database import Database, Row
from lycosa.portal.build.error_advice import translate_errors
from lycosa.portal.build.identity import digest
from lycosa.portal.build.watcher import Watcher
from lycosa.portal.search.entry import Entry
from lycosa.portal.search.index import Index, Outdated, is_signed

FOLDER = "index"

_TYPES: Mapping[str, str] = {
    "application/pdf": "pdf", "application/x-pdf": "pdf", "application/postscript": "ps",
    "text/html": "html", "application/xhtml+xml": "html", "text/plain": "text",
    "application/gzip": "gzip", "application/x-gzip": "gzip",
}  # fmt: skip
_WORKS = """
SELECT works.id, works.kind, works.title, year, works.date, venue, works.abstract, site,
  works.language, cited_by, type, digest, document
FROM works JOIN documents ON documents.id = document ORDER BY works.id
"""
_MARK = ""


class _Found(NamedTuple):
    """A row of that query."""

    id: str
    kind: str
    title: str
    year: int | None
    date: str
    venue: str
    abstract: str
    site: str
    language: str
    cited_by: int
    type: str
    digest: str
    document: str


class Indexed(NamedTuple):
    """How many works the index was told of, how many to forget, and whether it is a new one."""

    added: int
    removed: int
    anew: bool = False


def update_index(database: Database, watcher: Watcher) -> Indexed:
    """Bring the index to what the tables say."""
    folder = database.folder / FOLDER
    known: dict[str, str] = dict(database.rows("SELECT work, digest FROM indexed"))
    index, outdated = _opened(folder)
    held = len(index)
    anew = outdated or (held > 0 and not is_signed(folder))
    # Or somebody has put another index there, or none.
    cleared = anew or not held or (held != len(known) and _MARK not in known.values())
    if cleared:
        known = {}
        index.clear()
    if not held:
        index.sign()
    now: dict[str, str] = {}
    changed: list[str] = []

    def news() -> Iterator[Entry]:
        """Works that the index does not know as they are."""
        for entry, stamp, document in _entries(database):
            now[entry.id] = stamp
            if known.get(entry.id) != stamp:
                changed.append(entry.id)
                (text,) = database.one("SELECT text FROM documents WHERE id = ?", document)
                yield replace(entry, text=text)
            watcher.advance()

    watcher.begin("indexing", database.one("SELECT count(*) FROM works WHERE document > ''")[0])
    index.update(news())
    gone = sorted(known.keys() - now.keys())
    index.update((), gone)
    if changed or gone or (cleared and held):
        with database.replacing() as put:
            put("indexed", sorted({**known, **dict.fromkeys(changed, _MARK)}.items()))
        index.commit()
        with database.replacing() as put:
            put("indexed", sorted(now.items()))
    if not is_signed(folder):
        index.sign()
    return Indexed(len(changed), len(gone), anew)


def _opened(folder: Path) -> tuple[Index, bool]:
    """The index, and whether it is in the place of one whose fields were others."""
    try:
        return Index.open(folder), False
    except Outdated:
        with translate_errors(folder.parent):
            shutil.rmtree(folder)
        return Index.open(folder), True


def is_current(folder: Path) -> bool:
    """Whether there is an index, and one that this code has made."""
    return has_index(folder) and is_signed(folder / FOLDER)


def has_index(folder: Path) -> bool:
    """Whether there is anything where the index should be."""
    return (folder / FOLDER / "meta.json").is_file()


def _entries(database: Database) -> Iterator[tuple[Entry, str, str]]:
    """Every work that is here, without its text; a hash of all; and its best copy."""
    authors = _Beside(database, "SELECT work, author, name FROM authorship ORDER BY work, position")
    topics = _Beside(database, "SELECT work, topic FROM placed ORDER BY work, sure DESC, topic")
    cited = _Beside(database, "SELECT citing, cited FROM citations ORDER BY citing, cited")
    for row in map(_Found._make, database.rows(_WORKS)):
        people = authors.of(row.id)
        chains = [_chain(topic) for _, topic in topics.of(row.id)]
        entry = Entry(
            row.id,
            row.kind,
            row.title,
            authors=tuple(name for _, _, name in people),
            author_ids=tuple(author for _, author, _ in people),
            year=row.year,
            date=row.date,
            venue=row.venue,
            abstract=row.abstract,
            site=row.site,
            type=_TYPES.get(row.type, row.type.rpartition("/")[2]),
            language=row.language,
            topics=tuple(dict.fromkeys(topic for chain in chains for topic in chain)),
            cites=tuple(other for _, other in cited.of(row.id)),
            cited_by=row.cited_by,
        )
        yield entry, digest(repr(entry), row.digest), row.document


class _Beside:
    """Rows of another table in the order of works, given to those who ask in that order."""

    def __init__(self, database: Database, query: str) -> None:
        self._rows = database.rows(query)
        self._next = next(self._rows, None)

    def of(self, work: str) -> list[Row]:
        """The rows of a work; those of works before it are passed over."""
        found = []
        while self._next is not None and self._next[0] <= work:
            if self._next[0] == work:
                found.append(self._next)
            self._next = next(self._rows, None)
        return found


def _chain(topic: str) -> list[str]:
    """A topic and those above it.

    >>> _chain("a/b/c")
    ['a', 'a/b', 'a/b/c']
    """
    parts = topic.split("/")
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]
