"""Search requests: the query, filters, order and page in the URL of a results page.

>>> from starlette.datastructures import QueryParams
>>> url = QueryParams("q=spiders&page=x&year=1997&year=1998&sort=cited")
>>> request = SearchRequest.from_params(url)
>>> request.page, request.filters, request.without("year", "1997").params()
(1, {'year': ('1997', '1998')}, {'q': 'spiders', 'sort': 'cited', 'year': ['1998']})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.datastructures import QueryParams

from lycosa.portal.fields import FACETS, SORTS, facet_spec

FILTERS: Mapping[str, str] = {name: facet_spec(name).title for name in FACETS}
"""The facets that filter results and their labels, in the order in which a page shows them."""
MAX_QUERY_LENGTH = 1000
"""Characters of a query; the rest is ignored."""
MAX_PAGES = 100
"""Pages of results; the cost of a page grows with its number."""
PAGE_SIZE = 10
MAX_FILTER_VALUES = 20
"""Values of one filter."""
MAX_FILTER_VALUE_LENGTH = 200
MAX_YEAR_LENGTH = 4


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A query with its filters, its order and the page of results."""

    text: str = ""
    """The query, at most `MAX_QUERY_LENGTH` characters."""
    page: int = 1
    sort: str = "relevance"
    """A key of `SORTS`."""
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The chosen values by facet; a work must have one of each facet."""
    truncated: bool = False
    """Whether the query was longer than `MAX_QUERY_LENGTH`."""

    @classmethod
    def from_params(cls, params: QueryParams) -> SearchRequest:
        """Parse the parameters of a URL; invalid values are replaced by defaults."""
        text = " ".join(params.get("q", "").split())
        filters = {}
        for name in FILTERS:
            values = [value.strip()[:MAX_FILTER_VALUE_LENGTH] for value in params.getlist(name)]
            distinct = tuple(dict.fromkeys(value for value in values if value))
            if distinct:
                filters[name] = distinct[:MAX_FILTER_VALUES]
        if years := _year_range(params.get("from", ""), params.get("to", "")):
            filters["year"] = (years,)
        sort = params.get("sort", "")
        return cls(
            text[:MAX_QUERY_LENGTH],
            parse_page_number(params.get("page", ""), MAX_PAGES),
            sort if sort in SORTS else "relevance",
            filters,
            len(text) > MAX_QUERY_LENGTH,
        )

    def without(self, name: str, value: str) -> SearchRequest:
        """Return the same request without one value of a filter."""
        values = tuple(known for known in self.filters.get(name, ()) if known != value)
        others = {key: known for key, known in self.filters.items() if key != name}
        return replace(self, page=1, filters={**others, name: values} if values else others)

    def params(self) -> dict[str, Any]:
        """Return the parameters of its URL, without those that have their default."""
        found: dict[str, Any] = {"q": self.text}
        if self.page > 1:
            found["page"] = self.page
        if self.sort != "relevance":
            found["sort"] = self.sort
        return found | {name: list(self.filters[name]) for name in FILTERS if name in self.filters}


def _year_range(start: str, end: str) -> str:
    """Return two years of a form as a value of the filter; empty if either is none.

    >>> _year_range("1999", "1996"), _year_range("", "1996")
    ('1996..1999', '')
    """
    years = [text for text in (start, end) if text.isascii() and text.isdecimal()]
    if len(years) < 2 or max(map(len, years)) > MAX_YEAR_LENGTH:
        return ""
    low, high = sorted(map(int, years))
    return f"{low}..{high}"


def parse_page_number(text: str, last: int) -> int:
    """Return the page number in a URL, at most the last; 1 if the text is not a number.

    >>> [parse_page_number(text, 5) for text in ("3", "30", "-3", "3x")]
    [3, 5, 1, 1]
    """
    is_number = text.isascii() and text.isdecimal() and len(text) < 10
    return min(max(int(text), 1), last) if is_number else 1


def page_numbers(page: int, last: int) -> list[int]:
    """Return the pages that a pager offers: first, last, current and its neighbours; 0 is a gap.

    >>> page_numbers(1, 3), page_numbers(10, 50)
    ([1, 2, 3], [1, 0, 9, 10, 11, 0, 50])
    """
    offered = [n for n in range(1, last + 1) if n in (1, page - 1, page, page + 1, last)]
    found: list[int] = []
    for number in offered:
        if found and number == found[-1] + 2:
            found.append(number - 1)
        elif found and number > found[-1] + 1:
            found.append(0)
        found.append(number)
    return found
