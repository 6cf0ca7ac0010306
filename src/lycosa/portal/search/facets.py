"""What the works found have in common, counted.

The counts of a facet leave its own choice out, so that a second value can be
chosen beside the first: they say what choosing it would add. Where very many
works were found, the values of a part of them are counted, which is drawn by
their ids and so is always the same, and the numbers are estimates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from types import MappingProxyType
from typing import Any

from tantivy import DocAddress, Query, Searcher

from lycosa.portal.search.layout import APART, CODED, FACETS, HALVINGS, code, label
from lycosa.portal.search.query import QueryBuilder, count_matches
from lycosa.portal.search.results import FacetValue

SHOWN: Mapping[str, int] = MappingProxyType(
    {"topic": 1000, "year": 300, "venue": 20, "author": 20, "site": 20, "type": 20}
)
"""How many values of each; all topics and all years."""
COUNTED = 1_000
"""Of more works a part is counted, of half this size or more."""
TRIED = 6
"""How often works are halved to guess how many there are."""
NAMES = 100
"""How many forms of the name of an author are looked at."""
MAX_LABELS = 20_000
"""Labels of codes that an engine caches."""


class Facets:
    """Counts what the works have that a query finds.

    `known` is where the values and labels of codes are remembered.
    """

    def __init__(
        self,
        searcher: Searcher,
        queries: QueryBuilder,
        query: Query,
        known: MutableMapping[int, tuple[str, str]],
    ) -> None:
        self._searcher = searcher
        self._queries = queries
        self._query = query
        self._known = known
        self.estimated = False
        """Whether some numbers are estimates."""

    def of(
        self,
        filters: Mapping[str, Sequence[str]],
        total: int,
        whole: Sequence[DocAddress] | None = None,
    ) -> dict[str, list[FacetValue]]:
        """The values of each facet, those of most works first; years from the latest.

        `total` works are found among what is chosen; `whole` are all of them,
        if they are known: then they need not be searched again.
        """
        chosen = {name: [v for v in filters.get(name, ()) if v] for name in FACETS}
        free = [name for name in FACETS if not chosen[name]]
        if whole is None:
            query = self._queries.filtered(self._query, chosen)
        else:
            numbers = self._searcher.fast_field_values("number", list(whole))
            query = self._queries.numbered([int(number or 0) for number in numbers])
        counts = self._counts(free, query, total)
        for name in FACETS:
            if chosen[name]:
                others = {**chosen, name: []}
                query = self._queries.filtered(self._query, others)
                counts |= self._counts([name], query, self._guessed(query))
                for value in chosen[name]:
                    if value not in counts[name]:
                        alone = self._queries.filtered(self._query, {**others, name: [value]})
                        works = count_matches(self._searcher, alone)
                        counts[name][value] = (works, self._label(name, value))
        return {
            name: [
                FacetValue(value, shown, works, value in chosen[name])
                for value, (works, shown) in counts[name].items()
            ]
            for name in FACETS
        }

    def _counts(
        self, names: Iterable[str], query: Query, works: int
    ) -> dict[str, dict[str, tuple[int, str]]]:
        """The works and the label of each value, where a query finds about so many works."""
        halved = min(max(works - 1, 0) // COUNTED, (1 << HALVINGS) - 1).bit_length()
        if halved:
            self.estimated = True
            query = self._queries.sampled(query, halved)
        answer = self._searcher.aggregate(query, {name: {"terms": _asked(name)} for name in names})
        return {
            name: self._values(
                name, [(each["key"], each["doc_count"] << halved) for each in found["buckets"]]
            )
            for name, found in answer.items()
        }

    def _guessed(self, query: Query) -> int:
        """About how many works a query finds, by a small part of them."""
        return count_matches(self._searcher, self._queries.sampled(query, TRIED)) << TRIED

    def _values(self, name: str, buckets: list[tuple[Any, int]]) -> dict[str, tuple[int, str]]:
        found = []
        for key, works in buckets:
            value = str(int(key)) if name == "year" else key
            value, shown = self._meant(int(key)) if name in CODED else (value, "")
            found.append((value, (works, shown or self._label(name, value))))
        if name != "year":
            found.sort(key=lambda pair: (-pair[1][0], pair[0]))
        return dict(found)

    def _label(self, name: str, value: str) -> str:
        """How a value is shown."""
        if name == "topic":
            return value.rsplit("/", 1)[-1].replace("-", " ")
        if name == "author":
            return self._meant(code(name, value))[1] or value
        return value

    def _meant(self, number: int) -> tuple[str, str]:
        """The value and the label that go with a code: the label that most works have."""
        found = self._known.get(number)
        if found is None:
            start = label(number)
            terms = self._searcher.terms_with_prefix("labels", start, limit=NAMES)
            best, _ = max(terms, key=lambda pair: (pair[1], len(pair[0])), default=("", 0))
            value, _, shown = best.removeprefix(start).partition(APART)
            found = self._known[number] = (value, shown)
        return found


def _asked(name: str) -> dict[str, Any]:
    asked: dict[str, Any] = {"field": name, "size": SHOWN[name]}
    if name in CODED:
        asked["field"] = f"{name}_code"
    if name == "year":
        asked["order"] = {"_key": "desc"}
    return asked
