"""Counts of the values that search results share: the facets.

The counts of a facet ignore the filter on that facet, so that a second value
can be chosen beside the first: they tell what choosing it would add. Of very
many results a sample is counted, and the numbers are estimates. The sample is
drawn by the ids of works, and so is always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping, Sequence
from typing import Any, Final

from tantivy import DocAddress, Query, Searcher

from lycosa.portal.fields import FACETS, facet_spec
from lycosa.portal.search.layout import (
    CODED,
    SAMPLE_LEVELS,
    SEPARATOR,
    code,
    counted_field,
    label_prefix,
)
from lycosa.portal.search.query import QueryBuilder, count_matches
from lycosa.portal.search.results import FacetValue

MAX_COUNTED_WORKS: Final = 1_000
"""Of more results a sample is counted, of half this size or more."""
ESTIMATE_LEVEL: Final = 6
"""How often works are halved to estimate how many match."""
MAX_BUCKETS: Final = 10_000
"""Values of a facet among which the chosen ones are found: works have several authors."""
MAX_SPELLINGS: Final = 100
"""Of one value, from which its label is chosen."""
MAX_LABELS: Final = 20_000
"""Labels of codes that an engine caches."""


class Facets:
    """Counts facet values among the matches of a query.

    `queries` and `searcher` are of one state of the index; `known` is a cache of
    the values and labels of codes, shared by the searches of that state. `check`
    is called before every search, and raises an exception if there is no time left.
    """

    def __init__(
        self,
        searcher: Searcher,
        queries: QueryBuilder,
        query: Query,
        known: MutableMapping[int, tuple[str, str]],
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._searcher = searcher
        self._queries = queries
        self._query = query
        self._known = known
        self._check = check
        self.estimated = False
        """Whether some counts are estimates."""

    def of(
        self,
        filters: Mapping[str, Sequence[str]],
        total: int,
        whole: Sequence[DocAddress] | None = None,
    ) -> dict[str, list[FacetValue]]:
        """Return the values of each facet, the most frequent first; years from the latest.

        `filters` are the chosen values, `total` is the number of works that match
        with them, and `whole` are all these works if they are known: then they
        need not be searched again.
        """
        chosen = {name: [v for v in filters.get(name, ()) if v] for name in FACETS}
        free = [name for name in FACETS if not chosen[name]]
        if whole is None:
            query = self._queries.filtered(self._query, chosen)
        else:
            numbers = self._searcher.fast_field_values("number", list(whole))
            query = self._queries.numbered([int(number or 0) for number in numbers])
        counts = self._counts(free, query, total)
        for name, wanted in chosen.items():
            if wanted:
                others = {**chosen, name: []}
                query = self._queries.filtered(self._query, others)
                counts |= self._counts([name], query, self._estimate(query), wanted)
                found = {each.value for each in counts[name]}
                missing = [value for value in wanted if value not in found]
                counts[name] += [
                    FacetValue(value, self._label(name, value), works, chosen=True)
                    for value, works in self._exact_counts(name, missing, others).items()
                ]
        return {name: counts[name] for name in FACETS}

    def _exact_counts(
        self, name: str, values: Sequence[str], others: Mapping[str, Sequence[str]]
    ) -> dict[str, int]:
        """Return how many works have each of some values, beside the filters on other facets."""
        if not values:
            return {}
        if name == "year":  # may be a range
            return {value: self._count({**others, name: [value]}) for value in values}
        self._check()
        query = self._queries.filtered(self._query, {**others, name: values})
        terms = {"field": counted_field(name), "size": MAX_BUCKETS}
        answer = self._searcher.aggregate(query, {name: {"terms": terms}})
        found = {each["key"]: each["doc_count"] for each in answer[name]["buckets"]}
        keys = {value: code(name, value) if name in CODED else value for value in values}
        return {value: found.get(key, 0) for value, key in keys.items()}

    def _count(self, filters: Mapping[str, Sequence[str]]) -> int:
        self._check()
        return count_matches(self._searcher, self._queries.filtered(self._query, filters))

    def _counts(
        self, names: Iterable[str], query: Query, works: int, chosen: Collection[str] = ()
    ) -> dict[str, list[FacetValue]]:
        """Return the values of facets, for a query that matches about so many works."""
        halved = min(max(works - 1, 0) // MAX_COUNTED_WORKS, (1 << SAMPLE_LEVELS) - 1).bit_length()
        if halved:
            self.estimated = True
            query = self._queries.sampled(query, halved)
        self._check()
        answer = self._searcher.aggregate(
            query, {name: {"terms": _aggregation(name)} for name in names}
        )
        return {
            name: self._values(
                name,
                [(each["key"], each["doc_count"] << halved) for each in found["buckets"]],
                chosen,
            )
            for name, found in answer.items()
        }

    def _estimate(self, query: Query) -> int:
        """Estimate from a small sample how many works match a query."""
        return (
            count_matches(self._searcher, self._queries.sampled(query, ESTIMATE_LEVEL))
            << ESTIMATE_LEVEL
        )

    def _values(
        self, name: str, buckets: Sequence[tuple[Any, int]], chosen: Collection[str]
    ) -> list[FacetValue]:
        """Return the values of a facet from the keys and counts of an aggregation."""
        if name == "year":
            years = [(str(int(year)), works) for year, works in buckets]
            return [FacetValue(year, year, works, year in chosen) for year, works in years]
        if name in CODED:
            resolve = self._resolve
            found = [(*resolve(int(code)), works) for code, works in buckets]
        else:
            found = [(value, "", works) for value, works in buckets]
        found.sort(key=lambda each: (-each[2], each[0]))
        label = self._label
        return [
            FacetValue(value, shown or label(name, value), works, value in chosen)
            for value, shown, works in found
        ]

    def _label(self, name: str, value: str) -> str:
        """Return how a value is shown."""
        if name == "topic":
            return value.rsplit("/", 1)[-1].replace("-", " ")
        if name == "author":
            return self._resolve(code(name, value))[1] or value
        return FACETS[name].shown(value)

    def _resolve(self, number: int) -> tuple[str, str]:
        """Return the value of a code, and the label that most works have for it."""
        found = self._known.get(number)
        if found is None:
            start = label_prefix(number)
            terms = self._searcher.terms_with_prefix("labels", start, limit=MAX_SPELLINGS)
            best, _ = max(terms, key=lambda pair: (pair[1], len(pair[0])), default=("", 0))
            value, _, shown = best.removeprefix(start).partition(SEPARATOR)
            found = self._known[number] = (value, shown)
        return found


def _aggregation(name: str) -> dict[str, Any]:
    terms: dict[str, Any] = {"field": counted_field(name), "size": facet_spec(name).max_values}
    if name == "year":
        terms["order"] = {"_key": "desc"}
    return terms
