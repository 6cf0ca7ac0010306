"""The tables about works: their fields, authors, copies and citations."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.papers.citations import Citations
from lycosa.portal.build.authors import AuthorIdentities, author_rows, full_name
from lycosa.portal.build.database import Database, Replace, Row
from lycosa.portal.build.facts import AgreedFields, FactRow, agree_all, parse_author_list
from lycosa.portal.build.identity import header_name
from lycosa.portal.build.member_table import Members
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.work_set import WorkSet
from lycosa.portal.fields import COLUMNS, FIELDS
from lycosa.processes import in_batches, map_parallel
from lycosa.web.urls import host_of

WORKS_PER_BATCH = 500
AUTHORSHIP_ROWS = 10_000
"""Rows of the table authorship in memory, until that of works is written."""
CERTAIN = 100
"""Hundredths of a confidence of 1; confidences are rounded to hundredths."""
RANK_DIGITS = 2
"""Significant digits of a stored PageRank: citations far away do not change the rows of works."""
_JSON = json.JSONEncoder(ensure_ascii=False)
_COPY = (
    "SELECT id, kind, title, abstract, date, language, url, sure, step FROM documents WHERE id = ?"
)


class DocumentCopy(NamedTuple):
    """The columns of a document that a work can take over from its best copy.

    `kind` is paper or page, `confidence` the probability that it is a paper, and `step` the step
    of the crawl that fetched it. `date` is ISO 8601 as far as it is known, `language` ISO 639-1.
    An `id` of "" stands for no copy: the work is only cited.
    """

    id: str
    kind: str
    title: str
    abstract: str
    date: str
    language: str
    url: str
    confidence: float
    step: int

    @property
    def preference(self) -> tuple[object, ...]:
        """Orders copies: the best is a paper with title and abstract; of several the first."""
        return (
            self.kind == "paper",
            bool(self.title),
            bool(self.abstract),
            self.confidence,
            -self.step,
        )


_NO_COPY = DocumentCopy("", "cited", "", "", "", "", "", 0.0, 0)


class CitationCounts(NamedTuple):
    """What the citation graph says about each work."""

    cited_by: Ints
    """By how many works it is cited."""
    cites: Ints
    """How many works it cites."""
    rank: NDArray[np.float64]
    """Its PageRank relative to that of a work that is not cited."""

    @classmethod
    def of(cls, graph: Citations) -> Self:
        """Return the counts of all works."""
        ranks = round_significant(graph.relative_pagerank(), RANK_DIGITS)
        return cls(graph.counts, graph.reference_counts, ranks)


def round_significant(values: NDArray[np.float64], digits: int) -> NDArray[np.float64]:
    """Return values of at least 1 with so many significant digits.

    >>> round_significant(np.array([1.0, 2.345, 67.8]), 2).tolist()
    [1.0, 2.3, 68.0]
    """
    scale = 10.0 ** (digits - 1 - np.floor(np.log10(values)))
    return np.asarray(np.rint(values * scale) / scale)


class WorkTables:
    """Writes the tables about works, in one pass over all works.

    Parameters
    ----------
    database
        The portal.db that is being built.
    members
        The headers and references that vote on the fields of their works.
    works
        The work of each member, and the citations between works.
    corrected
        The corrected fields of works, by the numbers of works; they override the vote.
    identities
        The authors that names stand for.
    jobs
        Processes that vote.
    """

    def __init__(
        self,
        database: Database,
        members: Members,
        works: WorkSet,
        corrected: Mapping[int, Mapping[str, FactRow]],
        identities: AuthorIdentities,
        jobs: int = 1,
    ) -> None:
        self._database = database
        self._members = members
        self._works = works
        self._corrected = corrected
        self._jobs = jobs
        self._canonical = frozenset(members.canonicals.values())
        self._is_header = np.zeros(len(members), bool)
        self._is_header[np.array(members.starts[:-1], np.int64)] = True
        self.confidence = np.full(len(members), CERTAIN, np.uint8)
        """After `store`: that each member belongs to its work, in hundredths."""
        self._identities = identities
        self._authorship: list[Row] = []
        self.counts = CitationCounts.of(works.graph)
        self.touched: AbstractSet[str] | None = None
        """After `store`: the works whose text or citations may differ; None for all."""

    def store(self, replace: Replace, progress: BuildProgress) -> int:
        """Replace the tables; return how many works have changed."""
        progress.begin("storing works", len(self._works))
        replace("moved", sorted(self._moved_rows(self._former_ids()).items()))
        self._database.begin_collecting("authorship")
        changed = replace("works", self._work_rows(progress))
        self._database.collect("authorship", self._authorship)
        replace("authorship", self._database.collected("authorship"))
        self._database.end_collecting("authorship")
        replace("authors", author_rows(self._database))
        replace("copies", self._copy_rows())
        replace("cited", self._cited_rows())
        replace("citations", self._citation_rows())
        return changed

    def _former_ids(self) -> set[str]:
        """Return the ids of the last build that no work has now."""
        rows = self._database.rows("SELECT id FROM works")
        return {name for (name,) in rows if self._works.number(name) < 0}

    def _place(self, member: int) -> int:
        """Return the number of the document of a member."""
        return bisect_right(self._members.starts, member) - 1

    def _document(self, member: int) -> str:
        """Return the document of a member."""
        return self._members.documents[self._place(member)]

    def _work_rows(self, progress: BuildProgress) -> Iterator[Row]:
        for work, (members, agreed) in enumerate(
            zip(self._works.members(), self._agreed_fields(self._works.members()), strict=True)
        ):
            yield self._work_row(work, members, agreed)
            if len(self._authorship) >= AUTHORSHIP_ROWS:
                self._database.collect("authorship", self._authorship)
                self._authorship = []
            progress.advance()

    def _agreed_fields(self, works: Iterable[Sequence[int]]) -> Iterator[AgreedFields]:
        packed, headers = self._members.packed, self._is_header
        every = ([(packed[n], bool(headers[n])) for n in members] for members in works)
        for batch in map_parallel(agree_all, in_batches(every, WORKS_PER_BATCH), self._jobs):
            yield from batch

    def _work_row(self, work: int, members: Sequence[int], agreed: AgreedFields) -> Row:
        self.confidence[members] = np.rint(np.array(agreed.confidence) * CERTAIN)
        copies = [self._copy(self._document(n)) for n in members if self._is_header[n]]
        best = max(copies, key=self._preference, default=_NO_COPY)
        facts, names = agreed.facts, agreed.authors
        if best.kind == "page":
            facts["title"] = (best.title, 1.0, best.id)
        for name, fact in self._corrected.get(work, {}).items():
            facts[name] = fact
            names = parse_author_list(fact[0]) if name == "authors" else names
        self._authorship += self._identities.rows(self._works.ids[work], names)
        if "authors" in facts:
            facts["authors"] = ("; ".join(map(full_name, names)), *facts["authors"][1:])
        values: dict[str, Any] = {name: fact[0] for name, fact in facts.items()}
        # A correction may say that there is no year.
        year = values.get("year", best.date[:4])
        date = best.date if year and best.date.startswith(year) else year
        values |= {
            "id": self._works.ids[work],
            "kind": best.kind,
            "year": int(date[:4]) if date[:4].isdecimal() else None,
            "date": date,
            "abstract": best.abstract,
            "language": best.language,
            "site": host_of(best.url) or "",
            "document": best.id or None,
            "cited_by": int(self.counts.cited_by[work]),
            "cites": int(self.counts.cites[work]),
            "rank": float(self.counts.rank[work]),
        }
        row = [values.get(name, FIELDS[name].default or "") for name in COLUMNS]
        return *row, _JSON.encode(dict(sorted(facts.items())))

    def _preference(self, copy: DocumentCopy) -> tuple[object, ...]:
        """Order copies: of those of a kind the one that authors name as canonical is best."""
        return copy.kind == "paper", copy.id in self._canonical, *copy.preference

    def _copy(self, document: str) -> DocumentCopy:
        return DocumentCopy(*self._database.one(_COPY, document))

    def _copy_rows(self) -> Iterator[Row]:
        ids, of, starts = self._works.ids, self._works.of, self._members.starts
        for k in self._by_document():
            yield self._members.documents[k], ids[of[starts[k]]]

    def _cited_rows(self) -> Iterator[Row]:
        ids, of, starts = self._works.ids, self._works.of, self._members.starts
        for k in self._by_document():
            document = self._members.documents[k]
            for number, member in enumerate(range(starts[k] + 1, starts[k + 1]), 1):
                yield document, number, ids[of[member]], int(self.confidence[member]) / CERTAIN

    def _by_document(self) -> list[int]:
        """Return the numbers of documents in the order of their ids."""
        order: list[int] = np.argsort(self._members.documents.array, kind="stable").tolist()
        return order

    def _citation_rows(self) -> Iterator[Row]:
        ids = self._works.ids
        for work, citing in enumerate(ids):
            for other in self._works.graph.cites(work).tolist():
                yield citing, ids[other]

    def _moved_rows(self, former: AbstractSet[str]) -> dict[str, str]:
        """Return former ids of works with the ids of the works that now have their members.

        Authors that were merged are among them: their ids look different.
        """
        before: dict[str, str] = dict(self._database.rows("SELECT old, new FROM moved"))
        candidates: dict[str, list[str]] = {}
        left = {name for name in before if self._works.number(name) < 0}
        for name in former | left:
            # The member that gave the id may be gone itself; perhaps one of its copies is not.
            copies = self._database.rows("SELECT document FROM copies WHERE work = ?", name)
            candidates[name] = [
                name,
                *(row[0] for row in copies),
                *filter(None, [before.get(name)]),
            ]
        every = {header_name(other) for others in candidates.values() for other in others}
        numbers = self._members.names.numbers_of(every)
        found = {}
        for name, others in candidates.items():
            known = [numbers[each] for other in others if (each := header_name(other)) in numbers]
            if known:
                found[name] = self._works.ids[self._works.of[known[0]]]
        return found | {**self._identities.merged}
