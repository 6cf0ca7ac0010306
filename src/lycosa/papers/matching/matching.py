"""References and papers grouped into works (McCallum et al. 1999).

1. Every reference is brought into its normal form; equal forms are one.
2. Forms that share a key are compared (`blocks`), a bounded number each.
3. Pairs with a positive score (`similarity`) link forms into components.
4. Within a component more pairs are compared, and positive and negative scores
   decide together which forms are one work (`contraction`).

A component is settled anew whenever a form joins it, so what was decided early
on too little evidence does not stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import compress, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.errors import UsageError
from lycosa.papers.matching.blocks import Blocks, unpacked
from lycosa.papers.matching.components import Components
from lycosa.papers.matching.contraction import contract
from lycosa.papers.matching.forms import LONGEST
from lycosa.papers.matching.portions import Portion
from lycosa.papers.matching.records import vote
from lycosa.papers.matching.similarity import Similarity, explained, scores
from lycosa.papers.matching.sketches import Sketches

_BATCH = 20_000  # references at a time: some hundred megabytes of pairs
_WITNESSES = 32  # of a component, that each of its forms is compared with
_FINE = 16  # a score of one is so many whole units
_SURE = 8.0  # no pair is more certain than that
_MARK, _GAP = "\x1e", "\x1f"

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Why:
    """Why two references are, or are not, one work."""

    same: bool
    similarity: Similarity
    path: tuple[tuple[int, float], ...]
    """References from the one to the other, each with the score of the link that leads to it;
    links as strong as possible."""

    def __str__(self) -> str:
        said = "one work" if self.same else "different works"
        steps = [f"{number} ({score:+.1f})" for number, score in self.path[1:]]
        links = [" -> ".join([str(self.path[0][0]), *steps])] if steps else []
        return "\n".join([f"{said}; {self.similarity}", *links])


class Matching:
    """Portions of references so far, and the works they are of.

    References are numbered as they come. A work is known by the number of its
    first reference. Works may join and part as more references arrive.

    A paper in all its versions, report, meeting and journal, is one work; with
    `apart` every version is a work of its own.

    In which portions references are added makes no difference at all. In which
    order makes none either as long as no key is shared by more than
    `blocks.PILLARS` forms; beyond that, the first of them stand for the others.

    >>> matching = Matching()
    >>> matching.match([Portion.of([{"title": "On spiders"}, {"title": "On flies"}])])
    >>> matching.match([Portion.of([{"title": "on spiders."}])])
    >>> matching.works().tolist()
    [0, 1, 0]
    """

    def __init__(self, *, apart: bool = False) -> None:
        self._apart = apart
        self._count = 0
        self._forms: dict[bytes, int] = {}
        self._digests = np.empty(0, "S16")
        self._sketches = Sketches.empty()
        self._blocks = Blocks()
        self._components = Components()
        self._form_of = np.empty(0, np.int32)
        self._first = np.empty(0, np.int32)  # the first reference of each form
        self._work = np.empty(0, np.int32)  # of each form: the first form of its work

    def __len__(self) -> int:
        """How many references there are."""
        return self._count

    def match(self, portions: Iterable[Portion]) -> None:
        """Add references."""
        start = len(self._forms)
        for portion in portions:
            self._take(portion)
            if len(self._forms) - start >= _BATCH:
                self._link(start)
                start = len(self._forms)
        self._link(start)
        self._settle()

    def works(self) -> NDArray[np.int32]:
        """For each reference the number of its work."""
        return self._works_of(self._form_of[: len(self)])

    @property
    def nbytes(self) -> int:
        """The memory of the arrays, without that of the dictionary of forms."""
        return self._sketches.nbytes + self._blocks.nbytes + self._digests.nbytes

    def _works_of(self, forms: NDArray[np.int32]) -> NDArray[np.int32]:
        return self._first[self._work[forms]]

    def _take(self, portion: Portion) -> None:
        """Find the numbers of the forms of some references."""
        start, old, forms = len(self._forms), self._count, self._forms
        numbers = np.array([forms.setdefault(d, len(forms)) for d in portion.digests], np.int32)
        self._count += len(portion)
        self._make_room(len(forms), self._count)
        self._form_of[old : self._count] = numbers[portion.forms]
        new = numbers >= start
        _, firsts = np.unique(portion.forms, return_index=True)
        self._first[numbers[new]] = old + firsts[new]
        self._digests[numbers[new]] = list(compress(portion.digests, new))
        self._work[numbers[new]] = numbers[new]
        self._sketches.put(start, portion.sketches, new)

    def _link(self, start: int) -> None:
        """Find what the forms from a number on are like."""
        count = len(self._forms)
        if count == start:
            return
        newer, older = self._blocks.add(start, self._sketches.keys[start:count])
        linked = self._scores(newer, older) > 0
        self._components.join(count, newer[linked], older[linked])

    def _make_room(self, forms: int, references: int) -> None:
        if forms > len(self._work):
            room = forms + forms // 2
            self._sketches = self._sketches.grown(room)
            for name in ("_digests", "_first", "_work"):
                setattr(self, name, _grown(getattr(self, name), room))
        if references > len(self._form_of):
            self._form_of = _grown(self._form_of, references + references // 2)

    def _settle(self) -> None:
        """Decide anew about the components that have changed."""
        few: list[Numbers] = []
        waiting = 0
        for forms in self._components.changed():
            few.append(forms)
            waiting += len(forms)
            if waiting >= _BATCH:
                self._decide(few)
                few, waiting = [], 0
        if few:
            self._decide(few)

    def _decide(self, components: Sequence[Numbers]) -> None:
        """Part some components into works, and the parts again while that parts them further.

        In a large component many pairs were not compared, so its parts may hold
        what nothing but a chain of links brought together. A part has witnesses of
        its own, which find that out.
        """
        while components:
            components = self._part(components)

    def _part(self, components: Sequence[Numbers]) -> list[Numbers]:
        """Part some components, many at once for speed: which parts to look at again."""
        again: list[Numbers] = []
        every = np.concatenate(components)
        owner = np.repeat(np.arange(len(components)), [len(forms) for forms in components])
        i, j = self._pairs(components, every, owner)
        weights = np.rint(np.clip(self._scores(i, j), -_SURE, _SURE) * _FINE).astype(np.int64)
        place = np.empty(len(self._forms), np.int64)  # where a form stands in `every`
        place[every] = np.arange(len(every))
        which = owner[place[i]]
        order = np.argsort(which, kind="stable")
        bounds = np.searchsorted(which[order], np.arange(len(components) + 1))
        torn = np.zeros(len(components), bool)
        torn[which[weights < 0]] = True
        for k, forms in enumerate(components):
            if not torn[k]:
                self._work[forms] = forms.min()
                continue
            mine = order[bounds[k] : bounds[k + 1]]
            ranked = forms[np.argsort(self._digests[forms], kind="stable")]
            place[ranked] = np.arange(len(ranked))
            triples = np.stack((place[i[mine]], place[j[mine]], weights[mine]), axis=1)
            clusters = np.array(contract(len(ranked), triples.tolist()))
            least = np.full(len(ranked), len(self._forms))
            np.minimum.at(least, clusters, ranked)
            self._work[ranked] = least[clusters]
            if len(ranked) > _WITNESSES and clusters.any():
                order_of = np.argsort(clusters, kind="stable")
                starts = np.flatnonzero(np.diff(clusters[order_of]))
                parts = np.split(ranked[order_of], starts + 1)
                again += [np.sort(part) for part in parts if len(part) > 2]
        return again

    def _pairs(
        self, components: Sequence[Numbers], every: Numbers, owner: Numbers
    ) -> tuple[Numbers, Numbers]:
        """Pairs within each component: those that share a key, and all with some witnesses.

        Witnesses are the forms with the least digests: a sample that does not
        depend on the order of arrival.
        """
        newer, older = self._blocks.among(every, self._sketches.keys[every])
        label = np.full(len(self._forms), -1, np.int64)
        label[every] = owner
        inside = label[newer] == label[older]
        both = [np.stack((newer[inside], older[inside]))]
        for forms in components:
            chosen = forms[np.argsort(self._digests[forms], kind="stable")[:_WITNESSES]]
            both.append(np.stack((np.tile(forms, len(chosen)), np.repeat(chosen, len(forms)))))
        pairs = np.concatenate(both, axis=1)
        low, high = pairs.min(axis=0), pairs.max(axis=0)
        return unpacked((low << 32 | high)[low < high])

    def _scores(self, i: Numbers, j: Numbers) -> NDArray[np.float32]:
        return scores(self._sketches, i, j, apart=self._apart)


class Works(Matching):
    """References with their fields, and the records of their works.

    What `add` said is what was known then.

    >>> works = Works()
    >>> works.add({"authors": "R. Schapire", "title": "The strength of weak learnability"})
    0
    >>> works.add({"authors": "Y. Freund", "title": "Boosting a weak learner by majority"})
    1
    >>> works.add({"authors": "Schapire, Robert E.", "title": "Strength of weak learnabilty",
    ...            "year": "1990"})
    0
    >>> works.members(0), works.record(0)["year"]
    ([0, 2], '1990')
    >>> print(works.why(0, 2))                                        # doctest: +ELLIPSIS
    one work; score +...
    0 -> 2 (+...)
    """

    def __init__(self, *, apart: bool = False) -> None:
        super().__init__(apart=apart)
        self._texts: list[bytes] = []  # the fields of each reference

    def add(self, reference: Mapping[str, str]) -> int:
        """Add one reference: the number of its work."""
        return int(self.add_many([reference])[0])

    def add_many(self, references: Iterable[Mapping[str, str]]) -> NDArray[np.int32]:
        """Add many references: the numbers of their works when all are in."""
        start = len(self)
        self.match(self._portions(references))
        return self._works_of(self._form_of[start : len(self)])

    def _portions(self, references: Iterable[Mapping[str, str]]) -> Iterator[Portion]:
        waiting = iter(references)
        while batch := list(islice(waiting, _BATCH)):
            self._texts += map(_text, batch)
            yield Portion.of(batch)

    def work_of(self, reference: int) -> int:
        """The work of a reference, as known now."""
        return int(self._works_of(self._form_of[[self._known(reference)]])[0])

    def members(self, work: int) -> list[int]:
        """The references of a work, by the number of any of them."""
        mine = np.isin(self._form_of[: len(self)], self._forms_with(work))
        return [int(n) for n in np.flatnonzero(mine)]

    def record(self, work: int) -> dict[str, str]:
        """The canonical record of a work, by the number of any of its references."""
        return vote(_fields(self._texts[n]) for n in self.members(work))

    def records(self) -> Iterator[tuple[int, dict[str, str]]]:
        """The number and the canonical record of every work, in order."""
        works = self.works()
        order = np.argsort(works, kind="stable")
        starts = np.flatnonzero(np.diff(works[order], prepend=-1))
        for members in np.split(order, starts[1:]) if len(self) else ():
            yield int(members[0]), vote(_fields(self._texts[n]) for n in members)

    def why(self, one: int, two: int) -> Why:
        """Why two references are, or are not, one work."""
        a, b = (int(self._form_of[self._known(number)]) for number in (one, two))
        found = explained(self._sketches, a, b, apart=self._apart)
        if self._work[a] != self._work[b]:
            return Why(False, found, ())
        if a == b:
            return Why(True, found, ((one, 0.0), (two, found.score)) if one != two else ())
        path = [(int(self._first[n]), score) for n, score in self._path(a, b)]
        path[0], path[-1] = (one, 0.0), (two, path[-1][1])
        return Why(True, found, tuple(path))

    @property
    def nbytes(self) -> int:
        """The memory of the arrays and texts, without that of the dictionary of forms."""
        return super().nbytes + sum(map(len, self._texts)) + 41 * len(self._texts)

    def _known(self, reference: int) -> int:
        if not 0 <= reference < len(self):
            raise UsageError(
                f"There is no reference {reference}; references are numbered from 0 as they are "
                f"added, and there are {len(self)}."
            )
        return reference

    def _forms_with(self, reference: int) -> Numbers:
        mine = int(self._form_of[self._known(reference)])
        component = self._components.members(mine)
        return np.asarray(component[self._work[component] == self._work[mine]])

    def _path(self, one: int, two: int) -> list[tuple[int, float]]:
        """The chain of links whose weakest link is strongest, within the work of both."""
        component = self._components.members(one)
        forms = component[self._work[component] == self._work[one]]
        i, j = self._pairs([forms], forms, np.zeros(len(forms), np.int64))
        near: dict[int, list[tuple[int, float]]] = {}
        for a, b, score in zip(i.tolist(), j.tolist(), self._scores(i, j).tolist(), strict=True):
            near.setdefault(a, []).append((b, score))
            near.setdefault(b, []).append((a, score))
        came: dict[int, tuple[int, float]] = {}
        heap = [(-np.inf, one, one, 0.0)]
        while heap:
            weakest, here, source, score = heappop(heap)
            if here in came:
                continue
            came[here] = (source, score)
            if here == two:
                break
            for other, link in near.get(here, ()):
                if other not in came:
                    heappush(heap, (max(weakest, -link), other, here, link))
        path = [(two, came[two][1])]
        while path[-1][0] != one:
            source = came[path[-1][0]][0]
            path.append((source, came[source][1]))
        return path[::-1]


def _text(reference: Mapping[str, str]) -> bytes:
    """The fields in one string, which takes a quarter of the memory of a mapping."""
    items = [f"{name}{_GAP}{str(text)[:LONGEST]}" for name, text in reference.items()]
    return _MARK.join(items).encode("utf-8", "replace")


def _fields(text: bytes) -> dict[str, str]:
    items = (item.partition(_GAP) for item in text.decode().split(_MARK))
    return {name: value for name, _, value in items}


def _grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    more = np.zeros(size, array.dtype)
    more[: len(array)] = array
    return more
