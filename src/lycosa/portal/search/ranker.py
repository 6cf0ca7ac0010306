"""Ranker: the order of works by the free words of a query, in two stages.

The first stage finds the best works by BM25F: those with all words, then those
with some of them. The second scores only the best of these by everything else:
words in the title, neighbouring words, names and years, meaning, citations and
age (`Ranking`, `fusion`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tantivy import DocAddress, Occur, Query, Searcher

from lycosa.goals.syntax import Tree
from lycosa.portal.search.free_query import FreeQuery, all_of
from lycosa.portal.search.fusion import MAX_NEW_BY_MEANING, fusion_of
from lycosa.portal.search.layout import cited_by_of_key
from lycosa.portal.search.meaning import Meaning
from lycosa.portal.search.query import QueryBuilder
from lycosa.portal.search.ranking import Ranking
from lycosa.portal.search.vectors import Array, Numbers, has_vector, products

MAX_COMPARED_BY_MEANING = 200
"""Works near the query that are scored although the words have not found them."""
MAX_AGE = 30
"""Years after which age no longer counts."""
MAX_CITATIONS = 10_000
"""Citations beyond which more do not count."""
MAX_SCORE = 100.0
"""Bounds the sum of the parts; works with all words have so much more, exact ones twice."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the score of a work is made of, each a share of the best text score."""

    text: float
    meaning: float
    citations: float
    age: float
    complete: bool
    """Whether it has all words."""
    exact: bool = False
    """Whether the query is its title or its identifier."""
    by_meaning: bool = False
    """Whether it has none of the words."""

    @property
    def score(self) -> float:
        """The value that works are sorted by: exact ones, those with all words, the others."""
        parts = self.text + self.meaning + self.citations + self.age
        tier = 2 if self.exact else int(self.complete)
        return min(parts, MAX_SCORE - 1) + MAX_SCORE * tier


class RankedWork(NamedTuple):
    """A work in its place: its number, its score, its address, and what the score is made of.

    Works beyond the depth of the ranking have no signals.
    """

    number: int
    score: float
    address: DocAddress
    signals: Signals | None = None


@dataclass(frozen=True, slots=True)
class RankedWorks:
    """The best works for a query.

    `complete` is how many works have all words, and `by_meaning` how many of the
    list have none of them.
    """

    works: list[RankedWork] = field(default_factory=list)
    complete: int = 0
    by_meaning: int = 0


class _Candidates(NamedTuple):
    """The works of the first stage by their numbers, in order, and how many have all words."""

    addresses: dict[int, DocAddress]
    complete: int
    known_complete: frozenset[int]
    top: float


