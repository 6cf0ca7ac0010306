"""The tools without the protocol: what they answer, and that the limits of the API hold."""

import json
from importlib.metadata import version
from threading import Semaphore

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lycosa.portal.api.operation import ApiContext
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.mcp.tools import MAX_ABSTRACT_CHARACTERS, TOOLS, call_tool
from lycosa.portal.search import Engine
from portal.sample import ABSENT, MOVED, title_of, work_id
from portal.web.portal_client import shared_portal


@pytest.fixture(scope="module")
def context():
    folder = shared_portal()
    return ApiContext(
        Catalogue.open(folder),
        Engine.open(folder / "index"),
        lambda _request, path: f"https://papers.example.org{path}",
        version("lycosa"),
        Semaphore(0),
        None,
    )


def answer(context, name, **arguments):
    found = call_tool(name, arguments, context)
    assert not found.is_error, found.text
    return json.loads(found.text)


def test_search_finds_works_that_can_be_fetched(context):
    found = answer(context, "search", query="spiders that learn", size=5, year=["1990..1999"])
    assert len(found["works"]) == 5
    for work in found["works"]:
        assert len(work["abstract"]) <= MAX_ABSTRACT_CHARACTERS + 1
        whole = answer(context, "fetch", id=work["id"])
        assert whole["title"] == work["title"]
        assert whole["page"] == f"https://papers.example.org/work/{work['id']}"
        assert whole["read_at"] in [copy["url"] for copy in whole["copies"]]
        assert whole["citation"].endswith(f"{work['year']}.")


def test_citations_are_listed_from_both_sides(context):
    cited = answer(context, "cites", id=work_id(7))
    assert work_id(6) in [work["id"] for work in cited["works"]]
    citing = answer(context, "cited_by", id=work_id(6), size=100)
    found = {work["id"]: work for work in citing["works"]}
    assert found[work_id(7)]["title"] == title_of(7)
    assert "spiders learn <fast>" in found[work_id(7)]["sentences"][0]


def test_why_says_what_matched(context):
    found = answer(context, "why", query="spiders", work=work_id(0))
    assert found["matches"]
    assert any("spiders" in sentence for sentence in found["sentences"])


def test_a_former_id_is_answered_with_the_work_of_today(context):
    assert answer(context, "fetch", id=MOVED)["id"] == work_id(0)
    assert answer(context, "why", query="spiders", work=MOVED)["work"]["id"] == work_id(0)


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("search", {"query": "x", "size": 101}, "size must be at most 100, not '101'."),
        ("search", {"query": "x", "page": 51}, "page must be at most 50, not '51'."),
        ("search", {"query": "x" * 1001}, "q must have at most 1,000 characters."),
        ("search", {"query": "x", "sort": "random"}, "sort must be one of"),
        ("search", {"question": "x"}, "question"),
        ("fetch", {"id": ABSENT}, "There is no work"),
        ("fetch", {}, "id must be given once."),
        ("fetch", {"id": ["a", "b"]}, "id must be given once."),
        ("why", {"query": "x"}, "work is required."),
        ("delete", {}, "delete"),
    ],
)
def test_wrong_calls_are_answered_with_a_sentence(context, name, arguments, sentence):
    found = call_tool(name, arguments, context)
    assert found.is_error
    assert sentence in found.text


def test_without_an_address_there_are_no_links(context):
    found = TOOLS["fetch"].shorten(
        {
            **json.loads(json.dumps(EMPTY)),
            "links": {"html": "/work/w1"},
        }
    )
    assert "page" not in found


EMPTY = {
    "id": "w1", "title": "Webs", "authors": [], "year": None, "venue": "", "doi": "",
    "abstract": "", "cited_by": 0, "kind": "cited", "url": "", "citation": "Webs.", "cites": 0,
    "topics": [], "licence": "", "copies": [],
}  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(), inside, max_size=3),
    max_leaves=5,
)
ARGUMENTS = st.dictionaries(
    st.sampled_from(["query", "id", "work", "page", "size", "year", "topic"]) | st.text(), JSON
)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from([*TOOLS]), ARGUMENTS)
def test_any_arguments_are_answered(context, name, arguments):
    found = call_tool(name, arguments, context)
    if not found.is_error:
        json.loads(found.text)
    found.text.encode()
