"""Derivation of works from documents: of all of them, or from what changed since the last build.

Both have the same result, which depends on the documents and the corrections alone.
"""

from __future__ import annotations

import logging
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lycosa.papers.matching.matched_forms import Columns, MatchedForms
from lycosa.papers.matching.matching_update import MatchingUpdate
from lycosa.portal.build.applied_corrections import (
    AppliedCorrections,
    changed_members,
    merged_authors,
)
from lycosa.portal.build.array_files import Pieces
from lycosa.portal.build.authors import AuthorIdentities
from lycosa.portal.build.build_state import FOLDER as STATES
from lycosa.portal.build.build_state import BuildState, state_columns
from lycosa.portal.build.canonical_pages import canonical_pairs
from lycosa.portal.build.database import Database
from lycosa.portal.build.error_advice import translate_errors
from lycosa.portal.build.grouping import Groups, corrected_batches, group_members, match_members
from lycosa.portal.build.member_table import Members
from lycosa.portal.build.packed_members import NameColumn
from lycosa.portal.build.work_set import WorkSet
from lycosa.portal.build.work_update import WorkChanges, WorkUpdate
from lycosa.portal.build.works import WorkTables
from lycosa.portal.corrections import Correction
from lycosa.processes import in_batches
from lycosa.scratch import Scratch

MAX_ADDED_MEMBERS = 100_000
"""Members that an update adds; with more of them its pairs would take too much memory."""

LISTED_AT_ONCE = 10_000
"""Documents of the listing that are in memory as rows."""

_LISTING = "SELECT id, step FROM documents ORDER BY step, id"

_log = logging.getLogger("lycosa.portal")


@dataclass(frozen=True, slots=True, eq=False)
class DerivedWorks:
    """Works that were derived, and the tables that write them."""

    members: Members
    groups: Groups
    works: WorkSet
    tables: WorkTables
    corrections: AppliedCorrections
    form_of: NDArray[np.int32]
    form_columns: Callable[[], Columns]
    hidden: Mapping[str, int]
    """Documents that cannot be shown, with their steps."""
    scratch: Scratch
    """Lets the pages of large arrays leave memory."""
    is_update: bool
    """Whether only changes are written."""

    def columns(self) -> Iterator[tuple[str, Pieces]]:
        """Yield the columns of the state that the next build starts from."""
        return state_columns(
            self.members,
            self.form_columns(),
            self.form_of,
            self.groups.of,
            self.tables.counts,
            self.tables.confidence,
            self.hidden,
        )


