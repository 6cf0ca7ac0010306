"""Selection: the works of one page of results, and those that its facets count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tantivy import DocAddress, Query

from lycosa.goals.syntax import And, Not, Tree
from lycosa.portal.message import Message, quote
from lycosa.portal.search.deadline import Deadline
from lycosa.portal.search.free_query import all_of, any_of
from lycosa.portal.search.free_words import SplitQuery, loosen, split_query
from lycosa.portal.search.layout import sort_field
from lycosa.portal.search.query import QueryBuilder, count_matches, required_parts
from lycosa.portal.search.ranker import RankedWork
from lycosa.portal.search.snapshot import Snapshot

MAX_RESULTS = 10_000
"""Works that can be paged through."""
MAX_GATHERED = 500
"""Works that a slow query returns at once, so that their facets need no second search."""
MIN_COMPLETE = 10
"""With fewer works that have all words, facets count those that have some of them."""
MAX_EXACT_TOTAL = 5_000
"""Of more works with some of the words the number is estimated."""
MAX_WORDS_TO_MISS = 5
"""Words of a query of which it is said that no work has all; of a question this is no news."""
LOOSENED_NOTICE = Message(
    "No work has all quoted and required words, so they were searched as the others."
)

Filters: TypeAlias = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a search has found."""

    works: list[RankedWork]
    """Those of the page, in order; more if they came with it."""
    total: int
    """How many works can be paged through."""
    matches: int
    """How many works match the whole query."""
    counted: Query
    """Matches the works whose facets are counted."""
    counted_works: int
    """How many these are."""
    whole: Sequence[DocAddress] | None = None
    """All of them, if they are known."""
    complete: int | None = None
    """How many works have all free words; None if the query has none."""
    split: SplitQuery | None = None
    """The free words and the conditions that were searched; None if works were only sorted."""
    approximate: bool = False
    """Whether the total is an estimate."""
    notices: list[str] = field(default_factory=list)