class Ranker:
    """Ranks the works of one snapshot of an index.

    `queries` and `meaning` belong to the snapshot of the searcher; `ranking` are the weights.
    """

    def __init__(
        self, searcher: Searcher, queries: QueryBuilder, meaning: Meaning, ranking: Ranking
    ) -> None:
        self._searcher = searcher
        self._queries = queries
        self._meaning = meaning
        self._ranking = ranking
        self._fusion = fusion_of(meaning.encoder, ranking)
        self._year = datetime.now(UTC).year

    def using(self, queries: QueryBuilder) -> Ranker:
        """Return a ranker that builds the conditions of queries with another builder."""
        ranker = copy(self)
        ranker._queries = queries
        return ranker

    @property
    def depth(self) -> int:
        """Works that all parts of the score are computed for."""
        return self._ranking.depth

    def rank(
        self,
        free: FreeQuery,
        text: str,
        conditions: Tree | None,
        filters: Mapping[str, Sequence[str]],
        exact: Query | None,
        limit: int,
    ) -> RankedWorks:
        """Return the best works in order, at least as many as the depth of the ranking.

        `text` is the query as it was typed. All works meet the conditions of the query and the
        filters; `exact` is a query for those whose title or identifier was typed.
        """
        restrictions = self._restrictions(conditions, filters)
        depth = self._ranking.depth
        firsts = self._candidates(free, restrictions, max(limit, depth))
        head = dict([*firsts.addresses.items()][:depth])
        if exact is not None:
            pinned = self._addresses(self._search(all_of([exact, *restrictions]), depth))
            head = {**pinned, **head}
        else:
            pinned = {}
        evidence = free.evidence(self._ranking, firsts.top)
        if conditions is not None:
            evidence.append((Occur.Should, self._queries.scoring(conditions)))
        ranked, by_meaning = self._rerank(
            free,
            text if conditions is None else free.text,
            evidence,
            restrictions,
            head,
            firsts,
            frozenset(pinned),
            widen=conditions is None,
        )
        placed = {work.number for work in ranked}
        rest = [
            RankedWork(number, 0.0, address)
            for number, address in firsts.addresses.items()
            if number not in placed
        ]
        return RankedWorks([*ranked, *rest], firsts.complete, by_meaning)

    def _restrictions(
        self, conditions: Tree | None, filters: Mapping[str, Sequence[str]]
    ) -> list[Query]:
        found = self._queries.restrictions(filters)
        if conditions is not None:
            found.append(Query.const_score_query(self._queries.matching(conditions), 0.0))
        return found

    def _candidates(
        self, free: FreeQuery, restrictions: Sequence[Query], limit: int
    ) -> _Candidates:
        found: Any = self._searcher.search(all_of([free.with_all(), *restrictions]), limit)
        complete = int(found.count)
        top = found.hits[0][0] if found.hits else 0.0
        addresses = self._addresses(found.hits)
        known = frozenset(addresses)
        if len(addresses) < limit and not free.is_one_word:
            some = self._search(all_of([free.with_some(), *restrictions]), limit + len(addresses))
            top = max(top, some[0][0] if some else 0.0)
            addresses |= self._addresses(some)
        return _Candidates(addresses, complete, known, top or 1.0)

    def _search(self, query: Query, limit: int) -> list[tuple[float, DocAddress]]:
        found: Any = self._searcher.search(query, limit, count=False)
        return list(found.hits)

    def _addresses(self, hits: Sequence[tuple[float, DocAddress]]) -> dict[int, DocAddress]:
        """Return works by their numbers, in order."""
        addresses = [address for _, address in hits]
        if not addresses:
            return {}
        numbers: Any = self._searcher.fast_field_values("number", addresses)
        return {int(n or 0): each for n, each in zip(numbers, addresses, strict=True)}

    def _rerank(
        self,
        free: FreeQuery,
        text: str,
        evidence: Sequence[tuple[Occur, Query]],
        restrictions: Sequence[Query],
        head: dict[int, DocAddress],
        firsts: _Candidates,
        exact: frozenset[int],
        *,
        widen: bool,
    ) -> tuple[list[RankedWork], int]:
        """Return the works of the head in their final order, and how many were added by meaning.

        With `widen`, works without any of the words may be added.
        """
        scores, addresses = self._evidence(evidence, head, [])
        meanings = np.zeros(len(addresses), np.float32)
        by_meaning: frozenset[int] = frozenset()
        if self._ranking.meaning and self._meaning:
            table, fusion = self._meaning.table, self._fusion
            vector = fusion.refine(
                self._meaning.vector(text, free.terms),
                np.asarray(scores / firsts.top, np.float32),
                table.vectors(_numbers(addresses)),
                table,
            )
            near = table.nearest(vector, fusion.compared(len(firsts.addresses), self.depth))
            with_words, by_meaning = self._near(near, free, head, firsts, widen)
            more, others = self._evidence(evidence, [*with_words, *by_meaning], restrictions)
            scores = np.concatenate([scores, more])
            addresses |= others
            rows = table.vectors(_numbers(addresses))
            meanings = fusion.scores(
                products(rows, vector),
                np.asarray(scores / firsts.top, np.float32),
                has_vector(rows),
                near[1],
            )
        signals = self._signals(
            addresses, scores / firsts.top, meanings, firsts.known_complete, exact, by_meaning
        )
        order = sorted(
            range(len(signals)), key=lambda k: (-round(signals[k][0].score, 5), -signals[k][1])
        )
        every = [*addresses.items()]
        works = [
            RankedWork(every[k][0], signals[k][0].score, every[k][1], signals[k][0]) for k in order
        ]
        return works, sum(signal.by_meaning for signal, _ in signals)

    def _evidence(
        self,
        evidence: Sequence[tuple[Occur, Query]],
        numbers: Sequence[int] | dict[int, Any],
        restrictions: Sequence[Query],
    ) -> tuple[NDArray[np.float64], dict[int, DocAddress]]:
        """Return the text scores of works, the best first, and their addresses by number."""
        if not numbers:
            return np.zeros(0), {}
        among = Query.const_score_query(self._queries.numbered([*numbers]), 0.0)
        required = [(Occur.Must, query) for query in (among, *restrictions)]
        hits = self._search(Query.boolean_query([*required, *evidence]), len(numbers))
        return np.array([score for score, _ in hits]), self._addresses(hits)

    def _near(
        self,
        near: tuple[Numbers, Array],
        free: FreeQuery,
        head: dict[int, DocAddress],
        firsts: _Candidates,
        widen: bool,
    ) -> tuple[list[int], frozenset[int]]:
        """Return further works near a query: those with some of the words, and those without."""
        numbers = near[0][near[1] >= self._fusion.min_cosine].tolist()
        fresh = [number for number in numbers if number not in head][:MAX_COMPARED_BY_MEANING]
        # Works with all words come first: beyond the depth there may be more of them.
        if not fresh or firsts.complete >= self.depth:
            return [], frozenset()
        with_words: dict[int, DocAddress] = {}
        # If the words have found few works, others have none of them.
        if len(firsts.addresses) >= self.depth:
            among = Query.const_score_query(self._queries.numbered(fresh), 0.0)
            found = self._search(all_of([among, free.with_some()]), len(fresh))
            with_words = self._addresses(found)
        without = [number for number in fresh if number not in with_words]
        return [*with_words], frozenset(without[: MAX_NEW_BY_MEANING if widen else 0])

    def _signals(
        self,
        addresses: dict[int, DocAddress],
        texts: NDArray[np.float64],
        meanings: Array,
        complete: frozenset[int],
        exact: frozenset[int],
        by_meaning: frozenset[int],
    ) -> list[tuple[Signals, int]]:
        """Return the signals of works, and the key by which equal ones are ordered."""
        if not addresses:
            return []
        ranking, every = self._ranking, [*addresses.values()]
        keys: Any = self._searcher.fast_field_values("by_cited", every)
        years: Any = self._searcher.fast_field_values("year", every)
        found = []
        for number, text, meaning, key, year in zip(
            addresses, texts.tolist(), meanings.tolist(), keys, years, strict=True
        ):
            cited = min(cited_by_of_key(int(key or 0)), MAX_CITATIONS)
            youth = 0.0 if year is None else 1 - min(max(self._year - year, 0), MAX_AGE) / MAX_AGE
            signals = Signals(
                text,
                meaning,
                ranking.citations * float(np.log1p(cited) / np.log1p(MAX_CITATIONS)),
                ranking.age * youth,
                ranking.complete_first and number in complete,
                number in exact,
                number in by_meaning,
            )
            found.append((signals, int(key or 0)))
        return found


def _numbers(addresses: dict[int, DocAddress]) -> Numbers:
    return np.fromiter(addresses, np.uint64, len(addresses))
