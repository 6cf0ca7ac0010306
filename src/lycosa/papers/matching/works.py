"""References with their fields, grouped into works."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from lycosa.errors import UsageError
from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.canonical_record import canonical_record
from lycosa.papers.matching.matcher import BATCH_REFERENCES, ReferenceMatcher
from lycosa.papers.matching.normal_form import MAX_FIELD_CHARACTERS
from lycosa.papers.matching.similarity import Similarity, explain_pair

_MARK, _GAP = "\x1e", "\x1f"

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class MatchExplanation:
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


class Works(ReferenceMatcher):
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

    def __init__(self, *, separate_versions: bool = False) -> None:
        super().__init__(separate_versions=separate_versions)
        self._texts: list[bytes] = []  # the fields of each reference

    def add(self, reference: Mapping[str, str]) -> int:
        """Add one reference: the number of its work."""
        return int(self.add_many([reference])[0])

    def add_many(self, references: Iterable[Mapping[str, str]]) -> NDArray[np.int32]:
        """Add many references: the numbers of their works when all are in."""
        start = len(self)
        self.match(self._portions(references))
        return self._works_of(self._form_of[start : len(self)])

    def _portions(self, references: Iterable[Mapping[str, str]]) -> Iterator[ReferenceBatch]:
        waiting = iter(references)
        while batch := list(islice(waiting, BATCH_REFERENCES)):
            self._texts += map(_text, batch)
            yield ReferenceBatch.from_references(batch)

    def work_of(self, reference: int) -> int:
        """The work of a reference, as known now."""
        return int(self._works_of(self._form_of[[self._known(reference)]])[0])

    def members(self, work: int) -> list[int]:
        """The references of a work, by the number of any of them."""
        mine = np.isin(self._form_of[: len(self)], self._forms_with(work))
        return [int(n) for n in np.flatnonzero(mine)]

    def record(self, work: int) -> dict[str, str]:
        """The canonical record of a work, by the number of any of its references."""
        return canonical_record(_fields(self._texts[n]) for n in self.members(work))

    def records(self) -> Iterator[tuple[int, dict[str, str]]]:
        """The number and the canonical record of every work, in order."""
        works = self.works()
        order = np.argsort(works, kind="stable")
        starts = np.flatnonzero(np.diff(works[order], prepend=-1))
        for members in np.split(order, starts[1:]) if len(self) else ():
            yield int(members[0]), canonical_record(_fields(self._texts[n]) for n in members)

    def why(self, one: int, two: int) -> MatchExplanation:
        """Why two references are, or are not, one work."""
        a, b = (int(self._form_of[self._known(number)]) for number in (one, two))
        found = explain_pair(self._sketches, a, b, separate_versions=self._separate_versions)
        if self._work[a] != self._work[b]:
            return MatchExplanation(False, found, ())
        if a == b:
            return MatchExplanation(
                True, found, ((one, 0.0), (two, found.score)) if one != two else ()
            )
        path = [(int(self._first[n]), score) for n, score in self._path(a, b)]
        path[0], path[-1] = (one, 0.0), (two, path[-1][1])
        return MatchExplanation(True, found, tuple(path))

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
    items = [f"{name}{_GAP}{str(text)[:MAX_FIELD_CHARACTERS]}" for name, text in reference.items()]
    return _MARK.join(items).encode("utf-8", "replace")


def _fields(text: bytes) -> dict[str, str]:
    items = (item.partition(_GAP) for item in text.decode().split(_MARK))
    return {name: value for name, _, value in items}
