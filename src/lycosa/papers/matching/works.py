"""Works: matched references with their canonical records, and why they match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import islice, repeat

import numpy as np
from numpy.typing import NDArray

from lycosa.errors import UsageError
from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.canonical_record import canonical_record
from lycosa.papers.matching.matcher import BATCH_REFERENCES, ReferenceMatcher
from lycosa.papers.matching.normal_form import MAX_FIELD_CHARACTERS
from lycosa.papers.matching.similarity import Similarity, explain_pair

_RECORD_SEPARATOR, _UNIT_SEPARATOR = "\x1e", "\x1f"

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class MatchExplanation:
    """The explanation why two references are, or are not, one work."""

    same: bool
    """Whether they are one work."""
    similarity: Similarity
    """The direct comparison; a chain of others can join two references whose own score is
    negative."""
    path: tuple[tuple[int, float], ...]
    """The strongest chain of references from one to the other, each with the score of the link
    that leads to it; empty for different works."""
    listed_apart: bool = False
    """Whether they are different works and a list of references has both."""

    def __str__(self) -> str:
        verdict = "one work" if self.same else "different works"
        verdict += " in one list of references" * self.listed_apart
        steps = [f"{number} ({score:+.1f})" for number, score in self.path[1:]]
        links = [" -> ".join([str(self.path[0][0]), *steps])] if steps else []
        return "\n".join([f"{verdict}; {self.similarity}", *links])


class Works(ReferenceMatcher):
    """References with their fields, grouped into works.

    The number that `add` returns can change when more references are added.

    Parameters
    ----------
    separate_versions
        Whether report, meeting and journal version of a paper are different works, as
        people cite them.

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

    def __init__(self, *, separate_versions: bool = True) -> None:
        super().__init__(separate_versions=separate_versions)
        self._texts: list[bytes] = []  # the fields of each reference

    def add(self, reference: Mapping[str, str]) -> int:
        """Add one reference and return the number of its work."""
        return int(self.add_many([reference])[0])

    def add_many(
        self, references: Iterable[Mapping[str, str]], sources: Iterable[int] | None = None
    ) -> NDArray[np.int32]:
        """Add many references and return the numbers of their works after the last.

        `sources` has a number for each: that of the list in which it stands, or -1. Two entries
        of a list are two works, unless they are copies or have the same identifier.
        """
        start = len(self)
        self.match(self._batches(references, repeat(-1) if sources is None else sources))
        return self._works_of(self._form_of[start : len(self)])

    def _batches(
        self, references: Iterable[Mapping[str, str]], sources: Iterable[int]
    ) -> Iterator[ReferenceBatch]:
        remaining, listed = iter(references), iter(sources)
        while batch := list(islice(remaining, BATCH_REFERENCES)):
            prepared = ReferenceBatch.from_references(batch, list(islice(listed, len(batch))))
            self._texts += map(_pack, batch)
            yield prepared

    def work_of(self, reference: int) -> int:
        """Return the current work of a reference."""
        return int(self._works_of(self._form_of[[self._check(reference)]])[0])

    def members(self, work: int) -> list[int]:
        """Return the references of a work, given the number of any of them."""
        members = np.isin(self._form_of[: len(self)], self._forms_with(work))
        return [int(n) for n in np.flatnonzero(members)]

    def fields(self, reference: int) -> dict[str, str]:
        """Return the fields of a reference."""
        return _unpack(self._texts[self._check(reference)])

    def record(self, work: int) -> dict[str, str]:
        """Return the canonical record of a work, given the number of any of its references."""
        return canonical_record(_unpack(self._texts[n]) for n in self.members(work))

    def records(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the number and the canonical record of every work, in order."""
        works = self.works()
        order = np.argsort(works, kind="stable")
        starts = np.flatnonzero(np.diff(works[order], prepend=-1))
        for members in np.split(order, starts[1:]) if len(self) else ():
            yield int(members[0]), canonical_record(_unpack(self._texts[n]) for n in members)

    def why(self, one: int, two: int) -> MatchExplanation:
        """Explain why two references are, or are not, one work."""
        a, b = (int(self._form_of[self._check(number)]) for number in (one, two))
        found = explain_pair(
            self._vectors,
            a,
            b,
            separate_versions=self._separate_versions,
            recurrence=self._recurrence,
        )
        if self._work[a] != self._work[b]:
            return MatchExplanation(False, found, (), self._share_a_list(a, b))
        if a == b:
            return MatchExplanation(
                True, found, ((one, 0.0), (two, found.score)) if one != two else ()
            )
        path = [(int(self._first[n]), score) for n, score in self._path(a, b)]
        path[0], path[-1] = (one, 0.0), (two, path[-1][1])
        return MatchExplanation(True, found, tuple(path))

    @property
    def nbytes(self) -> int:
        """The size of arrays and texts in bytes, without the dictionary of forms."""
        return super().nbytes + sum(map(len, self._texts)) + 41 * len(self._texts)

    def _check(self, reference: int) -> int:
        if not 0 <= reference < len(self):
            raise UsageError(
                f"There is no reference {reference}; references are numbered from 0 as they are "
                f"added, and there are {len(self)}."
            )
        return reference

    def _share_a_list(self, one: int, two: int) -> bool:
        places, sources = self._sources.find(np.array([one, two]))
        return not set(sources[places == 0].tolist()).isdisjoint(sources[places == 1].tolist())

    def _forms_with(self, reference: int) -> Numbers:
        form = int(self._form_of[self._check(reference)])
        component = self._components.members(form)
        return np.asarray(component[self._work[component] == self._work[form]])

    def _path(self, one: int, two: int) -> list[tuple[int, float]]:
        """Return the chain of links with the strongest weakest link, within the work of both."""
        component = self._components.members(one)
        forms = component[self._work[component] == self._work[one]]
        i, j = self._pairs([forms], forms, np.zeros(len(forms), np.int64))
        near: dict[int, list[tuple[int, float]]] = {}
        for a, b, score in zip(i.tolist(), j.tolist(), self._scores(i, j).tolist(), strict=True):
            near.setdefault(a, []).append((b, score))
            near.setdefault(b, []).append((a, score))
        reached: dict[int, tuple[int, float]] = {}
        heap = [(-np.inf, one, one, 0.0)]
        while heap:
            weakest, here, source, score = heappop(heap)
            if here in reached:
                continue
            reached[here] = (source, score)
            if here == two:
                break
            for other, link in near.get(here, ()):
                if other not in reached:
                    heappush(heap, (max(weakest, -link), other, here, link))
        path = [(two, reached[two][1])]
        while path[-1][0] != one:
            source = reached[path[-1][0]][0]
            path.append((source, reached[source][1]))
        return path[::-1]


def _pack(reference: Mapping[str, str]) -> bytes:
    """Pack the fields into one string, which takes a quarter of the memory of a mapping."""
    items = [
        f"{name}{_UNIT_SEPARATOR}{str(text)[:MAX_FIELD_CHARACTERS]}"
        for name, text in reference.items()
    ]
    return _RECORD_SEPARATOR.join(items).encode("utf-8", "replace")


def _unpack(text: bytes) -> dict[str, str]:
    items = (item.partition(_UNIT_SEPARATOR) for item in text.decode().split(_RECORD_SEPARATOR))
    return {name: value for name, _, value in items}
