"""Update of the tables about works: rows of works that changed, and no others.

A work is unchanged if its members are those of one work of the last build, none of their
documents was read again, and no correction about it differs. Its fields are then what they
were; its citations are counted again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.sorted_runs import is_among
from lycosa.portal.build.authors import AuthorIdentities, Authors
from lycosa.portal.build.build_state import BuildState
from lycosa.portal.build.database import Database, Replace, Row
from lycosa.portal.build.facts import FactRow
from lycosa.portal.build.grouping import Groups
from lycosa.portal.build.identity import header_name
from lycosa.portal.build.member_table import Members
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.work_set import WorkSet
from lycosa.portal.build.works import CERTAIN, WorkTables

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


class WorkChanges(NamedTuple):
    """The differences between the works of the last build and those of this one."""

    before: WorkSet
    """The works of the last build."""
    twin: Numbers
    """Of each work that is unchanged, its number in `before`; -1 of others."""
    same_id: Numbers
    """Of each work of `before`, the number of the work that has its id now, or -1."""
    removed_documents: Sequence[str]
    """Documents of the last build that are gone or were read again."""

    @property
    def changed(self) -> Numbers:
        """The works that are new or have changed."""
        return np.flatnonzero(self.twin < 0)

    @property
    def gone(self) -> list[str]:
        """Ids of the last build that no work has now."""
        return [self.before.ids[k] for k in np.flatnonzero(self.same_id < 0).tolist()]

    @classmethod
    def between(
        cls,
        state: BuildState,
        members: Members,
        place: Numbers,
        works: WorkSet,
        corrected: Iterable[str],
    ) -> WorkChanges:
        """Compare works with those of the last build.

        `place` has the number of each old member among `members`, and `corrected` the names of
        members about which corrections differ.
        """
        before = WorkSet.from_groups(state.members, Groups(state.group_of))
        kept = place >= 0
        old_work = np.full(len(members), -1)
        old_work[place[kept]] = before.of[kept]
        order = np.argsort(works.of, kind="stable")
        starts = np.searchsorted(works.of[order], np.arange(len(works)))
        sizes = np.bincount(works.of, minlength=len(works))
        sizes_before = np.bincount(before.of, minlength=len(before))
        twin = np.full(len(works), -1)
        if len(works):
            least = np.minimum.reduceat(old_work[order], starts)
            most = np.maximum.reduceat(old_work[order], starts)
            same = (least >= 0) & (least == most)
            same[same] = sizes[same] == sizes_before[least[same]]
            twin[same] = least[same]
        named = {*corrected, *_other_canonicals(state.members, members)}
        for number in members.names.numbers_of(named).values():
            twin[works.of[number]] = -1
        documents = np.array(state.members.starts[:-1], np.int64)
        removed = np.flatnonzero(place[documents] < 0).tolist()
        return cls(
            before,
            twin,
            works.numbers(before.ids.array),
            [state.members.documents[k] for k in removed],
        )

    def citations(self, works: WorkSet) -> tuple[Numbers, Numbers]:
        """Return the citations that are new, and those of the last build that are gone."""
        now, then = works.graph.pairs(), self.before.graph.pairs()
        size = max(len(works), 1)
        mapped = self.same_id[then]
        lost = (mapped < 0).any(axis=1)
        codes_now = now[:, 0] * size + now[:, 1]
        codes_then = np.where(lost, -1, mapped[:, 0] * size + mapped[:, 1])
        return now[~is_among(codes_now, codes_then)], then[~is_among(codes_then, codes_now)]


def _other_canonicals(before: Members, now: Members) -> Iterator[str]:
    """Yield the headers of documents that are named as canonical now but were not, or were."""
    for document in {*before.canonicals.values()} ^ {*now.canonicals.values()}:
        yield header_name(document)


class WorkUpdate(WorkTables):
    """Writes the rows of works that changed.

    Parameters
    ----------
    database
        The portal.db that is being built.
    members
        The headers and references that vote on the fields of their works.
    works
        The work of each member, and the citations between works.
    corrected
        The corrected fields of works, by the numbers of works.
    identities
        The authors that names stand for.
    changes
        What differs from the last build.
    state
        That of the last build.
    place
        The number of each member of the last build among `members`; -1 for those that are gone.
    """

    def __init__(
        self,
        database: Database,
        members: Members,
        works: WorkSet,
        corrected: Mapping[int, Mapping[str, FactRow]],
        identities: AuthorIdentities,
        changes: WorkChanges,
        state: BuildState,
        place: Numbers,
    ) -> None:
        super().__init__(database, members, works, corrected, identities)
        self._changes = changes
        self._state = state
        kept = place >= 0
        self.confidence[place[kept]] = state.confidence[kept]
        self._confidence_before = self.confidence.copy()
        self._work_before = np.full(len(members), -1)
        """Of each member, the work that has the id that its work had; -1 of new members."""
        self._work_before[place[kept]] = changes.same_id[changes.before.of[kept]]

    def store(self, replace: Replace, progress: BuildProgress) -> int:
        """Update the tables; return how many works have changed.

        The table reindex then has the works that the index may lack.
        """
        database, changes, ids = self._database, self._changes, self._works.ids
        changed = changes.changed.tolist()
        progress.begin("storing works", len(changed))
        gone = changes.gone
        replace("moved", sorted(self._moved_rows(set(gone)).items()))
        lists = self._members_of(changed)
        old_ids = [
            changes.before.ids[k]
            for k in np.setdiff1d(np.arange(len(changes.before)), changes.twin).tolist()
        ]
        database.name_ids([*old_ids, *(ids[work] for work in changed)])
        database.put("works", self._changed_rows(changed, lists, progress))
        database.delete("works", "id", gone)
        self._store_authors(old_ids)
        database.delete("copies", "document", changes.removed_documents)
        moved = self._moved_members(lists)
        database.put("copies", self._copies_of(moved[self._is_header[moved]]))
        database.delete("cited", "document", changes.removed_documents)
        database.put("cited", self._cited_of(moved[~self._is_header[moved]]))
        came, left = changes.citations(self._works)
        before = changes.before.ids
        database.delete_citations((before[a], before[b]) for a, b in left.tolist())
        database.put("citations", ((ids[a], ids[b]) for a, b in came.tolist()))
        counted = self._store_counts()
        citing = {before[a] for a in left[:, 0].tolist()} | {ids[a] for a in came[:, 0].tolist()}
        cited = {before[b] for b in left[:, 1].tolist()} | {ids[b] for b in came[:, 1].tolist()}
        touched = {*gone, *citing, *(ids[work] for work in changed)}
        self.touched = touched | cited
        database.put("reindex", ((work,) for work in touched.union(counted)))
        return len(changed) + len(gone)

    def _members_of(self, works: Sequence[int]) -> list[list[int]]:
        """Return the members of some works, in order."""
        chosen = np.zeros(len(self._works), bool)
        chosen[works] = True
        members = np.flatnonzero(chosen[self._works.of])
        members = members[np.argsort(self._works.of[members], kind="stable")]
        ends = np.flatnonzero(np.diff(self._works.of[members])) + 1
        return [part.tolist() for part in np.split(members, ends)] if len(members) else []

    def _changed_rows(
        self, works: Sequence[int], lists: Sequence[list[int]], progress: BuildProgress
    ) -> Iterator[Row]:
        for work, members, agreed in zip(works, lists, self._agreed_fields(lists), strict=True):
            yield self._work_row(work, members, agreed)
            progress.advance()

    def _store_authors(self, old_ids: Sequence[str]) -> None:
        """Replace the authorship of changed works, and the rows of all authors involved."""
        database = self._database
        involved = {row[0] for row in database.rows(_AUTHORS_OF_NAMED)}
        involved |= {row[2] for row in self._authorship}
        database.delete("authorship", "work", old_ids)
        database.put("authorship", self._authorship)
        database.name_ids(involved)
        counted = Authors()
        for author, name, forms in database.rows(_FORMS_OF_NAMED):
            counted.count(author, name, forms)
        for author, works in database.rows(_WORKS_OF_NAMED):
            counted.count_works(author, works)
        rows = counted.rows()
        database.delete("authors", "id", involved - {row[0] for row in rows})
        database.put("authors", rows)

    def _moved_members(self, lists: Sequence[list[int]]) -> Numbers:
        """Return the members of changed works that are new, or that the tables have otherwise."""
        every = np.array([n for members in lists for n in members], np.int64)
        differs = self._work_before[every] != self._works.of[every]
        differs |= self._confidence_before[every] != self.confidence[every]
        return np.sort(every[differs])

    def _copies_of(self, headers: Numbers) -> Iterator[Row]:
        for n in headers.tolist():
            yield self._document(n), self._works.ids[self._works.of[n]]

    def _cited_of(self, references: Numbers) -> Iterator[Row]:
        for n in references.tolist():
            place = self._place(n)
            yield (
                self._members.documents[place],
                n - self._members.starts[place],
                self._works.ids[self._works.of[n]],
                int(self.confidence[n]) / CERTAIN,
            )

    def _store_counts(self) -> list[str]:
        """Write the counts that differ; return the works whose entries in the index have them."""
        works = np.flatnonzero(self._changes.twin >= 0)
        twins = self._changes.twin[works]
        differs = [
            np.asarray(now)[works] != np.asarray(then)[twins]
            for now, then in zip(self.counts, self._state.counts, strict=True)
        ]
        counted = differs[0] | differs[1]
        ids = self._works.ids
        self._database.set_counts(
            (
                int(self.counts.cited_by[work]),
                int(self.counts.cites[work]),
                float(self.counts.rank[work]),
                ids[work],
            )
            for work in works[counted].tolist()
        )
        self._database.set_ranks(
            (float(self.counts.rank[work]), ids[work])
            for work in works[differs[2] & ~counted].tolist()
        )
        return [ids[work] for work in works[counted].tolist()]


_AUTHORS_OF_NAMED = (
    "SELECT DISTINCT author FROM named JOIN authorship ON authorship.work = named.id"
)
_FORMS_OF_NAMED = """
SELECT author, name, count(*) FROM named CROSS JOIN authorship ON authorship.author = named.id
GROUP BY author, name
"""
_WORKS_OF_NAMED = """
SELECT author, count(DISTINCT work) FROM named
CROSS JOIN authorship ON authorship.author = named.id
CROSS JOIN works ON works.id = work WHERE works.document > '' GROUP BY author
"""
