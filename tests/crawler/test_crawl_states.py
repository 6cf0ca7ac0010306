"""The table of transitions is what `Crawl` does, and the diagram in the docs is drawn from it."""

import numpy as np
import pytest
from tools import crawl_states

from lycosa import Budget, Crawl, Page
from lycosa.content import Table, Tables
from lycosa.crawler.crawl import TRANSITIONS, UrlState
from lycosa.errors import ContractError
from lycosa.spiders import BreadthFirst

URLS = Table([f"http://a.example/{n}" for n in range(9)])
TABLES = Tables(Table(), URLS, Table())
NUMBER = 5
"""The URL that is observed."""


class Nothing:
    name = "nothing"

    def __call__(self, page):
        return 0.0


def crawl_in(state):
    """Return a crawl in which the URL is in a state."""
    crawl = Crawl(BreadthFirst(), Nothing(), Budget(), np.array([], np.int32))
    if state is not UrlState.NEW:
        crawl.add(np.array([NUMBER]))
    if state in (UrlState.IN_FLIGHT, UrlState.DONE):
        assert crawl.next() == NUMBER
    if state is UrlState.DONE:
        crawl.tell(Page(NUMBER, TABLES))
    assert crawl.state(NUMBER) is state
    return crawl


def link(crawl):
    """Tell another page, which links to the URL."""
    crawl.take(0)
    crawl.tell(Page(0, TABLES, np.array([NUMBER], np.int32)))


CALLS = {
    "add": lambda crawl: crawl.add(np.array([NUMBER])),
    "link": link,
    "next": lambda crawl: crawl.next(),
    "take": lambda crawl: crawl.take(NUMBER),
    "claim": lambda crawl: crawl.claim(NUMBER),
    "put_back": lambda crawl: crawl.put_back(NUMBER),
    "skip": lambda crawl: crawl.skip(NUMBER),
    "tell": lambda crawl: crawl.tell(Page(NUMBER, TABLES)),
    "tell_again": lambda crawl: crawl.tell_again(Page(NUMBER, TABLES), NUMBER),
    "request_again": lambda crawl: crawl.request_again(NUMBER),
}


@pytest.mark.parametrize(("before", "call"), TRANSITIONS)
def test_a_call_in_the_table_changes_the_state(before, call):
    crawl = crawl_in(before)
    CALLS[call](crawl)
    assert crawl.state(NUMBER) is TRANSITIONS[before, call]


@pytest.mark.parametrize("call", ["put_back", "skip", "tell", "tell_again"])
@pytest.mark.parametrize("before", [UrlState.NEW, UrlState.WAITING, UrlState.DONE])
def test_a_call_that_needs_a_url_in_flight_refuses_any_other(before, call):
    crawl = crawl_in(before)
    with pytest.raises(ContractError, match="not in flight"):
        CALLS[call](crawl)
    assert crawl.state(NUMBER) is before


@pytest.mark.parametrize("call", ["add", "link", "next", "claim"])
@pytest.mark.parametrize("before", UrlState)
def test_other_calls_have_no_effect_outside_the_table(before, call):
    if (before, call) not in TRANSITIONS:
        crawl = crawl_in(before)
        CALLS[call](crawl)
        assert crawl.state(NUMBER) is before


def test_every_call_is_in_the_table():
    assert {call for _, call in TRANSITIONS} == set(CALLS)


def test_the_diagram_in_the_docs_is_current():
    page = crawl_states.PAGE.read_text()
    assert page == crawl_states.updated(page), "run `python -m tools.crawl_states`"
