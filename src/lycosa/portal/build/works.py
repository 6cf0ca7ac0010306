"""The rows of the tables about works: what each is, who wrote it, and who cites it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from lycosa.portal.build.authors import Authors, spoken
from lycosa.portal.build.database import Database, Replace, Row
from lycosa.portal.build.facts import Agreed, Fact, agreements, people
from lycosa.portal.build.identity import members_named
from lycosa.portal.build.members import Members
from lycosa.portal.build.watcher import Watcher
from lycosa.portal.build.work_set import Shelf
from lycosa.processes import in_batches, map_parallel
from lycosa.web.urls import host_of

_AT_ONCE = 500  # works
_JSON = json.JSONEncoder(ensure_ascii=False)
_COPY = (
    "SELECT id, kind, title, abstract, date, language, url, sure, step FROM documents WHERE id = ?"
)


class Copy(NamedTuple):
    """What a work takes from one of its documents."""

    id: str
    kind: str
    title: str
    abstract: str
    date: str
    language: str
    url: str
    sure: float
    step: int

    @property
    def goodness(self) -> tuple[object, ...]:
        """The best copy is a paper with title and abstract; of several the first."""
        return self.kind == "paper", bool(self.title), bool(self.abstract), self.sure, -self.step


_ABSENT = Copy("", "cited", "", "", "", "", "", 0.0, 0)


class WorkTables:
    """Goes through all works once, and writes the tables about them."""

    def __init__(
        self,
        database: Database,
        members: Members,
        shelf: Shelf,
        opinions: Mapping[int, Mapping[str, Fact]],
        jobs: int = 1,
    ) -> None:
        self._database = database
        self._members = members
        self._shelf = shelf
        self._opinions = opinions
        """What people say of works."""
        self._jobs = jobs
        self._documents = dict(zip(members.starts, members.documents, strict=False))
        self._sure = np.ones(len(members))
        self._authors = Authors()

    def store(self, replace: Replace, watcher: Watcher) -> None:
        """Replace the tables."""
        shelf = self._shelf
        watcher.begin("storing works", len(shelf))
        replace("moved", sorted(self._moved().items()))
        replace("works", self._works(watcher))
        replace("authorship", self._authors.authorship)
        replace("authors", self._authors.rows())
        replace("copies", sorted(self._copies()))
        replace("cited", self._cited())
        replace("citations", self._citations())

    def _works(self, watcher: Watcher) -> Iterator[Row]:
        graph = self._shelf.graph
        cited_by = graph.counts.tolist()
        ranks = (graph.pagerank() * graph.size).round(6).tolist()
        for work, (mine, agreed) in enumerate(
            zip(self._shelf.works(), self._agreed(), strict=True)
        ):
            self._sure[mine] = agreed.sure
            linked = (cited_by[work], len(graph.cites(work)), ranks[work])
            yield self._work(work, mine, agreed, linked)
            watcher.advance()

    def _agreed(self) -> Iterator[Agreed]:
        packed, headers = self._members.packed, self._documents
        every = ([(packed[n], n in headers) for n in mine] for mine in self._shelf.works())
        for part in map_parallel(
            agreements, in_batches(every, _AT_ONCE), self._jobs, activity="merging works"
        ):
            yield from part

    def _work(self, work: int, mine: Sequence[int], agreed: Agreed, linked: Row) -> Row:
        copies = [self._copy(self._documents[n]) for n in mine if n in self._documents]
        best = max(copies, key=lambda copy: copy.goodness, default=_ABSENT)
        facts, names = agreed.facts, agreed.authors
        if best.kind == "page":
            facts["title"] = (best.title, 1.0, best.id)
        for name, fact in self._opinions.get(work, {}).items():
            facts[name] = fact
            names = people(fact[0]) if name == "authors" else names
        self._authors.sign(self._shelf.ids[work], names, here=bool(best.id))
        if "authors" in facts:
            facts["authors"] = ("; ".join(map(spoken, names)), *facts["authors"][1:])
        value = {name: fact[0] for name, fact in facts.items()}
        # A person may have said that there is no year.
        year = value.get("year", best.date[:4])
        date = best.date if year and best.date.startswith(year) else year
        return (
            self._shelf.ids[work],
            best.kind,
            value.get("title", ""),
            int(date[:4]) if date[:4].isdecimal() else None,
            date,
            value.get("venue", ""),
            value.get("volume", ""),
            value.get("pages", ""),
            best.abstract,
            best.language,
            host_of(best.url) or "",
            best.id or None,
            *linked,
            _JSON.encode(dict(sorted(facts.items()))),
        )

    def _copy(self, document: str) -> Copy:
        return Copy(*self._database.one(_COPY, document))

    def _copies(self) -> Iterator[Row]:
        for start, document in self._documents.items():
            yield document, self._shelf.ids[self._shelf.of[start]]

    def _cited(self) -> Iterator[Row]:
        ids, of = self._shelf.ids, self._shelf.of.tolist()
        starts = self._members.starts
        places = sorted(range(len(starts) - 1), key=self._members.documents.__getitem__)
        for k in places:
            document = self._members.documents[k]
            for number, member in enumerate(range(starts[k] + 1, starts[k + 1]), 1):
                yield document, number, ids[of[member]], float(self._sure[member])

    def _citations(self) -> Iterator[Row]:
        ids = self._shelf.ids
        for work, citing in enumerate(ids):
            for other in self._shelf.graph.cites(work).tolist():
                yield citing, ids[other]

    def _moved(self) -> dict[str, str]:
        """Where works are now that are called otherwise: what they were called by leads there."""
        now = set(self._shelf.ids)
        before: dict[str, str] = dict(self._database.rows("SELECT old, new FROM moved"))
        gone = {row[0] for row in self._database.rows("SELECT id FROM works")} - now
        led: dict[str, list[str]] = {}
        for name in gone | (before.keys() - now):
            # Where what it was called by is gone itself, perhaps one of its copies is not.
            copies = self._database.rows("SELECT document FROM copies WHERE work = ?", name)
            led[name] = [name, *(row[0] for row in copies), *filter(None, [before.get(name)])]
        every = {other for others in led.values() for other in others}
        numbers = members_named(self._members.names, every)
        found = {}
        for name, others in led.items():
            known = [numbers[other] for other in others if other in numbers]
            if known:
                found[name] = self._shelf.ids[self._shelf.of[known[0]]]
        return found
