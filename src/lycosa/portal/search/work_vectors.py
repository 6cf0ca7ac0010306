"""Work vectors: computed when an index is built, by one of two encoders.

Both read the same of a work: its title, its abstract and, if that is short, the
opening of its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Protocol, TypeVar

import numpy as np
from tantivy import Document

from lycosa.portal.search.analysis import Analysis
from lycosa.portal.search.encoders import LATENT, LatentEncoder, SentenceEncoder
from lycosa.portal.search.latent_semantics import MAX_SAMPLE, Bag, LatentSpace
from lycosa.portal.search.layout import PreparedEntry, bag_of_document, opening_of_document
from lycosa.portal.search.meaning import Meaning
from lycosa.portal.search.sentence_encoder import MODEL, WorkEncoder
from lycosa.portal.search.vectors import Numbers, VectorTable, pack
from lycosa.processes import in_batches

GROWTH: Final = 1.5
"""A space is learned again when there are so many times more works than it was learned from."""
_FOLDED_AT_ONCE = 10_000

Source = TypeVar("Source")
"""What the vector of a work is computed from."""
Yielded_co = TypeVar("Yielded_co", covariant=True)


class EverySource(Protocol[Yielded_co]):
    """Yields the numbers of works and what their vectors are computed from."""

    def __call__(
        self, chosen: Callable[[int], bool] | None = None
    ) -> Iterator[tuple[int, Yielded_co]]:
        """Yield all works, or those whose numbers are `chosen`."""


class WorkVectors(Protocol[Source]):
    """Computes the vectors of works."""

    @property
    def name(self) -> str:
        """Of the encoder."""

    def of_entry(self, entry: PreparedEntry) -> Source | None:
        """Return what the vector of a new work is computed from; None if it keeps its vector."""

    def of_document(self, document: Document, analysis: Analysis) -> Source:
        """Return what the vector of a work is computed from, from what the index stores of it."""

    def updated(
        self,
        known: Meaning,
        added: Mapping[int, Source] | None,
        removed: Numbers,
        works: int,
        every: EverySource[Source],
    ) -> Meaning:
        """Return the state after a commit.

        `known` is the state before it, `added` are new and changed works by their
        numbers, None if they are too many; `removed` are numbers of others, and
        `works` is how many there are now. `every` yields all of them, and is called only
        if all vectors are new; it may be called twice.
        """


class LatentVectors:
    """Vectors in a space that is learned from the works themselves.

    New works are folded into the space; when their number has grown by half, the
    space is learned again.
    """

    name = LATENT

    def of_entry(self, entry: PreparedEntry) -> Bag | None:
        """Return the terms of a new work."""
        return entry.bag

    def of_document(self, document: Document, analysis: Analysis) -> Bag:
        """Return the terms of a work of the index."""
        return bag_of_document(document, analysis)

    def updated(
        self,
        known: Meaning,
        added: Mapping[int, Bag] | None,
        removed: Numbers,
        works: int,
        every: EverySource[Bag],
    ) -> Meaning:
        """Fold new works into the space, or learn it again."""
        if not isinstance(known.encoder, LatentEncoder):
            return self._learned(every, works)
        space = known.encoder.space
        before = max(space.works, 1)
        if works > GROWTH * before or before > GROWTH * works or not space.dimensions:
            return self._learned(every, works)
        if added is None:
            return _folded(space, every)
        rows = space.fold([*added.values()])
        return Meaning(known.encoder, known.table.changed(removed, _numbers(added), rows))

    def _learned(self, every: EverySource[Bag], works: int) -> Meaning:
        # By number, which is a hash: a sample that does not depend on the order of indexing.
        sample: dict[int, Bag] = {}
        greatest = 2**64

        def may_be_sampled(number: int) -> bool:
            return number < greatest

        for key, bag in every(may_be_sampled):
            sample[key] = bag
            if len(sample) > 2 * MAX_SAMPLE:
                sample = {n: sample[n] for n in sorted(sample)[:MAX_SAMPLE]}
                greatest = max(sample)
        least = sorted(sample)[:MAX_SAMPLE]
        return _folded(LatentSpace.fit([sample[n] for n in least], works), every)


def _folded(space: LatentSpace, every: EverySource[Bag]) -> Meaning:
    """Return a space with the vectors of all works in it."""
    numbers = [np.empty(0, np.uint64)]
    rows = [np.empty((0, space.dimensions), np.int8)]
    for some in in_batches(every(), _FOLDED_AT_ONCE):
        numbers.append(_numbers(dict(some)))
        rows.append(pack(space.fold([bag for _, bag in some])))
    return Meaning(
        LatentEncoder(space), VectorTable.of(np.concatenate(numbers), np.concatenate(rows))
    )


class SentenceVectors:
    """Vectors by a sentence encoder, which `works` runs."""

    name = MODEL

    def __init__(self, works: WorkEncoder) -> None:
        self._works = works

    def of_entry(self, entry: PreparedEntry) -> str | None:
        """Return the opening of a new work."""
        return None if entry.bag is None else opening_of_document(entry.document)

    def of_document(self, document: Document, analysis: Analysis) -> str:
        """Return the opening of a work of the index."""
        return opening_of_document(document)

    def updated(
        self,
        known: Meaning,
        added: Mapping[int, str] | None,
        removed: Numbers,
        works: int,
        every: EverySource[str],
    ) -> Meaning:
        """Encode new works; all, if the vectors are those of another encoder."""
        if isinstance(known.encoder, SentenceEncoder) and added is not None:
            rows = self._works.encode(added)
            table = known.table.changed(removed, _numbers(added), rows)
            if table.has_stale_groups:
                table = VectorTable.of(table.numbers, table.rows)
        else:
            texts = dict(every())
            table = VectorTable.of(_numbers(texts), self._works.encode(texts))
        self._works.forget_others(table.numbers.tolist())
        return Meaning(SentenceEncoder(), table)


def _numbers(works: Mapping[int, object]) -> Numbers:
    return np.fromiter(works, np.uint64, len(works))
