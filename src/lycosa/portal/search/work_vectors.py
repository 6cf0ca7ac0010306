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
from lycosa.portal.search.vectors import Numbers, VectorTable

GROWTH: Final = 1.5
"""A space is learned again when there are so many times more works than it was learned from."""
_FOLDED_AT_ONCE = 10_000

Source = TypeVar("Source")
"""What the vector of a work is computed from."""
EverySource = Callable[[], Iterator[tuple[int, Source]]]


class WorkVectors(Protocol[Source]):
    """Computes the vectors of works."""

    @property
    def name(self) -> str:
        """Of the encoder."""

    def of_entry(self, entry: PreparedEntry) -> Source:
        """Return what the vector of a new work is computed from."""

    def of_document(self, document: Document, analysis: Analysis) -> Source:
        """Return what the vector of a work is computed from, from what the index stores of it."""

    def updated(
        self,
        known: Meaning,
        added: Mapping[int, Source],
        removed: Numbers,
        works: int,
        every: EverySource[Source],
    ) -> Meaning:
        """Return the state after a commit.

        `known` is the state before it, `added` are new and changed works by their
        numbers, `removed` numbers of others, and `works` how many there are now;
        `every` yields all of them, and is called only if all vectors are new.
        """


class LatentVectors:
    """Vectors in a space that is learned from the works themselves.

    New works are folded into the space; when their number has grown by half, the
    space is learned again.
    """

    name = LATENT

    def of_entry(self, entry: PreparedEntry) -> Bag:
        """Return the terms of a new work."""
        return entry.bag

    def of_document(self, document: Document, analysis: Analysis) -> Bag:
        """Return the terms of a work of the index."""
        return bag_of_document(document, analysis)

    def updated(
        self,
        known: Meaning,
        added: Mapping[int, Bag],
        removed: Numbers,
        works: int,
        every: EverySource[Bag],
    ) -> Meaning:
        """Fold new works into the space, or learn it again."""
        if not isinstance(known.encoder, LatentEncoder):
            return self._learned(dict(every()))
        space = known.encoder.space
        before = max(space.works, 1)
        if works > GROWTH * before or before > GROWTH * works or not space.dimensions:
            return self._learned(dict(every()))
        rows = space.fold([*added.values()])
        return Meaning(known.encoder, known.table.changed(removed, _numbers(added), rows))

    def _learned(self, bags: Mapping[int, Bag]) -> Meaning:
        # By number, which is a hash: a sample that does not depend on the order of indexing.
        sample = [bags[number] for number in sorted(bags)[:MAX_SAMPLE]]
        space = LatentSpace.fit(sample, len(bags))
        all_bags = [*bags.values()]
        starts = range(0, max(len(all_bags), 1), _FOLDED_AT_ONCE)
        rows = [space.fold(all_bags[start : start + _FOLDED_AT_ONCE]) for start in starts]
        return Meaning(LatentEncoder(space), VectorTable.of(_numbers(bags), np.concatenate(rows)))


class SentenceVectors:
    """Vectors by a sentence encoder, which `works` runs."""

    name = MODEL

    def __init__(self, works: WorkEncoder) -> None:
        self._works = works

    def of_entry(self, entry: PreparedEntry) -> str:
        """Return the opening of a new work."""
        return opening_of_document(entry.document)

    def of_document(self, document: Document, analysis: Analysis) -> str:
        """Return the opening of a work of the index."""
        return opening_of_document(document)

    def updated(
        self,
        known: Meaning,
        added: Mapping[int, str],
        removed: Numbers,
        works: int,
        every: EverySource[str],
    ) -> Meaning:
        """Encode new works; all, if the vectors are those of another encoder."""
        if isinstance(known.encoder, SentenceEncoder):
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
