"""The search engine: a query in, a page of results out."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from tantivy import Query

from lycosa.errors import StoreError, UnknownName
from lycosa.goals.syntax import Tree
from lycosa.portal.fields import FACETS, SORTS
from lycosa.portal.message import Message
from lycosa.portal.search.analysis import Analysis, clean
from lycosa.portal.search.bounded_cache import BoundedCache
from lycosa.portal.search.cost import MAX_COST, CostModel, narrow
from lycosa.portal.search.deadline import TIMEOUT_NOTICE, Deadline, SearchTimeout
from lycosa.portal.search.expansion import Expansions
from lycosa.portal.search.explainer import Explainer
from lycosa.portal.search.explanation import Explanation
from lycosa.portal.search.facets import MAX_LABELS, Facets
from lycosa.portal.search.free_words import split_query
from lycosa.portal.search.highlight import Highlighter
from lycosa.portal.search.index import META, open_for_reading, translate_errors
from lycosa.portal.search.layout import AUTHOR, MAX_VALUE_CHARACTERS, SEPARATOR, TITLE, stored_text
from lycosa.portal.search.meaning import FILE as MEANING
from lycosa.portal.search.meaning import Meaning
from lycosa.portal.search.query import QueryBuilder, count_matches, has_phrase
from lycosa.portal.search.query_repair import parse_query
from lycosa.portal.search.ranker import RankedWork, Ranker
from lycosa.portal.search.ranking import DEFAULT_RANKING, Ranking
from lycosa.portal.search.readable_folder import ReadableFolder
from lycosa.portal.search.related import MAX_FREQUENCIES, RelatedWorks
from lycosa.portal.search.results import Hit, Results
from lycosa.portal.search.selection import MAX_RESULTS, Filters, Selection, Selector
from lycosa.portal.search.snapshot import FacetCounts, Snapshot
from lycosa.portal.search.spelling import Spelling, suggest_query
from lycosa.portal.search.vocabulary import Vocabulary

MAX_PAGE_SIZE = 200
"""Works on a page."""
MAX_MATCHES_TO_SUGGEST = 2
"""With more matches than this, no other spelling is suggested."""
SUGGESTION_GAIN = 10
"""A suggested spelling must match more than this many times as many works."""
REFRESH_SECONDS = 60.0
"""Age at which cached labels and frequencies are dropped; a commit changes few of them."""
MAX_COMPLETIONS = 100
"""Names and titles with a prefix that are read to find the most frequent."""
MAX_PREFIX_COUNT = 100_000
"""A prefix whose words occur more often than this has too many titles to complete."""

_NO_FACETS: FacetCounts = (MappingProxyType({}), False)

_log = logging.getLogger("lycosa.portal")


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

    def __init__(self, folder: str | Path, ranking: Ranking = DEFAULT_RANKING) -> None:
        self._folder = Path(folder)
        self._stamped = str(self._folder / META), str(self._folder / MEANING)
        self._ranking = ranking
        self._analysis = Analysis()
        self._lock = threading.Lock()
        if not (self._folder / META).is_file():
            raise StoreError(f"There is no index in {folder}: build the portal first.")
        with translate_errors(self._folder):
            self._readable = ReadableFolder(self._folder)
        self._index = open_for_reading(self._readable)
        self._clear_caches()
        self._snapshot = self._open_snapshot(self._read_stamp())

    @classmethod
    def open(cls, folder: str | Path, ranking: Ranking = DEFAULT_RANKING) -> Engine:
        """Open the index that a build has written to a folder; `ranking` are the weights."""
        return cls(folder, ranking)

    def __len__(self) -> int:
        return self._latest().searcher.num_docs

    @property
    def generation(self) -> tuple[int, ...]:
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
        chosen = _clean_filters(filters)
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
        notices = [*parsed.notices, *filter(None, [narrowed]), *queries.expansion_notices(tree)]
        selector = Selector(snapshot, queries, filters, deadline)
        window = ((page - 1) * size, size)
        if sort == "relevance" and split_query(tree).words:
            selection = selector.rank(text, tree, *window)
        else:
            gather = facets and page == 1 and has_phrase(tree)
            selection = selector.sort(tree, sort, *window, gather=gather)
        notices += selection.notices
        if page > 1 and page * size > MAX_RESULTS:
            notices.append(
                Message("Only the first %(results)s results can be shown.", results=MAX_RESULTS)
            )
        counts, estimated = _NO_FACETS
        suggestion = ""
        try:
            if facets:
                key = (repr(tree), sort == "relevance")
                counts, estimated = self._facets(snapshot, key, selection, filters, deadline)
            suggestion = self._suggestion(
                snapshot, text, tree, selection.matches, filters, deadline
            )
        except SearchTimeout:
            _log.debug("a search has reached its deadline before its end")
            notices.append(TIMEOUT_NOTICE)
        return Results(
            text,
            tuple(notices),
            selection.total,
            self._hits(
                snapshot, selection.split.tree if selection.split else tree, selection.works[:size]
            ),
            counts,
            suggestion,
            page,
            size,
            selection.complete,
            estimated,
            selection.approximate,
        )

    def explain(
        self,
        text: str,
        work: str,
        *,
        filters: Filters = MappingProxyType({}),
        deadline: Deadline | None = None,
    ) -> Explanation | None:
        """Return why a work is among the results by relevance, or that it is not.

        None if the work is not indexed. The arguments are those of `search`, which it repeats.
        """
        chosen = _clean_filters(filters)
        with translate_errors(self._folder):
            snapshot = self._latest()
            tree, queries, _ = self._narrow(snapshot, parse_query(text).tree, chosen)
            selector = Selector(snapshot, queries, chosen, deadline or Deadline())
            explainer = Explainer(snapshot, queries, self._analysis, selector, chosen)
            return explainer.explain(text, tree, work)

    def related(self, work: str, limit: int = 10) -> list[str]:
        """Return the ids of related works, the nearest first; none if the work is not indexed."""
        with translate_errors(self._folder):
            snapshot = self._latest()
            related = RelatedWorks(
                snapshot.searcher,
                snapshot.schema,
                self._analysis,
                snapshot.meaning.table,
                snapshot.frequencies,
            )
            return related.of(clean(work), limit)

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

    def _has_matches(self, snapshot: Snapshot, text: str) -> bool:
        return count_matches(snapshot.searcher, self._matching(snapshot, text)) > 0

    def _matching(self, snapshot: Snapshot, text: str) -> Query:
        tree, queries, _ = self._narrow(snapshot, parse_query(text).tree)
        return queries.matching(tree)

    def _narrow(
        self, snapshot: Snapshot, tree: Tree | None, filters: Filters = MappingProxyType({})
    ) -> tuple[Tree | None, QueryBuilder, str]:
        """Limit the cost of a query; return it with the builder for it, and a notice."""
        # The values of each facet that filters are counted by searches without that filter.
        narrowed = narrow(tree, snapshot.costs, MAX_COST, searches=1 + len(filters))
        return narrowed.tree, snapshot.queries.limited(narrowed.expansions), narrowed.notice

    def _hits(
        self, snapshot: Snapshot, tree: Tree | None, found: Sequence[RankedWork]
    ) -> list[Hit]:
        highlighter = Highlighter(tree, self._analysis, snapshot.queries.languages)
        hits = []
        for work in found:
            document = snapshot.searcher.doc(work.address)
            language = document.get_first("language") or ""
            texts = (stored_text(document, "shown_abstract"), stored_text(document, "shown_text"))
            hits.append(
                Hit(
                    str(document.get_first("id")),
                    float(work.score),
                    highlighter.title(stored_text(document, "shown_title"), language=language),
                    highlighter.snippet(*texts, language=language),
                    work.signals,
                )
            )
        return hits

    def _facets(
        self,
        snapshot: Snapshot,
        query: tuple[object, ...],
        selection: Selection,
        filters: Filters,
        deadline: Deadline,
    ) -> FacetCounts:
        chosen = tuple(sorted((name, tuple(values)) for name, values in filters.items()))
        key = (*query, chosen)
        counts = snapshot.facets.get(key)
        if counts is None:
            facets = Facets(
                snapshot.searcher,
                snapshot.queries,
                selection.counted,
                snapshot.labels,
                deadline.check,
            )
            found = facets.of(filters, selection.counted_works, selection.whole)
            counts = snapshot.facets[key] = found, facets.estimated
        return counts

    def _suggestion(
        self,
        snapshot: Snapshot,
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
            query = snapshot.queries.filtered(self._matching(snapshot, corrected), filters)
            return count_matches(snapshot.searcher, query) > SUGGESTION_GAIN * matches

        deadline.check()
        return suggest_query(text, tree, snapshot.spelling, self._analysis, is_better)

    def _latest(self) -> Snapshot:
        """Return the latest snapshot; open it if there was a commit since the last call."""
        stamp = self._read_stamp()
        if stamp != self._snapshot.stamp:
            with self._lock:
                if stamp != self._snapshot.stamp:
                    self._snapshot = self._open_snapshot(stamp)
                    _log.debug("opened the index in %s after a commit", self._folder)
        return self._snapshot

    def _read_stamp(self) -> tuple[int, ...]:
        """Return the identity of the files that every commit replaces: index, then vectors."""
        index, meaning = self._stamped
        with translate_errors(self._folder):
            status = os.stat(index)
        try:
            vectors = os.stat(meaning).st_mtime_ns
        except FileNotFoundError:
            vectors = 0
        return status.st_mtime_ns, status.st_ino, status.st_size, vectors

    def _open_snapshot(self, stamp: tuple[int, ...]) -> Snapshot:
        with translate_errors(self._folder):
            self._readable.refresh()
            self._index.reload()
            searcher, schema = self._index.searcher(), self._index.schema
        vocabulary = Vocabulary.load(self._folder)
        expansions = Expansions(searcher, vocabulary)
        spelling = Spelling(vocabulary)
        queries = QueryBuilder(schema, searcher, self._analysis, expansions, spelling)
        costs = CostModel(searcher, self._analysis, expansions, queries.languages)
        meaning = Meaning.load(self._folder)
        ranker = Ranker(searcher, queries, meaning, self._ranking)
        if time.monotonic() - self._cleared > REFRESH_SECONDS:
            self._clear_caches()
        return Snapshot(
            stamp, searcher, schema, vocabulary, spelling, queries, costs, ranker, meaning,
            self._labels, self._frequencies,
        )  # fmt: skip

    def _clear_caches(self) -> None:
        self._labels: BoundedCache[int, tuple[str, str]] = BoundedCache(MAX_LABELS)
        self._frequencies: BoundedCache[str, int] = BoundedCache(MAX_FREQUENCIES)
        self._cleared = time.monotonic()


def _clean_filters(filters: Filters) -> dict[str, list[str]]:
    for name in filters:
        if name not in FACETS:
            raise UnknownName("facet", name, FACETS)
    return {name: [clean(v) for v in values if v] for name, values in filters.items()}
