"""The search engine: a query in, a page of results out."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from tantivy import DocAddress, Query, Schema, Searcher

from lycosa.errors import UnknownName
from lycosa.goals.syntax import And, Not, Tree
from lycosa.portal.fields import FACETS, SORTS
from lycosa.portal.search.analysis import Analysis, clean
from lycosa.portal.search.bounded_cache import BoundedCache
from lycosa.portal.search.cost import MAX_COST, CostModel, narrow
from lycosa.portal.search.deadline import TIMEOUT_NOTICE, Deadline, SearchTimeout
from lycosa.portal.search.expansion import Expansions
from lycosa.portal.search.facets import MAX_LABELS, Facets
from lycosa.portal.search.highlight import Highlighter
from lycosa.portal.search.index import META, open_for_reading, translate_errors
from lycosa.portal.search.layout import AUTHOR, MAX_VALUE_CHARACTERS, SEPARATOR, TITLE, sort_field
from lycosa.portal.search.query import QueryBuilder, count_matches, has_phrase, required_parts
from lycosa.portal.search.query_repair import parse_query
from lycosa.portal.search.related import MAX_FREQUENCIES, related_query, stored_text
from lycosa.portal.search.results import FacetValue, Hit, Results
from lycosa.portal.search.spelling import suggest_query
from lycosa.portal.search.vocabulary import Vocabulary

MAX_RESULTS = 10_000
"""Works that can be paged through."""
MAX_PAGE_SIZE = 200
"""Works on a page."""
MAX_MATCHES_TO_SUGGEST = 2
"""With more matches than this, no other spelling is suggested."""
SUGGESTION_GAIN = 10
"""A suggested spelling must match more than this many times as many works."""
MAX_CACHED_FACETS = 256
"""Queries whose facets are cached until the next commit."""
MAX_GATHERED = 500
"""Works that a slow query returns at once, so that their facets need no second search."""
REFRESH_SECONDS = 60.0
"""Age at which cached labels and frequencies are dropped; a commit changes few of them."""
MAX_COMPLETIONS = 100
"""Names and titles with a prefix that are read to find the most frequent."""
MAX_PREFIX_COUNT = 100_000
"""A prefix whose words occur more often than this has too many titles to complete."""

Filters: TypeAlias = Mapping[str, Sequence[str]]
_FacetCounts: TypeAlias = tuple[Mapping[str, list[FacetValue]], bool]
"""The values of each facet, and whether their counts are estimates."""
_NO_FACETS: _FacetCounts = (MappingProxyType({}), False)

_log = logging.getLogger("lycosa.portal")


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """The index as of one commit, with what is cached about it."""

    stamp: tuple[int, int, int]
    searcher: Searcher
    schema: Schema
    vocabulary: Vocabulary
    queries: QueryBuilder
    costs: CostModel
    labels: MutableMapping[int, tuple[str, str]]
    """The value and the label of each code."""
    frequencies: MutableMapping[str, int]
    """In how many works a term of titles and abstracts occurs."""
    facets: MutableMapping[tuple[object, ...], _FacetCounts] = field(
        default_factory=lambda: BoundedCache(MAX_CACHED_FACETS)
    )
    """The facets of recent queries."""


class Engine:
    """Searches the index in a folder, which another process may be writing; thread-safe.

    >>> from tempfile import TemporaryDirectory
    >>> from lycosa.portal.search import Index, IndexEntry
    >>> with TemporaryDirectory() as folder:
    ...     index = Index.open(folder)
    ...     index.update([IndexEntry("w1", "paper", "Spiders that learn", year=1997)])
    ...     index.commit()
    ...     results = Engine.open(folder).search("spider year:1996..1999")
    >>> results.total, results.hits[0].title
    (1, (('Spiders', True), (' that learn', False)))
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        self._analysis = Analysis()
        self._lock = threading.Lock()
        self._index = open_for_reading(self._folder)
        self._clear_caches()
        self._snapshot = self._open_snapshot(self._read_stamp())

    @classmethod
    def open(cls, folder: str | Path) -> Engine:
        """Open the index that a build has written to a folder."""
        return cls(folder)

    def __len__(self) -> int:
        return self._latest().searcher.num_docs

    @property
    def generation(self) -> tuple[int, int, int]:
        """Identifies the state of the index; every commit changes it."""
        return self._latest().stamp

    @property
    def costs(self) -> CostModel:
        """The cost of queries on the latest state of the index."""
        return self._latest().costs

    def search(
        self,
        text: str,
        *,
        page: int = 1,
        size: int = 20,
        sort: str = "relevance",
        filters: Filters = MappingProxyType({}),
        facets: bool = True,
        deadline: Deadline | None = None,
    ) -> Results:
        """Return a page of results for any text.

        `filters` maps facets to values: a work must have one of the values of
        every facet named. `facets=False` saves the time of counting facets.
        After the deadline, facets and a suggestion are left out; a search that
        has no results by then raises `SearchTimeout`.
        """
        if sort not in SORTS:
            raise UnknownName("order of results", sort, SORTS)
        for name in filters:
            if name not in FACETS:
                raise UnknownName("facet", name, FACETS)
        chosen = {name: [clean(v) for v in values if v] for name, values in filters.items()}
        with translate_errors(self._folder):
            window = max(page, 1), min(max(size, 0), MAX_PAGE_SIZE), sort
            return self._search(text, *window, chosen, facets, deadline or Deadline())

    def _search(
        self,
        text: str,
        page: int,
        size: int,
        sort: str,
        filters: Filters,
        facets: bool,
        deadline: Deadline,
    ) -> Results:
        snapshot = self._latest()
        parsed = parse_query(text)
        tree, queries, narrowed = self._narrow(snapshot, parsed.tree, filters)
        notices = [*filter(None, [parsed.notice, narrowed]), *queries.expansion_notices(tree)]
        window = (sort, (page - 1) * size, size)
        if facets and page == 1 and has_phrase(tree):
            window = (sort, 0, max(size, MAX_GATHERED))
        matching = queries.matching(tree)
        deadline.check()
        matches, found = self._run(snapshot, queries.scoring(tree), filters, *window)
        total = matches
        if not total and isinstance(tree, And):
            parts = sum(not isinstance(part, Not) for part in required_parts(tree))
            if least := self._most_parts(snapshot, queries, tree, parts, filters, deadline):
                matching = queries.at_least(tree, least, scored=False)
                scoring = queries.at_least(tree, least, scored=True)
                total, found = self._run(snapshot, scoring, filters, *window)
                notices.append(
                    f"No work matches all {parts} parts of the query; these results match "
                    f"{'one' if least == 1 else f'at least {least}'} of them."
                )
        if page > 1 and page * size > MAX_RESULTS:
            notices.append(f"Only the first {MAX_RESULTS:,} results can be shown.")
        counts, estimated = _NO_FACETS
        suggestion = ""
        try:
            if facets:
                counts, estimated = self._facets(
                    snapshot, tree, matching, filters, total, found, deadline
                )
            suggestion = self._suggestion(snapshot, text, tree, matches, filters, deadline)
        except SearchTimeout:
            _log.debug("a search has reached its deadline before its end")
            notices.append(TIMEOUT_NOTICE)
        return Results(
            text,
            " ".join(notices),
            total,
            self._hits(snapshot, tree, found[:size]),
            counts,
            suggestion,
            page,
            size,
            estimated,
        )

    def related(self, work: str, limit: int = 10) -> list[str]:
        """Return the ids of related works, the nearest first; none if the work is not indexed."""
        with translate_errors(self._folder):
            snapshot = self._latest()
            searcher = snapshot.searcher
            work = clean(work)
            itself = Query.term_query(snapshot.schema, "id", work, "basic")
            found = searcher.search(itself, 1, count=False).hits
            if not found:
                return []
            query = related_query(
                searcher,
                snapshot.schema,
                self._analysis,
                work,
                searcher.doc(found[0][1]),
                snapshot.frequencies,
            )
            nearest = searcher.search(query, limit, count=False).hits
            return [str(searcher.doc(address).get_first("id")) for _, address in nearest]

    def complete(self, prefix: str, limit: int = 8) -> list[str]:
        """Return completions of what is being typed: words, then authors, then titles."""
        snapshot = self._latest()
        terms = self._analysis.exact(clean(prefix[:MAX_VALUE_CHARACTERS]))
        if not terms:
            return []
        *before, last = terms.split()
        found: dict[str, None] = {}
        with translate_errors(self._folder):
            for word in snapshot.vocabulary.complete(last, 2 * limit):
                whole = " ".join([*before, word])
                if len(found) <= limit // 2 and (not before or self._has_matches(snapshot, whole)):
                    found[whole] = None
            too_many = not before and snapshot.vocabulary.prefix_count(last) > MAX_PREFIX_COUNT
            for kind in (AUTHOR,) if too_many else (AUTHOR, TITLE):
                start = f"{kind}{SEPARATOR}{terms}"
                names = snapshot.searcher.terms_with_prefix(
                    "completions", start, limit=MAX_COMPLETIONS
                )
                for term, _ in sorted(names, key=lambda pair: -pair[1])[:limit]:
                    found[term.rsplit(SEPARATOR, 1)[-1]] = None
        return [text for text in found if text != prefix][:limit]

    def _has_matches(self, snapshot: _Snapshot, text: str) -> bool:
        return self._count(snapshot, self._matching(snapshot, text), {}) > 0

    def _matching(self, snapshot: _Snapshot, text: str) -> Query:
        tree, queries, _ = self._narrow(snapshot, parse_query(text).tree)
        return queries.matching(tree)

    def _narrow(
        self, snapshot: _Snapshot, tree: Tree | None, filters: Filters = MappingProxyType({})
    ) -> tuple[Tree | None, QueryBuilder, str]:
        """Limit the cost of a query; return it with the builder for it, and a notice."""
        # The values of each facet that filters are counted by searches without that filter.
        narrowed = narrow(tree, snapshot.costs, MAX_COST, searches=1 + len(filters))
        return narrowed.tree, snapshot.queries.limited(narrowed.expansions), narrowed.notice

    def _count(self, snapshot: _Snapshot, query: Query, filters: Filters) -> int:
        return count_matches(snapshot.searcher, snapshot.queries.filtered(query, filters))

    def _most_parts(
        self,
        snapshot: _Snapshot,
        queries: QueryBuilder,
        tree: And,
        parts: int,
        filters: Filters,
        deadline: Deadline,
    ) -> int:
        """Return the largest number of parts that some work matches, by binary search."""

        def some_match(least: int) -> bool:
            query = queries.at_least(tree, least, scored=False)
            return self._count(snapshot, query, filters) > 0

        low, high = 0, parts - 1
        while low < high:
            deadline.check()
            middle = (low + high + 1) // 2
            low, high = (middle, high) if some_match(middle) else (low, middle - 1)
        return low

    def _run(
        self, snapshot: _Snapshot, query: Query, filters: Filters, sort: str, offset: int, size: int
    ) -> tuple[int, list[tuple[float, DocAddress]]]:
        """Return the number of matches, and a window of them in order with their scores."""
        size = max(min(size, MAX_RESULTS - offset), 0)
        order: dict[str, Any] = (
            {"weight_by_field": "prior"}
            if sort == "relevance"
            else {"order_by_field": sort_field(sort)}
        )
        query = snapshot.queries.filtered(query, filters)
        start = offset if size else 0
        found: Any = snapshot.searcher.search(query, size or 1, offset=start, **order)
        return int(found.count), found.hits[:size]

    def _hits(
        self, snapshot: _Snapshot, tree: Tree | None, found: list[tuple[float, DocAddress]]
    ) -> list[Hit]:
        highlighter = Highlighter(tree, self._analysis, snapshot.queries.languages)
        hits = []
        for score, address in found:
            document = snapshot.searcher.doc(address)
            language = document.get_first("language") or ""
            texts = (stored_text(document, "shown_abstract"), stored_text(document, "shown_text"))
            hits.append(
                Hit(
                    str(document.get_first("id")),
                    float(score),
                    highlighter.title(stored_text(document, "shown_title"), language=language),
                    highlighter.snippet(*texts, language=language),
                )
            )
        return hits

    def _facets(
        self,
        snapshot: _Snapshot,
        tree: Tree | None,
        query: Query,
        filters: Filters,
        total: int,
        found: Sequence[tuple[float, DocAddress]],
        deadline: Deadline,
    ) -> _FacetCounts:
        chosen = tuple(sorted((name, tuple(values)) for name, values in filters.items()))
        key = (str(tree), chosen)
        counts = snapshot.facets.get(key)
        if counts is None:
            facets = Facets(
                snapshot.searcher, snapshot.queries, query, snapshot.labels, deadline.check
            )
            whole = [address for _, address in found] if len(found) == total else None
            counts = facets.of(filters, total, whole), facets.estimated
            snapshot.facets[key] = counts
        return counts

    def _suggestion(
        self,
        snapshot: _Snapshot,
        text: str,
        tree: Tree | None,
        matches: int,
        filters: Filters,
        deadline: Deadline,
    ) -> str:
        if tree is None or matches > MAX_MATCHES_TO_SUGGEST:
            return ""

        def is_better(corrected: str) -> bool:
            deadline.check()
            query = self._matching(snapshot, corrected)
            return self._count(snapshot, query, filters) > SUGGESTION_GAIN * matches

        deadline.check()
        return suggest_query(text, tree, snapshot.vocabulary, self._analysis, is_better)

    def _latest(self) -> _Snapshot:
        """Return the latest snapshot; open it if there was a commit since the last call."""
        stamp = self._read_stamp()
        if stamp != self._snapshot.stamp:
            with self._lock:
                if stamp != self._snapshot.stamp:
                    self._snapshot = self._open_snapshot(stamp)
                    _log.debug("opened the index in %s after a commit", self._folder)
        return self._snapshot

    def _read_stamp(self) -> tuple[int, int, int]:
        """Return the identity of the file that tantivy replaces with every commit."""
        with translate_errors(self._folder):
            status = (self._folder / META).stat()
        return status.st_mtime_ns, status.st_ino, status.st_size

    def _open_snapshot(self, stamp: tuple[int, int, int]) -> _Snapshot:
        with translate_errors(self._folder):
            self._index.reload()
            searcher, schema = self._index.searcher(), self._index.schema
        vocabulary = Vocabulary.load(self._folder)
        expansions = Expansions(searcher, vocabulary)
        queries = QueryBuilder(schema, searcher, self._analysis, expansions)
        costs = CostModel(searcher, self._analysis, expansions, queries.languages)
        if time.monotonic() - self._cleared > REFRESH_SECONDS:
            self._clear_caches()
        return _Snapshot(
            stamp, searcher, schema, vocabulary, queries, costs, self._labels, self._frequencies
        )

    def _clear_caches(self) -> None:
        self._labels: BoundedCache[int, tuple[str, str]] = BoundedCache(MAX_LABELS)
        self._frequencies: BoundedCache[str, int] = BoundedCache(MAX_FREQUENCIES)
        self._cleared = time.monotonic()
