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
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
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
DEPTH_PER_WORD = 50
"""Works that are ranked by all parts for each word, and one more."""
EVIDENCE_SHARE = 3
"""Of the works that all parts rank, one in so many, the first, is searched for evidence."""
MAX_AGE = 30
"""Years after which age no longer counts."""
MAX_CITATIONS = 10_000
"""Citations beyond which more do not count."""
MAX_SCORE = 100.0
"""Bounds the sum of the parts; works with all words have so much more, exact ones twice."""
SCORE_DIGITS = 5
"""Decimals of a score; works that differ less are equal."""
ROUNDING_MARGIN = 1e-4
"""More than rounding changes a score."""


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

    `works` are as many as were asked for, and `found` is how many were found in all.
    `complete` is how many works have all words, and `by_meaning` are the numbers of
    those found that have none of them.
    """

    works: list[RankedWork] = field(default_factory=list)
    found: int = 0
    complete: int = 0
    by_meaning: frozenset[int] = frozenset()


class _Request(NamedTuple):
    """A query, and what its works must meet.

    `text` is what meaning is compared with, `evidence` are the queries of the second stage and
    `depth` is how many works it scores; `limit` works are returned. With `widen`, works without
    any of the words may be added.
    """

    free: FreeQuery
    text: str
    restrictions: Sequence[Query]
    evidence: Sequence[Query]
    depth: int
    limit: int
    widen: bool


class _Candidates(NamedTuple):
    """The works of the first stage by their numbers, in order.

    `scores` has the score of each, `complete` is how many works have all words, and
    `known_complete` are those of them in the list; `top` is the best score.
    """

    addresses: dict[int, DocAddress]
    scores: dict[int, float]
    complete: int
    known_complete: frozenset[int]
    top: float


class _Scored(NamedTuple):
    """The works of the second stage, with what text and meaning say of each."""

    addresses: dict[int, DocAddress]
    texts: Array
    meanings: Array
    by_meaning: frozenset[int]
    """The works that have none of the words."""


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
        """Works whose order all parts of the score may change, at most."""
        return self._ranking.depth

    def depth_for(self, free: FreeQuery) -> int:
        """Return the depth for a query: few words tell works apart less."""
        return min(self._ranking.depth, DEPTH_PER_WORD * (1 + len(free.words)))

    def rank(
        self,
        free: FreeQuery,
        text: str,
        conditions: Tree | None,
        filters: Mapping[str, Sequence[str]],
        exact: Query | None,
        limit: int,
    ) -> RankedWorks:
        """Return the best works in order, `limit` at most.

        `text` is the query as it was typed. All works meet the conditions of the query and the
        filters; `exact` is a query for those whose title or identifier was typed.
        """
        restrictions = self._restrictions(conditions, filters)
        depth = self.depth_for(free)
        firsts = self._candidates(free, restrictions, max(limit, depth))
        head = dict(islice(firsts.addresses.items(), depth))
        pinned: dict[int, DocAddress] = {}
        if exact is not None:
            pinned = self._addresses(self._search(all_of([exact, *restrictions]), depth))
            head = {**pinned, **head}
        evidence = free.evidence(self._ranking, firsts.top)
        if conditions is not None:
            text = free.text
            # A range of years scores nothing, and costs as much as a frequent word.
            if any(wanted and phrase.field != "year" for phrase, wanted in conditions.phrases()):
                evidence.append(self._queries.scoring(conditions))
        request = _Request(
            free, text, restrictions, evidence, depth, limit, widen=conditions is None
        )
        scored = self._rerank(request, head, firsts, len(pinned))
        works = self._in_order(scored, firsts, frozenset(pinned), limit)
        rest = [number for number in firsts.addresses if number not in scored.addresses]
        works += [
            RankedWork(number, 0.0, firsts.addresses[number])
            for number in rest[: limit - len(works)]
        ]
        found = len(scored.addresses) + len(rest)
        return RankedWorks(works, found, firsts.complete, scored.by_meaning)

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
        hits, some = found.hits, []
        addresses = self._addresses(hits)
        known = frozenset(addresses)
        if len(addresses) < limit and not free.is_one_word:
            some = self._search(all_of([free.with_some(), *restrictions]), limit)
        others = self._addresses(some)
        scores = dict(zip(others, (score for score, _ in some), strict=True))
        scores |= dict(zip(addresses, (score for score, _ in hits), strict=True))
        top = max((each[0][0] for each in (hits, some) if each), default=0.0)
        return _Candidates(addresses | others, scores, int(found.count), known, top or 1.0)

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
        request: _Request,
        head: dict[int, DocAddress],
        firsts: _Candidates,
        pinned: int,
    ) -> _Scored:
        """Score the works of the head, of which so many are pinned, and those added by meaning."""
        places = {number: firsts.scores.get(number, 0.0) for number in head}
        # Few works beyond these could still come first.
        likely = [*islice(head, max(request.depth // EVIDENCE_SHARE, pinned))]
        self._add_evidence(places, likely, request.evidence)
        by_meaning: frozenset[int] = frozenset()
        addresses, texts = head, _shares(places, firsts)
        meanings = np.zeros(len(places), np.float32)
        query = self._vector(request)
        if query is not None and (places or query.any()):
            table, fusion = self._meaning.table, self._fusion
            rows = table.vectors(_numbers(places))
            vector = fusion.refine(query, texts, rows, table)
            near = table.nearest(vector, fusion.compared(len(firsts.addresses), request.depth))
            with_words, by_meaning = self._near(near, request, head, firsts)
            if fresh := [*with_words, *by_meaning]:
                addresses = head | self._found_among(fresh, request.restrictions)
                places |= {number: 0.0 for number in addresses if number not in places}
                self._add_evidence(
                    places,
                    [number for number in fresh if number in places],
                    [request.free.with_some(), *request.evidence],
                )
                texts, rows = _shares(places, firsts), table.vectors(_numbers(places))
            meanings = fusion.scores(products(rows, vector), texts, has_vector(rows), near[1])
        return _Scored(addresses, texts, meanings, by_meaning & places.keys())

    def _vector(self, request: _Request) -> Array | None:
        """Return the vector of a query; None if meaning does not count."""
        if not self._ranking.meaning or not self._meaning:
            return None
        return self._meaning.vector(request.text, request.free.counts)

    def _add_evidence(
        self, scores: dict[int, float], numbers: Sequence[int], evidence: Sequence[Query]
    ) -> None:
        """Add what queries score to the scores of works."""
        if not numbers or not evidence:
            return
        # One within the other: tantivy reads the whole of a union of optional parts, but of a
        # single one only the works that are required.
        scored = Query.const_score_query(Query.all_query(), 0.0)
        for part in evidence:
            scored = Query.boolean_query([(Occur.Must, scored), (Occur.Should, part)])
        hits = self._search(all_of([self._among(numbers), scored]), len(numbers))
        for number, (score, _) in zip(self._addresses(hits), hits, strict=True):
            scores[number] += score

    def _among(self, numbers: Sequence[int]) -> Query:
        return Query.const_score_query(self._queries.numbered(numbers), 0.0)

    def _found_among(
        self, numbers: Sequence[int], restrictions: Sequence[Query]
    ) -> dict[int, DocAddress]:
        """Return those of the works that meet the restrictions."""
        found = self._search(all_of([self._among(numbers), *restrictions]), len(numbers))
        return self._addresses(found)

    def _near(
        self,
        near: tuple[Numbers, Array],
        request: _Request,
        head: dict[int, DocAddress],
        firsts: _Candidates,
    ) -> tuple[list[int], frozenset[int]]:
        """Return further works near a query: those with some of the words, and those without."""
        numbers = near[0][near[1] >= self._fusion.min_cosine].tolist()
        fresh = [number for number in numbers if number not in head][:MAX_COMPARED_BY_MEANING]
        # Works with all words come first: beyond the depth there may be more of them.
        if not fresh or firsts.complete >= request.depth:
            return [], frozenset()
        with_words: dict[int, DocAddress] = {}
        # If the words have found few works, others have none of them.
        if len(firsts.addresses) >= request.depth:
            with_words = self._found_among(fresh, [request.free.with_some()])
        without = [number for number in fresh if number not in with_words]
        return [*with_words], frozenset(without[: MAX_NEW_BY_MEANING if request.widen else 0])

    def _in_order(
        self, scored: _Scored, firsts: _Candidates, exact: frozenset[int], limit: int
    ) -> list[RankedWork]:
        """Return the best works, the best first; equal ones by citations, date and id."""
        ranking, numbers = self._ranking, [*scored.addresses]
        if not numbers:
            return []
        complete = firsts.known_complete if ranking.complete_first else frozenset()
        tiers = np.array([2 if n in exact else int(n in complete) for n in numbers])
        texts, meanings = scored.texts, scored.meanings
        if 0 < limit < len(numbers):
            # Those so far behind that citations and age cannot bring them to the first.
            bases = np.minimum(texts + meanings, MAX_SCORE - 1) + MAX_SCORE * tiers
            reach = ranking.citations + ranking.age + ROUNDING_MARGIN
            near = np.flatnonzero(bases >= np.partition(bases, -limit)[-limit] - reach)
            numbers = [numbers[at] for at in near.tolist()]
            tiers, texts, meanings = tiers[near], texts[near], meanings[near]
        addresses = [scored.addresses[number] for number in numbers]
        keys: Any = self._searcher.fast_field_values("by_cited", addresses)
        years: Any = self._searcher.fast_field_values("year", addresses)
        key = np.array([each or 0 for each in keys], np.uint64)
        cited = np.minimum(cited_by_of_key(key), MAX_CITATIONS)
        citations = ranking.citations * np.log1p(cited) / np.log1p(MAX_CITATIONS)
        age = np.array([self._year - MAX_AGE if year is None else year for year in years])
        years_ago = np.minimum(np.maximum(self._year - age, 0), MAX_AGE)
        youth = ranking.age * (1 - years_ago / MAX_AGE)
        sums = np.minimum(texts + meanings + citations + youth, MAX_SCORE - 1)
        scores = np.round(sums + MAX_SCORE * tiers, SCORE_DIGITS)
        order = np.lexsort((key, scores))[::-1][:limit].tolist()
        return [
            RankedWork(
                numbers[at],
                float(scores[at]),
                addresses[at],
                Signals(
                    float(texts[at]),
                    float(meanings[at]),
                    float(citations[at]),
                    float(youth[at]),
                    numbers[at] in complete,
                    numbers[at] in exact,
                    numbers[at] in scored.by_meaning,
                ),
            )
            for at in order
        ]


def _shares(scores: Mapping[int, float], firsts: _Candidates) -> Array:
    """Return text scores as shares of the best of the first stage."""
    return np.fromiter(scores.values(), np.float32, len(scores)) / np.float32(firsts.top)


def _numbers(addresses: Mapping[int, object]) -> Numbers:
    return np.fromiter(addresses, np.uint64, len(addresses))