class Derivation:
    """Derives works from the documents of a portal.

    Parameters
    ----------
    database
        The open portal.db.
    corrections
        Those in force.
    separate_versions
        Whether the versions of a paper are different works.
    jobs
        Processes to use.
    """

    def __init__(
        self,
        database: Database,
        corrections: Sequence[Correction],
        *,
        separate_versions: bool,
        jobs: int,
    ) -> None:
        self._database = database
        self._corrections = corrections
        self._separate_versions = separate_versions
        self._jobs = jobs

    def derive(self, state: BuildState | None) -> DerivedWorks:
        """Derive all works, from the state of the last build if there is one."""
        found = None if state is None else self._update(state)
        return found or self._derive_all()

    def _derive_all(self) -> DerivedWorks:
        scratch = Scratch(self._scratch_folder())
        members, corrections = Members.stored(scratch), AppliedCorrections(self._corrections)
        matcher = match_members(
            members,
            members.fill(self._database, self._jobs),
            corrections,
            separate_versions=self._separate_versions,
            scratch=scratch,
        )
        groups = self._group(members, matcher.works(), corrections)
        works = WorkSet.from_groups(members, groups)
        facts = corrections.facts(works.of)
        return DerivedWorks(
            members,
            groups,
            works,
            WorkTables(
                self._database,
                members,
                works,
                facts,
                self._identities(corrections, works),
                self._jobs,
            ),
            corrections,
            matcher.form_of,
            lambda: MatchedForms.of(matcher).columns(),
            self._hidden(members),
            scratch,
            is_update=False,
        )

    def _update(self, state: BuildState) -> DerivedWorks | None:
        """Derive works from what has changed; None if that is too much for an update."""
        named_fields, named = changed_members(state.corrections, self._corrections)
        kept, new, hidden = self._compare_documents(state, named_fields)
        corrections = AppliedCorrections(self._corrections)
        fresh = Members()
        batches = []
        # So few are not worth the start of other processes.
        for batch in corrected_batches(fresh, fresh.fill(self._database, 1, new), corrections):
            batches.append(batch)
            if len(fresh) > MAX_ADDED_MEMBERS:
                return None
        shown = set(fresh.documents)
        hidden |= {name: step for name, step in new.items() if name not in shown}
        members, place = state.members.merged(kept, fresh)
        _log.info("%d documents are new or have changed", len(new))
        update = MatchingUpdate(
            state.forms,
            state.form_of,
            place,
            members.sources(),
            batches,
            separate_versions=self._separate_versions,
        )
        groups = self._group(members, update.works(), corrections)
        works = WorkSet.from_groups(members, groups)
        changes = WorkChanges.between(state, members, place, works, named)
        facts = corrections.facts(works.of)
        return DerivedWorks(
            members,
            groups,
            works,
            WorkUpdate(
                self._database,
                members,
                works,
                facts,
                self._identities(corrections, works),
                changes,
                state,
                place,
            ),
            corrections,
            update.form_of,
            update.columns,
            hidden,
            state.scratch,
            is_update=True,
        )

    def _identities(self, corrections: AppliedCorrections, works: WorkSet) -> AuthorIdentities:
        persons = corrections.persons(works.of)
        return AuthorIdentities(
            merged_authors(self._corrections),
            {works.ids[work]: some for work, some in persons.items()},
        )

    def _scratch_folder(self) -> Path:
        folder = self._database.folder / STATES
        with translate_errors(self._database.folder):
            folder.mkdir(exist_ok=True)
        return folder

    def _hidden(self, members: Members) -> dict[str, int]:
        """Return the documents that are no members; members have the order of the listing."""
        shown = iter(members.documents)
        following = next(shown, None)
        found = {}
        for name, step in self._database.rows(_LISTING):
            if name == following:
                following = next(shown, None)
            else:
                found[name] = step
        return found

    def _group(
        self, members: Members, matched: NDArray[np.integer], corrections: AppliedCorrections
    ) -> Groups:
        pairs = canonical_pairs(members, self._database)
        return group_members(members, matched, corrections, pairs)

    def _compare_documents(
        self, state: BuildState, corrected: set[str]
    ) -> tuple[list[int], dict[str, int], dict[str, int]]:
        """Return the documents that stay, by number; those to be read; and those still hidden.

        A document with another step was read again; one with a member whose correction
        differs is read again here.
        """
        names, steps = self._listed()
        members = state.members
        stays = _is_listed(names, steps, members.documents.array, np.array(members.steps))
        starts = np.array(members.starts, np.int64)
        numbers = np.array([*members.names.numbers_of(corrected).values()], np.int64)
        stays[np.searchsorted(starts, numbers, "right") - 1] = False
        kept = np.flatnonzero(stays)
        hidden_names = np.array([name.encode() for name in state.hidden], names.dtype)
        hidden_steps = np.array([*state.hidden.values()], np.int64)
        same = _is_listed(names, steps, hidden_names, hidden_steps)
        hidden = dict(compress(state.hidden.items(), same))
        known = np.concatenate((members.documents.array[kept], hidden_names[same]))
        new = np.flatnonzero(~np.isin(names, known))
        return (
            kept.tolist(),
            {names[k].decode(): int(steps[k]) for k in new.tolist()},
            hidden,
        )

    def _listed(self) -> tuple[NDArray[np.bytes_], NDArray[np.int64]]:
        """Return the ids and steps of all documents, in the order of steps."""
        names, steps = NameColumn(), array("q")
        for some in in_batches(self._database.rows(_LISTING), LISTED_AT_ONCE):
            more, at = zip(*some, strict=True)
            names.extend(more)
            steps.extend(at)
        return names.array, np.array(steps, np.int64)


def _is_listed(
    names: NDArray[np.bytes_],
    steps: NDArray[np.int64],
    wanted: NDArray[np.bytes_],
    wanted_steps: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Return which of the `wanted` documents are among others, with the same step."""
    if not len(names):
        return np.zeros(len(wanted), bool)
    order = np.argsort(names)
    at = order[np.minimum(np.searchsorted(names, wanted, sorter=order), len(names) - 1)]
    return np.asarray((names[at] == wanted) & (steps[at] == wanted_steps))
