from dataclasses import replace
from urllib.parse import urlencode

from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import QueryParams

from lycosa.portal.fields import SORTS
from lycosa.portal.web.search_request import (
    FILTERS,
    MAX_PAGES,
    MAX_QUERY_LENGTH,
    SearchRequest,
    page_numbers,
)

values = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
names = st.sampled_from(["q", "page", "sort", "odd", *FILTERS])


@given(st.lists(st.tuples(names, values), max_size=12))
def test_parses_any_url_and_writes_it_back(pairs):
    request = SearchRequest.from_params(QueryParams(pairs))
    assert 1 <= request.page <= MAX_PAGES
    assert request.sort in SORTS
    again = SearchRequest.from_params(QueryParams(urlencode(request.params(), doseq=True)))
    assert again == request


@given(st.sampled_from(list(FILTERS)), values.filter(lambda v: v.strip()))
def test_adding_and_removing_a_filter_cancel_out(name, value):
    request = SearchRequest("spiders", page=3, filters={"year": ("1997",)})
    value = value.strip()
    kept = request.filters.get(name, ())
    filtered = replace(request, filters={**request.filters, name: (*kept, value)})
    unfiltered = filtered.without(name, value)
    assert unfiltered.page == 1
    assert unfiltered.filters == {k: v for k, v in request.filters.items() if v != (value,)}


def test_truncates_long_queries():
    request = SearchRequest.from_params(QueryParams({"q": "spider " * 1000}))
    assert len(request.text) == MAX_QUERY_LENGTH
    assert request.truncated


def test_invalid_page_numbers():
    for text in ("0", "-1", "1e9", "٣", "9999999999999", "x", ""):
        assert SearchRequest.from_params(QueryParams({"page": text})).page == 1
    assert SearchRequest.from_params(QueryParams({"page": "99999"})).page == MAX_PAGES


@given(st.integers(1, 60), st.integers(1, 60))
def test_page_numbers_of_a_pager(page, last):
    offered = page_numbers(page, last)
    numbers = [number for number in offered if number]
    assert numbers == sorted(set(numbers))
    assert {1, last} <= set(numbers) <= set(range(1, last + 1))
    assert page > last or page in numbers
    # A gap is only where at least two pages are left out.
    for k, number in enumerate(offered):
        if not number:
            assert offered[k + 1] - offered[k - 1] > 2
