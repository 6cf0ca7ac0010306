"""Update of a matching: references are added and removed, and the works are those of a new one.

The works of a component depend on its forms, on their lists of references, and on which forms
are the first of their blocks (`component_clustering`). So an update finds

1. the blocks whose first forms change: those of forms that come, go, or whose first reference
   is another one now;
2. the new pairs to compare: forms that come with the first of their blocks, and forms that
   become one of the first with all of the block;
3. the components that may have fallen apart, because one of their forms is gone or is no longer
   one of the first of a block; the links within them are computed again;
4. the components that changed in any way, which are clustered again. All others stay.

The result is that of a `ReferenceMatcher` to which the references are given in their order;
what it costs depends on the references that come and go and on their components, apart from
a few passes over arrays of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from lycosa.papers.matching import blocking
from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.block_table import BlockTable, entries_of
from lycosa.papers.matching.blocking import BlockingIndex, compact_pairs, unpack_pairs
from lycosa.papers.matching.component_clustering import ComponentClustering
from lycosa.papers.matching.feature_vectors import FeatureVectors
from lycosa.papers.matching.matched_forms import VECTOR_COLUMNS, Columns, MatchedForms
from lycosa.papers.matching.similarity import score_pairs
from lycosa.papers.matching.sorted_runs import expand_ranges, is_among
from lycosa.papers.matching.source_lists import SourceLists

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


class MatchingUpdate:
    """A matching after some references were added and others removed.

    While it is computed, a form has a slot: old forms their numbers, new ones the next. The
    result numbers forms by their first references, as a new matching would.

    Parameters
    ----------
    before
        The matching before the update.
    forms_before
        The form of each reference before it.
    place
        The number of each of these references after it, increasing; -1 for those that go.
    sources
        The list of references that each reference stands in after it; -1 for none.
    added
        The references that are new, in their order.
    separate_versions
        As for a `ReferenceMatcher`.

    >>> some = [ReferenceBatch.from_references([{"title": title}])
    ...         for title in ("On spiders", "On flies", "on spiders.")]
    >>> nothing = np.empty(0, np.int64)
    >>> first = MatchingUpdate(MatchedForms.empty(), nothing, nothing, np.full(2, -1), some[:2])
    >>> first.works().tolist()
    [0, 1]
    >>> goes = np.array([-1, 0])                     # the first reference
    >>> next = MatchingUpdate(first.forms(), first.form_of, goes, np.full(2, -1), some[2:])
    >>> next.works().tolist()
    [0, 1]
    """

    def __init__(
        self,
        before: MatchedForms,
        forms_before: NDArray[Any],
        place: Numbers,
        sources: Numbers,
        added: Sequence[ReferenceBatch],
        *,
        separate_versions: bool = True,
    ) -> None:
        self._before = before
        self._separate_versions = separate_versions
        self._old = len(before)
        self._sources = sources
        self._added = added
        self._new_digests: list[bytes] = []
        self._new_rows: list[tuple[int, int]] = []  # of each new form: its batch and its row
        self._number_slots(forms_before, place)
        self._new_vectors = self._collect_new()
        self._new_blocks = BlockTable.of_entries(
            *entries_of(self._unstable, self._gather(self._unstable).keys)
        )
        self._gone_blocks = BlockTable.of_entries(
            *entries_of(self._gone, before.vectors.keys[self._gone])
        )
        linked, broken, touched = self._links()
        self._label = self._components(linked, broken)
        self._work = self._cluster(self._changed_components(broken, touched, forms_before, place))

    # The result

    def works(self) -> NDArray[np.int64]:
        """Return the number of the work of each reference: that of its first reference."""
        return np.asarray(self._first[self._work[self._slot_of]])

    @property
    def form_of(self) -> NDArray[np.int32]:
        """The form of each reference."""
        return np.asarray(self._number[self._slot_of], np.int32)

    def forms(self) -> MatchedForms:
        """Return the state after the update."""
        return MatchedForms.from_columns(
            {
                name: np.concatenate(column) if isinstance(column, list) else column
                for name, column in self.columns()
            }
        )

    def columns(self) -> Columns:
        """Yield the columns of the state after the update, computed one by one."""
        order = self._order
        appended = bool((order[: self._old] == np.arange(min(len(order), self._old))).all())
        appended = appended and len(order) >= self._old
        yield "digests", self._column(self._before.digests, self._digests_of_new(), appended)
        for name in VECTOR_COLUMNS:
            old, new = getattr(self._before.vectors, name), getattr(self._new_vectors, name)
            yield name, self._column(old, new, appended)
        yield "component", self._number[self._label[order]].astype(np.int32)
        yield "form_work", self._number[self._work[order]].astype(np.int32)
        kept = self._number[: self._old].copy()
        kept[self._gone] = -1
        more = BlockTable.of_entries(self._new_blocks.keys, self._number[self._new_blocks.forms])
        blocks = self._before.blocks.changed(kept, more)
        yield "block_keys", blocks.keys
        yield "block_forms", blocks.forms

    def _column(
        self, old: NDArray[Any], new: NDArray[Any], appended: bool
    ) -> NDArray[Any] | list[NDArray[Any]]:
        if appended:
            return [old, new[self._order[self._old :] - self._old]]
        is_new = self._order >= self._old
        found = np.empty((len(self._order), *old.shape[1:]), old.dtype)
        found[~is_new] = old[self._order[~is_new]]
        found[is_new] = new[self._order[is_new] - self._old]
        return found

    # Slots

    def _number_slots(self, forms_before: NDArray[Any], place: Numbers) -> None:
        size = len(self._sources)
        kept = place >= 0
        is_new = np.ones(size, bool)
        is_new[place[kept]] = False
        self._slot_of = np.empty(size, np.int64)
        self._slot_of[place[kept]] = forms_before[kept]
        self._slot_of[is_new] = self._slots_of_added()
        slots = self._old + len(self._new_digests)
        self._first = np.full(slots, size)
        self._first[self._slot_of[::-1]] = np.arange(size)[::-1]
        first_before = np.full(self._old, -1)
        first_before[forms_before[::-1]] = place[::-1]
        # The order among stable forms is as it was.
        stable = np.zeros(slots, bool)
        stable[: self._old] = (first_before >= 0) & (first_before == self._first[: self._old])
        alive = np.flatnonzero(self._first < size)
        self._order = alive[np.argsort(self._first[alive], kind="stable")]
        self._number = np.full(slots, -1)
        self._number[self._order] = np.arange(len(self._order))
        self._unstable = alive[~stable[alive]]
        self._gone = np.flatnonzero(~stable[: self._old])
        self._is_gone = ~stable[: self._old]
        self._is_new_reference = is_new

    def _slots_of_added(self) -> Numbers:
        """Return the slots of the forms of new references."""
        every = [digest for batch in self._added for digest in batch.digests]
        known = dict(zip(every, self._before.find(every), strict=True))
        found = [np.empty(0, np.int64)]
        for number, batch in enumerate(self._added):
            slots = []
            for row, digest in enumerate(batch.digests):
                slot = known[digest]
                if slot < 0:
                    slot = known[digest] = self._old + len(self._new_digests)
                    self._new_digests.append(digest)
                    self._new_rows.append((number, row))
                slots.append(slot)
            found.append(np.array(slots, np.int64)[batch.forms])
        return np.concatenate(found)

    def _digests_of_new(self) -> NDArray[np.bytes_]:
        return np.array(self._new_digests, "S16")

    def _collect_new(self) -> FeatureVectors:
        """Return the vectors of new forms."""
        vectors = FeatureVectors.empty(len(self._new_rows))
        rows = np.array(self._new_rows, np.int64).reshape(-1, 2)
        start = 0
        for number, batch in enumerate(self._added):
            chosen = np.zeros(len(batch.digests), bool)
            chosen[rows[rows[:, 0] == number, 1]] = True
            vectors.put(start, batch.vectors, chosen)
            start += int(chosen.sum())
        return vectors

    def _gather(self, slots: Numbers) -> FeatureVectors:
        """Return the vectors of some forms."""
        is_new = slots >= self._old
        old, new = slots[~is_new], slots[is_new] - self._old
        columns = []
        for name in VECTOR_COLUMNS:
            column = getattr(self._before.vectors, name)
            rows = np.empty((len(slots), *column.shape[1:]), column.dtype)
            rows[~is_new] = column[old]
            rows[is_new] = getattr(self._new_vectors, name)[new]
            columns.append(rows)
        return FeatureVectors(*columns)

    # Blocks

    def _first_before(self, keys: NDArray[np.uint64]) -> tuple[Numbers, Numbers]:
        which, forms = self._before.blocks.first(keys, blocking.MAX_COMPARED_PER_BLOCK)
        return which, forms.astype(np.int64)

    def _first_of(self, keys: NDArray[np.uint64]) -> tuple[Numbers, Numbers]:
        """Return the first forms of blocks after the update, as positions of keys and slots."""
        limit = blocking.MAX_COMPARED_PER_BLOCK
        low, high = self._gone_blocks.ranges(keys)
        which, forms = self._before.blocks.first(keys, limit + (high - low))
        stays = ~self._is_gone[forms]
        low, high = self._new_blocks.ranges(keys)
        more, places = expand_ranges(low, high)
        which = np.concatenate((which[stays], more))
        slots = np.concatenate((forms[stays].astype(np.int64), self._new_blocks.forms[places]))
        order = np.lexsort((self._number[slots], which))
        which, slots = which[order], slots[order]
        rank = np.arange(len(which)) - np.searchsorted(which, which, "left")
        return which[rank < limit], slots[rank < limit]

    def _links(self) -> tuple[tuple[Numbers, Numbers], Numbers, Numbers]:
        """Return new links between slots, broken components, and forms that became first."""
        keys = np.unique(np.concatenate((self._new_blocks.keys, self._gone_blocks.keys)))
        size = len(self._number)
        which_before, before = self._first_before(keys)
        which, slots = self._first_of(keys)
        old_codes, new_codes = which_before * size + before, which * size + slots
        left = before[~is_among(old_codes, new_codes)]
        came = ~is_among(new_codes, old_codes)
        promoted = np.unique(slots[came & (slots < self._old)])
        broken = np.unique(self._before.component[np.union1d(left, self._gone)]).astype(np.int64)
        # Every form that comes with the first of its blocks.
        starts = np.searchsorted(which, np.arange(len(keys) + 1))
        block = np.searchsorted(keys, self._new_blocks.keys)
        entry, places = expand_ranges(starts[block], starts[block + 1])
        pairs = [(self._new_blocks.forms[entry].astype(np.int64), slots[places])]
        # Every form that becomes one of the first with the rest of its block. A form that was
        # appended has none behind it that has not been paired with it above.
        last = self._number[: self._old][~self._is_gone].max(initial=-1)
        ahead = np.flatnonzero((came | (self._is_gone_slot(slots))) & (self._number[slots] < last))
        low, high = self._before.blocks.ranges(keys[which[ahead]])
        one, places = expand_ranges(low, high)
        rest = self._before.blocks.forms[places].astype(np.int64)
        stays = ~self._is_gone[rest]
        pairs.append((slots[ahead][one][stays], rest[stays]))
        # Links within components that may have fallen apart.
        inside = np.isin(self._before.component, broken) & ~self._is_gone
        pairs.append(self._pairs_within(np.flatnonzero(inside)))
        return self._linked(pairs), broken, promoted

    def _is_gone_slot(self, slots: Numbers) -> Flags:
        """Return which slots are those of new forms, or of forms that have another place now."""
        found = np.ones(len(self._number), bool)
        found[: self._old] = self._is_gone
        return found[slots]

    def _pairs_within(self, slots: Numbers) -> tuple[Numbers, Numbers]:
        """Return the pairs of some stable forms of which one is among the first of a block."""
        keys, forms = entries_of(slots, self._before.vectors.keys[slots])
        distinct = np.unique(keys)
        which, first = self._first_of(distinct)
        inside = np.isin(first, slots)
        which, first = which[inside], first[inside]
        starts = np.searchsorted(which, np.arange(len(distinct) + 1))
        block = np.searchsorted(distinct, keys)
        entry, places = expand_ranges(starts[block], starts[block + 1])
        return forms[entry], first[places]

    def _linked(self, pairs: Sequence[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
        """Return those of some pairs of slots whose score is positive."""
        one = np.concatenate([a for a, _ in pairs])
        two = np.concatenate([b for _, b in pairs])
        low, high = np.minimum(one, two), np.maximum(one, two)
        one, two = unpack_pairs((low << 32 | high)[low < high])
        used, i, j = compact_pairs(one, two)
        scores = score_pairs(self._gather(used), i, j, separate_versions=self._separate_versions)
        return one[scores > 0], two[scores > 0]

    # Components

    def _components(self, linked: tuple[Numbers, Numbers], broken: Numbers) -> Numbers:
        """Return the component of each slot: the slot of its first form."""
        slots = len(self._number)
        # A component that is whole is one node; other forms are a node each.
        node = slots + np.arange(slots)
        whole = ~np.isin(self._before.component, broken)
        node[: self._old][whole] = self._before.component[whole]
        ends = (node[linked[0]], node[linked[1]])
        graph = sparse.coo_matrix((np.ones(len(ends[0]), bool), ends), (2 * slots, 2 * slots))
        _, labels = connected_components(graph, directed=False)
        label = labels[node].astype(np.int64)
        first = np.zeros(label.max(initial=-1) + 1, np.int64)
        first[label[self._order[::-1]]] = self._order[::-1]
        return np.asarray(first[label])

    def _changed_components(
        self, broken: Numbers, promoted: Numbers, forms_before: NDArray[Any], place: Numbers
    ) -> Numbers:
        """Return the components to cluster again, by their labels."""
        changed = np.zeros(len(self._number), bool)
        changed[self._unstable] = True
        changed[promoted] = True
        changed[: self._old][np.isin(self._before.component, broken)] = True
        changed[self._number < 0] = False
        left = forms_before[place < 0]
        changed[left[self._number[left] >= 0]] = True
        return np.union1d(np.unique(self._label[changed]), self._listed_twice())

    def _listed_twice(self) -> Numbers:
        """Return the components that have two forms of a list with new entries.

        A list that has a single form of a component holds nothing apart there.
        """
        listed = self._sources >= 0
        extended = np.unique(self._sources[listed & self._is_new_reference])
        entries = np.flatnonzero(listed & np.isin(self._sources, extended))
        slots = self._slot_of[entries]
        rows = np.stack((self._label[slots], self._sources[entries], slots), axis=1)
        rows = np.unique(rows, axis=0)[:, :2]
        return np.unique(rows[1:, 0][(rows[1:] == rows[:-1]).all(axis=1)])

    def _cluster(self, components: Numbers) -> Numbers:
        """Return the work of each slot, by the slot of its first form."""
        slots = len(self._number)
        work = np.arange(slots)
        work[: self._old] = self._before.work
        chosen = np.zeros(slots, bool)
        chosen[components] = True
        chosen = chosen[self._label] & (self._number >= 0)
        members = self._order[chosen[self._order]]
        work[members] = members
        local = np.full(slots, -1)
        local[members] = np.arange(len(members))
        label = local[self._label[members]]
        order = np.argsort(label, kind="stable")
        starts = np.flatnonzero(np.diff(label[order], prepend=-1))
        groups = [each for each in np.split(order, starts[1:]) if len(each) > 1]
        if groups:
            clustering = self._clustering(members, local)
            clustering.cluster(groups)
            work[members] = members[clustering.works_of_forms()]
        return work

    def _clustering(self, members: Numbers, local: Numbers) -> ComponentClustering:
        """Return the clustering of some forms, numbered by their order."""
        vectors = self._gather(members)
        keys = np.unique(vectors.keys[vectors.keys > 0])
        which, slots = self._first_of(keys)
        inside = local[slots] >= 0
        blocks = BlockingIndex.of_first(keys[which[inside]], local[slots[inside]])
        listed = np.flatnonzero((self._sources >= 0) & (local[self._slot_of] >= 0))
        lists = SourceLists()
        lists.add(local[self._slot_of[listed]], self._sources[listed])
        digests = np.empty(len(members), "S16")
        is_new = members >= self._old
        digests[~is_new] = self._before.digests[members[~is_new]]
        digests[is_new] = self._digests_of_new()[members[is_new] - self._old]
        return ComponentClustering.of(
            vectors, digests, blocks, lists, separate_versions=self._separate_versions
        )
