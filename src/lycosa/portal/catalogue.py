# ruff: noqa: S608 (what is put into queries are marks for values, and words of this module)
"""What a portal holds, for those who read: pages, the API, exports.

Every thread has its own connection, which cannot write. A build replaces the
tables in one transaction, so each question is answered from one state or the
next; `generation` tells when there is a new one.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from lycosa.errors import UsageError
from lycosa.portal.fields import FIELDS, Author, Fact, TopicAssignment, Work
from lycosa.portal.migrations import PORTAL
from lycosa.portal.records import Citation, Copy, Document, Topic

_log = logging.getLogger("lycosa.portal")

FILE: Final = "portal.db"
_AT_ONCE = 500
_MAPPED = 1 << 40  # bytes, far more than there are: all of it is read as memory
_READ: Final = tuple(name for name, each in FIELDS.items() if each.column or each.spec.select)
"""The fields of a work that one row has; authors and topics are read from other tables."""
_ORDERS: Mapping[str, str] = MappingProxyType(
    {"cited": "cited_by DESC, works.id", "new": "works.date DESC, cited_by DESC, works.id"}
)


class Catalogue:
    """Opened by `Catalogue.open`; closed with the threads that used it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._own = threading.local()
        self._select = ""

    @classmethod
    def open(cls, folder: Path | str) -> Catalogue:
        """Look into the portal of a folder."""
        path = Path(folder) / FILE
        if not path.is_file():
            raise UsageError(f"There is no portal in {folder}; make it with: lycosa build {folder}")
        found = cls(path)
        try:
            version = PORTAL.identify(path, found._database)
            if not version:
                raise UsageError(f"{path} is empty; build the portal again: lycosa build {folder}")
            PORTAL.verify_readable(path, found._database, optional="works")
            found._select = _select(found._database)
        except sqlite3.Error as error:
            _log.debug("%s cannot be read", path, exc_info=error)
            raise UsageError(
                f"{path} cannot be read as a portal; delete it and build it again."
            ) from None
        return found

    # The portal itself

    @property
    def meta(self) -> dict[str, str]:
        """Its title, its description, when it was built."""
        return dict(self._all("SELECT key, value FROM meta"))

    @property
    def generation(self) -> str:
        """Another one after each build."""
        found = self._one("SELECT value FROM meta WHERE key = 'generation'")
        return found[0] if found else ""

    def counts(self) -> dict[str, int]:
        """How many works there are of each kind."""
        return dict(self._all("SELECT kind, count(*) FROM works GROUP BY kind"))

    # Works

    def work(self, id: str) -> Work | None:
        """A work by its name, with all that is known of it."""
        found = next(iter(self.works([id])), None)
        row = self._one("SELECT facts FROM works WHERE id = ?", id)
        facts = json.loads(row[0]) if row else {}
        return found and replace(found, facts={name: Fact(*facts[name]) for name in facts})

    def works(self, ids: Sequence[str]) -> list[Work]:
        """Works by their names, in that order; those that do not exist are left out.

        Where the fields of each are from is told by `work` alone.
        """
        found: dict[str, Work] = {}
        for start in range(0, len(ids), _AT_ONCE):
            some = list(dict.fromkeys(ids[start : start + _AT_ONCE]))
            where = f"WHERE works.id IN ({_marks(some)})"
            found |= {work.id: work for work in self._made(self._all(self._select + where, *some))}
        return [found[each] for each in ids if each in found]

    def moved(self, id: str) -> str | None:
        """Where a work is now that had that name once."""
        found = self._one("SELECT new FROM moved WHERE old = ?", id)
        return found[0] if found else None

    def most_cited(self, most: int = 10) -> list[Work]:
        """The works that are here and are cited most."""
        return self._here("cited", most)

    def newest(self, most: int = 10) -> list[Work]:
        """The works that are here with the latest dates."""
        return self._here("new", most)

    def every(self, *kinds: str, start: str = "") -> Iterator[Work]:
        """All works, or those of some kinds, after a name, in the order of names."""
        last = start
        while works := self.some(*kinds, after=last, most=_AT_ONCE):
            yield from works
            last = works[-1].id

    def some(self, *kinds: str, after: str = "", before: str = "", most: int = 20) -> list[Work]:
        """Works between two names, in the order of names; the last of them if no first is given."""
        values: list[object] = [after]
        where = "works.id > ?"
        if before:
            where += " AND works.id < ?"
            values.append(before)
        if kinds:
            # Of several kinds the plus keeps SQLite from sorting all of each to have a few.
            where += f" AND {'+' if len(kinds) > 1 else ''}works.kind IN ({_marks(kinds)})"
            values += kinds
        backwards = bool(before) and not after
        order = "DESC" if backwards else "ASC"
        query = f"{self._select}WHERE {where} ORDER BY works.id {order} LIMIT ?"
        works = self._made(self._all(query, *values, most))
        return works[::-1] if backwards else works

    def names(self, most: int, offset: int = 0) -> list[str]:
        """The names of the works that are here: pages, then papers."""
        query = (
            "SELECT id FROM works WHERE kind IN ('page', 'paper') "
            "ORDER BY kind, id LIMIT ? OFFSET ?"
        )
        return [row[0] for row in self._all(query, most, offset)]

    # Documents

    def copies(self, work: str) -> list[Copy]:
        """The documents of a work."""
        query = (
            "SELECT id, url, time, type, bytes, digest, title, step FROM copies "
            "JOIN documents ON id = document WHERE work = ? ORDER BY step, id"
        )
        return [Copy(*row) for row in self._all(query, work)]

    def document(self, id: str) -> Document | None:
        """A document with its text."""
        query = (
            "SELECT documents.id, url, time, type, bytes, digest, title, step, kind, outcome, "
            "sure, date, language, abstract, text, ifnull(work, '') "
            "FROM documents LEFT JOIN copies ON document = documents.id WHERE documents.id = ?"
        )
        found = self._one(query, id)
        return Document(Copy(*found[:8]), *found[8:]) if found else None

    def times(self, documents: Iterable[str]) -> dict[str, str]:
        """When documents were fetched."""
        ids = list(documents)
        return dict(self._all(f"SELECT id, time FROM documents WHERE id IN ({_marks(ids)})", *ids))

    # Citations

    def references(self, works: Iterable[str]) -> dict[str, list[str]]:
        """The names of all that each of some works cites."""
        found: dict[str, list[str]] = {work: [] for work in works}
        query = f"SELECT citing, cited FROM citations WHERE citing IN ({_marks(found)})"
        for citing, cited in self._all(f"{query} ORDER BY citing, cited", *found):
            found[citing].append(cited)
        return found

    def cites(self, work: str, most: int = 100, offset: int = 0) -> list[Citation]:
        """What a work cites, in the order of the list in its best copy; then what copies add."""
        query = (
            "SELECT cited FROM citations WHERE citing = ?1 ORDER BY ifnull((SELECT min(number) "
            "FROM cited AS c JOIN works ON works.document = c.document "
            "WHERE works.id = ?1 AND c.work = citations.cited), 1e9), cited LIMIT ?2 OFFSET ?3"
        )
        others = [row[0] for row in self._all(query, work, most, offset)]
        return self._citations([work], others, others)

    def cited_by(self, work: str, most: int = 100, offset: int = 0) -> list[Citation]:
        """What cites a work, the most cited first."""
        query = (
            "SELECT citing FROM citations JOIN works ON works.id = citing WHERE cited = ? "
            "ORDER BY cited_by DESC, citing LIMIT ? OFFSET ?"
        )
        others = [row[0] for row in self._all(query, work, most, offset)]
        return self._citations(others, [work], others)

    def cocited(self, work: str, most: int = 10) -> list[tuple[Work, int]]:
        """What is cited together with a work most often, and by how many (Small 1973)."""
        return self._together("cited", "citing", work, most)

    def coupled(self, work: str, most: int = 10) -> list[tuple[Work, int]]:
        """What cites most of what a work cites, and how much of it (Kessler 1963)."""
        return self._together("citing", "cited", work, most)

    def around(self, work: str, most: int = 30) -> tuple[list[Work], list[tuple[str, str]]]:
        """A work with those it cites and that cite it, and the citations among all of them."""
        half = (
            "SELECT {one} AS id, cited_by FROM citations JOIN works ON works.id = {one} "
            "WHERE {other} = ?1"
        )
        query = (
            f"SELECT id FROM ({half.format(one='cited', other='citing')} UNION "
            f"{half.format(one='citing', other='cited')}) ORDER BY cited_by DESC, id LIMIT ?2"
        )
        ids = [work, *(row[0] for row in self._all(query, work, most))]
        marks = _marks(ids)
        edges = self._all(
            f"SELECT citing, cited FROM citations WHERE citing IN ({marks}) "
            f"AND cited IN ({marks}) ORDER BY citing, cited",
            *ids,
            *ids,
        )
        return self.works(ids), [(citing, cited) for citing, cited in edges]

    # Topics

    def topics(self) -> list[Topic]:
        """The tree, each topic before those below it."""
        query = "SELECT id, name, parent, note, works, words FROM topics ORDER BY position"
        return [_topic(row) for row in self._all(query)]

    def topic(self, id: str) -> Topic | None:
        """A topic by its path."""
        query = "SELECT id, name, parent, note, works, words FROM topics WHERE id = ?"
        found = self._one(query, id)
        return _topic(found) if found else None

    def topic_works(
        self, id: str, order: str = "cited", most: int = 20, offset: int = 0
    ) -> list[Work]:
        """The works in a topic and below it: `cited` or `new` first; or the `seminal` ones."""
        if order == "seminal":
            query = "SELECT work FROM seminal WHERE topic = ? ORDER BY position LIMIT ? OFFSET ?"
            return self.works([row[0] for row in self._all(query, id, most, offset)])
        if order not in _ORDERS:
            raise UsageError(f"Works are ordered by cited, new or seminal, not {order!r}.")
        # '0' follows '/' in ASCII, so this is the topic itself and all paths below it.
        inside = "(topic = ?1 OR (topic >= ?1 || '/' AND topic < ?1 || '0'))"
        if self._fills(id, most + offset):
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
        return self.works([row[0] for row in self._all(query, id, most, offset)])

    def _fills(self, topic: str, wanted: int) -> bool:
        """Whether a topic is so large that it is faster to go through all works in their order.

        That ends when enough of them are of the topic; to look at one takes a
        quarter of the time that it takes to get one of the topic and sort it.
        """
        works = self._one("SELECT works FROM topics WHERE id = ?", topic)
        every = self._one("SELECT max(rowid) FROM works")[0]
        return bool(works and every and wanted * every < 4 * works[0] ** 2)

    # People

    def author(self, id: str) -> Author | None:
        """Somebody, by the fullest name that was seen."""
        found = self._one("SELECT id, name FROM authors WHERE id = ?", id)
        return Author(*found) if found else None

    def author_total(self, id: str) -> int:
        """How much there is of somebody, what is only cited included."""
        total: int = self._one("SELECT count(*) FROM authorship WHERE author = ?", id)[0]
        return total

    def author_works(self, id: str, most: int = 50, offset: int = 0) -> list[Work]:
        """What somebody wrote, the newest first."""
        query = (
            "SELECT works.id FROM authorship JOIN works ON works.id = work WHERE author = ? "
            "ORDER BY works.date DESC, works.id LIMIT ? OFFSET ?"
        )
        return self.works([row[0] for row in self._all(query, id, most, offset)])

    def coauthors(self, id: str, most: int = 10) -> list[tuple[Author, int]]:
        """With whom somebody wrote, and how often."""
        query = (
            "SELECT theirs.author, authors.name, count(DISTINCT theirs.work) "
            "FROM authorship AS own JOIN authorship AS theirs ON theirs.work = own.work "
            "JOIN authors ON authors.id = theirs.author "
            "WHERE own.author = ?1 AND theirs.author != ?1 "
            "GROUP BY theirs.author ORDER BY 3 DESC, 1 LIMIT ?2"
        )
        return [(Author(who, name), count) for who, name, count in self._all(query, id, most)]

    # How it is done

    def _here(self, order: str, most: int) -> list[Work]:
        query = f"SELECT id FROM works WHERE kind != 'cited' ORDER BY {_ORDERS[order]} LIMIT ?"
        return self.works([row[0] for row in self._all(query, most)])

    def _made(self, rows: Sequence[Any]) -> list[Work]:
        """Works from their rows, with authors and topics."""
        ids = [row[0] for row in rows]
        authors: dict[str, list[Author]] = defaultdict(list)
        topics: dict[str, list[TopicAssignment]] = defaultdict(list)
        by = f"WHERE work IN ({_marks(ids)})"
        query = f"SELECT work, author, name FROM authorship {by} ORDER BY work, position"
        for work, author, name in self._packed(query, 3, *ids):
            authors[work].append(Author(author, name))
        query = (
            f"SELECT work, topic, name, sure FROM placed JOIN topics ON topics.id = topic {by} "
            "ORDER BY work, sure DESC, topic"
        )
        for work, topic, name, sure in self._packed(query, 4, *ids):
            topics[work].append(TopicAssignment(topic, name, sure))
        return [
            Work(
                **dict(zip(_READ, row, strict=True)),
                authors=tuple(authors[row[0]]),
                topics=tuple(topics[row[0]]),
            )
            for row in rows
        ]

    def _citations(
        self, citing: Sequence[str], cited: Sequence[str], others: Sequence[str]
    ) -> list[Citation]:
        """The references between a work and others: each by the first list that has it."""
        # The plus keeps SQLite from starting at the side where there are many.
        many, one = ("+", "") if others is citing else ("", "+")
        query = (
            f"SELECT {'copies' if many else 'cited'}.work, cited.number, text, contexts, sure "
            "FROM cited JOIN copies ON copies.document = cited.document JOIN references_ AS r "
            "ON r.document = cited.document AND r.number = cited.number "
            f"WHERE {many}copies.work IN ({_marks(citing)}) "
            f"AND {one}cited.work IN ({_marks(cited)}) ORDER BY cited.document, cited.number"
        )
        first: dict[str, list[Any]] = {}
        for other, *said in self._packed(query, 5, *citing, *cited):
            first.setdefault(other, said)
        found = []
        for work in self.works(others):
            number, text, contexts, sure = first.get(work.id, (0, "", "[]", 1.0))
            found.append(Citation(work, number, text, tuple(json.loads(contexts)), sure))
        return found

    def _together(self, mine: str, other: str, work: str, most: int) -> list[tuple[Work, int]]:
        query = (
            f"SELECT theirs.{mine}, count(*) FROM citations AS own "
            f"JOIN citations AS theirs ON theirs.{other} = own.{other} "
            f"WHERE own.{mine} = ?1 AND theirs.{mine} != ?1 "
            f"GROUP BY theirs.{mine} ORDER BY 2 DESC, 1 LIMIT ?2"
        )
        counts = dict(self._all(query, work, most))
        return [(found, counts[found.id]) for found in self.works([*counts])]

    @property
    def _database(self) -> sqlite3.Connection:
        if not hasattr(self._own, "database"):
            address = f"{self._path.absolute().as_uri()}?mode=ro"
            database = self._own.database = sqlite3.connect(address, uri=True)
            database.execute(f"PRAGMA mmap_size = {_MAPPED}")
        known: sqlite3.Connection = self._own.database
        return known

    def _packed(self, query: str, columns: int, *values: Any) -> list[list[Any]]:
        """The rows of a query as one: between two rows another thread may go on for long."""
        names = ", ".join(f"c{k}" for k in range(columns))
        packed = f"SELECT json_group_array(json_array({names})) FROM found"
        text = self._one(f"WITH found ({names}) AS ({query}) {packed}", *values)[0]
        return [*json.loads(text)]

    def _all(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        return self._database.execute(query, values).fetchall()

    def _one(self, query: str, *values: Any) -> Any:
        return self._database.execute(query, values).fetchone()


def _select(database: sqlite3.Connection) -> str:
    """Return the query for works; a field that an older portal.db lacks has its default."""
    stored = {row[1] for row in database.execute("PRAGMA table_info(works)")}
    expressions = []
    for name in _READ:
        field = FIELDS[name]
        if field.column and name not in stored:
            expressions.append("NULL" if field.default is None else repr(field.default))
        else:
            expressions.append(field.spec.select or f"works.{name}")
    join = "FROM works LEFT JOIN documents ON documents.id = document"
    return f"SELECT {', '.join(expressions)} {join} "


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)


def _topic(row: tuple[Any, ...]) -> Topic:
    path, name, parent, note, works, words = row
    return Topic(path, name, parent, note, works, tuple(json.loads(words)), path.count("/"))
