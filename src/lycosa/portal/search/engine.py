"""Searching: a query in, a page of results out."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from tantivy import DocAddress, Query, Schema, Searcher

from lycosa.errors import UnknownName
from lycosa.goals.syntax import And, Not, Tree
from lycosa.portal.search.analysis import Analysis, clean, is_english
from lycosa.portal.search.facets import Facets
from lycosa.portal.search.highlight import Highlighter
from lycosa.portal.search.index import META, damage, existing
from lycosa.portal.search.layout import APART, AUTHOR, FACETS, LONGEST, TITLE
from lycosa.portal.search.query import QueryBuilder, count_matches, has_phrase, required_parts
from lycosa.portal.search.query_repair import parse_query
from lycosa.portal.search.related import related_query, stored_text
from lycosa.portal.search.results import FacetValue, Hit, Results
from lycosa.portal.search.spelling import suggest_query
from lycosa.portal.search.vocabulary import Vocabulary

SORTS: Mapping[str, str] = MappingProxyType(
    {"relevance": "", "cited": "by_cited", "date": "by_date"}
)
"""What results can be sorted by, and the field that does it."""
DEEPEST = 10_000
"""How many works can be paged through."""
LARGEST = 200
"""Works on a page."""
FEW = 2
"""Up to so many works found, another spelling may be meant."""
MORE = 10
"""How many times more works the other spelling must find."""
REMEMBERED = 256
"""For how many queries the facets are kept until the next commit."""
GATHERED = 500
"""Up to so many works are all taken from a search, to count their facets without another."""
REFRESHED = 60.0
"""Seconds after which labels and frequencies are looked up again; a commit changes few of them."""
COMPLETIONS = 100
"""How many names and titles that begin so are looked at."""
CROWD = 100_000
"""Where works have words that begin so more often, too many titles would have to be looked at."""

Filters: TypeAlias = Mapping[str, Sequence[str]]
_Counts: TypeAlias = tuple[Mapping[str, list[FacetValue]], bool]
_NO_FACETS: _Counts = (MappingProxyType({}), False)


@dataclass(frozen=True, slots=True)
class _State:
    """One state of the index; a commit makes another."""

    stamp: tuple[int, int, int]
    searcher: Searcher
    schema: Schema
    vocabulary: Vocabulary
    queries: QueryBuilder
    codes: dict[int, tuple[str, str]]
    """The values and labels of codes."""
    frequencies: dict[str, int]
    """How many works have words of titles and abstracts."""
    counts: dict[tuple[object, ...], _Counts] = field(default_factory=dict)
    """The facets of queries that were asked."""


class Engine:
    """Searches an index that others may be writing to; safe to share among threads.

    >>> from tempfile import TemporaryDirectory
    >>> from lycosa.portal.search import Entry, Index
    >>> with TemporaryDirectory() as folder:
    ...     index = Index.open(folder)
    ...     index.update([Entry("w1", "paper", "Spiders that learn", year=1997)])
    ...     index.commit()
    ...     results = Engine.open(folder).search("spider year:1996..1999")
    >>> results.total, results.hits[0].title
    (1, (('Spiders', True), (' that learn', False)))
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        self._analysis = Analysis()
        self._lock = threading.Lock()
        self._index = existing(self._folder)
        self._codes: dict[int, tuple[str, str]] = {}
        self._frequencies: dict[str, int] = {}
        self._refreshed = time.monotonic()
        self._state = self._opened(self._stamp())

    @classmethod
    def open(cls, folder: str | Path) -> Engine:
        """The engine of an index that was built."""
        return cls(folder)

    def __len__(self) -> int:
        return self._now().searcher.num_docs

    @property
    def generation(self) -> tuple[int, int, int]:
        """Another one after every commit."""
        return self._now().stamp

    def search(
        self,
        text: str,
        *,
        page: int = 1,
        size: int = 20,
        sort: str = "relevance",
        filters: Filters = MappingProxyType({}),
        facets: bool = True,
    ) -> Results:
        """A page of what a query finds, whatever it is.

        `filters` has values of facets: a work must have one of the values of
        every facet named. Without facets it is faster.
        """
        if sort not in SORTS:
            raise UnknownName("order of results", sort, SORTS)
        for name in filters:
            if name not in FACETS:
                raise UnknownName("facet", name, FACETS)
        chosen = {name: [clean(v) for v in values if v] for name, values in filters.items()}
        with damage(self._folder):
            return self._search(
                text, max(page, 1), min(max(size, 0), LARGEST), sort, chosen, facets
            )

    def _search(
        self, text: str, page: int, size: int, sort: str, filters: Filters, counted: bool
    ) -> Results:
        state = self._now()
        asked = parse_query(text)
        notices = [*filter(None, [asked.notice]), *state.queries.limits(asked.tree)]
        place = (sort, (page - 1) * size, size)
        if counted and page == 1 and has_phrase(asked.tree):
            place = (sort, 0, max(size, GATHERED))
        matching = state.queries.matching(asked.tree)
        all_parts, found = self._found(state, state.queries.scoring(asked.tree), filters, *place)
        total = all_parts
        if not total and isinstance(asked.tree, And):
            parts = sum(not isinstance(part, Not) for part in required_parts(asked.tree))
            if least := self._least(state, asked.tree, parts, filters):
                matching = state.queries.most(asked.tree, least, scored=False)
                scoring = state.queries.most(asked.tree, least, scored=True)
                total, found = self._found(state, scoring, filters, *place)
                notices.append(
                    f"Nothing has all {parts} of these; what is shown has "
                    f"{'one' if least == 1 else f'at least {least}'} of them."
                )
        if page > 1 and page * size > DEEPEST:
            notices.append(f"Only the first {DEEPEST:,} works can be paged through.")
        counts, estimated = _NO_FACETS
        if counted:
            counts, estimated = self._facets(state, asked.tree, matching, filters, total, found)
        return Results(
            text,
            " ".join(notices),
            total,
            self._hits(state, asked.tree, found[:size]),
            counts,
            self._suggestion(state, text, asked.tree, all_parts, filters),
            page,
            size,
            estimated,
        )

    def related(self, work: str, most: int = 10) -> list[str]:
        """The ids of works like this one, the nearest first; none if it is not here."""
        with damage(self._folder):
            state = self._now()
            work = clean(work)
            itself = Query.term_query(state.schema, "id", work, "basic")
            found = state.searcher.search(itself, 1, count=False).hits
            if not found:
                return []
            document = state.searcher.doc(found[0][1])
            like = related_query(
                state.searcher, state.schema, self._analysis, work, document, state.frequencies
            )
            near = state.searcher.search(like, most, count=False).hits
            return [str(state.searcher.doc(address).get_first("id")) for _, address in near]

    def complete(self, prefix: str, most: int = 8) -> list[str]:
        """What somebody may be about to type: words, then authors, then titles."""
        state = self._now()
        terms = self._analysis.exact(clean(prefix[:LONGEST]))
        if not terms:
            return []
        *before, last = terms.split()
        found: dict[str, None] = {}
        with damage(self._folder):
            for word in state.vocabulary.completed(last, 2 * most):
                whole = " ".join([*before, word])
                if len(found) <= most // 2 and (not before or self._finds(state, whole)):
                    found[whole] = None
            crowded = not before and state.vocabulary.uses(last) > CROWD
            for kind in (AUTHOR,) if crowded else (AUTHOR, TITLE):
                start = f"{kind}{APART}{terms}"
                named = state.searcher.terms_with_prefix("completions", start, limit=COMPLETIONS)
                for term, _ in sorted(named, key=lambda pair: -pair[1])[:most]:
                    found[term.rsplit(APART, 1)[-1]] = None
        return [text for text in found if text != prefix][:most]

    def _finds(self, state: _State, text: str) -> bool:
        return self._count(state, state.queries.matching(parse_query(text).tree), {}) > 0

    def _count(self, state: _State, query: Query, filters: Filters) -> int:
        return count_matches(state.searcher, state.queries.filtered(query, filters))

    def _least(self, state: _State, tree: And, parts: int, filters: Filters) -> int:
        """The most parts of a query that some work has; more parts have fewer works."""

        def some(least: int) -> bool:
            query = state.queries.most(tree, least, scored=False)
            return self._count(state, query, filters) > 0

        low, high = 0, parts - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if some(middle) else (low, middle - 1)
        return low

    def _found(
        self, state: _State, query: Query, filters: Filters, sort: str, offset: int, size: int
    ) -> tuple[int, list[tuple[float, DocAddress]]]:
        """How many works a query finds, and some of them in their order."""
        size = max(min(size, DEEPEST - offset), 0)
        order: dict[str, Any] = (
            {"order_by_field": SORTS[sort]} if SORTS[sort] else {"weight_by_field": "prior"}
        )
        query = state.queries.filtered(query, filters)
        start = offset if size else 0
        answer: Any = state.searcher.search(query, size or 1, offset=start, **order)
        return int(answer.count), answer.hits[:size]

    def _hits(
        self, state: _State, tree: Tree | None, found: list[tuple[float, DocAddress]]
    ) -> list[Hit]:
        marker = Highlighter(tree, self._analysis)
        hits = []
        for score, address in found:
            document = state.searcher.doc(address)
            english = is_english(document.get_first("language") or "")
            texts = (stored_text(document, "shown_abstract"), stored_text(document, "shown_text"))
            hits.append(
                Hit(
                    str(document.get_first("id")),
                    float(score),
                    marker.title(stored_text(document, "shown_title"), english=english),
                    marker.snippet(*texts, english=english),
                )
            )
        return hits

    def _facets(
        self,
        state: _State,
        tree: Tree | None,
        query: Query,
        filters: Filters,
        total: int,
        found: Sequence[tuple[float, DocAddress]],
    ) -> _Counts:
        chosen = tuple(sorted((name, tuple(values)) for name, values in filters.items()))
        key = (str(tree), chosen)
        counts = state.counts.get(key)
        if counts is None:
            facets = Facets(state.searcher, state.queries, query, state.codes)
            whole = [address for _, address in found] if len(found) == total else None
            counts = facets.of(filters, total, whole), facets.estimated
            if len(state.counts) >= REMEMBERED:
                state.counts.clear()
            state.counts[key] = counts
        return counts

    def _suggestion(
        self, state: _State, text: str, tree: Tree | None, found: int, filters: Filters
    ) -> str:
        if tree is None or found > FEW:
            return ""

        def enough(corrected: str) -> bool:
            query = state.queries.matching(parse_query(corrected).tree)
            return self._count(state, query, filters) > MORE * found

        return suggest_query(text, tree, state.vocabulary, self._analysis, enough)

    def _now(self) -> _State:
        """The latest state."""
        stamp = self._stamp()
        if stamp != self._state.stamp:
            with self._lock:
                if stamp != self._state.stamp:
                    self._state = self._opened(stamp)
        return self._state

    def _stamp(self) -> tuple[int, int, int]:
        """Changes with every commit."""
        with damage(self._folder):
            status = (self._folder / META).stat()
        return status.st_mtime_ns, status.st_ino, status.st_size

    def _opened(self, stamp: tuple[int, int, int]) -> _State:
        with damage(self._folder):
            self._index.reload()
            searcher, schema = self._index.searcher(), self._index.schema
        vocabulary = Vocabulary.load(self._folder)
        queries = QueryBuilder(schema, searcher, self._analysis, vocabulary)
        if time.monotonic() - self._refreshed > REFRESHED:
            self._codes, self._frequencies, self._refreshed = {}, {}, time.monotonic()
        known = self._codes, self._frequencies
        return _State(stamp, searcher, schema, vocabulary, queries, *known)
