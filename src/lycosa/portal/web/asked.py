"""What a reader asked for, from the address of a page of results, and the addresses near it.

>>> from starlette.datastructures import QueryParams
>>> asked = Asked.read(QueryParams("q=spiders&page=x&year=1997&year=1998&sort=cited"))
>>> asked.page, asked.filters, asked.without("year", "1997").query()
(1, {'year': ('1997', '1998')}, {'q': 'spiders', 'sort': 'cited', 'year': ['1998']})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.datastructures import QueryParams

SORTS: Mapping[str, str] = {"relevance": "Relevance", "cited": "Most cited", "date": "Newest"}
FILTERS: Mapping[str, str] = {
    "topic": "Topic",
    "year": "Year",
    "author": "Author",
    "venue": "Published in",
    "type": "Type",
    "site": "Site",
}
"""What results can be narrowed by, in the order in which it is shown."""
LONGEST = 1000
"""Characters of a query that are searched for."""
PAGES = 100
"""Nobody looks further, and going there is slow."""
SIZE = 10
_MOST = 20  # values of one filter


@dataclass(frozen=True, slots=True)
class Asked:
    """A query, how it is narrowed and sorted, and the page of its results."""

    text: str = ""
    page: int = 1
    sort: str = "relevance"
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cut: bool = False
    """Whether the query was longer than what is searched for."""

    @classmethod
    def read(cls, params: QueryParams) -> Asked:
        """From the parameters of an address; what makes no sense there is left out."""
        text = " ".join(params.get("q", "").split())
        filters = {}
        for name in FILTERS:
            values = [value.strip()[:200] for value in params.getlist(name)]
            if kept := tuple(dict.fromkeys(value for value in values if value))[:_MOST]:
                filters[name] = kept
        sort = params.get("sort", "")
        return cls(
            text[:LONGEST],
            place(params.get("page", ""), PAGES),
            sort if sort in SORTS else "relevance",
            filters,
            len(text) > LONGEST,
        )

    def without(self, name: str, value: str) -> Asked:
        """No longer narrowed by a value."""
        values = tuple(known for known in self.filters.get(name, ()) if known != value)
        others = {key: known for key, known in self.filters.items() if key != name}
        return replace(self, page=1, filters={**others, name: values} if values else others)

    def query(self) -> dict[str, Any]:
        """The parameters of its address, without those that say nothing."""
        found: dict[str, Any] = {"q": self.text}
        if self.page > 1:
            found["page"] = self.page
        if self.sort != "relevance":
            found["sort"] = self.sort
        return found | {name: list(self.filters[name]) for name in FILTERS if name in self.filters}


def place(text: str, last: int) -> int:
    """A number from 1 to the last as an address has it; what is none is 1.

    >>> place("3", 5), place("30", 5), place("-3", 5), place("3x", 5)
    (3, 5, 1, 1)
    """
    known = text.isascii() and text.isdecimal() and len(text) < 10
    return min(max(int(text), 1), last) if known else 1


def around(page: int, last: int) -> list[int]:
    """The pages to offer on a page: the first, those near it, the last; 0 is a gap.

    >>> around(1, 3), around(10, 50)
    ([1, 2, 3], [1, 0, 9, 10, 11, 0, 50])
    """
    near = [n for n in range(1, last + 1) if n in (1, page - 1, page, page + 1, last)]
    found: list[int] = []
    for number in near:
        if found and number == found[-1] + 2:
            found.append(number - 1)
        elif found and number > found[-1] + 1:
            found.append(0)
        found.append(number)
    return found