class Selector:
    """Selects works for one query.

    `queries` builds its queries on the snapshot, `filters` are the chosen values of facets.
    """

    def __init__(
        self, snapshot: Snapshot, queries: QueryBuilder, filters: Filters, deadline: Deadline
    ) -> None:
        self._snapshot = snapshot
        self._queries = queries
        self._filters = filters
        self._deadline = deadline

    def rank(self, text: str, tree: Tree | None, offset: int, size: int) -> Selection:
        """Select works by the free words of a query: those with all, then those with some.

        If none meets the conditions of the query, quoted and required words become free.
        """
        found = self._rank(text, split_query(tree), offset, size)
        if found.total or (loose := loosen(tree)) is None:
            return found
        found = self._rank(text, split_query(loose), offset, size)
        found.notices.extend([LOOSENED_NOTICE] * bool(found.total))
        return found

    def _rank(self, text: str, split: SplitQuery, offset: int, size: int) -> Selection:
        queries = self._queries
        ranker = self._snapshot.ranker.using(queries)
        words, conditions = split
        free = queries.free(words, text if conditions is None else "")
        exact = queries.exact(text) if conditions is None else None
        limit = min(offset + size, MAX_RESULTS)
        self._deadline.check()
        ranked = ranker.rank(free, text, conditions, self._filters, exact, limit)
        required = [] if conditions is None else [queries.matching(conditions)]
        counted, total = all_of([free.with_some(), *required]), ranked.found
        approximate = False
        if free.is_one_word:
            total = ranked.complete + len(ranked.by_meaning)
        elif total >= max(limit, ranker.depth_for(free)):
            self._deadline.check()
            likely = _rounded(free.estimate())
            approximate = likely > MAX_EXACT_TOTAL and conditions is None and not self._filters
            exact_total = 0 if approximate else self._count(counted) + len(ranked.by_meaning)
            total = max(likely, total) if approximate else exact_total
        counted_works = total
        if ranked.by_meaning:
            counted = any_of([counted, queries.numbered(sorted(ranked.by_meaning))])
        if ranked.complete >= MIN_COMPLETE:
            counted, counted_works = all_of([free.with_all(), *required]), ranked.complete
        notices: list[str] = []
        if not ranked.complete and total and 1 < len(words) <= MAX_WORDS_TO_MISS:
            notices.append(
                Message(
                    "No work has all %(words)s words; works with more come first.",
                    words=len(words),
                )
            )
        notices += [_similar_notice(word, others) for word, others in free.similar.items()]
        return Selection(
            works=ranked.works[offset:limit],
            total=total,
            # Other spellings are looked for if a word is unknown; a long question has all its
            # words in no work.
            matches=ranked.complete if free.has_unknown_words else total,
            counted=counted,
            counted_works=counted_works,
            complete=ranked.complete,
            approximate=approximate,
            split=SplitQuery(free.searched, conditions),
            notices=notices,
        )

    def sort(
        self, tree: Tree | None, sort: str, offset: int, size: int, *, gather: bool
    ) -> Selection:
        """Select works that match the whole query, or most parts of it if none does.

        With `gather`, more than a page is returned if that is all of them.
        """
        queries = self._queries
        window = (sort, 0, max(size, MAX_GATHERED)) if gather else (sort, offset, size)
        counted = queries.matching(tree)
        self._deadline.check()
        matches, found = self._window(queries.scoring(tree), *window)
        total = matches
        notices: list[str] = []
        if not total and isinstance(tree, And):
            parts = sum(not isinstance(part, Not) for part in required_parts(tree))
            if least := self._most_parts(tree):
                counted = queries.at_least(tree, least, scored=False)
                total, found = self._window(queries.at_least(tree, least, scored=True), *window)
                notices.append(
                    Message(
                        "No work matches all %(parts)s parts of the query; these results match one "
                        "of them.",
                        "No work matches all %(parts)s parts of the query; these results match at "
                        "least %(count)s of them.",
                        parts=parts,
                        count=least,
                    )
                )
        return Selection(
            works=[RankedWork(0, score, address) for score, address in found],
            total=total,
            matches=matches,
            counted=counted,
            counted_works=total,
            whole=[address for _, address in found] if len(found) == total else None,
            notices=notices,
        )

    def _count(self, query: Query) -> int:
        return count_matches(self._snapshot.searcher, self._queries.filtered(query, self._filters))

    def _most_parts(self, tree: And) -> int:
        """Return the largest number of parts that some work matches."""
        self._deadline.check()
        query = self._queries.filtered(self._queries.counting(tree), self._filters)
        best: Any = self._snapshot.searcher.search(query, 1, count=False).hits
        return round(best[0][0]) if best else 0

    def _window(
        self, query: Query, sort: str, offset: int, size: int
    ) -> tuple[int, list[tuple[float, DocAddress]]]:
        """Return the number of matches, and a window of them in order with their scores."""
        size = max(min(size, MAX_RESULTS - offset), 0)
        order: dict[str, Any] = (
            {"weight_by_field": "prior"}
            if sort == "relevance"
            else {"order_by_field": sort_field(sort)}
        )
        query = self._queries.filtered(query, self._filters)
        start = offset if size else 0
        found: Any = self._snapshot.searcher.search(query, size or 1, offset=start, **order)
        return int(found.count), found.hits[:size]


def _similar_notice(word: str, similar: Sequence[str]) -> str:
    """Return the notice of a word in place of which others were searched.

    >>> _similar_notice("laerning", ["learning"])
    'No work has “laerning”, so “learning” was searched.'
    """
    others = quote(similar, either=True)
    return Message("No work has “%(word)s”, so %(others)s was searched.", word=word, others=others)


def _rounded(works: int) -> int:
    """Return a number with two significant digits.

    >>> _rounded(41_234)
    41000
    """
    unit = int(10 ** max(len(str(works)) - 2, 0))
    return round(works / unit) * unit
