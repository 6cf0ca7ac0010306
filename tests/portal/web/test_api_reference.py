import pytest

from lycosa.portal.api import OPERATIONS
from lycosa.portal.api.schemas import SCHEMAS
from lycosa.portal.api.token_operations import TOKEN_OPERATIONS
from portal.web.portal_client import connect, html, text


@pytest.fixture(scope="module")
def page():
    with connect() as found:
        response = found.get("/api/docs")
        assert response.status_code == 200
        assert len(response.content) < 100_000
        return html(response)


def test_lists_every_operation_with_its_parameters(page):
    headings = {text(node) for node in page.css("h3 code")}
    assert headings == {f"GET {each.path}" for each in OPERATIONS} | {
        f"{each.method} {each.path}" for each in TOKEN_OPERATIONS
    }
    words = text(page.body)
    assert all(each.summary in words for each in TOKEN_OPERATIONS)
    for each in OPERATIONS:
        assert each.summary in words
        for parameter in each.parameters:
            assert parameter.description in words


def test_links_lead_to_the_response_schemas(page):
    ids = [node.attributes["id"] for node in page.css("[id]")]
    assert len(set(ids)) == len(ids)
    targets = {a.attributes["href"][1:] for a in page.css("main a[href^='#']")}
    assert targets <= set(ids)
    assert {each.schema for each in OPERATIONS if each.schema in SCHEMAS} - targets <= {
        "OpenAPI",
        "Suggestions",
    }
