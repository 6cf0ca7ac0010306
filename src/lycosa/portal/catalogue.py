# ruff: noqa: S608 (only placeholders and constants of this module are put into queries)
"""Read-only access to portal.db, for pages, the API and exports.

Every thread has a read-only connection. A build replaces the tables in one
transaction, so each query sees one state or the next; `generation` changes with
the state.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from lycosa.errors import UsageError
from lycosa.portal.fields import WORK_KINDS, Author, Fact, TopicAssignment, Work
from lycosa.portal.found_works import FoundWorks
from lycosa.portal.migrations import PORTAL
from lycosa.portal.read_only import ReadOnlyDatabase, placeholders
from lycosa.portal.records import Citation, Copy, Document, TopicRecord
from lycosa.portal.schema import READ_FIELDS, select_works

_log = logging.getLogger("lycosa.portal")

FILE: Final = "portal.db"
WORKS_PER_QUERY: Final = 500
_UNPLACED = "FROM works WHERE kind != 'cited' AND id NOT IN (SELECT work FROM placed)"
_AUTHORED = "FROM authorship JOIN works ON works.id = work WHERE author = ?"
_GONE_SINCE = "ifnull((SELECT since FROM tombstones WHERE tombstones.document = id), '')"
_ORDERS: Mapping[str, str] = MappingProxyType(
    {"cited": "cited_by DESC, works.id", "new": "works.date DESC, cited_by DESC, works.id"}
)


class Catalogue:
    """The works, documents, citations, topics and authors of a portal; thread-safe.

    `path` is that of portal.db. Open it with `Catalogue.open`, which checks the file;
    connections are closed when their threads end.
    """

    def __init__(self, path: Path) -> None:
        self._database = ReadOnlyDatabase(path)
        self._select = self._gone = ""
        self.found = FoundWorks(self._database, self.works)

    @classmethod
    def open(cls, folder: Path | str) -> Catalogue:
        """Open the portal of a folder; refuse a file that this version cannot read."""
        path = Path(folder) / FILE
        if not path.is_file():
            raise UsageError(f"There is no portal in {folder}; build it: lycosa build {folder}")
        found = cls(path)
        try:
            version = PORTAL.identify(path, found._database.connection)
            if not version:
                raise UsageError(f"{path} is empty; build the portal again: lycosa build {folder}")
            PORTAL.verify_readable(path, found._database.connection, optional="works")
            columns = found._database.all("PRAGMA table_info(works)")
            tables = {row[0] for row in found._database.all("SELECT name FROM sqlite_master")}
            found._select = select_works({row[1] for row in columns}, tables)
            found._gone = _GONE_SINCE if "tombstones" in tables else "''"
        except sqlite3.Error as error:
            _log.debug("%s cannot be read", path, exc_info=error)
            raise UsageError(
                f"{path} cannot be read as a portal; delete it and build it again."
            ) from None
        return found

    # The portal itself

    @property
    def meta(self) -> dict[str, str]:
        """The values of the table meta: title, description, time of the build."""
        return dict(self._database.all("SELECT key, value FROM meta"))

    @property
    def generation(self) -> str:
        """A number that each build raises."""
        found = self._database.one("SELECT value FROM meta WHERE key = 'generation'")
        return found[0] if found else ""

    def counts(self) -> dict[str, int]:
        """Return the number of works of each kind."""
        return dict(self._database.all("SELECT kind, count(*) FROM works GROUP BY kind"))

    # Works

    def work(self, id: str) -> Work | None:
        """Return a work with its facts, or None."""
        found = next(iter(self.works([id])), None)
        row = self._database.one("SELECT facts FROM works WHERE id = ?", id)
        facts = json.loads(row[0]) if row else {}
        return found and replace(found, facts={name: Fact(*facts[name]) for name in facts})

    def works(self, ids: Sequence[str]) -> list[Work]:
        """Return works by their ids, in that order, without those that do not exist.

        Only `work` reads their facts.
        """
        found: dict[str, Work] = {}
        for start in range(0, len(ids), WORKS_PER_QUERY):
            some = list(dict.fromkeys(ids[start : start + WORKS_PER_QUERY]))
            where = f"WHERE works.id IN ({placeholders(some)})"
            found |= {
                work.id: work
                for work in self._works_of_rows(self._database.all(self._select + where, *some))
            }
        return [found[each] for each in ids if each in found]

    def moved(self, id: str) -> str | None:
        """Return the current id of a work that formerly had this id, or None."""
        found = self._database.one("SELECT new FROM moved WHERE old = ?", id)
        return found[0] if found else None

    def most_cited(self, limit: int = 10) -> list[Work]:
        """Return the most cited of the works that were found."""
        return self._found("cited", limit)

    def newest(self, limit: int = 10) -> list[Work]:
        """Return the works that were found with the latest dates."""
        return self._found("new", limit)

    def iter_works(self, *kinds: str, start: str = "") -> Iterator[Work]:
        """Yield all works, or those of some kinds, after an id, in the order of ids."""
        last = start
        while works := self.list_works(*kinds, after=last, limit=WORKS_PER_QUERY):
            yield from works
            last = works[-1].id

    def list_works(
        self, *kinds: str, after: str = "", before: str = "", limit: int = 20
    ) -> list[Work]:
        """Return works between two ids, in the order of ids; the last ones without `after`."""
        values: list[object] = [after]
        where = "works.id > ?"
        if before:
            where += " AND works.id < ?"
            values.append(before)
        if kinds:
            # With several kinds, the plus stops SQLite from sorting all works of each.
            where += f" AND {'+' if len(kinds) > 1 else ''}works.kind IN ({placeholders(kinds)})"
            values += kinds
        backwards = bool(before) and not after
        order = "DESC" if backwards else "ASC"
        query = f"{self._select}WHERE {where} ORDER BY works.id {order} LIMIT ?"
        works = self._works_of_rows(self._database.all(query, *values, limit))
        return works[::-1] if backwards else works

    def work_ids(self, limit: int, offset: int = 0) -> list[str]:
        """Return the ids of the works that were found: pages, then papers."""
        query = (
            "SELECT id FROM works WHERE kind IN ('page', 'paper') "
            "ORDER BY kind, id LIMIT ? OFFSET ?"
        )
        return [row[0] for row in self._database.all(query, limit, offset)]

    # Documents

    def copies(self, work: str) -> list[Copy]:
        """Return the documents of a work."""
        query = (
            f"SELECT id, url, time, type, bytes, digest, title, step, {self._gone} FROM copies "
            "JOIN documents ON id = document WHERE work = ? ORDER BY step, id"
        )
        return [Copy(*row) for row in self._database.all(query, work)]

    def document(self, id: str) -> Document | None:
        """Return a document with its text, or None; also of one whose author says noindex."""
        query = (
            "SELECT documents.id, url, time, type, bytes, digest, title, step, kind, outcome, "
            "sure, date, language, abstract, text, ifnull(work, '') "
            "FROM documents LEFT JOIN copies ON document = documents.id "
            "WHERE documents.id = ? AND outcome NOT IN ('noindex', 'gone')"
        )
        found = self._database.one(query, id)
        return Document(Copy(*found[:8]), *found[8:]) if found else None

    def times(self, documents: Iterable[str]) -> dict[str, str]:
        """Return when documents were fetched."""
        ids = list(documents)
        return dict(
            self._database.all(
                f"SELECT id, time FROM documents WHERE id IN ({placeholders(ids)})", *ids
            )
        )

    # Citations

    def references(self, works: Iterable[str]) -> dict[str, list[str]]:
        """Return the ids of the works that each of some works cites."""
        found: dict[str, list[str]] = {work: [] for work in works}
        query = f"SELECT citing, cited FROM citations WHERE citing IN ({placeholders(found)})"
        for citing, cited in self._database.all(f"{query} ORDER BY citing, cited", *found):
            found[citing].append(cited)
        return found

    def cites(self, work: str, limit: int = 100, offset: int = 0) -> list[Citation]:
        """Return what a work cites, in the order of its best copy; then what other copies add."""
        query = (
            "SELECT cited FROM citations WHERE citing = ?1 ORDER BY ifnull((SELECT min(number) "
            "FROM cited AS c JOIN works ON works.document = c.document "
            "WHERE works.id = ?1 AND c.work = citations.cited), 1e9), cited LIMIT ?2 OFFSET ?3"
        )
        others = [row[0] for row in self._database.all(query, work, limit, offset)]
        return self._citations([work], others, others)

    def cited_by(self, work: str, limit: int = 100, offset: int = 0) -> list[Citation]:
        """Return what cites a work, the most cited first."""
        query = (
            "SELECT citing FROM citations JOIN works ON works.id = citing WHERE cited = ? "
            "ORDER BY cited_by DESC, citing LIMIT ? OFFSET ?"
        )
        others = [row[0] for row in self._database.all(query, work, limit, offset)]
        return self._citations(others, [work], others)

    def cocited(self, work: str, limit: int = 10) -> list[tuple[Work, int]]:
        """Return works that are most often co-cited with a work, and by how many (Small 1973)."""
        return self._sharing("cited", "citing", work, limit)

    def coupled(self, work: str, limit: int = 10) -> list[tuple[Work, int]]:
        """Return the works that share most references with a work, and how many (Kessler 1963)."""
        return self._sharing("citing", "cited", work, limit)

    def neighbourhood(self, work: str, limit: int = 30) -> tuple[list[Work], list[tuple[str, str]]]:
        """Return a work with its citation neighbours, and the citations among all of them."""
        half = (
            "SELECT {one} AS id, cited_by FROM citations JOIN works ON works.id = {one} "
            "WHERE {other} = ?1"
        )
        query = (
            f"SELECT id FROM ({half.format(one='cited', other='citing')} UNION "
            f"{half.format(one='citing', other='cited')}) ORDER BY cited_by DESC, id LIMIT ?2"
        )
        ids = [work, *(row[0] for row in self._database.all(query, work, limit))]
        marks = placeholders(ids)
        edges = self._database.all(
            f"SELECT citing, cited FROM citations WHERE citing IN ({marks}) "
            f"AND cited IN ({marks}) ORDER BY citing, cited",
            *ids,
            *ids,
        )
        return self.works(ids), [(citing, cited) for citing, cited in edges]

    # Topics

    def topics(self) -> list[TopicRecord]:
        """Return the tree, each topic before its descendants."""
        query = "SELECT id, name, parent, note, works, words FROM topics ORDER BY position"
        return [_topic(row) for row in self._database.all(query)]

    def topic(self, id: str) -> TopicRecord | None:
        """Return a topic by its path, or None."""
        query = "SELECT id, name, parent, note, works, words FROM topics WHERE id = ?"
        found = self._database.one(query, id)
        return _topic(found) if found else None

    def topic_works(
        self, id: str, order: str = "cited", limit: int = 20, offset: int = 0
    ) -> list[Work]:
        """Return the works of a topic and its descendants; `order` is cited, new or seminal."""
        if order == "seminal":
            query = "SELECT work FROM seminal WHERE topic = ? ORDER BY position LIMIT ? OFFSET ?"
            return self.works([row[0] for row in self._database.all(query, id, limit, offset)])
        if order not in _ORDERS:
            raise UsageError(f"Works are ordered by cited, new or seminal, not {order!r}.")
        # '0' follows '/' in ASCII, so this is the topic itself and all paths below it.
        inside = "(topic = ?1 OR (topic >= ?1 || '/' AND topic < ?1 || '0'))"
        if self._is_scan_faster(id, limit + offset):
            query = (
                "SELECT id FROM works WHERE EXISTS "
                f"(SELECT 1 FROM placed WHERE work = works.id AND {inside}) "
            )
        else:
            query = (
                "SELECT DISTINCT works.id FROM placed JOIN works ON works.id = work "
                f"WHERE {inside} "
            )
        query += f"ORDER BY {_ORDERS[order]} LIMIT ?2 OFFSET ?3"
        return self.works([row[0] for row in self._database.all(query, id, limit, offset)])

    def unplaced(self, limit: int = 20) -> tuple[int, list[Work]]:
        """Return the number of works with a document in no topic, and the most cited of them."""
        total = self._database.one(f"SELECT count(*) {_UNPLACED}")[0]
        query = f"SELECT id {_UNPLACED} ORDER BY {_ORDERS['cited']} LIMIT ?"
        return total, self.works([row[0] for row in self._database.all(query, limit)])

    def _is_scan_faster(self, topic: str, wanted: int) -> bool:
        """Whether a topic is so large that scanning all works in their order is faster.

        The scan ends when enough of them are of the topic; to check one takes a
        quarter of the time of fetching and sorting one of the topic.
        """
        works = self._database.one("SELECT works FROM topics WHERE id = ?", topic)
        every = self._database.one("SELECT max(rowid) FROM works")[0]
        return bool(works and every and wanted * every < 4 * works[0] ** 2)

    # Authors

    def author(self, id: str) -> Author | None:
        """Return an author by id, or None."""
        found = self._database.one("SELECT id, name FROM authors WHERE id = ?", id)
        return Author(*found) if found else None

    def author_total(self, id: str, kinds: Sequence[str] = WORK_KINDS) -> int:
        """Return the number of works of an author, or of those of some kinds."""
        query = f"SELECT count(*) {_AUTHORED} AND kind IN ({placeholders(kinds)})"
        total: int = self._database.one(query, id, *kinds)[0]
        return total

    def author_works(
        self, id: str, limit: int = 50, offset: int = 0, kinds: Sequence[str] = WORK_KINDS
    ) -> list[Work]:
        """Return the works of an author, or those of some kinds, the newest first."""
        query = f"SELECT works.id {_AUTHORED} AND kind IN ({placeholders(kinds)}) "
        query += "ORDER BY works.date DESC, works.id LIMIT ? OFFSET ?"
        return self.works([row[0] for row in self._database.all(query, id, *kinds, limit, offset)])

    def coauthors(self, id: str, limit: int = 10) -> list[tuple[Author, int]]:
        """Return the co-authors of an author, and the number of common works."""
        query = (
            "SELECT second.author, authors.name, count(DISTINCT second.work) "
            "FROM authorship AS first JOIN authorship AS second ON second.work = first.work "
            "JOIN authors ON authors.id = second.author "
            "WHERE first.author = ?1 AND second.author != ?1 "
            "GROUP BY second.author ORDER BY 3 DESC, 1 LIMIT ?2"
        )
        rows = self._database.all(query, id, limit)
        return [(Author(other, name), count) for other, name, count in rows]

    def _found(self, order: str, limit: int) -> list[Work]:
        query = f"SELECT id FROM works WHERE kind != 'cited' ORDER BY {_ORDERS[order]} LIMIT ?"
        return self.works([row[0] for row in self._database.all(query, limit)])

    def _works_of_rows(self, rows: Sequence[Any]) -> list[Work]:
        """Return works from rows of `_select`, with authors and topics."""
        ids = [row[0] for row in rows]
        authors: dict[str, list[Author]] = defaultdict(list)
        topics: dict[str, list[TopicAssignment]] = defaultdict(list)
        by = f"WHERE work IN ({placeholders(ids)})"
        query = f"SELECT work, author, name FROM authorship {by} ORDER BY work, position"
        for work, author, name in self._database.rows_as_json(query, 3, *ids):
            authors[work].append(Author(author, name))
        query = (
            f"SELECT work, topic, name, sure FROM placed JOIN topics ON topics.id = topic {by} "
            "ORDER BY work, sure DESC, topic"
        )
        for work, topic, name, confidence in self._database.rows_as_json(query, 4, *ids):
            topics[work].append(TopicAssignment(topic, name, confidence))
        return [
            Work(
                **dict(zip(READ_FIELDS, row, strict=True)),
                authors=tuple(authors[row[0]]),
                topics=tuple(topics[row[0]]),
            )
            for row in rows
        ]

    def _citations(
        self, citing: Sequence[str], cited: Sequence[str], others: Sequence[str]
    ) -> list[Citation]:
        """Return the references between a work and others: each from the first list that has it."""
        # The plus stops SQLite from starting at the side with many rows.
        many, one = ("+", "") if others is citing else ("", "+")
        query = (
            f"SELECT {'copies' if many else 'cited'}.work, cited.number, text, contexts, sure "
            "FROM cited JOIN copies ON copies.document = cited.document JOIN references_ AS r "
            "ON r.document = cited.document AND r.number = cited.number "
            f"WHERE {many}copies.work IN ({placeholders(citing)}) "
            f"AND {one}cited.work IN ({placeholders(cited)}) ORDER BY cited.document, cited.number"
        )
        first: dict[str, list[Any]] = {}
        for other, *reference in self._database.rows_as_json(query, 5, *citing, *cited):
            first.setdefault(other, reference)
        found = []
        for work in self.works(others):
            number, text, contexts, confidence = first.get(work.id, (0, "", "[]", 1.0))
            found.append(Citation(work, number, text, tuple(json.loads(contexts)), confidence))
        return found

    def _sharing(self, side: str, other: str, work: str, limit: int) -> list[tuple[Work, int]]:
        query = (
            f"SELECT second.{side}, count(*) FROM citations AS first "
            f"JOIN citations AS second ON second.{other} = first.{other} "
            f"WHERE first.{side} = ?1 AND second.{side} != ?1 "
            f"GROUP BY second.{side} ORDER BY 2 DESC, 1 LIMIT ?2"
        )
        counts = dict(self._database.all(query, work, limit))
        return [(found, counts[found.id]) for found in self.works([*counts])]


def _topic(row: tuple[Any, ...]) -> TopicRecord:
    path, name, parent, note, works, words = row
    return TopicRecord(path, name, parent, note, works, tuple(json.loads(words)), path.count("/"))
